// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Handlers of SIGHUP, SIGINT and SIGTERM, which set a flag. scan, fix and undo check the
 * flag, stop early and print what was done.
 */
#include "base/interrupt.h"

#include <poll.h>
#include <signal.h>
#include <stddef.h>

atomic_int interrupted;

static const int numbers[] = { SIGHUP, SIGINT, SIGTERM };

static void on_signal(int number)
{
	interrupted = number;
}

void interrupt_catch(void)
{
	/*
	 * A second one ends the program at once (SA_RESETHAND); output that
	 * is being written is not lost (SA_RESTART).
	 */
	struct sigaction action = { .sa_handler = on_signal,
				    .sa_flags = (int)(SA_RESETHAND | SA_RESTART) };
	struct sigaction before;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		sigaction(numbers[i], &action, &before);
		/* The program's caller ignores the signal on purpose, for example nohup(1). */
		if (before.sa_handler == SIG_IGN)
			sigaction(numbers[i], &before, NULL);
	}
}

bool interrupt_wait(int fd)
{
	struct pollfd input = { .fd = fd, .events = POLLIN };
	sigset_t caught, before;

	sigemptyset(&caught);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaddset(&caught, numbers[i]);
	/* No signal is missed between the look and ppoll(2), which lets it in. */
	sigprocmask(SIG_BLOCK, &caught, &before);
	if (!interrupted)
		ppoll(&input, 1, NULL, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return !interrupted;
}
