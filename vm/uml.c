// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Can a User-Mode Linux run on this machine? Before 6.13, User-Mode Linux hands
 * a process its floating-point registers in 2,696 bytes, whatever the processor
 * has. Where the registers need more (AMX), ptrace(2) refuses, and init is
 * killed. This program tries the same with a process of its own.
 *
 * Exit status: 0, or 1 after a line that says why it cannot.
 */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int refused(const char *what)
{
	printf("User-Mode Linux before 6.13 cannot run on this processor (%s: %s)\n",
	       what, strerror(errno));
	return 1;
}

int main(void)
{
	static _Alignas(64) char registers[2696];
	struct iovec regset = { registers, sizeof(registers) };
	const char *failed = NULL;
	pid_t child = fork();
	int error = 0;

	if (!child) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			_exit(1);
		raise(SIGSTOP);
		_exit(0);
	}
	if (child < 0)
		return refused("fork");
	if (waitpid(child, NULL, 0) != child)
		return refused("waitpid");
	if (ptrace(PTRACE_GETREGSET, child, NT_X86_XSTATE, &regset)) {
		failed = "reading its registers";
		error = errno;
	} else {
		regset.iov_len = sizeof(registers);
		if (ptrace(PTRACE_SETREGSET, child, NT_X86_XSTATE, &regset)) {
			failed = "setting its registers";
			error = errno;
		}
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	errno = error;
	return failed ? refused(failed) : 0;
}
