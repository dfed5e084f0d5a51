// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The tree may belong to somebody other than the user who undoes, and may have been made
 * into a trap since the fix. So the root is opened through no symbolic link, and the root
 * and every directory below must have the device, inode and birth of the journal. Steps
 * of one name with O_NOFOLLOW give what RESOLVE_NO_SYMLINKS and RESOLVE_BENEATH of
 * openat2(2) would, and do so on every kernel.
 */
#include "undo/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
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
	undo->troubles++;
	walk_complain(dir, name, message);
}

/*
 * Is fd the root that the journal means? Device numbers can change when a machine starts
 * again; the number that the file system has by its own account decides then.
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

		if (record->id.dev == was && walk_above(record->dir, 0) == root)
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
		if (k == undo->run.dir_count && options->trust_names && roots == 1)
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
 * Open a root at its old path, or at the new one while its own name is not given back,
 * unless the command line has named its place. False after a complaint.
 */
static bool open_root(struct undo *undo, size_t number)
{
	struct walk_dir *root = undo->run.dirs[number];
	const char *const paths[] = { root->name, undo->new_roots[number], NULL };
	const char *why = NULL;

	for (size_t i = 0; root->fd < 0 && paths[i]; i++) {
		const char *problem = NULL;

		root->fd = walk_open_straight(paths[i]);
		root->alias = i ? paths[i] : NULL;
		undo->open = root;
		if (root->fd < 0) {
			problem = errno == ELOOP || errno == ENOTDIR ?
					  "a symbolic link stands in the way of "
					  "this tree" :
					  strerror(errno);
		} else if (!undo->options->trust_names &&
			   !is_root(undo, number, root->fd)) {
			problem = "this is not the directory that was worked on; "
				  "it stays as it is";
			close(root->fd);
			root->fd = -1;
		}
		why = why ? why : problem;
	}
	if (root->fd < 0) {
		root->alias = NULL;
		undo->open = NULL;
		undo_tree_tell(undo, root, NULL, why);
		return false;
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
					  int (*compare)(const void *, const void *),
					  size_t *count)
{
	struct journal_record **names = must(calloc(undo->run.count + 1, sizeof(*names)));

	*count = 0;
	for (size_t i = 0; i < undo->run.count; i++) {
		struct journal_record *record = &undo->run.records[i];

		if (record->kind == JOURNAL_NAME && !record->failed)
			names[(*count)++] = record;
	}
	qsort(names, *count, sizeof(struct journal_record *), compare);
	return names;
}

/* Among sorted records, the record of a name in a directory; NULL when there is none. */
static struct journal_record *find_name(struct journal_record **names, size_t count,
					struct journal_record key,
					int (*compare)(const void *, const void *))
{
	struct journal_record *pointer = &key, **found;

	found = bsearch(&pointer, names, count, sizeof(struct journal_record *), compare);
	return found ? *found : NULL;
}

/*
 * The name that fix gave to what had this one, or NULL: the last one, where there was
 * a name between.
 */
static const char *new_name(struct journal_record **names, size_t count,
			    struct walk_dir *dir, char *name)
{
	struct journal_record key = { .dir = dir, .old = name };
	const struct journal_record *found, *before = NULL;

	while ((found = find_name(names, count, key, compare_old)) && found > before) {
		key.old = found->new;
		before = found;
	}
	return before ? before->new : NULL;
}

/* Let each directory be found by the name that fix gave to the directory, too. */
static void set_aliases(struct undo *undo, struct journal_record **names, size_t count)
{
	for (size_t i = 0; i < undo->run.dir_count; i++) {
		struct walk_dir *dir = undo->run.dirs[i];

		if (dir->parent)
			dir->alias = new_name(names, count, dir->parent, dir->name);
	}
}

/*
 * Note the first name of what had a name between, and of a link. Changing the target
 * of a symbolic link made a new file of it, so the records of its name cannot ask for
 * the old identity: the target decides.
 */
static void settle_names(struct undo *undo)
{
	size_t count;
	struct journal_record **names = sort_names(undo, compare_new, &count);

	for (size_t i = 0; i < undo->run.count; i++) {
		struct journal_record *record = &undo->run.records[i], *found;
		bool link = record->kind == JOURNAL_LINK;
		struct journal_record key = { .dir = record->dir,
					      .new = link ? record->name : record->old };
		const struct journal_record *after = record;

		while ((found = find_name(names, count, key, compare_new)) &&
		       found < after) {
			record->before = found->old;
			if (link) {
				found->id.lasting = false;
				found->id.born = 0;
			}
			key.new = found->old;
			after = found;
		}
	}
	free(names);
}

/* The path of a name in a root, which is kept. */
static char *keep_path(struct undo *undo, const struct walk_dir *root, const char *name)
{
	text_auto path = { 0 };

	walk_path(&path, root, name, strlen(name));
	return arena_copy(&undo->bytes, path.bytes, path.len);
}

/* Let a root that was renamed be found by its new path as long as it has that path. */
static void set_new_roots(struct undo *undo, struct journal_record **names, size_t count)
{
	struct strings paths = { 0 };	/* old ones; .value: of names, from 1 */
	size_t number;

	undo->new_roots = must(calloc(undo->run.dir_count + 1, sizeof(char *)));
	for (size_t i = 0; i < count; i++) {
		if (names[i]->dir->depth || !S_ISDIR(names[i]->id.type))
			continue;
		number = strings_add(&paths, keep_path(undo, names[i]->dir,
						       names[i]->old));
		paths.entries[number].value = (unsigned int)i + 1;
	}
	for (size_t i = 0; i < undo->run.dir_count; i++) {
		const struct walk_dir *root = undo->run.dirs[i];
		const struct journal_record *record;

		number = root->depth ? SIZE_MAX : strings_find(&paths, root->name);
		if (number == SIZE_MAX)
			continue;
		record = names[paths.entries[number].value - 1];
		undo->new_roots[i] = keep_path(undo, record->dir,
			new_name(names, count, record->dir, record->old));
	}
	strings_free(&paths);
}

bool undo_tree_begin(struct undo *undo)
{
	struct journal_record **names;
	size_t count;

	if (!place_trees(undo))
		return false;
	if (undo->options->trust_names)
		forget_identities(undo);
	undo->roots = must(calloc(undo->run.dir_count + 1, sizeof(*undo->roots)));
	names = sort_names(undo, compare_old, &count);
	set_new_roots(undo, names, count);
	set_aliases(undo, names, count);
	free(names);
	settle_names(undo);
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
		undo->roots[number] = open_root(undo, number) ? ROOT_OPEN : ROOT_MISSING;
	return undo->roots[number] == ROOT_OPEN;
}
