/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The contracts of loops, by their UTF8VAL_LOOP(). All programs here include this. */
#ifndef PROOF_LOOPS_H
#define PROOF_LOOPS_H

/* engine/compact.h; a walk begins at a boundary */
#define OFFSET(pos) ((size_t)__CPROVER_POINTER_OFFSET(pos))
#define INSIDE_TEXT(s, len) \
	(__CPROVER_same_object(s, text) && OFFSET(s) <= text_len && \
	 (len) <= text_len - OFFSET(s))
#define LOOP_compact_characters \
	CONTRACT(at, at <= len && run[OFFSET(s) + at] == TEXT, len - at) \
	KNOWING(know_step(OFFSET(s) + at))
/* state is a lead minus E1 after which the same may follow; above all leads, none */
#define COMPACT_STATE(state, q) \
	((int32_t)(state) < -1 ? (q) == TAIL1 : (state) == (uint32_t)-1 ? (q) == AFTER_E0 : \
	 (state) == 0xED - 0xE1 ? (q) == AFTER_ED : (state) < 0xF0 - 0xE1 ? (q) == TAIL2 : \
	 (state) == 0xF0 - 0xE1 ? (q) == AFTER_F0 : (state) < 0xF4 - 0xE1 ? (q) == TAIL3 : \
	 (state) == 0xF4 - 0xE1 ? (q) == AFTER_F4 : (state) <= 0xFF - 0xE1 && (q) == DEAD)
#define BEHIND_LEAD(q) ((q) == TAIL1 ? 3u : (q) == TAIL2 ? 2u : 1u)
#define LOOP_compact_tails \
	CONTRACT(WRITES(at, state), at <= len && boundary < at && \
		 at - boundary <= BEHIND_LEAD(run[OFFSET(s) + at]) && \
		 run[OFFSET(s) + boundary] == TEXT && \
		 (at - boundary < 2 || run[OFFSET(s) + boundary + 1] != TEXT) && \
		 (at - boundary < 3 || run[OFFSET(s) + boundary + 2] != TEXT) && \
		 COMPACT_STATE(state, run[OFFSET(s) + at]), len - at) \
	KNOWING(know_step(OFFSET(s) + at))

/* engine/word.h: s is at a boundary, up to which all is well-formed */
#define INSIDE(pos, first, last) \
	(__CPROVER_same_object(pos, text) && OFFSET(first) <= OFFSET(pos) && \
	 OFFSET(pos) <= OFFSET(last))
#define AT_BOUNDARY(pos) (run[OFFSET(pos)] == TEXT)
#define IS_PASSED(s, last) \
	(INSIDE(s, __CPROVER_loop_entry(s), last) && AT_BOUNDARY(s))
/* the word at a boundary: where its first character ends, is another */
#define BYTE(word, i) ((word) >> 8 * (i) & 0xFF)
#define TAIL_AT(word, i) (BYTE(word, i) >> 6 == 2)
#define IS_TWO(word) (RFC_IN(BYTE(word, 0), 0xC2, 0xDF) && TAIL_AT(word, 1))
#define IS_THREE(word) \
	(RFC_IN(BYTE(word, 0), 0xE0, 0xEF) && TAIL_AT(word, 1) && TAIL_AT(word, 2) && \
	 (BYTE(word, 0) != 0xE0 || BYTE(word, 1) >= 0xA0) && \
	 (BYTE(word, 0) != 0xED || BYTE(word, 1) < 0xA0))
#define IS_FOUR(word) \
	(RFC_IN(BYTE(word, 0), 0xF0, 0xF4) && TAIL_AT(word, 1) && TAIL_AT(word, 2) && \
	 TAIL_AT(word, 3) && (BYTE(word, 0) != 0xF0 || BYTE(word, 1) >= 0x90) && \
	 (BYTE(word, 0) != 0xF4 || BYTE(word, 1) < 0x90))
/* so many bytes of the word are whole characters; of four ASCII ones, those up to a word */
#define WHOLE(at, word) \
	(!((word) & 0x80808080u) ? 4 - ((at) & 3) : BYTE(word, 0) < 0x80 ? 1 : \
	 IS_TWO(word) ? 2 : IS_THREE(word) ? 3 : IS_FOUR(word) ? 4 : 0)
#define BEGINS_WITH(at, word) \
	(run[at] != TEXT || run[(at) + WHOLE(at, word)] == TEXT)
#define LOOP_word CONTRACT(s, IS_PASSED(s, last), OFFSET(last) - OFFSET(s))
#define LOOP_word_threes \
	CONTRACT(WRITES(s, word), IS_PASSED(s, last) && BEGINS_WITH(OFFSET(s), word), \
		 OFFSET(last) - OFFSET(s))
