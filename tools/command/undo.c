// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The tree may belong to somebody else than who undoes, and may have been made
 * into a trap since: the root is opened through no symbolic link and has to be
 * the directory of that device, inode and birth, and so has everything below
 * it. Steps of one name with O_NOFOLLOW give what RESOLVE_NO_SYMLINKS and
 * RESOLVE_BENEATH of openat2(2) would, and on every kernel.
 */
#include "undo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "cursor.h"
#include "journal.h"
#include "move.h"
#include "options.h"
#include "text.h"

struct undo {
	const struct undo_options *options;
	struct journal_run run;
	struct cursor cursor;
	const struct walk_dir *lost;	/* could not be entered, and was told */
	unsigned char *roots;	/* of each directory: an enum sought */
	struct walk_dir *open;	/* a root that is open for now, or NULL */
	unsigned long long done, troubles;
};

enum sought { NOT_YET, FOUND, MISSING };

/* Open an absolute path through no symbolic link at all. */
static int open_path(const char *path)
{
	int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = open("/", flags);
	char *copy = must(strdup(path));
	char *rest = copy, *name;

	while (fd >= 0 && (name = strsep(&rest, "/"))) {
		int next, error;

		if (!*name)
			continue;
		next = openat(fd, name, flags);
		error = errno;
		close(fd);
		errno = error;
		fd = next;
	}
	free(copy);
	return fd;
}

static void trouble(struct undo *undo, const struct walk_dir *dir,
		    const char *name, const char *message)
{
	struct text path = { 0 };

	undo->troubles++;
	walk_path(&path, dir, name, name ? strlen(name) : 0);
	complain(path.bytes, path.len, "%s", message);
	text_free(&path);
}

/*
 * Is this the root that the journal means? Device numbers can change when a
 * machine starts again; then the file system's own number decides.
 */
static bool is_root(const struct undo *undo, size_t number, int fd)
{
	const struct walk_dir *root = undo->run.dirs[number];
	unsigned long long file_system = undo->run.file_systems[number];
	struct identity id;

	if (identity_get(fd, "", &id))
		return false;
	if (file_system && file_system == journal_file_system(fd))
		id.dev = root->id.dev;
	return identity_same(&id, &root->id);
}

/* What is on the root's device is on the device that the root is on now. */
static void set_devices(struct undo *undo, struct walk_dir *root)
{
	uint64_t was = root->id.dev;
	struct identity now;

	if (identity_get(root->fd, "", &now) || now.dev == was)
		return;
	for (size_t i = 0; i < undo->run.dir_count; i++) {
		struct walk_dir *dir = undo->run.dirs[i];

		if (dir->id.dev == was && walk_above(dir, 0) == root)
			dir->id.dev = now.dev;
	}
	for (size_t i = 0; i < undo->run.count; i++) {
		struct journal_record *record = &undo->run.records[i];

		if (record->id.dev == was &&
		    walk_above(record->dir, 0) == root)
			record->id.dev = now.dev;
	}
}

/* By names alone: whatever is found is what was meant, but for its type. */
static void forget_identities(struct undo *undo)
{
	for (size_t i = 0; i < undo->run.dir_count; i++)
		undo->run.dirs[i]->id = (struct identity){ .type = S_IFDIR };
	for (size_t i = 0; i < undo->run.count; i++) {
		struct journal_record *record = &undo->run.records[i];

		record->id = (struct identity){ .type = record->id.type };
	}
}

/* The trees that have been named are roots, each at another place now. */
static bool place_trees(struct undo *undo)
{
	const struct undo_options *options = undo->options;
	struct walk_dir **dirs = undo->run.dirs;

	for (size_t i = 0; options->trees[i]; i++) {
		const char *tree = options->trees[i];
		int fd = open(tree, O_PATH | O_DIRECTORY | O_CLOEXEC);
		size_t roots = 0, only = 0, k;

		if (fd < 0) {
			complain_errno(tree, strlen(tree), errno);
			return false;
		}
		for (k = 0; k < undo->run.dir_count; k++) {
			if (dirs[k]->depth)
				continue;
			roots++;
			only = k;
			if (!options->trust_names && is_root(undo, k, fd))
				break;
		}
		if (k == undo->run.dir_count && options->trust_names &&
		    roots == 1)
			k = only;
		if (k == undo->run.dir_count) {
			close(fd);
			complain(tree, strlen(tree),
				 options->trust_names ?
				 "the journal is about more than one tree, and "
				 "names do not tell which this is" :
				 "the journal is about another tree; if this "
				 "is a copy of it, --trust-names goes by names "
				 "alone");
			return false;
		}
		if (dirs[k]->fd >= 0)
			close(dirs[k]->fd);
		dirs[k]->fd = fd;
		dirs[k]->alias = tree;
	}
	return true;
}

