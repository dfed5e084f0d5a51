/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * File system calls, and readers of mountinfo and the log, for programs in the virtual
 * machine: vm/tests, vm/demo.c and vm/bench/cost.c include this. A function that returns int
 * returns 0 or a negative errno, as the kernel does.
 */
#ifndef UTF8VAL_VM_FS_H
#define UTF8VAL_VM_FS_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <linux/mount.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bpf/shared/mountinfo.h"
#include "guard.h"

/* a bad name, where it does not matter which */
#define BAD "bad \xFF\xFE"

/* syslog(2)'s actions, which no header for programs has */
enum {
	SYSLOG_ACTION_READ_ALL = 3,
	SYSLOG_ACTION_CLEAR = 5,
};

static inline int err(long result)
{
	return result < 0 ? -errno : 0;
}

/* A text made of a format, which stands until the eighth call from now. */
__attribute__((format(printf, 1, 2)))
static inline char *text_of(const char *format, ...)
{
	static char texts[8][PATH_MAX];
	static unsigned int last;
	char *text = texts[++last % 8];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(texts[0]), format, list);
	va_end(list);
	return text;
}

typedef int (*mount_fn)(const char *type, const char *device,
			const char *where, const char *options);

static inline int do_mount(const char *type, const char *device,
			   const char *where, const char *options)
{
	mkdir(where, 0755);
	return err(mount(device, where, type, 0, options));
}

static inline int mount_tmpfs(const char *where, const char *options)
{
	return do_mount("tmpfs", "none", where, options);
}

static inline int do_remount(const char *where, const char *options)
{
	return err(mount(NULL, where, NULL, MS_REMOUNT, options));
}

static inline int do_create(const char *path)
{
	int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);

	return fd < 0 ? -errno : err(close(fd));
}

static inline int do_mkdir(const char *path)
{
	return err(mkdir(path, 0755));
}

static inline int do_unlink(const char *path)
{
	return err(unlink(path));
}

static inline int do_remove(const char *path)
{
	return err(remove(path));
}

/*
 * Let a child, as this user, call what(path). Returns: its result, 0 or a negative errno.
 */
static inline int by_child(uid_t user, int (*what)(const char *path), const char *path)
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child)
		_exit(user && setuid(user) ? 127 : -what(path));
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

/*
 * Remove the names that a format makes of some numbers, or create them. Returns: how
 * often that succeeded.
 */
static inline int do_many(int (*how)(const char *), const char *form, int first,
			  int count)
{
	int done = 0;

	for (int i = first; i < first + count; i++)
		done += !how(text_of(form, i));
	return done;
}

/* Let another process create a file. */
static inline int another_creates(const char *path)
{
	return by_child(0, do_create, path);
}

static inline int do_rename2(const char *from, const char *to, unsigned int flags)
{
	return err(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags));
}

/*
 * Change to a directory. If that fails, end the test, as everything after it
 * would happen elsewhere.
 */
static inline void go(const char *path)
{
	if (!chdir(path))
		return;
	printf("Bail out! chdir: %s\n", strerror(errno));
	exit(1);
}

