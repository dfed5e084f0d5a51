/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A list of paths that are not files on this host, as tar -t or find prints it. scan.c
 * reads it instead of a walk.
 */
#ifndef UTF8VAL_SCAN_LIST_H
#define UTF8VAL_SCAN_LIST_H

#include "walk/walk.h"

/**
 * list_read() - find the bad names of the list on standard input
 * @walk: as for walk_run(); .data is a struct bad_user, which is handed each name
 *
 * Paths are ended by a newline or, where the list begins with a path that a NUL
 * ends, by NULs. A path's directories have names, too, which are found once. The
 * list may be of any length: what names tell of each other is forgotten after some
 * ten thousand bad ones.
 */
void list_read(struct walk *walk);

#endif /* UTF8VAL_SCAN_LIST_H */
