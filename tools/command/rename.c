// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include "rename.h"

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "journal.h"
#include "utf8val.h"

#define NAME_LIMIT 255
#define NUMBER_LIMIT 100000

struct run {
	struct renamer *renamer;
	struct journal journal;
	const struct rename_root *roots;
	size_t root;			/* the one at work */
	/* the directory that is open, as both passes go through them */
	const struct walk_dir *dir;
	int dir_fd;
	/* the one that the journal is in */
	const struct walk_dir *journal_dir;
	size_t journal_root;
	/* names that are taken in this directory: a tree of struct given */
	const struct walk_dir *given_dir;
	void *given;
};

/* A name that was asked for and is taken, if only by what is yet to be done. */
struct given {
	unsigned int next;	/* number to try when it is asked for again */
	char name[];
};

/* Roots in turn, deep directories first, then in the order of their paths. */
static int compare_dirs(const struct walk_dir *a, const struct walk_dir *b)
{
	if (a == b)
		return 0;
	if (a->root != b->root)
		return a->root < b->root ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth > b->depth ? -1 : 1;
	while (a->parent != b->parent) {
		a = a->parent;
		b = b->parent;
	}
	return strcmp(a->name, b->name);
}

static int compare_wrongs(const void *left, const void *right)
{
	const struct wrong *a = left, *b = right;
	int order = compare_dirs(a->dir, b->dir);

	return order ? order : strcmp(a->old, b->old);
}

static int compare_given(const void *left, const void *right)
{
	const struct given *a = left, *b = right;

	return strcmp(a->name, b->name);
}

/* The one of that name; a new one, with next 0, if there is none. */
static struct given *give(struct run *run, const char *name)
{
	size_t size = sizeof(struct given) + strlen(name) + 1;
	struct given *given = must(malloc(size));
	struct given **found;

	given->next = 0;
	memcpy(given->name, name, strlen(name) + 1);
	found = must(tsearch(given, &run->given, compare_given));
	if (*found != given)
		free(given);
	return *found;
}

static void forget_given(struct run *run)
{
	tdestroy(run->given, free);
	run->given = NULL;
}

static bool enter(struct run *run, const struct walk_dir *dir)
{
	if (run->dir == dir)
		return run->dir_fd >= 0;
	if (run->dir_fd >= 0)
		close(run->dir_fd);
	run->dir = dir;
	run->dir_fd = walk_open(dir, run->roots[run->root].fd, false);
	return run->dir_fd >= 0;
}

/*
 * The wanted name or, when that is taken, the n-th of it: the number goes in
 * front of the extension, and the stem gives way, at a character's boundary,
 * when the whole would be too long.
 */
static char *numbered(const struct wrong *wrong, bool shorten)
{
	const char *dot = memrchr(wrong->want, '.', wrong->want_len);
	size_t stem = wrong->want_len, tail;
	char number[16] = "";
	char *name;

	if (wrong->number == 1 && !shorten)
		return must(strndup(wrong->want, wrong->want_len));
	/* a dot file has no stem, and a long "extension" is none */
	if (dot && dot != wrong->want && wrong->want + stem - dot <= 16)
		stem = (size_t)(dot - wrong->want);
	tail = wrong->want_len - stem;
	if (wrong->number > 1)
		snprintf(number, sizeof(number), "-%u", wrong->number);
	if (stem + strlen(number) + tail > NAME_LIMIT) {
		size_t room = NAME_LIMIT - strlen(number) - tail;
		size_t cut = utf8val_floor(wrong->want, stem, room);

		name = must(malloc(NAME_LIMIT + 1));
		sprintf(name, "%.*s%s%.*s", (int)cut, wrong->want, number,
			(int)tail, wrong->want + stem);
		return name;
	}
	name = must(malloc(stem + strlen(number) + tail + 1));
	sprintf(name, "%.*s%s%.*s", (int)stem, wrong->want, number, (int)tail,
		wrong->want + stem);
	return name;
}

/*
 * Find a name that is free: 0, or -errno. Where many wish for one name, each
 * goes on from the number that the last one got.
 */
static int find_name(struct run *run, struct wrong *wrong)
{
	struct given *wish = NULL, *given;
	bool shorten = false;
	struct stat st;

	if (run->given_dir != wrong->dir)
		forget_given(run);
	run->given_dir = wrong->dir;
	while (wrong->number <= NUMBER_LIMIT) {
		int error = 0;

		free(wrong->name);
		wrong->name = numbered(wrong, shorten);
		given = give(run, wrong->name);
		if (!given->next &&
		    fstatat(run->dir_fd, wrong->name, &st, AT_SYMLINK_NOFOLLOW))
			error = errno;
		if (error == ENAMETOOLONG && !shorten &&
		    run->renamer->shorten) {
			shorten = true;
			continue;
		}
		if (error && error != ENOENT)
			return -error;
		if (!given->next)
			given->next = wrong->number + 1;
		if (!wish)
			wish = given;
		if (error) {
			wish->next = wrong->number + 1;
			return 0;
		}
		wrong->number = wish->next > wrong->number ? wish->next :
							     wrong->number + 1;
	}
	return -EEXIST;
}

