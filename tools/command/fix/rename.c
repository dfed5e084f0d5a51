// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* From names that are wanted to names that are: the journal, then the renames. */
#include "fix/rename.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/interrupt.h"
#include "fix/app_data.h"
#include "fix/freename.h"
#include "fix/link.h"
#include "fix/rename_print.h"
#include "undo/journal.h"
#include "walk/cursor.h"
#include "walk/move.h"

struct run {
	struct renamer *renamer;
	struct journal journal;
	bool stopped;			/* nothing more is renamed */
	bool lost;			/* the journal cannot be kept */
	struct cursor cursor;
	struct requests *requests;
	struct free_names names;
};

/* A request that is being carried out. */
struct pending {
	struct rename_request *request;
	const char *from;		/* the name as it is by now */
	struct identity id;		/* of the file that has the name */
	unsigned long long record;	/* its number in the journal */
};

/* How a name is called that only makes way for others meanwhile. */
static const char between[] = "on its way";

static int find_name(struct run *run, struct rename_request *request)
{
	return free_names_find(&run->names, &run->requests->bytes,
			       run->cursor.fd, request, run->renamer->shorten);
}

static void fail(struct run *run, const struct walk_dir *dir, const char *name,
		 int error)
{
	struct text path = { 0 };
	const char *message = identity_error(error);

	run->renamer->troubles++;
	walk_path(&path, dir, name, strlen(name));
	if (error == ENAMETOOLONG)
		message = "the new name would be too long; --shorten cuts it";
	else if (error == ENOTSUP)
		message = "this file system cannot rename without the risk of "
			  "replacing another file";
	complain(path.bytes, path.len, "%s", message);
	text_free(&path);
}

static void leave_it(struct run *run, struct rename_request *request,
		     const char *why)
{
	if (why)
		request->how = why;
	run->renamer->left++;
	rename_print(run->renamer, request, true);
}

/* Ask whether to rename; the rest of the run may be answered at once. */
static bool asked(struct run *run, const struct rename_request *request)
{
	struct text line = { 0 }, path = { 0 };
	char *answer = NULL;
	size_t room = 0;
	char first = '\0';

	walk_path(&path, request->dir, request->old, strlen(request->old));
	text_puts(&line, "utf8val: rename ");
	text_escape(&line, path.bytes, path.len);
	text_puts(&line, " to ");
	text_escape(&line, request->name, strlen(request->name));
	text_puts(&line, "? [y]es, [n]o, [a]ll, [q]uit: ");
	fflush(stdout);
	fwrite(line.bytes, 1, line.len, stderr);
	text_free(&line);
	text_free(&path);
	if (getline(&answer, &room, stdin) > 0)
		first = *answer;
	else
		run->stopped = true;
	free(answer);
	if (first == 'a')
		run->renamer->ask = false;
	if (first == 'q')
		run->stopped = true;
	return first == 'y' || first == 'a';
}

/* Have it in the journal as what it is and will be: 0, or an errno value. */
static int add_record(struct run *run, struct pending *pending)
{
	const struct rename_request *request = pending->request;
	int error;

	if (!run->renamer->apply)
		return 0;
	error = identity_get(run->cursor.fd, pending->from, &pending->id);
	if (error)
		return error;
	pending->id.lasting = request->dir->id.lasting;
	return journal_name(&run->journal, request->dir, &pending->id,
			    pending->from, request->name, &pending->record);
}

/* First pass over a batch: find names, fill the journal. How many are left. */
static size_t plan(struct run *run, struct pending *batch, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct rename_request *request = batch[i].request;
		int error = cursor_enter(&run->cursor, request->dir);

		request->number = 1;
		if (!error) {
			free_names_enter(&run->names, run->requests,
					 run->cursor.fd, request);
			error = find_name(run, request);
		}
		if (!error && run->renamer->ask && request->how != between &&
		    !asked(run, request)) {
			leave_it(run, request, "not wanted");
			if (run->stopped)
				break;
			continue;
		}
		if (!error)
			error = add_record(run, &batch[i]);
		if (error)
			fail(run, request->dir, request->old, error);
		else
			batch[kept++] = batch[i];
	}
	return kept;
}

static bool commit(struct run *run)
{
	if (journal_commit(&run->journal))
		return true;
	run->renamer->troubles++;
	run->stopped = true;
	run->lost = true;
	return false;
}

/* Rename one; when its name has been taken meanwhile, under the next one. */
static int carry_out_one(struct run *run, struct pending *pending)
{
	struct rename_request *request = pending->request;
	int error = cursor_enter(&run->cursor, request->dir);

	if (error)
		return error;
	if (!run->renamer->touch)
		cursor_keep_times(&run->cursor);
	for (;;) {
		error = move_name(run->cursor.fd, pending->from, request->name,
				  &pending->id);
		if (error != EEXIST || request->number++ >= FREE_NAMES_LIMIT)
			return error;
		journal_failed(&run->journal, pending->record);
		error = find_name(run, request);
		if (!error)
			error = add_record(run, pending);
		if (error)
			return error;
		if (!commit(run))
			error = ECANCELED;
		if (error)
			return error;
	}
}

