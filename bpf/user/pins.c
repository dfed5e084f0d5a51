// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The pins: files in bpffs that keep programs and maps loaded when no process
 * does. Each generation of programs has a directory of its own; all generations
 * share the maps.
 */
#include <dirent.h>
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

#include "guard_command.h"
#include "pins.h"

const struct map_name map_names[MAPS] = {
	[MAP_MARKS] = { "marks", "marks", 8, sizeof(struct guard_mark) },
	[MAP_FILTER] = { "filter", ".data.filter", 4, 4 * GUARD_SLOTS },
	[MAP_PENDING] = { "contexts", ".data.pending", 4,
			  sizeof(struct guard_mounting) },
	[MAP_COUNTS] = { "counts", "counts", 4, sizeof(struct guard_counts) },
	[MAP_LIMIT] = { "limit", "limit", 4, sizeof(struct guard_limit) },
	[MAP_EVENTS] = { "events", "events", 0, 0 },
	[MAP_ADMIN] = { "admin", "admin", 0, 0 },
	[MAP_REMOVED] = { "removed", "removed", 4,
			  sizeof(struct guard_removals) },
	[MAP_SECRET] = { "secret", ".data.secret", 4, 16 },
};

static bool is_bpffs(void)
{
	struct statfs fs;

	return !statfs(BPFFS, &fs) && fs.f_type == BPF_FS_MAGIC;
}

/*
 * Is this directory root's own? Where bpffs lets everybody make directories,
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
		complain("%s is no bpf file system and cannot be made one: "
			 "%s; as root, mount -t bpf bpffs %s", BPFFS,
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
			complain("%s is not root's alone; see who has made it, "
				 "and remove it", PINS);
			return -1;
		}
		if (flock(fd, LOCK_EX)) {
			complain("%s: %s", PINS, strerror(errno));
			return -1;
		}
		/* the lock is held until the process ends */
		if (is_still_there(fd, PINS))
			return 1;
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
		       info.value_size == name->value_size))
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

	if (!pins_are_there() || !pins_have(map_names[MAP_EVENTS].pin)) {
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

static bool starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* Returns: how many entries a directory has. With @remove, they are removed. */
static unsigned int entries(const char *path, bool remove)
{
	unsigned int count = 0;
	struct dirent *entry;
	DIR *dir = opendir(path);

	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		count++;
		if (remove && unlinkat(dirfd(dir), entry->d_name, 0))
			complain("%s/%s: %s", path, entry->d_name,
				 strerror(errno));
	}
	if (dir)
		closedir(dir);
	return count;
}

size_t pins_dirs(struct pins_dir *dirs, size_t max)
{
	size_t count = 0;
	struct dirent *entry;
	DIR *dir = opendir(PINS);

	while (dir && (entry = readdir(dir))) {
		if (!starts_with(entry->d_name, DIR_LOADED) &&
		    !starts_with(entry->d_name, DIR_LOADING))
			continue;
		if (count < max) {
			char path[512];

			snprintf(dirs[count].name, sizeof(dirs[count].name),
				 "%.63s", entry->d_name);
			snprintf(path, sizeof(path), PINS "/%s",
				 dirs[count].name);
			dirs[count].count = entries(path, false);
		}
		count++;
	}
	if (dir)
		closedir(dir);
	return count;
}

bool pins_have(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), PINS "/%s", name);
	return !access(path, F_OK);
}

static bool is_complete(const struct pins_dir *dir)
{
	const char *needed = strrchr(dir->name, '-');
	unsigned int count;

	return needed && sscanf(needed, "-%u", &count) == 1 &&
	       dir->count >= count;
}

/* A start that was interrupted when all programs were pinned counts as well. */
bool pins_complete(__u64 *generation)
{
	struct pins_dir dirs[16];
	size_t count = pins_are_there() ? pins_dirs(dirs, 16) : 0;
	unsigned long long number;

	for (size_t i = 0; i < count && i < 16; i++) {
		if (!is_complete(&dirs[i]) ||
		    sscanf(dirs[i].name, "%*[^-]-%llx", &number) != 1)
			continue;
		if (generation)
			*generation = number;
		return true;
	}
	return false;
}

bool pins_hold(const char *program)
{
	struct pins_dir dirs[16];
	size_t count = pins_dirs(dirs, 16);
	char path[256];

	for (size_t i = 0; i < count && i < 16; i++) {
		snprintf(path, sizeof(path), PINS "/%.63s/%s", dirs[i].name,
			 program);
		if (!access(path, F_OK))
			return true;
	}
	return false;
}

