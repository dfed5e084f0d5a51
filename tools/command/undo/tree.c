// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The tree may belong to somebody other than the user who undoes, and may have
 * been made into a trap since the fix. So the root is opened through no
 * symbolic link, and the root and every directory below must have the device,
 * inode and birth of the journal. Steps of one name with O_NOFOLLOW give what
 * RESOLVE_NO_SYMLINKS and RESOLVE_BENEATH of openat2(2) would, and do so on
 * every kernel.
 */
#include "undo/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "undo/journal.h"

enum root_state { ROOT_UNTRIED, ROOT_OPEN, ROOT_MISSING };

void undo_tree_tell(struct undo *undo, const struct walk_dir *dir,
		    const char *name, const char *message)
{
	struct text path = { 0 };

	undo->troubles++;
	walk_path(&path, dir, name, name ? strlen(name) : 0);
	complain(path.bytes, path.len, "%s", message);
	text_free(&path);
}

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

/*
 * Is fd the root that the journal means? Device numbers can change when a
 * machine starts again; the number that the file system has by its own account
 * decides then.
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

/*
 * Give every directory and file that was on the root's device the device that
 * the root is on now.
 */
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

/*
 * Undo by names alone: any file of the right type and name is taken for the one
 * that was renamed.
 */
static void forget_identities(struct undo *undo)
{
	for (size_t i = 0; i < undo->run.dir_count; i++)
		undo->run.dirs[i]->id = (struct identity){ .type = S_IFDIR };
	for (size_t i = 0; i < undo->run.count; i++) {
		struct journal_record *record = &undo->run.records[i];

		record->id = (struct identity){ .type = record->id.type };
	}
}

/*
 * Open the trees that the command line names: each of them is a root of the
 * journal that has moved.
 */
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

/*
 * Open a root at its old path, unless the command line has named its place.
 * False after a complaint.
 */
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
			undo_tree_tell(undo, root, NULL, why);
			return false;
		}
		undo->open = root;
	}
	if (!undo->options->trust_names)
		set_devices(undo, root);
	return true;
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

/* The records of names that were renamed, sorted; to be freed. */
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

/* Let each directory be found by the name that fix gave it, too. */
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

/*
 * Changing the target of a symbolic link made a new file of it, so the record
 * of its name cannot ask for the old identity: the target decides. Note the old
 * name of such a link, which may have been changed, too.
 */
static void settle_links(struct undo *undo)
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
			link->before = (*found)->old;
			(*found)->id.lasting = false;
			(*found)->id.born = 0;
		}
	}
	free(names);
}

/*
 * In a dry run no root is given its old name back, so let a root that was
 * renamed be found by its new name.
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

bool undo_tree_begin(struct undo *undo)
{
	if (!place_trees(undo))
		return false;
	if (undo->options->trust_names)
		forget_identities(undo);
	if (!undo->options->apply)
		set_root_aliases(undo);
	undo->roots = must(calloc(undo->run.dir_count + 1,
				  sizeof(*undo->roots)));
	set_aliases(undo);
	settle_links(undo);
	return true;
}

bool undo_tree_has_root(struct undo *undo, const struct walk_dir *dir)
{
	const struct walk_dir *root = walk_above(dir, 0);
	size_t number = (size_t)root->record - 1;
	struct walk_dir *open = undo->open;

	/*
	 * Only one root is open at a time, because there can be more roots than
	 * descriptors.
	 */
	if (open && open != root) {
		close(open->fd);
		open->fd = -1;
		undo->roots[open->record - 1] = ROOT_UNTRIED;
		undo->open = NULL;
	}
	if (!undo->roots[number])
		undo->roots[number] = open_root(undo, number) ? ROOT_OPEN :
								ROOT_MISSING;
	return undo->roots[number] == ROOT_OPEN;
}
