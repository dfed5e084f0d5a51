/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The output for one record of a journal: the change, or its reversal. undo.c and
 * journal_list.c call this.
 */
#ifndef UTF8VAL_UNDO_RECORD_PRINT_H
#define UTF8VAL_UNDO_RECORD_PRINT_H

#include "undo/journal_read.h"

/**
 * record_print() - print "PATH -> NAME", JSON, or a path and a name ended by NUL
 * @record: a name, or a link, which is not printed as the latter
 * @output: enum output
 * @back: from the new name to the old one
 * @done: in JSON, whether it has been done: "true" or "false"; NULL: not said
 */
void record_print(const struct journal_record *record, unsigned int output,
		  bool back, const char *done);

#endif /* UTF8VAL_UNDO_RECORD_PRINT_H */
