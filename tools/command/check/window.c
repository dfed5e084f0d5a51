// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* A file seen through a buffer that moves on. check reads each file through it. */
#include "check/window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/pieces.h"

/*
 * This size fits a second-level cache; from 64 KiB on, the size made no
 * difference to the speed.
 */
#define WINDOW_BYTES (128 * 1024)

void window_init_file(struct window *window, int fd, enum utf8val_form form, off_t size)
{
	uint8_t *bytes = window->bytes;

	*window = (struct window){
		.fd = fd, .form = form, .size = size, .place = { 0, 1, 1 },
		.bytes = bytes ? bytes : must(malloc(WINDOW_BYTES)),
	};
}

void window_init(struct window *window, int fd, enum utf8val_form form)
{
	struct stat st;

	window_init_file(window, fd, form, 0);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return;
	window->begin = lseek(fd, 0, SEEK_CUR);
	if (window->begin >= 0)
		window->size = st.st_size;
}

void window_free(struct window *window)
{
	free(window->bytes);
	window->bytes = NULL;
}

/*
 * Read more of the file. The bytes before the place are dropped, except WINDOW_CONTEXT
 * bytes.
 */
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

/* Move the place over len well-formed bytes. */
static void advance(struct window *window, size_t len)
{
	const uint8_t *s = window->bytes + window->at;
	const uint8_t *nul = window->find_nul && !window->has_nul && len ?
				     memchr(s, '\0', len) : NULL;

	if (nul) {
		window->has_nul = true;
		advance(window, (size_t)(nul - s));
		window->nul = window->place;
		len -= (size_t)(nul - s);
		s = nul;
	}
	window->at += len;
	window->place.offset += len;
	if (window->count_places)
		text_count(&window->place, s, len);
}

/* The part in which git, too, looks for a NUL to tell whether a file is binary. */
#define BINARY_BYTES 8000

bool window_is_binary(const struct window *window)
{
	size_t len = window->len < BINARY_BYTES ? window->len : BINARY_BYTES;

	return len && memchr(window->bytes, '\0', len);
}

bool window_fill(struct window *window)
{
	while (!window->end && window->len < BINARY_BYTES) {
		refill(window);
		/*
		 * The whole regular file is in the buffer, so no read has to
		 * find its end.
		 */
		if (window->size && window->begin + (off_t)window->len == window->size)
			window->end = true;
	}
	window->has_mark = window->len >= 3 && !memcmp(window->bytes, "\xEF\xBB\xBF", 3);
	return !window->error;
}

/* Is anything ill-formed in a file that the buffer holds whole? */
static bool search_buffer(struct window *window)
{
	return utf8val_form_check(window->form, window->bytes,
				  window->len).reason != UTF8VAL_OK;
}

bool window_search(struct window *window, bool count_places)
{
	struct pieces pieces = { .fd = window->fd, .form = window->form,
				 .begin = window->begin, .end = window->size };

	if (window->end)
		return search_buffer(window);
	if (!window->size || !pieces_check(&pieces))
		return true;
	if (pieces.error) {
		window->error = pieces.error;
		return false;
	}
	if (pieces.bad < 0)
		return false;
	/* Go on from where the piece begins. */
	if (count_places)
		pieces_count(&pieces, &window->place);
	window->place.offset = (unsigned long long)(pieces.bad - pieces.begin);
	window->at = 0;
	window->len = 0;
	return lseek(window->fd, pieces.bad, SEEK_SET) == pieces.bad;
}

bool window_next(struct window *window, struct utf8val_result *bad)
{
	for (;;) {
		*bad = utf8val_form_check(window->form,
					  window->bytes + window->at,
					  window->len - window->at);
		advance(window, bad->valid);
		bad->valid = 0;
		/* A sequence that the end of the buffer cuts is not judged yet. */
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
	window->place.offset += bad->bad;
	window->place.column++;
}
