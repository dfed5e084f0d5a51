/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What a walk passed, and what two walks that overlap say together: the argument at
 * the head of engine/fast.h.
 */
#pragma once

#include "longest.h"

/*@ lemma ends_long{L}: \forall uint8_t *s, integer v, w, p; 8 <= p ==>
      holds(w, s + (p - 8), 8) ==> raised(v, w, 0) ==> ends(v, s, p);
    lemma ends_short{L}: \forall uint8_t *s, integer v, w, p; 0 <= p < 8 ==>
      holds(w, s + 0, 8) ==> raised(v, w, 8 - p) ==> ends(v, s, p);
    lemma ends_any{L}: \forall uint8_t *s, integer v, w, p; 0 <= p ==>
      holds(w, s + excess(p, 8), 8) ==> raised(v, w, excess(8, p)) ==> ends(v, s, p);
    // the state that the word before leads to
    lemma ends_run{L}: \forall uint8_t *s, integer w, p; 0 <= p ==> ends(w, s, p) ==>
      run_word(w, 8, run(s, 0, excess(p, 8), UTF8VAL_ACCEPT)) ==
	run(s, 0, p, UTF8VAL_ACCEPT);
    lemma unfinished_open{L}: \forall uint8_t *s, integer w, p; 0 <= p ==>
      ends(w, s, p) ==> unfinished(w) == open_bytes(s, p);
    lemma passes_less{L}: \forall uint8_t *s, integer m, p;
      0 <= m <= p ==> passes(s, p) ==> passes(s, m);
    lemma open_bytes_few{L}: \forall uint8_t *s, integer p; 0 <= p ==>
      passes(s, p) ==> 0 <= open_bytes(s, p) <= 3 && open_bytes(s, p) <= p;
    lemma open_boundary{L}: \forall uint8_t *s, integer p; 0 <= p ==>
      passes(s, p) ==> run(s, 0, p - open_bytes(s, p), UTF8VAL_ACCEPT) == UTF8VAL_ACCEPT;
    lemma open_bytes_not{L}: \forall uint8_t *s, integer p; 0 <= p ==> passes(s, p) ==>
      (0 < open_bytes(s, p) ==> run(s, 0, p, UTF8VAL_ACCEPT) != UTF8VAL_ACCEPT) &&
      (1 < open_bytes(s, p) ==> run(s, 0, p - 1, UTF8VAL_ACCEPT) != UTF8VAL_ACCEPT) &&
      (2 < open_bytes(s, p) ==> run(s, 0, p - 2, UTF8VAL_ACCEPT) != UTF8VAL_ACCEPT);
    lemma open_not_at{L}: \forall uint8_t *s, integer p, m; 0 <= p ==>
      passes(s, p) ==> p - open_bytes(s, p) < m ==>
      (m == p || m == p - 1 || m == p - 2) ==>
      run(s, 0, m, UTF8VAL_ACCEPT) != UTF8VAL_ACCEPT;
    lemma open_no_boundary{L}: \forall uint8_t *s, integer p, m; 0 <= p ==>
      passes(s, p) ==> p - open_bytes(s, p) < m <= p ==>
      run(s, 0, m, UTF8VAL_ACCEPT) != UTF8VAL_ACCEPT;

    lemma next_passed{L}: \forall uint8_t *s, integer w, at, r; 0 <= at ==>
      holds(w, s + at, 8) ==> passes_word(w, run(s, 0, at, UTF8VAL_ACCEPT), r) ==>
      passes(s, at + r) && (r < 8 ==> !passes(s, at + r + 1)) &&
      (r == 8 ==> passes(s, at + 8));
    lemma open_longest{L}: \forall uint8_t *s, integer p, m; 0 <= p ==>
      passes(s, p) ==> m == p - open_bytes(s, p) ==> longest(s, p, m);
    lemma passes_boundary{L}: \forall uint8_t *s, integer m; 0 <= m ==>
      utf8(s, 0, m) ==> passes(s, m);
    // after a byte that is rejected nothing is well-formed
    lemma longest_before{L}: \forall uint8_t *s, integer m, p, n; 0 <= p < n ==>
      longest(s, p, m) ==> !passes(s, p + 1) ==> longest(s, n, m);
    lemma longest_rejected{L}: \forall uint8_t *s, integer m, p, n;
      0 <= p <= n ==> longest(s, p, m) ==> !passes(s, p) ==> longest(s, n, m);

    lemma stands_accept: stands(UTF8VAL_FAST_ACCEPT, UTF8VAL_ACCEPT);
    lemma tails_alike{L}: \forall uint8_t *s, integer w, from;
      holds(w, s + from, 8) ==> tails_of(w) == tails_at(s, from);
    // v is the word at s[from], the first n bytes zeros instead
    predicate zeroed{L}(integer v, uint8_t *s, integer from, integer n) =
      \forall integer i; 0 <= i < 8 ==> byte_at(v, i) == (i < n ? 0 : s[from+i]);
    lemma zeroed_run{L}: \forall uint8_t *s, integer v, from, n, k;
      0 <= n <= 3 ==> n <= k <= 8 ==> zeroed(v, s, from, n) ==>
      run_word(v, k, UTF8VAL_ACCEPT) == run(s, from + n, from + k, UTF8VAL_ACCEPT);
    lemma zeroed_blanked{L}: \forall uint8_t *s, integer v, w, from;
      holds(w, s + from, 8) ==> blanked(v, w) ==> zeroed(v, s, from, tails_at(s, from));
    lemma back_first{L}: \forall uint8_t *s, integer v, w, from;
      holds(w, s + from, 8) ==> blanked(v, w) ==>
      run_word(v, 8, UTF8VAL_ACCEPT) == back_run(s, from, from + 8);
    lemma walk_8{L}: \forall uint8_t *s, integer a, b, q; a <= b ==>
      run(s + b, 0, 8, run(s, a, b, q)) == run(s, a, b + 8, q);
    lemma lead_boundary{L}: \forall uint8_t *s, integer i; 0 <= i ==>
      !utf8_tail(s[i]) ==> passes(s, i + 1) ==>
      run(s, 0, i, UTF8VAL_ACCEPT) == UTF8VAL_ACCEPT;
    lemma four_tails{L}: \forall uint8_t *s, integer i; 0 <= i ==>
      utf8_tail(s[i]) ==> utf8_tail(s[i+1]) ==> utf8_tail(s[i+2]) ==>
      utf8_tail(s[i+3]) ==> !passes(s, i + 4);
    lemma tails_stop{L}: \forall uint8_t *s, integer i; 0 <= i ==>
      passes(s, i + 4) ==> 0 <= tails_at(s, i) <= 3 && !utf8_tail(s[i + tails_at(s, i)]);
    lemma tails_few{L}: \forall uint8_t *s, integer i; 0 <= tails_at(s, i) <= 3;
    // where the back walk starts is a boundary if the front walk gets past it
    lemma back_boundary{L}: \forall uint8_t *s, integer from, w; 0 <= from ==>
      from + 4 <= w ==> passes(s, w) ==>
      run(s, 0, from + tails_at(s, from), UTF8VAL_ACCEPT) == UTF8VAL_ACCEPT;
    lemma back_right{L}: \forall uint8_t *s, integer from, w, n;
      0 <= from && from + 4 <= w && from + 4 <= n ==> passes(s, w) ==>
      back_run(s, from, n) == run(s, 0, n, UTF8VAL_ACCEPT);
    lemma passes_alive{L}: \forall uint8_t *s, integer state, n;
      front_at(state, s, n) ==> is_state(run(s, 0, n, UTF8VAL_ACCEPT));
    lemma back_alive{L}: \forall uint8_t *s, integer state, from, n;
      back_at(state, s, from, n) ==> is_state(back_run(s, from, n));
    // the same where places are written otherwise
    lemma front_passes{L}: \forall uint8_t *s, integer state, m, n;
      front_at(state, s, n) ==> m == n ==>
      run(s, 0, n, UTF8VAL_ACCEPT) != UTF8VAL_REJECT ==> passes(s, m);
    lemma back_8{L}: \forall uint8_t *s, integer from, n; from + 8 <= n ==>
      run(s + n, 0, 8, back_run(s, from, n)) == back_run(s, from, n + 8);
    lemma back_next{L}: \forall uint8_t *s, *t, integer state, next, from, m, n;
      back_at(state, s, from, n) ==> m == n + 8 ==> from + 8 <= n ==>
      t == s + n ==> stands(next, run(t, 0, 8, back_run(s, from, n))) ==>
      back_at(next, s, from, m);
    lemma both_accepted{L}: \forall uint8_t *s, integer from, w, n;
      0 <= from && from + 4 <= w && from + 4 <= n ==> passes(s, w) ==>
      back_run(s, from, n) == UTF8VAL_ACCEPT ==> longest(s, n, n);
    lemma both_pass{L}: \forall uint8_t *s, integer from, w, n;
      0 <= from && from + 4 <= w && from + 4 <= n ==> passes(s, w) ==>
      (back_run(s, from, n) != UTF8VAL_REJECT <==> passes(s, n)); */

