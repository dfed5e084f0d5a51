/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What the proof of counting takes: the tails of a text by words. */
#pragma once

#include "joins.h"

/*@ lemma tails_word{L}: \forall uint8_t *s, integer w, b, c; 0 <= b ==>
      holds(w, s + b, 8) ==> c == b + 8 ==>
      tails_in(s, 0, c) == tails_in(s, 0, b) + word_tails(w);
    lemma tails_only{L}: \forall uint8_t *s, integer w, n; 0 <= n <= 8 ==>
      holds(w, s, n) ==> tails_in(s, 0, n) == word_tails(w);
    lemma tails_first{L}: \forall uint8_t *s, integer v, w, n; 0 <= n <= 8 ==>
      holds(w, s, 8) ==> raised(v, w, n) ==> tails_in(s, 0, 8 - n) == word_tails(v);
    lemma tails_last{L}: \forall uint8_t *s, integer v, w, a, b, c, k;
      0 <= k <= 8 ==> holds(w, s + c, 8) ==> lowered(v, w, k) ==>
      c == b - 8 ==> a == c + k ==> 0 <= a ==>
      tails_in(s, 0, b) == tails_in(s, 0, a) + word_tails(v);
    predicate adds_tails(integer v, integer t, integer w) =
      \forall integer i; 0 <= i < 8 ==>
        byte_at(v, i) == byte_at(t, i) + tail(byte_at(w, i));
    lemma tails_added: \forall integer t, v, w; adds_tails(v, t, w) ==>
      word_sum(v) == word_sum(t) + word_tails(w);
    lemma sum_none: \forall integer w; few(w, 0) ==> word_sum(w) == 0;
    lemma few_more: \forall integer t, v, w, n; adds_tails(v, t, w) ==>
      few(t, n) ==> few(v, n + 8);
    lemma tails_moved{L}: \forall uint8_t *s, integer a, n; 0 <= n ==>
      tails_in(s + a, 0, n) == tails_in(s, a, a + n);
    // of text in two parts, the second counted from where it begins
    lemma tails_both{L}: \forall uint8_t *s, integer a, b; 0 <= a <= b ==>
      tails_in(s, 0, b) == tails_in(s, 0, a) + tails_in(s, a, b);
    lemma tails_behind{L}: \forall uint8_t *s, integer a, b, n; 0 <= a <= b ==>
      n == b - a ==> tails_in(s, 0, b) == tails_in(s, 0, a) + tails_in(s + a, 0, n);
    lemma tails_room{L}: \forall uint8_t *s, integer n; 0 <= n ==>
      0 <= tails_in(s, 0, n) <= n; */
