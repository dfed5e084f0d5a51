/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Contracts of the fast engine: of functions about bits CBMC proves
 * them, of loops WP does, from the contracts of the former.
 */
#pragma once

#include "../spec/copied.h"
#include "../spec/grammar.h"
#include "../../engine/fast_tables.h"

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
    predicate stands{L}(integer state, integer q) = state % 32 == place(q);
    // the state after n bytes of a word, from state q on
    logic integer run_word(integer w, integer n, integer q) =
      n <= 0 ? q : delta(run_word(w, n - 1, q), byte_at(w, n - 1));
    // tails that a word begins with, three at most
    logic integer tails_of(integer w) =
      byte_at(w, 0) < 0x80 || byte_at(w, 0) > 0xBF ? 0 :
      byte_at(w, 1) < 0x80 || byte_at(w, 1) > 0xBF ? 1 :
      byte_at(w, 2) < 0x80 || byte_at(w, 2) > 0xBF ? 2 : 3;
    // so many of a word's bytes pass from state q on
    predicate passes_word(integer w, integer q, integer n) = 0 <= n <= 8 &&
      \forall integer m; 0 <= m <= 8 ==>
        (m <= n <==> run_word(w, m, q) != UTF8VAL_REJECT);
    // of four bytes in memory
    predicate passes_four{L}(uint8_t *s, integer q, integer n) = 0 <= n <= 4 &&
      (n < 1 <==> run(s, 0, 1, q) == UTF8VAL_REJECT) &&
      (n < 2 <==> run(s, 0, 2, q) == UTF8VAL_REJECT) &&
      (n < 3 <==> run(s, 0, 3, q) == UTF8VAL_REJECT) &&
      (n < 4 <==> run(s, 0, 4, q) == UTF8VAL_REJECT);
    // v is w with zeros for the tails it begins with
    predicate blanked(integer v, integer w) = \forall integer i; 0 <= i < 8 ==>
      byte_at(v, i) == (i < tails_of(w) ? 0 : byte_at(w, i));
    // b may follow a in text of one and two bytes a character
    predicate pair(integer a, integer b) =
      a >= 0xC0 ? utf8_tail(b) : utf8_1(b) || 0xC2 <= b <= 0xDF;
    predicate pairs{L}(uint8_t *s, integer n) =
      n <= 0 || (pairs(s, n - 1) && pair(s[n-1], s[n]));
    // the first n bytes at s, zeros after them
    predicate holds{L}(integer w, uint8_t *s, integer n) =
      \forall integer i; 0 <= i < 8 ==> byte_at(w, i) == (i < n ? s[i] : 0);
    // v is w raised by n bytes
    predicate raised(integer v, integer w, integer n) =
      \forall integer i; 0 <= i < 8 ==> byte_at(v, i) == (i < n ? 0 : byte_at(w, i - n));
    // and lowered
    predicate lowered(integer v, integer w, integer n) = \forall integer i; 0 <= i < 8 ==>
        byte_at(v, i) == (i + n < 8 ? byte_at(w, i + n) : 0);
    logic integer excess(integer a, integer b) = a < b ? 0 : a - b;
    // the n bytes before s[n], eight at most, in the word's highest places, zeros
    // below them
    predicate ends{L}(integer w, uint8_t *s, integer n) =
      \forall integer i; 0 <= i < 8 ==> byte_at(w, i) == (n - 8 + i < 0 ? 0 : s[n-8+i]);
    // of what a word ends with, how many bytes are of a character that has more
    logic integer unfinished(integer w) = (byte_at(w, 7) < 0xC0 ? 0 : 1) +
      (byte_at(w, 6) < 0xE0 ? 0 : 2) + (byte_at(w, 5) < 0xF0 ? 0 : 3);
    predicate is_ascii{L}(uint8_t *s, integer n) =
      \forall integer i; 0 <= i < n ==> s[i] < 0x80;
    // no object is larger
    predicate is_size(integer n) = 0 <= n <= PTRDIFF_MAX; */

