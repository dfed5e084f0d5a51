/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The few fields of the kernel's types that the programs use. Their offsets are
 * not taken from here: the loader looks each field up in the running kernel's
 * own description of its types. A type whose name ends in ___ and more is
 * another version of the type without that end.
 */
#ifndef UTF8VAL_GUARD_KERNEL_TYPES_H
#define UTF8VAL_GUARD_KERNEL_TYPES_H

#include <linux/types.h>
#include <linux/bpf.h>
#include <linux/capability.h>

#include <bpf/bpf_helpers.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), \
			     apply_to = record)

typedef struct {
	__u32 val;
} kuid_t;

struct user_namespace {
	int level;
};

struct cred {
	kuid_t uid, fsuid;
	struct user_namespace *user_ns;
};

struct task_struct {
	void *mm;
	__u64 start_boottime;
	int exit_state;
	void *stack;
	const struct cred *real_cred, *cred;
};

struct file_system_type {
	const char *name;
};

struct list_head {
	struct list_head *next;
};

typedef struct {
	__u8 b[16];
} uuid_t;

struct super_block {
	struct list_head s_list;	/* of all superblocks */
	__u32 s_dev;
	unsigned long s_flags;
	unsigned long s_magic;
	struct file_system_type *s_type;
	struct user_namespace *s_user_ns;
	void *s_encoding;	/* with CONFIG_UNICODE */
	struct dentry *s_root;
	uuid_t s_uuid;
	const char *s_subtype;	/* FUSE's; may be NULL */
};

struct inode {
	struct super_block *i_sb;
	unsigned long i_ino;
	__u32 i_generation;
};

struct qstr {
	__u32 len;
	const unsigned char *name;
};

struct dentry_operations {
	void *d_compare;
};

struct dentry {
	const struct dentry_operations *d_op;
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
	struct super_block *d_sb;
	unsigned char d_iname[40];
};

/* since Linux 6.15 */
struct shortname_store {
	unsigned long words[5];
};

struct dentry___shortname {
	struct shortname_store d_shortname;
};

struct path {
	struct dentry *dentry;
};

struct file {
	struct path f_path;
	struct inode *f_inode;
};

typedef struct {
	long counter;
} atomic_long_t;

struct mutex {
	atomic_long_t owner;
};

/* PREEMPT_RT */
struct rt_mutex_base {
	struct task_struct *owner;
};

struct mutex___rt {
	struct rt_mutex_base rtmutex;
};

struct p_log {
	void *log;
};

struct fs_context {
	struct mutex uapi_mutex;
	struct dentry *root;
	const struct cred *cred;
	struct p_log log;
	void *security;
};

enum fs_value_type {
	fs_value_is_string,
};

struct fs_parameter {
	const char *key;
	enum fs_value_type type : 8;
	char *string;
};

/* what a kprobe gets as its argument, by architecture */
struct pt_regs___x86 {
	unsigned long di;
};

struct pt_regs___arm64 {
	__u64 regs[31];
};

struct bpf_iter__task_file {
	struct task_struct *task;
	__u32 fd;
	struct file *file;
};

#pragma clang attribute pop

/* these read fields of the types above */
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#define BTRFS_SUPER_MAGIC 0x9123683E
#define MSDOS_SUPER_MAGIC 0x4D44
#define OVERLAYFS_SUPER_MAGIC 0x794C7630
#define NFS_SUPER_MAGIC 0x6969

/* of a superblock that the kernel made for itself, and that nobody else can mount */
#define SB_NOUSER (1ul << 31)

/*
 * @word >> (@count & 31): BPF's shifts of 32 bits use five bits of their count (RFC 9669,
 * 4.1). In C a count above 31 would be undefined, so this is assembly. The count is in
 * register 4, which is rcx on x86-64, where shifts need it. For another register the
 * kernel's compiler saves rcx and restores it: up to Linux 6.1 always, later if the CPU
 * lacks BMI2.
 */
static __always_inline __u32 shifted(__u32 word, __u32 count)
{
	asm("w4 = %1; %0 >>= w4" : "+w"(word) : "w"(count) : "r4");
	return word;
}

/*
 * rows[byte]. The table's address is added last, as BPF adds to its first operand, or
 * else the compiler copies that address first.
 */
static __always_inline __u32 row_at(const __u32 *rows, __u8 byte)
{
	return *(const __u32 *)(byte * sizeof(*rows) + (__u64)rows);
}

#endif /* UTF8VAL_GUARD_KERNEL_TYPES_H */
