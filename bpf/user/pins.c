// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The pins: files in bpffs that keep programs and maps loaded when no process does. Each
 * generation of programs has its own directory; all generations share the maps. start.c makes
 * the pins, stop.c removes them, and the other subcommands open maps through them.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/output.h"
#include "guard_command.h"
#include "pins.h"

const struct map_name map_names[MAPS] = {
	[MAP_MARKS] = { "marks", "marks", 8, sizeof(struct guard_mark),
			GUARD_MARKS },
	[MAP_FILTER] = { "filter", ".data.filter", 4, 4 * GUARD_SLOTS, 1 },
	[MAP_PENDING] = { "mounting", ".data.pending", 4,
			  sizeof(struct guard_mounting), 1 },
	[MAP_COUNTS] = { "counts", "counts", 4, sizeof(struct guard_counts),
			 GUARD_OPS },
	[MAP_LIMITS] = { "limits", "limits", 4, sizeof(struct guard_limit), GUARD_LIMITS },
	[MAP_EVENTS] = { "told", "events", 0, 0, GUARD_RING },
	[MAP_ADMIN] = { "told_admin", "admin", 0, 0, GUARD_ADMIN_RING },
	[MAP_RINGS] = { "rings", "rings", 4, sizeof(struct guard_ring), 0 },
	[MAP_SERVED] = { "served", ".data.served", 4, sizeof(struct guard_served), 1 },
	[MAP_SECRET] = { "secret", ".data.secret", 4, 16, 1 },
	[MAP_POLICY] = { "policy", "policy", sizeof(struct guard_what), 4, GUARD_LINES },
};

static bool is_bpffs(void)
{
	struct statfs fs;

	return !statfs(BPFFS, &fs) && fs.f_type == BPF_FS_MAGIC;
}

/*
 * Is this directory root's own? Where bpffs lets every user make directories,
 * somebody else may have made it.
 */
static bool is_ours(const struct stat *st)
{
	return S_ISDIR(st->st_mode) && !st->st_uid && !(st->st_mode & 022);
}

bool pins_are_there(void)
{
	struct stat st;

	return is_bpffs() && !lstat(PINS, &st) && is_ours(&st);
}

static bool make_dir(void)
{
	if (!is_bpffs() && mount("bpf", BPFFS, "bpf", 0, "mode=0700")) {
		complain("%s is not a bpf file system, and mounting one failed: "
			 "%s. Run: mount -t bpf bpffs %s", BPFFS,
			 strerror(errno), BPFFS);
		return false;
	}
	if (!mkdir(PINS, 0700) || errno == EEXIST)
		return true;
	complain("%s: %s", PINS, strerror(errno));
	return false;
}

/*
 * Open the directory to lock it. bpffs itself is not locked, as it may be open
 * to users, who could hold its lock.
 */
static int open_dir(void)
{
	int fd = open(PINS, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) || !is_ours(&st))) {
		close(fd);
		errno = EPERM;
		return -1;
	}
	return fd;
}

/*
 * Is the open directory still the one at this path? The lock's last owner may
 * have removed it.
 */
static bool is_still_there(int fd, const char *path)
{
	struct stat opened, st;

	return !fstat(fd, &opened) && !lstat(path, &st) &&
	       st.st_dev == opened.st_dev && st.st_ino == opened.st_ino;
}

int pins_lock(bool make)
{
	/* the lock is held until the process ends; a second one would wait for the first */
	static int held = -1;

	if (held >= 0 && is_still_there(held, PINS))
		return 1;
	for (;;) {
		int fd;

		if (make && !make_dir())
			return -1;
		fd = is_bpffs() ? open_dir() : -1;
		if (fd < 0 && (errno == ENOENT || !is_bpffs())) {
			if (make)
				continue;
			return 0;
		}
		if (fd < 0) {
			complain("%s is not root's alone: another user made it, or may "
				 "write to it. Run: rm -r %s", PINS, PINS);
			return -1;
		}
		if (flock(fd, LOCK_EX)) {
			complain("%s: %s", PINS, strerror(errno));
			return -1;
		}
		if (is_still_there(fd, PINS)) {
			held = fd;
			return 1;
		}
		close(fd);
	}
}

