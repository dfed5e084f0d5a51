// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Chains and circles of renames. */
#include "fix/rename_chain.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"

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
 * What has a name between and does not get the wanted one gets its own back, also when
 * nothing more is to be renamed.
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
		 "it could not get its own name back; see --undo");
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

void rename_chain(struct run *run, struct rename_request *first)
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
