// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What is mounted in this mount namespace, by /proc/self/mountinfo. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/shared/mountinfo.h"
#include "mount_table.h"
#include "open_path.h"

/* The next word of a line, or "" after the last. */
static char *word(char **rest)
{
	char *found = strsep(rest, "\n ");

	return found ? found : (char *)"";
}

static bool parse(struct mount_table *table)
{
	char *rest = table->line, *point, *source;
	unsigned int major, minor;

	if (sscanf(rest, "%d %*d %u:%u", &table->id, &major, &minor) != 3)
		return false;
	table->dev = major << 20 | minor;
	for (int i = 0; i < 4; i++)
		word(&rest);
	point = word(&rest);
	/* a dash ends the optional fields */
	while (rest && strcmp(word(&rest), "-") != 0)
		;
	table->type = word(&rest);
	source = word(&rest);
	mountinfo_unescape(point);
	mountinfo_unescape(source);
	table->point = point;
	table->source = source;
	return true;
}

bool mount_table_next(struct mount_table *table)
{
	if (!table->file)
		table->file = fopen("/proc/self/mountinfo", "re");
	while (table->file && getline(&table->line, &table->room, table->file) > 0)
		if (parse(table))
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

/* The number of the mount that a file descriptor is on; -1: not known. */
static int mount_of(int fd)
{
	char path[64], line[128];
	FILE *info;
	int id = -1;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	info = fopen(path, "re");
	while (info && fgets(line, sizeof(line), info))
		sscanf(line, "mnt_id: %d", &id);
	if (info)
		fclose(info);
	return id;
}

int mount_table_reach(const struct mount_table *table)
{
	int fd = open_path(table->point);

	if (fd < 0 || mount_of(fd) == table->id)
		return fd;
	close(fd);
	errno = EBUSY;
	return -1;
}
