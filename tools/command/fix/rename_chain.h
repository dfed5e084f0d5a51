/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Names that others wait for. */
#ifndef UTF8VAL_FIX_RENAME_CHAIN_H
#define UTF8VAL_FIX_RENAME_CHAIN_H

#include "fix/rename_run.h"

/*
 * Rename, and before that what has the wanted name and is to get another, and so on:
 * the last of these is renamed first. Where the last one waits for one of the others,
 * or has the wanted name itself on a file system that ignores the difference, it gets a
 * name between first, by which all of them are in the journal as what they are.
 */
void rename_chain(struct run *run, struct rename_request *first);

#endif /* UTF8VAL_FIX_RENAME_CHAIN_H */
