/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Contracts of the word engine. What is about bits proof/ir.py proves, the loops
 * WP does, from the contracts of the former.
 */
#ifndef PROOF_WORD_H
#define PROOF_WORD_H

#include "contracts.h"

/*@ // the byte at place i of a word, the lowest first
    logic integer byte_at(integer w, integer i) = (uint8_t)(w >> 8 * i);
    predicate loads{L}(integer w, uint8_t *s) =
      byte_at(w, 0) == s[0] && byte_at(w, 1) == s[1] &&
      byte_at(w, 2) == s[2] && byte_at(w, 3) == s[3];
    // the byte that was there before utf8val_flip()
    logic integer flipped_at(integer w, integer i) =
      byte_at(w, i) < 0x80 ? byte_at(w, i) + 0x80 : byte_at(w, i) - 0x80;

    // s[0 .. n-1] is whole characters, and what follows is judged by itself
    predicate whole{L}(uint8_t *s, integer n) =
      0 <= n && utf8(s, 0, n) &&
      \forall integer m; n <= m ==> (utf8(s, 0, m) <==> utf8(s, n, m));
    predicate passed{L}(uint8_t *s, uint8_t *at) =
      at == s + (at - s) && whole(s, at - s);
    lemma whole_char{L}: \forall uint8_t *s, integer n, k;
      whole(s, n) ==> utf8_char(s, n, k) ==> whole(s, n + k);
    lemma whole_2{L}: \forall uint8_t *s, integer n; whole(s, n) ==>
      s[n] < 0x80 ==> s[n+1] < 0x80 ==> whole(s, n + 2);
    lemma whole_4{L}: \forall uint8_t *s, integer n; whole(s, n) ==>
      s[n] < 0x80 ==> s[n+1] < 0x80 ==> s[n+2] < 0x80 ==> s[n+3] < 0x80 ==>
      whole(s, n + 4);
    lemma whole_8{L}: \forall uint8_t *s, integer n; whole(s, n) ==>
      s[n] < 0x80 ==> s[n+1] < 0x80 ==> s[n+2] < 0x80 ==> s[n+3] < 0x80 ==>
      s[n+4] < 0x80 ==> s[n+5] < 0x80 ==> s[n+6] < 0x80 ==> s[n+7] < 0x80 ==>
      whole(s, n + 8);
*/

/*@ requires \valid_read(s + (0 .. 3));
    terminates \true; assigns \nothing;
    ensures loads(\result, s);
*/
static inline uint32_t utf8val_load(const uint8_t *s);

/*@ requires \valid_read(s + (0 .. 7));
    terminates \true; assigns \nothing;
    ensures \result == true <==>
      \forall integer i; 0 <= i < 8 ==> s[i] < 0x80;
*/
static inline bool utf8val_ascii_8(const uint8_t *s);

/*@ terminates \true; assigns \nothing;
    ensures 1 <= \result <= 4;
*/
static inline uint32_t utf8val_to_aligned(const uint8_t *s);

/*@ terminates \true; assigns \nothing;
    ensures \result == true <==>
      \forall integer i; 0 <= i < 4 ==> byte_at(word, i) < 0x80;
*/
static inline bool utf8val_ascii_4(uint32_t word);

/*@ terminates \true; assigns \nothing;
    ensures \result == true <==> byte_at(word, 0) < 0x80;
*/
static inline bool utf8val_ascii_1(uint32_t word);

/*@ terminates \true; assigns \nothing;
    ensures \result == true <==> 0xE0 <= byte_at(word, 0) <= 0xEF &&
      utf8_tail(byte_at(word, 1)) && utf8_tail(byte_at(word, 2));
*/
static inline bool utf8val_shape_3(uint32_t word);

/*@ requires 0xE0 <= byte_at(word, 0) <= 0xEF &&
      utf8_tail(byte_at(word, 1)) && utf8_tail(byte_at(word, 2));
    terminates \true; assigns \nothing;
    ensures \result == true <==>
      utf8_3(byte_at(word, 0), byte_at(word, 1), byte_at(word, 2));
*/
static inline bool utf8val_fits_3(uint32_t word);

/*@ terminates \true; assigns \nothing;
    ensures \forall integer i; 0 <= i < 4 ==>
      byte_at(word, i) == flipped_at(\result, i);
*/
static inline uint32_t utf8val_flip(uint32_t word);

/*@ terminates \true; assigns \nothing;
    ensures \result == true <==> 0xC0 <= flipped_at(flipped, 0) <= 0xDF &&
      utf8_tail(flipped_at(flipped, 1));
*/
static inline bool utf8val_shape_2(uint32_t flipped);

/*@ requires 0xC0 <= flipped_at(flipped, 0) <= 0xDF &&
      utf8_tail(flipped_at(flipped, 1));
    terminates \true; assigns \nothing;
    ensures \result == true <==>
      utf8_2(flipped_at(flipped, 0), flipped_at(flipped, 1));
*/
static inline bool utf8val_fits_2(uint32_t flipped);

/*@ terminates \true; assigns \nothing;
    ensures \result == true <==> 0xF0 <= flipped_at(flipped, 0) <= 0xF7 &&
      utf8_tail(flipped_at(flipped, 1)) &&
      utf8_tail(flipped_at(flipped, 2)) && utf8_tail(flipped_at(flipped, 3));
*/
static inline bool utf8val_shape_4(uint32_t flipped);

/*@ requires 0xF0 <= flipped_at(flipped, 0) <= 0xF7 &&
      utf8_tail(flipped_at(flipped, 1)) &&
      utf8_tail(flipped_at(flipped, 2)) && utf8_tail(flipped_at(flipped, 3));
    terminates \true; assigns \nothing;
    ensures \result == true <==>
      utf8_4(flipped_at(flipped, 0), flipped_at(flipped, 1),
             flipped_at(flipped, 2), flipped_at(flipped, 3));
*/
static inline bool utf8val_fits_4(uint32_t flipped);

/*@ requires last == s + (last - s) && 0 <= last - s;
    requires \valid_read(s + (0 .. last - s + 3));
    terminates \true; assigns \nothing;
    ensures passed(s, \result) && \result - s <= last - s + 4;
*/
static inline const uint8_t *utf8val_pass_words(const uint8_t *s,
						const uint8_t *last);

#endif /* PROOF_WORD_H */
