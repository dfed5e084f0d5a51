/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The laws of the automaton's state, and that accepted is well-formed. */
#pragma once

#include "../spec/grammar.h"

/*@
  // by induction, see tactics.txt
  lemma run_dead{L}: \forall uint8_t *s, integer a, b;
    run(s, a, b, UTF8VAL_REJECT) == UTF8VAL_REJECT;
  lemma run_state{L}: \forall uint8_t *s, integer a, b, q;
    is_state(q) ==> is_state(run(s, a, b, q));
  lemma run_cut{L}: \forall uint8_t *s, integer a, b, c, q;
    a <= b <= c ==> run(s, a, c, q) == run(s, b, c, run(s, a, b, q));
  lemma run_join{L}: \forall uint8_t *s, integer a, b, c, q, r; a <= b <= c ==>
    run(s, a, b, q) == r ==> run(s, a, c, q) == run(s, b, c, r);
  lemma run_stuck{L}: \forall uint8_t *s, integer a, b, c, q; 0 <= b <= c ==>
    run(s, a, b, q) == UTF8VAL_REJECT ==> run(s, a, c, q) == UTF8VAL_REJECT;
  lemma run_first{L}: \forall uint8_t *s, integer a, b, q;
    a < b ==> run(s, a, b, q) == run(s, a + 1, b, delta(q, s[a]));
  lemma run_moved{L}: \forall uint8_t *s, integer k, a, b, q;
    run(s + k, a, b, q) == run(s, k + a, k + b, q);
  // what the state says: accepted is well-formed
  lemma run_char{L}: \forall uint8_t *s, integer a, k;
    utf8_char(s, a, k) ==> run(s, a, a + k, UTF8VAL_ACCEPT) == UTF8VAL_ACCEPT;
  lemma run_no_char{L}: \forall uint8_t *s, integer a, b;
    a < b ==> run(s, a, b, UTF8VAL_ACCEPT) == UTF8VAL_ACCEPT ==>
    utf8_char(s, a, unit(s, a, b)) && a + unit(s, a, b) <= b;
  lemma run_utf8{L}: \forall uint8_t *s, integer a, b; a <= b ==>
    (utf8(s, a, b) <==> run(s, a, b, UTF8VAL_ACCEPT) == UTF8VAL_ACCEPT); */
