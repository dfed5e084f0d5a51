/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * SIGHUP, SIGINT and SIGTERM: all threads stop soon, and the results so far are
 * printed. scan, summary, fix and undo call this.
 */
#ifndef UTF8VAL_BASE_INTERRUPT_H
#define UTF8VAL_BASE_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>

/* The number of the signal that came, for all threads to ask; 0: none did. */
extern atomic_int interrupted;

/* Have these set interrupted, unless they are ignored, instead of ending the program. */
void interrupt_catch(void);

/* Wait for input, or for one of the signals: false when one has come by now. */
bool interrupt_wait(int fd);

#endif /* UTF8VAL_BASE_INTERRUPT_H */
