/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* A text with U+FFFD for each ill-formed unit: what utf8val_replace() is about. */
#pragma once

#include "copied.h"
#include "fits.h"
#include "stream.h"

/*@
  // how many bytes the unit at i of s[0 .. n-1] has in the result, and which
  logic integer shown_size{L}(uint8_t *s, integer i, integer n) =
    0x80 <= s[i] && unit(s, i, n) < (size(s[i]) < 2 ? 2 : size(s[i])) ? 3 : unit(s, i, n);
  logic integer shown_byte{L}(uint8_t *s, integer i, integer n, integer p) =
    0x80 <= s[i] && unit(s, i, n) < (size(s[i]) < 2 ? 2 : size(s[i])) ?
    (p == 0 ? 0xEF : p == 1 ? 0xBF : 0xBD) : s[i+p];

  // what s[i .. n-1] becomes, from a boundary on: its length, its byte at p,
  // and how much of it, in whole characters, is within some room
  logic integer result_size{L}(uint8_t *s, integer i, integer n) =
    i >= n ? 0 : shown_size(s, i, n) + result_size(s, i + unit(s, i, n), n);
  logic integer result_byte{L}(uint8_t *s, integer i, integer n, integer p) =
    i >= n ? 0 :
    p < shown_size(s, i, n) ? shown_byte(s, i, n, p) :
    result_byte(s, i + unit(s, i, n), n, p - shown_size(s, i, n));
  logic integer result_within{L}(uint8_t *s, integer i, integer n, integer room) =
    i >= n || shown_size(s, i, n) > room ? 0 : shown_size(s, i, n) +
    result_within(s, i + unit(s, i, n), n, room - shown_size(s, i, n));

  // the bytes f[0 .. k-1] at S are what the unit at i of s[0 .. n-1] becomes
  predicate shows{S,T}(uint8_t *f, integer k, uint8_t *s, integer i,
                       integer n) = k == shown_size{T}(s, i, n) &&
    \forall integer p; 0 <= p < k ==> \at(f[p], S) == shown_byte{T}(s, i, n, p);

  // what s[0 .. n-1] becomes, from its byte at place on, is what s[i .. n-1] becomes
  predicate goes_on{L}(uint8_t *s, integer i, integer n, integer place) =
    place + result_size(s, i, n) == result_size(s, 0, n) &&
    \forall integer p; place <= p ==>
      result_byte(s, 0, n, p) == result_byte(s, i, n, p - place);
  // the bytes d[0 .. n-1] at S are the beginning of what s[0 .. len-1] becomes
  predicate begins_so{S,T}(uint8_t *d, integer n, uint8_t *s, integer len) =
    \forall integer p; 0 <= p < n ==> \at(d[p], S) == result_byte{T}(s, 0, len, p);

  // so much of the result is within the room when the units before i are done
  predicate written{L}(uint8_t *s, integer i, integer n, integer place,
                       integer room, integer done) =
    place <= room ? done == place && result_within(s, 0, n, room) ==
      place + result_within(s, i, n, room - place) :
    room - 3 <= done <= room && 0 <= done && done == result_within(s, 0, n, room);

  // so much of it is in a buffer of cap bytes when need bytes are due
  logic integer done_of{L}(uint8_t *s, integer n, integer need, integer cap) =
    need <= cap ? need : result_within(s, 0, n, cap);
  // from its byte n on, d is at S as it was at T
  predicate stands_behind{S,T}(uint8_t *d, integer n, integer cap) =
    \forall integer p; 0 <= p ==> n <= p < cap ==> \at(d[p], S) == \at(d[p], T);

  // at S, d holds what fits into it of what s[0 .. i-1] becomes, need bytes; from
  // there on it is as it was at T
  predicate so_far{S,T}(uint8_t *d, integer cap, uint8_t *s, integer i,
                        integer n, integer need) =
    goes_on{T}(s, i, n, need) &&
    written{T}(s, i, n, need, cap, done_of{T}(s, n, need, cap)) &&
    begins_so{S,T}(d, done_of{T}(s, n, need, cap), s, n) &&
    utf8{S}(d, 0, done_of{T}(s, n, need, cap)) &&
    stands_behind{S,T}(d, done_of{T}(s, n, need, cap), cap);

  // f[0 .. k-1] as it was at R is at S in d after need bytes, where cap has room
  // for it; all else in d[0 .. cap-1] is as it was
  predicate appended{S,R}(uint8_t *d, integer cap, integer need, uint8_t *f, integer k) =
    \forall integer p; 0 <= p < cap ==> \at(d[p], S) ==
      (need + k <= cap && need <= p < need + k ? \at(f[p-need], R) : \at(d[p], R));
  predicate is_mark{L}(uint8_t *f) = f[0] == 0xEF && f[1] == 0xBF && f[2] == 0xBD;

  // s[i .. j-1] is shown as it is, and all of it where there is room
  predicate stays{L}(uint8_t *s, integer i, integer j, integer n) =
    \forall integer p; 0 <= p ==> result_byte(s, i, n, p) ==
      (p < j - i ? s[i+p] : result_byte(s, j, n, p - (j - i)));
  predicate fits_in{L}(uint8_t *s, integer i, integer j, integer n) =
    \forall integer room; j - i <= room ==> result_within(s, i, n, room) ==
      j - i + result_within(s, j, n, room - (j - i));
  predicate unaltered{L}(uint8_t *s, integer i, integer j, integer n) =
    result_size(s, i, n) == j - i + result_size(s, j, n) &&
    utf8(s, i, j) && stays(s, i, j, n) && fits_in(s, i, j, n);

  // d[0 .. put-1] at S is what s[0 .. read-1] becomes, in whole characters; it is all,
  // or what s[read] begins does not fit; the rest of d is as it was at T
  predicate replaced{S,T}(uint8_t *d, integer cap, uint8_t *s, integer n,
                          integer read, integer put) =
    0 <= read <= n && 0 <= put <= cap &&
    put == result_within{T}(s, 0, n, cap) && goes_on{T}(s, read, n, put) &&
    (read < n ==> put + shown_size{T}(s, read, n) > cap) &&
    begins_so{S,T}(d, put, s, n) && utf8{S}(d, 0, put) &&
    stands_behind{S,T}(d, put, cap); */

