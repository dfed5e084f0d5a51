// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What follows from the contracts together: functions that only the prover
 * reads, and that nobody calls. Each says in its contract what holds.
 */
#include "../spec/contracts.h"
#include "../lemmas/moved.h"

/*@ lemma unit_of_char{L}: \forall uint8_t *s, integer k;
      utf8_char(s, 0, k) ==> unit(s, 0, k) == k;
    lemma one_encoding{K,L}: \forall uint8_t *s, *t, integer j, k, cp;
      encodes{K}(s, 0, j, cp) ==> encodes{L}(t, 0, k, cp) ==> j == k &&
      \at(s[0], K) == \at(t[0], L) && (1 < k ==> \at(s[1], K) == \at(t[1], L)) &&
      (2 < k ==> \at(s[2], K) == \at(t[2], L)) &&
      (3 < k ==> \at(s[3], K) == \at(t[3], L));
    lemma encoded_length{L}: \forall uint8_t *s, integer k, cp;
      encodes(s, 0, k, cp) ==> k == encoded_size(cp) && scalar(cp); */

/*@ // what is encoded is decoded again
    requires scalar(cp) && \valid(out + (0 .. 3));
    terminates \true; assigns out[0 .. 3];
    ensures \result == cp; */
static int32_t encode_next(uint32_t cp, uint8_t *out)
{
	size_t len = utf8val_encode(cp, out);
	int32_t value;

	utf8val_next(out, out + len, &value);
	return value;
}

/*@ // what is decoded is encoded again, in the same bytes
    requires 0 < len && \valid_read(s + (0 .. len - 1)) && \valid(out + (0 .. 3));
    requires \separated(out + (0 .. 3), s + (0 .. len - 1));
    terminates \true; assigns out[0 .. 3];
    ensures utf8_char(s, 0, unit(s, 0, len)) ==> \result == unit(s, 0, len);
    ensures \forall integer j; 0 <= j < \result ==> out[j] == s[j];
    ensures !utf8_char(s, 0, unit(s, 0, len)) ==> \result == 0; */
static size_t next_encode(const uint8_t *s, size_t len, uint8_t *out)
{
	int32_t cp;
	size_t size = 0;

	utf8val_next(s, s + len, &cp);

	if (cp >= 0) {
		size = utf8val_encode((uint32_t)cp, out);
		//@ assert encodes{Pre}(s, 0, unit{Pre}(s, 0, len), cp);
		//@ assert encodes(out, 0, size, cp);
		//@ assert size == unit{Pre}(s, 0, len);
		//@ assert \forall integer j; 0 <= j < size ==> out[j] == s[j];
	}
	return size;
}

/*@ // taken byte by byte, a character leads back to where it began, and its code
    // point is known then
    requires utf8_char(s, 0, len) && \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == code_point(s, 0, len); */
static uint32_t step_all(const uint8_t *s, size_t len)
{
	struct utf8val_dfa dfa = { UTF8VAL_ACCEPT };
	uint32_t cp = 0;

	utf8val_step(&dfa, &cp, s[0]);
	if (len > 1)
		utf8val_step(&dfa, &cp, s[1]);
	if (len > 2)
		utf8val_step(&dfa, &cp, s[2]);
	if (len > 3)
		utf8val_step(&dfa, &cp, s[3]);
	//@ assert dfa.state == UTF8VAL_ACCEPT;
	return cp;
}

/*@ // fed in two pieces, wherever the cut is, a text has the result that the
    // whole of it has: its well-formed prefix, the unit after it and the reason
    requires cut <= len && \valid_read(s + (0 .. len - 1));
    terminates \true; assigns text, fed;
    ensures 0 <= \result.valid <= len && utf8(s, 0, \result.valid);
    ensures \result.reason == UTF8VAL_OK ==> \result.valid == len && \result.bad == 0;
    ensures \result.reason != UTF8VAL_OK ==> \result.valid < len &&
      yields(s, \result.valid, len, \result.bad, -\result.reason); */
static struct utf8val_result two_pieces(const uint8_t *s, size_t len, size_t cut)
{
	struct utf8val_stream stream;

	//@ ghost text = s;
	//@ ghost fed = 0;
	utf8val_stream_init(&stream);
A:
	utf8val_stream_feed(&stream, s, cut);
	// the stream's own bytes have changed, the text has not
	//@ assert stands{A,Here}(s, len, s, 0) && stands{A,Here}(s, cut, s, 0);
	//@ assert utf8(s, 0, stream.valid);
	//@ ghost fed = cut;
B:
	//@ assert in_stream{Here,Here}(&stream, s, cut);
	utf8val_stream_feed(&stream, s + cut, len - cut);
	//@ assert stands{B,Here}(s, len, s, 0);
	//@ assert utf8(s, 0, stream.valid);
	/*@ assert stream.reason != UTF8VAL_OK ==>
	      yields{B}(s, stream.valid, len, stream.pending, -stream.reason); */
	/*@ assert stream.reason == UTF8VAL_OK && stream.pending != 0 ==>
	      yields{B}(s, stream.valid, len, stream.pending, -UTF8VAL_TRUNCATED); */
	return utf8val_stream_finish(&stream);
}
