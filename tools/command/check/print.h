/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The output of check for one file. check.c calls it. */
#ifndef UTF8VAL_CHECK_PRINT_H
#define UTF8VAL_CHECK_PRINT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "check/window.h"
#include "utf8val_forms.h"
#include "walk/walk.h"

struct check {
	struct walk walk;
	enum utf8val_form form;
	unsigned int output;	/* enum output */
	bool list, good, quiet, all, recursive, skip_binary, warn;
	const char *paths;	/* --files0-from, or NULL */
	atomic_bool bad;
	atomic_bool trouble;
};

/* Print what is ill-formed at the window's place, in the output that was asked for. */
void check_print(const struct check *check, const char *path, size_t len,
		 const struct window *window,
		 const struct utf8val_result *bad);

/* Print a warning of something that is well-formed but strange. */
void check_print_warning(const struct check *check, const char *path, size_t len,
			 const struct text_place *place, const char *what);

/* Print only a file's name, in the output that was asked for. */
void check_name_file(const struct check *check, const char *path, size_t len);

#endif /* UTF8VAL_CHECK_PRINT_H */
