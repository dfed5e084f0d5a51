// SPDX-License-Identifier: GPL-2.0-only
/*
 * A bad name that was removed may come back. Many programs replace a file by
 * removing it and creating it anew: tar, unzip, git. If the second step were
 * refused, the file would be gone.
 *
 * Which thread group has removed a bad name is noted with the directory's
 * inode. That group may create the name there again, by any call, until the
 * group ends or the inode is freed. The notes of a group that has ended, or of which
 * others have removed all names since, stay until the next removal of a bad name from
 * the directory. Each group has places of its own for notes,
 * so it loses none to what others remove. knfsd takes any of its threads for a
 * client's next request, so all of the kernel's own threads that work for the
 * same user count as one group. Such groups do not end, and a client can name
 * users without number, so a directory keeps only those of the users who have
 * removed a bad name last.
 *
 * Names are noted as a keyed hash, which covers their length, since somebody
 * who knew the key could make another name of the same hash.
 *
 * Locking: every function here that is given a directory wants its i_rwsem held
 * exclusively, as the hooks for removing, renaming and creating have it. That
 * lock is held until the removal is over, so a note that is written before a
 * removal which then fails takes a place, but allows nothing: the name exists then, there is one
 * note for a name, and whoever removes the name next takes that note away. When
 * the name is gone, the note is about the removal that has succeeded. A note
 * need not be wiped when the name comes back, as a name exists once. Besides,
 * the creation may fail, too, and be tried again. So such a note is only the
 * first to go when the group needs its place.
 */
#include <linux/cred.h>
#include <linux/once.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/siphash.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "lsm.h"
#include "removals.h"

/* What a thread group has removed from a directory: kmalloc-192 */
struct removals {
	struct hlist_node node;	/* among the directory's */
	/*
	 * the group by its number and when its leader started, in ns since boot,
	 * neither of which exec() changes; 0: the kernel's. A reference would keep
	 * the PID namespace of a container that has ended.
	 */
	pid_t by;
	u64 started;
	kuid_t user;	/* for whom a group of the kernel's own threads works */
	u64 names[UTF8VAL_REMOVALS];	/* hashes, the newest first; 0: no name */
};

static struct hlist_head *removals(const struct inode *dir)
{
	return dir->i_security + utf8val_blob_sizes.lbs_inode;
}

static pid_t my_group(void)
{
	return current->flags & PF_KTHREAD ? 0 : task_tgid_nr(current);
}

static bool is_mine(const struct removals *set)
{
	return set->by == my_group() &&
	       (set->by ? set->started == current->group_leader->start_boottime :
			  uid_eq(set->user, current_fsuid()));
}

/* Is the group there that is not the kernel's? */
static bool lives(const struct removals *set)
{
	const struct task_struct *leader;
	bool same;

	rcu_read_lock();
	leader = find_task_by_pid_ns(set->by, &init_pid_ns);
	same = leader && leader->start_boottime == set->started;
	rcu_read_unlock();
	return same;
}

static u64 hash_of(const struct qstr *name)
{
	static siphash_key_t key __read_mostly;

	get_random_once(&key, sizeof(key));
	return siphash(name->name, name->len, &key) ?: 1;
}

/* The place of a name's note; UTF8VAL_REMOVALS: there is none. */
static size_t place_of(const struct removals *set, u64 name)
{
	size_t at;

	for (at = 0; at < UTF8VAL_REMOVALS; at++)
		if (set->names[at] == name)
			break;
	return at;
}

static bool is_empty(const struct removals *set)
{
	return !memchr_inv(set->names, 0, sizeof(set->names));
}

static void drop(struct removals *set)
{
	hlist_del(&set->node);
	kfree(set);
}

/*
 * Note that this task is about to remove a bad name. Without memory for the
 * note, the name cannot come back. May sleep.
 */
static void note_removal(struct inode *dir, const struct qstr *name)
{
	struct removals *set, *mine = NULL;
	const u64 hash = hash_of(name);
	struct hlist_node *next;
	/* sets of users besides the one that this removal needs */
	const size_t most = UTF8VAL_REMOVALS - !my_group();
	size_t at, users = 0;

	hlist_for_each_entry_safe(set, next, removals(dir), node) {
		at = place_of(set, hash);
		if (at < UTF8VAL_REMOVALS)
			set->names[at] = 0;
		if (is_mine(set))
			mine = set;
		else if (set->by ? !lives(set) || is_empty(set) :
				   ++users > most)
			drop(set);
	}
	if (mine) {
		hlist_del(&mine->node);
	} else {
		mine = kzalloc_obj(*mine, GFP_KERNEL_ACCOUNT);
		if (!mine)
			return;
		mine->by = my_group();
		mine->started = current->group_leader->start_boottime;
		mine->user = current_fsuid();
	}
	hlist_add_head(&mine->node, removals(dir));
	/* the first free place, or else the oldest note's, closes up */
	at = min_t(size_t, place_of(mine, 0), UTF8VAL_REMOVALS - 1);
	memmove(mine->names + 1, mine->names, at * sizeof(hash));
	mine->names[0] = hash;
}

/*
 * Is this the thread group that has removed this bad name from the directory?
 * If so, the note becomes the oldest.
 */
bool utf8val_may_restore(const struct inode *dir, const struct qstr *name)
{
	const size_t last = UTF8VAL_REMOVALS - 1;
	const u64 hash = hash_of(name);
	struct removals *set;

	hlist_for_each_entry(set, removals(dir), node) {
		size_t at = place_of(set, hash);

		if (at > last || !is_mine(set))
			continue;
		memmove(set->names + at, set->names + at + 1,
			(last - at) * sizeof(hash));
		set->names[last] = hash;
		return true;
	}
	return false;
}

/*
 * A name is about to leave a directory. If lookup ignores its case, as on vfat
 * and exfat, it may be spelled in another way on the disk; casefolding does not
 * ignore the case of names that are not UTF-8.
 *
 * Where names are not checked now, notes are still kept up to date: the note of
 * a removal that failed must not outlast the removal, by somebody else, that
 * succeeded while the mode was off. Returns: 0.
 */
int utf8val_old_name(struct inode *dir, struct dentry *dentry)
{
	if (READ_ONCE(utf8val_sb(dir->i_sb)->mode) < UTF8VAL_MODE_AUDIT &&
	    hlist_empty(removals(dir)))
		return 0;
	if (dentry->d_flags & DCACHE_OP_COMPARE && !sb_has_encoding(dir->i_sb))
		return 0;
	if (utf8val_check_name(&dentry->d_name))
		note_removal(dir, &dentry->d_name);
	return 0;
}

/* Nobody works in a directory whose inode is freed. May run without a blob. */
static void hook_inode_free_security(struct inode *inode)
{
	struct removals *set;
	struct hlist_node *next;

	if (!inode->i_security)
		return;
	hlist_for_each_entry_safe(set, next, removals(inode), node)
		drop(set);
}

static struct security_hook_list hooks[] __ro_after_init = {
	LSM_HOOK_INIT(inode_unlink, utf8val_old_name),
	LSM_HOOK_INIT(inode_rmdir, utf8val_old_name),
	LSM_HOOK_INIT(inode_free_security, hook_inode_free_security),
};

void __init utf8val_add_removal_hooks(void)
{
	utf8val_add_hooks(hooks, ARRAY_SIZE(hooks));
}
