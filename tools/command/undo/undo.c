// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* utf8val undo: restores the old names, the last rename first. main.c calls it. */
#include "undo/undo.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/commands.h"
#include "base/interrupt.h"
#include "base/option.h"
#include "base/text.h"
#include "undo/journal.h"
#include "undo/record_print.h"
#include "undo/tree.h"
#include "walk/lock.h"
#include "walk/move.h"

/*
 * For a dry run, the file that would have a name of a directory after the records so
 * far were undone. The table's value is the number of that file's record, from 1, or
 * NOTHING: no file would have the name. NULL: the file that has the name now.
 */
#define NOTHING UINT_MAX

static unsigned int *given(struct undo *undo, const struct walk_dir *dir,
			   const char *name, bool add)
{
	text_auto key = { 0 };
	size_t number;

	text_printf(&key, "%llu/", dir->record);
	text_add(&key, name, strlen(name) + 1);
	number = strings_find(&undo->given, key.bytes);
	if (number == SIZE_MAX && add)
		number = strings_add(&undo->given,
				     arena_copy(&undo->bytes, key.bytes, key.len - 1));
	return number == SIZE_MAX ? NULL : &undo->given.entries[number].value;
}

static void count_done(struct undo *undo, const struct journal_record *record, int error)
{
	const char *name = record->kind == JOURNAL_LINK ? record->name : record->new;

	if (error) {
		undo_tree_tell(undo, record->dir, name,
			  error == EILSEQ ? "the file system enforces UTF-8. Run: utf8val-guard "
				  "set audit MOUNTPOINT, or without the guard: mount "
				  "-o remount,utf8val=audit MOUNTPOINT" :
				  identity_error(error));
		return;
	}
	undo->done++;
	if (!undo->options->quiet)
		record_print(record, undo->options->output, true,
			     undo->options->apply ? "true" : "false");
}

/*
 * Find the identity of the file that has a name; type 0: there is none. Returns: 0, or
 * an errno value.
 */
static int look_up(struct undo *undo, const struct walk_dir *dir, const char *name,
		   struct identity *id)
{
	const unsigned int *value = undo->options->apply ?
					    NULL : given(undo, dir, name, false);
	int error = value ? ENOENT : identity_get(undo->cursor.fd, name, id);

	if (value && *value != NOTHING) {
		*id = undo->run.records[*value - 1].id;
		return 0;
	}
	if (!error)
		return 0;
	*id = (struct identity){ 0 };
	return error == ENOENT ? 0 : error;
}

/*
 * Is the file that was found the expected one? If the journal has no type, any type
 * matches.
 */
static bool is_it(const struct identity *found, struct identity meant)
{
	if (!meant.type)
		meant.type = found->type;
	return found->type && identity_same(found, &meant);
}

/* Restore the name of the file that has the new one; in a dry run, only record that. */
static int restore_name(struct undo *undo, struct journal_record *record,
			struct identity new, bool has_both)
{
	if (!undo->options->apply) {
		*given(undo, record->dir, record->new, true) = NOTHING;
		*given(undo, record->dir, record->old, true) =
			(unsigned int)(record - undo->run.records) + 1;
		record->id = new;
		return 0;
	}
	cursor_keep_times(&undo->cursor);
	/* a birth that is not in the journal may change with the rename */
	if (!record->id.born)
		new.born = 0;
	/* fix was stopped between linkat(2) and unlinkat(2), so one file has both names */
	if (has_both)
		return unlinkat(undo->cursor.fd, record->new, 0) ? errno : 0;
	return move_name(undo->cursor.fd, record->new, record->old, &new);
}

