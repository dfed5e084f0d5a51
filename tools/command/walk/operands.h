/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The paths that scan, check and fix are given. */
#ifndef UTF8VAL_WALK_OPERANDS_H
#define UTF8VAL_WALK_OPERANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "walk/walk.h"

/* A row of a table of options: a file with the operands. */
#define OPERANDS_OPTION_FILES(list) \
	{ 0, "files0-from", "FILE", \
	  "Read the paths, each terminated by NUL, from this file; -: " \
	  "from standard input", \
	  .string = (list) }

/**
 * operands_get() - what the command line names
 * @operands: up to NULL
 * @list: --files0-from's file, "-" for standard input; or NULL
 * @otherwise: what an empty command line stands for
 *
 * Return: the paths, up to NULL; NULL with a message when the list cannot be
 * read, or is there beside operands.
 */
char **operands_get(char **operands, const char *list, const char *otherwise);

/*
 * Drop what lies inside another one, for it would be visited twice: unless the
 * walk is limited, for then it need not be.
 */
void operands_drop_nested(char **paths, const struct walk *walk);

#endif /* UTF8VAL_WALK_OPERANDS_H */
