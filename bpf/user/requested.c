// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Compares the modes that the policy file and fstab request with the modes that the file
 * systems have. status.c prints the differences, apply.c the lines that match nothing.
 */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/output.h"
#include "bpf/shared/mountinfo.h"
#include "mount_table.h"
#include "print.h"
#include "requested.h"
#include "superblocks.h"
#include "utf8val.h"

#define FSTAB "/etc/fstab"

/* Move a text to the end of a list. */
static void add(struct sentences *to, struct text *text)
{
	text_add(text, "", 1);
	to->list = must(reallocarray(to->list, to->count + 1, sizeof(*to->list)));
	to->list[to->count++] = text->bytes;
	*text = (struct text){ 0 };
}

/* Lines that name nothing which is mounted: a disk in a drawer, a typing error or a new UUID. */
void find_unmatched(struct sentences *unmatched, const struct policy *policy,
		    const struct guard_seen *list, long count)
{
	for (size_t i = 0; i < policy->count; i++) {
		const struct policy_line *line = &policy->lines[i];
		struct text text = { 0 };

		if (policy_line_is_used(line, list, count))
			continue;
		text_printf(&text, "%s:%u: %s names no file system that is mounted%s", POLICY_FILE,
			    line->number, line->text, policy_line_type_known(line) ? "" :
			    ", and /proc/filesystems does not list this type");
		add(unmatched, &text);
	}
}

/* A line of the policy asks for a mode that its file system does not have. */
static void compare_policy(struct requested *requested, long i, const struct policy *policy)
{
	const struct guard_seen *seen = &requested->list[i];
	const struct policy_line *line = policy_line_of(policy, seen);
	struct text text = { 0 };

	if (seen->policy_mode == GUARD_UNSET)
		return;
	/*
	 * the option of a mount wins, and fstab says what that shall be; where it does not, a
	 * stricter mode is no loss
	 */
	if (seen->source == GUARD_FROM_MOUNT &&
	    (requested->asked[i] != GUARD_UNSET || seen->mode > seen->policy_mode))
		return;
	requested->asked[i] = seen->policy_mode;
	if (seen->mode == seen->policy_mode || !line)
		return;
	text_printf(&text, "%s:%u asks for %s, and the mode is %s", POLICY_FILE, line->number,
		    mode_name(seen->policy_mode), mode_name(seen->mode));
	if (seen->source == GUARD_FROM_SET && seen->mode != GUARD_UNSET)
		text_puts(&text, " by utf8val-guard set");
	if (seen->source == GUARD_FROM_OLDER && seen->mode != GUARD_UNSET)
		text_puts(&text, " by an older guard");
	if (seen->source == GUARD_FROM_MOUNT)
		text_puts(&text, " by the mount's own option utf8val=");
	text_puts(&text, ": ");
	superblock_name(&text, ' ', seen);
	if (seen->source != GUARD_FROM_MOUNT) {
		text_puts(&text, ". Run: utf8val-guard apply");
	} else {
		char command[64];

		snprintf(command, sizeof(command), "mount -o remount,utf8val=%s",
			 mode_name(seen->policy_mode));
		superblock_command(&text, command, seen);
	}
	add(&requested->differences, &text);
}

/* A line of fstab. Its strings lie in the line that was read. */
struct fstab_line {
	unsigned int number;
	char *source, *point, *type;
};

/* Add the name that udev gives a label or UUID, as libblkid's blkid_encode_string() makes it. */
static void add_encoded(struct text *text, const char *name, size_t len)
{
	const uint8_t *pos = (const uint8_t *)name, *end = pos + len;

	while (pos < end) {
		const uint8_t *begin = pos;
		uint32_t cp;
		bool good = utf8val_next(&pos, end, &cp) == UTF8VAL_OK;

		if (good && (cp > 0x7F || isalnum((int)cp) || strchr("#+-.:=@_", (int)cp))) {
			text_add(text, begin, (size_t)(pos - begin));
			continue;
		}
		for (pos = begin; pos == begin; pos++)
			text_printf(text, "\\x%02x", *pos);
	}
}

