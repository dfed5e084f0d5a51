/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What the proof of counting takes of bytes that are not ASCII. */
#pragma once

#include "fast.h"

/*@ // a word of zeros
    lemma zero_0: byte_at(0, 0) == 0;
    lemma zero_1: byte_at(0, 1) == 0;
    lemma zero_more: byte_at(0, 2) == 0 && byte_at(0, 3) == 0 &&
      byte_at(0, 4) == 0 && byte_at(0, 5) == 0 && byte_at(0, 6) == 0 &&
      byte_at(0, 7) == 0;
    lemma byte_none: \forall integer i; 0 <= i < 8 ==> byte_at(0, i) == 0;
    lemma few_none: few(0, 0); */

/*@ lemma high_bounds{L}: \forall uint8_t *s, integer a, b; a <= b ==>
      0 <= high_in(s, a, b) <= b - a;
    lemma high_join{L}: \forall uint8_t *s, integer a, b, c; a <= b <= c ==>
      high_in(s, a, c) == high_in(s, a, b) + high_in(s, b, c);
    lemma high_there{L}: \forall uint8_t *s, integer a, n; 0 <= n ==>
      high_in(s + a, 0, n) == high_in(s, a, a + n);
    lemma high_part{L}: \forall uint8_t *s, integer a, b, n; a <= b ==>
      n == b - a ==> high_in(s + a, 0, n) == high_in(s, a, b);
    // n bytes more
    lemma high_behind{L}: \forall uint8_t *s, integer b, n; 0 <= b ==>
      0 <= n ==> high_in(s, 0, b + n) == high_in(s, 0, b) +
        high_in(s + b, 0, n) && 0 <= high_in(s + b, 0, n) <= n;
    // eight more, counted in a word
    lemma high_first{L}: \forall uint8_t *s, integer v; adds_high(v, 0, s) ==>
      few(v, 8) && word_sum(v) == high_in(s, 0, 8);
    lemma high_word{L}: \forall uint8_t *s, integer v, w, b; 0 <= b ==>
      adds_high(v, w, s + b) ==> few(w, b) ==> word_sum(w) == high_in(s, 0, b) ==>
      few(v, b + 8) && word_sum(v) == high_in(s, 0, b + 8);
    lemma few_sum: \forall integer w, n; few(w, n) ==> word_sum(w) <= n; */
