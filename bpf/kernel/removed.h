/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A bad name that was removed may come back. Many programs replace a file by removing
 * it and creating it anew: tar, unzip, git. If the second step were refused, the file
 * would be gone.
 *
 * Which thread group has removed a bad name is noted in the storage of the
 * directory's inode, which is freed with the inode. That group may create the
 * name there again, by any call, and as often as it has removed it. Names are
 * noted as a keyed hash, since a name may have 4,096 bytes, and somebody who
 * knew the key could make another name of the same hash.
 *
 * A note is written before the removal, which may still fail. But the directory
 * stays locked from then until the removal is over, only a name that exists is
 * removed, and there is one note for a name, which whoever removes the name
 * next overwrites. So when the name is gone, its note is about the removal that
 * has succeeded. A note need not be wiped when the name comes back, as a name
 * exists once. Besides, the creation may fail, too, and be tried again. So such a note
 * is only the first to go when another name needs its place.
 *
 * Removals are noted on all marked file systems, those that are off included:
 * otherwise the note of a failed removal could outlast a later removal, by
 * somebody else, that succeeded while the mode was off.
 */
#ifndef UTF8VAL_GUARD_REMOVED_H
#define UTF8VAL_GUARD_REMOVED_H

/*
 * Does this name exist, that is, has it an inode? Linux 6.12's verifier takes
 * the pointer for one that is never NULL, and drops the code after a comparison
 * of it with NULL.
 */
static __always_inline bool is_positive(const struct dentry *dentry)
{
	return (__u64)dentry->d_inode > 1;
}

/*
 * Is this one of the kernel's own threads? None of these has memory of a program's.
 * See is_positive() for the comparison.
 */
static __always_inline bool is_kernel_thread(const struct task_struct *task)
{
	return (__u64)task->mm <= 1;
}

/* Can this file system have directories with casefolding? See is_positive(). */
static __always_inline bool may_casefold(const struct super_block *sb)
{
	return bpf_core_field_exists(sb->s_encoding) &&
	       (__u64)sb->s_encoding > 1;
}

/* Does the file system compare names by a function of its own? */
static __always_inline bool compares_names(const struct dentry *dentry)
{
	return BPF_CORE_READ(dentry, d_op, d_compare);
}

struct {
	__uint(type, BPF_MAP_TYPE_INODE_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct guard_removals);
} removed SEC(".maps");

/* create_user_ns() makes none that is deeper */
#define DEEPEST_USER_NAMESPACE 33

/* random numbers, which start has put here */
SEC(".data.secret") __u64 secret[2];

struct hash {
	const unsigned char *from;
	__u32 len;
	__u32 failed;
	__u64 v[4];
	__u64 words[PIECE / 8];
};

static __always_inline __u64 rotated(__u64 word, __u32 bits)
{
	return word << bits | word >> (64 - bits);
}

/* A round of SipHash, by Aumasson and Bernstein. */
static __always_inline void hash_round(__u64 *v)
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = rotated(v[1], 13) ^ v[0];
	v[3] = rotated(v[3], 16) ^ v[2];
	v[0] = rotated(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = rotated(v[1], 17) ^ v[2];
	v[3] = rotated(v[3], 21) ^ v[0];
	v[2] = rotated(v[2], 32);
}

static __always_inline void hash_word(__u64 *v, __u64 word)
{
	v[3] ^= word;
	hash_round(v);
	hash_round(v);
	v[0] ^= word;
}

static long hash_piece(__u32 i, struct hash *hash)
{
	__u64 at = (__u64)i * PIECE;
	__u64 len;
	__u32 word;

	if (at >= hash->len)
		return 1;
	len = hash->len - at;
	if (len > PIECE)
		len = PIECE;
	/* Linux 6.1's verifier has forgotten the limit by now */
	asm volatile("%0 &= 127" : "+r"(len));
	__builtin_memset(hash->words, 0, sizeof(hash->words));
	if (len > PIECE ||
	    bpf_probe_read_kernel(hash->words, len, hash->from + at)) {
		hash->failed = true;
		return 1;
	}
#pragma unroll
	for (word = 0; word < PIECE / 8; word++)
		hash_word(hash->v, hash->words[word]);
	return 0;
}

