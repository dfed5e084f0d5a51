// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The self-test of the programs, on a separate mount. active.c and start.c call it. */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "bpf/shared/guard_maps.h"
#include "guard_command.h"
#include "pins.h"
#include "print.h"
#include "selftest.h"
#include "superblocks.h"

#define GOOD_NAME "good \xC3\xA9"
#define BAD_NAME "bad \xFF"

static int way(int dir, size_t which, const char *name)
{
	int fd;

	switch (which) {
	case 0:
		fd = openat(dir, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC,
			    0600);
		return fd < 0 ? -1 : close(fd);
	case 1:
		return mkdirat(dir, name, 0700);
	case 2:
		return symlinkat("anywhere", dir, name);
	case 3:
		return mknodat(dir, name, S_IFIFO | 0600, 0);
	case 4:
		return linkat(dir, "seed", dir, name, 0);
	default:
		return renameat(dir, "moving", dir, name);
	}
}

static const char *const ways[] = {
	"create", "mkdir", "symlink", "mknod", "link", "rename"
};

/* Note what was seen; the text is a format. */
__attribute__((format(printf, 3, 4)))
static enum selftest_result saw(struct selftest *test,
				enum selftest_result result,
				const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(test->text, sizeof(test->text), format, list);
	va_end(list);
	return result;
}

static enum selftest_result try_names(struct selftest *test, int dir)
{
	if (way(dir, 0, "seed") || way(dir, 0, "moving"))
		return saw(test, SELFTEST_IMPOSSIBLE,
			   "no file can be made on a new tmpfs: %s",
			   strerror(errno));
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (!way(dir, i, BAD_NAME))
			return saw(test, SELFTEST_FAILED,
				   "%s takes a name that is not UTF-8", ways[i]);
		if (errno == EILSEQ && !way(dir, i, GOOD_NAME)) {
			unlinkat(dir, GOOD_NAME, i == 1 ? AT_REMOVEDIR : 0);
			continue;
		}
		if (errno == EILSEQ)
			return saw(test, SELFTEST_FAILED,
				   "%s refuses a good name", ways[i]);
		return saw(test, SELFTEST_IMPOSSIBLE, "%s fails: %s", ways[i],
			   strerror(errno));
	}
	return SELFTEST_PASSED;
}

/*
 * In the mark of the file system that this directory is on, replace the type by
 * the generation that is tried. Names tried there are only counted as checked, and
 * are not reported. No other guard's programs answer. The mark goes with its file
 * system. A file system that was unmounted while the kernel called no programs has
 * left its mark, and its device number may be this one's. Such a mark is for nothing,
 * so each mark with this number is changed.
 */
static bool set_generation(int marks, int dir, __u64 generation)
{
	__u64 key, *last = NULL;
	struct guard_mark mark;
	bool found = false;
	struct stat st;
	__u32 dev;

	if (fstat(dir, &st))
		return false;
	dev = major(st.st_dev) << 20 | minor(st.st_dev);
	for (; !bpf_map_get_next_key(marks, last, &key); last = &key) {
		if (bpf_map_lookup_elem(marks, &key, &mark) || mark.dev != dev ||
		    !mark.type[0])
			continue;
		memset(mark.type, 0, sizeof(mark.type));
		mark.generation = generation;
		found |= !bpf_map_update_elem(marks, &key, &mark, BPF_EXIST);
	}
	return found;
}

/*
 * Places in the map of marks that are kept for this try, by keys that are not addresses.
 * The guard can therefore be tried while the map is full.
 */
#define KEPT_PLACES 8

static void keep_places(int marks)
{
	static const struct guard_mark nothing;

	for (__u64 key = 1; key <= KEPT_PLACES; key++)
		bpf_map_update_elem(marks, &key, &nothing, BPF_NOEXIST);
}

static void give_place(int marks)
{
	for (__u64 key = 1; key <= KEPT_PLACES; key++)
		if (!bpf_map_delete_elem(marks, &key))
			return;
}

static enum selftest_result try_mount(struct selftest *test, int fs, int marks,
				      const struct selftest_of *of)
{
	enum selftest_result result;
	int dir = -1, error = 0;

	if (!syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		dir = (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC, 0);
	if (dir < 0)
		return saw(test, SELFTEST_IMPOSSIBLE,
			   "a tmpfs cannot be mounted: %s", strerror(errno));
	if (of->without_option)
		error = superblock_set(dir, (enum guard_mode)mode_parse(of->mode), GUARD_FROM_SET,
				       of->maps);
	if (error)
		result = saw(test, SELFTEST_IMPOSSIBLE, "its mode cannot be set: %s",
			     strerror(-error));
	else if (set_generation(marks, dir, of->generation))
		result = try_names(test, dir);
	else
		result = saw(test, SELFTEST_FAILED, "a mount has no mark");
	close(dir);
	return result;
}

/*
 * Give utf8val=@mode to this fs_context. Returns: is the option taken? If not,
 * errno says why.
 */
static bool set_option(int fs, const char *mode)
{
	return !syscall(SYS_fsconfig, fs, FSCONFIG_SET_STRING, "utf8val", mode,
			0);
}

bool option_is_taken(void)
{
	int fs = (int)syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC);
	bool taken = fs >= 0 && set_option(fs, "off");

	if (fs >= 0)
		close(fs);
	return taken;
}

struct selftest selftest(const struct selftest_of *of)
{
	int marks = of->maps ? of->maps[MAP_MARKS] : pins_map(MAP_MARKS);
	struct selftest test = { .result = SELFTEST_PASSED };
	int fs;

	if (marks < 0) {
		test.result = errno == EPROTO ?
			saw(&test, SELFTEST_OTHER_VERSION, OTHER_VERSION) :
			saw(&test, SELFTEST_IMPOSSIBLE,
				  "the modes of file systems cannot be read: %s",
				  strerror(errno));
		return test;
	}
	give_place(marks);
	fs = (int)syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC);
	if (fs < 0)
		test.result = saw(&test, SELFTEST_IMPOSSIBLE, "fsopen: %s",
				  strerror(errno));
	else if (of->without_option || set_option(fs, of->mode))
		test.result = try_mount(&test, fs, marks, of);
	else
		/*
		 * EINVAL is the kernel's own answer to an option that nobody
		 * takes
		 */
		test.result = saw(&test, errno == EINVAL ? SELFTEST_NOT_CALLED :
							   SELFTEST_IMPOSSIBLE,
				  "utf8val= is not taken: %s", strerror(errno));
	if (fs >= 0)
		close(fs);
	/* the mount, and its mark, are gone by now */
	keep_places(marks);
	if (!of->maps)
		close(marks);
	return test;
}
