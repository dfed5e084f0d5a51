// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A library to be preloaded by race.py. Before system calls that find or change names,
 * it exchanges two names. Another user who can write to the tree could do so at that
 * moment.
 *
 *	RACE_PAIRS	paths, each two of them a pair, each ended by a newline;
 *			@ in them is the process's number
 *	RACE_AT		the n-th call; then once, the pair RACE_PAIR (from 0);
 *			0: at every call or not, any pair, as RACE_SEED says
 *	RACE_ARMED	0: not before a file is made that must not exist: the
 *			journal, when all names have been found
 *	RACE_DONE	this file is made when that call is reached, and gets a byte for
 *			each exchange
 *
 * Or it is a file system that cannot do everything:
 *
 *	RACE_PLAIN	rename without replacing, or exchange: EINVAL
 *	RACE_FUSE	inode numbers say nothing, and no birth is known: FUSE's
 *	RACE_LAYERS	rename a directory: EXDEV, as overlayfs without
 *			redirect_dir says of one in a lower layer
 *	RACE_FOLD	a name is found whatever its case: vfat, casefold
 *	RACE_COPIED	each rename makes births later: overlayfs's, which copies what
 *			is changed
 *	RACE_SHORT	names have 143 bytes at most: eCryptfs
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#define MAX_PATHS 64

static char *paths[MAX_PATHS];
static unsigned long pairs, at, pair, calls;
static unsigned int seed;
static atomic_bool armed;

static char *expand(char *path)
{
	char *at = strchr(path, '@'), *whole;

	if (!at)
		return path;
	if (asprintf(&whole, "%.*s%d%s", (int)(at - path), path, getpid(), at + 1) < 0)
		abort();
	return whole;
}

__attribute__((constructor)) static void begin(void)
{
	char *text = getenv("RACE_PAIRS"), *rest;
	unsigned long count = 0;

	if (!text)
		return;
	for (char *path = strtok_r(strdup(text), "\n", &rest);
	     path && count < MAX_PATHS; path = strtok_r(NULL, "\n", &rest))
		paths[count++] = expand(path);
	pairs = count / 2;
	at = strtoul(getenv("RACE_AT"), NULL, 10);
	pair = strtoul(getenv("RACE_PAIR"), NULL, 10);
	seed = (unsigned int)strtoul(getenv("RACE_SEED"), NULL, 10) | 1;
	armed = strcmp(getenv("RACE_ARMED"), "0") != 0;
}

/* Marsaglia's xorshift. */
static unsigned int draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed;
}

static void interfere(void)
{
	static atomic_flag busy = ATOMIC_FLAG_INIT;
	int error = errno;
	long fd, done;

	if (!pairs || !armed)
		return;
	while (atomic_flag_test_and_set(&busy))
		;
	if (at ? ++calls == at : draw() % 2) {
		if (!at)
			pair = draw() % pairs;
		done = syscall(SYS_renameat2, AT_FDCWD, paths[2 * pair], AT_FDCWD,
			       paths[2 * pair + 1], 2 /* RENAME_EXCHANGE */);
		fd = syscall(SYS_openat, AT_FDCWD, getenv("RACE_DONE"),
			     O_CREAT | O_WRONLY | O_APPEND, 0600);
		syscall(SYS_write, fd, "", !done);
		syscall(SYS_close, fd);
	}
	atomic_flag_clear(&busy);
	errno = error;
}

/* The function of this name in the next library, looked up after the exchange. */
static void *after_exchange(const char *name)
{
	interfere();
	return dlsym(RTLD_NEXT, name);
}

#define NEXT(name) ((__typeof__(name) *)after_exchange(#name))

static void arm(int flags)
{
	if (flags & O_EXCL)
		armed = true;
}

/* Every other function is as it was, except for the exchange before it. */
#define PASS_ON(type, name, parameters, ...)                \
	type name parameters                                \
	{                                                   \
		__typeof__(name) *next = NEXT(name);        \
							    \
		return next(__VA_ARGS__);                   \
	}

#define PASS_ON_OPEN(name, parameters, ...)                 \
	int name parameters                                 \
	{                                                   \
		__typeof__(name) *next = NEXT(name);        \
		mode_t mode;                                \
		va_list list;                               \
							    \
		arm(flags);                                 \
		va_start(list, flags);                      \
		mode = flags & O_CREAT ? va_arg(list, mode_t) : 0; \
		va_end(list);                               \
		return next(__VA_ARGS__, flags, mode);      \
	}

PASS_ON_OPEN(open, (const char *path, int flags, ...), path)
PASS_ON_OPEN(open64, (const char *path, int flags, ...), path)
PASS_ON_OPEN(openat, (int dir, const char *path, int flags, ...), dir, path)
PASS_ON_OPEN(openat64, (int dir, const char *path, int flags, ...), dir, path)

