/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The paths on the command lines of scan, check and fix. check.c, scan.c and fix.c call
 * this.
 */
#ifndef UTF8VAL_WALK_OPERANDS_H
#define UTF8VAL_WALK_OPERANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "walk/walk.h"

/* A row of a table of options: the file that holds the operands. */
#define OPERANDS_OPTION_FILES(list) \
	{ 0, "files0-from", "FILE", \
	  "Read the paths, each terminated by NUL, from this file; -: " \
	  "from standard input", \
	  .string = (list) }

/**
 * operands_get() - the paths that the command line names
 * @operands: the operands, up to NULL
 * @list: --files0-from's file, "-" for standard input; or NULL
 * @otherwise: the path that an empty command line stands for
 *
 * Return: the paths, up to NULL; NULL with a message when the list cannot be
 * read, or was given beside operands.
 */
char **operands_get(char **operands, const char *list, const char *otherwise);

/*
 * Drop each path that lies inside another one, because the walk would visit it
 * twice. A walk of limited depth may not reach the inner path from the outer
 * one, so there all paths stay.
 */
void operands_drop_nested(char **paths, const struct walk *walk);

#endif /* UTF8VAL_WALK_OPERANDS_H */
