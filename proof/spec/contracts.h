/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Contracts of the core's functions. Provers read utf8val.c after them. */
#pragma once

#include "codec.h"
#include "stream.h"
#include "units.h"
#include "replace.h"

/*@
  // Bits as arithmetic, for as many values as occur.
  logic integer quarter(integer x) = x < 16 ? 0 : x < 32 ? 1 : x < 48 ? 2 : 3;
  lemma below_tail: \forall integer x; 0 <= x < 0x80 ==>
    (uint32_t)(x - 0x80) == x - 0x80 + 0x100000000;
  lemma shift_4: \forall integer x; 0 <= x < 64 ==> (x >> 4) == quarter(x);
  // x >> 1 == UTF8VAL_ROW3_HOLE as WP rewrites it, in both ways; the macro itself
  // would make the lemma false, and all else true, when it is changed
  lemma row_hole: \forall integer x; 0 <= x < 128 ==> ((x & -2) == 54 <==> 54 <= x <= 55);
  lemma row_hole_unsigned: \forall integer x; 0 <= x < 128 ==>
    ((x & 0xFFFFFFFE) == 54 <==> 54 <= x <= 55);
  lemma high_nibble: \forall integer x; 0xE0 <= x <= 0xF4 ==>
    (x & 0xF0) == (x < 0xF0 ? 0xE0 : 0xF0);
  lemma lead_2: \forall integer x; 0xC2 <= x < 0xE0 ==> (x & 0x1F) == x - 0xC0;
  lemma lead_3_4: \forall integer x; 0xE0 <= x <= 0xF4 ==>
    (x & 0x1F & 0x0F) == (x < 0xF0 ? x - 0xE0 : x - 0xF0);
  lemma lead_3_4_again: \forall integer x; 0xE0 <= x <= 0xF4 ==>
    (x & 0x0F) == (x < 0xF0 ? x - 0xE0 : x - 0xF0);

  // what the compact engine's state says after s[from .. at-1]: the lead less E1,
  // modulo 2^32
  predicate one_due(integer state) = 0x80000000 <= state < 0xFFFFFFFF;
  predicate in_char{L}(uint8_t *s, integer from, integer at, integer state) =
    (at == from + 1 && 0xC2 <= s[from] <= 0xFF &&
     state == s[from] - 0xE1 + (s[from] < 0xE1 ? 0x100000000 : 0)) ||
    (at == from + 2 && 0xE0 <= s[from] <= 0xF4 &&
     second_from(s[from]) <= s[from+1] <= second_to(s[from]) &&
     (s[from] < 0xF0 ? one_due(state) : state == 0)) ||
    (at == from + 3 && 0xF0 <= s[from] <= 0xF4 &&
     second_from(s[from]) <= s[from+1] <= second_to(s[from]) &&
     0x80 <= s[from+2] <= 0xBF && one_due(state));

  predicate in_second{L}(uint8_t *s, integer i) =
    second_from(s[i]) <= s[i+1] <= second_to(s[i]); */

/*@ requires byte <= 0xFF; terminates \true; assigns \nothing;
    ensures \result == true <==> utf8_tail(byte); */
static bool is_tail(uint32_t byte);

/*@ terminates \true; assigns \nothing;
    ensures \result == true <==> 0xC2 <= byte <= 0xF4; */
static bool is_lead(uint32_t byte);

/*@ requires row < 128; terminates \true; assigns \nothing;
    ensures \result == true <==> 2 <= row <= 80 && row != 64 && !(54 <= row <= 55); */
static bool is_row(uint32_t row);

/*@ requires 0xE0 <= lead <= 0xFF && utf8_tail(tail);
    terminates \true; assigns \nothing;
    ensures \result == 4 * (lead - 0xE0) + quarter(tail - 0x80); */
static uint32_t row_of(uint32_t lead, uint32_t tail);

/*@ requires is_state(state) && byte <= 0xFF; terminates \true; assigns \nothing;
    ensures \result == delta(state, byte); */
static uint32_t next_state(uint32_t state, uint32_t byte);

/*@ // what is no state is taken for this one
    logic integer state_of(integer q) =
      q == UTF8VAL_ACCEPT || 0xC2 <= q <= 0xF4 ? q : UTF8VAL_REJECT; */
/*@ requires \valid(dfa) && \valid(cp) && \separated(dfa, cp);
    terminates \true; assigns dfa->state, *cp;
    ensures \result == dfa->state == delta(state_of(\old(dfa->state)), byte);
    ensures \old(dfa->state) == UTF8VAL_ACCEPT && dfa->state != UTF8VAL_REJECT ==>
      *cp == lead_bits(byte);
    ensures \old(dfa->state) != UTF8VAL_ACCEPT && dfa->state != UTF8VAL_REJECT ==>
      \old(*cp) < 0x4000000 ==> *cp == 64 * \old(*cp) + byte - 0x80; */
