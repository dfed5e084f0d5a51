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
		struct mountinfo mount;
		const char *mode;

		if (!mountinfo_parse(line, &mount))
			continue;
		mode = find_mode(mount.options);
		*array_next(mounts->entries, mounts->count, slots) = (struct mount_entry){
			.id = mount.id, .root = must(strdup(mount.root)),
			.point = must(strdup(mount.point)),
			.fstype = must(strdup(mount.type)),
			.mode = mode ? mode : guard_mode(guard, mount.dev) };
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
