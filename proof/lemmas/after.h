/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What the lemmas of breaks.h follow from: the states from a boundary on. */
#pragma once

#include "longest.h"

/*@ lemma begins{L}: \forall uint8_t *s, integer v; 0 <= v ==> utf8(s, 0, v) ==>
      run(s, 0, v, UTF8VAL_ACCEPT) == UTF8VAL_ACCEPT;
    lemma after_1{L}: \forall uint8_t *s, integer v; 0 <= v ==> utf8(s, 0, v) ==>
      run(s, 0, v + 1, UTF8VAL_ACCEPT) == after(s[v]);
    lemma after_2{L}: \forall uint8_t *s, integer v; 0 <= v ==> utf8(s, 0, v) ==>
      run(s, 0, v + 2, UTF8VAL_ACCEPT) == after_two(s[v], s[v+1]);
    lemma after_3{L}: \forall uint8_t *s, integer v; 0 <= v ==> utf8(s, 0, v) ==>
      run(s, 0, v + 3, UTF8VAL_ACCEPT) == after_three(s[v], s[v+1], s[v+2]);
    lemma after_4{L}: \forall uint8_t *s, integer v; 0 <= v ==> utf8(s, 0, v) ==>
      run(s, 0, v + 4, UTF8VAL_ACCEPT) ==
	delta(after_three(s[v], s[v+1], s[v+2]), s[v+3]);
    lemma goes_1: \forall integer a; 0 <= a <= 0xFF ==>
      (after(a) != UTF8VAL_REJECT <==> a < 0x80 || 0xC2 <= a <= 0xF4);
    lemma goes_2: \forall integer a, b; 0xC2 <= a <= 0xF4 ==>
      (after_two(a, b) != UTF8VAL_REJECT <==> second_from(a) <= b <= second_to(a));
    lemma goes_3: \forall integer a, b, c; 0xE0 <= a <= 0xF4 ==>
      (after_three(a, b, c) != UTF8VAL_REJECT <==>
       second_from(a) <= b <= second_to(a) && utf8_tail(c));
    lemma goes_4: \forall integer a, b, c, d; 0xF0 <= a <= 0xF4 ==>
      (delta(after_three(a, b, c), d) != UTF8VAL_REJECT <==>
       second_from(a) <= b <= second_to(a) && utf8_tail(c) && utf8_tail(d));
    lemma goes_on: \forall integer a, b, c;
      (after_two(a, b) != UTF8VAL_REJECT ==> after(a) != UTF8VAL_REJECT) &&
      (after_three(a, b, c) != UTF8VAL_REJECT ==> after_two(a, b) != UTF8VAL_REJECT);
    lemma break_none{L}: \forall uint8_t *s, integer n, v, p;
      breaks(s, n, v, p) ==> 0x80 <= s[v];
    lemma break_lead{L}: \forall uint8_t *s, integer n, v, p;
      breaks(s, n, v, p) ==> (v < p <==> 0xC2 <= s[v] <= 0xF4);
    lemma break_2{L}: \forall uint8_t *s, integer n, v, p;
      breaks(s, n, v, p) ==> (v + 1 < p <==> v + 1 < n &&
	0xC2 <= s[v] <= 0xF4 && second_from(s[v]) <= s[v+1] <= second_to(s[v]));
    lemma break_not_2{L}: \forall uint8_t *s, integer n, v, p;
      breaks(s, n, v, p) ==> v + 1 < p ==> 0xE0 <= s[v];
    lemma break_3{L}: \forall uint8_t *s, integer n, v, p;
      breaks(s, n, v, p) ==> v + 1 < p ==>
      (v + 2 < p <==> v + 2 < n && utf8_tail(s[v+2]));
    lemma break_not_3{L}: \forall uint8_t *s, integer n, v, p;
      breaks(s, n, v, p) ==> v + 2 < p ==> 0xF0 <= s[v];
    lemma break_4{L}: \forall uint8_t *s, integer n, v, p;
      breaks(s, n, v, p) ==> p <= v + 3;
    lemma break_next{L}: \forall uint8_t *s, integer n, v, p;
      breaks(s, n, v, p) ==> p < n ==> stops_at(s[v], p - v, s[p]);
    lemma break_unit{L}: \forall uint8_t *s, integer n, v, p;
      breaks(s, n, v, p) ==> unit(s, v, n) == (p == v ? 1 : p - v);
    lemma break_at_1{L}: \forall uint8_t *s, integer n, v, p, reason;
      breaks(s, n, v, p) ==> p == v ==>
      explains(reason, s[v], p - v, s[p]) ==> ill_formed(s, v, n, 1, reason);
    lemma break_at_2{L}: \forall uint8_t *s, integer n, v, p, reason;
      breaks(s, n, v, p) ==> p == v + 1 ==> p < n ==>
      explains(reason, s[v], p - v, s[p]) ==> ill_formed(s, v, n, 1, reason);
    lemma break_at_3{L}: \forall uint8_t *s, integer n, v, p, reason;
      breaks(s, n, v, p) ==> p == v + 2 ==> p < n ==>
      explains(reason, s[v], p - v, s[p]) ==> ill_formed(s, v, n, 2, reason);
    lemma break_at_4{L}: \forall uint8_t *s, integer n, v, p, reason;
      breaks(s, n, v, p) ==> p == v + 3 ==> p < n ==>
      explains(reason, s[v], p - v, s[p]) ==> ill_formed(s, v, n, 3, reason);
    lemma break_ill{L}: \forall uint8_t *s, integer n, v, p, reason;
      breaks(s, n, v, p) ==> p < n ==> explains(reason, s[v], p - v, s[p]) ==>
      ill_formed(s, v, n, unit(s, v, n), reason);
    // where it breaks is where the state says so, or the text ends
    predicate ill_at{L}(uint8_t *s, integer n, integer v) = 0 <= v < n &&
      utf8(s, 0, v) && !utf8_char(s, v, unit(s, v, n));
    lemma from_none{L}: \forall uint8_t *s, integer n, v; ill_at(s, n, v) ==>
      after(s[v]) == UTF8VAL_REJECT ==> breaks(s, n, v, v);
    lemma from_one{L}: \forall uint8_t *s, integer n, v; ill_at(s, n, v) ==>
      after(s[v]) != UTF8VAL_REJECT ==>
      v + 1 == n || after_two(s[v], s[v+1]) == UTF8VAL_REJECT ==> breaks(s, n, v, v + 1);
    lemma from_two{L}: \forall uint8_t *s, integer n, v; ill_at(s, n, v) ==>
      v + 1 < n ==> after_two(s[v], s[v+1]) != UTF8VAL_REJECT ==>
      v + 2 == n || after_three(s[v], s[v+1], s[v+2]) == UTF8VAL_REJECT ==>
      breaks(s, n, v, v + 2);
    lemma from_long{L}: \forall uint8_t *s, integer n, v; ill_at(s, n, v) ==>
      v + 2 < n ==> after_three(s[v], s[v+1], s[v+2]) != UTF8VAL_REJECT ==>
      v + 3 < n ==> !passes(s, v + 4);
    lemma from_three{L}: \forall uint8_t *s, integer n, v; ill_at(s, n, v) ==>
      v + 2 < n ==> after_three(s[v], s[v+1], s[v+2]) != UTF8VAL_REJECT ==>
      breaks(s, n, v, v + 3);
    lemma from_any{L}: \forall uint8_t *s, integer n, v, x, y, g;
      0 <= v < n ==> utf8(s, 0, v) ==> !utf8_char(s, v, unit(s, v, n)) ==>
      (v + 1 < n ==> x == s[v+1]) ==> (v + 2 < n ==> y == s[v+2]) ==>
      g == goes(after(s[v])) + goes(after_two(s[v], x)) +
	goes(after_three(s[v], x, y)) ==> breaks(s, n, v, v + (g < n - v ? g : n - v)); */