/* Open a root where it was, unless it has been named; false when told why. */
static bool open_root(struct undo *undo, size_t number)
{
	struct walk_dir *root = undo->run.dirs[number];
	const char *why = "this is not the directory that was worked on; it "
			  "stays as it is";

	if (root->fd < 0) {
		root->fd = open_path(undo->options->apply || !root->alias ?
					     root->name :
					     root->alias);
		if (root->fd < 0)
			why = errno == ELOOP || errno == ENOTDIR ?
				      "a symbolic link stands in the way of "
				      "this tree" :
				      strerror(errno);
		else if (!undo->options->trust_names &&
			 !is_root(undo, number, root->fd)) {
			close(root->fd);
			root->fd = -1;
		}
		if (root->fd < 0) {
			trouble(undo, root, NULL, why);
			return false;
		}
		undo->open = root;
	}
	if (!undo->options->trust_names)
		set_devices(undo, root);
	return true;
}

/*
 * Is the root of a directory open? It may be found only when its own name, by
 * a later record, has been given back; a dry run looks for its new name.
 */
static bool has_root(struct undo *undo, const struct walk_dir *dir)
{
	const struct walk_dir *root = walk_above(dir, 0);
	size_t number = root->record - 1;
	struct walk_dir *open = undo->open;

	/* there can be more of them than descriptors */
	if (open && open != root) {
		close(open->fd);
		open->fd = -1;
		undo->roots[open->record - 1] = NOT_YET;
		undo->open = NULL;
	}
	if (!undo->roots[number])
		undo->roots[number] = open_root(undo, number) ? FOUND : MISSING;
	return undo->roots[number] == FOUND;
}

static int compare_names(const struct walk_dir *dir_a, const char *a,
			 const struct walk_dir *dir_b, const char *b)
{
	if (dir_a != dir_b)
		return dir_a < dir_b ? -1 : 1;
	return strcmp(a, b);
}

static int compare_old(const void *left, const void *right)
{
	const struct journal_record *a = *(struct journal_record *const *)left;
	const struct journal_record *b = *(struct journal_record *const *)right;

	return compare_names(a->dir, a->old, b->dir, b->old);
}

static int compare_new(const void *left, const void *right)
{
	const struct journal_record *a = *(struct journal_record *const *)left;
	const struct journal_record *b = *(struct journal_record *const *)right;

	return compare_names(a->dir, a->new, b->dir, b->new);
}

/* Names that were renamed, in an order; to be freed. */
static struct journal_record **sort_names(const struct undo *undo,
					  int (*compare)(const void *,
							 const void *),
					  size_t *count)
{
	struct journal_record **names =
		must(calloc(undo->run.count + 1, sizeof(*names)));

	*count = 0;
	for (size_t i = 0; i < undo->run.count; i++) {
		struct journal_record *record = &undo->run.records[i];

		if (record->kind == JOURNAL_NAME && !record->failed)
			names[(*count)++] = record;
	}
	qsort(names, *count, sizeof(struct journal_record *), compare);
	return names;
}

/* A directory on the way may have the name that fix gave it. */
static void set_aliases(struct undo *undo)
{
	size_t count;
	struct journal_record **names = sort_names(undo, compare_old, &count);

	for (size_t i = 0; i < undo->run.dir_count; i++) {
		struct walk_dir *dir = undo->run.dirs[i];
		struct journal_record key = { .dir = dir->parent,
					      .old = dir->name };
		struct journal_record *pointer = &key, **found;

		found = bsearch(&pointer, names, count,
				sizeof(struct journal_record *), compare_old);
		if (found && dir->parent)
			dir->alias = (*found)->new;
	}
	free(names);
}