uint32_t utf8val_step(struct utf8val_dfa *dfa, uint32_t *cp, uint8_t byte);

/*@ requires \valid(dfa); requires \valid_read((uint8_t *)buf + (0 .. len - 1));
    requires \separated(dfa, (uint8_t *)buf + (0 .. len - 1));
    terminates \true; assigns dfa->state;
    ensures is_state(dfa->state) && (\result == true <==> dfa->state != UTF8VAL_REJECT);
    ensures dfa->state == run((uint8_t *)buf, 0, len, state_of(\old(dfa->state))); */
bool utf8val_feed(struct utf8val_dfa *dfa, const void *buf, size_t len);

/*@ terminates \true; assigns \nothing;
    ensures \result == s + len; */
static const uint8_t *end_of(const uint8_t *s, size_t len);

/*@ requires \valid(stream);
    terminates \true; assigns stream->valid, stream->pending, stream->reason;
    ensures stream->valid == 0 && stream->pending == 0;
    ensures stream->reason == UTF8VAL_OK; */
void utf8val_stream_init(struct utf8val_stream *stream);

/*@ requires \valid_read(stream); terminates \true; assigns \nothing;
    ensures \result.valid == stream->valid && \result.bad == stream->pending;
    ensures \result.reason ==
      (stream->pending != 0 && stream->reason == UTF8VAL_OK ?
       UTF8VAL_TRUNCATED : stream->reason); */
struct utf8val_result
utf8val_stream_finish(const struct utf8val_stream *stream);

/*@ requires at <= len && \valid_read(s + (0 .. len - 1)); requires utf8(s, 0, at);
    requires \forall integer m; at <= m <= len ==> (utf8(s, 0, m) <==> utf8(s, at, m));
    terminates \true; assigns \nothing;
    ensures at <= \result <= len && utf8(s, 0, \result);
    ensures \forall integer m; \result <= m <= len ==>
      (utf8(s, 0, m) <==> utf8(s, \result, m));
    ensures \result < len ==> !utf8_char(s, \result, unit(s, \result, len)); */
static inline size_t utf8val_compact_walk(const uint8_t *s, size_t len,
					  size_t at);

/*@ requires fits(len) && \valid_read((uint8_t *)buf + (0 .. len - 1));
    terminates \true;
    assigns \nothing;
    ensures 0 <= \result <= len && utf8((uint8_t *)buf, 0, \result);
    ensures \forall integer m; \result < m <= len ==> !utf8((uint8_t *)buf, 0, m);
    ensures \result < len ==> !utf8_char((uint8_t *)buf, \result,
      unit((uint8_t *)buf, \result, len)); */
size_t utf8val_prefix(const void *buf, size_t len);

/*@ requires fits(len) && \valid_read(s + (0 .. len - 1)); terminates \true;
    assigns \nothing;
    ensures 0 <= \result <= len && utf8(s, 0, \result);
    ensures \forall integer m; \result < m <= len ==> !utf8(s, 0, m);
    ensures \result < len ==> !utf8_char(s, \result, unit(s, \result, len)); */
static inline size_t utf8val_engine_prefix(const uint8_t *s, size_t len);

/*@ requires fits(len) && \valid_read(s + (0 .. len - 1)); terminates \true;
    assigns \nothing;
    ensures \result == true <==> utf8(s, 0, len); */
static inline bool utf8val_engine_valid(const uint8_t *s, size_t len);

/*@ requires fits(len) && \valid_read((uint8_t *)buf + (0 .. len - 1));
    terminates \true;
    assigns \nothing;
    ensures \result == true <==> utf8((uint8_t *)buf, 0, len); */
bool utf8val_valid(const void *buf, size_t len);

