/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * One large file, checked by as many threads as there are processors.
 *
 * A piece begins at the first byte at or after its place that is no tail, and
 * the piece before it ends there. When the three bytes after the place are all
 * tails, it begins at the place itself: no sequence has four of them, so the
 * file is ill-formed there whoever looks at it.
 */
#ifndef UTF8VAL_CHECK_PIECES_H
#define UTF8VAL_CHECK_PIECES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "utf8val_forms.h"

struct pieces {
	int fd;			/* of a regular file */
	enum utf8val_form form;
	off_t begin, end;	/* of what is to be checked */
	/* what came of it */
	off_t bad;		/* well-formed up to here, where a character
				 * begins, but not to the end; -1: all is
				 */
	int error;		/* errno value, or 0 */
};

/* Check it; false when that is not worth it, or the form is another one. */
bool pieces_check(struct pieces *pieces);

/* Add to line and column what lies before .bad. */
void pieces_count(const struct pieces *pieces, uint64_t *line,
		  uint64_t *column);

#endif /* UTF8VAL_CHECK_PIECES_H */
