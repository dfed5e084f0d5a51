// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* New targets of links: all of them in the journal, and then the links themselves. */
#include "fix/rename_link.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "fix/rename_print.h"
#include "walk/app_data.h"
#include "walk/move.h"

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

void rename_link_resolve(struct run *run, struct links *links)
{
	links_sort(links);
	for (size_t i = 0; i < links->count && !interrupted; i++) {
		struct link *link = &links->items[i];

		if (cursor_enter(&run->cursor, link->dir))
			continue;
		link_resolve(link, run->cursor.fd, run->requests);
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

/* What run_fail() says of names that are too long is not true of targets. */
static void fail(struct run *run, const struct link *link, int error)
{
	if (error != ENAMETOOLONG) {
		run_fail(run, link->dir, link->name, error);
		return;
	}
	run->renamer->troubles++;
	walk_complain(link->dir, link->name, "its new target would be too long; it keeps "
		      "the old one, which leads nowhere any more");
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
		walk_complain(link->dir, link->name, "what it points to has been "
			      "renamed; it still points to the old name");
	}
}

/* Find the new target of each link that has one, and add all of these to the journal. */
static bool plan_links(struct run *run, struct links *links)
{
	const struct link *before = NULL;	/* the last one that follows */

	for (size_t i = 0; i < links->count; i++) {
		struct link *link = &links->items[i];
		int error = 0;

		if (before && link_same(before, link))
			continue;
		link->want = link_target(link);
		if (!link->want || link->left) {
			run->renamer->left += !!link->want;
			rename_print_link(run->renamer, link, link->want ? link->left :
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

void rename_link_update(struct run *run, struct links *links)
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
			rename_print_link(run->renamer, link, NULL);
			continue;
		}
		journal_failed(&run->journal, link->record);
		fail(run, link, error);
	}
}