/* That one has been renamed, or would be. */
static void count_done(struct run *run, const struct pending *pending)
{
	struct rename_request *request = pending->request;

	request->done = true;
	/* also in a dry run, another may have the old name then */
	if (run->renamer->is_plan)
		free_names_vacate(&run->names, request->dir, pending->from);
	if (request->how == between)
		return;
	run->renamer->renamed++;
	rename_print(run->renamer, request, false);
}

/* Second pass: rename. */
static void carry_out(struct run *run, struct pending *batch, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct rename_request *request = batch[i].request;
		int error = interrupted || run->stopped ?
				    ECANCELED :
				    carry_out_one(run, &batch[i]);

		if (!error) {
			count_done(run, &batch[i]);
			continue;
		}
		journal_failed(&run->journal, batch[i].record);
		if (error != ECANCELED)
			fail(run, request->dir, request->old, error);
	}
}

static void run_batch(struct run *run, struct pending *batch, size_t count)
{
	count = plan(run, batch, count);
	if (!run->renamer->apply) {
		for (size_t i = 0; i < count; i++)
			count_done(run, &batch[i]);
	} else if (count && commit(run)) {
		carry_out(run, batch, count);
	}
}

/* Is the name nobody's own? Otherwise it is not wanted, and says why. */
static bool is_free_to_rename(const struct run *run,
			      struct rename_request *request)
{
	const char *message = run->renamer->app_data ?
				      NULL : app_data_message(request->dir);

	if (!message)
		return true;
	request->how = message;
	request->want = NULL;
	return false;
}

/* The names that are renamed together. */
struct batch {
	struct pending *items;
	size_t size, filled;
};

static void finish_batch(struct run *run, struct batch *batch)
{
	if (batch->filled && !interrupted && !run->stopped)
		run_batch(run, batch->items, batch->filled);
	batch->filled = 0;
}

static void add_to_batch(struct run *run, struct batch *batch,
			 struct rename_request *request, const char *from)
{
	batch->items[batch->filled++] =
		(struct pending){ .request = request, .from = from };
	if (batch->filled == batch->size)
		finish_batch(run, batch);
}

/* Rename by itself what others wait for, or what waits. */
static void rename_alone(struct run *run, struct batch *batch,
			 struct rename_request *request, const char *from)
{
	finish_batch(run, batch);
	add_to_batch(run, batch, request, from);
	finish_batch(run, batch);
}

/* Rename to a name between, by a request of its own. */
static void make_way(struct run *run, struct batch *batch,
		     struct rename_request *request, struct rename_request *step)
{
	char name[40];
	int len = snprintf(name, sizeof(name), ".utf8val-%d-%zu", getpid(),
			   (size_t)(request - run->requests->items));

	*step = *request;
	step->want = arena_copy(&run->requests->bytes, name, (size_t)len);
	step->how = between;
	rename_alone(run, batch, step, request->old);
}

/*
 * What has a name between and does not get the wanted one gets its own back, also when
 * nothing more is to be renamed.
 */
static void go_back(struct run *run, const struct rename_request *request,
		    const struct rename_request *step)
{
	struct rename_request back = *step;
	struct pending pending = { .request = &back, .from = step->name };
	int error = cursor_enter(&run->cursor, step->dir);

	back.want = request->old;
	back.number = 1;
	free_names_vacate(&run->names, step->dir, back.want);
	if (!error)
		error = find_name(run, &back);
	if (!error)
		error = add_record(run, &pending);
	if (!error && commit(run))
		error = carry_out_one(run, &pending);
	if (error || run->lost || back.number > 1)
		complain(back.want, strlen(back.want),
			 "it could not get its own name back; see --undo");
}

/*
 * A name that a plan gives may be another one's that the plan changes, too, and so on:
 * the last of these is renamed first. Where the last one waits for one of the others,
 * it gets a name between first, by which all of them are in the journal as what they
 * are.
 */
static void rename_chain(struct run *run, struct batch *batch,
			 struct rename_request *first)
{
	struct rename_request **chain = NULL, *last = first, *way, step;
	size_t count = 0, room = 0;
	bool circle = false;