#define LOOP_word_ascii \
	CONTRACT(s, IS_PASSED(s, last + 4) && (__CPROVER_POINTER_OFFSET(s) & 3) == 0, \
		 text_len - OFFSET(s))

/* utf8val.c: the automaton's state as a lead byte, or what is no state */
#define IS_LEAD(byte) ((byte) >= 0xC2 && (byte) <= 0xF4)
#define MEANS(state) ((state) == UTF8VAL_ACCEPT ? TEXT : !IS_LEAD(state) ? DEAD : \
	(state) < 0xE0 ? TAIL1 : (state) == 0xE0 ? AFTER_E0 : (state) == 0xED ? AFTER_ED : \
	(state) < 0xF0 ? TAIL2 : (state) == 0xF0 ? AFTER_F0 : (state) < 0xF4 ? TAIL3 : AFTER_F4)
#define LOOP_feed \
	CONTRACT(WRITES(at, now), at <= len && run[at] == MEANS(now), len - at)
#define FURTHER(at) (__CPROVER_loop_entry(at) <= (at))
#define LOOP_feed_tails \
	CONTRACT(WRITES(at, now), FURTHER(at) && at <= len && run[at] == MEANS(now), len - at) \
	KNOWING(know_step(at))
#define LOOP_feed_ascii \
	CONTRACT(WRITES(at, now), FURTHER(at) && at <= len && run[at] == TEXT, len - at) \
	KNOWING(know_step(at))

/* what a stream is that was fed the text's first @fed bytes */
#define PENDING(stream, i) ((i) >= (stream)->pending || \
	((stream)->bytes[i] == text[(stream)->valid + (i)] && \
	 run[(stream)->valid + (i) + 1] != TEXT && run[(stream)->valid + (i) + 1] != DEAD))
#define IS_FED(stream, fed) \
	((stream)->valid <= (fed) && run[(stream)->valid] == TEXT && \
	 ((stream)->reason != UTF8VAL_OK ? IS_BAD((stream)->valid, (stream)->pending, \
						  (stream)->reason) : \
	  (stream)->pending < 4 && (stream)->pending == (fed) - (stream)->valid && \
	  PENDING(stream, 0) && PENDING(stream, 1) && PENDING(stream, 2)))
#define LOOP_stream \
	CONTRACT(WRITES(s, __CPROVER_object_whole(stream)), \
		 INSIDE(s, text + fed, end) && IS_FED(stream, OFFSET(s)), OFFSET(end) - OFFSET(s))
/* the stream decodes a copy of the text's bytes */
#define FUNCTION_next \
	if (fed_stream) { \
		know_steps(fed_stream->valid, 4); \
		know_unit(fed_stream->valid); \
	}

/* each loop of two is entered for good, or for the ill-formed sequences after another */
#define PAST(pos) (OFFSET(__CPROVER_loop_entry(pos)) <= OFFSET(pos))
#define IS_COUNTED \
	(INSIDE(pos, text, end) && starts[OFFSET(pos)] && units == count[OFFSET(pos)])
#define LOOP_count CONTRACT(WRITES(pos, units), IS_COUNTED, OFFSET(end) - OFFSET(pos))
#define LOOP_count_bad \
	CONTRACT(WRITES(pos, units, reason, cp), IS_COUNTED && PAST(pos), \
		 OFFSET(end) - OFFSET(pos)) \
	KNOWING(know_shape(OFFSET(pos)))
#define IS_SIZED \
	(INSIDE(pos, text, end) && starts[OFFSET(pos)] && more <= 2 * OFFSET(pos) && \
	 more == size[OFFSET(pos)] - OFFSET(pos))
#define LOOP_replaced_size CONTRACT(WRITES(pos, more), IS_SIZED, OFFSET(end) - OFFSET(pos))
#define LOOP_replaced_size_bad \
	CONTRACT(WRITES(pos, more, reason), IS_SIZED && PAST(pos), \
		 OFFSET(end) - OFFSET(pos)) \
	KNOWING(know_shape(OFFSET(pos)))
/* the result's byte @nth of any sequence, and any byte behind the result */
#define COPIED(at, nth) (what[at] < 0 ? (nth) == 0 ? 0xEF : (nth) == 1 ? 0xBF : 0xBD : \
	text[(at) + (nth)])
#define HAS_COPIED(d, put, at) \
	((at) <= any || ((at) >= any + unit[any] && \
			   size[any] < (put) && REPLACED(any) <= (put) - size[any] && \
			   (d)[size[any] + nth] == COPIED(any, nth)))
#define LOOP_replace \
	CONTRACT(WRITES(at, put, __CPROVER_object_whole(d)), \
		 at <= len && put <= cap && starts[at] && put == size[at] && \
		 HAS_COPIED(d, put, at) && (behind < put || behind >= cap || d[behind] == kept), len - at) \
	KNOWING(know_shape(at))

