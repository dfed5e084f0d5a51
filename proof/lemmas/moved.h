/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The same bytes at another place or time are well-formed as well. */
#pragma once

#include "../spec/grammar.h"
#include "../spec/stream.h"

/*@
  lemma utf8_joined{L}: \forall uint8_t *s, integer a, b, c;
    a <= b <= c ==> utf8(s, a, b) ==> utf8(s, b, c) ==> utf8(s, a, c);
  lemma utf8_grown{L}: \forall uint8_t *s, integer a, b, k; a <= b ==>
    utf8(s, a, b) ==> utf8_char(s, b, k) ==> utf8(s, a, b + k);
  lemma utf8_moved{L}: \forall uint8_t *s, integer k, n; 0 <= n ==>
    utf8(s + k, 0, n) ==> utf8(s, k, k + n);
  lemma utf8_from{L}: \forall uint8_t *s, integer k, n; 0 <= n ==>
    utf8(s, k, k + n) ==> utf8(s + k, 0, n);
  lemma run_alike{S,T}: \forall uint8_t *s, *t, integer i, n, j, k, q;
    0 <= j ==> k <= n ==> stands{S,T}(s, n, t, i) ==>
    run{S}(s, j, k, q) == run{T}(t, i + j, i + k, q);
  lemma utf8_alike{S,T}: \forall uint8_t *s, *t, integer i, j, k, n;
    0 <= j <= k ==> k <= n ==> stands{S,T}(s, n, t, i) ==>
    utf8{S}(s, j, k) ==> utf8{T}(t, i + j, i + k);
  lemma utf8_there{S,T}: \forall uint8_t *s, *t, integer k, p, q; 0 <= k ==>
    stands{S,T}(s, k, t, p) ==> utf8{S}(s, 0, k) ==> q == p + k ==> utf8{T}(t, p, q);
  lemma utf8_kept{S,T}: \forall uint8_t *t, integer k, n; 0 <= k <= n ==>
    stands{S,T}(t, n, t, 0) ==> utf8{S}(t, 0, k) ==> utf8{T}(t, 0, k);

  // an unfinished unit ends with the text
  lemma yields_open{L}: \forall uint8_t *t, integer i, k, n;
    yields(t, i, n, k, -UTF8VAL_TRUNCATED) ==> i + k == n && k <= 3; */
