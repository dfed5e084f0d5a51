// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the definitions of grammar.h mean: that unit() is the Unicode Standard's
 * maximal subpart, that a unit has one value only, and so on. No other proof
 * uses these lemmas; they are for the reader who doubts the definitions.
 */
#include "../spec/units.h"

/*@
  // these bytes begin a character, or are a whole one: something completes them
  predicate begins_1(integer a) = 0x00 <= a <= 0x7F || 0xC2 <= a <= 0xF4;
  predicate begins_2(integer a, integer b) =
    utf8_2(a, b) || utf8_3(a, b, 0x80) || utf8_4(a, b, 0x80, 0x80);
  predicate begins_3(integer a, integer b, integer c) =
    utf8_3(a, b, c) || utf8_4(a, b, c, 0x80);

  lemma begins_1_all: \forall integer a, b, c, d;
    utf8_1(a) || utf8_2(a, b) || utf8_3(a, b, c) || utf8_4(a, b, c, d) ==> begins_1(a);
  lemma begins_1_only: \forall integer a; begins_1(a) ==>
    utf8_1(a) || utf8_2(a, 0x80) || utf8_3(a, second_from(a), 0x80) ||
    utf8_4(a, second_from(a), 0x80, 0x80);
  lemma begins_2_means: \forall integer a, b; begins_2(a, b) <==>
    utf8_2(a, b) || (\exists integer c; utf8_3(a, b, c)) ||
    (\exists integer c, d; utf8_4(a, b, c, d));
  lemma begins_3_means: \forall integer a, b, c; begins_3(a, b, c) <==>
    utf8_3(a, b, c) || (\exists integer d; utf8_4(a, b, c, d));

  // s[i .. i+k-1] is the beginning of a character, or a whole one
  predicate begins{L}(uint8_t *s, integer i, integer k) =
       (k == 1 && begins_1(s[i])) || (k == 2 && begins_2(s[i], s[i+1]))
    || (k == 3 && begins_3(s[i], s[i+1], s[i+2])) || (k == 4 && utf8_char(s, i, 4));

  // A text's units, of which a decoder makes a character or U+FFFD each: the
  // unit at i of a text that ends at n is the longest beginning of a character,
  // else one byte (The Unicode Standard, D93b).
  predicate is_unit{L}(uint8_t *s, integer i, integer n, integer k) =
    1 <= k && i + k <= n && (k == 1 || begins(s, i, k)) &&
    (\forall integer j; k < j && i + j <= n ==> !begins(s, i, j));
  lemma unit_is_unit{L}: \forall uint8_t *s, integer i, n; i < n ==>
    is_unit(s, i, n, unit(s, i, n));
  lemma one_unit{L}: \forall uint8_t *s, integer i, n, j, k;
    is_unit(s, i, n, j) ==> is_unit(s, i, n, k) ==> j == k;

  lemma encodes_scalar{L}: \forall uint8_t *s, integer i, k, cp;
    encodes(s, i, k, cp) ==> scalar(cp);
  lemma unit_char{L}: \forall uint8_t *s, integer i, n, k;
    i + k <= n ==> utf8_char(s, i, k) ==> unit(s, i, n) == k;
  lemma one_reason{L}: \forall uint8_t *s, integer i, n, v, w;
    yields(s, i, n, unit(s, i, n), v) ==> yields(s, i, n, unit(s, i, n), w) ==> v == w;

  lemma utf8_unfold{L}: \forall uint8_t *s, integer a, b; utf8(s, a, b) <==> a == b ||
    (a + 1 <= b && utf8_char(s, a, 1) && utf8(s, a + 1, b)) ||
    (a + 2 <= b && utf8_char(s, a, 2) && utf8(s, a + 2, b)) ||
    (a + 3 <= b && utf8_char(s, a, 3) && utf8(s, a + 3, b)) ||
    (a + 4 <= b && utf8_char(s, a, 4) && utf8(s, a + 4, b));

  // what a state takes is what may follow the lead byte it is written as
  lemma delta_1: \forall integer a; 0 <= a <= 0xFF ==>
    (delta(UTF8VAL_ACCEPT, a) == UTF8VAL_ACCEPT <==> utf8_1(a));
  lemma delta_2: \forall integer q, a; 0xC2 <= q <= 0xF4 ==>
    (utf8_2(q, a) <==> delta(q, a) == UTF8VAL_ACCEPT);
  lemma delta_3: \forall integer q, a, b; 0xC2 <= q <= 0xF4 ==>
    (utf8_3(q, a, b) <==> utf8_2(delta(q, a), b));
  lemma delta_4: \forall integer q, a, b, c; 0xC2 <= q <= 0xF4 ==>
    (utf8_4(q, a, b, c) <==> utf8_3(delta(q, a), b, c));
  lemma delta_dead: \forall integer a; 0 <= a <= 0xFF ==>
    delta(UTF8VAL_REJECT, a) == UTF8VAL_REJECT;
  lemma delta_state: \forall integer q, a; is_state(q) ==> 0 <= a <= 0xFF ==>
    is_state(delta(q, a)); */

