/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the proof of counting with the fast engine takes: text has a unit for each
 * byte that is no tail.
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

#include "joins.h"

/*@ lemma char_tails{L}: \forall uint8_t *s, integer a, k;
      utf8_char(s, a, k) ==> tails_in(s, a, a + k) == k - 1;
    lemma tails_char{L}: \forall uint8_t *s, integer a, b, k; a + k <= b ==>
      utf8_char(s, a, k) ==> tails_in(s, a, b) == k - 1 + tails_in(s, a + k, b);
    lemma count_more{L}: \forall uint8_t *s, integer a, b, k, n; 0 <= n ==>
      utf8_char(s, a, k) ==> a + k <= b ==> count(s + (a + k), n + (b - (a + k))) ==
	b - (a + k) - tails_in(s, a + k, b) + count(s + b, n) ==>
      count(s + a, n + (b - a)) == b - a - tails_in(s, a, b) + count(s + b, n);
    lemma count_from{L}: \forall uint8_t *s, integer a, b, n; 0 <= n ==>
      utf8(s, a, b) ==> count(s + a, n + (b - a)) ==
	b - a - tails_in(s, a, b) + count(s + b, n);
    lemma count_text{L}: \forall uint8_t *s, integer b, m, n; 0 <= n ==>
      utf8(s, 0, b) ==> m == b + n ==>
      count(s, m) == b - tails_in(s, 0, b) + count(s + b, n);
    lemma count_one{L}: \forall uint8_t *s, integer a, n; a < n ==>
      s[a] < 0x80 ==> count(s + (a + 1), n - (a + 1)) == n - (a + 1) ==>
      count(s + a, n - a) == n - a;
    lemma count_plain{L}: \forall uint8_t *s, integer a, n; 0 <= a <= n ==>
      is_ascii(s, n) ==> count(s + a, n - a) == n - a;
    lemma count_ascii{L}: \forall uint8_t *s, integer n; 0 <= n ==>
      is_ascii(s, n) ==> count(s, n) == n; */