/*@ // how many of s[a .. b-1] are tails
    logic integer tail(integer a) = a < 0x80 || a > 0xBF ? 0 : 1;
    logic integer lead(integer a) = a < 0xC0 ? 0 : 1;
    logic integer tails_in{L}(uint8_t *s, integer a, integer b) =
      a >= b ? 0 : tails_in(s, a, b - 1) + tail(s[b-1]);
    // how many are not ASCII
    logic integer high(integer a) = a < 0x80 ? 0 : 1;
    logic integer high_in{L}(uint8_t *s, integer a, integer b) =
      a >= b ? 0 : high_in(s, a, b - 1) + high(s[b-1]);
    // a word's tails, and the sum of its bytes
    logic integer word_tails(integer w) =
      tail(byte_at(w, 0)) + tail(byte_at(w, 1)) + tail(byte_at(w, 2)) +
      tail(byte_at(w, 3)) + tail(byte_at(w, 4)) + tail(byte_at(w, 5)) +
      tail(byte_at(w, 6)) + tail(byte_at(w, 7));
    logic integer word_sum(integer w) =
      byte_at(w, 0) + byte_at(w, 1) + byte_at(w, 2) + byte_at(w, 3) +
      byte_at(w, 4) + byte_at(w, 5) + byte_at(w, 6) + byte_at(w, 7);
    // none of its bytes counts more than one for eight of n bytes
    predicate few(integer w, integer n) =
      \forall integer i; 0 <= i < 8 ==> 8 * byte_at(w, i) <= n;
    // one more for each of eight bytes that is not ASCII
    predicate adds_high{L}(integer v, integer w, uint8_t *s) =
      \forall integer i; 0 <= i < 8 ==> byte_at(v, i) == byte_at(w, i) + high(s[i]);
    // eight characters of k bytes each
    predicate eight{L}(uint8_t *s, integer k) =
      utf8_char(s, 0, k) && utf8_char(s, k, k) && utf8_char(s, 2 * k, k) &&
      utf8_char(s, 3 * k, k) && utf8_char(s, 4 * k, k) &&
      utf8_char(s, 5 * k, k) && utf8_char(s, 6 * k, k) && utf8_char(s, 7 * k, k);
    // s[a .. b] is text of one and two bytes a character, where a lead may stand
    // last, whose tail is to come; what is not ASCII is a tail or a lead
    predicate twos{L}(uint8_t *s, integer a, integer b) = a <= b &&
      (s[b] < 0xC0 ? utf8(s, a, b + 1) : 0xC2 <= s[b] <= 0xDF && utf8(s, a, b)) &&
      high_in(s, a, b + 1) == 2 * tails_in(s, a, b + 1) + lead(s[b]); */

/*@ requires is_size(a) && is_size(b); terminates \true; assigns \nothing;
    ensures \result == (a < b ? a : b); */
static inline size_t fast_min(size_t a, size_t b);

/*@ requires is_size(a) && is_size(b); terminates \true; assigns \nothing;
    ensures \result == excess(a, b); */
static inline size_t fast_sub_sat(size_t a, size_t b);

/*@ requires is_size(a) && is_size(b); terminates \true; assigns \nothing;
    ensures \result == (a < b ? size : 0); */
static inline size_t fast_if_less(size_t size, size_t a, size_t b);

/*@ requires is == 0 || is == 1; terminates \true; assigns \nothing;
    ensures \result == (is != 0 ? 0 : word); */
static inline uint64_t fast_clear_if(uint64_t word, bool is);

/*@ requires bytes < 8; terminates \true; assigns \nothing;
    ensures raised(\result, word, bytes); */
static inline uint64_t fast_shift_up(uint64_t word, size_t bytes);

/*@ requires is == 0 || is == 1; terminates \true; assigns \nothing;
    ensures \result == (is != 0 ? one : zero); */
static inline uint32_t fast_select(bool is, uint32_t one, uint32_t zero);

/*@ requires bytes <= 8; terminates \true; assigns \nothing;
    ensures raised(\result, word, bytes); */
static inline uint64_t fast_shift_out(uint64_t word, size_t bytes);

/*@ requires 1 <= bytes <= 8; terminates \true; assigns \nothing;
    ensures lowered(\result, word, bytes); */
static inline uint64_t fast_shift_down(uint64_t word, size_t bytes);

/*@ requires \valid_read(s + (0 .. 1)); terminates \true; assigns \nothing;
    ensures \result == s[0] + 0x100 * s[1]; */
static inline uint64_t fast_load2(const uint8_t *s);

/*@ requires \valid_read(s + (0 .. 7)); terminates \true; assigns \nothing;
    ensures \result == little(s); */
static inline uint64_t fast_load8_any(const uint8_t *s);

/*@ requires \valid_read(s + (0 .. 7)); terminates \true; assigns \nothing;
    ensures holds(\result, s, 8); */
static inline uint64_t fast_load8(const uint8_t *s);

/*@ requires \valid_read(s + (0 .. 7)); terminates \true; assigns \nothing;
    ensures \result == true <==> is_ascii(s, 8); */
