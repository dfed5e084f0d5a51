/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The forms' grammars, and what functions of forms/utf8val_forms.c promise. Those
 * about one character are proved by CBMC from the same rules (proof/parts/chars.c),
 * the loops over characters by WP from these contracts.
 */
#pragma once

#include "fits.h"
#include "grammar.h"
#include "../../forms/utf8val_forms.h"

/*@
  // Unicode Technical Report 26: two surrogates of three bytes each
  predicate pair{L}(uint8_t *s, integer i) =
    s[i] == 0xED && 0xA0 <= s[i+1] <= 0xAF && utf8_tail(s[i+2]) &&
    s[i+3] == 0xED && 0xB0 <= s[i+4] <= 0xBF && utf8_tail(s[i+5]);
  // RFC 2279, section 2, the shortest form of each
  predicate ucs4_char{L}(uint8_t *s, integer i, integer k) =
    (k == 1 && s[i] <= 0x7F) ||
    (k == 2 && 0xC2 <= s[i] <= 0xDF && utf8_tail(s[i+1])) ||
    (k == 3 && (s[i] == 0xE0 ? s[i+1] >= 0xA0 : 0xE1 <= s[i] <= 0xEF) &&
     utf8_tail(s[i+1]) && utf8_tail(s[i+2])) ||
    (k == 4 && (s[i] == 0xF0 ? s[i+1] >= 0x90 : 0xF1 <= s[i] <= 0xF7) &&
     utf8_tail(s[i+1]) && utf8_tail(s[i+2]) && utf8_tail(s[i+3])) ||
    (k == 5 && (s[i] == 0xF8 ? s[i+1] >= 0x88 : 0xF9 <= s[i] <= 0xFB) &&
     utf8_tail(s[i+1]) && utf8_tail(s[i+2]) && utf8_tail(s[i+3]) &&
     utf8_tail(s[i+4])) ||
    (k == 6 && (s[i] == 0xFC ? s[i+1] >= 0x84 : s[i] == 0xFD) &&
     utf8_tail(s[i+1]) && utf8_tail(s[i+2]) && utf8_tail(s[i+3]) &&
     utf8_tail(s[i+4]) && utf8_tail(s[i+5]));
  // s[i .. i+k-1] is one character of the form
  predicate form_char{L}(integer form, uint8_t *s, integer i, integer k) =
    form == UTF8VAL_FORM_UTF8 ? utf8_char(s, i, k) :
    form == UTF8VAL_FORM_CESU8 ?
      (k <= 3 && utf8_char(s, i, k)) || (k == 6 && pair(s, i)) :
    form == UTF8VAL_FORM_MUTF8 ?
      (k <= 3 && utf8_char(s, i, k) && s[i] != 0) ||
      (k == 2 && s[i] == 0xC0 && s[i+1] == 0x80) || (k == 6 && pair(s, i)) :
    ucs4_char(s, i, k);
  // s[0 .. n-1] is characters of the form alone
  inductive form_text{L}(integer form, uint8_t *s, integer n) {
    case no_text{L}: \forall integer form, uint8_t *s; form_text(form, s, 0);
    case char_more{L}: \forall integer form, uint8_t *s, integer n, k;
      form_text(form, s, n) ==> form_char(form, s, n, k) ==> form_text(form, s, n + k);
  }
  predicate is_form(integer form) = UTF8VAL_FORM_UTF8 <= form <= UTF8VAL_FORM_UCS4;
  // s[i .. n-1] begins with none
  predicate no_char{L}(integer form, uint8_t *s, integer i, integer n) =
    \forall integer k; 1 <= k && i + k <= n ==> !form_char(form, s, i, k);

  // the most bytes that a code point has in any form
  logic integer size_bound(integer cp) = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 6;

  lemma form_shift{L}: \forall integer form, uint8_t *s, integer i, k;
    form_char(form, s + i, 0, k) <==> form_char(form, s, i, k);
  lemma no_char_shift{L}: \forall integer form, uint8_t *s, integer i, n;
    no_char(form, s + i, 0, n - i) ==> no_char(form, s, i, n); */

