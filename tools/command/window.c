// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include "window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

/* fits a second-level cache; from 64 KiB on, size made no difference */
#define WINDOW_BYTES (128 * 1024)

void window_init(struct window *window, int fd, enum utf8val_form form)
{
	uint8_t *bytes = window->bytes;

	*window = (struct window){
		.fd = fd, .form = form, .line = 1, .column = 1,
		.bytes = bytes ? bytes : must(malloc(WINDOW_BYTES)),
	};
}

void window_free(struct window *window)
{
	free(window->bytes);
	window->bytes = NULL;
}

/* Read on; what lies before the place is dropped, but for the context. */
static void refill(struct window *window)
{
	size_t keep = window->at < WINDOW_CONTEXT ? window->at : WINDOW_CONTEXT;
	size_t drop = window->at - keep;
	ssize_t got;

	memmove(window->bytes, window->bytes + drop, window->len - drop);
	window->at -= drop;
	window->len -= drop;
	do {
		got = read(window->fd, window->bytes + window->len,
			   WINDOW_BYTES - window->len);
	} while (got < 0 && errno == EINTR);
	if (got <= 0) {
		window->end = true;
		window->error = got < 0 ? errno : 0;
	} else {
		window->len += (size_t)got;
	}
}

/*
 * How many bytes have, under the mask, this value? Whole blocks of constant
 * length whose sum fits a byte: that is what compilers make vector code of.
 */
#define COUNT_BLOCK 128

static inline size_t count_bytes(const uint8_t *s, size_t len, uint8_t mask,
				 uint8_t value)
{
	size_t count = 0;

	for (; len >= COUNT_BLOCK; s += COUNT_BLOCK, len -= COUNT_BLOCK) {
		uint8_t sum = 0;

		for (size_t i = 0; i < COUNT_BLOCK; i++)
			sum = (uint8_t)(sum + ((s[i] & mask) == value));
		count += sum;
	}
	for (size_t i = 0; i < len; i++)
		count += (s[i] & mask) == value;
	return count;
}

/* Move the place over len well-formed bytes. */
static void advance(struct window *window, size_t len)
{
	const uint8_t *s = window->bytes + window->at;

	window->at += len;
	window->offset += len;
	if (!window->count_places)
		return;
	if (memchr(s, '\n', len)) {
		const uint8_t *last = memrchr(s, '\n', len);

		window->line += count_bytes(s, len, 0xFF, '\n');
		window->column = 1;
		len -= (size_t)(last + 1 - s);
		s = last + 1;
	}
	/* as many characters as bytes that are no tails */
	window->column += len - count_bytes(s, len, 0xC0, 0x80);
}

bool window_next(struct window *window, struct utf8val_result *bad)
{
	for (;;) {
		*bad = utf8val_form_check(window->form,
					  window->bytes + window->at,
					  window->len - window->at);
		advance(window, bad->valid);
		bad->valid = 0;
		/* a sequence that the buffer cuts says nothing yet */
		if (bad->reason != UTF8VAL_OK &&
		    (bad->reason != UTF8VAL_TRUNCATED || window->end))
			break;
		if (window->end)
			return false;
		refill(window);
	}
	while (!window->end && window->len - window->at < WINDOW_CONTEXT)
		refill(window);
	return true;
}

void window_skip(struct window *window, const struct utf8val_result *bad)
{
	window->at += bad->bad;
	window->offset += bad->bad;
	window->column++;
}
