// SPDX-License-Identifier: GPL-2.0-only
/*
 * A bad name that was removed may come back. Many programs replace a file by
 * removing it and creating it anew: tar, unzip, git. If the second step were
 * refused, the file would be gone.
 *
 * Which thread group has removed a bad name is noted with the directory's
 * inode, and goes when the inode is freed. That group may create the name there
 * again, by any call. Names are noted as a keyed hash, which covers their
 * length, since somebody who knew the key could make another name of the same
 * hash.
 *
 * Locking: every function here that is given a directory wants its i_rwsem held
 * exclusively, as the hooks for removing, renaming and creating have it. That
 * lock is held until the removal is over, so a note that is written before a
 * removal which then fails does no harm: the name exists then, there is one
 * note for a name, and whoever removes the name next overwrites that note. When
 * the name is gone, the note is about the removal that has succeeded. A note
 * need not be wiped when the name comes back, as a name exists once.
 */
#include <linux/once.h>
#include <linux/sched.h>
#include <linux/siphash.h>
#include <linux/slab.h>

#include "lsm.h"

struct removal {
	u64 name;	/* keyed hash; 0: no name */
	u64 started;	/* the thread group's start, in ns since boot */
	pid_t group;	/* its number; 0, with started 0: the kernel's */
};

/* the bad names that were removed from a directory last */
struct utf8val_removals {
	unsigned int next;	/* where the next note goes, modulo the places */
	struct removal places[UTF8VAL_REMOVALS];
};

static struct utf8val_removals **removals(const struct inode *dir)
{
	return dir->i_security + utf8val_blob_sizes.lbs_inode;
}

/*
 * A thread group's number is used again, but not within a nanosecond. exec()
 * changes neither the number nor the start. All of the kernel's own threads
 * count as one group, since knfsd takes any of its threads for a client's next
 * request.
 */
static struct removal removal_by_me(const struct qstr *name)
{
	static siphash_key_t key __read_mostly;
	struct removal note = {};

	get_random_once(&key, sizeof(key));
	note.name = siphash(name->name, name->len, &key) ?: 1;
	if (!(current->flags & PF_KTHREAD)) {
		note.group = task_tgid_nr(current);
		note.started = current->group_leader->start_boottime;
	}
	return note;
}

static struct removal *find(struct utf8val_removals *all, u64 name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all->places); i++)
		if (all->places[i].name == name)
			return &all->places[i];
	return NULL;
}

/* Has any removal been noted for this directory? */
bool utf8val_has_removals(const struct inode *dir)
{
	return *removals(dir);
}

/*
 * Note that this task is about to remove a bad name. Without memory for the
 * note, the name cannot come back. May sleep.
 */
void utf8val_note_removal(struct inode *dir, const struct qstr *name)
{
	struct utf8val_removals **all = removals(dir);
	struct removal note = removal_by_me(name);
	struct removal *place;

	if (!*all)
		*all = kzalloc(sizeof(**all), GFP_KERNEL_ACCOUNT);
	if (!*all)
		return;
	place = find(*all, note.name);
	if (!place)
		place = &(*all)->places[(*all)->next++ % UTF8VAL_REMOVALS];
	*place = note;
}

/* Is this the thread group that has removed this bad name from the directory? */
bool utf8val_may_restore(const struct inode *dir, const struct qstr *name)
{
	struct removal me = removal_by_me(name);
	const struct removal *found;

	if (!*removals(dir))
		return false;
	found = find(*removals(dir), me.name);
	return found && found->group == me.group &&
	       found->started == me.started;
}

/* Nobody works in a directory whose inode is freed. May run without a blob. */
void utf8val_inode_free_security(struct inode *inode)
{
	if (inode->i_security)
		kfree(*removals(inode));
}
