// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What is mounted in this mount namespace, by /proc/self/mountinfo. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "mount_table.h"

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

/* The number of the mount that a file descriptor is on; ULLONG_MAX: not known. */
static unsigned long long mount_of(int fd)
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
