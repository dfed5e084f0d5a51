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

/* The Unicode Standard's table 3-7, a branch for each of its rows. */
size_t peer_if_else(const void *buf, size_t len);

/* Unicode's D92 and RFC 3629, section 3: decode, then ask for the shortest form. */
size_t peer_textbook(const void *buf, size_t len);

/* The same, with the leads of RFC 3629's section 4. */
size_t peer_textbook_leads(const void *buf, size_t len);

#endif /* UTF8VAL_PEERS_H */
