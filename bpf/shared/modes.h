/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Three lists: the modes of a superblock, the operations whose names are checked, and the
 * types of file system that cannot have a mode. Guard, command and tests make their
 * enumerations and tables from these lists. An entry is the end of a constant's name, and
 * the word that users write and read. X() takes all entries except the last, which LAST()
 * takes.
 */
#ifndef UTF8VAL_MODES_H
#define UTF8VAL_MODES_H

/*
 * The values of utf8val=, from the laxest to the strictest. To lower a mode is
 * to set an earlier value. Without an option, a superblock is unset,
 * which behaves as off does. The third and fourth column: are bad names reported with
 * this mode, and are they refused?
 */
#define UTF8VAL_MODE_LIST(X, LAST)		\
	X(OFF, off, false, false)		\
	X(AUDIT, audit, true, false)		\
	LAST(ENFORCE, enforce, true, true)

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
#define UTF8VAL_MODE_WORD(id, word, ...) " " #word
#define UTF8VAL_MODE_WORDS \
	UTF8VAL_MODE_LIST(UTF8VAL_MODE_WORD, UTF8VAL_MODE_WORD)

/* The same for an option's description: "off|audit|enforce" */
#define UTF8VAL_MODE_CHOICE(id, word, ...) #word "|"
#define UTF8VAL_MODE_LAST(id, word, ...) #word
#define UTF8VAL_MODE_CHOICES \
	UTF8VAL_MODE_LIST(UTF8VAL_MODE_CHOICE, UTF8VAL_MODE_LAST)

/* Bytes that are enough for any of these words and its closing NUL. */
#define UTF8VAL_MODE_SIZE(id, word, ...) + sizeof(#word)
#define UTF8VAL_MODE_ROOM \
	(0 UTF8VAL_MODE_LIST(UTF8VAL_MODE_SIZE, UTF8VAL_MODE_SIZE))

/*
 * The types of file system that can have no mode except off, with the reason.
 * CUTS_NAMES: the type cuts names, which are checked whole. KERNEL_NAMES: the
 * kernel alone makes the type's names.
 */
#define UTF8VAL_MISFIT_LIST(X)	\
	X(msdos, CUTS_NAMES)	\
	X(hfs, CUTS_NAMES)	\
	X(affs, CUTS_NAMES)	\
	X(sysv, CUTS_NAMES)	\
	X(v7, CUTS_NAMES)	\
	X(proc, KERNEL_NAMES)	\
	X(sysfs, KERNEL_NAMES)

#define UTF8VAL_CUTS_NAMES \
	"utf8val= is not for this type of file system, which cuts long names, in the middle of a character, too"
#define UTF8VAL_KERNEL_NAMES \
	"utf8val= is not for this type of file system, whose names are the kernel's own"

#endif /* UTF8VAL_MODES_H */
