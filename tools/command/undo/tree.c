// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The trees of a journal: their roots are found and opened, and the paths of the
 * command line are matched. undo.c calls this. The tree may belong to another user than
 * the one who runs undo. The owner may have made it into a trap since the fix. The root
 * is therefore opened through no symbolic link. The root and every directory below must
 * have the device, inode and birth of the journal. Steps of one name with O_NOFOLLOW
 * have the effect of RESOLVE_NO_SYMLINKS and RESOLVE_BENEATH of openat2(2), on every
 * kernel.
 */
#include "undo/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
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
 * Is fd the root of the journal? Device numbers can change when a host boots; then the
 * number decides that the file system reports for itself.
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
 * Set the present device of the root for every directory and file that was on the
 * root's device.
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
 * For --trust-names: every file of the right type and name counts as the one that was
 * renamed.
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

/* The root with the identity of this directory; with --trust-names, the only root. */
static struct walk_dir *find_root(const struct undo *undo, int fd)
{
	struct walk_dir *only = NULL;
	size_t roots = 0;

	for (size_t k = 0; k < undo->run.dir_count; k++) {
		struct walk_dir *dir = undo->run.dirs[k];

		if (dir->depth)
			continue;
		roots++;
		only = dir;
		if (is_root(undo, k, fd))
			return dir;
	}
	return undo->options->trust_names && roots == 1 ? only : NULL;
}

/* The journal's directory that is open as fd; NULL: the journal does not have it. */
static const struct walk_dir *find_dir(const struct undo *undo, int fd)
{
	struct identity id;

	if (identity_get(fd, "", &id))
		return NULL;
	for (size_t k = 0; k < undo->run.dir_count; k++) {
		struct identity own = undo->run.dirs[k]->id;

		/* a device can have another number after a boot */
		own.dev = id.dev;
		if (identity_same(&id, &own))
			return undo->run.dirs[k];
	}
	return NULL;
}

/* Choose the name that a path ends with, in a directory of the journal. */
static bool choose_name(struct undo *undo, char *path)
{
	size_t len = strlen(path);
	const struct walk_dir *dir;
	char *slash, *above;
	int fd;

	while (len > 1 && path[len - 1] == '/')
		path[--len] = '\0';
	slash = strrchr(path, '/');
	above = slash ? must(strndup(path, (size_t)(slash - path) + 1)) : NULL;
	fd = open(above ? above : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(above);
	dir = fd < 0 ? NULL : find_dir(undo, fd);
	if (fd >= 0)
		close(fd);
	if (dir)
		*array_next(undo->names, undo->name_count, undo->name_room) =
			(struct undo_name){ dir, slash ? slash + 1 : path };
	return dir;
}

/* Choose the roots below a path. */
static bool choose_below(struct undo *undo, const char *path)
{
	char *above = realpath(path, NULL);
	size_t len = above ? strlen(above) : 0;
	bool any = false;

	for (size_t k = 0; above && k < undo->run.dir_count; k++) {
		const struct walk_dir *dir = undo->run.dirs[k];

		if (dir->depth || strncmp(dir->name, above, len) != 0 ||
		    (len > 1 && dir->name[len] != '/'))
			continue;
		undo->chosen[k] = true;
		any = true;
	}
	free(above);
	return any;
}

static bool choose_path(struct undo *undo, char *path)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	const struct walk_dir *dir = fd < 0 ? NULL : find_dir(undo, fd);
	struct walk_dir *root = fd < 0 || (dir && dir->depth) ? NULL : find_root(undo, fd);
	bool any = dir || root;

	if (root) {
		/* it may have moved */
		if (root->fd >= 0)
			close(root->fd);
		root->fd = fd;
		root->alias = path;
		fd = -1;
		dir = root;
	}
	if (fd >= 0)
		close(fd);
	if (dir)
		undo->chosen[dir->record - 1] = true;
	any |= choose_below(undo, path);
	/* the directory's own name belongs to it */
	any |= !root && choose_name(undo, path);
	if (!any)
		complain(path, strlen(path), "the journal has nothing at or below this path. For a "
			 "copy of its tree, run: utf8val undo --trust-names JOURNAL PATH");
	return any;
}

/* Find the paths that the command line names. */
static bool place_paths(struct undo *undo)
{
	char *const *paths = undo->options->paths;

	if (!*paths)
		return true;
	undo->chosen = must(calloc(undo->run.dir_count + 1, sizeof(*undo->chosen)));
	for (; *paths; paths++) {
		if (!choose_path(undo, *paths))
			return false;
	}
	/* a directory comes after the one that it is in */
	for (size_t k = 0; k < undo->run.dir_count; k++) {
		const struct walk_dir *parent = undo->run.dirs[k]->parent;

		undo->chosen[k] |= parent && undo->chosen[parent->record - 1];
	}
	return true;
}

bool undo_tree_has(const struct undo *undo, const struct journal_record *record)
{
	const char *now = record->kind == JOURNAL_LINK ? record->name : record->new;
	bool chosen = !undo->chosen || undo->chosen[record->dir->record - 1];

	for (size_t i = 0; i < undo->name_count && !chosen; i++)
		chosen = undo->names[i].dir == record->dir &&
			 (!strcmp(undo->names[i].name, now) ||
			  !strcmp(undo->names[i].name, record->old));
	return chosen;
}

/*
 * Open a root at its old path, or at the new one until its own name is restored. A path
 * on the command line wins. False after a complaint.
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
					  "a symbolic link is in the way of this tree" :
					  strerror(errno);
		} else if (!undo->options->trust_names &&
			   !is_root(undo, number, root->fd)) {
			problem = "this is not the directory that fix changed; it "
				  "is left as it is";
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
 * Note the first name of what had a name between, and of a link. Changing the target of
 * a symbolic link made a new file of it, so the records of its name cannot ask for the
 * old identity. The target decides instead.
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

	if (!place_paths(undo))
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
