// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The paths of scan --names, taken apart into the names that a walk would meet.
 * scan/scan.c calls it instead of a walk.
 */
#include "scan/list.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "scan/bad.h"

/* read at a time; the first path is no longer */
#define READ_BYTES 65536
/* the line of progress is written again after so many reads */
#define READS_PER_TICK 8
/*
 * bytes of a path; names in struct found_name are shorter, and no program lists a
 * longer path
 */
#define MOST_PATH UINT16_MAX
/* bad names that are decided together, and the bytes of their paths */
#define MOST_NAMES 65536
#define MOST_BYTES (16 << 20)

struct list {
	struct walk *walk;
	struct walk_visit visit;	/* of the directory of the last bad name */
	struct text path;		/* the one that is being read */
	bool too_long;			/* and it is left out */
	int end;			/* what ends a path */
	/* of bad names since the last ones were decided */
	struct strings seen;
	struct arena bytes;
	size_t dirs, path_bytes;
};

static void leave(struct list *list)
{
	if (!list->visit.dir)
		return;
	bad_leave(&list->visit);
	walk_unref(list->visit.dir);
	list->visit.dir = NULL;
}

/* Decide what the names found so far are, hand them over, and forget them. */
static void decide(struct list *list)
{
	leave(list);
	bad_thread_end(list->visit.thread_data);
	list->visit.thread_data = NULL;
	bad_finish(list->walk);
	strings_reset(&list->seen);
	arena_reset(&list->bytes);
	list->path_bytes = 0;
}

/* A component of a path, which is all before the component's end. */
static void take_name(struct list *list, const char *path, size_t begin, size_t end)
{
	const struct bad_user *user = list->walk->data;
	const struct walk_dir *dir = list->visit.dir;
	const char *name = path + begin;
	size_t len = end - begin, count = list->seen.count;
	char *key;

	if (!bad_is(user, name, len))
		return;
	key = arena_room(&list->bytes, end + 1);
	memcpy(key, path, end);
	key[end] = '\0';
	if (strings_add(&list->seen, key) < count)
		return;
	arena_take(&list->bytes, end + 1);
	list->path_bytes += end;
	if (!dir || dir->len != begin || memcmp(dir->name, path, begin) != 0) {
		leave(list);
		/* a root, with the slash at its end, so that nothing is changed */
		list->visit.dir = walk_new(NULL, path, begin);
		list->visit.dir->root = list->dirs++;
	}
	bad_entry(&list->visit, key + begin, len);
	if (list->seen.count >= MOST_NAMES || list->path_bytes >= MOST_BYTES)
		decide(list);
}

static void take_path(struct list *list)
{
	const char *path = list->path.bytes;
	size_t len = list->path.len, begin = 0, end;

	if (list->too_long) {
		list->walk->troubles++;
		complain(NULL, 0, "a path of the list is longer than %d bytes, "
			 "and was skipped", MOST_PATH);
	} else if (len) {
		list->walk->entries++;
	}
	for (; begin < len && !list->too_long; begin = end + 1) {
		const char *slash = memchr(path + begin, '/', len - begin);

		end = slash ? (size_t)(slash - path) : len;
		if (end > begin)
			take_name(list, path, begin, end);
	}
	list->path.len = 0;
	list->too_long = false;
}

static void take_bytes(struct list *list, const char *bytes, size_t len)
{
	while (len) {
		const char *end = memchr(bytes, list->end, len);
		size_t part = end ? (size_t)(end - bytes) : len;

		if (list->path.len + part > MOST_PATH)
			list->too_long = true;
		else
			text_add(&list->path, bytes, part);
		if (!end)
			return;
		take_path(list);
		bytes += part + 1;
		len -= part + 1;
	}
}

void list_read(struct walk *walk)
{
	struct list list = { .walk = walk, .visit = { .walk = walk, .fd = -1 } };
	char bytes[READ_BYTES];
	unsigned int reads = 0;
	size_t got;

	while (!interrupted && (got = fread(bytes, 1, sizeof(bytes), stdin)) > 0) {
		/* no path has a NUL in it, but one may have a newline */
		if (!reads)
			list.end = memchr(bytes, '\0', got) ? '\0' : '\n';
		if (++reads % READS_PER_TICK == 0)
			walk->tick(walk);
		take_bytes(&list, bytes, got);
	}
	if (ferror(stdin) && !interrupted) {
		complain_errno("-", 1, errno);
		walk->troubles++;
	}
	if (list.path.len || list.too_long)
		take_path(&list);
	decide(&list);
	strings_free(&list.seen);
	arena_free(&list.bytes);
	text_free(&list.path);
}
