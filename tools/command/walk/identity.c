// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The identity of a file: device, inode and birth, by statx(2). walk/dir.c, walk/lock.c
 * and walk/move.c compare it.
 */
#include "walk/identity.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

/* The oldest supported systems have no FUSE_SUPER_MAGIC in linux/magic.h. */
#define FUSE_MAGIC 0x65735546

int identity_get(int fd, const char *name, struct identity *identity)
{
	int flags = AT_NO_AUTOMOUNT | AT_SYMLINK_NOFOLLOW;
	struct statx st;

	if (statx(fd, name, *name ? flags : flags | AT_EMPTY_PATH,
		  STATX_TYPE | STATX_INO | STATX_BTIME, &st))
		return errno;
	*identity = (struct identity){
		.dev = makedev(st.stx_dev_major, st.stx_dev_minor),
		.ino = st.stx_ino,
		.type = st.stx_mode & S_IFMT,
		.lasting = true,
	};
	if (st.stx_mask & STATX_BTIME)
		identity->born = (uint64_t)st.stx_btime.tv_sec * 1000000000 +
				 st.stx_btime.tv_nsec;
	return 0;
}

void identity_settle(int fd, struct identity *identity)
{
	struct statfs fs;

	identity->lasting = !fstatfs(fd, &fs) && fs.f_type != MSDOS_SUPER_MAGIC &&
			    fs.f_type != EXFAT_SUPER_MAGIC && fs.f_type != FUSE_MAGIC;
	if (identity->lasting && fs.f_type == OVERLAYFS_SUPER_MAGIC)
		identity->born = 0;
}

void identity_settle_in(const struct identity *dir, struct identity *identity)
{
	identity->lasting = dir->lasting;
	if (!dir->born)
		identity->born = 0;
}

int identity_compare(const struct identity *a, const struct identity *b)
{
	if (a->dev != b->dev)
		return a->dev < b->dev ? -1 : 1;
	return (a->ino > b->ino) - (a->ino < b->ino);
}

bool identity_same(const struct identity *a, const struct identity *b)
{
	if (a->type != b->type || (a->dev && b->dev && a->dev != b->dev))
		return false;
	if (a->born && b->born && a->born != b->born)
		return false;
	return a->ino == b->ino || !a->lasting || !b->lasting;
}

const char *identity_error(int error)
{
	static _Thread_local char buffer[128];

	if (error == ESTALE)
		return "another file has taken its place";
	/* A rename inside one directory fails with EXDEV for this reason only. */
	if (error == EXDEV)
		return "its file system cannot rename it: a directory in a "
		       "lower layer of overlayfs without redirect_dir";
	return strerror_r(error, buffer, sizeof(buffer));
}
