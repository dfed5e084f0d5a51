/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A measure of how plausible a UTF-8 name is in the language that suits it best.
 * doubled.c and misread.c call this.
 */
#ifndef UTF8VAL_SCAN_READS_H
#define UTF8VAL_SCAN_READS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Is a letter, after two others of its word, "aB" or "ABc", with one of them beyond ASCII? */
bool reads_odd_case(uint32_t cp, uint32_t before, uint32_t before2);

/* Is that as little as for names that somebody has given? Not without any such word. */
bool reads_well(const void *name, size_t len);

#endif /* UTF8VAL_SCAN_READS_H */
