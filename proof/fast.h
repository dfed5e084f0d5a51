/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Contracts of the fast engine. What is about bits proof/ir.py proves, what is
 * about loops and lengths WP does, from the contracts of the former.
 */
#ifndef PROOF_FAST_H
#define PROOF_FAST_H

#include "contracts.h"
#include "../utf8val_fast_tables.h"

/*@ // the byte at place i of a word, 0 lowest
    logic integer little{L}(uint8_t *s) =
      s[0] + 0x100 * s[1] + 0x10000 * s[2] + 0x1000000 * s[3] +
      0x100000000 * s[4] + 0x10000000000 * s[5] + 0x1000000000000 * s[6] +
      0x100000000000000 * s[7];
    // the byte at place i of a word, the lowest first
    logic integer byte_at(integer w, integer i) = (uint8_t)(w >> 8 * i);
    // the automaton's state q as a place in the shift DFA's rows; that of a lead
    // byte is where the row of this byte leads to from a boundary
    logic integer place{L}(integer q) =
      q == UTF8VAL_ACCEPT ? UTF8VAL_FAST_ACCEPT :
      q == UTF8VAL_REJECT ? UTF8VAL_FAST_REJECT :
      (utf8val_fast_rows[q] >> UTF8VAL_FAST_ACCEPT) & 31;
    predicate stands{L}(integer state, integer q) = (state & 31) == place(q);
    // the state after n bytes of two words, from the start on
    logic integer run_words(integer v, integer w, integer n) =
      n == 0 ? UTF8VAL_ACCEPT :
      delta(run_words(v, w, n - 1),
            n <= 8 ? byte_at(v, n - 1) : byte_at(w, n - 9));
    // tails that a word begins with, three at most
    logic integer tails_of(integer w) =
      byte_at(w, 0) < 0x80 || byte_at(w, 0) > 0xBF ? 0 :
      byte_at(w, 1) < 0x80 || byte_at(w, 1) > 0xBF ? 1 :
      byte_at(w, 2) < 0x80 || byte_at(w, 2) > 0xBF ? 2 : 3;
    // b may follow a in text of one and two bytes a character
    predicate pair(integer a, integer b) =
      a >= 0xC0 ? utf8_tail(b) : utf8_1(b) || 0xC2 <= b <= 0xDF;
    logic integer sum(integer w, integer n) =
      n == 0 ? 0 : sum(w, n - 1) + byte_at(w, n - 1);
    predicate is_ascii{L}(uint8_t *s, integer n) =
      \forall integer i; 0 <= i < n ==> s[i] < 0x80;
    // no object is larger
    predicate is_size(integer n) = 0 <= n <= 0x7FFFFFFFFFFFFFFF;
*/

/*@ requires \valid_read(s + (0 .. 1));
    terminates \true; assigns \nothing;
    ensures \result == s[0] + 0x100 * s[1];
*/
static inline uint64_t fast_load2(const uint8_t *s);

/*@ requires \valid_read(s + (0 .. 7));
    terminates \true; assigns \nothing;
    ensures \result == little(s);
*/
static inline uint64_t fast_load8_any(const uint8_t *s);

/*@ requires \valid_read(s + (0 .. 7));
    terminates \true; assigns \nothing;
    ensures \result == little(s);
*/
static inline uint64_t fast_load8(const uint8_t *s);

/*@ requires \valid_read(s + (0 .. 31));
    terminates \true; assigns \nothing;
    ensures \result == true <==> is_ascii(s, 32);
*/
static inline bool fast_ascii_32(const uint8_t *s);

/*@ requires is_size(a) && is_size(b);
    terminates \true; assigns \nothing;
    ensures \result == (a < b ? 0xFFFFFFFFFFFFFFFF : 0);
*/
static inline size_t fast_all_if_less(size_t a, size_t b);

/*@ requires is_size(a) && is_size(b);
    terminates \true; assigns \nothing;
    ensures \result == (a < b ? a : b);
*/
static inline size_t fast_min(size_t a, size_t b);

/*@ requires is_size(a) && is_size(b);
    terminates \true; assigns \nothing;
    ensures \result == (a < b ? 0 : a - b);
*/
static inline size_t fast_excess(size_t a, size_t b);

/*@ terminates \true; assigns \nothing;
    ensures \forall integer q; is_state(q) ==> stands(state, q) ==>
      stands(\result, delta(q, byte));
*/
static inline uint32_t fast_step(uint32_t state, uint8_t byte);

/*@ terminates \true; assigns \nothing;
    ensures \forall integer q; is_state(q) ==> stands(state, q) ==>
      (\result == true <==> q != UTF8VAL_REJECT);
*/
static inline bool fast_alive(uint32_t state);

/*@ terminates \true; assigns \nothing;
    ensures \forall integer q; is_state(q) ==> stands(state, q) ==>
      (\result == true <==> q == UTF8VAL_ACCEPT);
*/
static inline bool fast_accepted(uint32_t state);

