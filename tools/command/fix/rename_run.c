// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The execution of renames in batches: free names, journal, renames. fix/rename.c and
 * fix/link.c call it.
 */
#include "fix/rename_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "fix/rename_print.h"
#include "walk/move.h"

const char *const run_between = "on its way";

static int find_name(struct run *run, struct rename_request *request)
{
	return free_names_find(&run->names, &run->requests->bytes,
			       run->cursor.fd, request, run->renamer->shorten);
}

void run_fail(struct run *run, const struct walk_dir *dir, const char *name, int error)
{
	const char *message = identity_error(error);

	run->renamer->troubles++;
	if (error == ENAMETOOLONG)
		message = "the new name would be too long; --shorten cuts it";
	else if (error == JOURNAL_DEEP)
		message = "the path of its tree from / is too long for the journal; "
			  "change to that directory and name .";
	else if (error == ENOTSUP)
		message = "this file system cannot rename without the risk of "
			  "replacing another file";
	walk_complain(dir, name, message);
}

void run_leave(struct run *run, struct rename_request *request, const char *why)
{
	if (why)
		request->how = why;
	run->renamer->left++;
	rename_print(run->renamer, request, true);
}

/* Ask whether to rename a file; one answer may be meant for the rest of the run. */
static bool asked(struct run *run, const struct rename_request *request)
{
	text_auto line = { 0 }, path = { 0 };
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
	/*
	 * A terminal gives a line at a time, so nothing is left in stdin's buffer; and
	 * getline(3) goes on after a signal.
	 */
	if ((!isatty(STDIN_FILENO) || interrupt_wait(STDIN_FILENO)) &&
	    getline(&answer, &room, stdin) > 0)
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

/*
 * Add a record of the request to the journal, with the file's identity, its name now and
 * its new name: 0, or an errno value.
 */
static int add_record(struct run *run, struct pending *pending)
{
	const struct rename_request *request = pending->request;
	int error;

	if (!run->renamer->apply)
		return 0;
	error = identity_get(run->cursor.fd, pending->from, &pending->id);
	if (error)
		return error;
	identity_settle_in(&request->dir->id, &pending->id);
	return journal_name(&run->journal, request->dir, &pending->id,
			    pending->from, request->name, &pending->record);
}

/*
 * The first round of a batch: find a free name for each request, and add its record to the
 * journal. Return how many requests remain to be carried out.
 */
static size_t plan(struct run *run, struct pending *batch, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct rename_request *request = batch[i].request;
		int error = cursor_enter(&run->cursor, request->dir);

		request->number = 1;
		if (!error) {
			free_names_enter(&run->names, request->dir);
			error = find_name(run, request);
		}
		if (!error && run->renamer->ask && request->how != run_between &&
		    !asked(run, request)) {
			run_leave(run, request, "not wanted");
			if (run->stopped)
				break;
			continue;
		}
		if (!error)
			error = add_record(run, &batch[i]);
		if (error)
			run_fail(run, request->dir, request->old, error);
		else
			batch[kept++] = batch[i];
	}
	return kept;
}

bool run_commit(struct run *run)
{
	if (journal_commit(&run->journal))
		return true;
	run->renamer->troubles++;
	run->stopped = true;
	run->lost = true;
	return false;
}

/* Find a free name, and have its record in the journal on the disk. */
static int plan_one(struct run *run, struct pending *pending)
{
	int error = find_name(run, pending->request);

	if (!error)
		error = add_record(run, pending);
	return !error && !run_commit(run) ? ECANCELED : error;
}

/*
 * Rename one file. If somebody has taken the new name meanwhile, the file gets the name
 * with the next number.
 */
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
		error = plan_one(run, pending);
		if (error)
			return error;
	}
}

/* Count a request that was carried out or, in a dry run, would be. */
static void count_done(struct run *run, const struct pending *pending)
{
	struct rename_request *request = pending->request;

	request->done = true;
	/* another file may get the old name now, which a dry run has to know, too */
	if (run->renamer->may_wait)
		free_names_vacate(&run->names, request->dir, pending->from);
	if (request->how == run_between)
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
			run_fail(run, request->dir, request->old, error);
	}
}

void run_finish_batch(struct run *run)
{
	size_t count = run->batch_count;

	run->batch_count = 0;
	if (!count || interrupted || run->stopped)
		return;
	count = plan(run, run->batch, count);
	if (!run->renamer->apply) {
		for (size_t i = 0; i < count; i++)
			count_done(run, &run->batch[i]);
	} else if (count && run_commit(run)) {
		carry_out(run, run->batch, count);
	}
}

void run_add(struct run *run, struct rename_request *request, const char *from)
{
	run->batch[run->batch_count++] =
		(struct pending){ .request = request, .from = from };
	if (run->batch_count == run->batch_size)
		run_finish_batch(run);
}

int run_rename(struct run *run, struct pending *pending)
{
	int error = cursor_enter(&run->cursor, pending->request->dir);

	if (!error)
		error = plan_one(run, pending);
	return error ? error : carry_out_one(run, pending);
}