/*@ requires fits(len) && \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result <= len && utf8(s, 0, \result);
    ensures \result <= room; */
static inline size_t utf8val_engine_text(const uint8_t *s, size_t len,
					 size_t room);

/*@ requires fits(len);
    requires \valid(d + (0 .. len - 1)) && \valid_read(s + (0 .. len - 1));
    requires \separated(d + (0 .. len - 1), s + (0 .. len - 1));
    terminates \true; assigns d[0 .. len - 1];
    ensures copied{Here,Old}(d, 0, len, s); */
static inline void utf8val_engine_copy(uint8_t *d, const uint8_t *s, size_t len);

/* utf8val.c's own, which is const: no place to write to */
static const uint8_t replacement[3];

/*@ requires fits(len) && len <= PTRDIFF_MAX;
    requires \valid_read((uint8_t *)buf + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == (result_size((uint8_t *)buf, 0, len) <= SIZE_MAX ?
      result_size((uint8_t *)buf, 0, len) : SIZE_MAX); */
size_t utf8val_replaced_size(const void *buf, size_t len);

/*@ requires fits(size) && put + size <= cap;
    requires \valid(d + (0 .. cap - 1)) && \valid_read(from + (0 .. size - 1));
    requires \separated(d + (0 .. cap - 1), from + (0 .. size - 1));
    terminates \true; assigns d[0 .. cap - 1];
    ensures \result == put + size;
    ensures appended{Here,Old}(d, cap, put, from, size); */
static inline size_t append(uint8_t *d, size_t cap, size_t put,
			    const uint8_t *from, size_t size);

/*@ requires fits(len);
    requires \valid(d + (0 .. cap - 1)) && \valid_read(s + (0 .. len - 1));
    requires \separated(d + (0 .. cap - 1), s + (0 .. len - 1));
    requires \separated(d + (0 .. cap - 1), replacement + (0 .. 2));
    terminates \true; assigns d[0 .. cap - 1];
    ensures replaced{Here,Old}(d, cap, s, len, \result.read, \result.written); */
static struct utf8val_replaced replace_units(uint8_t *d, size_t cap,
					     const uint8_t *s, size_t len);

/*@ terminates \true; assigns \nothing;
    ensures \result.read == len && \result.written == len; */
static inline struct utf8val_replaced all_replaced(size_t len);

/*@ requires fits(len);
    requires \valid(d + (0 .. cap - 1)) && \valid_read(src + (0 .. len - 1));
    requires \separated(d + (0 .. cap - 1), src + (0 .. len - 1));
    requires \separated(d + (0 .. cap - 1), replacement + (0 .. 2));
    terminates \true; assigns d[0 .. cap - 1];
    ensures replaced{Here,Old}(d, cap, src, len, \result.read, \result.written); */
static struct utf8val_replaced replace_any(uint8_t *d, size_t cap,
					   const uint8_t *src, size_t len);

/*@ requires fits(len);
    requires \valid((uint8_t *)dst + (0 .. cap - 1)) &&
      \valid_read((uint8_t *)src + (0 .. len - 1));
    requires \separated((uint8_t *)dst + (0 .. cap - 1), (uint8_t *)src + (0 .. len - 1));
    requires \separated((uint8_t *)dst + (0 .. cap - 1), replacement + (0 .. 2));
    terminates \true; assigns ((uint8_t *)dst)[0 .. cap - 1];
    ensures replaced{Here,Old}((uint8_t *)dst, cap, (uint8_t *)src, len,
			       \result.read, \result.written); */
struct utf8val_replaced utf8val_replace(void *dst, size_t cap, const void *src,
					size_t len);
