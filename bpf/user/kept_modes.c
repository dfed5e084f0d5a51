// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The file has a record for each file system: mode, device, type and mount
 * point, each with a NUL after it. The mount point may have any other byte.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guard_command.h"
#include "kept_modes.h"
#include "mark_list.h"
#include "mount_table.h"
#include "superblocks.h"
#include "words.h"

#define KEPT_DIR "/run/utf8val-guard"
#define KEPT KEPT_DIR "/modes"

static bool write_marks(FILE *file, const struct mark *marks, long count)
{
	for (long i = 0; i < count; i++) {
		const struct guard_mark *mark = &marks[i].value;

		if (mark->mode >= GUARD_AUDIT)
			fprintf(file, "%s%c%u%c%s%c%s%c", mode_name(mark->mode),
				0, mark->dev, 0, mark->type, 0,
				marks[i].point ? marks[i].point : "", 0);
	}
	return !ferror(file);
}

static void forget(void)
{
	unlink(KEPT);
	rmdir(KEPT_DIR);
}

bool kept_modes_write(bool again)
{
	struct mark *marks;
	long count = marks_read(&marks);
	FILE *file;
	bool good;
	int error;

	if (count <= 0) {
		/* marks_tell_lost() says so where they cannot be read */
		if (!count || !again)
			forget();
		return true;
	}
	if (mkdir(KEPT_DIR, 0700) && errno != EEXIST)
		goto failed;
	file = fopen(KEPT ".new", "we");
	if (!file)
		goto failed;
	good = write_marks(file, marks, count);
	good = !fclose(file) && good;
	if (good && !rename(KEPT ".new", KEPT))
		return true;
failed:
	error = errno;
	unlink(KEPT ".new");
	/* an earlier stop's file may be there, which says what was so then */
	if (!again)
		forget();
	complain("%s: %s; the next start will %s", KEPT, strerror(error), again ?
		 "give file systems the modes that they had as this stop began" :
		 "not give file systems their modes back");
	return false;
}

struct record {
	char *mode, *type, *point;
	__u32 dev;
};

static bool read_record(FILE *file, struct record *record)
{
	char *dev;
	char **const fields[] = { &record->mode, &dev, &record->type, &record->point };

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		size_t room = 0;

		*fields[i] = NULL;
		if (getdelim(fields[i], &room, 0, file) <= 0)
			return false;
	}
	record->dev = (__u32)strtoul(dev, NULL, 10);
	return true;
}

static void tell(FILE *to, const struct record *record, const char *what)
{
	fprintf(to, "%s %s: ", record->mode, what);
	mark_print(to, ' ', record->dev, record->type, record->point);
}

/* A mount's type may have a subtype after a dot, as FUSE's have. */
static bool is_type(const char *mounted, const char *type)
{
	size_t len = strlen(type);

	return !strncmp(mounted, type, len) &&
	       (!mounted[len] || mounted[len] == '.');
}

/* Find a mount of this device and type, on the file system's mount point or anywhere. */
static bool find_mount(struct mount_table *table, const struct record *record,
		       bool anywhere)
{
	while (mount_table_next(table))
		if (table->mount.dev == record->dev &&
		    is_type(table->mount.type, record->type) &&
		    (anywhere || !strcmp(table->mount.point, record->point)))
			return true;
	return false;
}

/*
 * Returns: has the file system its mode, or is it mounted no longer? On another mount point
 * there may be another file system on the same device.
 */
static bool put_back(const struct record *record)
{
	struct mount_table table = { 0 };
	int fd, error;

	if (!find_mount(&table, record, false)) {
		/* major number 0: the kernel gives a number to one file system after another */
		bool elsewhere = record->dev >> 20 && find_mount(&table, record, true);

		mount_table_close(&table);
		/*
		 * to standard error, as it may be mounted elsewhere, now
		 * without its mode
		 */
		tell(stderr, record, "not given back, as it is not mounted there");
		return !elsewhere;
	}
	fd = mount_table_reach(&table);
	error = fd < 0 ? -errno : superblock_set(fd, (enum guard_mode)mode_parse(record->mode), GUARD_FROM_SET, NULL);
	if (fd >= 0)
		close(fd);
	mount_table_close(&table);
	if (error)
		complain("a mode cannot be given back: %s", strerror(-error));
	tell(error ? stderr : stdout, record, error ? "lost" : "given back");
	return !error;
}

static bool is_marked(const struct record *record, const struct mark *marks, long count)
{
	while (count-- > 0)
		if (marks[count].value.dev == record->dev)
			return true;
	return false;
}

bool kept_modes_put_back(void)
{
	FILE *file = fopen(KEPT, "re");
	struct record record;
	struct mark *marks;
	bool good = true;
	long count;

	if (!file) {
		if (errno == ENOENT)
			return true;
		complain("%s: %s", KEPT, strerror(errno));
		return false;
	}
	count = marks_read(&marks);
	while (read_record(file, &record))
		if (!is_marked(&record, marks, count))
			good = put_back(&record) && good;
	fclose(file);
	forget();
	return good;
}