/*
 * SipHash-2-4 of a name, filled up with zeros to whole pieces, and of the
 * name's length. Returns: 0 if the name cannot be read.
 */
static __noinline __u64 hash_of(const struct dentry *dentry)
{
	struct hash hash = {
		.from = dentry->d_name.name,
		.len = dentry->d_name.len,
		.v = {
			secret[0] ^ 0x736F6D6570736575ull,
			secret[1] ^ 0x646F72616E646F6Dull,
			secret[0] ^ 0x6C7967656E657261ull,
			secret[1] ^ 0x7465646279746573ull,
		},
	};
	__u64 sum;
	__u32 i;

	bpf_loop(GUARD_LONGEST_NAME / PIECE, hash_piece, &hash, 0);
	if (hash.failed || hash.len > GUARD_LONGEST_NAME)
		return 0;
	hash_word(hash.v, hash.len);
	hash.v[2] ^= 0xFF;
#pragma unroll
	for (i = 0; i < 4; i++)
		hash_round(hash.v);
	sum = hash.v[0] ^ hash.v[1] ^ hash.v[2] ^ hash.v[3];
	return sum ? sum : 1;
}

/*
 * The user whose notes compete with others' for a directory's places. It is the
 * task's own user, as an overlay has the same user do all its work. A user has many
 * more in a user namespace: these count as the one who owns the namespace, unless
 * that is root.
 */
static __always_inline __u32 user_of(const struct task_struct *task)
{
	const struct user_namespace *ns = BPF_CORE_READ(task, real_cred, user_ns);
	__u32 i, owner = 0;

	for (i = 0; i < DEEPEST_USER_NAMESPACE && BPF_CORE_READ(ns, level); i++) {
		owner = BPF_CORE_READ(ns, owner.val);
		ns = BPF_CORE_READ(ns, parent);
	}
	return owner ? owner : BPF_CORE_READ(task, real_cred, uid.val);
}

/*
 * Note whose work this is: the thread group's number, and the group's start, as
 * numbers are used again, but not within a nanosecond. exec() changes neither.
 * knfsd takes any of its threads for a client's next request, so all of the kernel's
 * own threads that work for the same user count as one group.
 */
static __always_inline void note_group(struct guard_removed *note)
{
	const struct task_struct *task = (void *)bpf_get_current_task_btf();

	if (is_kernel_thread(task)) {
		note->user = BPF_CORE_READ(task, cred, fsuid.val);
		note->started = note->user;
		return;
	}
	note->user = user_of(task);
	note->group = bpf_get_current_pid_tgid() >> 32;
	note->started = task->group_leader->start_boottime;
}

/*
 * 1 if @number is not 0, else 0. The compiler does not see what is computed here and
 * makes no branch of it, as every branch doubles what the verifier has to look at.
 */
static __always_inline __u64 is_set(__u64 number)
{
	__u64 negative = -number;

	asm volatile("" : "+r"(negative));
	return (number | negative) >> 63;
}

#define NOBODY (1ull << 32)

/* Whose note is it that is still needed? A user, or a number that is no user's. */
static __always_inline __u64 owner_of(const struct guard_removals *all, __u32 i)
{
	const volatile struct guard_removed *here = &all->places[i];

	return here->user | ((is_set(here->name) ^ 1) | is_set(here->restored)) << 32;
}

/*
 * Who has more than half of the places for notes that are still needed? Returns: a user,
 * or a number that is no user's.
 */
