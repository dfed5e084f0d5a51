/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A file of any size, seen through a buffer of constant size, with the place
 * (line, column) of every byte in it.
 *
 * No utf8val_stream: it would save carrying the at most three bytes of a cut
 * sequence over, but the bytes before a place are carried anyway, to be shown,
 * and the other forms have no stream. And no mmap: reading a file that shrinks
 * would end in SIGBUS.
 */
#ifndef UTF8VAL_WINDOW_H
#define UTF8VAL_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "utf8val_forms.h"

/* what is kept before a place, and looked for after it */
#define WINDOW_CONTEXT 32

struct window {
	int fd;
	enum utf8val_form form;
	bool count_places;	/* keep line and column; costs a little */

	uint8_t *bytes;
	size_t at;		/* the place: everything before was looked at */
	size_t len;
	bool end;		/* nothing follows bytes[len - 1] */
	int error;		/* errno value that ended it early, or 0 */
	uint64_t offset;	/* of the place, from 0 */
	uint64_t line;		/* of the place, from 1 */
	uint64_t column;	/* in characters, from 1 */
};

void window_init(struct window *window, int fd, enum utf8val_form form);
void window_free(struct window *window);

/**
 * window_next() - move to the next ill-formed sequence
 * @window: the place is where the search begins
 * @bad: length and reason of what was found; .valid is 0
 *
 * Around the place, up to WINDOW_CONTEXT bytes before and after it are then in
 * the buffer.
 *
 * Return: false at the end, or on an error, which is in @window->error then.
 */
bool window_next(struct window *window, struct utf8val_result *bad);

/* Step over the sequence that window_next() has found. */
void window_skip(struct window *window, const struct utf8val_result *bad);

#endif /* UTF8VAL_WINDOW_H */
