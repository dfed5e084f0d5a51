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
 * need not be wiped when the name comes back, as a name exists once. Besides, the
 * creation may fail, too, and be tried again. So such a note is only the first
 * to go when another name needs its place.
 */
#include <linux/cred.h>
#include <linux/once.h>
#include <linux/sched.h>
#include <linux/siphash.h>
#include <linux/slab.h>

#include "lsm.h"

struct removal {
	u64 name;	/* keyed hash; 0: no name */
	u64 started;	/* the thread group's start, in ns since boot */
	pid_t group;	/* its number; 0, with started 0: the kernel's */
	kuid_t user;	/* whose work it is; INVALID_UID: the name is back */
};

/* the bad names that were removed from a directory last: kmalloc-512 */
struct utf8val_removals {
	unsigned int next;	/* the place after the last note's */
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
	struct removal note = { .user = current_uid() };

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

/*
 * The place for a note that has none yet. A directory has few places, and others
 * who may write there must not take the place of a note that is still needed: so
 * first goes one whose name has come back, then one of the same user's own, or,
 * if the user is root, one of somebody else's. Only where none of these is found,
 * the oldest goes.
 */
static struct removal *place_for(struct utf8val_removals *all, kuid_t user)
{
	bool is_root = uid_eq(user, GLOBAL_ROOT_UID);
	unsigned int i, at, found = all->next;
	int worth, least = 2;

	for (i = 0; i < UTF8VAL_REMOVALS && least; i++) {
		const struct removal *here;

		at = (all->next + i) % UTF8VAL_REMOVALS;
		here = &all->places[at];
		worth = !here->name || !uid_valid(here->user) ? 0 :
			uid_eq(here->user, user) != is_root ? 1 : 2;
		if (worth < least) {
			least = worth;
			found = at;
		}
	}
	all->next = (found + 1) % UTF8VAL_REMOVALS;
	return &all->places[found];
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
		place = place_for(*all, note.user);
	*place = note;
}

/* Is this the thread group that has removed this bad name from the directory? */
bool utf8val_may_restore(const struct inode *dir, const struct qstr *name)
{
	struct removal me = removal_by_me(name);
	struct removal *found;

	if (!*removals(dir))
		return false;
	found = find(*removals(dir), me.name);
	if (!found || found->group != me.group || found->started != me.started)
		return false;
	found->user = INVALID_UID;
	return true;
}

/* Nobody works in a directory whose inode is freed. May run without a blob. */
void utf8val_inode_free_security(struct inode *inode)
{
	if (inode->i_security)
		kfree(*removals(inode));
}