/* The device that a source of fstab names; 0: none. */
static dev_t device_of(const char *source)
{
	static const struct {
		const char *tag, *dir;
	} tags[] = {
		{ "UUID=", "by-uuid" }, { "LABEL=", "by-label" },
		{ "PARTUUID=", "by-partuuid" }, { "PARTLABEL=", "by-partlabel" },
	};
	text_auto path = { 0 };
	struct stat st;

	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		size_t len = strlen(tags[i].tag);

		if (strncmp(source, tags[i].tag, len) != 0)
			continue;
		source += len;
		len = strlen(source);
		/* with or without quotation marks around it */
		if (len >= 2 && source[0] == '"' && source[len - 1] == '"') {
			source++;
			len -= 2;
		}
		text_printf(&path, "/dev/disk/%s/", tags[i].dir);
		add_encoded(&path, source, len);
		source = "";
	}
	text_add(&path, source, strlen(source) + 1);
	return path.bytes[0] == '/' && !stat(path.bytes, &st) && S_ISBLK(st.st_mode) ?
		       st.st_rdev : 0;
}

/*
 * Does a mount's file system have the UUID of this source? Of two disks with one UUID, udev
 * links one alone.
 */
static bool has_uuid(const struct requested *requested, const struct mounted *mount,
		     const char *source)
{
	for (long i = 0; i < requested->count; i++) {
		const struct guard_seen *seen = &requested->list[i];
		text_auto uuid = { 0 };

		if (seen->dev != mount->dev || !superblock_has_uuid(seen))
			continue;
		text_uuid(&uuid, seen->uuid);
		return !strncmp(source, "UUID=", 5) &&
		       !strncasecmp(source + 5 + (source[5] == '"'), uuid.bytes, uuid.len);
	}
	return false;
}

/*
 * Is this the mount that the line asks for? A user can mount a FUSE file system over it, and
 * choose the source and the part of the type after the dot. Both of the line's fields
 * therefore have to agree.
 */
static bool is_lines(const struct requested *requested, const struct mounted *mount,
		     const struct fstab_line *line)
{
	dev_t device = device_of(line->source);
	bool any = !strcmp(line->type, "auto") || strchr(line->type, ',');

	if (!any && strcmp(mount->type, line->type) != 0 &&
	    (strncmp(line->type, "nfs", 3) != 0 || strncmp(mount->type, "nfs", 3) != 0))
		return false;
	if (has_uuid(requested, mount, line->source))
		return true;
	if (device && (major(device) << 20 | minor(device)) == mount->dev)
		return true;
	/* The number of a btrfs is no block device; the mount names one of its devices. */
	if (strncmp(mount->type, "fuse", 4) != 0 && device)
		return device_of(mount->source) == device;
	return !strcmp(mount->source, line->source);
}

/*
 * The superblock that a line of fstab asks for, or -1. A mount that covers it does not
 * matter. Where no mount at that point is the line's, the lowest one is taken, which was
 * mounted before the others.
 */
static long mounted_for(const struct requested *requested, const struct fstab_line *line,
			bool *mounted)
{
	const struct mounted *lowest = NULL, *found = NULL;
	size_t count;
	const struct mounted *mounts = mounts_once(&count);

	for (size_t i = 0; i < count && !found; i++) {
		if (strcmp(mounts[i].point, line->point) != 0)
			continue;
		if (!lowest)
			lowest = &mounts[i];
		if (is_lines(requested, &mounts[i], line))
			found = &mounts[i];
	}
	if (!found)
		found = lowest;
	*mounted = found;
	for (long j = 0; found && j < requested->count; j++)
		if (requested->list[j].dev == found->dev)
			return j;
	return -1;
}

/* A line of fstab asks for a mode by utf8val=. */
static void compare_fstab(struct requested *requested, const struct fstab_line *line,
			  const char *word)
{
	enum guard_mode mode = (enum guard_mode)mode_parse(word);
	bool mounted;
	long i = mounted_for(requested, line, &mounted);
	enum guard_mode has = i < 0 ? GUARD_UNSET : (enum guard_mode)requested->list[i].mode;
	struct text text = { 0 };

	if (mode != GUARD_UNSET && (!mounted || has == mode)) {
		if (i >= 0)
			requested->asked[i] = mode;
		return;
	}
	if (i >= 0)
		requested->asked[i] = mode;
	text_printf(&text, "%s:%u: ", FSTAB, line->number);
	if (mode == GUARD_UNSET) {
		text_puts(&text, "utf8val=");
		text_safe(&text, word);
		text_puts(&text, " is none of" UTF8VAL_MODE_WORDS ". Correct the line");
	} else {
		text_printf(&text, "utf8val=%s, and the mode is %s: ", word, mode_name(has));
		text_safe(&text, line->point);
		text_printf(&text, ". Run: mount -o remount,utf8val=%s ", mode_name(mode));
		text_shell(&text, line->point);
	}
	add(&requested->differences, &text);
}

