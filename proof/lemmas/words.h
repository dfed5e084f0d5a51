/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What the proof of the word engine's loop takes: how far text is passed. */
#pragma once

#include "../spec/grammar.h"

/*@ // Counted from any place of its object, as what is known of two addresses is
    // how far apart they are: to CBMC it is the address itself (translate.py).
    predicate aligned(uint8_t *s) = \exists uint8_t *place;
      \base_addr(place) == \base_addr(s) && ((uintptr_t)place + (s - place)) % 4 == 0;
    lemma aligned_word: \forall uint8_t *s; aligned(s) ==> aligned(s + 8);

    // s up to at is well-formed, and what is after decides on the rest
    predicate passed{L}(uint8_t *s, uint8_t *at) =
      \base_addr(s) == \base_addr(at) && 0 <= at - s && utf8(s, 0, at - s) &&
      \forall integer m; at - s <= m ==> (utf8(s, 0, m) <==> utf8(s, at - s, m));
    lemma char_there{L}: \forall uint8_t *s, *at, integer k;
      \base_addr(s) == \base_addr(at) ==> utf8_char(at, 0, k) ==> utf8_char(s, at - s, k);
    lemma char_decides{L}: \forall uint8_t *s, integer a, b, k, m;
      b == a + k ==> b <= m ==> utf8_char(s, a, k) ==>
      (utf8(s, 0, m) <==> utf8(s, a, m)) ==> (utf8(s, 0, m) <==> utf8(s, b, m));
    lemma passed_char{L}: \forall uint8_t *s, *at, integer k;
      passed(s, at) ==> utf8_char(at, 0, k) ==> passed(s, at + k);
    lemma passed_byte{L}: \forall uint8_t *s, *at, integer i, n; n == i + 1 ==>
      passed(s, at + i) ==> at[i] < 0x80 ==> utf8_char(at + i, 0, 1) && passed(s, at + n);
    lemma passed_ascii{L}: \forall uint8_t *s, *at, integer n; 0 <= n ==>
      passed(s, at) ==> (\forall integer i; 0 <= i < n ==> at[i] < 0x80) ==>
      passed(s, at + n); */
