/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What the proof of the fast engine takes from 49 bytes on: how parts make a whole. */
#pragma once

#include "longest.h"

/*@ // text after text
    lemma text_text{L}: \forall uint8_t *s, integer a, b; 0 <= a ==>
      utf8(s, 0, a) ==> utf8(s, a, b) ==> utf8(s, 0, b);
    // ASCII after text; the second may begin inside of it
    lemma text_ascii{L}: \forall uint8_t *s, integer a, n; 0 <= a ==> 0 <= n ==>
      utf8(s, 0, a) ==> is_ascii(s + a, n) ==> utf8(s, 0, a + n);
    lemma text_end{L}: \forall uint8_t *s, integer a, b, n; 0 <= b <= a <= n ==>
      utf8(s, 0, a) ==> is_ascii(s + b, n - b) ==> utf8(s, 0, n);
    lemma text_only{L}: \forall uint8_t *s, integer n; 0 <= n ==>
      is_ascii(s, n) ==> utf8(s, 0, n);
    // a cut inside of text is at a boundary
    lemma text_cut{L}: \forall uint8_t *s, integer a, cut, at; 3 <= at < a ==>
      utf8(s, 0, a) ==> is_cut(s, at, cut) ==> utf8(s, 0, cut);
    lemma text_lead{L}: \forall uint8_t *s, integer a, i; 0 <= i < a ==>
      utf8(s, 0, a) ==> !utf8_tail(s[i]) ==> utf8(s, 0, i);
    // the longest prefix after text, and before a blind cut
    lemma text_longest{L}: \forall uint8_t *s, integer a, m, n, t; 0 <= a ==>
      utf8(s, 0, a) ==> longest(s + a, n, m) ==> t == a + n ==> longest(s, t, a + m);
    lemma text_before{L}: \forall uint8_t *s, integer cut, m, n;
      m + 3 < cut <= n ==> longest(s, cut, m) ==> longest(s, n, m);
    lemma text_stops{L}: \forall uint8_t *s, integer m, n; m < n ==>
      longest(s, n, m) ==> !utf8_char(s, m, unit(s, m, n)); */
