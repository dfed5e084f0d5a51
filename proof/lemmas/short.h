/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the proof of the fast engine takes for 8 to 48 bytes: a walk by words is one
 * over the bytes.
 */
#pragma once

#include "longest.h"

/*@ lemma word_run{L}: \forall uint8_t *s, integer w, at, m, q;
      0 <= m <= 8 ==> 0 <= at ==> holds(w, s + at, 8) ==>
      run_word(w, m, run(s, 0, at, q)) == run(s, 0, at + m, q);
    lemma blank_run: \forall integer v, n; 0 <= n ==>
      (\forall integer i; 0 <= i < n ==> byte_at(v, i) == 0) ==>
      run_word(v, n, UTF8VAL_ACCEPT) == UTF8VAL_ACCEPT;
    lemma lifted_run{L}: \forall uint8_t *s, integer v, w, n, m;
      0 <= n <= m <= 8 ==> holds(w, s, 8) ==> raised(v, w, n) ==>
      run_word(v, m, UTF8VAL_ACCEPT) == run(s, 0, m - n, UTF8VAL_ACCEPT);
    lemma lifted_walk{L}: \forall uint8_t *s, integer v, w, n; 0 <= n <= 8 ==>
      holds(w, s, 8) ==> raised(v, w, n) ==>
      run_word(v, 8, UTF8VAL_ACCEPT) == run(s, 0, 8 - n, UTF8VAL_ACCEPT);
    lemma lifted_half{L}: \forall uint8_t *s, integer v, w, n; 0 <= n < 8 ==>
      holds(w, s, 8) ==> raised(v, w, n) ==> run_word(v, 4, UTF8VAL_ACCEPT) ==
	run(s, 0, excess(8 - n, 4), UTF8VAL_ACCEPT);
    lemma walk_some{L}: \forall uint8_t *s, integer at, m, q;
      0 <= at ==> 0 <= m <= 8 ==>
      run(s + at, 0, m, run(s, 0, at, q)) == run(s, 0, at + m, q);
    lemma four_there{L}: \forall uint8_t *s, integer at, r; 0 <= at ==>
      passes_four(s + at, run(s, 0, at, UTF8VAL_ACCEPT), r) ==>
      (r < 1 <==> !passes(s, at + 1)) && (r < 2 <==> !passes(s, at + 2)) &&
      (r < 3 <==> !passes(s, at + 3)) && (r < 4 <==> !passes(s, at + 4));
    lemma four_passed{L}: \forall uint8_t *s, *t, integer at, r; 0 <= at ==>
      t == s + at ==> passes_four(t, run(s, 0, at, UTF8VAL_ACCEPT), r) ==>
      passes(s, at) ==> passes(s, at + r) && (r < 4 ==> !passes(s, at + r + 1));
    lemma walk_front{L}: \forall uint8_t *s, *t, integer state, next, at;
      0 <= at ==> front_at(state, s, at) ==> t == s + at ==>
      stands(next, run(t, 0, 4, run(s, 0, at, UTF8VAL_ACCEPT))) ==>
      front_at(next, s, at + 4);
    lemma walk_state{L}: \forall uint8_t *s, integer state, n;
      front_at(state, s, n) ==> is_state(run(s, 0, n, UTF8VAL_ACCEPT));
    lemma walk_less{L}: \forall uint8_t *s, integer m, n;
      0 <= m <= n ==> passes(s, n) ==> passes(s, m);
    lemma walk_utf8{L}: \forall uint8_t *s, integer n; 0 <= n ==>
      (utf8(s, 0, n) <==> run(s, 0, n, UTF8VAL_ACCEPT) == UTF8VAL_ACCEPT);
    lemma word_passed: \forall integer w, q, r; passes_word(w, q, r) ==>
      run_word(w, r, q) != UTF8VAL_REJECT &&
      (r < 8 ==> run_word(w, r + 1, q) == UTF8VAL_REJECT);
    lemma longest_there{L}: \forall uint8_t *s, integer p, n, m; 0 <= p <= n ==>
      p == n || !passes(s, p + 1) ==> longest(s, p, m) ==> longest(s, n, m); */
