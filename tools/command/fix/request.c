// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Requests in their order, and by directory. */
#include "fix/request.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static int compare_requests(const void *left, const void *right)
{
	const struct rename_request *a = left, *b = right;
	int order = a->dir == b->dir ? 0 : walk_compare(a->dir, b->dir);

	return order ? order : strcmp(a->old, b->old);
}

static int compare_dirs(const void *left, const void *right)
{
	const struct request_dir *a = left, *b = right;

	return identity_compare(&a->id, &b->id);
}

static struct rename_request *request_at(const struct request_dir *dir, size_t i)
{
	return dir->merged ? dir->merged[i] : &dir->requests[i];
}

/* Sort requests by their old names; of two for one name, the earlier one comes first. */
static int compare_merged(const void *left, const void *right)
{
	struct rename_request *const *a = left, *const *b = right;
	int order = strcmp((*a)->old, (*b)->old);

	return order ? order : (*a > *b) - (*a < *b);
}

/* Merge neighbouring entries that are the same directory, met in several ways. */
static void merge(struct request_dir *to, const struct request_dir *ways, size_t count)
{
	struct request_dir all = { .id = ways->id };
	size_t room = 0;

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < ways[i].count; k++)
			*array_next(all.merged, all.count, room) =
				&ways[i].requests[k];
	}
	qsort(all.merged, all.count, sizeof(struct rename_request *), compare_merged);
	*to = all;
}

static void find_dirs(struct requests *requests)
{
	size_t ways = 0, end, kept = 0;
	const struct walk_dir *last = NULL;
	struct request_dir *dirs;

	for (size_t i = 0; i < requests->dir_count; i++)
		free(requests->dirs[i].merged);
	for (size_t i = 0; i < requests->count; i++) {
		struct rename_request *request = &requests->items[i];

		if (last != request->dir)
			*array_next(requests->dirs, ways, requests->dir_room) =
				(struct request_dir){ .id = request->dir->id,
						      .requests = request };
		requests->dirs[ways - 1].count++;
		last = request->dir;
	}
	dirs = requests->dirs;
	if (ways)
		qsort(dirs, ways, sizeof(*dirs), compare_dirs);
	for (size_t i = 0; i < ways; i = end) {
		for (end = i + 1; end < ways && !compare_dirs(&dirs[i], &dirs[end]);)
			end++;
		if (end == i + 1)
			dirs[kept++] = dirs[i];
		else
			merge(&dirs[kept++], &dirs[i], end - i);
	}
	requests->dir_count = kept;
}

/*
 * Mark each request whose name was met in another way before, as if the request were
 * done. Return whether there is such a request.
 */
static bool mark_repeated(struct requests *requests)
{
	bool any = false;

	for (size_t i = 0; i < requests->dir_count; i++) {
		const struct request_dir *dir = &requests->dirs[i];

		for (size_t k = 1; dir->merged && k < dir->count; k++) {
			if (strcmp(dir->merged[k - 1]->old, dir->merged[k]->old) != 0)
				continue;
			dir->merged[k]->done = true;
			any = true;
		}
	}
	return any;
}

void requests_sort(struct requests *requests)
{
	size_t kept = 0;

	if (requests->count)
		qsort(requests->items, requests->count,
		      sizeof(*requests->items), compare_requests);
	find_dirs(requests);
	if (!mark_repeated(requests))
		return;
	for (size_t i = 0; i < requests->count; i++) {
		if (!requests->items[i].done)
			requests->items[kept++] = requests->items[i];
	}
	requests->count = kept;
	find_dirs(requests);
}

struct rename_request *requests_find(const struct requests *requests,
				     const struct identity *dir,
				     const char *name)
{
	const struct request_dir key = { .id = *dir }, *found = NULL;
	size_t low = 0, high;

	if (requests->dir_count)
		found = bsearch(&key, requests->dirs, requests->dir_count,
				sizeof(*requests->dirs), compare_dirs);
	high = found ? found->count : 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct rename_request *request = request_at(found, middle);
		int order = strcmp(name, request->old);

		if (!order)
			return request;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}