static inline bool fast_ascii8(const uint8_t *s);

/*@ requires \valid_read(s + (0 .. 31)); terminates \true; assigns \nothing;
    ensures \result == true <==> is_ascii(s, 32); */
static inline bool fast_ascii32(const uint8_t *s);

/*@ requires len < 8; requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures holds(\result, s, len); */
static inline uint64_t fast_load_tiny(const uint8_t *s, size_t len);

/*@ terminates \true; assigns \nothing;
    ensures \forall integer q; is_state(q) ==> stands(state, q) ==>
      stands(\result, delta(q, byte)); */
static inline uint32_t fast_step(uint32_t state, uint8_t byte);

/*@ terminates \true; assigns \nothing;
    ensures \forall integer q; is_state(q) ==> stands(state, q) ==>
      (\result == true <==> q != UTF8VAL_REJECT); */
static inline bool fast_alive(uint32_t state);

/*@ terminates \true; assigns \nothing;
    ensures \forall integer q; is_state(q) ==> stands(state, q) ==>
      (\result == true <==> q == UTF8VAL_ACCEPT); */
static inline bool fast_accepted(uint32_t state);

/*@ requires \valid_read(s + (0 .. 3)); terminates \true; assigns \nothing;
    ensures \forall integer q; is_state(q) ==> stands(state, q) ==>
      stands(\result, run(s, 0, 4, q)); */
static inline uint32_t fast_walk4(uint32_t state, const uint8_t *s);

/*@ requires \valid_read(s + (0 .. 7)); terminates \true; assigns \nothing;
    ensures \forall integer q; is_state(q) ==> stands(state, q) ==>
      stands(\result, run(s, 0, 8, q)); */
static inline uint32_t fast_walk(uint32_t state, const uint8_t *s);

/*@ terminates \true; assigns \nothing;
    ensures \forall integer q; is_state(q) ==> stands(state, q) ==>
      stands(\result, run_word(word, 4, q)); */
static inline uint32_t fast_walk_low(uint32_t state, uint64_t word);

/*@ terminates \true; assigns \nothing;
    ensures \forall integer q; is_state(q) ==> stands(state, run_word(word, 4, q)) ==>
      stands(\result, run_word(word, 8, q)); */
static inline uint32_t fast_walk_high(uint32_t state, uint64_t word);

/*@ terminates \true; assigns \nothing;
    ensures \forall integer q; is_state(q) ==> stands(state, q) ==>
      stands(\result, run_word(word, 8, q)); */
static inline uint32_t fast_walk_word(uint32_t state, uint64_t word);

/*@ terminates \true; assigns \nothing;
    ensures blanked(\result, word); */
static inline uint64_t fast_blank_tails(uint64_t word);

/*@ terminates \true; assigns \nothing;
    ensures \result <= 8;
    ensures \forall integer q; is_state(q) && q != UTF8VAL_REJECT ==>
      stands(state, q) ==> passes_word(word, q, \result); */
static inline size_t fast_passed_word(uint32_t state, uint64_t word);

/*@ requires \valid_read(s + (0 .. 3)); terminates \true; assigns \nothing;
    ensures \result <= 4;
    ensures \forall integer q; is_state(q) && q != UTF8VAL_REJECT ==>
      stands(state, q) ==> passes_four(s, q, \result); */
static inline size_t fast_passed4(uint32_t state, const uint8_t *s);

/*@ terminates \true; assigns \nothing;
    ensures \forall integer q; is_state(q) ==>
      run_word(before, 8, q) != UTF8VAL_REJECT ==> \result <= 3 &&
      \forall integer m; 0 <= m <= 8 ==> m + \result >= 8 ==>
        (run_word(before, m, q) == UTF8VAL_ACCEPT <==> m + \result == 8);
    ensures \result == unfinished(before); */
static inline size_t fast_unfinished(uint64_t before);

/*@ requires unfinished(before) <= 3; terminates \true; assigns \nothing;
    ensures \forall integer q; is_state(q) ==>
      run_word(before, 8, q) != UTF8VAL_REJECT ==>
      stands(\result, run_word(before, 8, q)); */
static inline uint32_t fast_behind(uint64_t before);

/*@ terminates \true; assigns \nothing;
    ensures \result == true <==> utf8_tail(byte); */
static inline bool fast_is_tail(uint8_t byte);

/*@ terminates \true; assigns \nothing;
    ensures \forall integer i; 0 <= i < 8 ==>
      byte_at(\result, i) == tail(byte_at(word, i)); */
