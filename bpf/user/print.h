/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Print bytes that somebody else has chosen. */
#ifndef UTF8VAL_GUARD_PRINT_H
#define UTF8VAL_GUARD_PRINT_H

#include <stdio.h>

/* So that a terminal cannot be harmed. */
void print_safe(FILE *to, const char *s);

/* Between the quotes of a label's value, as Prometheus reads it. */
void print_label(const char *s);

/* As a string of JSON, in quotes. */
void print_json(const char *s);

#endif /* UTF8VAL_GUARD_PRINT_H */
