/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Marking what is mounted already, at the command's word: it opens a file
 * there, and this program, run once over that process's files, finds the
 * superblock.
 */
#ifndef UTF8VAL_GUARD_SET_H
#define UTF8VAL_GUARD_SET_H

/* the command's process and its file; set before the program is loaded */
const volatile __s32 set_pid;
const volatile __u32 set_fd;
const volatile __u32 set_mode;

/* 1: not found */
int set_error = 1;

SEC("iter/task_file")
int guard_set(struct bpf_iter__task_file *ctx)
{
	struct task_struct *task = ctx->task;
	struct file *file = ctx->file;

	if (!task || !file || task->tgid != set_pid || ctx->fd != set_fd ||
	    set_error <= 0)
		return 0;
	set_error = change_state(file->f_path.dentry->d_sb, set_mode);
	return 0;
}

#endif /* UTF8VAL_GUARD_SET_H */
