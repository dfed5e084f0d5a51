/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Marking what is mounted already, at the command's word: it opens a file
 * there, and this program, which it has run over all processes' files, finds the
 * superblock by the file of the process that runs it. A number that the command
 * has for itself may be another process's outside of its namespace.
 */
#ifndef UTF8VAL_GUARD_SET_H
#define UTF8VAL_GUARD_SET_H

/* set before the program is loaded */
const volatile __u32 set_fd;
const volatile __u32 set_mode;

/* 1: not found */
int set_error = 1;

SEC("iter/task_file")
int guard_set(struct bpf_iter__task_file *ctx)
{
	struct task_struct *task = ctx->task;
	struct file *file = ctx->file;

	if (!task || !file || ctx->fd != set_fd || set_error <= 0 ||
	    task->tgid != bpf_get_current_pid_tgid() >> 32)
		return 0;
	set_error = change_state(file->f_path.dentry->d_sb, set_mode);
	return 0;
}

#endif /* UTF8VAL_GUARD_SET_H */