/* kernel/core.c: a state is a place in the rows of kernel/utf8val_rows.h */
#define PLACE_OF(lead) (utf8val_fast_rows[lead] >> UTF8VAL_FAST_ACCEPT & 31)
#define PLACE(q) ((q) == TEXT ? UTF8VAL_FAST_ACCEPT : (q) == TAIL1 ? PLACE_OF(0xC2) : \
	(q) == TAIL2 ? PLACE_OF(0xE1) : (q) == TAIL3 ? PLACE_OF(0xF1) : \
	(q) == AFTER_E0 ? PLACE_OF(0xE0) : (q) == AFTER_ED ? PLACE_OF(0xED) : \
	(q) == AFTER_F0 ? PLACE_OF(0xF0) : (q) == AFTER_F4 ? PLACE_OF(0xF4) : \
	UTF8VAL_FAST_REJECT)
#define IS_AT(state, at) (run[at] <= DEAD && ((state) & 31) == PLACE(run[at]))
#define LOOP_text_eight \
	CONTRACT(WRITES(at, state), at <= len && IS_AT(state, at), len - at) \
	KNOWING(know_steps(at, 8))
#define LOOP_text_byte \
	CONTRACT(WRITES(at, state), at <= len && IS_AT(state, at), len - at) \
	KNOWING(know_step(at))
#define LOOP_valid_ascii \
	CONTRACT(at, at <= len && !(at & 15) && run[at] == TEXT, len - at) \
	KNOWING(know_steps(at, 16))
#define LOOP_check \
	CONTRACT(WRITES(at, state, result.valid), \
		 at <= len && IS_AT(state, at) && run[at] != DEAD && state < 32 && \
		 result.valid <= at && run[result.valid] == TEXT && \
		 at - result.valid <= (run[at] == TEXT ? 0 : BEHIND_LEAD(run[at])) && \
		 (at == result.valid || run[at] != TEXT) && \
		 (at - result.valid < 2 || run[result.valid + 1] != TEXT) && \
		 (at - result.valid < 3 || run[result.valid + 2] != TEXT), len - at) \
	KNOWING(know_step(at))

/* engine/fast_name.h: at the first word blank bytes stand for those before the name */
#define LESS(at, size) ((at) < (size) ? 0 : (at) - (size))
#define LOOP_name \
	CONTRACT(WRITES(at, begin, half, state), \
		 at <= len && (len - at) % 8 == 0 && IS_AT(state, at) && \
		 (!end || (IS_AT(begin, LESS(at, 8)) && run[LESS(at, 8)] != DEAD && \
			   IS_AT(half, LESS(at, 4)))), len - at) \
	KNOWING(know_steps(at, 8))

/* engine/fast_text.h: a run's end is at least where it begins, and is a boundary */
#define IS_RUN (FURTHER(at) && at <= len && run[at] == TEXT)
/* a boundary, or the first tail of two-byte text is due; what the byte before says of that */
#define IS_IN_TWOS(at) (run[at] == TEXT || (run[at] == TAIL1 && run[(at) - 1] == TEXT))
#define LOOP_run_twos \
	CONTRACT(at, FURTHER(at) && at <= len && IS_IN_TWOS(at), len - at) KNOWING(1)
#define FUNCTION_run_twos know_run(at - 1, 1);
#define LOOP_run_same CONTRACT(at, IS_RUN, len - at) KNOWING(1)
/* From "mid" on, which is not blank, the back walk is right if that is a boundary, no tail. */
#define IS_FRONT \
	(at >= 8 && at <= walk && at % 8 == 0 && IS_AT(front, at) && \
	 run[at - 8] != DEAD)
#define LOOP_both \
	CONTRACT(WRITES(at, front, back), \
		 IS_FRONT && (run[mid] != TEXT || IS_AT(back, OFFSET(q) + at)) && \
		 (at == 8 || run[mid] != TEXT || run[OFFSET(q) + at - 8] != DEAD) && \
		 (!IS_TAIL(mid) || (back & 31) == UTF8VAL_FAST_REJECT), walk - at) \
	KNOWING(1)
#define LOOP_front CONTRACT(WRITES(at, front), FURTHER(at) && IS_FRONT, walk - at) KNOWING(1)
#define LOOP_text \
	CONTRACT(WRITES(at, block, begin), \
		 IS_RUN && block >= FAST_BLOCK_MIN && block <= 2 * FAST_BLOCK_MAX, len - at) \
	KNOWING(1)

/* forms/utf8val_forms.c: characters that follow each other from the text's start */
#define LOOP_form_check \
	CONTRACT(WRITES(result.valid), result.valid <= len && starts[result.valid], \
		 len - result.valid) \
	KNOWING(know_next(result.valid))

#endif /* PROOF_LOOPS_H */
