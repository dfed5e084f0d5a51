/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Counting from one unit to the next, by places in one text. Only the prover
 * reads this; every lemma is proved.
 */
#pragma once

#include "../spec/units.h"

/*@
  lemma count_step{L}: \forall uint8_t *s, integer a, b, m, n; 0 < m ==>
    b == a + unit(s + a, 0, m) ==> n == m - (b - a) ==>
    count(s + a, m) == 1 + count(s + b, n);
  lemma char_unit{L}: \forall uint8_t *s, integer a, k, m; k <= m ==>
    utf8_char(s, a, k) ==> unit(s + a, 0, m) == k;
  lemma count_char{L}: \forall uint8_t *s, integer a, k, m; k <= m ==>
    utf8_char(s, a, k) ==> count(s + a, m) == 1 + count(s + (a + k), m - k); */
