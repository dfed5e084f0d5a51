/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the proof of the fast engine's runs takes: from words to characters. Only
 * the prover reads this; every lemma is proved.
 */
#ifndef PROOF_RUNS_H
#define PROOF_RUNS_H

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

    lemma two_more_1{L}: \forall uint8_t *s, integer a, b, c; utf8(s, a, b) ==>
      s[b] < 0x80 ==> c == b + 1 ==> utf8(s, a, c);
    lemma two_char{L}: \forall uint8_t *s, integer b, c; c == b + 1 ==>
      utf8_2(s[b], s[c]) ==> utf8_char(s, b, 2);
    lemma two_more_2{L}: \forall uint8_t *s, integer a, b, c, d;
      utf8(s, a, b) ==> c == b + 1 ==> d == c + 1 ==>
      utf8_2(s[b], s[c]) ==> utf8(s, a, d);
    lemma two_more{L}: \forall uint8_t *s, integer a, b, c, last;
      two(s, a, b, last) ==> pair(last, s[b]) ==> c == b + 1 ==>
      two(s, a, c, s[b]);
    lemma tails_more{L}: \forall uint8_t *s, integer a, b, c; a <= b ==>
      c == b + 1 ==> tails_in(s, a, c) == tails_in(s, a, b) + tail(s[b]);
    lemma pair_tail: \forall integer a, b; pair(a, b) ==> tail(b) == lead(a);
    lemma two_next{L}: \forall uint8_t *s, integer a, b, c, last, next;
      two(s, a, b, last) ==> pair(last, next) ==> next == s[b] ==>
      c == b + 1 ==> two(s, a, c, next) &&
      tails_in(s, a, c) == tails_in(s, a, b) + lead(last);
    lemma two_half{L}: \forall uint8_t *s, integer a, b, c, last, x, y, z, v;
      two(s, a, b, last) ==> x == s[b] ==> y == s[b+1] ==> z == s[b+2] ==>
      v == s[b+3] ==> c == b + 4 ==>
      pair(last, x) ==> pair(x, y) ==> pair(y, z) ==> pair(z, v) ==>
      two(s, a, b + 1, x) && two(s, a, b + 2, y) && two(s, a, b + 3, z) &&
      two(s, a, c, v) && tails_in(s, a, c) ==
        tails_in(s, a, b) + lead(last) + lead(x) + lead(y) + lead(z);
    lemma holds_8{L}: \forall uint8_t *s, integer w; holds(w, s, 8) ==>
      byte_at(w, 0) == s[0] && byte_at(w, 1) == s[1] &&
      byte_at(w, 2) == s[2] && byte_at(w, 3) == s[3] &&
      byte_at(w, 4) == s[4] && byte_at(w, 5) == s[5] &&
      byte_at(w, 6) == s[6] && byte_at(w, 7) == s[7];
    lemma holds_at{L}: \forall uint8_t *s, integer b, w; holds(w, s + b, 8) ==>
      byte_at(w, 0) == s[b] && byte_at(w, 1) == s[b+1] &&
      byte_at(w, 2) == s[b+2] && byte_at(w, 3) == s[b+3] &&
      byte_at(w, 4) == s[b+4] && byte_at(w, 5) == s[b+5] &&
      byte_at(w, 6) == s[b+6] && byte_at(w, 7) == s[b+7];
    lemma two_low{L}: \forall uint8_t *s, integer a, b, c, last, w;
      two(s, a, b, last) ==> holds(w, s + b, 8) ==> word_of_2(last, w) ==>
      c == b + 4 ==>
      two(s, a, c, byte_at(w, 3)) &&
      tails_in(s, a, c) == tails_in(s, a, b) + lead(last) +
        lead(byte_at(w, 0)) + lead(byte_at(w, 1)) + lead(byte_at(w, 2));
    lemma two_high{L}: \forall uint8_t *s, integer a, b, c, d, last, w;
      two(s, a, c, byte_at(w, 3)) ==> holds(w, s + b, 8) ==>
      word_of_2(last, w) ==> c == b + 4 ==> d == c + 4 ==>
      two(s, a, d, byte_at(w, 7)) &&
      tails_in(s, a, d) == tails_in(s, a, c) + lead(byte_at(w, 3)) +
        lead(byte_at(w, 4)) + lead(byte_at(w, 5)) + lead(byte_at(w, 6));
    lemma ascii_pair: \forall integer w, i, last; last < 0xC0 ==>
      byte_at(w, i) < 0x80 ==> pair(last, byte_at(w, i));
    lemma ascii_word: \forall integer w, last; last < 0xC0 ==>
      word_of_1(w) ==> word_of_2(last, w) && leads(w) == 0;
    lemma ascii_next{L}: \forall uint8_t *s, integer a, b, c, last, w;
      two(s, a, b, last) ==> last < 0xC0 ==> holds(w, s + b, 8) ==>
      word_of_1(w) ==> c == b + 8 ==> word_of_2(last, w) &&
      byte_at(w, 7) < 0x80 && two(s, a, c, byte_at(w, 7)) &&
      tails_in(s, a, c) == tails_in(s, a, b);
*/

#endif /* PROOF_RUNS_H */
