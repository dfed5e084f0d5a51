// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Symbolic links whose targets contain names that change. All new targets go into the
 * journal first, and then into the links; fix/fix.c and fix/rename.c call it.
 */
#include "fix/link.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/interrupt.h"
#include "fix/rename_print.h"
#include "fix/rename_run.h"
#include "utf8val.h"
#include "walk/app_data.h"
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

/*
 * Find the names in a target that are to be changed, while all names are still the old
 * ones. new_target() later checks whether a name was changed.
 */
static void resolve(struct link *link, int dir, const struct requests *requests)
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

/* The target with its changed names, to be freed; NULL when it stays as it is. */
static char *new_target(const struct link *link)
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

/* Note the new name of each directory on the way to a link, if the directory has one. */
static void note_aliases(struct run *run, struct walk_dir *dir)
{
	for (; dir->parent && !dir->alias; dir = dir->parent) {
		const struct rename_request *request =
			requests_find(run->requests, &dir->parent->id, dir->name);

		if (request && request->done)
			dir->alias = request->name;
	}
}

void links_resolve(struct run *run, struct links *links)
{
	/* so that a link that was met in several ways (bind mounts) has neighbours */
	if (links->count)
		qsort(links->items, links->count, sizeof(*links->items), compare_links);
	for (size_t i = 0; i < links->count && !interrupted; i++) {
		struct link *link = &links->items[i];

		if (cursor_enter(&run->cursor, link->dir))
			continue;
		resolve(link, run->cursor.fd, run->requests);
		if (link->count && !run->renamer->app_data)
			link->left = app_data_message(link->dir);
		if (link->count && !link->left && run->journal.fd >= 0)
			journal_dir(&run->journal, link->dir);
	}
}

/* The name that a link has by now. */
static const char *link_name(struct run *run, const struct link *link)
{
	const struct rename_request *own =
		requests_find(run->requests, &link->dir->id, link->name);

	return own && own->done ? own->name : link->name;
}

/* The message of run_fail() for names that are too long is wrong for targets. */
static void fail(struct run *run, const struct link *link, int error)
{
	if (error != ENAMETOOLONG) {
		run_fail(run, link->dir, link->name, error);
		return;
	}
	run->renamer->troubles++;
	walk_complain(link->dir, link->name, "its new target would be too long; the link keeps "
		      "the old one, which does not exist");
}

static void print_link(struct run *run, const struct link *link, const char *why)
{
	rename_print_link(run->renamer, link->dir, link->name, link->target, link->want, why);
}

/*
 * Complain of links that ought to follow: without a journal their change could not be
 * undone, so they are left dangling.
 */
static void complain_dangling(struct run *run, const struct links *links)
{
	for (size_t i = 0; i < links->count; i++) {
		const struct link *link = &links->items[i];

		if (!link->want)
			continue;
		run->renamer->troubles++;
		walk_complain(link->dir, link->name, "its target was renamed; the link still "
			      "points to the old name");
	}
}

/* Find the new target of each link that has one, and add all of these to the journal. */
static bool plan_links(struct run *run, struct links *links)
{
	const struct link *before = NULL;	/* the last one that follows */

	for (size_t i = 0; i < links->count; i++) {
		struct link *link = &links->items[i];
		int error = 0;

		if (before && !compare_links(before, link))
			continue;
		link->want = new_target(link);
		if (!link->want || link->left) {
			run->renamer->left += !!link->want;
			print_link(run, link, link->want ? link->left :
				   "it names nothing that is renamed");
			free(link->want);
			link->want = NULL;
			continue;
		}
		snprintf(link->scratch, sizeof(link->scratch),
			 ".utf8val-%d-%zu", getpid(), i);
		if (strlen(link->want) >= PATH_MAX)
			error = ENAMETOOLONG;
		else if (run->renamer->apply)
			error = journal_link(&run->journal, link->dir,
					     link_name(run, link), link->target,
					     link->want, link->scratch,
					     &link->record);
		if (error) {
			fail(run, link, error);
			free(link->want);
			link->want = NULL;
		}
		if (link->want)
			before = link;
	}
	if (before && run->renamer->apply && !run_commit(run)) {
		complain_dangling(run, links);
		return false;
	}
	return before;
}

void links_update(struct run *run, struct links *links)
{
	if (!plan_links(run, links))
		return;
	for (size_t i = 0; i < links->count; i++) {
		struct link *link = &links->items[i];
		int error = 0;

		if (!link->want)
			continue;
		if (run->renamer->apply) {
			note_aliases(run, link->dir);
			error = cursor_enter(&run->cursor, link->dir);
			if (!error) {
				if (!run->renamer->touch)
					cursor_keep_times(&run->cursor);
				error = move_target(run->cursor.fd, link_name(run, link),
						    link->target, link->want,
						    link->scratch);
			}
		}
		if (!error) {
			run->renamer->links++;
			print_link(run, link, NULL);
			continue;
		}
		journal_failed(&run->journal, link->record);
		fail(run, link, error);
	}
}