static __always_inline __u64 owner_of_most(const struct guard_removals *all)
{
	__u64 owner = NOBODY + hidden_zero;
	__u32 i, j;

	for (i = 0; i < GUARD_REMOVED; i++) {
		__u64 others = 0;

		for (j = 0; j < GUARD_REMOVED; j++)
			others += is_set(owner_of(all, i) ^ owner_of(all, j));
		if (others < GUARD_REMOVED / 2)
			owner = owner_of(all, i);
	}
	return owner;
}

/*
 * The place for a note that has none yet. A directory has few places, and others who may
 * write there must not take the place of a note that is still needed: so first goes one
 * whose name has come back, then one of another user who has more than half of the places,
 * then one of the same user's own, or, if the user is root, one of somebody else's. Only
 * where none of these is found, the oldest goes.
 */
static __always_inline __u32 place_for(const struct guard_removals *all, __u32 user)
{
	__u32 i, at, worth, least = 3, found = all->next;
	__u64 whose = owner_of_most(all);
	/* do the notes of this user go first, or those of all others? */
	bool its = true;

	if (whose >= NOBODY || whose == user) {
		whose = user;
		its = user != 0;
	}
	for (i = 0; i < GUARD_REMOVED; i++) {
		const volatile struct guard_removed *here;

		at = all->next + i;
		here = &all->places[at & (GUARD_REMOVED - 1)];
		worth = !here->name || here->restored ? 0 :
			(here->user == whose) == its ? 1 : 2;
		if (worth >= least)
			continue;
		least = worth;
		found = at;
	}
	return found;
}

static __noinline int note_removed(struct inode *dir, const struct dentry *dentry)
{
	struct guard_removed note = { .name = hash_of(dentry) };
	struct guard_removals *all;
	__u32 i, at = GUARD_REMOVED;

	if (!note.name)
		return 0;
	all = bpf_inode_storage_get(&removed, dir, NULL,
				    BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!all)
		return 0;
	note_group(&note);
	for (i = 0; i < GUARD_REMOVED; i++)
		if (((volatile struct guard_removed *)&all->places[i])->name ==
		    note.name)
			at = i;
	if (at == GUARD_REMOVED) {
		at = place_for(all, note.user);
		all->next = at + 1;
	}
	all->places[at & (GUARD_REMOVED - 1)] = note;
	return 0;
}

/* Is this the thread group that has removed this name from the directory? */
static __noinline bool may_come_back(struct inode *dir,
				     const struct dentry *dentry)
{
	struct guard_removed note = { 0 };
	struct guard_removals *all;
	bool found = false;
	__u32 i;

	all = bpf_inode_storage_get(&removed, dir, NULL, 0);
	if (!all)
		return false;
	note.name = hash_of(dentry);
	note_group(&note);
	for (i = 0; i < GUARD_REMOVED; i++) {
		volatile struct guard_removed *here = &all->places[i];

		if (here->name != note.name || here->group != note.group ||
		    here->started != note.started)
			continue;
		here->restored = 1;
		found = true;
	}
	return note.name && found;
}

/*
 * Is the name spelled on the disk as it is here? Where lookup ignores case, as
 * on vfat and exfat, it may not be. Casefolding does not ignore the case of
 * names that are not UTF-8.
 */
static __always_inline bool is_spelled_so(const struct inode *dir,
					  const struct dentry *dentry)
{
	return !compares_names(dentry) || may_casefold(dir->i_sb);
}

/* Note a removal on a file system that may have a mark. */
static __noinline int checked_removal(struct inode *dir,
				      const struct dentry *dentry)
{
	if (mode_of(dir->i_sb) != GUARD_UNSET && is_spelled_so(dir, dentry) &&
	    entry_is_bad(dentry))
		note_removed(dir, dentry);
	return 0;
}

/* A name is about to leave a directory, by removal or to get another name. */
static __always_inline int old_name(struct inode *dir,
				    const struct dentry *dentry)
{
	return *slot_of(dir->i_sb) ? checked_removal(dir, dentry) : 0;
}

#endif /* UTF8VAL_GUARD_REMOVED_H */
