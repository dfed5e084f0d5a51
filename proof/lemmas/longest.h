/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Contracts of the fast engine where it walks and looks for boundaries. */
#pragma once

#include "fast.h"

/*@ // the longest well-formed prefix of s[0 .. n-1]
    predicate longest{L}(uint8_t *s, integer n, integer m) =
      0 <= m <= n && utf8(s, 0, m) && \forall integer i; m < i <= n ==> !utf8(s, 0, i);
    // not rejected: the beginning of well-formed text
    predicate passes{L}(uint8_t *s, integer p) =
      run(s, 0, p, UTF8VAL_ACCEPT) != UTF8VAL_REJECT;
    // s[0 .. p-1] ends with so many bytes of a character that has more
    logic integer open_bytes{L}(uint8_t *s, integer p) =
      (p < 1 || s[p-1] < 0xC0 ? 0 : 1) + (p < 2 || s[p-2] < 0xE0 ? 0 : 2) +
      (p < 3 || s[p-3] < 0xF0 ? 0 : 3);
    // both walks: tails from s[i] on, three at most; the back walk starts after
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
      (cut < at - 1 ==> utf8_tail(s[at-1])) && (cut < at - 2 ==> utf8_tail(s[at-2])) &&
      (at - 3 < cut ==> !utf8_tail(s[cut])); */

/*@ requires is_size(passed) && passes(s, passed);
    requires \valid_read(s + (0 .. passed - 1)) && \valid_read(s + (0 .. 7));
    terminates \true; assigns \nothing;
    ensures \result == passed - open_bytes(s, passed);
    ensures longest(s, passed, \result); */
static inline size_t fast_boundary(const uint8_t *s, size_t passed);

/*@ requires is_size(passed);
    requires \valid_read(s + (0 .. passed - 1)) && \valid_read(s + (0 .. 7));
    terminates \true; assigns \nothing;
    ensures ends(\result, s, passed); */
static inline uint64_t fast_ends(const uint8_t *s, size_t passed);

/*@ // a walk by words over n bytes went to end, where it is rejected or done;
    // its states before the last eight bytes, and before the last four
    predicate stopped{L}(uint8_t *s, integer n, integer end, integer before,
			 integer middle) =
      1 <= end <= n && (end == n || !passes(s, end)) &&
      passes(s, excess(end, 8)) && front_at(before, s, excess(end, 8)) &&
      front_at(middle, s, excess(end, 4)); */
/*@ requires 8 <= len <= 48; requires \valid_read(s + (0 .. len - 1));
    requires end == \null || (\valid(end) && \valid(before) &&
      \valid(middle) && \separated(end, before, middle, s + (0 .. len - 1)));
    requires tails == \null || (\valid(tails) && \separated(tails, s + (0 .. len - 1)));
    requires end == \null || tails == \null;
    terminates \true; assigns *end, *before, *middle, *tails;
    ensures \result == true <==> utf8(s, 0, len);
    ensures end != \null ==> stopped(s, len, *end, *before, *middle);
    ensures tails != \null && \result == true ==>
      word_sum(*tails) == tails_in(s, 0, len); */
static inline bool fast_walk_name(const uint8_t *s, size_t len, size_t *end,
				uint32_t *before, uint32_t *middle,
				uint64_t *tails);

/*@ requires end <= 48 && \exists integer n; 8 <= n <= 48 &&
      \valid_read(s + (0 .. n - 1)) && stopped(s, n, end, before, middle);
    terminates \true; assigns \nothing;
    ensures \result <= end && passes(s, \result);
    ensures \result == end || !passes(s, \result + 1); */
static inline size_t fast_passed_name(const uint8_t *s, size_t end,
				    uint32_t before, uint32_t middle);

/*@ requires end <= 48 && \exists integer n; 8 <= n <= 48 &&
      \valid_read(s + (0 .. n - 1)) && stopped(s, n, end, before, middle);
    terminates \true; assigns \nothing;
    ensures longest(s, end, \result); */
static size_t fast_boundary_name(const uint8_t *s, size_t end, uint32_t before,
			       uint32_t middle);

/*@ requires 8 <= len <= 48; requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == true <==> utf8(s, 0, len); */
static bool fast_valid_name(const uint8_t *s, size_t len);

/*@ requires 8 <= len <= 48; requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures longest(s, len, \result); */
static size_t fast_where_name(const uint8_t *s, size_t len);

/*@ requires len < 8; requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result != 0 ==> utf8(s, 0, len) && \result == len - tails_in(s, 0, len); */
static size_t fast_units_tiny(const uint8_t *s, size_t len);

/*@ requires 8 <= len <= 48; requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result != 0 ==> utf8(s, 0, len) && \result == len - tails_in(s, 0, len); */
static size_t fast_units_name(const uint8_t *s, size_t len);

/*@ terminates \true; assigns \nothing;
    ensures \result.valid == len && \result.bad == 0 && \result.reason == UTF8VAL_OK; */
static inline struct utf8val_result fast_good(size_t len);

/*@ // after s[0 .. v-1], which is well-formed, up to p bytes pass, and no more
    predicate breaks{L}(uint8_t *s, integer n, integer v, integer p) =
      0 <= v < n && v <= p <= n && utf8(s, 0, v) && passes(s, p) &&
      (p == n || !passes(s, p + 1)) && !utf8_char(s, v, unit(s, v, n));
    // the state after one, two and three bytes; does it go on?
    logic integer after(integer a) = delta(UTF8VAL_ACCEPT, a);
    logic integer after_two(integer a, integer b) = delta(after(a), b);
    logic integer after_three(integer a, integer b, integer c) =
      delta(after_two(a, b), c);
    logic integer goes(integer q) = q == UTF8VAL_REJECT ? 0 : 1;
    predicate explained{L}(uint8_t *s, integer n, integer v, integer bad,
			   integer reason) =
      bad == unit(s, v, n) && ill_formed(s, v, n, bad, reason); */
