/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Renaming so that nothing is ever replaced or lost. */
#ifndef UTF8VAL_WALK_MOVE_H
#define UTF8VAL_WALK_MOVE_H

#include "walk/identity.h"

/**
 * move_name() - give a file another name in its directory
 * @dir: open
 * @from: its name
 * @to: the new one
 * @id: what it has to be
 *
 * Where the file system cannot rename without replacing (NFS for one), a
 * directory is renamed onto an empty one made for that, and everything else
 * gets the new name as a second link before it loses the old one. There, a file
 * that is renamed onto @from between the last look at it and unlink(2) is removed:
 * only who may remove it anyway can bring that about.
 *
 * Return: 0, or an errno value: EEXIST when @to exists, ESTALE when @from was
 * something else, which then has its name again, ENOTSUP when the file system
 * can do none of this.
 */
int move_name(int dir, const char *from, const char *to,
	      const struct identity *id);

/**
 * move_target() - have a symbolic link point to something else
 * @dir: open
 * @name: the link
 * @old: where it has to point to
 * @new: where it is to point to
 * @scratch: a name that is free, used meanwhile
 *
 * The link is replaced in one step by one of the same owner and times.
 *
 * Return: as move_name().
 */
int move_target(int dir, const char *name, const char *old, const char *new,
		const char *scratch);

/* Where does a link point to? To be freed; NULL with errno if it is none. */
char *move_read_target(int dir, const char *name);

#endif /* UTF8VAL_WALK_MOVE_H */
