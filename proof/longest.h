/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Contracts of the fast engine where it walks and looks for boundaries. Only the
 * prover reads this.
 */
#ifndef PROOF_LONGEST_H
#define PROOF_LONGEST_H

#include "fast.h"

/*@ // the longest well-formed prefix of s[0 .. n-1]
    predicate longest{L}(uint8_t *s, integer n, integer m) =
      0 <= m <= n && utf8(s, 0, m) &&
      \forall integer i; m < i <= n ==> !utf8(s, 0, i);
    // not rejected: the beginning of well-formed text
    predicate passes{L}(uint8_t *s, integer p) =
      run(s, 0, p, UTF8VAL_ACCEPT) != UTF8VAL_REJECT;
    // s[0 .. p-1] ends with so many bytes of a character that has more
    logic integer open_bytes{L}(uint8_t *s, integer p) =
      (p < 1 || s[p-1] < 0xC0 ? 0 : 1) + (p < 2 || s[p-2] < 0xE0 ? 0 : 2) +
      (p < 3 || s[p-3] < 0xF0 ? 0 : 3);
    // both walks: tails from s[i] on, three at most; the back walk starts behind
    logic integer tails_at{L}(uint8_t *s, integer i) =
      s[i] < 0x80 || s[i] > 0xBF ? 0 : s[i+1] < 0x80 || s[i+1] > 0xBF ? 1 :
      s[i+2] < 0x80 || s[i+2] > 0xBF ? 2 : 3;
    predicate front_at{L}(integer state, uint8_t *s, integer n) =
      stands(state, run(s, 0, n, UTF8VAL_ACCEPT));
    logic integer back_run{L}(uint8_t *s, integer from, integer n) =
      run(s, from + tails_at(s, from), n, UTF8VAL_ACCEPT);
    predicate back_at{L}(integer state, uint8_t *s, integer from, integer n) =
      stands(state, back_run(s, from, n));
    predicate passes_back{L}(uint8_t *s, integer from, integer n) =
      back_run(s, from, n) != UTF8VAL_REJECT;
    // where a search back from s[at] for what is no tail ends, three bytes on at most
    predicate is_cut{L}(uint8_t *s, integer at, integer cut) =
      at - 3 <= cut <= at && (cut < at ==> utf8_tail(s[at])) &&
      (cut < at - 1 ==> utf8_tail(s[at-1])) &&
      (cut < at - 2 ==> utf8_tail(s[at-2])) &&
      (at - 3 < cut ==> !utf8_tail(s[cut]));
*/

/*@ requires is_size(passed) && passes(s, passed);
    requires \valid_read(s + (0 .. passed - 1)) && \valid_read(s + (0 .. 7));
    terminates \true; assigns \nothing;
    ensures \result == passed - open_bytes(s, passed);
    ensures longest(s, passed, \result);
*/
static inline size_t fast_boundary(const uint8_t *s, size_t passed);

/*@ requires 8 <= len <= 48 && \valid_read(s + (0 .. len - 1));
    requires blank < 8 && (len + blank) % 8 == 0;
    requires passed % 8 == 0 && passed <= len + blank;
    requires passes(s, excess(passed, blank)) &&
      front_at(behind, s, excess(passed, blank));
    requires passed == len + blank || !passes(s, passed + 8 - blank);
    terminates \true; assigns \nothing;
    ensures \result <= len && passes(s, \result);
    ensures \result == len || !passes(s, \result + 1);
*/
static inline size_t fast_passed_48(const uint8_t *s, size_t len, size_t blank,
				    size_t passed, uint32_t behind);

/*@ requires 8 <= len <= 48;
    requires \valid_read(s + (0 .. len - 1));
    requires tails == \null ||
      (\valid(tails) && \separated(tails, s + (0 .. len - 1)));
    terminates \true; assigns *tails;
    ensures \result <= len && (\result == len <==> utf8(s, 0, len));
    ensures where != 0 ==> longest(s, len, \result);
    ensures tails != \null && \result == len ==>
      word_sum(*tails) == tails_in(s, 0, len);
*/
static inline size_t fast_prefix_48(const uint8_t *s, size_t len, bool where,
				    uint64_t *tails);

/*@ requires 8 <= len <= 48;
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == true <==> utf8(s, 0, len);
*/
static bool fast_valid_48(const uint8_t *s, size_t len);

/*@ requires 8 <= len <= 48;
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures longest(s, len, \result);
*/
static size_t fast_where_48(const uint8_t *s, size_t len);

/*@ requires 8 <= len <= 48;
    requires \valid_read(s + (0 .. len - 1));
    requires \valid(tails) && \separated(tails, s + (0 .. len - 1));
    terminates \true; assigns *tails;
    ensures longest(s, len, \result);
    ensures *tails == tails_in(s, 0, \result);
*/
static size_t fast_count_48(const uint8_t *s, size_t len, size_t *tails);

/*@ requires is_size(passed + 8) && passes(s, passed) && !passes(s, passed + 8);
    requires \valid_read(s + (0 .. passed + 7));
    terminates \true; assigns \nothing;
    ensures longest(s, passed + 8, \result);
*/
static inline size_t fast_before_rejected(const uint8_t *s, size_t passed);

/*@ requires 16 <= len && is_size(len);
    terminates \true; assigns \nothing;
    ensures \result % 8 == 0 && len + 4 <= 2 * \result && \result <= len;
*/
static inline size_t fast_half(size_t len);

/*@ requires 16 <= len && is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures longest(s, len, \result);
*/
static size_t fast_walk_both(const uint8_t *s, size_t len);

/*@ requires 3 <= at && is_size(at);
    requires \valid_read(s + (0 .. at));
    terminates \true; assigns \nothing;
    ensures is_cut(s, at, \result);
*/
static inline size_t fast_cut(const uint8_t *s, size_t at);

/*@ requires at + 32 <= len && is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    requires tails == \null || (\valid(tails) && *tails <= at &&
      \separated(tails, s + (0 .. len - 1)));
    terminates \true; assigns *tails;
    ensures at <= \result <= len && utf8(s, at, \result);
    ensures tails != \null ==>
      *tails == \old(*tails) + tails_in(s, at, \result);
*/
static inline size_t fast_run(const uint8_t *s, size_t at, size_t len,
			      size_t *tails);

/*@ requires 32 <= len && at <= len && is_size(len) && utf8(s, 0, at);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures longest(s, len, \result);
*/
static inline size_t fast_prefix_rest(const uint8_t *s, size_t at, size_t len);

/*@ requires 32 <= len && is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures longest(s, len, \result);
*/
static size_t fast_prefix_512(const uint8_t *s, size_t len);

/*@ requires 32 <= len && is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    requires tails == \null || (\valid(tails) && *tails == 0 &&
      \separated(tails, s + (0 .. len - 1)));
    terminates \true; assigns *tails;
    ensures longest(s, len, \result);
    ensures tails != \null ==> *tails == tails_in(s, 0, \result);
*/
static size_t fast_prefix_long(const uint8_t *s, size_t len, size_t *tails);

/*@ requires 32 <= len && is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures longest(s, len, \result);
*/
static size_t fast_where_49(const uint8_t *s, size_t len);

/*@ requires 32 <= len && is_size(len);
    requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == true <==> utf8(s, 0, len);
*/
static bool fast_valid_49(const uint8_t *s, size_t len);

/*@ requires is_size(len) && \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == true ==> 8 <= len <= 48 && is_ascii(s, len);
*/
static inline bool utf8val_engine_ascii(const uint8_t *s, size_t len);

#endif /* PROOF_LONGEST_H */
