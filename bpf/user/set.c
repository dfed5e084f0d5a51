// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* set: change the mode of a file system that is mounted. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/shared/guard_maps.h"
#include "guard_command.h"
#include "in_force.h"
#include "guard.skel.h"
#include "mount_table.h"
#include "pins.h"
#include "superblocks.h"
#include "words.h"

/*
 * Is this a device? A device is on the file system of /dev, which nobody means
 * who names the device. Returns: true after a complaint.
 */
static bool is_device(const char *path, int fd)
{
	struct mount_table table = { 0 };
	const struct mountinfo *mount = &table.mount;
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
	fputs("utf8val-guard: ", stderr);
	print_safe(stderr, path);
	fputs(" is a device", stderr);
	if (table.file) {
		fputs("; its file system is mounted on ", stderr);
		print_safe(stderr, mount->point);
		fputs(": name that\n", stderr);
	} else {
		fputs(", and no file system on it is mounted here\n", stderr);
	}
	mount_table_close(&table);
	return true;
}

int set_main(char **args)
{
	bool mountpoint = *args && !strcmp(*args, "--mountpoint") && args++;
	int mode = *args ? mode_parse(*args) : GUARD_UNSET;
	int status = STATUS_GOOD;

	if (mode == GUARD_UNSET || !args[1]) {
		complain("set takes one of" UTF8VAL_MODE_WORDS ", and paths; --mountpoint "
			 "may come before");
		return STATUS_TROUBLE;
	}
	if (!is_root() || pins_lock(false) < 0)
		return STATUS_TROUBLE;
	/* to lower a mode promises nothing, so the guard need not be in force */
	if (mode != GUARD_OFF || !pins_complete(NULL)) {
		struct finding finding = in_force(mode == GUARD_OFF ? "enforce" :
						  mode_name((unsigned int)mode), true);

		if (finding.status != STATUS_GOOD) {
			complain("%s", finding.text);
			return finding.status;
		}
	}
	while (*++args) {
		int fd = open_path(*args);
		bool device = fd >= 0 && is_device(*args, fd);
		bool none = fd >= 0 && mountpoint && !is_mount_point(fd);
		int error = fd < 0 ? -errno : device ? 0 : none ? -EINVAL :
			superblock_set(fd, (enum guard_mode)mode, GUARD_FROM_SET, NULL);

		if (fd >= 0)
			close(fd);
		if (device)
			status = STATUS_TROUBLE;
		if (!error)
			continue;
		fputs("utf8val-guard: ", stderr);
		print_safe(stderr, *args);
		fprintf(stderr, ": %s\n", none ? "nothing is mounted there" : strerror(-error));
		status = STATUS_TROUBLE;
	}
	return status;
}