/*@ requires \valid_read(s + (0 .. 7));
    terminates \true; assigns \nothing;
    ensures \forall integer q; is_state(q) ==> stands(state, q) ==>
      stands(\result, run(s, 0, 8, q));
*/
static inline uint32_t fast_walk(uint32_t state, const uint8_t *s);

/*@ terminates \true; assigns \nothing;
    ensures stands(state, UTF8VAL_ACCEPT) ==>
      stands(\result, run_words(word, 0, 8));
*/
static inline uint32_t fast_walk_word(uint32_t state, uint64_t word);

/*@ terminates \true; assigns \nothing;
    ensures \forall integer i; 0 <= i < 8 ==>
      byte_at(\result, i) == (i < tails_of(word) ? 0 : byte_at(word, i));
*/
static inline uint64_t fast_blank_tails(uint64_t word);

/*@ terminates \true; assigns \nothing;
    ensures \forall integer m; 0 <= m <= 16 ==> m >= \result ==>
      (run_words(first, second, m) == UTF8VAL_ACCEPT <==> m == \result);
    ensures \result <= 16;
*/
static size_t fast_last_boundary(uint64_t first, uint64_t second);

/*@ requires 8 <= len <= 48;
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == true <==> is_ascii(s, len);
*/
static inline bool fast_ascii_48(const uint8_t *s, size_t len);

/*@ requires len < 8;
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result <= len && (\result == len <==> utf8(s, 0, len));
    ensures where != 0 ==> utf8(s, 0, \result);
    ensures where != 0 ==>
      \forall integer m; \result < m <= len ==> !utf8(s, 0, m);
*/
static inline size_t fast_prefix_7(const uint8_t *s, size_t len, bool where);

/*@ requires 8 <= len < 16;
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result <= len && (\result == len <==> utf8(s, 0, len));
    ensures where != 0 ==> utf8(s, 0, \result);
    ensures where != 0 ==>
      \forall integer m; \result < m <= len ==> !utf8(s, 0, m);
*/
static inline size_t fast_prefix_15(const uint8_t *s, size_t len, bool where);

/*@ requires 16 <= len && is_size(len);
    terminates \true; assigns \nothing;
    ensures \result == (len + 19) / 16 * 8;
    ensures \result % 8 == 0 && 16 <= \result <= len && 2 * \result >= len + 4;
*/
static inline size_t fast_walk_length(size_t len);

/*@ requires 16 <= len && is_size(len);
    requires at % 8 == 0 && 8 <= at <= (len + 19) / 16 * 8;
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result <= len;
*/
static size_t fast_locate(const uint8_t *s, size_t len, size_t at,
			  uint32_t front, uint32_t back);

/*@ requires 16 <= len && is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result <= len;
*/
static inline size_t fast_prefix_16(const uint8_t *s, size_t len, bool where);

/*@ requires len < 8;
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == true <==> utf8(s, 0, len);
*/
static bool fast_valid_7(const uint8_t *s, size_t len);

/*@ requires 8 <= len < 16;
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == true <==> utf8(s, 0, len);
*/
static bool fast_valid_15(const uint8_t *s, size_t len);

/*@ requires 16 <= len && is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
*/
static bool fast_valid_16(const uint8_t *s, size_t len);

/*@ requires len < 8;
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result <= len && utf8(s, 0, \result);
    ensures \forall integer m; \result < m <= len ==> !utf8(s, 0, m);
*/
static size_t fast_where_7(const uint8_t *s, size_t len);

/*@ requires 8 <= len < 16;
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result <= len && utf8(s, 0, \result);
    ensures \forall integer m; \result < m <= len ==> !utf8(s, 0, m);
*/
static size_t fast_where_15(const uint8_t *s, size_t len);

/*@ requires 16 <= len && is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result <= len;
*/
static size_t fast_where_16(const uint8_t *s, size_t len);

/*@ requires at <= len && is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures at <= \result <= len;
*/
static size_t fast_run_1(const uint8_t *s, size_t at, size_t len);

/*@ terminates \true; assigns \nothing;
    ensures \forall integer i; 0 <= i < 8 ==>
      ((byte_at(\result, i) & 0x80) == 0x80 <==> byte_at(word, i) >= 0xC0);
*/
static inline uint64_t fast_leads(uint64_t word);

/*@ terminates \true; assigns \nothing;
    ensures \result == (byte_at(word, 7) < 0xC0 ? 0 : 1);
    ensures word == 0 ==> \result == 0;
*/
static inline size_t fast_open(uint64_t word);

/*@ terminates \true; assigns \nothing;
    ensures (\result & 0x8080808080808080) == 0 <==>
      pair(byte_at(before, 7), byte_at(word, 0)) &&
      \forall integer i; 1 <= i < 8 ==>
        pair(byte_at(word, i - 1), byte_at(word, i));
*/
static inline uint64_t fast_not_2(uint64_t before, uint64_t word);

/*@ requires at <= len && is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures at <= \result <= len;
*/
static size_t fast_run_2(const uint8_t *s, size_t at, size_t len);

