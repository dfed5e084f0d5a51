/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Does a UTF-8 name read like one that somebody has given? misread.c calls this for a name
 * as it is and as it may have been, mixed.c for the parts of one.
 */
#ifndef UTF8VAL_SCAN_READS_H
#define UTF8VAL_SCAN_READS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unictype.h>

/**
 * reads_cost() - how unusual are a name's words?
 * @name: well-formed
 * @len: its bytes
 * @letters: gets the number of letters and ends of words that were looked at
 *
 * Only words with letters beyond ASCII are. Capitals are as good as small letters, and no
 * charset is asked for: Turkish reads well whatever a name is taken for.
 *
 * Return: eighths of a nat in the language that suits the words best; UINT_MAX where a
 * sign or a capital stands inside a word.
 */
unsigned int reads_cost(const void *name, size_t len, unsigned int *letters);

/* Is that as little as for names that somebody has given? Not without any such word. */
bool reads_well(const void *name, size_t len);

/*
 * Are the characters of a well-formed name such as names have, and do its letters and signs
 * stand together?
 */
bool reads_usual(const void *name, size_t len);

/* Do letters of one word of these scripts stand together? */
bool reads_same_script(const uc_script_t *a, const uc_script_t *b);

#endif /* UTF8VAL_SCAN_READS_H */
