/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A file of any size, seen through a buffer of constant size, with the place (line,
 * column) of every byte in the buffer. check.c calls this, and pieces.c for large
 * files.
 *
 * This is no utf8val_stream. A stream would not have to keep the at most three bytes of
 * a sequence that the buffer cuts. But the bytes before a place are kept anyway, to be
 * shown, and the other forms have no stream. The file is not mapped by mmap(), either:
 * reading a mapped file that shrinks ends in SIGBUS.
 */
#ifndef UTF8VAL_CHECK_WINDOW_H
#define UTF8VAL_CHECK_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"
#include "utf8val_forms.h"

/* The number of bytes kept before a place, and looked for after it. */
#define WINDOW_CONTEXT 32

struct window {
	int fd;
	enum utf8val_form form;
	bool count_places;	/* keep .line and .column up to date */
	bool find_nul;		/* needs .count_places */

	bool has_mark;		/* the file begins with a byte order mark */
	bool has_nul;
	struct text_place nul;	/* the first NUL */

	/* Of a regular file, where reading began and where the file ends; otherwise 0. */
	off_t begin, size;

	uint8_t *bytes;
	size_t at;		/* .place: what lies before was checked */
	size_t len;
	bool end;		/* nothing follows bytes[len - 1] */
	int error;		/* errno value that ended reading, or 0 */
	struct text_place place;
};

/* Begin with the file that fd is open on, from its current offset on. */
void window_init(struct window *window, int fd, enum utf8val_form form);
/* Begin with a regular file of that size, whose offset is 0. */
void window_init_file(struct window *window, int fd, enum utf8val_form form, off_t size);
void window_free(struct window *window);

/* Read the first bytes; false on an error, which is in @window->error then. */
bool window_fill(struct window *window);

/* Is there a NUL in what window_fill() has read, near the beginning? */
bool window_is_binary(const struct window *window);

/**
 * window_search() - go near the first ill-formed sequence, if there is one
 * @window: window_fill() has been called, and nothing after it
 * @count_places: keep line and column right on the way
 *
 * A regular file is read by as many threads as there are processors, in pieces that begin
 * at a character. A file that cannot be read twice is left to window_next().
 *
 * Return: false when all of the file is well-formed or could not be read.
 */
bool window_search(struct window *window, bool count_places);

/**
 * window_next() - move to the next ill-formed sequence
 * @window: the place is where the search begins
 * @bad: length and reason of the sequence; .valid is 0
 *
 * After the call, up to WINDOW_CONTEXT bytes before the place and after the place
 * are in the buffer.
 *
 * Return: false at the end, or on an error, which is in @window->error then.
 */
bool window_next(struct window *window, struct utf8val_result *bad);

/* Step over the sequence that window_next() has found. */
void window_skip(struct window *window, const struct utf8val_result *bad);

#endif /* UTF8VAL_CHECK_WINDOW_H */