/*@ // what utf8val_next() knows after the bytes [s, at), which are in the unit
    predicate in_unit{L}(uint8_t *s, uint8_t *at, uint8_t *end, integer due, integer cp) =
      at == s + (at - s) && 0 <= end - at &&
      ((at - s == 1 && 0xC2 <= s[0] <= 0xF4 &&
        due == (s[0] - 0x80) * 0x2000000 &&
        cp == s[0] - (s[0] < 0xE0 ? 0xC0 : 0xE0)) ||
       (at - s == 2 && 0xE0 <= s[0] <= 0xF4 &&
        second_from(s[0]) <= s[1] <= second_to(s[0]) &&
        due == (s[0] - 0xC0) * 0x4000000 &&
        cp == (s[0] - 0xE0) * 64 + s[1] - 0x80) ||
       (at - s == 3 && 0xF0 <= s[0] <= 0xF4 &&
        second_from(s[0]) <= s[1] <= second_to(s[0]) && utf8_tail(s[2]) &&
        due == (s[0] - 0xE0) * 0x8000000 &&
        cp == (s[0] - 0xE0) * 4096 + (s[1] - 0x80) * 64 + s[2] - 0x80));
    // the row that lead and tail make, when at is the tail
    predicate is_row_of{L}(uint8_t *s, uint8_t *at, integer row) =
      at - s == 1 ? utf8_tail(s[1]) && 0xE0 <= s[0] <= 0xF4 &&
        row == 4 * (s[0] - 0xE0) + quarter(s[1] - 0x80) :
      at - s == 2 && utf8_tail(s[2]) && 0xF0 <= s[0] && row >= 0x1000; */
/*@ // at most four bytes of n are read
    logic integer first_4(integer n) = n < 4 ? n : 4; */
/*@ requires \valid(cp) && \base_addr((uint8_t *)pos) == \base_addr((uint8_t *)end);
    requires 0 <= (uint8_t *)end - (uint8_t *)pos;
    requires \valid_read((uint8_t *)pos +
      (0 .. first_4((uint8_t *)end - (uint8_t *)pos) - 1));
    requires \separated(cp, (uint8_t *)pos +
      (0 .. first_4((uint8_t *)end - (uint8_t *)pos) - 1));
    terminates \true; assigns *cp;
    ensures \base_addr((uint8_t *)\result) == \base_addr((uint8_t *)end);
    ensures pos == end ==> \result == end && *cp == UTF8VAL_END;
    ensures pos != end ==>
      yields((uint8_t *)pos, 0, (uint8_t *)end - (uint8_t *)pos,
	     (uint8_t *)\result - (uint8_t *)pos, *cp); */
const void *utf8val_next(const void *pos, const void *end, int32_t *cp);

/*@ requires bit == 4 || bit == 5 || bit == 11 || bit == 16;
    terminates \true; assigns \nothing;
    ensures bit == 4 ==> \result == cp / 0x10;
    ensures bit == 5 ==> \result == cp / 0x20;
    ensures bit == 11 ==> \result == cp / 0x800;
    ensures bit == 16 ==> \result == cp / 0x10000; */
static uint32_t bits_from(uint32_t cp, uint32_t bit);

/*@ requires scalar(cp) ==> \valid(out + (0 .. encoded_size(cp) - 1)); terminates \true;
    assigns out[0 .. encoded_size(cp) - 1];
    ensures \result == encoded_size(cp);
    ensures scalar(cp) ==> encodes(out, 0, \result, cp); */
size_t utf8val_encode(uint32_t cp, uint8_t out[4]);

/*@ requires \valid(stream) && fits(len);
    requires \valid_read((uint8_t *)buf + (0 .. len - 1));
    requires \valid_read(text + (0 .. fed + len - 1)) && fed + len <= SIZE_MAX;
    requires \separated(stream, (uint8_t *)buf + (0 .. len - 1));
    requires \separated(stream, text + (0 .. fed + len - 1));
    requires \forall integer j; 0 <= j < len ==> text[fed + j] == ((uint8_t *)buf)[j];
    requires in_stream{Here,Here}(stream, text, fed); terminates \true;
    assigns stream->valid, stream->bytes[0 .. 3], stream->pending, stream->reason;
    ensures in_stream{Here,Old}(stream, text, fed + len);
    ensures \result == true <==> stream->reason == UTF8VAL_OK; */
bool utf8val_stream_feed(struct utf8val_stream *stream, const void *buf,
			 size_t len);

/*@ requires fits(len) && \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures 0 <= \result.valid <= len && utf8(s, 0, \result.valid);
    ensures \forall integer m; \result.valid < m <= len ==> !utf8(s, 0, m);
    ensures \result.valid == len ==> \result.bad == 0 && \result.reason == UTF8VAL_OK;
    ensures \result.valid < len ==>
      \result.bad == unit(s, \result.valid, len) &&
      ill_formed(s, \result.valid, len, \result.bad, \result.reason); */
static inline struct utf8val_result utf8val_engine_check(const uint8_t *s,
							 size_t len);

