// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the prover reads for utf8val_replace(): the core as it ships, with the
 * compact engine, and lemmas that would only delay the proof of all the rest.
 */
#define UTF8VAL_ENGINE_COMPACT 1
#include "compact.h"

/*@
  lemma shown_unit{L}: \forall uint8_t *s, integer i, n, k, v; i < n ==>
    yields(s, i, n, k, v) ==> shown_size(s, i, n) == (v < 0 ? 3 : k);
  lemma shown_char{L}: \forall uint8_t *s, integer i, n, k, v, p; i < n ==>
    yields(s, i, n, k, v) ==> 0 <= v ==> shown_byte(s, i, n, p) == s[i+p];
  lemma shown_other{L}: \forall uint8_t *s, integer i, n, k, v, p; i < n ==>
    yields(s, i, n, k, v) ==> v < 0 ==>
    shown_byte(s, i, n, p) == (p == 0 ? 0xEF : p == 1 ? 0xBF : 0xBD);
  lemma stands_from{S,T}: \forall uint8_t *t, integer i, k, n;
    0 <= i ==> i + k <= n ==> stands{S,T}(t, n, t, 0) ==>
    stands{S,T}(t + i, k, t, i);
  lemma shows_char{S,T}: \forall uint8_t *f, *s, integer i, n, k, v; i < n ==>
    yields{T}(s, i, n, k, v) ==> 0 <= v ==> stands{S,T}(f, k, s, i) ==>
    shows{S,T}(f, k, s, i, n);
  lemma shows_other{S,T}: \forall uint8_t *f, *s, integer i, n, k, v; i < n ==>
    yields{T}(s, i, n, k, v) ==> v < 0 ==> \at(f[0], S) == 0xEF ==>
    \at(f[1], S) == 0xBF ==> \at(f[2], S) == 0xBD ==>
    shows{S,T}(f, 3, s, i, n);
  lemma goes_on_pass{L}: \forall uint8_t *s, integer i, n, k, place, z; i < n ==>
    goes_on(s, i, n, place) ==> k == unit(s, i, n) ==>
    z == shown_size(s, i, n) ==> goes_on(s, i + k, n, place + z);
  lemma goes_on_byte{L}: \forall uint8_t *s, integer i, n, place, p; i < n ==>
    goes_on(s, i, n, place) ==> 0 <= p < shown_size(s, i, n) ==>
    result_byte(s, 0, n, place + p) == shown_byte(s, i, n, p);
  lemma copied_at{S,R}: \forall uint8_t *d, *f, integer at, n;
    copied{S,R}(d + at, 0, n, f) ==> copied{S,R}(d, at, n, f);
  lemma begins_more{R,S,T}: \forall uint8_t *d, *f, *s, integer i, n, k, place;
    begins_so{R,T}(d, place, s, n) ==> 0 <= place ==> i < n ==>
    goes_on{T}(s, i, n, place) ==> shows{R,T}(f, k, s, i, n) ==>
    copied{S,R}(d, 0, place, d) ==> copied{S,R}(d, place, k, f) ==>
    begins_so{S,T}(d, place + k, s, n);
  lemma written_more{L}: \forall uint8_t *s,
    integer i, n, k, place, z, room, done; i < n ==> 0 <= z ==>
    written(s, i, n, place, room, done) ==> k == unit(s, i, n) ==>
    z == shown_size(s, i, n) ==> place + z <= room ==>
    written(s, i + k, n, place + z, room, done + z);
  lemma written_full{L}: \forall uint8_t *s,
    integer i, n, k, place, z, room, done; i < n ==>
    written(s, i, n, place, room, done) ==> k == unit(s, i, n) ==>
    z == shown_size(s, i, n) ==> place + z > room ==>
    written(s, i + k, n, place + z, room, done);
*/

#include "../utf8val.c"
