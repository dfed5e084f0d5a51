/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the proof of utf8val_check() with the fast engine takes: what the bytes are of
 * a unit that is no character.
 */
#pragma once

#include "longest.h"

/*@ lemma break_stops{L}: \forall uint8_t *s, integer n, v, p;
      breaks(s, n, v, p) ==> p <= v + 3 && 0x80 <= s[v] &&
      (p < n ==> stops_at(s[v], p - v, s[p]));
    lemma break_cut{L}: \forall uint8_t *s, integer n, v, bad;
      breaks(s, n, v, n) ==> bad == n - v ==> explained(s, n, v, bad, UTF8VAL_TRUNCATED);
    lemma break_why{L}: \forall uint8_t *s, integer n, v, p, bad, reason;
      breaks(s, n, v, p) ==> p < n ==> bad == (p == v ? 1 : p - v) ==>
      explains(reason, s[v], p - v, s[p]) ==> explained(s, n, v, bad, reason);
    // x and y stand for what is after the end
    lemma break_from{L}: \forall uint8_t *s, integer n, v, p, x, y, g;
      0 <= v < n ==> utf8(s, 0, v) ==> !utf8_char(s, v, unit(s, v, n)) ==>
      (v + 1 < n ==> x == s[v+1]) ==> (v + 2 < n ==> y == s[v+2]) ==>
      g == goes(after(s[v])) + goes(after_two(s[v], x)) +
	goes(after_three(s[v], x, y)) ==>
      p == v + (g < n - v ? g : n - v) ==> breaks(s, n, v, p); */
