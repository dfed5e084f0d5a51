/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * utf8val as a security module: what its parts share. Each part calls only
 * those whose functions stand above its own here.
 */
#ifndef UTF8VAL_LSM_H
#define UTF8VAL_LSM_H

#include <linux/fs.h>
#include <linux/lsm_hooks.h>
#include <linux/ratelimit.h>
#include <linux/utf8val.h>

#include "modes.h"

#define UTF8VAL_MODE_CONSTANT(id, ...) UTF8VAL_MODE_##id,
enum utf8val_mode {
	UTF8VAL_MODE_UNSET,
	UTF8VAL_MODE_LIST(UTF8VAL_MODE_CONSTANT, UTF8VAL_MODE_CONSTANT)
	UTF8VAL_MODES
};

#define UTF8VAL_OP_CONSTANT(id, ...) UTF8VAL_OP_##id,
enum utf8val_op {
	UTF8VAL_OP_LIST(UTF8VAL_OP_CONSTANT, UTF8VAL_OP_CONSTANT)
	UTF8VAL_OPS
};

/*
 * A superblock's state, which is changed only under s_umount held exclusively,
 * and read without a lock.
 */
struct utf8val_sb {
	u8 mode;	/* enum utf8val_mode in force; never UNSET */
	u8 setting;	/* enum utf8val_mode that an option has set */
	bool mounted;	/* has the superblock been mounted? */
	struct ratelimit_state reports;	/* limit for log and audit log */
};

/* setup.c */
void utf8val_add_hooks(struct security_hook_list *hooks, int count);
extern struct lsm_blob_sizes utf8val_blob_sizes;

static inline struct utf8val_sb *utf8val_sb(const struct super_block *sb)
{
	return sb->s_security + utf8val_blob_sizes.lbs_superblock;
}

/*
 * The option of a mount in progress. fs_context.security points to one of these
 * in a constant array, so that nothing is allocated, copied or freed.
 */
struct utf8val_mnt_opts {
	u8 mode;	/* enum utf8val_mode; not UNSET */
	bool inherited;	/* from the superblock that a submount hangs off */
};

/* options.c: utf8val= from a mount's options */
const char *utf8val_mode_name(enum utf8val_mode mode);
void *utf8val_inherited_opts(enum utf8val_mode mode);
int utf8val_parse_mode(const char *value, size_t len);
int utf8val_fs_context_parse_param(struct fs_context *fc,
				   struct fs_parameter *param);
int utf8val_fs_context_dup(struct fs_context *fc, struct fs_context *src);
int utf8val_sb_eat_lsm_opts(char *options, void **mnt_opts);

/* report.c: log, audit record and tracepoint */
extern const char *const utf8val_op_names[UTF8VAL_OPS];
bool utf8val_belongs_to_host(const struct super_block *sb);
void utf8val_report_name(struct super_block *sb, const struct qstr *name,
			 enum utf8val_op op, enum utf8val_mode mode);
void utf8val_report_lowered(const struct super_block *sb,
			    enum utf8val_mode from, enum utf8val_mode to);

/* superblock.c: the state of a superblock, and who may change it */
void utf8val_add_superblock_hooks(void);

/* names.c: the checks, where a name enters a directory */
enum utf8val_counter {
	UTF8VAL_CHECKED, UTF8VAL_BAD, UTF8VAL_DENIED, UTF8VAL_COUNTERS
};

u64 utf8val_sum(enum utf8val_counter which, enum utf8val_op op);
void utf8val_add_name_hooks(void);

#endif /* UTF8VAL_LSM_H */