static inline uint64_t fast_tails(uint64_t word);

/*@ requires few(tails, 8 * 254); terminates \true; assigns \nothing;
    ensures \forall integer i; 0 <= i < 8 ==>
      byte_at(\result, i) == byte_at(tails, i) + tail(byte_at(word, i)); */
static inline uint64_t fast_add_tails(uint64_t tails, uint64_t word);

/*@ terminates \true; assigns \nothing;
    ensures \result == word_sum(word); */
static inline size_t fast_sum(uint64_t word);

/*@ requires is_size(len) && \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == tails_in(s, 0, len); */
static size_t fast_count_tails(const uint8_t *s, size_t len);

/*@ requires few(word, 64); // no byte above 8: no sum of two carries
    terminates \true; assigns \nothing;
    ensures \result == word_sum(word); */
static inline size_t fast_sum_byte(uint64_t word);

/*@ requires few(sum, 8 * 254); requires \valid_read(s + (0 .. 7));
    terminates \true; assigns \nothing;
    ensures adds_high(\result, sum, s); */
static inline uint64_t fast_add_high(uint64_t sum, const uint8_t *s);

/*@ requires \valid_read(s + (0 .. 7)); terminates \true; assigns \nothing;
    ensures \result == high_in(s, 0, 8); */
static inline size_t fast_high8(const uint8_t *s);

/*@ requires \valid_read(s + (0 .. 63)); terminates \true; assigns \nothing;
    ensures \result == high_in(s, 0, 64); */
static inline size_t fast_high64(const uint8_t *s);

/*@ requires is_size(len) && \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == high_in(s, 0, len); */
static size_t fast_count_high(const uint8_t *s, size_t len);

/*@ requires 8 <= len <= 48; requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == true <==> is_ascii(s, len); */
static inline bool fast_ascii_name(const uint8_t *s, size_t len);

/*@ requires len < 8; requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result <= len && (\result == len <==> utf8(s, 0, len));
    ensures where != 0 ==> utf8(s, 0, \result);
    ensures where != 0 ==> \forall integer m; \result < m <= len ==> !utf8(s, 0, m); */
static inline size_t fast_prefix_tiny(const uint8_t *s, size_t len, bool where);

/*@ requires len < 8; requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == true <==> utf8(s, 0, len); */
static bool fast_valid_tiny(const uint8_t *s, size_t len);

/*@ requires len < 8; requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result <= len && utf8(s, 0, \result);
    ensures \forall integer m; \result < m <= len ==> !utf8(s, 0, m); */
static size_t fast_where_tiny(const uint8_t *s, size_t len);

/*@ // why a unit is ill-formed whose first byte is lead and whose first good
    // bytes are so, before next
    predicate explains(integer reason, integer lead, integer good, integer next) =
      reason == (good > 0 && (next < 0x80 || next > 0xBF) ?
	UTF8VAL_MISSING_TAIL : lead < 0xC0 ? UTF8VAL_STRAY_TAIL :
	lead < 0xC2 || lead == 0xE0 || lead == 0xF0 ? UTF8VAL_OVERLONG :
	lead == 0xED ? UTF8VAL_SURROGATE :
	lead < 0xF8 ? UTF8VAL_TOO_LARGE : UTF8VAL_BAD_LEAD);
    // next does not go on what begins with lead
    predicate stops_at(integer lead, integer good, integer next) =
      lead < 0xC2 || lead > 0xF4 ? good == 0 && next == lead :
      good > 0 && (!utf8_tail(next) ||
	(good == 1 && (next < second_from(lead) || next > second_to(lead)))); */
/*@ requires 0x80 <= lead && (cut == 0 || cut == 1);
    requires cut == 0 ==> stops_at(lead, good, next);
    terminates \true; assigns \nothing;
    ensures cut != 0 ==> \result == UTF8VAL_TRUNCATED;
    ensures cut == 0 ==> explains(\result, lead, good, next); */
static inline uint8_t fast_reason(uint8_t lead, size_t good, uint8_t next,
				  bool cut);

/*@ requires at <= len && is_size(len); requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures at <= \result <= len;
    ensures utf8(s, at, \result) && tails_in(s, at, \result) == 0 &&
      high_in(s, at, \result) == 0; */
static size_t fast_run_ascii(const uint8_t *s, size_t at, size_t len);

/*@ terminates \true; assigns \nothing;
    ensures \forall integer i; 0 <= i < 8 ==>
      ((byte_at(\result, i) & 0x80) == 0x80 <==> byte_at(word, i) >= 0xC0); */
