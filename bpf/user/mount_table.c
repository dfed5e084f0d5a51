// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The mounts of this mount namespace, by /proc/self/mountinfo. Every subcommand that takes or
 * prints a path uses them.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "mount_table.h"
#include "print.h"

bool mount_table_next(struct mount_table *table)
{
	if (!table->file)
		table->file = fopen("/proc/self/mountinfo", "re");
	while (table->file && getline(&table->line, &table->room, table->file) > 0)
		if (mountinfo_parse(table->line, &table->mount))
			return true;
	mount_table_close(table);
	return false;
}

void mount_table_close(struct mount_table *table)
{
	if (table->file)
		fclose(table->file);
	free(table->line);
	*table = (struct mount_table){ 0 };
}

unsigned long long mount_of(int fd)
{
	char path[64], line[128];
	unsigned long long id = ULLONG_MAX;
	FILE *info;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	info = fopen(path, "re");
	while (info && fgets(line, sizeof(line), info))
		sscanf(line, "mnt_id: %llu", &id);
	if (info)
		fclose(info);
	return id;
}

int open_path(const char *path)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 && errno == ENOTDIR ? open(path, O_PATH | O_CLOEXEC) : fd;
}

int mount_table_reach(const struct mount_table *table)
{
	int fd = open_path(table->mount.point);

	if (fd < 0 || mount_of(fd) == table->mount.id)
		return fd;
	close(fd);
	errno = EBUSY;
	return -1;
}

bool is_mount_point(int fd)
{
	struct statx st;

	/* a FUSE server is not asked, which may never answer */
	return !statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, 0, &st) &&
	       st.stx_attributes & STATX_ATTR_MOUNT_ROOT;
}

/* Is @point the path @above, or a path below that? */
static bool is_below(const char *point, const char *above)
{
	size_t len = strlen(above);

	if (len == 1)
		return true;
	return !strncmp(point, above, len) && (!point[len] || point[len] == '/');
}

/*
 * Does one mount cover the other? Either it is mounted on the other's root, or both are
 * mounted on the same mount, and the other's mount point is below this one's. In the second
 * case the other mount is older: a mount made later, below this one's mount point, would be
 * on this one.
 */
static bool covers(const struct mounted *one, const struct mounted *other)
{
	/* the first mount of all is on itself */
	if (one == other || one->parent == one->id)
		return false;
	if (one->parent == other->id)
		return !strcmp(one->point, other->point);
	return one->parent == other->parent && strcmp(one->point, other->point) != 0 &&
	       is_below(other->point, one->point);
}

/*
 * Find out whether a mount is hidden. A user may have made a thousand mounts, so what is
 * known of a mount is kept for those that are mounted on it.
 */
static bool find_hidden(struct mounted *list, size_t count, struct mounted *mount)
{
	struct mounted *parent = NULL;

	if (mount->asked)
		return mount->hidden;
	mount->asked = true;
	for (size_t i = 0; i < count && !mount->hidden; i++) {
		mount->hidden = covers(&list[i], mount);
		if (list[i].id == mount->parent && &list[i] != mount)
			parent = &list[i];
	}
	/* what covers the parent is this mount itself where both have one mount point */
	if (!mount->hidden && parent && strcmp(parent->point, mount->point) != 0)
		mount->hidden = find_hidden(list, count, parent);
	return mount->hidden;
}

/* The mode that the kernel itself enforces on a mount, by what it shows of its options. */
static enum guard_mode kernels_mode(const struct mountinfo *mount)
{
	const char *option = strstr(mount->options, "utf8val=");
	char word[UTF8VAL_MODE_ROOM];

	if (!option || (option != mount->options && option[-1] != ','))
		return GUARD_UNSET;
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(option + 8, ","), option + 8);
	return (enum guard_mode)mode_parse(word);
}

const struct mounted *mounts_read(size_t *count)
{
	struct mount_table table = { 0 };
	struct mounted *list = NULL;
	size_t room = 0;

	*count = 0;
	while (mount_table_next(&table)) {
		if (*count == room) {
			room = 2 * room + 64;
			list = must(reallocarray(list, room, sizeof(*list)));
		}
		list[(*count)++] = (struct mounted){
			.id = table.mount.id,
			.parent = table.mount.parent,
			.dev = table.mount.dev,
			.mode = kernels_mode(&table.mount),
			.point = must(strdup(table.mount.point)),
			.type = must(strdup(table.mount.type)),
			.source = must(strdup(table.mount.source)),
		};
	}
	for (size_t i = 0; i < *count; i++)
		find_hidden(list, *count, &list[i]);
	return list;
}

const struct mounted *mounts_once(size_t *count)
{
	static const struct mounted *mounts;
	static size_t number;

	if (!mounts)
		mounts = mounts_read(&number);
	*count = number;
	return mounts;
}
