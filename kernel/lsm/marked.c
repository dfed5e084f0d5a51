// SPDX-License-Identifier: GPL-2.0-only
/*
 * The superblocks that are audited or enforced. A walk over the kernel's own
 * list would take each s_umount, which a file server that does not answer can
 * keep held for ever.
 */
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>

#include "lsm.h"

static LIST_HEAD(marked);
static DEFINE_SPINLOCK(marked_lock);

/*
 * Put the superblock on the list, or take it off, by its mode. The caller holds
 * s_umount exclusively, or the superblock is new and nobody else knows it.
 */
void utf8val_list_marked(struct super_block *sb)
{
	struct utf8val_sb *state = utf8val_sb(sb);

	spin_lock(&marked_lock);
	if (state->mode < UTF8VAL_MODE_AUDIT)
		list_del_init(&state->marked);
	else if (list_empty(&state->marked))
		list_add_tail(&state->marked, &marked);
	spin_unlock(&marked_lock);
}

/*
 * May run under a spinlock, so must not sleep. Also runs without a blob, when
 * security_sb_alloc() has failed and freed it already, and for a superblock that
 * this module's hook never saw, because a module before this one has failed.
 */
static void hook_sb_free_security(struct super_block *sb)
{
	if (!sb->s_security || !utf8val_sb(sb)->sb)
		return;
	spin_lock(&marked_lock);
	list_del_init(&utf8val_sb(sb)->marked);
	spin_unlock(&marked_lock);
}

/*
 * Print a line for each marked superblock that is mounted. One without a root is
 * skipped, as its type may be gone. While there is a root, the type outlasts
 * this lock: a superblock gives up its type after its root, and a module's
 * memory is freed a grace period after that.
 */
void utf8val_show_marked(struct seq_file *m)
{
	const struct utf8val_sb *state;

	spin_lock(&marked_lock);
	list_for_each_entry(state, &marked, marked) {
		const struct super_block *sb = state->sb;

		if (READ_ONCE(sb->s_root))
			seq_printf(m, "%u:%u %s %s\n", MAJOR(sb->s_dev),
				   MINOR(sb->s_dev), sb->s_type->name,
				   utf8val_mode_name(READ_ONCE(state->mode)));
	}
	spin_unlock(&marked_lock);
}

static struct security_hook_list hooks[] __ro_after_init = {
	LSM_HOOK_INIT(sb_free_security, hook_sb_free_security),
};

void __init utf8val_add_marked_hooks(void)
{
	utf8val_add_hooks(hooks, ARRAY_SIZE(hooks));
}