/* A link whose target was changed is another file since: its target counts. */
static void forget_links(struct undo *undo)
{
	size_t count;
	struct journal_record **names = sort_names(undo, compare_new, &count);

	for (size_t i = 0; i < undo->run.count; i++) {
		struct journal_record *link = &undo->run.records[i];
		struct journal_record key = { .dir = link->dir,
					      .new = link->name };
		struct journal_record *pointer = &key, **found;

		if (link->kind != JOURNAL_LINK)
			continue;
		found = bsearch(&pointer, names, count,
				sizeof(struct journal_record *), compare_new);
		if (found) {
			(*found)->id.lasting = false;
			(*found)->id.born = 0;
		}
	}
	free(names);
}

/*
 * A root whose own name was changed has that name while nothing is given back:
 * a dry run finds it so.
 */
static void set_root_aliases(struct undo *undo)
{
	size_t count;
	struct journal_record **names = sort_names(undo, compare_old, &count);

	for (size_t i = 0; i < count; i++) {
		const struct walk_dir *above = names[i]->dir;
		struct text old = { 0 }, new = { 0 };

		if (above->depth || !S_ISDIR(names[i]->id.type))
			continue;
		walk_path(&old, above, names[i]->old, strlen(names[i]->old));
		walk_path(&new, above, names[i]->new,
			  strlen(names[i]->new) + 1);
		for (size_t k = 0; k < undo->run.dir_count; k++) {
			struct walk_dir *root = undo->run.dirs[k];

			if (!root->depth && !root->alias &&
			    root->len == old.len &&
			    !memcmp(root->name, old.bytes, old.len))
				root->alias = must(strdup(new.bytes));
		}
		text_free(&old);
		text_free(&new);
	}
	free(names);
}

static void say(const struct undo *undo, const struct journal_record *record)
{
	bool link = record->kind == JOURNAL_LINK;
	const char *name = link ? record->name : record->new;
	struct text path = { 0 }, line = { 0 };

	if (undo->options->quiet)
		return;
	walk_path(&path, record->dir, name, strlen(name));
	switch (undo->options->output) {
	case OUTPUT_TEXT:
		text_escape(&line, path.bytes, path.len);
		if (link) {
			text_puts(&line, ": points to ");
			text_escape(&line, record->new, strlen(record->new));
		}
		text_puts(&line, " -> ");
		text_escape(&line, record->old, strlen(record->old));
		text_puts(&line, "\n");
		break;
	case OUTPUT_JSON:
		text_puts(&line, "{\"path\":");
		text_json(&line, path.bytes, path.len);
		text_puts(&line, link ? ",\"target\":" : ",\"name\":");
		text_json(&line, record->new, strlen(record->new));
		text_puts(&line, ",\"to\":");
		text_json(&line, record->old, strlen(record->old));
		text_printf(&line, ",\"done\":%s}\n",
			    undo->options->apply ? "true" : "false");
		break;
	case OUTPUT_NULL:
		if (link)
			break;
		text_add(&line, path.bytes, path.len);
		text_add(&line, "", 1);
		text_add(&line, record->old, strlen(record->old) + 1);
		break;
	}
	text_emit(&line);
	text_free(&path);
	text_free(&line);
}

static void count_done(struct undo *undo, const struct journal_record *record,
		       int error)
{
	const char *name = record->kind == JOURNAL_LINK ? record->name :
							  record->new;

	if (error) {
		trouble(undo, record->dir, name,
			error == EILSEQ ?
				"the mount enforces UTF-8; remount it with "
				"utf8val=audit first" :
				identity_error(error));
		return;
	}
	undo->done++;
	say(undo, record);
}

/* What has the name; its type is 0 when there is nothing. */
static struct identity look_up(const struct undo *undo, const char *name)
{
	struct identity id = { 0 };

	identity_get(undo->cursor.fd, name, &id);
	return id;
}

/* Is it the one? Without a type in the journal, every type will do. */
static bool is_it(const struct identity *found, struct identity meant)
{
	if (!meant.type)
		meant.type = found->type;
	return found->type && identity_same(found, &meant);
}

