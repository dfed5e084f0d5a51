/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The modes of a superblock and the operations whose names are checked: one
 * list each, from which the security module, its tracepoint, the guard and the
 * command make their enumerations and tables. An entry is the end of a
 * constant's name, and the word that users write and read. X() takes all
 * entries but the last, which LAST() takes: the kernel's __print_symbolic()
 * allows no comma after its last entry.
 */
#ifndef UTF8VAL_MODES_H
#define UTF8VAL_MODES_H

/*
 * What utf8val= can be set to, from the laxest to the strictest; to lower a
 * mode is to set an earlier one. A superblock for which no option has been
 * given is unset, which behaves as off does.
 */
#define UTF8VAL_MODE_LIST(X, LAST)	\
	X(OFF, off)			\
	X(AUDIT, audit)			\
	LAST(ENFORCE, enforce)

#define UTF8VAL_UNSET "unset"

/* The operations that bring a new name into a directory. */
#define UTF8VAL_OP_LIST(X, LAST)	\
	X(CREATE, create)		\
	X(LINK, link)			\
	X(SYMLINK, symlink)		\
	X(MKDIR, mkdir)			\
	X(MKNOD, mknod)			\
	LAST(RENAME, rename)

/* For a message: "utf8val= needs one of" UTF8VAL_MODE_WORDS */
#define UTF8VAL_MODE_WORD(id, word) " " #word
#define UTF8VAL_MODE_WORDS \
	UTF8VAL_MODE_LIST(UTF8VAL_MODE_WORD, UTF8VAL_MODE_WORD)

/* The same for an option's description: "off|audit|enforce" */
#define UTF8VAL_MODE_CHOICE(id, word) #word "|"
#define UTF8VAL_MODE_LAST(id, word) #word
#define UTF8VAL_MODE_CHOICES \
	UTF8VAL_MODE_LIST(UTF8VAL_MODE_CHOICE, UTF8VAL_MODE_LAST)

/* Bytes that are enough for any of these words and its closing NUL. */
#define UTF8VAL_MODE_SIZE(id, word) + sizeof(#word)
#define UTF8VAL_MODE_ROOM \
	(0 UTF8VAL_MODE_LIST(UTF8VAL_MODE_SIZE, UTF8VAL_MODE_SIZE))

#endif /* UTF8VAL_MODES_H */