/*@ requires fits(len) && \valid_read((uint8_t *)buf + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures 0 <= \result.valid <= len && utf8((uint8_t *)buf, 0, \result.valid);
    ensures \forall integer m; \result.valid < m <= len ==> !utf8((uint8_t *)buf, 0, m);
    ensures \result.valid == len ==> \result.bad == 0 && \result.reason == UTF8VAL_OK;
    ensures \result.valid < len ==>
      \result.bad == unit((uint8_t *)buf, \result.valid, len) &&
      ill_formed((uint8_t *)buf, \result.valid, len, \result.bad, \result.reason); */
struct utf8val_result utf8val_check(const void *buf, size_t len);

/*@ terminates \true; assigns \nothing;
    ensures \result != \null && \valid_read(\result); */
const char *utf8val_reason_name(unsigned int reason);

/*@ terminates \true; assigns \nothing;
    ensures \result != \null && \valid_read(\result); */
const char *utf8val_version(void);

/*@ // the last four bytes of n begin there
    logic integer last_4(integer n) = n < 4 ? 0 : n - 4; */
/*@ requires \valid(cp) && \base_addr((uint8_t *)pos) == \base_addr((uint8_t *)start);
    // as C wants of a difference
    requires 0 <= (uint8_t *)pos - (uint8_t *)start <= PTRDIFF_MAX;
    requires \valid_read((uint8_t *)start +
      (last_4((uint8_t *)pos - (uint8_t *)start) ..
       (uint8_t *)pos - (uint8_t *)start - 1));
    requires \separated(cp, (uint8_t *)start +
      (last_4((uint8_t *)pos - (uint8_t *)start) ..
       (uint8_t *)pos - (uint8_t *)start - 1));
    terminates \true; assigns *cp;
    ensures \base_addr((uint8_t *)\result) == \base_addr((uint8_t *)start);
    ensures pos == start ==> \result == start && *cp == UTF8VAL_END;
    // the last unit of the text that ends at pos; it ends there in every longer
    // text that has a boundary there, too: last_in_longer
    ensures pos != start ==>
      0 <= (uint8_t *)\result - (uint8_t *)start <
	(uint8_t *)pos - (uint8_t *)start &&
      boundary((uint8_t *)start, (uint8_t *)pos - (uint8_t *)start,
	       (uint8_t *)\result - (uint8_t *)start);
    ensures pos != start ==>
      yields((uint8_t *)start, (uint8_t *)\result - (uint8_t *)start,
	     (uint8_t *)pos - (uint8_t *)start,
	     (uint8_t *)pos - (uint8_t *)\result, *cp); */
const void *utf8val_prev(const void *pos, const void *start, int32_t *cp);

/*@ requires len <= PTRDIFF_MAX;
    requires \valid_read((uint8_t *)buf + (last_4(len) .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result <= len;
    ensures \result < len ==> boundary((uint8_t *)buf, len, \result) &&
      yields((uint8_t *)buf, \result, len, len - \result, -UTF8VAL_TRUNCATED);
    ensures \result == len ==> \forall integer i; 0 <= i < len ==>
      boundary((uint8_t *)buf, len, i) ==>
      !yields((uint8_t *)buf, i, len, len - i, -UTF8VAL_TRUNCATED); */
size_t utf8val_trim(const void *buf, size_t len);

/*@ requires at < len ==> \valid_read((uint8_t *)buf + (last_4(at + 1) .. at));
    terminates \true; assigns \nothing;
    ensures at >= len ==> \result == len;
    ensures at < len ==> \result <= at && boundary((uint8_t *)buf, len, \result);
    ensures at < len ==> \forall integer m; \result < m <= at ==>
      !boundary((uint8_t *)buf, len, m); */
size_t utf8val_floor(const void *buf, size_t len, size_t at);

/*@ requires fits(len); requires \valid(units) && \valid_read(s + (0 .. len - 1));
    requires \separated(units, s + (0 .. len - 1)); requires *units + len <= SIZE_MAX;
    terminates \true; assigns *units;
    ensures \result <= len && *units - \old(*units) <= \result;
    ensures \old(*units) <= *units &&
      *units + count(s + \result, len - \result) == \old(*units) + count(s, len); */
static inline size_t utf8val_engine_count(const uint8_t *s, size_t len,
					  size_t *units);

/*@ requires fits(len) && \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == count(s, len); */
static size_t count_units(const uint8_t *s, size_t len);

/*@ requires fits(len) && \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == count(s, len); */
static size_t count_any(const uint8_t *s, size_t len);

/*@ requires fits(len) && \valid_read((uint8_t *)buf + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == count((uint8_t *)buf, len); */
size_t utf8val_count(const void *buf, size_t len);