/* A directory's file of a name: that name or, with RACE_FOLD, one like it. */
static const char *stored(int dir, const char *name)
{
	static _Thread_local char like[2][NAME_MAX + 1];
	static _Thread_local unsigned int turn;
	const struct dirent *entry;
	DIR *stream = NULL;
	int fd;

	if (!getenv("RACE_FOLD") || !*name || strchr(name, '/'))
		return name;
	fd = syscall(SYS_openat, dir, ".", O_RDONLY | O_DIRECTORY);
	stream = fd < 0 ? NULL : fdopendir(fd);
	while (stream && (entry = readdir(stream))) {
		if (strcasecmp(entry->d_name, name) != 0)
			continue;
		turn ^= 1;
		name = memcpy(like[turn], entry->d_name, strlen(entry->d_name) + 1);
		break;
	}
	if (stream)
		closedir(stream);
	return name;
}

static bool is_too_long(const char *name)
{
	if (!getenv("RACE_SHORT") || strchr(name, '/') || strlen(name) <= 143)
		return false;
	errno = ENAMETOOLONG;
	return true;
}

static atomic_uint renames;

int statx(int dir, const char *restrict path, int flags, unsigned int mask,
	  struct statx *restrict st)
{
	__typeof__(statx) *next = NEXT(statx);

	int result;

	if (getenv("RACE_FUSE"))
		mask &= ~(unsigned int)STATX_BTIME;
	result = next(dir, stored(dir, path), flags, mask, st);
	if (!result && getenv("RACE_COPIED"))
		st->stx_btime.tv_sec += renames;
	return result;
}

int fstatat64(int dir, const char *restrict path, struct stat64 *restrict st, int flags)
{
	__typeof__(fstatat64) *next = NEXT(fstatat64);
	return is_too_long(path) ? -1 : next(dir, stored(dir, path), st, flags);
}

#define FUSE_MAGIC 0x65735546
#define OVERLAYFS_MAGIC 0x794c7630

#define PASS_ON_STATFS(name, type)                          \
	int name(int fd, struct type *fs)                   \
	{                                                   \
		__typeof__(name) *next = NEXT(name);        \
		int result = next(fd, fs);                  \
							    \
		if (!result && getenv("RACE_FUSE"))         \
			fs->f_type = FUSE_MAGIC;            \
		if (!result && getenv("RACE_COPIED"))       \
			fs->f_type = OVERLAYFS_MAGIC;       \
		if (!result && getenv("RACE_SHORT"))        \
			fs->f_namelen = 143;                \
		return result;                              \
	}

PASS_ON_STATFS(fstatfs, statfs)
PASS_ON_STATFS(fstatfs64, statfs64)

/* Is such a file system unable to carry out this rename? Then errno is set. */
static bool refuses(int dir, const char *name, unsigned int flags)
{
	struct stat st;

	if (getenv("RACE_PLAIN") && flags) {
		errno = EINVAL;
		return true;
	}
	if (getenv("RACE_LAYERS") && !fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) &&
	    S_ISDIR(st.st_mode)) {
		errno = EXDEV;
		return true;
	}
	return false;
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to,
	      unsigned int flags)
{
	__typeof__(renameat2) *next = NEXT(renameat2);

	if (refuses(from_dir, from, flags) || is_too_long(to))
		return -1;
	renames++;
	return next(from_dir, stored(from_dir, from), to_dir, stored(to_dir, to), flags);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	__typeof__(renameat) *next = NEXT(renameat);

	if (refuses(from_dir, from, 0))
		return -1;
	return next(from_dir, from, to_dir, to);
}

PASS_ON(int, linkat, (int from_dir, const char *from, int to_dir, const char *to,
		      int flags), from_dir, from, to_dir, to, flags)
PASS_ON(int, unlinkat, (int dir, const char *path, int flags), dir, path, flags)
PASS_ON(int, symlinkat, (const char *target, int dir, const char *path), target, dir,
	path)
PASS_ON(int, mkdirat, (int dir, const char *path, mode_t mode), dir, path, mode)
PASS_ON(ssize_t, readlinkat, (int dir, const char *restrict path, char *restrict to,
			      size_t size), dir, path, to, size)
PASS_ON(int, utimensat, (int dir, const char *path, const struct timespec times[2],
			 int flags), dir, path, times, flags)
PASS_ON(int, fchownat, (int dir, const char *path, uid_t user, gid_t group, int flags),
	dir, path, user, group, flags)
PASS_ON(ssize_t, getdents64, (int fd, void *to, size_t size), fd, to, size)
