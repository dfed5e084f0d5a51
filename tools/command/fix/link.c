// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Symbolic links whose targets have names in them that are being changed. */
#include "fix/link.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "utf8val.h"
#include "walk/move.h"

void links_add(struct links *links, struct walk_visit *visit, const char *name)
{
	char *target = move_read_target(visit->fd, name);

	if (!target) {
		walk_trouble(visit->walk, visit->dir, name, errno);
		return;
	}
	if (!links->all && utf8val_valid(target, strlen(target))) {
		free(target);
		return;
	}
	pthread_mutex_lock(&links->lock);
	*array_next(links->items, links->count, links->room) = (struct link){
		.dir = walk_ref(visit->dir),
		.name = must(strdup(name)),
		.target = target,
	};
	pthread_mutex_unlock(&links->lock);
}

static int compare_links(const void *left, const void *right)
{
	const struct link *a = left, *b = right;
	int order = identity_compare(&a->dir->id, &b->dir->id);

	return order ? order : strcmp(a->name, b->name);
}

bool link_same(const struct link *a, const struct link *b)
{
	return !compare_links(a, b);
}

void links_sort(struct links *links)
{
	if (links->count)
		qsort(links->items, links->count, sizeof(*links->items), compare_links);
}

/* Is there a request for the name at that place of the target, in that directory? */
static void note(struct link *link, size_t at, const char *name, int dir,
		 const struct requests *requests)
{
	const struct rename_request *request;
	struct identity id;

	if (identity_get(dir, "", &id))
		return;
	request = requests_find(requests, &id, name);
	if (!request || !request->want)
		return;
	*array_next(link->parts, link->count, link->room) =
		(struct link_part){ at, strlen(name), request };
}

void link_resolve(struct link *link, int dir, const struct requests *requests)
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
			note(link, at, name, fd, requests);
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

		if (!part->request->done)
			continue;
		text_add(&text, link->target + at, part->at - at);
		text_puts(&text, part->request->name);
		at = part->at + part->len;
	}
	if (!at)
		return NULL;
	text_add(&text, link->target + at, strlen(link->target + at) + 1);
	return text.bytes;
}