static void undo_name(struct undo *undo, struct journal_record *record)
{
	struct identity new, old, first = { 0 };
	int error = look_up(undo, record->dir, record->new, &new);

	if (!error)
		error = look_up(undo, record->dir, record->old, &old);
	if (!error && !old.type && record->before)
		error = look_up(undo, record->dir, record->before, &first);
	if (error) {
		undo_tree_tell(undo, record->dir, record->new, identity_error(error));
		return;
	}
	if (!new.type && !old.type && !first.type) {
		undo_tree_tell(undo, record->dir, record->new,
			  "neither this name nor the old one exists");
		return;
	}
	/* The file was never renamed, or its name was restored already. */
	if ((is_it(&old, record->id) || is_it(&first, record->id)) &&
	    (!new.type || undo->run.undone ||
	     (record->id.lasting && !is_it(&new, record->id))))
		return;
	if (!new.type) {
		undo_tree_tell(undo, record->dir, record->old,
			  "this is not the file that was renamed");
		return;
	}
	if (!is_it(&new, record->id)) {
		undo_tree_tell(undo, record->dir, record->new,
			  "this is not the file that was renamed; it keeps its "
			  "name");
		return;
	}
	/*
	 * In a dry run, a file system that ignores case finds the same file by both
	 * names if the file had an intermediate name.
	 */
	if (old.type && !(identity_same(&old, &new) &&
			  (!undo->options->apply ||
			   (old.lasting && !S_ISDIR(new.type) && record->id.lasting)))) {
		undo_tree_tell(undo, record->dir, record->new,
			  "the old name also exists; both are left as they are");
		return;
	}
	count_done(undo, record, restore_name(undo, record, new, old.type != 0));
}

static void undo_link(struct undo *undo, const struct journal_record *record)
{
	int fd = undo->cursor.fd, error = 0;
	char *target = move_read_target(fd, record->name), *scratch;
	bool apply = undo->options->apply;
	struct journal_record by_old_name;

	/* An earlier undo may have restored the link's own name. */
	if (record->before && (undo->run.undone || (!target && errno == ENOENT))) {
		free(target);
		by_old_name = *record;
		by_old_name.name = (char *)(uintptr_t)record->before;
		record = &by_old_name;
		target = move_read_target(fd, record->name);
	}
	/* ENOENT: the name does not exist. EINVAL: it is not a link's. */
	if (!target && errno != ENOENT && errno != EINVAL) {
		undo_tree_tell(undo, record->dir, record->name, identity_error(errno));
		return;
	}
	scratch = move_read_target(fd, record->scratch);
	/* Remove the scratch link that remains if fix was stopped in the middle. */
	if (apply && scratch && (!strcmp(scratch, record->old) ||
				 !strcmp(scratch, record->new)))
		unlinkat(fd, record->scratch, 0);
	if (target && !strcmp(target, record->new)) {
		if (apply) {
			cursor_keep_times(&undo->cursor);
			error = move_target(fd, record->name, record->new,
					    record->old, record->scratch);
		}
		count_done(undo, record, error);
	} else if (!target || strcmp(target, record->old) != 0) {
		undo_tree_tell(undo, record->dir, record->name,
			  "this is not the link that was changed");
	}
	free(target);
	free(scratch);
}

static void undo_record(struct undo *undo, struct journal_record *record)
{
	int error;

	if (undo->lost == record->dir || !undo_tree_has_root(undo, record->dir))
		return;
	error = cursor_enter(&undo->cursor, record->dir);
	if (error) {
		undo->lost = record->dir;
		undo_tree_tell(undo, record->dir, NULL, identity_error(error));
	} else if (record->kind == JOURNAL_LINK) {
		undo_link(undo, record);
	} else {
		undo_name(undo, record);
	}
}

/* Report what a user must know before they trust that everything is undone. */
static void warn(struct undo *undo)
{
	const char *path = undo->options->journal;

	if (undo->run.cut) {
		undo->troubles++;
		complain(path, strlen(path), "the end of this journal is "
			 "missing; the renames recorded there are not undone");
	} else if (!undo->run.count) {
		undo->troubles++;
		complain(path, strlen(path), "this journal has no rename");
	} else if (!undo->run.ended && !undo->options->quiet) {
		complain(path, strlen(path), "the run that wrote this journal was stopped before "
			 "its end");
	}
}

static bool lock_roots(const struct undo *undo)
{
	const char **paths = must(calloc(2 * undo->run.dir_count + 1, sizeof(*paths)));
	size_t count = 0;
	bool good;

	for (size_t i = 0; i < undo->run.dir_count; i++) {
		const struct walk_dir *dir = undo->run.dirs[i];

		if (dir->depth)
			continue;
		paths[count++] = dir->alias ? dir->alias : dir->name;
		if (!dir->alias && undo->new_roots[i])
			paths[count++] = undo->new_roots[i];
	}
	good = lock_trees(paths, count);
	free(paths);
	return good;
}

static bool begin(struct undo *undo)
{
	const struct undo_options *options = undo->options;

	if (!journal_read(options->journal, &undo->run))
		return false;
	if (!undo_tree_begin(undo))
		return false;
	if (options->apply && !options->no_lock && !lock_roots(undo))
		return false;
	warn(undo);
	return true;
}

