// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val-guard set: changes the mode of a file system that is mounted. main.c calls it;
 * enforce.c calls set_modes().
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "apply.h"
#include "bpf/shared/guard_maps.h"
#include "guard_command.h"
#include "active.h"
#include "mount_table.h"
#include "pins.h"
#include "policy.h"
#include "set.h"
#include "print.h"
#include "superblocks.h"

/*
 * Is this a device? A device is on the file system of /dev, which is not the one
 * that a user means. Returns: true after a complaint.
 */
static bool is_device(const char *path, int fd, const char *command)
{
	struct mount_table table = { 0 };
	const struct mountinfo *mount = &table.mount;
	text_auto text = { 0 };
	struct stat st, source;

	if (fstat(fd, &st) || !(S_ISBLK(st.st_mode) || S_ISCHR(st.st_mode)))
		return false;
	while (mount_table_next(&table))
		if (S_ISBLK(st.st_mode) &&
		    (mount->dev == (major(st.st_rdev) << 20 | minor(st.st_rdev)) ||
		     /* users choose the source of FUSE, which may be slow to look at */
		     (strncmp(mount->type, "fuse", 4) != 0 &&
		      !stat(mount->source, &source) && S_ISBLK(source.st_mode) &&
		      source.st_rdev == st.st_rdev)))
			break;
	text_safe(&text, path);
	if (table.file) {
		text_puts(&text, " is a device; its file system is mounted on ");
		text_safe(&text, mount->point);
		text_printf(&text, ". Run: utf8val-guard %s ", command);
		text_shell(&text, mount->point);
	} else {
		text_puts(&text, " is a device, and no file system on it is mounted here");
	}
	complain_text(&text);
	mount_table_close(&table);
	return true;
}

int open_mount_point(const char *path, const char *command)
{
	int fd = open_path(path);
	const struct mounted *mounts;
	text_auto text = { 0 };
	unsigned long long id;
	size_t count;

	if (fd < 0)
		return complain_about(path, "%s", strerror(errno));
	if (is_mount_point(fd))
		return fd;
	if (!is_device(path, fd, command)) {
		mounts = mounts_read(&count);
		id = mount_of(fd);
		text_safe(&text, path);
		text_puts(&text, " is not a mount point");
		for (size_t i = 0; i < count; i++) {
			if (mounts[i].id != id)
				continue;
			text_puts(&text, "; a mode is for a whole file system, and this one is "
				  "mounted on ");
			text_safe(&text, mounts[i].point);
			text_printf(&text, ". Run: utf8val-guard %s ", command);
			text_shell(&text, mounts[i].point);
		}
		complain_text(&text);
	}
	close(fd);
	return -1;
}

/* Superblocks of which some may have a mode. */
struct seen_list {
	struct guard_seen *list;
	long count;
};

/* Is one of the targets on this superblock? */
static bool is_target(const struct guard_seen *seen, const struct target *targets, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (superblock_of(targets[i].fd, seen, 1))
			return true;
	return false;
}

/*
 * A line that --keep writes may also be for other file systems: all of a type, or a copy of
 * a disk, with its UUID. Print these file systems, before anything is done. Returns:
 * would the line lower none of them? If the line would, this has complained.
 */
static bool name_others(const struct guard_seen *seen, const struct seen_list *all,
			const char *line, const struct target *targets, size_t count,
			enum guard_mode mode)
{
	const struct guard_seen *lowered = NULL;
	char name[POLICY_TEXT];

	for (long i = 0; i < all->count; i++) {
		const struct guard_seen *other = &all->list[i];
		text_auto text = { 0 };

		policy_name(other, name);
		if (other->sb == seen->sb || strcmp(name, line) != 0)
			continue;
		text_puts(&text, "the line ");
		text_safe(&text, line);
		text_puts(&text, " is also for: ");
		superblock_name(&text, ' ', other);
		complain_text(&text);
		/* the option of a mount wins over the line */
		if (other->mode > mode && other->source != GUARD_FROM_MOUNT &&
		    !is_target(other, targets, count))
			lowered = other;
	}
	if (lowered)
		complain("nothing is changed: this line would change another file system from %s "
			 "to %s. Name both, or use set without --keep", mode_name(lowered->mode),
			 mode_name(mode));
	return !lowered;
}

/*
 * Find out about the superblock that a file is on. A walk reports what has a mode or shall
 * have one, so this walk is given a policy that is for all. *@all: what it reports. Returns:
 * is the superblock one of them?
 */
static bool look_up(int fd, struct guard_seen *seen, struct seen_list *all)
{
	struct policy_line line = { .mode = GUARD_AUDIT, .what = { .kind = GUARD_WHAT_DEFAULT } };
	const struct policy policy = { &line, 1 };
	int map = policy_map(&policy);
	const struct guard_seen *found;

	all->count = map < 0 ? map : superblocks_walk(GUARD_WALK_LOOK, map, &all->list);
	if (map >= 0)
		close(map);
	found = superblock_of(fd, all->list, all->count);
	if (found)
		*seen = *found;
	else
		superblock_guess(fd, seen);
	return found;
}

