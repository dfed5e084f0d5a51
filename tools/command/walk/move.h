/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Renaming so that nothing is ever replaced or lost. fix and undo call this. */
#ifndef UTF8VAL_WALK_MOVE_H
#define UTF8VAL_WALK_MOVE_H

#include "walk/identity.h"

/**
 * move_name() - give a file another name in its directory
 * @dir: the directory, open
 * @from: the name of the file
 * @to: the new name
 * @id: the identity that the file must have
 *
 * Some file systems cannot rename without replacing, for example NFS. There, a
 * directory is renamed onto an empty directory made for this, which stays when the
 * program is killed in between. Every other file gets the new name as a second link
 * before it loses the old name. On such a file system a file that somebody renames onto
 * @from between the last look at @from and unlink(2) is removed. Only users who may
 * remove that file anyway can cause this.
 *
 * Return: 0, or an errno value. EEXIST: @to exists. ESTALE: @from was another file,
 * which has its name again. ENOTSUP: the file system supports none of these ways.
 */
int move_name(int dir, const char *from, const char *to, const struct identity *id);

/**
 * move_target() - have a symbolic link point to something else
 * @dir: the directory, open
 * @name: the name of the link
 * @old: where the link has to point to by now
 * @new: where the link is to point to
 * @scratch: a free name, which the new link has until it takes its place
 *
 * One step replaces the link by another of the same owner and times. Where the file
 * system cannot exchange two names, a file may be lost as with move_name(): one that
 * somebody renames onto @name just before rename(2).
 *
 * Return: as move_name().
 */
int move_target(int dir, const char *name, const char *old, const char *new,
		const char *scratch);

/*
 * Where does a symbolic link point to? The text is to be freed; NULL with errno
 * when the name is not that of a link.
 */
char *move_read_target(int dir, const char *name);

#endif /* UTF8VAL_WALK_MOVE_H */
