/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the numbers of the compact engine's walk come to, and contracts of what it
 * leaves to its callers.
 */
#pragma once

#include "../spec/contracts.h"

/*@
  // differences and sums of small numbers, modulo 2^32
  lemma below_0: \forall integer x; -0x40 <= x < 0 ==> (uint32_t)x == x + 0x100000000;
  lemma wrapped: \forall integer x; 0x100000000 <= x < 0x100000004 ==>
    (uint32_t)x == x - 0x100000000;
  // x >> 1 == UTF8VAL_WALK_HOLE and x >> 4 == 0, as WP rewrites them
  lemma walk_hole: \forall integer x; 0 <= x < 128 ==>
    ((x & 0xFFFFFFFE) == 52 <==> 52 <= x <= 53);
  lemma walk_row: \forall integer x; 0 <= x < 64 ==>
    ((x & 0xFFFFFFF0) == 0 <==> x < 16); */

/*@ terminates \true; assigns \nothing;
    ensures \result == true <==> difference >= 0x80000000; */
static inline bool utf8val_below_0(uint32_t difference);

/*@ terminates \true; assigns \nothing;
    ensures \result == false; */
static inline bool utf8val_engine_ascii(const uint8_t *s, size_t len);

/*@ terminates \true; assigns \nothing;
    ensures \result == false; */
static inline bool utf8val_engine_name(const uint8_t *s, size_t len);

/*@ terminates \true; assigns \nothing;
    ensures \result == 0; */
static inline size_t utf8val_engine_units(const uint8_t *s, size_t len);

/*@ requires \false; // never called: the engine does not tell names apart
    terminates \true; assigns \nothing; */
static inline void utf8val_engine_copy_name(uint8_t *d, const uint8_t *s,
					    size_t len);
