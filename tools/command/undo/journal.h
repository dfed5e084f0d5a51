/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The undo journal of a fix. It is text, one record a line, fields separated by
 * a space, every byte of a path or name but visible ASCII (and '%') as %HH:
 *
 *	utf8val journal 2
 *	run 1795395600 0 eve		when, by which user, who that really was
 *	root 1 /home/me 2049 7 2 0	directory 1: its absolute path, device,
 *					file system, inode, time of birth
 *	dir 2 1 caf%E9 2049 9 0		directory 2 is caf%E9 in directory 1
 *	name 2 f 12 0 n%E9 n%C3%A9	in directory 2, a file of that inode and
 *					birth: the old name, the new one
 *	link 1 lnk n%E9 n%C3%A9 .t	in directory 1, a link: where it pointed
 *					to, where it points to; a scratch name
 *	failed 7			the 7th name or link did not come to be
 *	commit 7			so many names and links up to here
 *	end 7				the run came to its end
 *	undone 1795399200		and all of it was given back then
 *
 * A number that the file system does not tell is 0. Names are written, and
 * synchronised to the disk, before the first of them is renamed: a record is an
 * intention. Whether it was carried out is told by the directory: a name is
 * always either the old one or the new one. What follows the last commit was
 * being written when the disk filled up or the machine stopped; nothing had
 * been done about it yet.
 *
 * Version 1 had no identities, "dir PATH" and "name OLD NEW"; it is read, too.
 */
#ifndef UTF8VAL_UNDO_JOURNAL_H
#define UTF8VAL_UNDO_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "base/text.h"
#include "walk/walk.h"

struct journal {
	int fd;
	char *path;
	struct text pending;
	unsigned long long dirs;	/* records of them so far */
	unsigned long long records;	/* names and links so far */
	/* directories whose records are pending */
	struct walk_dir **fresh;
	size_t fresh_count, fresh_room;
	/* what has reached the disk: bytes, names and links */
	off_t committed;
	unsigned long long committed_records;
	bool broken;			/* what follows it could not be cut off */
};

/**
 * journal_create() - begin a journal in a new file
 * @journal: filled in
 * @path: where; NULL for a new name in $XDG_STATE_HOME/utf8val
 *
 * Return: false with a message on failure.
 */
bool journal_create(struct journal *journal, const char *path);

/**
 * journal_name() - add that a name is to be changed
 * @journal: where
 * @dir: the directory, which gets its record too
 * @id: what has the name
 * @old: the name
 * @new: what it will be
 * @record: gets the number of the record, from 1
 *
 * Return: 0, or an errno value when the root's path cannot be told.
 */
int journal_name(struct journal *journal, struct walk_dir *dir,
		 const struct identity *id, const char *old, const char *new,
		 unsigned long long *record);

/* The same for where a link points to. */
int journal_link(struct journal *journal, struct walk_dir *dir,
		 const char *name, const char *old, const char *new,
		 const char *scratch, unsigned long long *record);

/*
 * Write what is pending and have it reach the disk; false with a message when
 * it did not, and nothing of it may be carried out then: it is as if it had not
 * been added, and other things may be.
 */
bool journal_commit(struct journal *journal);

/* A record did not come to pass; best effort, undo asks the directory anyway. */
void journal_failed(struct journal *journal, unsigned long long record);

/*
 * Close it; with done false remove it, for nothing was renamed. The run was
 * stopped when ended is false.
 */
void journal_close(struct journal *journal, bool done, bool ended);

/* The directory of journals; NULL when the environment tells none. */
char *journal_room(void);

/* Who is this really? The user that root was before, by SUDO_USER or loginuid. */
char *journal_user(void);

struct journal_run;

/*
 * Add that all of a journal was given back; best effort, and only to the file
 * that was read: another may have its name by now.
 */
void journal_add_undone(const char *path, const struct journal_run *run);

/* The file system's own number, or 0; it outlasts device numbers. */
unsigned long long journal_file_system(int fd);

#endif /* UTF8VAL_UNDO_JOURNAL_H */
