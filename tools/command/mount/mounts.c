// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Reading the table of mounts that /proc has. */
#include "mount/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "bpf/shared/mountinfo.h"

#define MOUNTS "/proc/self/mountinfo"

FILE *mounts_open(const char *root, const char *path, int *error)
{
	char *full;
	FILE *file;

	if (asprintf(&full, "%s%s", root, path) < 0)
		full = NULL;
	file = fopen(must(full), "re");
	*error = file ? 0 : errno;
	free(full);
	return file;
}

/* The value of utf8val= in a list of options separated by commas. */
static char *find_mode(const char *options)
{
	static const char key[] = "utf8val=";

	for (const char *at = options; at;
	     at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		if (!strncmp(at, key, sizeof(key) - 1)) {
			at += sizeof(key) - 1;
			return must(strndup(at, strcspn(at, ",")));
		}
	}
	return NULL;
}

/*
 * Parse one line of mountinfo, as proc(5) describes it: "36 35 98:0 /root
 * /point options optional... - fstype source super-options".
 */
static bool parse_mount(char *line, struct mount_entry *entry)
{
	char *rest = line, *fields[6], *fstype, *super;

	for (size_t i = 0; i < 6; i++) {
		fields[i] = strsep(&rest, " ");
		if (!rest)
			return false;
	}
	do {
		fstype = strsep(&rest, " ");
		if (!rest)
			return false;
	} while (strcmp(fstype, "-") != 0);
	fstype = strsep(&rest, " ");
	strsep(&rest, " ");
	super = rest;
	if (!super)
		return false;
	super[strcspn(super, "\n")] = '\0';
	if (sscanf(fields[2], "%u:%u", &entry->major, &entry->minor) != 2)
		return false;
	mountinfo_unescape(fields[3]);
	mountinfo_unescape(fields[4]);
	entry->id = strtoull(fields[0], NULL, 10);
	entry->root = must(strdup(fields[3]));
	entry->point = must(strdup(fields[4]));
	entry->fstype = must(strdup(fstype));
	entry->mode = find_mode(super);
	return true;
}

bool mounts_read(struct mounts *mounts, const char *root, const struct guard_marks *guard)
{
	char *line = NULL;
	size_t room = 0, slots = 0;
	int error;
	FILE *file = mounts_open(root, MOUNTS, &error);

	if (!file) {
		complain_errno(MOUNTS, strlen(MOUNTS), error);
		return false;
	}
	while (getline(&line, &room, file) > 0) {
		struct mount_entry entry = { 0 };
		const char *mode;

		if (!parse_mount(line, &entry))
			continue;
		mode = guard_mode(guard, entry.major, entry.minor);
		if (mode && !entry.mode)
			entry.mode = must(strdup(mode));
		*array_next(mounts->entries, mounts->count, slots) = entry;
	}
	free(line);
	fclose(file);
	return true;
}

const struct mount_entry *mounts_find(const struct mounts *mounts, const char *path)
{
	struct statx st;

	if (statx(AT_FDCWD, path, 0, STATX_MNT_ID, &st)) {
		complain_errno(path, strlen(path), errno);
		return NULL;
	}
	for (size_t i = 0; st.stx_mask & STATX_MNT_ID && i < mounts->count;
	     i++) {
		if (mounts->entries[i].id == st.stx_mnt_id)
			return &mounts->entries[i];
	}
	complain(path, strlen(path), "its mount is not among those in " MOUNTS);
	return NULL;
}
