/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What the subcommands' options have in common. */
#ifndef UTF8VAL_OPTIONS_H
#define UTF8VAL_OPTIONS_H

#include <argp.h>
#include <errno.h>
#include <stdlib.h>

enum output { OUTPUT_TEXT, OUTPUT_NULL, OUTPUT_JSON };

/* A number in decimal; anything else ends the program with a usage message. */
static inline unsigned int option_number(struct argp_state *state,
					 const char *arg, unsigned int min,
					 unsigned int max)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(arg, &end, 10);
	if (*arg < '0' || *arg > '9' || *end || errno || value < min ||
	    value > max)
		argp_error(state, "a number from %u to %u is wanted", min, max);
	return (unsigned int)value;
}

#endif /* UTF8VAL_OPTIONS_H */