/* Does this path exist? If its last component is a symbolic link, that link counts. */
static inline bool there(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

static inline int fs_open(const char *type)
{
	return (int)syscall(SYS_fsopen, type, FSOPEN_CLOEXEC);
}

static inline int fs_set(int fd, const char *key, const char *value)
{
	return err(syscall(SYS_fsconfig, fd,
			   value ? FSCONFIG_SET_STRING : FSCONFIG_SET_FLAG, key,
			   value, 0));
}

static inline int fs_command(int fd, unsigned int command)
{
	return err(syscall(SYS_fsconfig, fd, command, NULL, NULL, 0));
}

static inline int fs_attach(int fd, const char *where)
{
	int mnt = (int)syscall(SYS_fsmount, fd, FSMOUNT_CLOEXEC, 0);
	int result;

	mkdir(where, 0755);
	if (mnt < 0)
		return -errno;
	result = err(syscall(SYS_move_mount, mnt, "", AT_FDCWD, where,
			     MOVE_MOUNT_F_EMPTY_PATH));
	close(mnt);
	return result;
}

/* Mount as do_mount() does, but by fsopen(), fsconfig(), fsmount(), move_mount(). */
static inline int do_fsmount(const char *type, const char *device,
			     const char *where, const char *options)
{
	char copy[512], *rest = copy, *option;
	int fd = fs_open(type);
	int result;

	if (fd < 0)
		return -errno;
	result = fs_set(fd, "source", device);
	snprintf(copy, sizeof(copy), "%s", options);
	while (!result && (option = strsep(&rest, ","))) {
		char *value = strchr(option, '=');

		if (value)
			*value++ = '\0';
		if (*option)
			result = fs_set(fd, option, value);
	}
	if (!result)
		result = fs_command(fd, FSCONFIG_CMD_CREATE);
	if (!result)
		result = fs_attach(fd, where);
	close(fd);
	return result;
}

/* Does the fs_context's own log hold this text? */
static inline bool fs_logged(int fd, const char *text)
{
	char line[256];
	ssize_t len;

	while ((len = read(fd, line, sizeof(line) - 1)) > 0) {
		line[len] = '\0';
		if (strstr(line, text))
			return true;
	}
	return false;
}

/*
 * The device of what is mounted on a mount point, and its options as mountinfo has them;
 * of several mounts, of the last one. Returns: is there a mount?
 */
static inline bool mount_on(const char *where, unsigned int *device, char *options, size_t size)
{
	FILE *file = fopen("/proc/self/mountinfo", "r");
	struct mountinfo mount;
	bool found = false;
	char line[1024];

	while (file && fgets(line, sizeof(line), file)) {
		if (!mountinfo_parse(line, &mount) || strcmp(mount.point, where) != 0)
			continue;
		found = true;
		*device = mount.dev;
		snprintf(options, size, "%s", mount.options);
	}
	if (file)
		fclose(file);
	return found;
}

/*
 * Does mountinfo show this text among the options of this mount point? A guard's modes are
 * not in mountinfo, but in what its status says.
 */
static inline bool shown(const char *where, const char *text)
{
	unsigned int device;
	char options[512];

	if (!mount_on(where, &device, options, sizeof(options)))
		return false;
	return strstr(guarded() ? guard_option(device >> 20, device & 0xfffff) : options, text);
}

/* Does the kernel's log hold this text, or the guard's log if a guard is tested? */
static inline bool logged(const char *text)
{
	static char log[1 << 20];
	int len;

	if (guarded())
		return strstr(guard_log(), text);
	len = klogctl(SYSLOG_ACTION_READ_ALL, log, sizeof(log) - 1);
	log[len > 0 ? len : 0] = '\0';
	return strstr(log, text);
}

/* Clear the log. */
static inline void log_clear(void)
{
	if (guarded())
		*(char *)guard_log() = '\0';
	klogctl(SYSLOG_ACTION_CLEAR, NULL, 0);
}

/*
 * Let another process remove a file or a directory: what this process removes
 * itself may come back (rule 40).
 */
static inline void another_removes(const char *path)
{
	by_child(0, do_remove, path);
}

/*
 * Create a file and have it removed again, so that the same event can occur once more.
 */
static inline int make_again(const char *path)
{
	int result = do_create(path);

	another_removes(path);
	return result;
}

/* Replace a file by a new one of the same name. */
static inline int create_again(const char *path)
{
	unlink(path);
	return do_create(path);
}

/*
 * Repeat an action until the action's line is in the log. The rate limit may drop the
 * line for some seconds. An audit record arrives with a delay.
 */
static inline bool until_logged(const char *text, int (*again)(const char *),
				const char *path)
{
	time_t end = time(NULL) + 300;

	while (time(NULL) < end) {
		again(path);
		if (logged(text))
			return true;
		usleep(50000);
	}
	return false;
}

/*
 * The guard's counts so far, summed over all operations; the built-in option counts
 * nothing.
 */
struct counts {
	unsigned long checked, bad, denied;
};

static inline struct counts read_counts(void)
{
	struct counts sum = { 0, 0, 0 }, one;
	FILE *file = guarded() ? fmemopen((char *)guard_status(), 1 << 16, "r") : NULL;
	char line[128];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*s %lu %lu %lu", &one.checked, &one.bad,
			   &one.denied) != 3)
			continue;
		sum.checked += one.checked;
		sum.bad += one.bad;
		sum.denied += one.denied;
	}
	if (file)
		fclose(file);
	return sum;
}

