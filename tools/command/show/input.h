/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Bytes given as an argument: hexadecimal, or text with escapes. show and trace read
 * them.
 */
#ifndef UTF8VAL_SHOW_INPUT_H
#define UTF8VAL_SHOW_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum input { INPUT_AUTO, INPUT_HEX, INPUT_TEXT };

/* Rows of a table of options. */
#define INPUT_OPTIONS(how) \
	{ 't', "text", NULL, "The arguments are text", \
	  .number = (how), .value = INPUT_TEXT }, \
	{ 'x', "hex", NULL, "The arguments are hexadecimal digits", \
	  .number = (how), .value = INPUT_HEX }

/**
 * input_get() - the bytes that the arguments stand for
 * @how: one of enum input
 * @operands: the arguments, up to NULL, joined by spaces; without any, or with
 *	"-" alone, the bytes are those of standard input, unchanged. INPUT_AUTO takes
 *	everything for text, except for pairs of hexadecimal digits that stand apart or
 *	have 0x or \x in front, which are bytes. In text, the escapes that scan and check
 *	print (\xHH, \n, \t, \r, \\) are undone
 * @bytes: the text that the bytes are added to
 *
 * Return: false with a message when the arguments stand for no bytes.
 */
bool input_get(unsigned int how, char *const *operands, struct text *bytes);

#endif /* UTF8VAL_SHOW_INPUT_H */
