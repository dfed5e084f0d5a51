/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* How utf8val_replace() goes on: by a unit, or by text. */
#pragma once

#include "../spec/replace.h"
#include "moved.h"

/*@
  lemma yields_then{S,T}: \forall uint8_t *s, integer i, m, n, k, v;
    m == n - i ==> 0 <= i < n ==> stands{S,T}(s, n, s, 0) ==>
    yields{S}(s + i, 0, m, k, v) ==> yields{T}(s, i, n, k, v);
  lemma utf8_then{S,T}: \forall uint8_t *s, integer i, j, k, n;
    j == i + k ==> 0 <= i ==> 0 <= k ==> j <= n ==> stands{S,T}(s, n, s, 0) ==>
    utf8{S}(s + i, 0, k) ==> utf8{T}(s, i, j);
  lemma stands_from{S,T}: \forall uint8_t *t, integer i, k, n;
    0 <= i ==> i + k <= n ==> stands{S,T}(t, n, t, 0) ==> stands{S,T}(t + i, k, t, i);
  lemma shows_char{S,T}: \forall uint8_t *f, *s, integer i, n, k, v; i < n ==>
    yields{T}(s, i, n, k, v) ==> 0 <= v ==> stands{S,T}(f, k, s, i) ==>
    shows{S,T}(f, k, s, i, n);
  lemma shows_mark{S,T}: \forall uint8_t *f, *s, integer i, n, k, v; i < n ==>
    yields{T}(s, i, n, k, v) ==> v < 0 ==> is_mark{S}(f) ==> shows{S,T}(f, 3, s, i, n);
  lemma text_passes{L}: \forall uint8_t *s, integer i, j, n; j <= n ==>
    utf8(s, i, j) ==> unaltered(s, i, j, n);

  lemma so_begins{L}: \forall uint8_t *d, *s, integer cap, n; 0 <= cap ==>
    so_far{L,L}(d, cap, s, 0, n, 0);
  lemma so_unit{R,S,T}: \forall uint8_t *d, *f, *s,
    integer cap, i, j, k, n, z, need, next, v; i < n ==> j == i + k ==>
    next == need + z ==> 0 <= need ==> 0 <= z ==> so_far{R,T}(d, cap, s, i, n, need) ==>
    yields{T}(s, i, n, k, v) ==> k == unit{T}(s, i, n) ==>
    shows{R,T}(f, z, s, i, n) ==> appended{S,R}(d, cap, need, f, z) ==>
    so_far{S,T}(d, cap, s, j, n, next);
  lemma so_text{R,S,T}: \forall uint8_t *d, *f, *s,
    integer cap, i, j, k, n, need, next; j <= n ==> j == i + k ==>
    next == need + k ==> 0 <= need ==> 0 <= k ==>
    so_far{R,T}(d, cap, s, i, n, need) ==> unaltered{T}(s, i, j, n) ==>
    (need < cap ==> next <= cap) ==> stands{R,T}(f, k, s, i) ==>
    appended{S,R}(d, cap, need, f, k) ==> so_far{S,T}(d, cap, s, j, n, next);
  lemma so_stops{S,T}: \forall uint8_t *d, *s, integer cap, i, n, need;
    0 <= i <= n ==> 0 <= need <= cap ==> so_far{S,T}(d, cap, s, i, n, need) ==>
    (i < n ==> need + shown_size{T}(s, i, n) > cap) ==>
    replaced{S,T}(d, cap, s, n, i, need);
  lemma so_copied{S,T}: \forall uint8_t *d, *s, integer cap, n;
    0 <= n <= cap ==> unaltered{T}(s, 0, n, n) ==> copied{S,T}(d, 0, n, s) ==>
    stands_behind{S,T}(d, n, cap) ==> replaced{S,T}(d, cap, s, n, n, n);
  lemma size_char{L}: \forall uint8_t *s, integer i, n, k, v; i < n ==>
    yields(s, i, n, k, v) ==> shown_size(s, i, n) == (v < 0 ? 3 : k);
  lemma size_some{L}: \forall uint8_t *s, integer i, n; shown_size(s, i, n) >= 1; */
