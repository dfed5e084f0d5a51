/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What is said of text in two parts, and of its tails. */
#pragma once

#include "fast.h"

/*@ // What is well-formed before and after a place is so together, and the other way
    // round.
    lemma utf8_order{L}: \forall uint8_t *s, integer a, b;
      utf8(s, a, b) ==> a <= b;
    lemma utf8_step{L}: \forall uint8_t *s, integer a, b;
      utf8(s, a, b) ==> a != b ==> utf8_char(s, a, unit(s, a, b)) &&
      1 <= unit(s, a, b) <= 4 && a + unit(s, a, b) <= b && utf8(s, a + unit(s, a, b), b);
    lemma utf8_both{L}: \forall uint8_t *s, integer a, b, c;
      utf8(s, a, b) ==> b <= c ==> (utf8(s, a, c) <==> utf8(s, b, c));
    lemma utf8_join{L}: \forall uint8_t *s, integer a, b, c;
      utf8(s, a, b) ==> utf8(s, b, c) ==> utf8(s, a, c);
    lemma utf8_rest{L}: \forall uint8_t *s, integer a, b, c; b <= c ==>
      utf8(s, a, b) ==> utf8(s, a, c) ==> utf8(s, b, c);
    lemma tails_join{L}: \forall uint8_t *s, integer a, b, c; a <= b <= c ==>
      tails_in(s, a, c) == tails_in(s, a, b) + tails_in(s, b, c);
    lemma tails_bounds{L}: \forall uint8_t *s, integer a, b; a <= b ==>
      0 <= tails_in(s, a, b) <= b - a; */
