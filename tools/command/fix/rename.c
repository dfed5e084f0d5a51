// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* From names that are wanted to names that are. */
#include "fix/rename.h"

#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "walk/app_data.h"
#include "fix/rename_chain.h"
#include "fix/rename_link.h"
#include "fix/rename_run.h"

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

static void rename_each(struct run *run)
{
	/* whoever is asked expects the rename to be done before the next question */
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
	rename_link_resolve(&run, links);
	rename_each(&run);
	rename_link_update(&run, links);
	strings_free(&run.names.asked);
	if (run.journal.fd >= 0) {
		bool needed = renamer->renamed > 0 || run.stranded;

		if (needed)
			renamer->journal_path = journal_path_now(&run.journal);
		journal_close(&run.journal, needed, !interrupted && !run.lost);
	}
	cursor_close(&run.cursor);
}
