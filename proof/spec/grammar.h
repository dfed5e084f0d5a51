/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the proof is about: RFC 3629's grammar, and what follows from it alone.
 * Only the prover reads this; every lemma here is proved, nothing is assumed.
 */
#pragma once

#include "../../utf8val.h"
#include "../../engine/tables.h"

/*@
  // RFC 3629, section 4, rule by rule
  predicate utf8_tail(integer a) = 0x80 <= a <= 0xBF;
  predicate utf8_1(integer a) = 0x00 <= a <= 0x7F;
  predicate utf8_2(integer a, integer b) = 0xC2 <= a <= 0xDF && utf8_tail(b);
  predicate utf8_3(integer a, integer b, integer c) =
       (a == 0xE0         && 0xA0 <= b <= 0xBF && utf8_tail(c))
    || (0xE1 <= a <= 0xEC && utf8_tail(b)      && utf8_tail(c))
    || (a == 0xED         && 0x80 <= b <= 0x9F && utf8_tail(c))
    || (0xEE <= a <= 0xEF && utf8_tail(b)      && utf8_tail(c));
  predicate utf8_4(integer a, integer b, integer c, integer d) =
       (a == 0xF0         && 0x90 <= b <= 0xBF && utf8_tail(c) && utf8_tail(d))
    || (0xF1 <= a <= 0xF3 && utf8_tail(b)      && utf8_tail(c) && utf8_tail(d))
    || (a == 0xF4         && 0x80 <= b <= 0x8F && utf8_tail(c) && utf8_tail(d));

  // UTF8-char: s[i .. i+k-1] is one
  predicate utf8_char{L}(uint8_t *s, integer i, integer k) =
       (k == 1 && utf8_1(s[i]))
    || (k == 2 && utf8_2(s[i], s[i+1]))
    || (k == 3 && utf8_3(s[i], s[i+1], s[i+2]))
    || (k == 4 && utf8_4(s[i], s[i+1], s[i+2], s[i+3]));

  // UTF8-octets = *( UTF8-char ): s[a .. b-1] is well-formed
  inductive utf8{L}(uint8_t *s, integer a, integer b) {
    case none{L}: \forall uint8_t *s, integer a; utf8(s, a, a);
    case more{L}: \forall uint8_t *s, integer a, k, b;
      a + k <= b ==> utf8_char(s, a, k) ==> utf8(s, a + k, b) ==> utf8(s, a, b);
  }

  // the code point that a character's bytes stand for
  logic integer code_point{L}(uint8_t *s, integer i, integer k) =
    k == 1 ? s[i] :
    k == 2 ? (s[i] - 0xC0) * 64 + (s[i+1] - 0x80) :
    k == 3 ? (s[i] - 0xE0) * 4096 + (s[i+1] - 0x80) * 64 + (s[i+2] - 0x80) :
    (s[i] - 0xF0) * 262144 + (s[i+1] - 0x80) * 4096 + (s[i+2] - 0x80) * 64 +
      (s[i+3] - 0x80);

  // s[i .. i+k-1] is the character cp
  predicate encodes{L}(uint8_t *s, integer i, integer k, integer cp) =
    utf8_char(s, i, k) && cp == code_point(s, i, k);

  // Unicode scalar values
  predicate scalar(integer cp) = 0 <= cp <= 0xD7FF || 0xE000 <= cp <= 0x10FFFF;

  // Length of the unit at i of a text that ends at n, see meaning.c.
  logic integer size(integer a) =
    a < 0xC2 ? 1 : a < 0xE0 ? 2 : a < 0xF0 ? 3 : a < 0xF5 ? 4 : 1;
  logic integer second_from(integer a) = a == 0xE0 ? 0xA0 : a == 0xF0 ? 0x90 : 0x80;
  logic integer second_to(integer a) = a == 0xED ? 0x9F : a == 0xF4 ? 0x8F : 0xBF;
  logic integer unit{L}(uint8_t *s, integer i, integer n) =
    size(s[i]) < 2 || i + 2 > n || s[i+1] < second_from(s[i]) ||
      s[i+1] > second_to(s[i]) ? 1 :
    size(s[i]) < 3 || i + 3 > n || s[i+2] < 0x80 || s[i+2] > 0xBF ? 2 :
    size(s[i]) < 4 || i + 4 > n || s[i+3] < 0x80 || s[i+3] > 0xBF ? 3 : 4;

  // Why the unit of length k at i is no character.
  predicate ill_formed{L}(uint8_t *s, integer i, integer n, integer k, integer reason) =
    !utf8_char(s, i, k) &&
    (reason == UTF8VAL_TRUNCATED ? i + k == n && 0xC2 <= s[i] <= 0xF4 :
     reason == UTF8VAL_STRAY_TAIL ? utf8_tail(s[i]) :
     reason == UTF8VAL_MISSING_TAIL ?
       i + k < n && 0xC2 <= s[i] <= 0xF4 && !utf8_tail(s[i+k]) :
     reason == UTF8VAL_OVERLONG ? 0xC0 <= s[i] <= 0xC1 ||
       (i + 1 < n && s[i] == 0xE0 && 0x80 <= s[i+1] <= 0x9F) ||
       (i + 1 < n && s[i] == 0xF0 && 0x80 <= s[i+1] <= 0x8F) :
     reason == UTF8VAL_SURROGATE ?
       i + 1 < n && s[i] == 0xED && 0xA0 <= s[i+1] <= 0xBF :
     reason == UTF8VAL_TOO_LARGE ? 0xF5 <= s[i] <= 0xF7 ||
       (i + 1 < n && s[i] == 0xF4 && 0x90 <= s[i+1] <= 0xBF) :
     reason == UTF8VAL_BAD_LEAD ? 0xF8 <= s[i] <= 0xFF : \false);

  // What the unit of length k at i is: a code point, or why it is none, negative.
  predicate yields{L}(uint8_t *s, integer i, integer n, integer k, integer value) =
    k == unit(s, i, n) &&
    (value >= 0 ? encodes(s, i, k, value) : ill_formed(s, i, n, k, -value));

  // The automaton. A state is a lead byte: what it still takes is what may
  // follow that lead, see meaning.c.
  predicate is_state(integer q) =
    q == UTF8VAL_ACCEPT || 0xC2 <= q <= 0xF4 || q == UTF8VAL_REJECT;
  logic integer delta(integer q, integer b) =
    q == UTF8VAL_ACCEPT ?
      (0x00 <= b <= 0x7F ? UTF8VAL_ACCEPT : 0xC2 <= b <= 0xF4 ? b :
       UTF8VAL_REJECT) :
    q == UTF8VAL_REJECT || b < 0x80 || b > 0xBF ? UTF8VAL_REJECT :
    q < 0xE0 ? UTF8VAL_ACCEPT :
    b < second_from(q) || b > second_to(q) ? UTF8VAL_REJECT : q < 0xF0 ? 0xD1 : 0xE1;
  // the state after s[a .. b-1], from state q on
  logic integer run{L}(uint8_t *s, integer a, integer b, integer q) =
    a >= b ? q : delta(run(s, a, b - 1, q), s[b-1]);

  lemma utf8_pass{L}: \forall uint8_t *s, integer a, b, k;
    utf8_char(s, a, k) ==> a + k <= b ==> (utf8(s, a, b) <==> utf8(s, a + k, b));
  lemma utf8_stuck{L}: \forall uint8_t *s, integer a, b; a < b ==>
    utf8(s, a, b) ==> utf8_char(s, a, unit(s, a, b));
  lemma utf8_none{L}: \forall uint8_t *s, integer a, n, m; a < m <= n ==>
    !utf8_char(s, a, unit(s, a, n)) ==> !utf8(s, a, m); */
