/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bad names that were removed and may be re-created. new_names.h calls this. Many programs
 * replace a file by removing it and creating it again: tar, unzip, git. If the second step
 * were refused, the file would be gone.
 *
 * A thread may re-create a bad name in the directory from which it has removed the name. Its
 * removals are remembered in a ring in the thread's own storage, which no other task can
 * change. The kernel's own threads share one ring, because any thread of knfsd may serve a
 * client's next request. A thread for which there is no memory uses the shared ring as well.
 *
 * A removal stays remembered when the name is re-created. It is forgotten when
 *
 * - GUARD_REMOVED later removals of the thread, or GUARD_SERVED in the shared ring, have
 *   overwritten it;
 * - the thread ends, because the kernel then frees the thread's storage;
 * - the superblock loses its mark (see hash_dir());
 * - stop removes the guard's maps.
 *
 * It does not count while the superblock has another mode than at the removal.
 *
 * A removal is remembered before it happens, and may fail. Then the name still exists, and
 * the thread may re-create it after somebody else has removed it. Each name that is created
 * existed before, so the number of bad names does not rise.
 */
#ifndef UTF8VAL_GUARD_REMOVED_H
#define UTF8VAL_GUARD_REMOVED_H

#include "marks.h"
#include "name.h"
#include "questions.h"
#include "siphash.h"

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct guard_ring);
} rings SEC(".maps");

SEC(".data.served") struct guard_served served;

/* the key of the hashes: random numbers that start.c sets */
SEC(".data.secret") __u64 secret[2];

/*
 * Hash the mode and the directory: device, the mark's number, inode number and generation.
 *
 * - The mode: a removal under audit does not count under enforce, because audit lets every
 *   name be created.
 * - The mark's number: a removal is forgotten with the mark of its superblock, because the
 *   kernel reuses device numbers, and FUSE servers choose inode numbers.
 * - The address of the directory's inode, if there is no mark, or if directories can have the
 *   same inode number. Such directories are in two subvolumes of btrfs, and in an overlay
 *   over two subvolumes. Such a removal is also forgotten when the directory leaves memory.
 */
static __always_inline void hash_dir(__u64 *v, struct inode *dir, const struct dentry *dentry,
				     __u32 mode)
{
	unsigned long magic = dir->i_sb->s_magic;
	__u64 number = mark_number(dir->i_sb);
	bool shared = magic == BTRFS_SUPER_MAGIC || magic == OVERLAYFS_SUPER_MAGIC;

	hash_word(v, mode);
	hash_word(v, number);
	hash_word(v, (__u64)dir->i_sb->s_dev << 32 | dir->i_generation);
	hash_word(v, dir->i_ino);
	/* the verifier lets a program compute with an address that was read, and not with @dir */
	hash_word(v, number && !shared ? 0 : (__u64)BPF_CORE_READ(dentry, d_parent, d_inode));
}

/*
 * The hash of a name in a directory. The hash has a secret key: a user who knew it could
 * find another name with the same hash. Returns: 0 if the name cannot be read.
 */
static __noinline __u64 hash_of(struct inode *dir, const struct dentry *dentry, __u32 mode)
{
	struct hash hash;

	hash_init(&hash, secret);
	hash_dir(hash.v, dir, dentry, mode);
	return hash_name(&hash, dentry->d_name.name, dentry->d_name.len);
}

/*
 * All bits if @number is not 0, else 0. The assembly keeps the compiler from using a branch:
 * every branch doubles the verifier's work.
 */
static __always_inline __u64 mask_of(__u64 number)
{
	__u64 negative = -number;

	asm volatile("" : "+r"(negative));
	return -((number | negative) >> 63);
}

/* Is a hash in the ring? With @forget its slot is freed: remember() then takes a new one. */
static __always_inline bool is_in(volatile __u64 *ring, __u32 places, __u64 hash, bool forget)
{
	__u64 found = 0;
	__u32 i;

	for (i = 0; i < places; i++) {
		__u64 differs = mask_of(ring[i] ^ hash);

		found |= ~differs;
		if (forget)
			ring[i] &= differs;
	}
	return found;
}

/* Returns: this thread's ring, or NULL if it has none. Threads of the kernel never have one. */
static __always_inline struct guard_ring *own_ring(__u64 flags)
{
	struct task_struct *task = bpf_get_current_task_btf();

	return is_kernel_thread(task) ? NULL : bpf_task_storage_get(&rings, task, NULL, flags);
}

/* The hash for the shared ring. A thread of a program finds only its own removals there. */
static __always_inline __u64 shared_hash(__u64 hash)
{
	const struct task_struct *task = bpf_get_current_task_btf();

	return is_kernel_thread(task) ? hash : hash ^ task->start_boottime;
}

static __noinline int remember(struct inode *dir, const struct dentry *dentry, __u32 mode)
{
	__u64 hash = hash_of(dir, dentry, mode);
	struct guard_ring *ring;

	if (!hash)
		return 0;
	ring = own_ring(BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (ring) {
		is_in(ring->names, GUARD_REMOVED, hash, true);
		ring->names[ring->next++ & (GUARD_REMOVED - 1)] = hash;
		return 0;
	}
	hash = shared_hash(hash);
	is_in(served.names, GUARD_SERVED, hash, true);
	served.names[__sync_fetch_and_add(&served.next, 1) & (GUARD_SERVED - 1)] = hash;
	return 0;
}

/* Has this thread removed this name from the directory? */
static __noinline bool removed_by_this_thread(struct inode *dir, const struct dentry *dentry,
					      __u32 mode)
{
	__u64 hash = hash_of(dir, dentry, mode);
	struct guard_ring *ring;

	if (!hash)
		return false;
	ring = own_ring(0);
	return (ring && is_in(ring->names, GUARD_REMOVED, hash, false)) ||
	       is_in(served.names, GUARD_SERVED, shared_hash(hash), false);
}

/* Remember a removal on a file system that may have a mark. */
static __noinline int checked_removal(struct inode *dir, const struct dentry *dentry)
{
	__u32 mode = mode_of(dir->i_sb);

	if (mode_reports(mode) && is_spelled_so(dir, dentry) && entry_is_bad(dentry))
		remember(dir, dentry, mode);
	return 0;
}

/* A name is about to leave a directory, by removal or to get another name. */
static __always_inline int old_name(struct inode *dir, const struct dentry *dentry)
{
	return *slot_of(dir->i_sb) ? checked_removal(dir, dentry) : 0;
}

#endif /* UTF8VAL_GUARD_REMOVED_H */
