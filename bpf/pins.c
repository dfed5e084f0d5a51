// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Where programs and maps are held when no process does. A directory for each
 * generation of programs; the maps are shared by all of them.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "command.h"

const char *const map_names[MAPS] = {
	[MAP_MARKS] = "marks",
	[MAP_FILTER] = "filter",
	[MAP_PENDING] = "pending",
	[MAP_UNSEEN] = "unseen",
	[MAP_COUNTS] = "counts",
	[MAP_LIMIT] = "limit",
	[MAP_EVENTS] = "events",
};

static bool is_bpffs(void)
{
	struct statfs fs;

	return !statfs(BPFFS, &fs) && fs.f_type == BPF_FS_MAGIC;
}

/* Where bpffs lets everybody make directories, somebody may have been first. */
static bool is_ours(void)
{
	struct stat st;

	if (lstat(PINS, &st))
		return errno == ENOENT;
	return S_ISDIR(st.st_mode) && !st.st_uid && !(st.st_mode & 022);
}

bool pins_lock(void)
{
	int fd;

	if (!is_bpffs() && mount("bpf", BPFFS, "bpf", 0, "mode=0700")) {
		complain("%s is no bpf file system and cannot be made one: "
			 "%s; as root, mount -t bpf bpffs %s", BPFFS,
			 strerror(errno), BPFFS);
		return false;
	}
	/* held until the process ends */
	fd = open(BPFFS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || flock(fd, LOCK_EX)) {
		complain("%s: %s; this needs root", BPFFS, strerror(errno));
		return false;
	}
	if (!is_ours()) {
		complain("%s is not root's alone; see who has made it, and "
			 "remove it", PINS);
		return false;
	}
	return true;
}

int pins_map(enum map map)
{
	char path[128];

	snprintf(path, sizeof(path), PINS "/%s", map_names[map]);
	return bpf_obj_get(path);
}

static bool starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* How many entries a directory has; with @remove, they are taken away. */
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

/* One that was interrupted when all were pinned is as good. */
bool pins_complete(void)
{
	struct pins_dir dirs[16];
	size_t count = pins_dirs(dirs, 16);

	for (size_t i = 0; i < count && i < 16; i++)
		if (is_complete(&dirs[i]))
			return true;
	return false;
}

bool pins_marks_hold(void)
{
	struct pins_dir dirs[16];
	size_t count = pins_dirs(dirs, 16);
	char path[256];

	for (size_t i = 0; i < count && i < 16; i++) {
		snprintf(path, sizeof(path), PINS "/%.63s/guard_sb_free",
			 dirs[i].name);
		if (!access(path, F_OK))
			return true;
	}
	return false;
}

bool pins_remove_dir(const char *name)
{
	char path[256], first[512];

	snprintf(path, sizeof(path), PINS "/%s", name);
	snprintf(first, sizeof(first), "%s/" PROGRAM_OPTION, path);
	unlink(first);
	entries(path, true);
	if (rmdir(path)) {
		complain("%s: %s", path, strerror(errno));
		return false;
	}
	return true;
}

static __u32 noted[256];
static size_t noted_count;

void pins_note(const char *name)
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

bool pins_wait(void)
{
	/* half a minute, which no kernel takes */
	for (int tries = 0; tries < 3000; tries++) {
		size_t left = 0;

		for (size_t i = 0; i < noted_count; i++) {
			/* a link's number goes before it lets go */
			int fd = bpf_prog_get_fd_by_id(noted[i]);

			if (fd >= 0)
				close(fd);
			if (fd >= 0)
				noted[left++] = noted[i];
		}
		noted_count = left;
		if (!left)
			return true;
		usleep(10000);
	}
	complain("the kernel still holds %zu programs", noted_count);
	return false;
}

bool pins_remove_maps(void)
{
	bool good = true;

	for (int i = 0; i < MAPS; i++) {
		char path[128];

		snprintf(path, sizeof(path), PINS "/%s", map_names[i]);
		if (unlink(path) && errno != ENOENT) {
			complain("%s: %s", path, strerror(errno));
			good = false;
		}
	}
	return good;
}

bool pins_remove_root(void)
{
	if (!rmdir(PINS) || errno == ENOENT)
		return true;
	complain("%s: %s", PINS, strerror(errno));
	return false;
}
