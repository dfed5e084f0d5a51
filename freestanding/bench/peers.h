/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Other ways to check UTF-8, each written here from its published
 * description and each correct, to compare sizes and instruction counts with.
 * All return the length of the longest well-formed prefix.
 */
#ifndef UTF8VAL_PEERS_H
#define UTF8VAL_PEERS_H

#include <stddef.h>
#include <stdint.h>

/* Bytes to classes, classes and states to states: the usual table-driven DFA. */
size_t peer_class_table(const void *buf, size_t len);

/* "Bytes needed, lower and upper boundary": WHATWG Encoding Standard, 8.1.1. */
size_t peer_need_lo_hi(const void *buf, size_t len);

/* The Unicode Standard's table 3-7, a branch for each of its rows. */
size_t peer_if_else(const void *buf, size_t len);

/* Unicode's D92 and RFC 3629, section 3: decode, then ask for the shortest form. */
size_t peer_textbook(const void *buf, size_t len);

/* The same, with the leads of RFC 3629's section 4. */
size_t peer_textbook_leads(const void *buf, size_t len);

#endif /* UTF8VAL_PEERS_H */
