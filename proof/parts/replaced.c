// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What shown.h follows from.
 */
#include "../spec/copied.h"
#include "../lemmas/moved.h"
#include "../spec/replace.h"

/*@
  lemma yields_there{L}: \forall uint8_t *s, integer i, m, n, k, v;
    m == n - i ==> yields(s + i, 0, m, k, v) ==> yields(s, i, n, k, v);
  lemma shown_unit{L}: \forall uint8_t *s, integer i, n, k, v; i < n ==>
    yields(s, i, n, k, v) ==> shown_size(s, i, n) == (v < 0 ? 3 : k);
  lemma shown_char{L}: \forall uint8_t *s, integer i, n, k, v, p; i < n ==>
    yields(s, i, n, k, v) ==> 0 <= v ==> shown_byte(s, i, n, p) == s[i+p];
  lemma shown_other{L}: \forall uint8_t *s, integer i, n, k, v, p; i < n ==>
    yields(s, i, n, k, v) ==> v < 0 ==>
    shown_byte(s, i, n, p) == (p == 0 ? 0xEF : p == 1 ? 0xBF : 0xBD);
  lemma goes_on_pass{L}: \forall uint8_t *s, integer i, n, k, place, z; i < n ==>
    goes_on(s, i, n, place) ==> k == unit(s, i, n) ==>
    z == shown_size(s, i, n) ==> goes_on(s, i + k, n, place + z);
  lemma goes_on_byte{L}: \forall uint8_t *s, integer i, n, place, p; i < n ==>
    goes_on(s, i, n, place) ==> 0 <= p < shown_size(s, i, n) ==>
    result_byte(s, 0, n, place + p) == shown_byte(s, i, n, p);
  lemma begins_more{R,S,T}: \forall uint8_t *d, *f, *s,
    integer i, n, k, place, next; next == place + k ==>
    begins_so{R,T}(d, place, s, n) ==> 0 <= place ==> i < n ==>
    goes_on{T}(s, i, n, place) ==> shows{R,T}(f, k, s, i, n) ==>
    copied{S,R}(d, 0, place, d) ==> copied{S,R}(d, place, k, f) ==>
    begins_so{S,T}(d, next, s, n);
  lemma written_more{L}: \forall uint8_t *s,
    integer i, n, k, place, z, room, done; i < n ==> 0 <= z ==>
    written(s, i, n, place, room, done) ==> k == unit(s, i, n) ==>
    z == shown_size(s, i, n) ==> place + z <= room ==>
    written(s, i + k, n, place + z, room, done + z);
  lemma written_full{L}: \forall uint8_t *s,
    integer i, n, k, place, z, room, done; i < n ==> 0 <= place ==>
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
    i + k <= j ==> utf8_char(s, i, k) ==> stays(s, i + k, j, n) ==> stays(s, i, j, n);
  lemma text_stays{L}: \forall uint8_t *s, integer i, j, n; j <= n ==>
    utf8(s, i, j) ==> stays(s, i, j, n);
  lemma fits_more{L}: \forall uint8_t *s, integer i, j, k, n; j <= n ==>
    i + k <= j ==> utf8_char(s, i, k) ==> fits_in(s, i + k, j, n) ==> fits_in(s, i, j, n);
  lemma text_fits{L}: \forall uint8_t *s, integer i, j, n; j <= n ==>
    utf8(s, i, j) ==> fits_in(s, i, j, n);

  // and a run of it is passed like a unit
  lemma goes_on_text{L}: \forall uint8_t *s, integer i, j, n, place, next;
    j <= n ==> i <= j ==> unaltered(s, i, j, n) ==>
    goes_on(s, i, n, place) ==> next == place + (j - i) ==> goes_on(s, j, n, next);
  lemma written_text{L}: \forall uint8_t *s,
    integer i, j, n, place, next, room, done; j <= n ==> i <= j ==>
    unaltered(s, i, j, n) ==> written(s, i, n, place, room, done) ==>
    next == place + (j - i) ==> next <= room ==> written(s, j, n, next, room, next);
  lemma written_none{L}: \forall uint8_t *s,
    integer i, n, place, room, done; 0 <= place == room ==>
    written(s, i, n, place, room, done) ==> done == result_within(s, 0, n, room);
  lemma written_skip{L}: \forall uint8_t *s,
    integer i, j, n, place, next, room, done; j <= n ==> i <= j ==>
    written(s, i, n, place, room, done) ==> room <= place ==>
    next == place + (j - i) ==> written(s, j, n, next, room, done);
  lemma text_at{L}: \forall uint8_t *s, integer i, j, n, place, p; i <= j ==>
    stays(s, i, j, n) ==> goes_on(s, i, n, place) ==> place <= p < place + (j - i) ==>
    result_byte(s, 0, n, p) == s[i+(p-place)];
  lemma begins_text{R,S,T}: \forall uint8_t *d, *f, *s,
    integer i, j, k, n, place; begins_so{R,T}(d, place, s, n) ==> 0 <= place ==>
    i <= j ==> k == j - i ==> unaltered{T}(s, i, j, n) ==>
    goes_on{T}(s, i, n, place) ==> stands{R,T}(f, k, s, i) ==>
    copied{S,R}(d, 0, place, d) ==> copied{S,R}(d, place, k, f) ==>
    begins_so{S,T}(d, place + k, s, n);

  // what is written is text, as what it is copied from
  lemma shows_text{R,S,T}: \forall uint8_t *d, *f, *s, integer i, n, k, place;
    i < n ==> shows{R,T}(f, k, s, i, n) ==> copied{S,R}(d, place, k, f) ==>
    utf8_char{S}(d, place, k);
  lemma utf8_stands{S,T}: \forall uint8_t *d, *s, integer i, k, place;
    0 <= k ==> stands{T,S}(s + i, k, d, place) ==> utf8{T}(s, i, i + k) ==>
    utf8{S}(d, place, place + k);
  lemma copied_kept{S,R}: \forall uint8_t *d, integer k;
    copied{S,R}(d, 0, k, d) ==> stands{R,S}(d, k, d, 0);
  lemma kept_text{S,R}: \forall uint8_t *d, integer k; 0 <= k ==>
    copied{S,R}(d, 0, k, d) ==> utf8{R}(d, 0, k) ==> utf8{S}(d, 0, k);
  lemma copied_stands{R,S,T}: \forall uint8_t *d, *f, *s, integer i, k, place;
    stands{R,T}(f, k, s, i) ==> copied{S,R}(d, place, k, f) ==>
    stands{T,S}(s + i, k, d, place);
  lemma text_there{R,S,T}: \forall uint8_t *d, *f, *s, integer i, j, k, place;
    0 <= k ==> j == i + k ==> stands{R,T}(f, k, s, i) ==>
    copied{S,R}(d, place, k, f) ==> utf8{T}(s, i, j) ==> utf8{S}(d, place, place + k);
  lemma unit_grows{R,S,T}: \forall uint8_t *d, *f, *s,
    integer i, n, k, place, next; i < n ==> 0 <= place ==> next == place + k ==>
    utf8{R}(d, 0, place) ==> shows{R,T}(f, k, s, i, n) ==>
    copied{S,R}(d, 0, place, d) ==> copied{S,R}(d, place, k, f) ==> utf8{S}(d, 0, next);
  lemma run_grows{R,S,T}: \forall uint8_t *d, *f, *s,
    integer i, j, k, place, next; j == i + k ==> 0 <= place ==> 0 <= k ==>
    next == place + k ==> utf8{R}(d, 0, place) ==> utf8{T}(s, i, j) ==>
    stands{R,T}(f, k, s, i) ==>
    copied{S,R}(d, 0, place, d) ==> copied{S,R}(d, place, k, f) ==> utf8{S}(d, 0, next);

  // what was appended is after the rest, or nowhere
  lemma appended_fits{S,R}: \forall uint8_t *d, *f, integer cap, need, k;
    0 <= need ==> 0 <= k ==> need + k <= cap ==> appended{S,R}(d, cap, need, f, k) ==>
    copied{S,R}(d, 0, need, d) && copied{S,R}(d, need, k, f);
  lemma appended_behind{S,R,T}: \forall uint8_t *d, *f,
    integer cap, need, k, next; next == need + k ==>
    0 <= need ==> 0 <= k ==> next <= cap ==>
    appended{S,R}(d, cap, need, f, k) ==> stands_behind{R,T}(d, need, cap) ==>
    stands_behind{S,T}(d, next, cap);
  lemma appended_none{S,R,T}: \forall uint8_t *d, *f, *s,
    integer cap, need, k, n, w; w <= cap ==> need + k > cap ==>
    appended{S,R}(d, cap, need, f, k) ==> begins_so{R,T}(d, w, s, n) ==>
    begins_so{S,T}(d, w, s, n);
  lemma appended_not{S,R,T}: \forall uint8_t *d, *f, integer cap, need, k, w;
    need + k > cap ==>
    appended{S,R}(d, cap, need, f, k) ==> stands_behind{R,T}(d, w, cap) ==>
    stands_behind{S,T}(d, w, cap);
  lemma appended_same{S,R}: \forall uint8_t *d, *f, integer cap, need, k, w;
    0 <= w <= cap ==> need + k > cap ==> appended{S,R}(d, cap, need, f, k) ==>
    utf8{R}(d, 0, w) ==> copied{S,R}(d, 0, w, d);
  lemma appended_text{S,R}: \forall uint8_t *d, *f, integer cap, need, k, w;
    0 <= w <= cap ==> need + k > cap ==> appended{S,R}(d, cap, need, f, k) ==>
    utf8{R}(d, 0, w) ==> utf8{S}(d, 0, w);

  lemma written_done{L}: \forall uint8_t *s, integer i, n, place, room, done;
    written(s, i, n, place, room, done) ==> done == done_of(s, n, place, room);
  lemma written_room{L}: \forall uint8_t *s, integer i, n, place, room, done;
    written(s, i, n, place, room, done) ==> done <= room;
  lemma written_some{L}: \forall uint8_t *s, integer i, n, place, room, done;
    0 <= place ==> written(s, i, n, place, room, done) ==> 0 <= done;
  lemma fits_so{S,T}: \forall uint8_t *d, *s, integer cap, i, n, need;
    need <= cap ==> goes_on{T}(s, i, n, need) ==>
    written{T}(s, i, n, need, cap, need) ==> begins_so{S,T}(d, need, s, n) ==>
    utf8{S}(d, 0, need) ==> stands_behind{S,T}(d, need, cap) ==>
    so_far{S,T}(d, cap, s, i, n, need);
  lemma unit_goes{R,T}: \forall uint8_t *f, *s,
    integer cap, i, j, k, n, z, need, next; i < n ==> j == i + k ==>
    next == need + z ==> 0 <= need ==> 0 <= z ==> next <= cap ==>
    goes_on{T}(s, i, n, need) ==> written{T}(s, i, n, need, cap, need) ==>
    k == unit{T}(s, i, n) ==> shows{R,T}(f, z, s, i, n) ==>
    goes_on{T}(s, j, n, next) && written{T}(s, j, n, next, cap, next);
  lemma unit_fits{R,S,T}: \forall uint8_t *d, *f, *s,
    integer cap, i, j, k, n, z, need, next, v; i < n ==> j == i + k ==>
    next == need + z ==> 0 <= need ==> 0 <= z ==> next <= cap ==>
    so_far{R,T}(d, cap, s, i, n, need) ==>
    yields{T}(s, i, n, k, v) ==> k == unit{T}(s, i, n) ==>
    shows{R,T}(f, z, s, i, n) ==> appended{S,R}(d, cap, need, f, z) ==>
    so_far{S,T}(d, cap, s, j, n, next);
  lemma unit_full{R,S,T}: \forall uint8_t *d, *f, *s,
    integer cap, i, j, k, n, z, need, next, v; i < n ==> j == i + k ==>
    next == need + z ==> 0 <= need ==> 0 <= z ==> next > cap ==>
    so_far{R,T}(d, cap, s, i, n, need) ==>
    yields{T}(s, i, n, k, v) ==> k == unit{T}(s, i, n) ==>
    shows{R,T}(f, z, s, i, n) ==> appended{S,R}(d, cap, need, f, z) ==>
    so_far{S,T}(d, cap, s, j, n, next);
  lemma run_fits{R,S,T}: \forall uint8_t *d, *f, *s,
    integer cap, i, j, k, n, need, next; j <= n ==> j == i + k ==>
    next == need + k ==> 0 <= need ==> 0 <= k ==> next <= cap ==>
    so_far{R,T}(d, cap, s, i, n, need) ==> unaltered{T}(s, i, j, n) ==>
    stands{R,T}(f, k, s, i) ==>
    appended{S,R}(d, cap, need, f, k) ==> so_far{S,T}(d, cap, s, j, n, next);
  lemma run_full{R,S,T}: \forall uint8_t *d, *f, *s,
    integer cap, i, j, k, n, need, next; j <= n ==> j == i + k ==>
    next == need + k ==> cap <= need ==> 0 <= need ==> 0 <= k ==> next > cap ==>
    so_far{R,T}(d, cap, s, i, n, need) ==> unaltered{T}(s, i, j, n) ==>
    appended{S,R}(d, cap, need, f, k) ==> so_far{S,T}(d, cap, s, j, n, next);
  lemma size_ends{L}: \forall uint8_t *s, integer n, need;
    goes_on(s, n, n, need) ==> need == result_size(s, 0, n);
  lemma within_ends{L}: \forall uint8_t *s, integer n, need, cap, w;
    written(s, n, n, need, cap, w) ==> w == result_within(s, 0, n, cap);
  lemma within_stops{L}: \forall uint8_t *s, integer i, n, need, cap;
    written(s, i, n, need, cap, need) ==> need <= cap ==>
    (i < n ==> need + shown_size(s, i, n) > cap) ==> need == result_within(s, 0, n, cap);
  lemma all_goes{L}: \forall uint8_t *s, integer n; 0 <= n ==>
    unaltered(s, 0, n, n) ==> goes_on(s, n, n, n);
  lemma all_size{L}: \forall uint8_t *s, integer n;
    unaltered(s, 0, n, n) ==> result_size(s, 0, n) == n;
  lemma all_within{L}: \forall uint8_t *s, integer n, cap; n <= cap ==>
    unaltered(s, 0, n, n) ==> result_within(s, 0, n, cap) == n;
  lemma all_begins{S,T}: \forall uint8_t *d, *s, integer n;
    unaltered{T}(s, 0, n, n) ==> copied{S,T}(d, 0, n, s) ==> begins_so{S,T}(d, n, s, n);
  lemma all_stands{S,T}: \forall uint8_t *d, *s, integer n;
    copied{S,T}(d, 0, n, s) ==> stands{T,S}(s, n, d, 0);
  lemma all_text{S,T}: \forall uint8_t *d, *s, integer n; 0 <= n ==>
    unaltered{T}(s, 0, n, n) ==> copied{S,T}(d, 0, n, s) ==> utf8{S}(d, 0, n); */

#include "../lemmas/shown.h"
