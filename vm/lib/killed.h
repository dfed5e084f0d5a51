/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Kill a command at each of its steps: after each system call that changes something.
 * guard_killed_test.c and guard_race_test.c call this.
 */
#ifndef UTF8VAL_VM_KILLED_H
#define UTF8VAL_VM_KILLED_H

#include <fcntl.h>
#include <linux/bpf.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "command.h"

/* Does this system call change what a later command finds? An iterator is run by read(2). */
static inline bool leaves(const struct user_regs_struct *regs)
{
	switch (regs->orig_rax) {
	case SYS_mkdir:
	case SYS_mkdirat:
	case SYS_rmdir:
	case SYS_rename:
	case SYS_unlink:
	case SYS_unlinkat:
	case SYS_fchmod:
	case SYS_fsync:
		return true;
	case SYS_openat:
		return regs->rdx & O_CREAT;
	case SYS_bpf:
		return regs->rdi == BPF_OBJ_PIN || regs->rdi == BPF_MAP_UPDATE_ELEM ||
		       regs->rdi == BPF_MAP_DELETE_ELEM || regs->rdi == BPF_ITER_CREATE;
	default:
		return false;
	}
}

/*
 * Run a command, and kill it after its step-th such call; an iterator it makes is not run
 * by then. Returns: did it make so many calls?
 */
static inline bool kill_at(unsigned int step, const char *program, const char *const *args)
{
	const char *argv[16] = { program };
	struct user_regs_struct regs;
	unsigned int count = 0;
	bool entry = true;
	int status;
	pid_t child;

	for (size_t i = 0; args[i] && i < 14; i++)
		argv[i + 1] = args[i];
	fflush(stdout);
	child = fork();
	if (!child) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		execv(program, (char *const *)argv);
		_exit(127);
	}
	waitpid(child, &status, 0);
	for (;;) {
		ptrace(PTRACE_SYSCALL, child, NULL, NULL);
		waitpid(child, &status, 0);
		if (!WIFSTOPPED(status))
			return false;
		if (WSTOPSIG(status) != SIGTRAP)
			continue;
		ptrace(PTRACE_GETREGS, child, NULL, &regs);
		if (!entry && leaves(&regs) && ++count == step) {
			kill(child, SIGKILL);
			waitpid(child, &status, 0);
			return true;
		}
		entry = !entry;
	}
}

#define KILL_AT(step, ...) \
	kill_at(step, GUARD_PROGRAM, (const char *const[]){ __VA_ARGS__, NULL })

#endif /* UTF8VAL_VM_KILLED_H */
