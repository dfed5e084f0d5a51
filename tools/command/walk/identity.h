/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The properties that distinguish a file from another of the same name. They stay when the
 * file is renamed; a copy of the file has others.
 */
#ifndef UTF8VAL_WALK_IDENTITY_H
#define UTF8VAL_WALK_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct identity {
	uint64_t dev;		/* as makedev() has it; 0 when not known */
	uint64_t ino;
	uint64_t born;		/* nanoseconds since 1970; 0 when not known */
	mode_t type;		/* S_IFDIR, ... */
	bool lasting;		/* inode numbers of this file system last */
};

/**
 * identity_get() - find the identity of a file
 * @fd: a directory; or the file itself, when @name is empty
 * @name: a name in the directory; a symbolic link is not followed, and an
 *	automount is not triggered
 * @identity: filled in; identity_settle() says what of it lasts
 *
 * Return: 0, or an errno value.
 */
int identity_get(int fd, const char *name, struct identity *identity);

/*
 * Remove from an identity the parts that may change while the file exists, by the file
 * system that fd is on. FAT and FUSE make new inode numbers up whenever the kernel has
 * forgotten an inode. overlayfs copies a file of a lower layer when it is renamed, with a
 * new birth.
 */
void identity_settle(int fd, struct identity *identity);

/* The same for what is in a directory of the same file system, which has been settled. */
void identity_settle_in(const struct identity *dir, struct identity *identity);

/* An order of files, as strcmp() returns it, by device and inode number. */
int identity_compare(const struct identity *a, const struct identity *b);

/* Are these the same file, as far as the file system can tell? */
bool identity_same(const struct identity *a, const struct identity *b);

/*
 * The message for an errno value, to a user who has named a file. ESTALE stands for an
 * identity that was not the expected one. The text is valid until the thread calls this
 * function again.
 */
const char *identity_error(int error);

#endif /* UTF8VAL_WALK_IDENTITY_H */
