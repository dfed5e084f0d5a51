/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The undo journal of a fix. fix.c's renames write it, undo.c and journal_list.c read it. It
 * is text: one record a line, fields separated by a space. In paths and names, '%' and every
 * byte that is not visible ASCII are %HH:
 *
 *	utf8val journal 2
 *	run 1795395600 0 eve srv1	time, user ID, the user before sudo, host
 *	root 1 /home/me 2049 7 2 0	directory 1: its absolute path, device,
 *					file system, inode, time of birth
 *	dir 2 1 caf%E9 2049 9 0		directory 2 is caf%E9 in directory 1
 *	name 2 f 12 0 n%E9 n%C3%A9	in directory 2, a file of that inode and
 *					birth: the old name, the new name
 *	link 1 lnk n%E9 n%C3%A9 .t	in directory 1, the link lnk: the old
 *					target, the new target, a scratch name
 *	failed 7			the 7th name or link was not changed
 *	commit 7			7 names and links are above this line
 *	end 7				the run came to its end
 *	undone 1795399200		at that time all was undone
 *
 * A number that the file system does not report is 0. Records are written, and
 * synchronised to the disk, before the first of their names is changed: a record is an
 * intention. The directory shows whether the intention was carried out: it has either
 * the old name or the new one. If the disk was full or the host stopped, there can be
 * records after the last commit; none of their names was changed.
 *
 * Version 1, which has no identities, was written by utf8val 0.1 only and is not read.
 */
#ifndef UTF8VAL_UNDO_JOURNAL_H
#define UTF8VAL_UNDO_JOURNAL_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "base/text.h"
#include "walk/walk.h"

struct journal {
	int fd;
	char *path;
	struct text pending;
	unsigned long long dirs;	/* number of their records */
	unsigned long long records;	/* number of names and links */
	/* Directories whose records are pending. */
	struct walk_dir **fresh;
	size_t fresh_count, fresh_room;
	/* The part that has reached the disk, as bytes and as names and links. */
	off_t committed;
	unsigned long long committed_records;
	bool broken;			/* cutting back to .committed failed */
};

/* The result of journal_name() if the root's path is longer than system calls accept. */
#define JOURNAL_DEEP EOVERFLOW

/**
 * journal_create() - begin a journal in a new file
 * @journal: filled in
 * @path: the file; NULL for a new name in $XDG_STATE_HOME/utf8val
 *
 * Return: false with a message on failure.
 */
bool journal_create(struct journal *journal, const char *path);

/*
 * Add a directory, and the directories above, unless they have their records; as
 * journal_name(). The path of their root must lead there.
 */
int journal_dir(struct journal *journal, struct walk_dir *dir);

/**
 * journal_name() - add that a name is to be changed
 * @journal: the journal that gets the record
 * @dir: the directory, which gets a record of its own before its first name
 * @id: the identity of the file that has the name
 * @old: the name
 * @new: the name that the file will get
 * @record: set to the number of the record, from 1
 *
 * Return: 0, or an errno value if the root's path cannot be found, or JOURNAL_DEEP.
 */
int journal_name(struct journal *journal, struct walk_dir *dir,
		 const struct identity *id, const char *old, const char *new,
		 unsigned long long *record);

/* Add that the target of a symbolic link is to be changed; as journal_name(). */
int journal_link(struct journal *journal, struct walk_dir *dir,
		 const char *name, const char *old, const char *new,
		 const char *scratch, unsigned long long *record);

/*
 * Write the pending records and synchronise them to the disk. False with a message when
 * the write failed. The pending records are then dropped, as if they had not been
 * added, and none of them may be carried out. Later records may be added.
 */
bool journal_commit(struct journal *journal);

/*
 * Record that an earlier record was not carried out. This line may get lost, because
 * undo reads the directory anyway.
 */
void journal_failed(struct journal *journal, unsigned long long record);

/*
 * The journal's path, to be freed. It is the path with which the journal was opened. If
 * a directory above it was renamed since, it is the path that leads to it now.
 */
char *journal_path_now(const struct journal *journal);

/*
 * Close the journal. If @done is false, the journal is removed, because nothing was
 * renamed. If @ended is false, the journal has no line "end": the run was stopped.
 */
void journal_close(struct journal *journal, bool done, bool ended);

/* The directory of journals; NULL if the environment does not name one. */
char *journal_room(void);

/* The user who became root, by SUDO_USER or loginuid. */
char *journal_user(void);

/* The name of this host, to be freed. */
char *journal_host(void);

struct journal_run;

/*
 * Record in a journal that all of it was undone. This line may get lost. The record is
 * written only to the file that was read, because another file may have that name by
 * now.
 */
void journal_add_undone(const char *path, const struct journal_run *run);

/*
 * The number that a file system reports for itself, or 0. Unlike a device number it
 * stays the same after a boot.
 */
unsigned long long journal_file_system(int fd);

#endif /* UTF8VAL_UNDO_JOURNAL_H */
