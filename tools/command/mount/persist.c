// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val mount --persist: writes the extended attribute security.utf8val, which a kernel
 * that was started with utf8val.persistent=on reads when it mounts the file system.
 */
#include "mount/persist.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/text.h"
#include "kernel/lsm/modes.h"

#define ATTRIBUTE "security.utf8val"

const char *persist_take(void *data, const char *argument)
{
#define WORD(id, word) \
		#word,
	static const char *const modes[] = {
		UTF8VAL_MODE_LIST(WORD, WORD) UTF8VAL_UNSET
	};

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (!strcmp(argument, modes[i])) {
			*(const char **)data = modes[i];
			return NULL;
		}
	}
	return "takes one of" UTF8VAL_MODE_WORDS " " UTF8VAL_UNSET;
}

/* Open the directory at this mount point; -1 with errno on failure. */
static int open_root(const char *point, unsigned long long id)
{
	int dir = open(point, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct statx st;

	if (dir < 0)
		return -1;
	/* Another file system may have been mounted over the mount meanwhile. */
	if (statx(dir, "", AT_EMPTY_PATH, STATX_MNT_ID, &st) ||
	    !(st.stx_mask & STATX_MNT_ID) || st.stx_mnt_id != id) {
		close(dir);
		errno = ESTALE;
		return -1;
	}
	return dir;
}

bool persist_write(const char *point, unsigned long long id, const char *root,
		   const char *mode)
{
	int dir, result;

	if (strcmp(root, "/") != 0) {
		complain(point, strlen(point), "this mount shows a part of its "
			 "file system; give a path on one that shows the whole");
		return false;
	}
	dir = open_root(point, id);
	if (dir < 0) {
		complain_errno(point, strlen(point), errno);
		return false;
	}
	result = strcmp(mode, UTF8VAL_UNSET) != 0 ?
		 fsetxattr(dir, ATTRIBUTE, mode, strlen(mode), 0) :
		 fremovexattr(dir, ATTRIBUTE);
	if (result && errno == ENODATA)
		result = 0;
	if (result)
		complain_errno(point, strlen(point), errno);
	close(dir);
	return !result;
}