/*@ requires \valid_read(s + (0 .. 23));
    terminates \true; assigns \nothing;
    ensures \result == true <==>
      \forall integer i; 0 <= i < 8 ==> utf8_char(s, 3 * i, 3);
*/
static inline bool fast_are_3(const uint8_t *s);

/*@ requires at <= len && is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures at <= \result <= len;
*/
static size_t fast_run_3(const uint8_t *s, size_t at, size_t len);

/*@ terminates \true; assigns \nothing;
    ensures \result == 0 <==> \forall integer i; 0 <= i < 2 ==>
      utf8_4(byte_at(word, 4 * i), byte_at(word, 4 * i + 1),
             byte_at(word, 4 * i + 2), byte_at(word, 4 * i + 3));
*/
static inline uint64_t fast_not_4(uint64_t word);

/*@ requires \valid_read(s + (0 .. 31));
    terminates \true; assigns \nothing;
    ensures \result == true <==>
      \forall integer i; 0 <= i < 8 ==> utf8_char(s, 4 * i, 4);
*/
static inline bool fast_are_4(const uint8_t *s);

/*@ requires at <= len && is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures at <= \result <= len;
*/
static size_t fast_run_4(const uint8_t *s, size_t at, size_t len);

/*@ requires at < len && is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures at <= \result <= len;
*/
static inline size_t fast_run(const uint8_t *s, size_t at, size_t len);

/*@ requires 3 <= at && is_size(at);
    requires \valid_read(s + (0 .. at));
    terminates \true; assigns \nothing;
    ensures at - 3 <= \result <= at;
*/
static inline size_t fast_cut(const uint8_t *s, size_t at);

/*@ requires at <= len && 32 <= len && is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result <= len;
*/
static inline size_t fast_prefix_rest(const uint8_t *s, size_t at, size_t len);

/*@ requires 49 <= len && is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result <= len;
*/
static size_t fast_prefix_512(const uint8_t *s, size_t len);

/*@ requires 49 <= len && is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result <= len;
*/
static size_t fast_prefix_long(const uint8_t *s, size_t len);

/*@ requires 49 <= len && is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result <= len;
*/
static inline size_t fast_prefix_49(const uint8_t *s, size_t len);

/*@ requires is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures len < 16 ==> (\result == true <==> utf8(s, 0, len));
*/
static inline bool utf8val_engine_valid(const uint8_t *s, size_t len);

/*@ requires is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result <= len;
    ensures len < 16 ==> utf8(s, 0, \result);
    ensures len < 16 ==>
      \forall integer m; \result < m <= len ==> !utf8(s, 0, m);
*/
static inline size_t utf8val_engine_prefix(const uint8_t *s, size_t len);

/*@ terminates \true; assigns \nothing;
    ensures \result == (len < 4096 ? len : 4096);
*/
static inline size_t fast_part(size_t len);

/*@ terminates \true; assigns \nothing;
    ensures \forall integer i; 0 <= i < 8 ==>
      byte_at(\result, i) ==
        (byte_at(word, i) < 0x80 || byte_at(word, i) > 0xBF ? 0 : 1);
*/
static inline uint64_t fast_tails(uint64_t word);

/*@ terminates \true; assigns \nothing;
    ensures (\forall integer i; 0 <= i < 8 ==> byte_at(word, i) <= 4) ==>
      \result == sum(word, 8);
*/
static inline size_t fast_sum(uint64_t word);

/*@ requires is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
*/
static size_t fast_count_tails(const uint8_t *s, size_t len);

/*@ requires is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    requires \valid(units) && \separated(units, s + (0 .. len - 1));
    terminates \true; assigns *units;
    ensures \result <= len;
*/
static inline size_t utf8val_engine_count(const uint8_t *s, size_t len,
					  size_t *units);

/*@ requires \valid(d + (0 .. 7)) && \valid_read(s + (0 .. 7));
    requires \separated(d + (0 .. 7), s + (0 .. 7));
    terminates \true; assigns d[0 .. 7];
    ensures \forall integer i; 0 <= i < 8 ==> d[i] == \old(s[i]);
*/
static inline void fast_copy8(uint8_t *d, const uint8_t *s);

/*@ requires \valid(d + (0 .. 0)) && \valid_read(s + (0 .. 0));
    requires \separated(d, s);
    terminates \true; assigns d[0 .. 0];
    ensures d[0] == \old(s[0]);
*/
static inline void fast_copy1(uint8_t *d, const uint8_t *s);

/*@ requires is_size(len) && is_size(room);
    requires \valid_read(s + (0 .. len - 1)) && \valid(d + (0 .. room - 1));
    requires \separated(d + (0 .. room - 1), s + (0 .. len - 1));
    terminates \true; assigns d[0 .. room - 1];
    ensures \result <= len && \result <= room;
    ensures \forall integer i; 0 <= i < \result ==> d[i] == s[i];
*/
static inline size_t utf8val_engine_copy(uint8_t *d, size_t room,
					 const uint8_t *s, size_t len);

/*@ requires is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result <= len;
*/
static inline size_t utf8val_engine_skip(const uint8_t *s, size_t len);

#endif /* PROOF_FAST_H */