/* Read a small file of proc, sysfs or the like; "" if there is no such file. */
static inline const char *contents(const char *path)
{
	static char text[1 << 16];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t got;

	while (fd >= 0 && len < sizeof(text) - 1 &&
	       (got = read(fd, text + len, sizeof(text) - 1 - len)) > 0)
		len += (size_t)got;
	if (fd >= 0)
		close(fd);
	text[len] = '\0';
	return text;
}

/* Is this type of file systems on a disk? The layers of an overlay are not here. */
static inline bool on_disk(const char *type)
{
	return strcmp(type, "tmpfs") && strcmp(type, "upper") && strcmp(type, "overlay");
}

/* Write a string to a control file. */
static inline int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int result = fd < 0 ? -errno : err(write(fd, text, strlen(text)));

	if (fd >= 0)
		close(fd);
	return result;
}

static inline int load_module(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int result = fd < 0 ? -errno : err(syscall(SYS_finit_module, fd, "", 0));

	close(fd);
	return result;
}

/*
 * Call test(type, its device) for each of these types of file systems; NULL ends the
 * list. /dev/vda and on are the disks of the types that need a disk.
 */
static inline void on_each(char **types, void (*test)(const char *type, const char *device))
{
	char device[] = "/dev/vda";

	for (; *types; types++) {
		test(*types, device);
		device[7] = (char)(device[7] + on_disk(*types));
	}
}

/* Take a copy of all mounts, which no other process sees. Returns: has it worked? */
static inline bool own_mounts(void)
{
	return !unshare(CLONE_NEWNS) && !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

/*
 * Mount a tmpfs that only a child can see, which then waits for create_apart(). Returns:
 * the child, or -1.
 */
static inline pid_t mount_apart(const char *where, const char *options)
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		if (!own_mounts() || mount_tmpfs(where, options))
			_exit(127);
		raise(SIGSTOP);
		_exit(-do_create(text_of("%s/" BAD, where)));
	}
	waitpid(child, &status, WUNTRACED);
	return WIFSTOPPED(status) ? child : -1;
}

/* Let this child create a bad name where it has mounted a tmpfs. Returns: its result. */
static inline int create_apart(pid_t child)
{
	int status = 0;

	if (child < 0)
		return -ECHILD;
	kill(child, SIGCONT);
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

/* Become root of a new user namespace with mounts of its own. Returns: has it worked? */
static inline bool enter_namespace(void)
{
	return !unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWCGROUP) &&
	       !put("/proc/self/setgroups", "deny") &&
	       !put("/proc/self/uid_map", "0 0 1") && !put("/proc/self/gid_map", "0 0 1");
}

/* How many names does this directory have that do not begin with a full stop? */
static inline unsigned int entries(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	unsigned int count = 0;

	while (dir && (entry = readdir(dir)))
		count += entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return count;
}

/* Does this directory list exactly this name? */
static inline bool listed(const char *where, const char *name)
{
	DIR *dir = opendir(where);
	struct dirent *entry;
	bool found = false;

	while (dir && (entry = readdir(dir)))
		found |= !strcmp(entry->d_name, name);
	if (dir)
		closedir(dir);
	return found;
}

#endif /* UTF8VAL_VM_FS_H */
