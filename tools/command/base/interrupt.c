// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* SIGINT and SIGTERM: all threads stop soon, and what was done is said. */
#include "base/interrupt.h"

#include <signal.h>

atomic_int interrupted;

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
				    .sa_flags = (int)(SA_RESETHAND |
						      SA_RESTART) };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}