int pins_map(enum map map)
{
	const struct map_name *name = &map_names[map];
	struct bpf_map_info info = { 0 };
	__u32 size = sizeof(info);
	char path[128];
	int fd;

	/* the kernel copies as much as the map says, so it must be root's */
	if (!pins_are_there()) {
		errno = ENOENT;
		return -1;
	}
	snprintf(path, sizeof(path), PINS "/%s", name->pin);
	fd = bpf_obj_get(path);
	if (fd < 0 || (!bpf_obj_get_info_by_fd(fd, &info, &size) &&
		       info.key_size == name->key_size &&
		       info.value_size == name->value_size &&
		       info.max_entries == name->entries))
		return fd;
	close(fd);
	errno = EPROTO;
	return -1;
}

/* a directory to lock, as a map cannot be locked */
#define READER PINS "/reader"

int pins_lock_events(void)
{
	int fd;

	if (!pins_are_there() || !pins_count(map_names[MAP_EVENTS].pin)) {
		errno = ENOENT;
		return -1;
	}
	if (mkdir(READER, 0700) && errno != EEXIST)
		return -1;
	fd = open(READER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		close(fd);
		errno = EWOULDBLOCK;
		return -1;
	}
	if (is_still_there(fd, READER))
		return fd;
	close(fd);
	errno = ENOENT;
	return -1;
}

glob_t pins_match(const char *pattern)
{
	char path[256];
	glob_t found;
	int error;

	snprintf(path, sizeof(path), PINS "/%s", pattern);
	error = glob(path, 0, NULL, &found);
	if (error == GLOB_NOSPACE)
		must(NULL);
	return error ? (glob_t){ 0 } : found;
}

bool pins_share_maps(struct bpf_object *object, const int *maps, bool first)
{
	for (int i = 0; i < MAPS; i++) {
		struct bpf_map *map = bpf_object__find_map_by_name(
			object, map_names[i].object);
		int fd = maps ? maps[i] : pins_map((enum map)i);
		int error = fd < 0 ? errno : 0;

		if (first && error == ENOENT)
			continue;
		if (!error)
			error = -bpf_map__reuse_fd(map, fd);
		if (fd >= 0 && !maps)
			close(fd);
		if (error == EPROTO)
			complain(OTHER_VERSION);
		else if (error)
			complain("%s/%s: %s. Run: utf8val-guard stop --forget && utf8val-guard "
				 "start", PINS, map_names[i].pin, strerror(error));
		if (error)
			return false;
	}
	return true;
}

bool pins_add_maps(struct bpf_object *object)
{
	for (int i = 0; i < MAPS; i++) {
		struct bpf_map *map = bpf_object__find_map_by_name(
			object, map_names[i].object);
		char path[128];

		if (pins_count(map_names[i].pin))
			continue;
		snprintf(path, sizeof(path), PINS "/%s", map_names[i].pin);
		if (bpf_obj_pin(bpf_map__fd(map), path)) {
			complain("%s: %s", path, strerror(errno));
			return false;
		}
	}
	return true;
}

size_t pins_count(const char *pattern)
{
	glob_t found = pins_match(pattern);
	size_t count = found.gl_pathc;

	globfree(&found);
	return count;
}

/* A start that was interrupted when all programs were pinned counts as well. */
bool pins_complete(__u64 *generation)
{
	glob_t dirs = pins_match(PROGRAM_DIRS);
	bool complete = false;

	for (size_t i = 0; i < dirs.gl_pathc && !complete && pins_are_there(); i++) {
		unsigned long long number;
		char pattern[128];
		size_t needed;

		if (sscanf(dirs.gl_pathv[i], PINS "/%*[^-]-%llx-%zu", &number,
			   &needed) != 2)
			continue;
		snprintf(pattern, sizeof(pattern), "%s/*",
			 dirs.gl_pathv[i] + strlen(PINS "/"));
		complete = pins_count(pattern) >= needed;
		if (complete && generation)
			*generation = number;
	}
	globfree(&dirs);
	return complete;
}

bool pins_hold(const char *program)
{
	char pattern[128];

	snprintf(pattern, sizeof(pattern), "*/%s", program);
	return pins_count(pattern);
}

static const char *const forgetting[] = { "guard_sb_alloc", "guard_sb_delete", PROGRAM_FORGETS };
static const enum map rest_maps[] = { MAP_MARKS, MAP_FILTER, MAP_PENDING, MAP_POLICY };

