/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Contracts of the word engine's functions about bits, which CBMC proves,
 * and of its loop, which WP proves with them.
 */
#pragma once

#include "../spec/contracts.h"
#include "words.h"

/*@ // the byte at place i of a word, the lowest first
    logic integer byte_at(integer w, integer i) = (uint8_t)(w >> 8 * i);
    predicate loads{L}(integer w, uint8_t *s) =
      byte_at(w, 0) == s[0] && byte_at(w, 1) == s[1] &&
      byte_at(w, 2) == s[2] && byte_at(w, 3) == s[3];
    // the byte that was there before utf8val_flip()
    logic integer flipped_at(integer w, integer i) =
      byte_at(w, i) < 0x80 ? byte_at(w, i) + 0x80 : byte_at(w, i) - 0x80; */

/*@ requires \valid_read(s + (0 .. 3)); terminates \true; assigns \nothing;
    ensures loads(\result, s); */
static inline uint32_t utf8val_load(const uint8_t *s);

/*@ requires \valid_read(s + (0 .. 7)); requires aligned(s);
    terminates \true; assigns \nothing;
    ensures \result == true <==> \forall integer i; 0 <= i < 8 ==> s[i] < 0x80; */
static inline bool utf8val_ascii_8(const uint8_t *s);

/*@ terminates \true; assigns \nothing;
    ensures 1 <= \result <= 4 && aligned(s + \result); */
static inline uint32_t utf8val_to_aligned(const uint8_t *s);

/*@ terminates \true; assigns \nothing;
    ensures \result == true <==>
      \forall integer i; 0 <= i < 4 ==> byte_at(word, i) < 0x80; */
static inline bool utf8val_ascii_4(uint32_t word);

/*@ terminates \true; assigns \nothing;
    ensures \result == true <==> byte_at(word, 0) < 0x80; */
static inline bool utf8val_ascii_1(uint32_t word);

/*@ terminates \true; assigns \nothing;
    ensures \result == true <==> 0xE0 <= byte_at(word, 0) <= 0xEF &&
      utf8_tail(byte_at(word, 1)) && utf8_tail(byte_at(word, 2)); */
static inline bool utf8val_shape_3(uint32_t word);

/*@ requires 0xE0 <= byte_at(word, 0) <= 0xEF &&
      utf8_tail(byte_at(word, 1)) && utf8_tail(byte_at(word, 2));
    terminates \true; assigns \nothing;
    ensures \result == true <==>
      utf8_3(byte_at(word, 0), byte_at(word, 1), byte_at(word, 2)); */
static inline bool utf8val_fits_3(uint32_t word);

/*@ terminates \true; assigns \nothing;
    ensures \forall integer i; 0 <= i < 4 ==>
      byte_at(word, i) == flipped_at(\result, i); */
static inline uint32_t utf8val_flip(uint32_t word);

/*@ terminates \true; assigns \nothing;
    ensures \result == true <==> 0xC0 <= flipped_at(flipped, 0) <= 0xDF &&
      utf8_tail(flipped_at(flipped, 1)); */
static inline bool utf8val_shape_2(uint32_t flipped);

/*@ requires 0xC0 <= flipped_at(flipped, 0) <= 0xDF && utf8_tail(flipped_at(flipped, 1));
    terminates \true; assigns \nothing;
    ensures \result == true <==>
      utf8_2(flipped_at(flipped, 0), flipped_at(flipped, 1)); */
static inline bool utf8val_fits_2(uint32_t flipped);

/*@ terminates \true; assigns \nothing;
    ensures \result == true <==> 0xF0 <= flipped_at(flipped, 0) <= 0xF7 &&
      utf8_tail(flipped_at(flipped, 1)) &&
      utf8_tail(flipped_at(flipped, 2)) && utf8_tail(flipped_at(flipped, 3)); */
static inline bool utf8val_shape_4(uint32_t flipped);

/*@ requires 0xF0 <= flipped_at(flipped, 0) <= 0xF7 &&
      utf8_tail(flipped_at(flipped, 1)) &&
      utf8_tail(flipped_at(flipped, 2)) && utf8_tail(flipped_at(flipped, 3));
    terminates \true; assigns \nothing;
    ensures \result == true <==> utf8_4(flipped_at(flipped, 0), flipped_at(flipped, 1),
             flipped_at(flipped, 2), flipped_at(flipped, 3)); */
static inline bool utf8val_fits_4(uint32_t flipped);

/*@ requires \base_addr(s) == \base_addr(last) && 0 <= last - s;
    requires \valid_read(s + (0 .. last - s + 3)); terminates \true; assigns \nothing;
    ensures passed(s, \result) && \result - s <= last - s + 4; */
static inline const uint8_t *utf8val_pass_words(const uint8_t *s,
						const uint8_t *last);
