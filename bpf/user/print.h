/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Modes, operations, and bytes that somebody else has chosen, as users write and read them.
 * Every subcommand that prints calls it.
 */
#ifndef UTF8VAL_GUARD_PRINT_H
#define UTF8VAL_GUARD_PRINT_H

#include <stdio.h>

#include "base/output.h"

const char *mode_name(unsigned int mode);
const char *op_name(unsigned int op);

/* Returns: an enum guard_mode; GUARD_UNSET if no mode has this name. */
int mode_parse(const char *name);

/* Add a string as text_escape() does, so that no byte can harm a terminal. */
void text_safe(struct text *text, const char *s);

/*
 * Add a string to a sentence of which the string must not look like another part: these
 * characters of ASCII are escaped as well.
 */
void text_within(struct text *text, const char *s, const char *also);

/* Add what stands between the quotes of a label's value in Prometheus' format. */
void text_label(struct text *text, const char *s);

/* Add bytes as text_json() does, or null if there are none. */
void text_member(struct text *text, const char *key, const void *bytes, size_t len);

/* Add the 16 bytes of a UUID as blkid prints them. */
void text_uuid(struct text *text, const unsigned char *uuid);

void print_text(FILE *to, const struct text *text);

/* Returns: "option", "set", "policy" or "kernel", where a mode is from, or "unknown". */
const char *source_name(unsigned int source);

#endif /* UTF8VAL_GUARD_PRINT_H */