bool pins_remove_dir(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), PINS "/%s", name);
	pins_refuse_option(name);
	entries(path, true);
	if (rmdir(path)) {
		complain("%s: %s", path, strerror(errno));
		return false;
	}
	return true;
}

static __u32 noted[256];
static size_t noted_count;

void pins_note(const char *name, const char *program)
{
	char path[256], file[512];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), PINS "/%s", name);
	dir = opendir(path);
	while (dir && (entry = readdir(dir)) &&
	       noted_count < sizeof(noted) / sizeof(noted[0])) {
		struct bpf_link_info info = { 0 };
		__u32 size = sizeof(info);
		int fd;

		if (program && strcmp(program, entry->d_name) != 0)
			continue;
		snprintf(file, sizeof(file), "%s/%.200s", path, entry->d_name);
		fd = entry->d_name[0] == '.' ? -1 : bpf_obj_get(file);
		if (fd < 0)
			continue;
		if (!bpf_obj_get_info_by_fd(fd, &info, &size))
			noted[noted_count++] = info.prog_id;
		close(fd);
	}
	if (dir)
		closedir(dir);
}

/*
 * Wait until no program is running any more. A program's number is gone at its
 * last reference, a grace period before its last run is over. Putting a map
 * into a map of maps waits for that grace period: kernel/bpf/syscall.c,
 * maybe_wait_bpf_programs().
 */
static bool wait_for_runs(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, options);
	int inner = bpf_map_create(BPF_MAP_TYPE_ARRAY, "utf8val_wait", 4, 4, 1,
				   NULL);
	__u32 key = 0;
	bool done = false;
	int outer;

	options.inner_map_fd = (__u32)inner;
	outer = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "utf8val_wait", 4, 4,
			       1, &options);
	if (inner >= 0 && outer >= 0)
		done = !bpf_map_update_elem(outer, &key, &inner, BPF_ANY);
	if (!done)
		complain("cannot wait for programs that run: %s",
			 strerror(errno));
	if (outer >= 0)
		close(outer);
	if (inner >= 0)
		close(inner);
	return done;
}

bool pins_wait(bool now)
{
	for (int tries = 0; tries < (now ? 3000 : 60000); tries++) {
		size_t left = 0;

		for (size_t i = 0; i < noted_count; i++) {
			/*
			 * a link's number is gone before the link lets go of
			 * its program
			 */
			int fd = bpf_prog_get_fd_by_id(noted[i]);

			if (fd >= 0)
				close(fd);
			if (fd >= 0)
				noted[left++] = noted[i];
		}
		noted_count = left;
		if (!left)
			return wait_for_runs();
		if (tries == 1000)
			complain("waiting for the kernel to let go of %zu "
				 "programs", left);
		usleep(10000);
	}
	complain("the kernel still holds %zu programs", noted_count);
	return false;
}

/*
 * Remove all pins that are no directories, as an older guard may have had
 * others.
 */
bool pins_remove_maps(void)
{
	struct dirent *entry;
	bool good = true;
	DIR *dir = opendir(PINS);

	while (dir && (entry = readdir(dir))) {
		if (!unlinkat(dirfd(dir), entry->d_name, 0) ||
		    errno == EISDIR || errno == ENOENT)
			continue;
		complain("%s/%s: %s", PINS, entry->d_name, strerror(errno));
		good = false;
	}
	if (dir)
		closedir(dir);
	return good;
}

/* Returns: how many mounts in progress have the option, or -1 if unknown. */
static long mounting(void)
{
	struct guard_mounting now;
	int fd = pins_map(MAP_PENDING);
	__u32 zero = 0;
	long count = -1;

	if (fd >= 0 && !bpf_map_lookup_elem(fd, &zero, &now))
		count = now.count;
	if (fd >= 0)
		close(fd);
	return count;
}

void pins_check_mounts(void)
{
	char path[128];

	if (pins_hold(PROGRAM_ENDS) && pins_hold(PROGRAM_ENDS_TOO))
		return;
	snprintf(path, sizeof(path), PINS "/%s", map_names[MAP_PENDING].pin);
	unlink(path);
}

void pins_refuse_option(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), PINS "/%s/" PROGRAM_OPTION, name);
	unlink(path);
}

long pins_wait_mounts(void)
{
	long count = mounting();

	for (int tries = 0; count > 0 && tries < 1000; tries++) {
		usleep(10000);
		count = mounting();
	}
	return count > 0 ? count : 0;
}

bool pins_remove_root(void)
{
	rmdir(READER);
	if (!rmdir(PINS) || errno == ENOENT)
		return true;
	complain("%s: %s", PINS, strerror(errno));
	return false;
}

void pins_remove_empty(void)
{
	rmdir(PINS);
}
