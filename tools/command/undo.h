/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef UTF8VAL_UNDO_H
#define UTF8VAL_UNDO_H

#include <stdbool.h>

struct undo_options {
	const char *journal;	/* its file */
	char *const *trees;	/* those that have moved: where they are now */
	bool apply;		/* do it, instead of only saying so */
	bool quiet;		/* print errors only */
	bool trust_names;	/* ask no file whether it is the one */
	unsigned int output;	/* enum output */
};

/**
 * undo() - give back the names that a journal holds
 * @options: which, where and how
 *
 * The newest first, parents therefore before their children. Nothing is ever
 * overwritten, and nothing is renamed that is not the file the journal speaks
 * of, nor where a symbolic link leads. It can be interrupted and repeated: what
 * has been given back is seen in the directory.
 *
 * Return: an exit status.
 */
int undo(const struct undo_options *options);

#endif /* UTF8VAL_UNDO_H */
