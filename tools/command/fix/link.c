// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Symbolic links whose targets have names in them that are being changed. */
#include "fix/link.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "utf8val.h"
#include "walk/move.h"
#include "walk/trouble.h"

void links_add(struct links *links, struct walk_visit *visit, const char *name)
{
	char *target = move_read_target(visit->fd, name);

	if (!target) {
		walk_trouble(visit->walk, visit->dir, name, strlen(name),
			     errno);
		return;
	}
	if (!links->all && utf8val_valid(target, strlen(target))) {
		free(target);
		return;
	}
	pthread_mutex_lock(&links->lock);
	if (links->count == links->room) {
		links->room = links->room ? 2 * links->room : 64;
		links->items = must(reallocarray(links->items, links->room,
						 sizeof(*links->items)));
	}
	links->items[links->count++] = (struct link){
		.dir = walk_ref(visit->dir),
		.name = must(strdup(name)),
		.target = target,
	};
	pthread_mutex_unlock(&links->lock);
}

static int compare(const struct identity *a, const char *name_a,
		   const struct identity *b, const char *name_b)
{
	if (a->dev != b->dev)
		return a->dev < b->dev ? -1 : 1;
	if (a->ino != b->ino)
		return a->ino < b->ino ? -1 : 1;
	return strcmp(name_a, name_b);
}

static int compare_links(const void *left, const void *right)
{
	const struct link *a = left, *b = right;

	return compare(&a->dir->id, a->name, &b->dir->id, b->name);
}

bool link_same(const struct link *a, const struct link *b)
{
	return !compare_links(a, b);
}

void links_sort(struct links *links)
{
	if (links->count)
		qsort(links->items, links->count, sizeof(*links->items),
		      compare_links);
}

static int compare_wrongs(const struct wrong *a, const struct wrong *b)
{
	return compare(&a->dir->id, a->old, &b->dir->id, b->old);
}

static int compare_pointers(const void *left, const void *right)
{
	const struct wrong *a = *(struct wrong *const *)left;
	const struct wrong *b = *(struct wrong *const *)right;
	int order = compare_wrongs(a, b);

	return order ? order : (a > b) - (a < b);
}

struct wrong **link_index(struct wrong *wrongs, size_t *count)
{
	struct wrong **index = must(calloc(*count + 1, sizeof(*index)));
	size_t kept = 0;

	for (size_t i = 0; i < *count; i++)
		index[i] = &wrongs[i];
	qsort(index, *count, sizeof(*index), compare_pointers);
	for (size_t i = *count; i-- > 1;) {
		if (!compare_wrongs(index[i - 1], index[i]))
			index[i]->twice = true;
	}
	for (size_t i = 0; i < *count; i++) {
		if (!wrongs[i].twice)
			wrongs[kept++] = wrongs[i];
	}
	for (size_t i = 0; i < kept; i++)
		index[i] = &wrongs[i];
	qsort(index, kept, sizeof(*index), compare_pointers);
	*count = kept;
	return index;
}

struct wrong *link_find(struct wrong **index, size_t count,
			const struct identity *dir, const char *name)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct wrong *wrong = index[middle];
		int order = compare(dir, name, &wrong->dir->id, wrong->old);

		if (!order)
			return wrong;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

/* Is the name at that place of the target, in that directory, in the index? */
static void note(struct link *link, size_t at, const char *name, int dir,
		 struct wrong **index, size_t count)
{
	struct identity id;
	struct wrong *wrong;

	if (identity_get(dir, "", &id))
		return;
	wrong = link_find(index, count, &id, name);
	if (!wrong || !wrong->want)
		return;
	link->parts = must(reallocarray(link->parts, link->count + 1,
					sizeof(*link->parts)));
	link->parts[link->count++] =
		(struct link_part){ at, strlen(name), wrong };
}

void link_resolve(struct link *link, int dir, struct wrong **index,
		  size_t count)
{
	const char *target = link->target;
	int flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
	int fd = openat(dir, *target == '/' ? "/" : ".", flags);
	size_t at = strspn(target, "/");

	while (fd >= 0 && target[at]) {
		size_t len = strcspn(target + at, "/");
		char *name = must(strndup(target + at, len));
		int next = -1;

		if (strcmp(name, ".") && strcmp(name, ".."))
			note(link, at, name, fd, index, count);
		at += len;
		at += strspn(target + at, "/");
		/* as the kernel would: through links, too */
		if (target[at])
			next = openat(fd, name, flags);
		free(name);
		close(fd);
		fd = next;
	}
	if (fd >= 0)
		close(fd);
}

char *link_target(const struct link *link)
{
	struct text text = { 0 };
	size_t at = 0;

	for (size_t i = 0; i < link->count; i++) {
		const struct link_part *part = &link->parts[i];

		if (!part->wrong->done)
			continue;
		text_add(&text, link->target + at, part->at - at);
		text_puts(&text, part->wrong->name);
		at = part->at + part->len;
	}
	if (!at)
		return NULL;
	text_add(&text, link->target + at, strlen(link->target + at) + 1);
	return text.bytes;
}