static void undo_name(struct undo *undo, const struct journal_record *record)
{
	struct identity new = look_up(undo, record->new);
	struct identity old = look_up(undo, record->old);
	int error = 0;

	if (!new.type && !old.type) {
		trouble(undo, record->dir, record->new,
			"neither it nor the old name is there");
		return;
	}
	/* never renamed, or given back already */
	if (is_it(&old, record->id) &&
	    (!new.type ||
	     (record->id.lasting && !is_it(&new, record->id))))
		return;
	if (!new.type) {
		trouble(undo, record->dir, record->old,
			"this is another file than the one that was renamed");
		return;
	}
	if (!is_it(&new, record->id)) {
		trouble(undo, record->dir, record->new,
			"this is another file than the one that was renamed; "
			"it keeps its name");
		return;
	}
	if (old.type && !(identity_same(&old, &new) && old.lasting &&
			  !S_ISDIR(new.type) && record->id.lasting)) {
		trouble(undo, record->dir, record->new,
			"the old name is there too; both stay as they are");
		return;
	}
	if (undo->options->apply) {
		cursor_keep_times(&undo->cursor);
		/* one file by both names: fix was stopped between two links */
		if (old.type)
			error = unlinkat(undo->cursor.fd, record->new, 0) ?
					errno : 0;
		else
			error = move_name(undo->cursor.fd, record->new,
					  record->old, &new);
	}
	count_done(undo, record, error);
}

static void undo_link(struct undo *undo, const struct journal_record *record)
{
	int fd = undo->cursor.fd, error = 0;
	char *target = move_read_target(fd, record->name);
	char *scratch = move_read_target(fd, record->scratch);
	bool apply = undo->options->apply;

	/* what was left when fix was stopped in the middle */
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
		trouble(undo, record->dir, record->name,
			"this is another link than the one that was changed");
	}
	free(target);
	free(scratch);
}

static void undo_record(struct undo *undo, const struct journal_record *record)
{
	int error;

	if (undo->lost == record->dir || !has_root(undo, record->dir))
		return;
	error = cursor_enter(&undo->cursor, record->dir);
	if (error) {
		undo->lost = record->dir;
		trouble(undo, record->dir, NULL, identity_error(error));
	} else if (record->kind == JOURNAL_LINK) {
		undo_link(undo, record);
	} else {
		undo_name(undo, record);
	}
}

/* What a reader must know before they trust that all of it is undone. */
static void warn(struct undo *undo)
{
	const char *path = undo->options->journal;

	if (undo->run.cut) {
		undo->troubles++;
		complain(path, strlen(path), "the end of this journal is "
			 "missing: what it held is not undone");
	} else if (!undo->run.count) {
		undo->troubles++;
		complain(path, strlen(path), "this journal holds no name");
	} else if (undo->run.version > 1 && !undo->run.ended &&
		   !undo->options->quiet) {
		complain(path, strlen(path),
			 "the run that wrote this was stopped");
	}
}

static bool begin(struct undo *undo)
{
	const struct undo_options *options = undo->options;

	if (!journal_read(options->journal, &undo->run))
		return false;
	if (undo->run.version == 1 && !options->trust_names) {
		complain(options->journal, strlen(options->journal),
			 "this journal of an older version does not say which "
			 "files were renamed; --trust-names goes by names "
			 "alone");
		return false;
	}
	if (!place_trees(undo))
		return false;
	if (options->trust_names)
		forget_identities(undo);
	if (!options->apply)
		set_root_aliases(undo);
	undo->roots = must(calloc(undo->run.dir_count + 1,
				  sizeof(*undo->roots)));
	set_aliases(undo);
	forget_links(undo);
	warn(undo);
	return true;
}

int undo(const struct undo_options *options)
{
	struct undo undo = { .options = options };
	bool good;

	if (!begin(&undo)) {
		journal_free(&undo.run);
		return STATUS_TROUBLE;
	}
	for (size_t i = undo.run.count; i-- > 0 && !interrupted;) {
		if (!undo.run.records[i].failed)
			undo_record(&undo, &undo.run.records[i]);
	}
	cursor_close(&undo.cursor);
	fflush(stdout);
	if (!options->quiet || interrupted)
		fprintf(stderr, "utf8val: %llu %s, %llu troubles\n", undo.done,
			options->apply ? "given back" : "to give back",
			undo.troubles);
	good = !undo.troubles && !interrupted;
	if (good && options->apply && !undo.run.undone)
		journal_add_undone(options->journal, &undo.run);
	journal_free(&undo.run);
	free(undo.roots);
	return good ? STATUS_GOOD : STATUS_TROUBLE;
}
