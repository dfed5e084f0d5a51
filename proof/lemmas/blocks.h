/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What the proof of the fast engine's runs takes of blocks. */
#pragma once

#include "joins.h"

/*@ lemma two_block{L}: \forall uint8_t *s, integer a, b, c; a <= b ==>
      c == b + 32 ==> twos(s, a, b) ==> pairs(s + b, 32) ==> twos(s, a, c);
    lemma two_ascii{L}: \forall uint8_t *s, integer a, b, c; a <= b < c ==>
      twos(s, a, b) ==> s[b] < 0x80 ==> utf8(s, b + 1, c) ==>
      tails_in(s, b + 1, c) == 0 ==> high_in(s, b + 1, c) == 0 ==> twos(s, a, c - 1);
    lemma ends_ascii{L}: \forall uint8_t *s, integer a; is_ascii(s + a, 8) ==>
      s[a+7] < 0x80;
    lemma more_ascii{L}: \forall uint8_t *s, integer a, b, n; a <= b ==>
      0 <= n ==> is_ascii(s + b, n) ==> utf8(s, a, b) ==>
      utf8(s, a, b + n) && tails_in(s, a, b + n) == tails_in(s, a, b) &&
      high_in(s, a, b + n) == high_in(s, a, b);
    lemma more_eight_3{L}: \forall uint8_t *s, integer a, b, c; a <= b ==>
      eight(s + b, 3) ==> c == b + 24 ==> utf8(s, a, b) ==>
      utf8(s, a, c) && tails_in(s, a, c) == tails_in(s, a, b) + 16;
    lemma more_eight_4{L}: \forall uint8_t *s, integer a, b, c; a <= b ==>
      eight(s + b, 4) ==> c == b + 32 ==> utf8(s, a, b) ==>
      utf8(s, a, c) && tails_in(s, a, c) == tails_in(s, a, b) + 24;
    lemma two_end{L}: \forall uint8_t *s, integer a, b; a <= b ==>
      twos(s, a, b) ==> s[b] >= 0xC0 ==>
      utf8(s, a, b) && high_in(s, a, b) == 2 * tails_in(s, a, b);
    lemma two_whole{L}: \forall uint8_t *s, integer a, b, c; c == b + 1 ==>
      twos(s, a, b) ==> s[b] < 0xC0 ==>
      utf8(s, a, c) && high_in(s, a, c) == 2 * tails_in(s, a, c); */