static void fail(struct run *run, const struct wrong *wrong, int error)
{
	struct text path = { 0 };

	run->renamer->troubles++;
	walk_path(&path, wrong->dir, wrong->old, wrong->old_len);
	if (error == ENAMETOOLONG)
		complain(path.bytes, path.len, "the new name would be too long "
			 "(%zu bytes); --shorten cuts it", wrong->want_len);
	else if (error == EINVAL)
		complain(path.bytes, path.len, "this file system cannot rename "
			 "without the risk of replacing another file");
	else
		complain_errno(path.bytes, path.len, error);
	text_free(&path);
}

static void add_record(struct run *run, struct wrong *wrong)
{
	struct text path = { 0 };

	if (run->journal_dir != wrong->dir) {
		if (!run->journal_dir || run->journal_root != wrong->dir->root)
			journal_root(&run->journal,
				     run->roots[wrong->dir->root].path);
		walk_relative_path(&path, wrong->dir);
		journal_dir(&run->journal, path.bytes, path.len);
		text_free(&path);
		run->journal_dir = wrong->dir;
		run->journal_root = wrong->dir->root;
	}
	wrong->record = journal_name(&run->journal, wrong->old, wrong->old_len,
				     wrong->name, strlen(wrong->name));
}

/* First pass over a batch: find names, fill the journal. */
static void plan(struct run *run, struct wrong **batch, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct wrong *wrong = batch[i];

		wrong->error = enter(run, wrong->dir) ? -find_name(run, wrong) :
							errno;
		if (wrong->error)
			fail(run, wrong, wrong->error);
		else if (run->renamer->apply)
			add_record(run, wrong);
	}
}

/*
 * Second pass: rename. Those whose name has been taken in the meantime come
 * back at the front of the batch, to be tried under another: how many.
 */
static size_t carry_out(struct run *run, struct wrong **batch, size_t count)
{
	size_t again = 0;

	for (size_t i = 0; i < count; i++) {
		struct wrong *wrong = batch[i];

		if (wrong->error)
			continue;
		if (interrupted)
			wrong->error = EINTR;
		else if (!enter(run, wrong->dir) ||
			 renameat2(run->dir_fd, wrong->old, run->dir_fd,
				   wrong->name, RENAME_NOREPLACE))
			wrong->error = errno;
		if (!wrong->error) {
			run->renamer->renamed++;
			rename_print(run->renamer, wrong, false);
			continue;
		}
		journal_failed(&run->journal, wrong->record);
		if (wrong->error == EEXIST && wrong->number < NUMBER_LIMIT) {
			wrong->number++;
			batch[again++] = wrong;
		} else if (wrong->error != EINTR) {
			fail(run, wrong, wrong->error);
		}
	}
	return again;
}

/* One batch; false when the journal cannot be kept. */
static bool run_batch(struct run *run, struct wrong **batch, size_t *count)
{
	size_t again = 0;

	plan(run, batch, *count);
	if (!run->renamer->apply) {
		for (size_t i = 0; i < *count; i++) {
			if (batch[i]->error)
				continue;
			run->renamer->renamed++;
			rename_print(run->renamer, batch[i], false);
		}
	} else {
		if (!journal_commit(&run->journal)) {
			run->renamer->troubles++;
			return false;
		}
		again = carry_out(run, batch, *count);
	}
	*count = again;
	return true;
}

static void rename_each(struct run *run, struct wrong *wrongs, size_t count)
{
	size_t size = run->renamer->batch, filled = 0;
	struct wrong **batch = must(calloc(size, sizeof(*batch)));

	for (size_t i = 0; i < count && !interrupted;) {
		if (!wrongs[i].want) {
			run->renamer->left++;
			rename_print(run->renamer, &wrongs[i++], true);
			continue;
		}
		/* a batch stays below one root */
		if (!filled)
			run->root = wrongs[i].dir->root;
		if (filled < size && wrongs[i].dir->root == run->root) {
			wrongs[i].number = 1;
			batch[filled++] = &wrongs[i++];
			continue;
		}
		if (!run_batch(run, batch, &filled))
			goto out;
	}
	while (filled && !interrupted) {
		if (!run_batch(run, batch, &filled))
			break;
	}
out:
	free(batch);
}

void rename_all(struct renamer *renamer, struct wrong *wrongs, size_t count,
		const struct rename_root *roots)
{
	struct run run = { .renamer = renamer, .roots = roots, .dir_fd = -1,
			   .journal.fd = -1 };

	if (!count)
		return;
	qsort(wrongs, count, sizeof(*wrongs), compare_wrongs);
	if (renamer->apply && !journal_create(&run.journal, renamer->journal)) {
		renamer->troubles++;
		return;
	}
	rename_each(&run, wrongs, count);
	forget_given(&run);
	if (renamer->apply) {
		if (run.journal.names)
			renamer->journal_path = must(strdup(run.journal.path));
		journal_close(&run.journal);
	}
	if (run.dir_fd >= 0)
		close(run.dir_fd);
}