/*@
  // the last unit of a text is there in a longer one that has a boundary there
  lemma last_in_longer{L}: \forall uint8_t *s, integer i, m, n;
    i < m <= n ==> i + unit(s, i, m) == m ==> boundary(s, m, i) ==>
    boundary(s, n, m) ==> boundary(s, n, i) && i + unit(s, i, n) == m;

  // the places that next() visits in s[0 .. n-1]: it begins at 0 and passes a
  // unit each time
  inductive visited{L}(uint8_t *s, integer n, integer i) {
    case start{L}: \forall uint8_t *s, integer n; visited(s, n, 0);
    case pass{L}: \forall uint8_t *s, integer n, i; 0 <= i < n ==>
      visited(s, n, i) ==> visited(s, n, i + unit(s, i, n));
  }
  lemma boundary_before{L}: \forall uint8_t *s, integer n, i;
    0 < i ==> boundary(s, n, i) ==> (boundary(s, n, i - 1) && unit(s, i - 1, n) == 1) ||
    (boundary(s, n, i - 2) && unit(s, i - 2, n) == 2) ||
    (boundary(s, n, i - 3) && unit(s, i - 3, n) == 3) ||
    (boundary(s, n, i - 4) && unit(s, i - 4, n) == 4);
  lemma boundary_pass{L}: \forall uint8_t *s, integer n, i;
    i < n ==> boundary(s, n, i) ==> boundary(s, n, i + unit(s, i, n)); */

/*
 * Boundaries are those places. Like the next function this one does nothing: its
 * loop is the proof by induction.
 */
/*@ terminates \true; assigns \nothing;
    ensures \forall integer i; visited(s, n, i) <==> boundary(s, n, i); */
static void boundaries_are_visited(const uint8_t *s, size_t n)
{
	size_t to;

	/*@ loop invariant to <= n;
	    loop invariant \forall integer i; i <= to ==>
	      (visited(s, n, i) <==> boundary(s, n, i));
	    loop assigns to; loop variant n - to; */
	for (to = 0; to != n; to++)
		;
}

/* Well-formed text ends at a boundary, whatever follows. */
/*@ requires \valid_read(s + (0 .. n - 1)) && m <= n && utf8(s, 0, m);
    terminates \true; assigns \nothing;
    ensures boundary(s, n, m); */
static void well_formed_to_boundary(const uint8_t *s, size_t n, size_t m)
{
	size_t at, k;

	/*@ loop invariant at <= m;
	    loop invariant utf8(s, at, m);
	    loop invariant boundary(s, n, at);
	    loop assigns at, k; loop variant m - at; */
	for (at = 0; at != m; at += k) {
		//@ assert utf8_char(s, at, unit(s, at, m));
		//@ assert boundary(s, n, at + unit(s, at, n));
		k = s[at] < 0x80 ? 1 : s[at] < 0xE0 ? 2 :
		    s[at] < 0xF0 ? 3 : 4;
		//@ assert k == unit(s, at, n) && k == unit(s, at, m);
	}
}