/* Earlier versions read x-utf8val=. It is reported where the file system has another mode. */
static void compare_ended(struct requested *requested, const struct fstab_line *line,
			  const char *word)
{
	bool mounted;
	long i = mounted_for(requested, line, &mounted);
	unsigned int has = i < 0 ? GUARD_UNSET : requested->list[i].mode;
	struct text text = { 0 };

	if (!mounted || has == (unsigned int)mode_parse(word))
		return;
	text_printf(&text, "%s:%u: x-utf8val= has no effect, and the mode is %s. Run: "
		    "utf8val-guard set --keep MODE ", FSTAB, line->number, mode_name(has));
	text_shell(&text, line->point);
	add(&requested->differences, &text);
}

/* Compare one line of fstab, which is changed. */
static void read_line(struct requested *requested, unsigned int number, char *text)
{
	char *save, *options, *option, *value = NULL, *ended = NULL;
	struct fstab_line line = { .number = number };

	line.source = strtok_r(text, " \t\n", &save);
	if (!line.source || *line.source == '#')
		return;
	line.point = strtok_r(NULL, " \t\n", &save);
	line.type = line.point ? strtok_r(NULL, " \t\n", &save) : NULL;
	options = line.type ? strtok_r(NULL, " \t\n", &save) : NULL;
	if (!options)
		return;
	mountinfo_unescape(line.source);
	mountinfo_unescape(line.point);
	while ((option = strsep(&options, ","))) {
		if (!strncmp(option, "utf8val=", 8))
			value = option + 8;
		if (!strncmp(option, "x-utf8val=", 10))
			ended = option + 10;
	}
	for (size_t len = strlen(line.point); len > 1 && line.point[len - 1] == '/'; len--)
		line.point[len - 1] = '\0';
	if (value)
		compare_fstab(requested, &line, value);
	else if (ended)
		compare_ended(requested, &line, ended);
}

static void read_fstab(struct requested *requested)
{
	FILE *file = fopen(FSTAB, "re");
	unsigned int number = 0;
	char *line = NULL;
	size_t room = 0;

	while (file && getline(&line, &room, file) > 0)
		read_line(requested, ++number, line);
	free(line);
	if (file)
		fclose(file);
}

/* Read what mounts show of the kernel's own option. */
static void read_kernels(struct requested *requested)
{
	size_t count;
	const struct mounted *mounts = mounts_once(&count);

	requested->list = must(calloc(count + 1, sizeof(*requested->list)));
	for (size_t i = 0; i < count; i++) {
		struct guard_seen *seen = &requested->list[requested->count];
		bool again = false;

		for (long j = 0; j < requested->count; j++)
			again |= requested->list[j].dev == mounts[i].dev;
		if (mounts[i].mode == GUARD_UNSET || again)
			continue;
		seen->dev = mounts[i].dev;
		seen->mode = mounts[i].mode;
		seen->source = GUARD_FROM_KERNEL;
		superblock_set_type(seen, mounts[i].type);
		requested->count++;
	}
}

void requested_read(struct requested *requested, bool built_in)
{
	struct policy policy;
	bool good = policy_read(&policy);
	/* the file is what is asked for, also where it was changed since it was applied */
	int fd = good && !built_in ? policy_map(&policy) : -1;
	struct text text = { 0 };

	*requested = (struct requested){ 0 };
	if (built_in)
		read_kernels(requested);
	else
		requested->count = superblocks_walk(GUARD_WALK_LOOK, fd, &requested->list);
	if (fd >= 0)
		close(fd);
	if (requested->count < 0) {
		requested->count = -1;
		return;
	}
	requested->asked = must(calloc((size_t)requested->count + 1, sizeof(*requested->asked)));
	if (!good) {
		text_puts(&text, POLICY_FILE " has an error. Run: utf8val-guard apply --dry-run");
		add(&requested->differences, &text);
	}
	if (built_in && policy.count) {
		text_puts(&text, POLICY_FILE " is for the guard; this kernel's own option does not "
			  "read it. Write the option utf8val= into " FSTAB);
		add(&requested->differences, &text);
	}
	read_fstab(requested);
	for (long i = 0; good && i < requested->count; i++)
		compare_policy(requested, i, &policy);
	if (good && !built_in)
		find_unmatched(&requested->unmatched, &policy, requested->list, requested->count);
}
