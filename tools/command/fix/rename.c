// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The order of renames: single names, chains and circles. fix/fix.c hands the requests
 * over, fix/rename_run.c executes them.
 */
#include "fix/rename.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/interrupt.h"
#include "fix/link.h"
#include "fix/rename_run.h"
#include "walk/app_data.h"

/*
 * Does the name belong to no application? Otherwise the request gives up its new name,
 * and .how says why.
 */
static bool is_free_to_rename(const struct run *run, struct rename_request *request)
{
	const char *message = run->renamer->app_data ?
				      NULL : app_data_message(request->dir);

	if (!message)
		return true;
	request->how = message;
	request->want = NULL;
	return false;
}

/* Rename by itself what others wait for, or what waits. */
static void rename_alone(struct run *run, struct rename_request *request,
			 const char *from)
{
	run_finish_batch(run);
	run_add(run, request, from);
	run_finish_batch(run);
}

/* Rename to a name between, by a request of its own. */
static void make_way(struct run *run, struct rename_request *request,
		     struct rename_request *step)
{
	char name[40];
	int len = snprintf(name, sizeof(name), ".utf8val-%d-%zu", getpid(),
			   (size_t)(request - run->requests->items));

	*step = *request;
	step->want = arena_copy(&run->requests->bytes, name, (size_t)len);
	step->how = run_between;
	rename_alone(run, step, request->old);
}

/*
 * A file that has an intermediate name and does not get the wanted one gets its old
 * name back. This happens even if nothing more is to be renamed.
 */
static void go_back(struct run *run, const struct rename_request *request,
		    const struct rename_request *step)
{
	struct rename_request back = *step;
	struct pending pending = { .request = &back, .from = step->name };

	back.want = request->old;
	back.number = 1;
	free_names_vacate(&run->names, step->dir, back.want);
	if (!run_rename(run, &pending) && back.number == 1)
		return;
	run->stranded = true;
	complain(back.want, strlen(back.want),
		 "it could not get its own name back; see utf8val undo");
}

/*
 * Does the wanted name lead to the file already, since the file system ignores case or
 * normalization? A file with more than one link may have both names.
 */
static bool is_its_own(struct run *run, const struct rename_request *request)
{
	struct stat now, wanted;

	return !cursor_enter(&run->cursor, request->dir) &&
	       !fstatat(run->cursor.fd, request->want, &wanted, AT_SYMLINK_NOFOLLOW) &&
	       !fstatat(run->cursor.fd, request->old, &now, AT_SYMLINK_NOFOLLOW) &&
	       now.st_dev == wanted.st_dev && now.st_ino == wanted.st_ino &&
	       (S_ISDIR(now.st_mode) || now.st_nlink == 1);
}

/*
 * Rename a file. If another file has the wanted name and is to get another one, that
 * file is renamed before, and so on. The last of the chain is first. The last file gets
 * an intermediate name, which is in the journal, in two cases:
 *
 * - it waits for one of the others;
 * - its own name is the wanted one on a file system that ignores the difference.
 */
static void rename_chain(struct run *run, struct rename_request *first)
{
	struct rename_request **chain = NULL, *last = first, *way, step;
	size_t count = 0, room = 0;
	bool circle = false, own;

	while (last && last->want && !last->number) {
		last->number = 1;
		*array_next(chain, count, room) = last;
		last = requests_find(run->requests, &last->dir->id, last->want);
	}
	way = chain[count - 1];
	own = !last && is_its_own(run, way);
	for (size_t i = 0; i + 1 < count && !circle; i++)
		circle = chain[i] == last;
	if (count == 1 && !last && !own) {
		run_add(run, first, first->old);
		goto out;
	}
	if (circle || own)
		make_way(run, way, &step);
	else
		rename_alone(run, way, way->old);
	if (own) {
		/* in a dry run, the file still has the name that it is to get */
		free_names_vacate(&run->names, way->dir, way->want);
		rename_alone(run, way, step.done ? step.name : way->old);
	}
	for (size_t i = count - 1; i-- > 0;)
		rename_alone(run, chain[i], chain[i]->old);
	if (circle)
		rename_alone(run, way, step.done ? step.name : way->old);
	if ((circle || own) && step.done && !way->done)
		go_back(run, way, &step);
out:
	free(chain);
}

static void rename_each(struct run *run)
{
	/* the user who is asked expects the rename to be done before the next question */
	run->batch_size = run->renamer->ask ? 1 : run->renamer->batch;
	run->batch = must(calloc(run->batch_size, sizeof(*run->batch)));
	for (size_t i = 0; i < run->requests->count && !interrupted &&
			   !run->stopped; i++) {
		struct rename_request *request = &run->requests->items[i];

		/*
		 * This request was carried out early, because another one waited for its
		 * name; or it is for a file that has a request before.
		 */
		if (request->number)
			continue;
		if (!request->want || !is_free_to_rename(run, request))
			run_leave(run, request, NULL);
		else if (run->renamer->may_wait)
			rename_chain(run, request);
		else
			run_add(run, request, request->old);
	}
	run_finish_batch(run);
	free(run->batch);
}

/* Is there anything to rename? */
static bool any_wanted(const struct requests *requests)
{
	for (size_t i = 0; i < requests->count; i++) {
		if (requests->items[i].want)
			return true;
	}
	return false;
}

void rename_all(struct renamer *renamer, struct requests *requests, struct links *links)
{
	struct run run = { .renamer = renamer, .requests = requests,
			   .journal.fd = -1 };

	if (renamer->apply && any_wanted(requests) &&
	    !journal_create(&run.journal, renamer->journal)) {
		renamer->troubles++;
		return;
	}
	requests_sort(requests);
	links_resolve(&run, links);
	rename_each(&run);
	links_update(&run, links);
	strings_free(&run.names.asked);
	if (run.journal.fd >= 0) {
		bool needed = renamer->renamed > 0 || run.stranded;

		if (needed)
			renamer->journal_path = journal_path_now(&run.journal);
		journal_close(&run.journal, needed, !interrupted && !run.lost);
	}
	cursor_close(&run.cursor);
}
