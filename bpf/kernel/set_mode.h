/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Set the mode of a file system that is mounted. The command opens a file on
 * that file system and runs this iterator over its own files; the one that it has
 * open as descriptor set_fd leads to the superblock.
 *
 * With GUARD_UNSET no mode is set, but the places of mounts that are gone are freed.
 */
#ifndef UTF8VAL_GUARD_SET_MODE_H
#define UTF8VAL_GUARD_SET_MODE_H

/* set before the program is loaded */
const volatile __u32 set_fd;
const volatile __u32 set_mode;

/* The result; 1: the file was not found. */
int set_error = 1;

SEC("iter/task_file")
int guard_set(struct bpf_iter__task_file *ctx)
{
	struct file *file = ctx->file;

	/* without a file once, after the last */
	if (!file && set_mode == GUARD_UNSET)
		forget_all_gone();
	if (file && ctx->fd == set_fd && set_error > 0)
		set_error = change_state(file->f_path.dentry->d_sb, set_mode);
	return 0;
}

#endif /* UTF8VAL_GUARD_SET_MODE_H */