#define FORGETTING (sizeof(forgetting) / sizeof(forgetting[0]))
#define REST_MAPS (sizeof(rest_maps) / sizeof(rest_maps[0]))

bool pins_rest(void)
{
	return pins_are_there() && pins_count(RESTING) && !pins_count(PROGRAM_DIRS);
}

bool pins_rest_on(const char *path)
{
	const char *program = strrchr(path, '/') + 1;
	char rest[128];

	snprintf(rest, sizeof(rest), PINS "/" RESTING "/%s", program);
	return strcmp(rest, path) != 0 && !access(rest, F_OK);
}

/* Pin a program once more. Returns: 0, or -1 with errno set. */
static int pin_again(const char *program)
{
	glob_t found;
	char path[128];
	int fd, result;

	snprintf(path, sizeof(path), PROGRAM_DIRS "/%s", program);
	found = pins_match(path);
	errno = ENOENT;
	fd = found.gl_pathc ? bpf_obj_get(found.gl_pathv[0]) : -1;
	globfree(&found);
	if (fd < 0)
		return -1;
	snprintf(path, sizeof(path), PINS "/" RESTING "/%s", program);
	result = bpf_obj_pin(fd, path);
	close(fd);
	return result && errno != EEXIST ? -1 : 0;
}

bool pins_begin_rest(void)
{
	const char *what = RESTING;
	int error = mkdir(PINS "/" RESTING, 0700) && errno != EEXIST ? errno : 0;

	for (size_t i = 0; i < REST_MAPS && !error; i++) {
		int fd = pins_map(rest_maps[i]);

		what = map_names[rest_maps[i]].pin;
		error = fd < 0 ? errno : 0;
		if (fd >= 0)
			close(fd);
	}
	for (size_t i = 0; i < FORGETTING && !error; i++) {
		what = forgetting[i];
		error = pin_again(what) ? errno : 0;
	}
	if (!error)
		return true;
	complain("%s/%s: %s", PINS, what, error == EPROTO ? "of another version" :
							     strerror(error));
	pins_remove_dirs(RESTING);
	return false;
}

/* Remove what matches. Returns: false after a complaint. */
static bool remove_pins(const char *pattern, int (*how)(const char *path))
{
	glob_t found = pins_match(pattern);
	bool good = true;

	for (size_t i = 0; i < found.gl_pathc; i++) {
		if (!how(found.gl_pathv[i]) || errno == EISDIR || errno == ENOENT)
			continue;
		complain("%s: %s", found.gl_pathv[i], strerror(errno));
		good = false;
	}
	globfree(&found);
	return good;
}

bool pins_remove_dirs(const char *names)
{
	char pattern[128];

	snprintf(pattern, sizeof(pattern), "%s/" PROGRAM_OPTION, names);
	remove_pins(pattern, unlink);
	snprintf(pattern, sizeof(pattern), "%s/*", names);
	remove_pins(pattern, unlink);
	return remove_pins(names, rmdir);
}

void pins_remove_others(const char *but)
{
	glob_t dirs = pins_match(PROGRAM_DIRS);

	for (size_t i = 0; i < dirs.gl_pathc; i++) {
		const char *name = dirs.gl_pathv[i] + strlen(PINS "/");

		if (strcmp(name, but) != 0)
			pins_remove_dirs(name);
	}
	globfree(&dirs);
}

static int remove_unless_needed(const char *path)
{
	for (size_t i = 0; i < REST_MAPS; i++)
		if (!strcmp(path + strlen(PINS "/"), map_names[rest_maps[i]].pin))
			return 0;
	return unlink(path);
}

/* These are all pins that are no directories, as an older guard may have had others. */
bool pins_remove_maps(bool rest)
{
	return remove_pins("*", rest ? remove_unless_needed : unlink);
}

void pins_check_mounts(void)
{
	if (!pins_hold(PROGRAM_ENDS) || !pins_hold(PROGRAM_ENDS_TOO))
		remove_pins(map_names[MAP_PENDING].pin, unlink);
}

bool pins_refuse_option(void)
{
	return remove_pins(PROGRAM_DIRS "/" PROGRAM_OPTION, unlink);
}

bool pins_remove_root(void)
{
	rmdir(READER);
	if (!rmdir(PINS) || errno == ENOENT)
		return true;
	complain("%s: %s", PINS, strerror(errno));
	return false;
}
