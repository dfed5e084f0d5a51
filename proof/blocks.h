/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the proof of the fast engine's runs takes of words: four of them are a
 * block. Only the prover reads this; every lemma is proved.
 */
#ifndef PROOF_BLOCKS_H
#define PROOF_BLOCKS_H

#include "joins.h"

/*@ lemma two_word{L}: \forall uint8_t *s, integer a, b, c, last, w;
      two(s, a, b, last) ==> holds(w, s + b, 8) ==> word_of_2(last, w) ==>
      c == b + 8 ==>
      two(s, a, b + 4, byte_at(w, 3)) && two(s, a, c, byte_at(w, 7)) &&
      tails_in(s, a, c) + lead(byte_at(w, 7)) ==
        tails_in(s, a, b) + lead(last) + leads(w);
    lemma two_two{L}: \forall uint8_t *s, integer a, b, c, d, last, w, x;
      two(s, a, b, last) ==> holds(w, s + b, 8) ==> holds(x, s + c, 8) ==>
      word_of_2(last, w) ==> word_of_2(byte_at(w, 7), x) ==>
      c == b + 8 ==> d == c + 8 ==> two(s, a, d, byte_at(x, 7)) &&
      tails_in(s, a, d) + lead(byte_at(x, 7)) ==
        tails_in(s, a, b) + lead(last) + leads(w) + leads(x);
    lemma ascii_8{L}: \forall uint8_t *s, integer a, b, c, w; utf8(s, a, b) ==>
      holds(w, s + b, 8) ==> word_of_1(w) ==> c == b + 8 ==>
      utf8(s, a, c) && tails_in(s, a, c) == tails_in(s, a, b);
    lemma ascii_16{L}: \forall uint8_t *s, integer a, b, c, d, w, x;
      utf8(s, a, b) ==> holds(w, s + b, 8) ==> holds(x, s + c, 8) ==>
      word_of_1(w) ==> word_of_1(x) ==> c == b + 8 ==> d == c + 8 ==>
      utf8(s, a, d) && tails_in(s, a, d) == tails_in(s, a, b);
    lemma more_ascii{L}: \forall uint8_t *s, integer a, b, n; a <= b ==>
      0 <= n ==> is_ascii(s + b, n) ==> utf8(s, a, b) ==>
      utf8(s, a, b + n) && tails_in(s, a, b + n) == tails_in(s, a, b);
    lemma more_eight_3{L}: \forall uint8_t *s, integer a, b, c; a <= b ==>
      eight(s + b, 3) ==> c == b + 24 ==> utf8(s, a, b) ==>
      utf8(s, a, c) && tails_in(s, a, c) == tails_in(s, a, b) + 16;
    lemma more_eight_4{L}: \forall uint8_t *s, integer a, b, c; a <= b ==>
      eight(s + b, 4) ==> c == b + 32 ==> utf8(s, a, b) ==>
      utf8(s, a, c) && tails_in(s, a, c) == tails_in(s, a, b) + 24;
    lemma two_lead{L}: \forall uint8_t *s, integer a, b, last;
      two(s, a, b, last) ==> last >= 0xC0 ==> a <= b - 1;
    lemma two_end{L}: \forall uint8_t *s, integer a, b, c, last;
      two(s, a, b, last) ==> last >= 0xC0 ==> c == b - 1 ==>
      a <= c && utf8(s, a, c) && tails_in(s, a, c) == tails_in(s, a, b);
    lemma two_begin{L}: \forall uint8_t *s, integer a, b, last;
      last < 0xC0 ==> utf8(s, a, b) ==> two(s, a, b, last);
    lemma leads_few: \forall integer w; 0 <= leads(w) <= 8;
    lemma sum_leads: \forall integer v, w, x, y, z; adds_leads(v, w, x, y, z) ==>
      word_sum(v) == leads(w) + leads(x) + leads(y) + leads(z);
*/

#endif /* PROOF_BLOCKS_H */
