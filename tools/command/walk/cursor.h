/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * One open directory that goes from place to place in a tree that has been
 * walked, to rename what is there. It steps by single names, through no
 * symbolic link, and each directory has to be the one that was met before,
 * whatever its name and place are by now.
 */
#ifndef UTF8VAL_WALK_CURSOR_H
#define UTF8VAL_WALK_CURSOR_H

#include <stdbool.h>
#include <time.h>

#include "walk/walk.h"

struct cursor {
	const struct walk_dir *dir;	/* NULL: nowhere */
	int fd;				/* good for names only (O_PATH) */
	bool touched;			/* times are to be set on leaving */
	struct timespec times[2];
};

/**
 * cursor_enter() - go to a directory
 * @cursor: begins as { 0 }
 * @dir: of any root
 *
 * Where it has been told to keep times, it gives the directory that it leaves
 * its times back.
 *
 * Return: 0, or an errno value; ESTALE when another one is in its place.
 */
int cursor_enter(struct cursor *cursor, const struct walk_dir *dir);

/*
 * What is renamed from here on, until the directory is left, is no change of
 * the directory's content: as far as that is permitted, it keeps its times.
 */
void cursor_keep_times(struct cursor *cursor);

void cursor_close(struct cursor *cursor);

#endif /* UTF8VAL_WALK_CURSOR_H */