static inline uint64_t fast_leads(uint64_t word);

/*@ terminates \true; assigns \nothing;
    ensures (\result & 0x8080808080808080) == 0 <==> \forall integer i; 0 <= i < 8 ==>
        pair(byte_at(before, i), byte_at(word, i)); */
static inline uint64_t fast_not_twos(uint64_t before, uint64_t word);

/*@ requires \valid_read(s + (0 .. 32)); terminates \true; assigns \nothing;
    ensures \result == true <==> pairs(s, 32); */
static inline bool fast_are_twos(const uint8_t *s);

/*@ requires at < len && is_size(len) && s[at] < 0xE0;
    requires \valid_read(s + (0 .. len - 1)); terminates \true; assigns \nothing;
    ensures at <= \result <= len;
    ensures utf8(s, at, \result);
    ensures high_in(s, at, \result) == 2 * tails_in(s, at, \result); */
static size_t fast_run_twos(const uint8_t *s, size_t at, size_t len);

/*@ requires \valid_read(s + (0 .. 23)); terminates \true; assigns \nothing;
    ensures \result == true <==> eight(s, 3); */
static inline bool fast_are_threes(const uint8_t *s);

/*@ requires at <= len && is_size(len); requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures at <= \result <= len;
    ensures utf8(s, at, \result) && tails_in(s, at, \result) == (\result - at) / 3 * 2; */
static size_t fast_run_threes(const uint8_t *s, size_t at, size_t len);

/*@ requires \valid_read(s + (0 .. 31)); terminates \true; assigns \nothing;
    ensures \result == true <==> eight(s, 4); */
static inline bool fast_are_fours(const uint8_t *s);

/*@ requires at <= len && is_size(len); requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures at <= \result <= len;
    ensures utf8(s, at, \result) && tails_in(s, at, \result) == (\result - at) / 4 * 3; */
static size_t fast_run_fours(const uint8_t *s, size_t at, size_t len);

/*@ requires 8 <= len <= 16;
    requires \valid(d + (0 .. len - 1)) && \valid_read(s + (0 .. len - 1));
    requires \separated(d + (0 .. len - 1), s + (0 .. len - 1));
    terminates \true; assigns d[0 .. len - 1];
    ensures copied{Here,Old}(d, 0, len, s); */
static inline void fast_copy16(uint8_t *d, const uint8_t *s, size_t len);

/*@ requires \valid(d + (0 .. 7)) && \valid_read(s + (0 .. 7));
    requires \separated(d + (0 .. 7), s + (0 .. 7));
    terminates \true; assigns d[0 .. 7];
    ensures \forall integer i; 0 <= i < 8 ==> d[i] == \old(s[i]); */
static inline void fast_copy8(uint8_t *d, const uint8_t *s);

/*@ requires len < 8;
    requires \valid(d + (0 .. len - 1)) && \valid_read(s + (0 .. len - 1));
    requires \separated(d + (0 .. len - 1), s + (0 .. len - 1));
    terminates \true; assigns d[0 .. len - 1];
    ensures copied{Here,Old}(d, 0, len, s); */
static inline void fast_copy_tiny(uint8_t *d, const uint8_t *s, size_t len);

/*@ requires 8 <= len <= 48;
    requires \valid(d + (0 .. len - 1)) && \valid_read(s + (0 .. len - 1));
    requires \separated(d + (0 .. len - 1), s + (0 .. len - 1));
    terminates \true; assigns d[0 .. len - 1];
    ensures copied{Here,Old}(d, 0, len, s); */
static inline void fast_copy_name(uint8_t *d, const uint8_t *s, size_t len);

/*@ requires len <= 48;
    requires \valid(d + (0 .. len - 1)) && \valid_read(s + (0 .. len - 1));
    requires \separated(d + (0 .. len - 1), s + (0 .. len - 1));
    terminates \true; assigns d[0 .. len - 1];
    ensures copied{Here,Old}(d, 0, len, s); */
static inline void utf8val_engine_copy_name(uint8_t *d, const uint8_t *s,
					    size_t len);

/*@ requires 8 <= len && is_size(len);
    requires \valid(d + (0 .. len - 1)) && \valid_read(s + (0 .. len - 1));
    requires \separated(d + (0 .. len - 1), s + (0 .. len - 1));
    terminates \true; assigns d[0 .. len - 1];
    ensures copied{Here,Old}(d, 0, len, s); */
static void fast_copy(uint8_t *d, const uint8_t *s, size_t len);