	while (last && last->want && !last->number) {
		last->number = 1;
		*array_next(chain, count, room) = last;
		last = requests_find(run->requests, &last->dir->id, last->want);
	}
	for (size_t i = 0; i + 1 < count && !circle; i++)
		circle = chain[i] == last;
	if (count == 1 && !last) {
		add_to_batch(run, batch, first, first->old);
		goto out;
	}
	way = chain[count - 1];
	if (circle)
		make_way(run, batch, way, &step);
	else
		rename_alone(run, batch, way, way->old);
	for (size_t i = count - 1; i-- > 0;)
		rename_alone(run, batch, chain[i], chain[i]->old);
	if (circle)
		rename_alone(run, batch, way, step.done ? step.name : way->old);
	if (circle && step.done && !way->done)
		go_back(run, way, &step);
out:
	free(chain);
}

static void rename_each(struct run *run)
{
	struct batch batch = { .size = run->renamer->batch };

	/* who is asked wants it done before the next question */
	if (run->renamer->ask)
		batch.size = 1;
	batch.items = must(calloc(batch.size, sizeof(*batch.items)));
	for (size_t i = 0; i < run->requests->count && !interrupted &&
			   !run->stopped; i++) {
		struct rename_request *request = &run->requests->items[i];

		/* it was renamed before what waited for it */
		if (request->number)
			continue;
		if (!request->want || !is_free_to_rename(run, request))
			leave_it(run, request, NULL);
		else if (run->renamer->is_plan)
			rename_chain(run, &batch, request);
		else
			add_to_batch(run, &batch, request, request->old);
	}
	finish_batch(run, &batch);
	free(batch.items);
}

/* A directory on the way may have a new name by now. */
static void note_aliases(struct run *run, struct walk_dir *dir)
{
	for (; dir->parent && !dir->alias; dir = dir->parent) {
		const struct rename_request *request =
			requests_find(run->requests, &dir->parent->id, dir->name);

		if (request && request->done)
			dir->alias = request->name;
	}
}

/* How a link is named by now. */
static const char *link_name(struct run *run, const struct link *link)
{
	const struct rename_request *own =
		requests_find(run->requests, &link->dir->id, link->name);

	return own && own->done ? own->name : link->name;
}

/* Links that ought to follow and cannot, for nothing could be undone. */
static void complain_dangling(struct run *run, const struct links *links)
{
	for (size_t i = 0; i < links->count; i++) {
		const struct link *link = &links->items[i];
		struct text path = { 0 };

		if (!link->want)
			continue;
		run->renamer->troubles++;
		walk_path(&path, link->dir, link->name, strlen(link->name));
		complain(path.bytes, path.len,
			 "what it points to has been renamed; it still points "
			 "to the old name");
		text_free(&path);
	}
}

/* A new target for each, where there is one; all of them in the journal. */
static bool plan_links(struct run *run, struct links *links)
{
	const struct link *before = NULL;	/* the last one that follows */

	for (size_t i = 0; i < links->count; i++) {
		struct link *link = &links->items[i];
		int error = 0;

		if (before && link_same(before, link))
			continue;
		link->want = link_target(link);
		if (!link->want) {
			rename_print_link(run->renamer, link,
					  "it names nothing that is renamed");
			continue;
		}
		snprintf(link->scratch, sizeof(link->scratch),
			 ".utf8val-%d-%zu", getpid(), i);
		if (run->renamer->apply)
			error = journal_link(&run->journal, link->dir,
					     link_name(run, link), link->target,
					     link->want, link->scratch,
					     &link->record);
		if (error) {
			fail(run, link->dir, link->name, error);
			free(link->want);
			link->want = NULL;
		}
		if (link->want)
			before = link;
	}
	if (before && run->renamer->apply && !commit(run)) {
		complain_dangling(run, links);
		return false;
	}
	return before;
}

/*
 * What has been renamed is pointed to under its new name; also after an
 * interruption, which would leave those links dangling otherwise.
 */
static void update_links(struct run *run, struct links *links)
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
				error = move_target(run->cursor.fd,
						    link_name(run, link),
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
		fail(run, link->dir, link->name, error);
	}
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

void rename_all(struct renamer *renamer, struct requests *requests,
		struct links *links)
{
	struct run run = { .renamer = renamer, .requests = requests,
			   .journal.fd = -1 };

	if (renamer->apply && any_wanted(requests) &&
	    !journal_create(&run.journal, renamer->journal)) {
		renamer->troubles++;
		return;
	}
	requests_sort(requests);
	links_sort(links);
	for (size_t i = 0; i < links->count && !interrupted; i++) {
		struct link *link = &links->items[i];

		if (!cursor_enter(&run.cursor, link->dir))
			link_resolve(link, run.cursor.fd, requests);
	}
	rename_each(&run);
	update_links(&run, links);
	strings_free(&run.names.asked);
	if (run.journal.fd >= 0) {
		if (renamer->renamed)
			renamer->journal_path = must(strdup(run.journal.path));
		journal_close(&run.journal, renamer->renamed > 0,
			      !interrupted && !run.lost);
	}
	cursor_close(&run.cursor);
}
