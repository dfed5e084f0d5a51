// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the prover reads for utf8val_replace(): the core as it ships, with the
 * compact engine, and lemmas that would only delay the proof of all the rest.
 */
#define UTF8VAL_ENGINE_COMPACT 1
#include "compact.h"
#include "copies.h"
#include "moved.h"

/*@
  lemma yields_there{L}: \forall uint8_t *s, integer i, m, n, k, v;
    m == n - i ==> yields(s + i, 0, m, k, v) ==> yields(s, i, n, k, v);
  lemma yields_then{S,T}: \forall uint8_t *s, integer i, m, n, k, v;
    m == n - i ==> 0 <= i < n ==> stands{S,T}(s, n, s, 0) ==>
    yields{S}(s + i, 0, m, k, v) ==> yields{T}(s, i, n, k, v);
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

  // text stays what it is: character by character
  lemma text_unit{L}: \forall uint8_t *s, integer i, k, n; i + k <= n ==>
    utf8_char(s, i, k) ==> unit(s, i, n) == k && shown_size(s, i, n) == k;
  lemma text_byte{L}: \forall uint8_t *s, integer i, k, n, p; i + k <= n ==>
    utf8_char(s, i, k) ==> shown_byte(s, i, n, p) == s[i+p];
  lemma text_size{L}: \forall uint8_t *s, integer i, j, n; j <= n ==>
    utf8(s, i, j) ==> result_size(s, i, n) == j - i + result_size(s, j, n);
  lemma stays_more{L}: \forall uint8_t *s, integer i, j, k, n; j <= n ==>
    i + k <= j ==> utf8_char(s, i, k) ==> stays(s, i + k, j, n) ==>
    stays(s, i, j, n);
  lemma text_stays{L}: \forall uint8_t *s, integer i, j, n; j <= n ==>
    utf8(s, i, j) ==> stays(s, i, j, n);
  lemma fits_more{L}: \forall uint8_t *s, integer i, j, k, n; j <= n ==>
    i + k <= j ==> utf8_char(s, i, k) ==> fits_in(s, i + k, j, n) ==>
    fits_in(s, i, j, n);
  lemma text_fits{L}: \forall uint8_t *s, integer i, j, n; j <= n ==>
    utf8(s, i, j) ==> fits_in(s, i, j, n);

  // and a run of it is passed like a unit
  lemma goes_on_text{L}: \forall uint8_t *s, integer i, j, n, place, next;
    j <= n ==> i <= j ==> utf8(s, i, j) ==> stays(s, i, j, n) ==>
    goes_on(s, i, n, place) ==> next == place + (j - i) ==>
    goes_on(s, j, n, next);
  lemma written_text{L}: \forall uint8_t *s,
    integer i, j, n, place, next, room, done; j <= n ==> i <= j ==>
    fits_in(s, i, j, n) ==> written(s, i, n, place, room, done) ==>
    next == place + (j - i) ==> next <= room ==>
    written(s, j, n, next, room, next);
  lemma written_none{L}: \forall uint8_t *s,
    integer i, n, place, room, done; place == room ==>
    written(s, i, n, place, room, done) ==> done == result_within(s, 0, n, room);
  lemma written_skip{L}: \forall uint8_t *s,
    integer i, j, n, place, next, room, done; j <= n ==> i <= j ==>
    written(s, i, n, place, room, done) ==> room <= place ==>
    next == place + (j - i) ==> written(s, j, n, next, room, done);
  lemma text_at{L}: \forall uint8_t *s, integer i, j, n, place, p; i <= j ==>
    stays(s, i, j, n) ==> goes_on(s, i, n, place) ==>
    place <= p < place + (j - i) ==>
    result_byte(s, 0, n, p) == s[i+(p-place)];
  lemma begins_text{R,S,T}: \forall uint8_t *d, *f, *s,
    integer i, j, k, n, place; begins_so{R,T}(d, place, s, n) ==> 0 <= place ==>
    i <= j ==> k == j - i ==> stays{T}(s, i, j, n) ==>
    goes_on{T}(s, i, n, place) ==> stands{R,T}(f, k, s, i) ==>
    copied{S,R}(d, 0, place, d) ==> copied{S,R}(d, place, k, f) ==>
    begins_so{S,T}(d, place + k, s, n);
*/

#include "../utf8val.c"