/*@ requires is_size(len) && \valid_read(s + (0 .. len - 1));
    requires breaks(s, len, valid, passed); terminates \true; assigns \nothing;
    ensures \result.valid == valid;
    ensures explained(s, len, valid, \result.bad, \result.reason); */
static inline struct utf8val_result fast_bad(const uint8_t *s, size_t len,
					     size_t valid, size_t passed);

/*@ requires 8 <= len <= 48 && \valid_read(s + (0 .. len - 1));
    requires stopped(s, len, end, before, middle) && !utf8(s, 0, len);
    terminates \true; assigns \nothing;
    ensures \result.valid < len && longest(s, len, \result.valid);
    ensures explained(s, len, \result.valid, \result.bad, \result.reason); */
static struct utf8val_result fast_bad_name(const uint8_t *s, size_t len,
					 size_t end, uint32_t before,
					 uint32_t middle);

/*@ // what utf8val_check() says
    predicate checked{L}(uint8_t *s, integer n, integer v, integer bad,
			 integer reason) = longest(s, n, v) &&
      (v == n ? bad == 0 && reason == UTF8VAL_OK : explained(s, n, v, bad, reason)); */
/*@ requires 8 <= len <= 48 && \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures checked(s, len, \result.valid, \result.bad, \result.reason); */
static struct utf8val_result fast_check_name(const uint8_t *s, size_t len);

/*@ requires is_size(len) && at < len && \valid_read(s + (0 .. len - 1));
    requires utf8(s, 0, at) && !utf8_char(s, at, unit(s, at, len));
    terminates \true; assigns \nothing;
    ensures breaks(s, len, at, \result); */
static inline size_t fast_passed_after(const uint8_t *s, size_t len, size_t at);

/*@ requires is_size(len) && \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures checked(s, len, \result.valid, \result.bad, \result.reason); */
static struct utf8val_result fast_check(const uint8_t *s, size_t len);

/*@ requires is_size(passed + 8) && passes(s, passed) && !passes(s, passed + 8);
    requires \valid_read(s + (0 .. passed + 7)); terminates \true; assigns \nothing;
    ensures longest(s, passed + 8, \result); */
static inline size_t fast_before_rejected(const uint8_t *s, size_t passed);

/*@ requires 16 <= len && is_size(len); terminates \true; assigns \nothing;
    ensures \result % 8 == 0 && len + 4 <= 2 * \result && \result <= len; */
static inline size_t fast_half(size_t len);

/*@ requires 16 <= len && is_size(len); requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures longest(s, len, \result); */
static size_t fast_walk_both(const uint8_t *s, size_t len);

/*@ requires 3 <= at && is_size(at); requires \valid_read(s + (0 .. at));
    terminates \true; assigns \nothing;
    ensures is_cut(s, at, \result); */
static inline size_t fast_cut(const uint8_t *s, size_t at);

/*@ requires at + 32 <= len && is_size(len); requires \valid_read(s + (0 .. len - 1));
    requires tails == \null || (\valid(tails) && *tails <= at &&
      \separated(tails, s + (0 .. len - 1)));
    terminates \true; assigns *tails;
    ensures at <= \result <= len && utf8(s, at, \result);
    ensures tails != \null ==> *tails == \old(*tails) + tails_in(s, at, \result); */
static inline size_t fast_run(const uint8_t *s, size_t at, size_t len,
			      size_t *tails);

/*@ requires 32 <= len && at <= len && is_size(len) && utf8(s, 0, at);
    requires \valid_read(s + (0 .. len - 1)); terminates \true; assigns \nothing;
    ensures longest(s, len, \result); */
static inline size_t fast_prefix_rest(const uint8_t *s, size_t at, size_t len);

/*@ requires 48 <= len && is_size(len); requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures longest(s, len, \result); */
static size_t fast_prefix_line(const uint8_t *s, size_t len);

/*@ requires 32 <= len && is_size(len); requires \valid_read(s + (0 .. len - 1));
    requires tails == \null || (\valid(tails) && *tails == 0 &&
      \separated(tails, s + (0 .. len - 1)));
    terminates \true; assigns *tails;
    ensures longest(s, len, \result);
    ensures tails != \null ==> *tails == tails_in(s, 0, \result); */
static size_t fast_prefix_text(const uint8_t *s, size_t len, size_t *tails);

/*@ requires 48 <= len && is_size(len); requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures longest(s, len, \result); */
static size_t fast_where_long(const uint8_t *s, size_t len);

/*@ requires 48 <= len && is_size(len); requires \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == true <==> utf8(s, 0, len); */
static bool fast_valid_long(const uint8_t *s, size_t len);

/*@ requires is_size(len) && \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == true ==> 8 <= len <= 48 && is_ascii(s, len); */
static inline bool utf8val_engine_ascii(const uint8_t *s, size_t len);

/*@ requires is_size(len) && \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == true ==> len <= 48 && utf8(s, 0, len); */
static inline bool utf8val_engine_name(const uint8_t *s, size_t len);

/*@ requires is_size(len) && \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result != 0 ==> utf8(s, 0, len) && \result == len - tails_in(s, 0, len); */
static inline size_t utf8val_engine_units(const uint8_t *s, size_t len);
