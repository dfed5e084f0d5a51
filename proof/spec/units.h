/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Where the units of a text begin: what utf8val_prev(), utf8val_floor() and
 * utf8val_count() are about.
 */
#pragma once

#include "grammar.h"

/*@
  // a unit stays what it is when places are counted from another byte on
  lemma yields_shift{L}: \forall uint8_t *s, integer i, n, k, v;
    yields(s + i, 0, n, k, v) ==> yields(s, i, i + n, k, v);

  // i is a boundary of s[0 .. n-1]: no unit goes across it. That these are
  // the places that next() visits from 0 on is proved in meaning.c.
  predicate boundary{L}(uint8_t *s, integer n, integer i) = 0 <= i <= n &&
    (i >= 1 ==> unit(s, i - 1, n) <= 1) &&
    (i >= 2 ==> unit(s, i - 2, n) <= 2) && (i >= 3 ==> unit(s, i - 3, n) <= 3);

  // no two units end where the text does
  lemma one_last{L}: \forall uint8_t *s, integer i, j, n;
    0 <= i < n ==> 0 <= j < n ==> boundary(s, n, i) ==> boundary(s, n, j) ==>
    i + unit(s, i, n) == n ==> j + unit(s, j, n) == n ==> i == j;

  // no boundary is inside a unit
  lemma inside_last{L}: \forall uint8_t *s, integer i, j, m, n;
    0 <= i < j < m <= n ==> i + unit(s, i, m) == m ==> !boundary(s, n, j);

  // how many units s[0 .. n-1] is
  logic integer count{L}(uint8_t *s, integer n) = n <= 0 ? 0 :
    1 + count(s + unit(s, 0, n), n - unit(s, 0, n));
  lemma count_pass{L}: \forall uint8_t *s, *t, integer n, m; n > 0 ==>
    \base_addr(s) == \base_addr(t) ==> t - s == n - m == unit(s, 0, n) ==>
    count(s, n) == 1 + count(t, m);

  // s[i .. n-1] is at most three bytes, all of them tails
  predicate tails{L}(uint8_t *s, integer i, integer n) = i <= n <= i + 3 &&
    (n - i >= 1 ==> utf8_tail(s[n-1])) &&
    (n - i >= 2 ==> utf8_tail(s[n-2])) && (n - i >= 3 ==> utf8_tail(s[n-3]));
  // where a search for a unit's first byte ends that looks back from n
  predicate at_lead{L}(uint8_t *s, integer i, integer n) =
    0 <= i < n && tails(s, i + 1, n) && (i == 0 || i == n - 4 || !utf8_tail(s[i]));

  lemma last_unit{L}: \forall uint8_t *s, integer i, n;
    at_lead(s, i, n) ==> i + unit(s, i, n) == n ==> boundary(s, n, i);
  lemma last_stray{L}: \forall uint8_t *s, integer i, n;
    at_lead(s, i, n) ==> i + unit(s, i, n) != n ==>
    boundary(s, n, n - 1) && utf8_tail(s[n-1]) && unit(s, n - 1, n) == 1;

  // what follows the byte at a place doesn't matter to its being a boundary
  lemma boundary_cut{L}: \forall uint8_t *s, integer i, m, n;
    i < m <= n ==> (boundary(s, m, i) <==> boundary(s, n, i)); */
