/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Parts of a tree that other runs have scanned: the output of scan --json. scan.c reads
 * them for utf8val summary, instead of a walk.
 */
#ifndef UTF8VAL_SCAN_PARTS_H
#define UTF8VAL_SCAN_PARTS_H

#include <stdbool.h>

#include "base/option.h"
#include "walk/walk.h"

/**
 * parts_read() - find the bad names of parts, as if one walk had met them
 * @walk: as for walk_run(); .data is a struct bad_user, which is handed each name
 * @files: each holds parts, "-" is standard input; up to NULL
 * @options: scan's table, in which the parts' own options are set
 * @accept_errors: also of scans that could not read something
 *
 * Return: the paths that were scanned, up to NULL; NULL with a message when a part cannot be
 * used.
 */
char **parts_read(struct walk *walk, char *const *files,
		  const struct command_option *options, bool accept_errors);

#endif /* UTF8VAL_SCAN_PARTS_H */
