/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Print bytes that somebody else has chosen. */
#ifndef UTF8VAL_GUARD_PRINT_H
#define UTF8VAL_GUARD_PRINT_H

#include <stdio.h>

/* Print so that no byte can harm a terminal. */
void print_safe(FILE *to, const char *s);

/* Print what stands between the quotes of a label's value in Prometheus' format. */
void print_label(const char *s);

/* Print a JSON string, with its quotes. */
void print_json(const char *s);

#endif /* UTF8VAL_GUARD_PRINT_H */
