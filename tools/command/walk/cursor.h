/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * One open directory that moves through a tree after the walk, for the renames of fix
 * and undo. The cursor steps by single names, through no symbolic link. Each directory
 * must be the one that was met before, even if its name and place have changed.
 */
#ifndef UTF8VAL_WALK_CURSOR_H
#define UTF8VAL_WALK_CURSOR_H

#include <stdbool.h>
#include <time.h>

#include "walk/walk.h"

struct cursor {
	const struct walk_dir *dir;	/* NULL: nowhere */
	int fd;				/* opened with O_PATH: finds names only */
	bool touched;			/* set the times on leaving */
	struct timespec times[2];
	unsigned long long lost;	/* directories whose times could not be set */
};

/**
 * cursor_enter() - go to a directory
 * @cursor: begins as { 0 }
 * @dir: of any root
 *
 * The directory that the cursor leaves is given its times back, if
 * cursor_keep_times() was called there.
 *
 * Return: 0, or an errno value; ESTALE when another directory is in its place.
 */
int cursor_enter(struct cursor *cursor, const struct walk_dir *dir);

/*
 * Keep the times of the directory for all renames from here on until the cursor leaves
 * it, as far as the system permits. These renames do not change its content.
 */
void cursor_keep_times(struct cursor *cursor);

void cursor_close(struct cursor *cursor);

#endif /* UTF8VAL_WALK_CURSOR_H */
