/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What a stream knows about the text that it is fed from. */
#pragma once

#include "grammar.h"

/* any text, and how much of it the stream was fed before */
//@ ghost const uint8_t *text;
//@ ghost size_t fed;

/*@
  // the bytes s[0 .. n-1] at S stand from i on in the text as it was at T
  predicate stands{S,T}(uint8_t *s, integer n, uint8_t *t, integer i) =
    \forall integer j; 0 <= j < n ==> \at(s[j], S) == \at(t[i+j], T);

  // what the stream says of t[0 .. n-1]: the stream as it is at S, the text as it
  // was at T
  predicate in_stream{S,T}(struct utf8val_stream *stream, uint8_t *t, integer n) =
    \at(stream->valid, S) + \at(stream->pending, S) <= n &&
    utf8{T}(t, 0, \at(stream->valid, S)) &&
    (\at(stream->reason, S) == UTF8VAL_OK ?
      \at(stream->valid, S) + \at(stream->pending, S) == n &&
      \at(stream->pending, S) <= 3 &&
      stands{S,T}(\at(&stream->bytes[0], S), \at(stream->pending, S), t,
                  \at(stream->valid, S)) &&
      (\at(stream->pending, S) > 0 ==>
        yields{T}(t, \at(stream->valid, S), n, \at(stream->pending, S),
                  -UTF8VAL_TRUNCATED)) :
      UTF8VAL_TRUNCATED < \at(stream->reason, S) < UTF8VAL_REASONS &&
      yields{T}(t, \at(stream->valid, S), n, \at(stream->pending, S),
                -\at(stream->reason, S)));

  // the same bytes elsewhere are the same unit
  lemma yields_moved{S,T}: \forall uint8_t *s, *t, integer i, n, k, v;
    0 < n <= 4 ==> stands{S,T}(s, n, t, i) ==>
    (yields{S}(s, 0, n, k, v) <==> yields{T}(t, i, i + n, k, v));
  lemma yields_kept{S,T}: \forall uint8_t *t, integer i, n, k, v;
    0 <= i < n ==> stands{S,T}(t, n, t, 0) ==>
    yields{S}(t, i, n, k, v) ==> yields{T}(t, i, n, k, v);
  // an error stays what it is when more bytes follow
  lemma yields_longer{L}: \forall uint8_t *t, integer i, m, n, k, v;
    m <= n ==> -UTF8VAL_REASONS < v < -UTF8VAL_TRUNCATED ==>
    yields(t, i, m, k, v) ==> yields(t, i, n, k, v);
  // after an unfinished unit of k bytes one more byte makes a unit of k or k + 1
  lemma yields_grown{L}: \forall uint8_t *t, integer i, k, n, v; 0 < k ==>
    yields(t, i, i + k, k, -UTF8VAL_TRUNCATED) ==> yields(t, i, i + k + 1, n, v) ==>
    k <= 3 && (v >= 0 || v == -UTF8VAL_TRUNCATED ? n == k + 1 : n == k); */
