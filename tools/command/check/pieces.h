/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The check of one large file in pieces, by as many threads as there are CPUs. window.c
 * calls it.
 *
 * A piece begins at the first byte, at or after its place, that is no tail, and the
 * piece before ends there. When the four bytes from the place on are all tails, the
 * piece begins at the place itself. No sequence has four tails, so the file is
 * ill-formed there, wherever its pieces begin.
 */
#ifndef UTF8VAL_CHECK_PIECES_H
#define UTF8VAL_CHECK_PIECES_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/text.h"
#include "utf8val_forms.h"

struct pieces {
	int fd;			/* of a regular file */
	enum utf8val_form form;
	off_t begin, end;	/* of the part to check */
	/* The results. */
	/*
	 * where a sequence begins up to which the part is well-formed; an error
	 * follows. -1: all of the part is well-formed
	 */
	off_t bad;
	int error;		/* errno value, or 0 */
};

/*
 * Check the part; false when the file is too small for threads or of another
 * form than UTF-8.
 */
bool pieces_check(struct pieces *pieces);

/* Move line and column of a place over what lies before .bad. */
void pieces_count(const struct pieces *pieces, struct text_place *place);

#endif /* UTF8VAL_CHECK_PIECES_H */
