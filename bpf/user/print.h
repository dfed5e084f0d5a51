/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Modes, operations, and bytes that somebody else has chosen, as users write and read them.
 * Every subcommand that prints calls it.
 */
#ifndef UTF8VAL_GUARD_PRINT_H
#define UTF8VAL_GUARD_PRINT_H

#include <stdio.h>

const char *mode_name(unsigned int mode);
const char *op_name(unsigned int op);

/* Returns: an enum guard_mode; GUARD_UNSET if no mode has this name. */
int mode_parse(const char *name);

/* Print so that no byte can harm a terminal. */
void print_safe(FILE *to, const char *s);

/*
 * Print as an argument of a command that a reader can copy into a shell: $'...', with
 * escapes, unless every byte is plain.
 */
void print_argument(FILE *to, const char *s);

/*
 * Print inside a sentence of which @s must not look like another part: these characters of
 * ASCII are escaped as well.
 */
void print_within(FILE *to, const char *s, const char *also);

/* Print what stands between the quotes of a label's value in Prometheus' format. */
void print_label(const char *s);

/* Print a JSON string, with its quotes. */
void print_json(const char *s);

/* Print the 16 bytes of a UUID as blkid does. */
void print_uuid(FILE *to, const unsigned char *uuid);

/* Returns: "option", "set", "policy" or "kernel", where a mode is from, or "unknown". */
const char *source_name(unsigned int source);

#endif /* UTF8VAL_GUARD_PRINT_H */
