/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What the proof of the fast engine's runs takes: from words to characters. */
#pragma once

#include "fast.h"

/*@ // stated before all others, of which none helps
    lemma pairs_last{L}: \forall uint8_t *s, integer b, n; 0 <= n ==>
      pairs(s + b, n + 1) ==> pairs(s + b, n) && pair(s[b+n], s[b+n+1]); */

#include "high.h"
#include "joins.h"

/*@ lemma utf8_alone{L}: \forall uint8_t *s, integer a, k;
      utf8_char(s, a, k) ==> utf8(s, a, a + k);
    lemma utf8_append{L}: \forall uint8_t *s, integer a, b, c, k;
      utf8(s, a, b) ==> utf8_char(s, b, k) ==> c == b + k ==> utf8(s, a, c);
    lemma utf8_one{L}: \forall uint8_t *s, integer a;
      s[a] < 0x80 ==> utf8_char(s, a, 1);
    lemma utf8_one_more{L}: \forall uint8_t *s, integer a, b;
      utf8(s, a, b - 1) ==> s[b-1] < 0x80 ==> utf8(s, a, b);
    // is_ascii() byte by byte
    predicate all_ascii{L}(uint8_t *s, integer n) =
      n <= 0 || (all_ascii(s, n - 1) && s[n-1] < 0x80);
    lemma is_all_ascii{L}: \forall uint8_t *s, integer n;
      is_ascii(s, n) ==> all_ascii(s, n);
    lemma utf8_ascii{L}: \forall uint8_t *s, integer a, n; 0 <= n ==>
      all_ascii(s + a, n) ==> utf8(s, a, a + n);
    lemma utf8_ascii_all{L}: \forall uint8_t *s, integer n; 0 <= n ==>
      all_ascii(s, n) ==> utf8(s, 0, n);
    lemma utf8_ascii_part{L}: \forall uint8_t *s, integer a, b, e;
      0 <= a <= b <= e ==> all_ascii(s + a, e - a) ==> utf8(s, b, e);

    lemma tails_ascii{L}: \forall uint8_t *s, integer a, n; 0 <= n ==>
      all_ascii(s + a, n) ==> tails_in(s, a, a + n) == 0;

    lemma utf8_char_at{L}: \forall uint8_t *s, integer a, i, k;
      utf8_char(s + a, i, k) ==> utf8_char(s, a + i, k);
    lemma tails_1{L}: \forall uint8_t *s, integer a;
      tails_in(s, a, a + 1) == tail(s[a]);
    lemma tails_2{L}: \forall uint8_t *s, integer a;
      tails_in(s, a, a + 2) == tail(s[a]) + tail(s[a+1]);
    lemma tails_3{L}: \forall uint8_t *s, integer a;
      tails_in(s, a, a + 3) == tail(s[a]) + tail(s[a+1]) + tail(s[a+2]);
    lemma tails_4{L}: \forall uint8_t *s, integer a; tails_in(s, a, a + 4) ==
      tail(s[a]) + tail(s[a+1]) + tail(s[a+2]) + tail(s[a+3]);
    lemma tails_char_3{L}: \forall uint8_t *s, integer a;
      utf8_char(s, a, 3) ==> tails_in(s, a, a + 3) == 2;
    lemma tails_char_4{L}: \forall uint8_t *s, integer a;
      utf8_char(s, a, 4) ==> tails_in(s, a, a + 4) == 3;
    lemma tails_more_3{L}: \forall uint8_t *s, integer a, b; a <= b ==>
      utf8_char(s, b, 3) ==> tails_in(s, a, b + 3) == tails_in(s, a, b) + 2;
    lemma tails_more_4{L}: \forall uint8_t *s, integer a, b; a <= b ==>
      utf8_char(s, b, 4) ==> tails_in(s, a, b + 4) == tails_in(s, a, b) + 3;
    lemma utf8_eight{L}: \forall uint8_t *s, integer a, k;
      eight(s + a, k) ==> utf8(s, a, a + 8 * k);
    lemma tails_eight_3{L}: \forall uint8_t *s, integer a; eight(s + a, 3) ==>
      tails_in(s, a, a + 3) == 2 && tails_in(s, a, a + 6) == 4 &&
      tails_in(s, a, a + 9) == 6 && tails_in(s, a, a + 12) == 8 &&
      tails_in(s, a, a + 15) == 10 && tails_in(s, a, a + 18) == 12 &&
      tails_in(s, a, a + 21) == 14 && tails_in(s, a, a + 24) == 16;
    lemma tails_eight_4{L}: \forall uint8_t *s, integer a; eight(s + a, 4) ==>
      tails_in(s, a, a + 4) == 3 && tails_in(s, a, a + 8) == 6 &&
      tails_in(s, a, a + 12) == 9 && tails_in(s, a, a + 16) == 12 &&
      tails_in(s, a, a + 20) == 15 && tails_in(s, a, a + 24) == 18 &&
      tails_in(s, a, a + 28) == 21 && tails_in(s, a, a + 32) == 24;

    lemma two_char{L}: \forall uint8_t *s, integer b, c; c == b + 1 ==>
      utf8_2(s[b], s[c]) ==> utf8_char(s, b, 2);
    lemma pair_tail: \forall integer a, b; pair(a, b) ==> tail(b) == lead(a);
    lemma high_more{L}: \forall uint8_t *s, integer a, b; a <= b ==>
      high_in(s, a, b + 1) == high_in(s, a, b) + high(s[b]);
    lemma high_ascii{L}: \forall uint8_t *s, integer a, n; 0 <= n ==>
      all_ascii(s + a, n) ==> high_in(s, a, a + n) == 0;
    lemma high_none{L}: \forall uint8_t *s, integer a, b; a < b ==>
      high_in(s, a, b) == 0 ==> s[b-1] < 0x80;
    lemma two_first{L}: \forall uint8_t *s, integer a;
      s[a] < 0xE0 ==> (s[a] < 0x80 || s[a] >= 0xC2) ==> twos(s, a, a);
    lemma two_next{L}: \forall uint8_t *s, integer a, b, c; a <= b ==>
      twos(s, a, b) ==> c == b + 1 ==> pair(s[b], s[c]) ==> twos(s, a, c);
    lemma two_last{L}: \forall uint8_t *s, integer a, b, n; a <= b ==>
      0 <= n ==> twos(s, a, b + n) ==> pairs(s + b, n + 1) ==> twos(s, a, b + n + 1);
    lemma two_pairs{L}: \forall uint8_t *s, integer a, b, n; a <= b ==>
      0 <= n ==> twos(s, a, b) ==> pairs(s + b, n) ==> twos(s, a, b + n); */
