/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What a stream knows about the text that it is fed from. Only the prover reads
 * this; every lemma is proved.
 */
#ifndef PROOF_STREAM_H
#define PROOF_STREAM_H

#include "grammar.h"

/* any text, and how much of it the stream was fed before */
//@ ghost const uint8_t *text;
//@ ghost size_t fed;

/*@
  // the bytes s[0 .. n-1] at S stand from i on in the text as it was at T
  predicate stands{S,T}(uint8_t *s, integer n, uint8_t *t, integer i) =
    \forall integer j; 0 <= j < n ==> \at(s[j], S) == \at(t[i+j], T);

  // where the boundary is: a text that is well-formed up to here is well-formed
  // up to m just when what follows is
  predicate passed{T}(uint8_t *t, integer at) =
    \forall integer m; at <= m ==> (utf8(t, 0, m) <==> utf8(t, at, m));

  // what the stream says of t[0 .. n-1]: the stream as it is at S, the text as it
  // was at T
  predicate in_stream{S,T}(struct utf8val_stream *stream, uint8_t *t,
                           integer n) =
    \at(stream->valid, S) + \at(stream->pending, S) <= n &&
    passed{T}(t, \at(stream->valid, S)) &&
    (\at(stream->reason, S) == UTF8VAL_OK ?
      \at(stream->valid, S) + \at(stream->pending, S) == n &&
      \at(stream->pending, S) <= 3 &&
      stands{S,T}(\at(&stream->bytes[0], S), \at(stream->pending, S), t,
                  \at(stream->valid, S)) &&
      (\at(stream->pending, S) > 0 ==>
        yields{T}(t, \at(stream->valid, S), n, \at(stream->pending, S),
                  -UTF8VAL_TRUNCATED)) :
      UTF8VAL_TRUNCATED < \at(stream->reason, S) <= UTF8VAL_BAD_LEAD &&
      yields{T}(t, \at(stream->valid, S), n, \at(stream->pending, S),
                -\at(stream->reason, S)));

  logic integer char_size(integer a) =
    a < 0x80 ? 1 : a < 0xE0 ? 2 : a < 0xF0 ? 3 : 4;
  lemma utf8_first{L}: \forall uint8_t *s, integer i, n; i < n ==>
    utf8(s, i, n) ==> utf8_char(s, i, char_size(s[i])) &&
    i + char_size(s[i]) <= n && utf8(s, i + char_size(s[i]), n);
  lemma char_based{L}: \forall uint8_t *s, integer a, i, k;
    utf8_char(s + a, i, k) <==> utf8_char(s, a + i, k);
  lemma char_moved{S,T}: \forall uint8_t *s, *t, integer i, j, n, k;
    0 <= j ==> j + k <= n ==> stands{S,T}(s, n, t, i) ==>
    utf8_char{S}(s, j, k) ==> utf8_char{T}(t, i + j, k);
  lemma passed_char{T}: \forall uint8_t *t, integer i, k;
    passed(t, i) ==> utf8_char(t, i, k) ==> passed(t, i + k);
  // the same bytes elsewhere are the same unit
  lemma yields_moved{S,T}: \forall uint8_t *s, *t, integer i, n, k, v;
    0 < n <= 4 ==>
    stands{S,T}(s, n, t, i) ==>
    (yields{S}(s, 0, n, k, v) <==> yields{T}(t, i, i + n, k, v));
  lemma yields_kept{S,T}: \forall uint8_t *t, integer i, n, k, v;
    0 <= i < n ==> stands{S,T}(t, n, t, 0) ==>
    yields{S}(t, i, n, k, v) ==> yields{T}(t, i, n, k, v);
  // an error stays what it is when more bytes follow
  lemma yields_longer{L}: \forall uint8_t *t, integer i, m, n, k, v;
    m <= n ==> -UTF8VAL_BAD_LEAD <= v < -UTF8VAL_TRUNCATED ==>
    yields(t, i, m, k, v) ==> yields(t, i, n, k, v);
  // after an unfinished unit of k bytes one more byte makes a unit of k or k + 1
  lemma yields_grown{L}: \forall uint8_t *t, integer i, k, n, v; 0 < k ==>
    yields(t, i, i + k, k, -UTF8VAL_TRUNCATED) ==>
    yields(t, i, i + k + 1, n, v) ==>
    k <= 3 && (v >= 0 || v == -UTF8VAL_TRUNCATED ? n == k + 1 : n == k);
*/

#endif /* PROOF_STREAM_H */
