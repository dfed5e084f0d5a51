// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Requests for new names, in their order and by file. fix/choose.c adds them;
 * fix/rename.c and fix/link.c look them up.
 */
#include "fix/request.h"

#include <stdlib.h>
#include <string.h>

static int compare_requests(const void *left, const void *right)
{
	const struct rename_request *a = left, *b = right;
	int order = a->dir == b->dir ? 0 : walk_compare(a->dir, b->dir);

	return order ? order : strcmp(a->old, b->old);
}

static int compare_files(const void *left, const void *right)
{
	const struct rename_request *a = *(struct rename_request *const *)left;
	const struct rename_request *b = *(struct rename_request *const *)right;
	int order = a->dir == b->dir ? 0 : identity_compare(&a->dir->id, &b->dir->id);

	return order ? order : strcmp(a->old, b->old);
}

/* The same order; of two requests for one file, the earlier one comes first. */
static int compare_all(const void *left, const void *right)
{
	struct rename_request *const *a = left, *const *b = right;
	int order = compare_files(left, right);

	return order ? order : (*a > *b) - (*a < *b);
}

void requests_sort(struct requests *requests)
{
	struct rename_request **files;

	if (!requests->count)
		return;
	qsort(requests->items, requests->count, sizeof(*requests->items),
	      compare_requests);
	files = must(calloc(requests->count, sizeof(*files)));
	for (size_t i = 0; i < requests->count; i++)
		files[i] = &requests->items[i];
	qsort(files, requests->count, sizeof(*files), compare_all);
	for (size_t i = 0; i < requests->count; i++) {
		if (i && !compare_files(&files[requests->file_count - 1], &files[i]))
			files[i]->number = 1; /* as if it were carried out */
		else
			files[requests->file_count++] = files[i];
	}
	requests->files = files;
}

struct rename_request *requests_find(const struct requests *requests,
				     const struct identity *dir,
				     const char *name)
{
	struct walk_dir place = { .id = *dir };
	struct rename_request key = { .dir = &place, .old = name };
	struct rename_request *pointer = &key, **found = NULL;

	if (requests->file_count)
		found = bsearch(&pointer, requests->files, requests->file_count,
				sizeof(*requests->files), compare_files);
	return found ? *found : NULL;
}
