/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The undo journal of a fix. It is text, one record a line, fields separated by
 * a space, every byte of a path or name but visible ASCII (and '%') as %HH:
 *
 *	utf8val journal 1
 *	root /home/me		absolute; the following is relative to it
 *	dir a/b			"." is the root itself
 *	name caf%E9 caf%C3%A9	in this directory: the old name, the new one
 *	failed 7		the 7th name record did not come to pass
 *
 * Names are written, and synchronised to the disk, before the first of them is
 * renamed: a record is an intention. Whether it was carried out is told by the
 * directory: a name is always either the old one or the new one. A last line
 * without its newline was being written when the disk filled up or the machine
 * stopped; nothing had been done about it yet.
 */
#ifndef UTF8VAL_JOURNAL_H
#define UTF8VAL_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

struct journal {
	int fd;
	char *path;
	struct text pending;
	unsigned long long names;	/* records so far */
};

/**
 * journal_create() - begin a journal in a new file
 * @journal: filled in
 * @path: where; NULL for a new name in $XDG_STATE_HOME/utf8val
 *
 * Return: false with a message on failure.
 */
bool journal_create(struct journal *journal, const char *path);

void journal_root(struct journal *journal, const char *path);
void journal_dir(struct journal *journal, const void *path, size_t len);
/* The number of the record, from 1. */
unsigned long long journal_name(struct journal *journal, const void *old,
				size_t old_len, const void *new,
				size_t new_len);

/*
 * Write what is pending and have it reach the disk; false with a message when
 * it did not, and nothing of it may be carried out then.
 */
bool journal_commit(struct journal *journal);

/* A rename did not happen; best effort, for undo asks the directory anyway. */
void journal_failed(struct journal *journal, unsigned long long name);

/* Close it, or remove it when it holds no name. */
void journal_close(struct journal *journal);

struct journal_record {
	const char *root, *dir;
	char *old, *new;
	bool failed;
};

struct journal_records {
	struct journal_record *records;
	size_t count;
};

/**
 * journal_read() - read a whole journal
 * @path: the file
 * @records: filled in, in the order they were written
 *
 * Return: false with a message when it cannot be read or is no journal.
 */
bool journal_read(const char *path, struct journal_records *records);

#endif /* UTF8VAL_JOURNAL_H */