/*
 * Synchronise the names to the disk before the journal records that they were restored:
 * the journal may be on another file system. If the device is unknown (--trust-names) or
 * the directory cannot be opened, all file systems are synchronised.
 */
static void sync_names(struct undo *undo)
{
	const struct walk_dir *last = NULL;

	for (size_t i = 0; i < undo->run.count; i++) {
		const struct journal_record *record = &undo->run.records[i];
		int fd = -1;

		if (record->failed || (last && last->id.dev == record->dir->id.dev))
			continue;
		last = record->dir;
		if (last->id.dev && undo_tree_has_root(undo, last) &&
		    !cursor_enter(&undo->cursor, last))
			fd = openat(undo->cursor.fd, ".",
				    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0)
			sync();
		else if (syncfs(fd))
			undo_tree_tell(undo, last, NULL, strerror(errno));
		if (fd >= 0)
			close(fd);
	}
}

/*
 * Restore the old names of a journal. Returns: an exit status.
 *
 * The newest name is restored first, so a parent comes before its children. Nothing is
 * overwritten, only the recorded file is renamed, and no symbolic link is followed. An
 * undo can be interrupted and repeated, because the directory shows which names were
 * restored.
 */
static int undo(const struct undo_options *options)
{
	struct undo undo = { .options = options };
	bool good, marks;

	if (!begin(&undo)) {
		journal_free(&undo.run);
		return STATUS_TROUBLE;
	}
	for (size_t i = undo.run.count; i-- > 0 && !interrupted;) {
		struct journal_record *record = &undo.run.records[i];

		if (!record->failed && undo_tree_has(&undo, record))
			undo_record(&undo, record);
	}
	marks = options->apply && !undo.chosen && !undo.run.undone && !undo.troubles &&
		!interrupted;
	if (marks)
		sync_names(&undo);
	cursor_close(&undo.cursor);
	fflush(stdout);
	if (!options->quiet || interrupted)
		fprintf(stderr, "utf8val: %llu %s, %llu failed\n", undo.done,
			options->apply ? "restored" : "to restore",
			undo.troubles);
	good = !undo.troubles && !interrupted;
	if (good && marks)
		journal_add_undone(options->journal, &undo.run);
	journal_free(&undo.run);
	free(undo.roots);
	free(undo.new_roots);
	free(undo.chosen);
	free(undo.names);
	strings_free(&undo.given);
	arena_free(&undo.bytes);
	return good ? STATUS_GOOD : STATUS_TROUBLE;
}

int undo_main(int argc, char **argv)
{
	struct undo_options options = { .apply = true };
	bool dry_run = false, last = false;
	const struct command_option table[] = {
		{ 'n', "dry-run", NULL, "Restore nothing, only print what would be",
		  .flag = &dry_run },
		OPTION_JSON(&options.output),
		{ 0, "last", NULL, "Instead of JOURNAL: your own newest one",
		  .flag = &last },
		{ 0, "no-lock", NULL, NULL, .flag = &options.no_lock },
		{ '0', "null", NULL,
		  "Print the paths and the old names raw, each terminated by NUL",
		  .number = &options.output, .value = OUTPUT_NULL },
		{ 'q', "quiet", NULL, "Print only errors", .flag = &options.quiet },
		{ 0, "trust-names", NULL,
		  "Compare only names, for a copy of the tree, not the identity of files",
		  .flag = &options.trust_names },
		{ 0 },
	};
	const struct usage usage = {
		.operands = "JOURNAL [PATH...]",
		.or_operands = "--last [PATH...]",
		.does = "Restore the names that fix has changed, by its journal: all of them, "
			"or those at and below each PATH. A tree that has moved is given as "
			"PATH. Nothing is overwritten, and undo can be repeated. "
			"utf8val journal lists the journals.",
		.statuses = "0 if all names are restored, or can be, else 2.",
		.options = table,
	};
	char **operands = argv + options_parse(argc, argv, &usage), *found = NULL;
	int status;

	if (!last && !*operands) {
		journal_complain_missing();
		return STATUS_TROUBLE;
	}
	/* if nobody reads the output, all names must still be restored */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	interrupt_catch();
	found = last ? journal_last() : NULL;
	if (last && !found)
		return STATUS_TROUBLE;
	options.journal = last ? found : *operands++;
	options.paths = operands;
	options.apply = !dry_run;
	status = undo(&options);
	free(found);
	return status;
}
