/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Child processes that do something over and over beside a test. The tests of races,
 * limits and attacks include this.
 */
#ifndef UTF8VAL_VM_CHURN_H
#define UTF8VAL_VM_CHURN_H

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pid_t children[16];
static size_t running;

/* Start a child that calls what(number) over and over until end_children(). */
static inline void churn(void (*what)(int number), int number)
{
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child) {
		children[running++] = child;
		return;
	}
	for (;;)
		what(number);
}

/* End all children. Returns: how many had ended by themselves, which is a failure. */
static inline int end_children(void)
{
	int ended = 0;

	while (running) {
		pid_t child = children[--running];

		ended += waitpid(child, NULL, WNOHANG) != 0;
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	return ended;
}

static inline void be_nobody(void)
{
	if (setgid(1000) || setuid(1000))
		_exit(1);
}

static inline long now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000L + now.tv_nsec / 1000;
}

/* Keep the processor busy, and leave it for a moment, over and over. */
static inline void interrupt(int unused)
{
	const struct timespec moment = { 0, 30000 };

	(void)unused;
	be_nobody();
	prctl(PR_SET_TIMERSLACK, 1);
	for (;;) {
		long until = now_us() + 300;

		while (now_us() < until)
			;
		nanosleep(&moment, NULL);
	}
}

#endif /* UTF8VAL_VM_CHURN_H */