/*@ requires is_form(form) && \valid_read(s + (0 .. len - 1)) && \valid(good);
    requires \separated(good, s + (0 .. len - 1)); terminates \true; assigns *good;
    ensures \result <= len && \result <= 6;
    ensures \result > 0 ==> form_char(form, s, 0, \result);
    ensures \result == 0 ==> no_char(form, s, 0, len) && *good <= len && *good <= 5; */
static size_t character(enum utf8val_form form, const uint8_t *s, size_t len,
			size_t *good);

/*@ requires UTF8VAL_FORM_CESU8 <= form <= UTF8VAL_FORM_UCS4 && good <= 5;
    requires \valid_read(s + (0 .. good)); terminates \true; assigns \nothing;
    ensures UTF8VAL_STRAY_TAIL <= \result < UTF8VAL_REASONS; */
static enum utf8val_reason why_rejected(enum utf8val_form form,
					const uint8_t *s, size_t good);

/*@ requires is_form(form) && 1 <= size <= 6 && \valid_read(s + (0 .. size - 1));
    requires form_char(form, s, 0, size); terminates \true; assigns \nothing;
    ensures size_bound(\result) <= 2 * size; */
static uint32_t code_point(enum utf8val_form form, const uint8_t *s,
			   size_t size);

/*@ requires is_form(form) && \valid(out + (0 .. 5));
    terminates \true; assigns out[0 .. 5];
    ensures \result <= size_bound(cp); */
static size_t encode(enum utf8val_form form, uint32_t cp, uint8_t *out);

/*@ requires fits(len) && \valid_read((uint8_t *)buf + (0 .. len - 1));
    terminates \true; assigns \nothing; // what it ensures is proved with contracts.h
*/
struct utf8val_result utf8val_check(const void *buf, size_t len);

/*@ requires is_form(form) && \valid_read((uint8_t *)buf + (0 .. len - 1));
    terminates \true; assigns \nothing;
    behavior itself:
      assumes form != UTF8VAL_FORM_UTF8; // which is left to utf8val_check()
      ensures \result.valid + \result.bad <= len;
      ensures form_text(form, (uint8_t *)buf, \result.valid) &&
	no_char(form, (uint8_t *)buf, \result.valid, len);
      ensures \result.valid == len ?
	\result.bad == 0 && \result.reason == UTF8VAL_OK :
	1 <= \result.bad <= 5 && UTF8VAL_OK < \result.reason < UTF8VAL_REASONS; */
struct utf8val_result utf8val_form_check(enum utf8val_form form,
					 const void *buf, size_t len);

/*@ requires is_form(from) && is_form(to) && len <= SIZE_MAX / 2;
    requires \valid_read(s + (0 .. len - 1)) && \valid(d + (0 .. cap - 1));
    requires \separated(s + (0 .. len - 1), d + (0 .. cap - 1));
    terminates \true; assigns d[0 .. cap - 1];
    ensures \result == SIZE_MAX || \result <= 2 * len; */
static size_t convert(enum utf8val_form from, enum utf8val_form to, uint8_t *d,
		      size_t cap, const uint8_t *s, size_t len);

/*@ requires is_form(from) && is_form(to) && len <= SIZE_MAX / 2;
    requires \valid_read((uint8_t *)src + (0 .. len - 1));
    requires \valid((uint8_t *)dst + (0 .. cap - 1));
    requires \separated((uint8_t *)src + (0 .. len - 1), (uint8_t *)dst + (0 .. cap - 1));
    terminates \true; assigns ((uint8_t *)dst)[0 .. cap - 1];
    ensures \result == SIZE_MAX || \result <= 2 * len; */
size_t utf8val_form_convert(enum utf8val_form from, enum utf8val_form to,
			    void *dst, size_t cap, const void *src, size_t len);