/* Say where a mount covers another one, which users can arrange with FUSE. */
static void warn_of_covered(const struct target *target)
{
	unsigned long long id = mount_of(target->fd);
	const struct mounted *mounts, *mount = NULL;
	size_t count;

	mounts = mounts_read(&count);
	for (size_t i = 0; i < count; i++)
		if (mounts[i].id == id)
			mount = &mounts[i];
	for (size_t i = 0; mount && i < count; i++)
		if (&mounts[i] != mount && !strcmp(mounts[i].point, mount->point))
			complain_about(target->path, "this mount covers another one, %u:%u, whose "
				       "mode stays as it is", mounts[i].dev >> 20,
				       mounts[i].dev & 0xFFFFF);
}

/*
 * Set the mode of one file system; with @keep its line is written before, so that a line
 * that cannot be written changes nothing. Returns: how many things that has changed, or -1
 * after a complaint.
 */
static int set_one(const struct target *target, const struct target *targets, size_t count,
		   enum guard_mode mode, bool keep, const struct report_options *options,
		   unsigned int *reported)
{
	struct seen_list all = { 0 };
	struct guard_seen seen = { 0 };
	bool known = look_up(target->fd, &seen, &all);
	const char *path = target->path;
	char line[POLICY_TEXT];
	int error, written = 0;

	seen.before = seen.mode;
	seen.mode = mode;
	warn_of_covered(target);
	if (keep && !known)
		return complain_about(path, "its UUID and type are unknown, so no line can be "
				      "written");
	if (keep) {
		policy_name(&seen, line);
		if (!name_others(&seen, &all, line, targets, count, mode))
			return -1;
	}
	free(all.list);
	if (keep && !options->dry_run) {
		written = policy_write(mode, line);
		if (written < 0)
			return -1;
		if (written && !options->json)
			printf("%s: %s %s\n", POLICY_FILE, mode_name(mode), line);
	}
	error = options->dry_run ? 0 :
		superblock_set(target->fd, mode, keep ? GUARD_FROM_POLICY : GUARD_FROM_SET, NULL);
	if (error)
		return complain_about(path, "%s", strerror(-error));
	seen.source = keep ? GUARD_FROM_POLICY : GUARD_FROM_SET;
	if (mode_refuses(mode) && mode != seen.before && !strncmp(seen.type, "nfs", 3))
		complain("on an NFS client, a rename onto an existing bad name fails unless the "
			 "name was looked up before; where bad names exist, enforce on the server");
	if (mode != seen.before)
		report_change(&seen, options, (*reported)++);
	return written + (mode != seen.before);
}

int set_modes(const struct target *targets, size_t count, enum guard_mode mode, bool keep,
	      const struct report_options *options)
{
	unsigned int reported = 0, changes = 0;
	int status = STATUS_GOOD;

	if (!is_root() || pins_lock(false) < 0)
		return STATUS_TROUBLE;
	/* to lower a mode promises nothing, so the guard need not be active */
	if (mode != GUARD_OFF || !pins_complete(NULL)) {
		const char *tried = mode == GUARD_OFF ? "enforce" : mode_name(mode);

		status = (int)guard_active_needed(tried, true);
		if (status != STATUS_GOOD)
			return status;
	}
	for (size_t i = 0; i < count; i++) {
		int changed = set_one(&targets[i], targets, count, mode, keep, options, &reported);

		if (changed < 0)
			status = STATUS_TROUBLE;
		else
			changes += (unsigned int)changed;
	}
	if (keep && status == STATUS_GOOD && !options->dry_run) {
		enum status applied = policy_apply(GUARD_WALK_START, options, &reported);

		if (applied != STATUS_GOOD)
			status = (int)applied;
	}
	if (options->json)
		puts(reported ? "]" : "[]");
	return status == STATUS_GOOD && options->changed && changes ? (int)STATUS_CHANGED : status;
}

int set_main(char **args)
{
	struct report_options options = { 0 };
	bool keep = false;
	struct target *targets;
	char command[64];
	size_t count = 0;
	int mode, status;

	for (; *args && !strncmp(*args, "--", 2); args++) {
		if (!strcmp(*args, "--keep"))
			keep = true;
		else if (!report_option(*args, &options))
			return usage_error("set");
	}
	mode = *args ? mode_parse(*args) : GUARD_UNSET;
	if (mode == GUARD_UNSET || !args[1])
		return usage_error("set");
	snprintf(command, sizeof(command), "set %s%s", keep ? "--keep " : "", *args);
	while (args[count + 1])
		count++;
	targets = calloc(count, sizeof(*targets));
	if (!targets || !is_root())
		return STATUS_TROUBLE;
	for (size_t i = 0; i < count; i++) {
		targets[i] = (struct target){ args[i + 1],
					      open_mount_point(args[i + 1], command) };
		if (targets[i].fd < 0)
			return STATUS_TROUBLE;
	}
	status = set_modes(targets, count, (enum guard_mode)mode, keep, &options);
	free(targets);
	return status;
}