/*@ lemma eights: \forall integer a, b; 0 <= a < b ==> a % 8 == 0 ==>
      b % 8 == 0 ==> a + 8 <= b && (a + 8) % 8 == 0; */
/*@ // it is a boundary of what goes on well after it
    lemma cut_passes{L}: \forall uint8_t *s, integer at, cut, p;
      3 <= at < p ==> is_cut(s, at, cut) ==> passes(s, p) ==>
      passes(s, cut + 1) && passes(s, at + 1);
    lemma cut_boundary{L}: \forall uint8_t *s, integer at, cut, p;
      3 <= at < p ==> is_cut(s, at, cut) ==> passes(s, p) ==>
      run(s, 0, cut, UTF8VAL_ACCEPT) == UTF8VAL_ACCEPT;
    lemma utf8_behind{L}: \forall uint8_t *s, integer at, n; 0 <= at <= n ==>
      run(s, 0, at, UTF8VAL_ACCEPT) == UTF8VAL_ACCEPT ==>
      (utf8(s + at, 0, n - at) <==> utf8(s, 0, n));
    // the longest of what follows a boundary
    lemma longest_behind{L}: \forall uint8_t *s, integer at, n, m; 0 <= at ==>
      run(s, 0, at, UTF8VAL_ACCEPT) == UTF8VAL_ACCEPT ==>
      longest(s + at, n, m) ==> longest(s, at + n, at + m);
    // of what is cut blindly, unless the character goes on after
    lemma longest_cut{L}: \forall uint8_t *s, integer cut, n, m;
      m + 3 < cut <= n ==> longest(s, cut, m) ==> longest(s, n, m); */
