/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The fast engine on text: runs of one shape, and how they and the walks take
 * turns.
 */
#ifndef UTF8VAL_FAST_LONG_H
#define UTF8VAL_FAST_LONG_H

#include "utf8val_fast_short.h"

/* text that both walks take at once; else blocks that grow while no run does */
#define FAST_SHORT 512u
#define FAST_BLOCK_MIN 64u
#define FAST_BLOCK_MAX 4096u
/* what stays in the nearest cache from one pass over it to the next */
#define FAST_PART 4096u

/*
 * Runs of one shape. Each takes a boundary and returns the one up to which it
 * found the shape, in steps that suit it; the same one when there is too little
 * of it. What it passed is well-formed.
 */

/* U+0000..U+007F */
static FAST_NOINLINE FAST_ALIGNED size_t fast_run_1(const uint8_t *s, size_t at,
						    size_t len)
{
	/*@ loop invariant \at(at, Pre) <= at <= len;
	    loop invariant utf8(s, \at(at, Pre), at) &&
	      tails_in(s, \at(at, Pre), at) == 0;
	    loop assigns at; loop variant len - at; */
	while (len - at >= 64u && fast_ascii_32(s + at) &&
	       fast_ascii_32(s + at + 32))
		at += 64;
	/*@ loop invariant \at(at, Pre) <= at <= len;
	    loop invariant utf8(s, \at(at, Pre), at) &&
	      tails_in(s, \at(at, Pre), at) == 0;
	    loop assigns at; loop variant len - at; */
	while (len - at >= 32u && fast_ascii_32(s + at))
		at += 32;
	return at;
}

/* The bytes that are leads, C0 and up, in their highest bits. */
static inline FAST_INLINE uint64_t fast_leads(uint64_t word)
{
	return word & word << 1;
}

/* one in the lowest bit of each of them */
static inline FAST_INLINE uint64_t fast_each_lead(uint64_t word)
{
	return fast_leads(word) >> 7 & FAST_EACH(1u);
}

/* Is the last byte a lead? */
static inline FAST_INLINE bool fast_ends_in_lead(uint64_t word)
{
	return fast_leads(word) >> 63;
}

/* Is this no text of one and two bytes a character? In the highest bits. */
static inline FAST_INLINE uint64_t fast_not_2(uint64_t before, uint64_t word)
{
	uint64_t lead = fast_leads(word);
	uint64_t after_lead = lead << 8 | fast_leads(before) >> 56;
	/* C2..DF: 22..3E here; C0, C1: 20, 21; E0 and up: less than 20 */
	uint64_t lead_bits = (word ^ FAST_EACH(0x20u)) & FAST_EACH(0x3Eu);

	/* tails, high but no leads, stand after leads and only there */
	return (word ^ lead ^ after_lead) |
	       (lead & (FAST_EACH(0xA1u) - lead_bits));
}

/* 32 bytes: such text? before is the word before them. */
static inline FAST_INLINE bool fast_are_2(uint64_t before, uint64_t w0,
					  uint64_t w1, uint64_t w2, uint64_t w3)
{
	return !((fast_not_2(before, w0) | fast_not_2(w0, w1) |
		  fast_not_2(w1, w2) | fast_not_2(w2, w3)) & FAST_HIGH);
}

/* Nothing but ASCII, and no lead before it that wants a tail? */
static inline FAST_INLINE bool fast_are_1(uint64_t before, uint64_t w0,
					  uint64_t w1, uint64_t w2, uint64_t w3)
{
	return !((w0 | w1 | w2 | w3 | fast_leads(before) >> 56) & FAST_HIGH);
}

/* How many leads do they have? By places in the word, in its bytes. */
static inline FAST_INLINE uint64_t fast_add_leads(uint64_t w0, uint64_t w1,
						  uint64_t w2, uint64_t w3)
{
	return fast_each_lead(w0) + fast_each_lead(w1) + fast_each_lead(w2) +
	       fast_each_lead(w3);
}

/* U+0000..U+07FF; adds the tails, as many as leads, if they are asked for */
static inline FAST_INLINE size_t fast_run_2(const uint8_t *s, size_t at,
					    size_t len, size_t *tails)
{
	uint64_t before = 0;

	/*@ loop invariant \at(at, Pre) <= at <= len;
	    loop invariant two(s, \at(at, Pre), at, byte_at(before, 7));
	    loop invariant tails == \null || *tails == \at(*tails, Pre) +
	      tails_in(s, \at(at, Pre), at) + lead(byte_at(before, 7));
	    loop assigns at, before, *tails; loop variant len - at; */
	while (len - at >= 32u) {
		uint64_t w0 = fast_load8(s + at);
		uint64_t w1 = fast_load8(s + at + 8);
		uint64_t w2 = fast_load8(s + at + 16);
		uint64_t w3 = fast_load8(s + at + 24);

		if (fast_are_1(before, w0, w1, w2, w3)) {
			/*@ assert ascii: utf8(s, \at(at, Pre), at + 16) &&
			      tails_in(s, \at(at, Pre), at + 16) ==
				tails_in(s, \at(at, Pre), at); */
			/*@ assert all: utf8(s, \at(at, Pre), at + 32) &&
			      tails_in(s, \at(at, Pre), at + 32) ==
				tails_in(s, \at(at, Pre), at + 16); */
			at = fast_run_1(s, at + 32, len);
			before = 0;
			continue;
		}
		if (!fast_are_2(before, w0, w1, w2, w3))
			break;
		/*@ assert half: two(s, \at(at, Pre), at + 16, byte_at(w1, 7)) &&
		      tails_in(s, \at(at, Pre), at + 16) +
			lead(byte_at(w1, 7)) == tails_in(s, \at(at, Pre), at) +
			lead(byte_at(before, 7)) + leads(w0) + leads(w1); */
		/*@ assert block: two(s, \at(at, Pre), at + 32, byte_at(w3, 7)) &&
		      tails_in(s, \at(at, Pre), at + 32) +
			lead(byte_at(w3, 7)) ==
			tails_in(s, \at(at, Pre), at + 16) +
			lead(byte_at(w1, 7)) + leads(w2) + leads(w3); */
		if (tails)
			*tails += fast_sum(fast_add_leads(w0, w1, w2, w3));
		before = w3;
		at += 32;
	}
	/* a lead at the end belongs to what comes */
	if (fast_ends_in_lead(before)) {
		//@ assert at > \at(at, Pre) && utf8(s, \at(at, Pre), at - 1);
		at--;
		if (tails)
			--*tails;
	}
	return at;
}

static FAST_NOINLINE size_t fast_pass_2(const uint8_t *s, size_t at, size_t len)
{
	return fast_run_2(s, at, len, NULL);
}

static FAST_NOINLINE size_t fast_count_2(const uint8_t *s, size_t at,
					 size_t len, size_t *tails)
{
	return fast_run_2(s, at, len, tails);
}

/*
 * Are these 24 bytes eight characters of U+0800..U+FFFF? Their leads stand at
 * eight different places of a word, so all of them fit into one, and so do the
 * second bytes, one place higher.
 */
static inline FAST_INLINE bool fast_are_3(const uint8_t *s)
{
	/* bits unlike 1110xxxx 10xxxxxx 10xxxxxx: the x if well */
	uint64_t w0 = fast_load8(s) ^ UTF8VAL_FAST_3_FORM_0;
	uint64_t w1 = fast_load8(s + 8) ^ UTF8VAL_FAST_3_FORM_1;
	uint64_t w2 = fast_load8(s + 16) ^ UTF8VAL_FAST_3_FORM_2;
	uint64_t bad = (w0 & UTF8VAL_FAST_3_MASK_0) |
		       (w1 & UTF8VAL_FAST_3_MASK_1) |
		       (w2 & UTF8VAL_FAST_3_MASK_2);
	/* the leads' low four bits; A0..BF, not 80..9F: 80 below */
	uint64_t lead = (w0 & UTF8VAL_FAST_3_LEAD_0) |
			(w1 & UTF8VAL_FAST_3_LEAD_1) |
			(w2 & UTF8VAL_FAST_3_LEAD_2);
	uint64_t second = (w0 & UTF8VAL_FAST_3_SECOND_0) |
			  (w1 & UTF8VAL_FAST_3_SECOND_1) |
			  (w2 & UTF8VAL_FAST_3_SECOND_2);
	/* in the highest bits: neither E0 nor ED */
	uint64_t not_e0 = lead + FAST_EACH(0x7Fu);
	uint64_t not_ed = (lead ^ FAST_EACH(0x0Du)) + FAST_EACH(0x7Fu);
	uint64_t high = (second >> 8 | second << 56) << 2;

	/* below A0 E0 may not stand before, from A0 on ED */
	bad |= ~(not_e0 ^ ((not_e0 ^ not_ed) & high)) & FAST_HIGH;
	return !bad;
}

static FAST_NOINLINE size_t fast_run_3(const uint8_t *s, size_t at, size_t len)
{
	/*@ loop invariant \at(at, Pre) <= at <= len;
	    loop invariant utf8(s, \at(at, Pre), at);
	    loop invariant
	      3 * tails_in(s, \at(at, Pre), at) == 2 * (at - \at(at, Pre));
	    loop assigns at; loop variant len - at; */
	while (len - at >= 24u && fast_are_3(s + at))
		at += 24;
	return at;
}

/* Are these no two characters of four bytes? Not 0 then. */
static inline FAST_INLINE uint64_t fast_not_4(uint64_t word)
{
	/* 11110xxx 10xxxxxx 10xxxxxx 10xxxxxx */
	uint64_t bad = (word & UTF8VAL_FAST_4_MASK) ^ UTF8VAL_FAST_4_FORM;
	/*
	 * The code point's upper five bits, from bit 12 on: 1..16, which is
	 * U+10000..U+10FFFF. One less has no bit from 16 on; 0 borrows there.
	 */
	uint64_t plane = (word & UTF8VAL_FAST_4_LEAD) << 14 |
			 (word & UTF8VAL_FAST_4_SECOND);

	return bad | ((plane - 0x0000100000001000u) & 0xFFFF0000FFFF0000u);
}

/* Are these 32 bytes eight characters of U+10000..U+10FFFF? */
static inline FAST_INLINE bool fast_are_4(const uint8_t *s)
{
	return !(fast_not_4(fast_load8(s)) | fast_not_4(fast_load8(s + 8)) |
		 fast_not_4(fast_load8(s + 16)) |
		 fast_not_4(fast_load8(s + 24)));
}

static FAST_NOINLINE size_t fast_run_4(const uint8_t *s, size_t at, size_t len)
{
	/*@ loop invariant \at(at, Pre) <= at <= len;
	    loop invariant utf8(s, \at(at, Pre), at);
	    loop invariant
	      4 * tails_in(s, \at(at, Pre), at) == 3 * (at - \at(at, Pre));
	    loop assigns at; loop variant len - at; */
	while (len - at >= 32u && fast_are_4(s + at))
		at += 32;
	return at;
}

/*
 * The run that the character at a boundary, 32 bytes before len, begins. Adds
 * its tails if they are asked for.
 */
static inline FAST_INLINE size_t fast_run(const uint8_t *s, size_t at,
					  size_t len, size_t *tails)
{
	size_t end;

	if (s[at] < 0xE0u)
		return tails ? fast_count_2(s, at, len, tails) :
			       fast_pass_2(s, at, len);
	if (s[at] < 0xF0u) {
		end = fast_run_3(s, at, len);
		if (tails)
			*tails += (end - at) / 3u * 2u;
	} else {
		end = fast_run_4(s, at, len);
		if (tails)
			*tails += (end - at) / 4u * 3u;
	}
	return end;
}

/*
 * At or up to three bytes before at: no tail. A tail after all if there are
 * four in a row, which is ill-formed. From at == 3.
 */
static inline FAST_INLINE size_t fast_cut(const uint8_t *s, size_t at)
{
	size_t i;

	/*@ loop invariant 0 <= i <= 3 && at == \at(at, Pre) - i;
	    loop invariant (i > 0 ==> utf8_tail(s[\at(at, Pre)])) &&
	      (i > 1 ==> utf8_tail(s[\at(at, Pre)-1])) &&
	      (i > 2 ==> utf8_tail(s[\at(at, Pre)-2]));
	    loop assigns i, at; loop variant 3 - i; */
	for (i = 0; i < 3 && fast_is_tail(s[at]); i++)
		at--;
	return at;
}

/*
 * The last boundary before a byte that is rejected: one of the eight behind
 * those passed; from 8 bytes of input.
 */
static inline FAST_INLINE size_t fast_before_rejected(const uint8_t *s,
						      size_t passed)
{
	uint32_t state = fast_behind(fast_ends(s, passed));
	size_t more;

	//@ assert behind: front_at(state, s, passed);
	more = fast_passed(state, fast_load8(s + passed));
	//@ assert more: passes(s, passed + more);
	//@ assert rejected: !passes(s, passed + more + 1);
	return fast_boundary(s, passed + more);
}

/*
 * What either of both walks takes; from 16 bytes. A multiple of 8 bytes, so that
 * 2 * walk >= len + 4 and walk <= len.
 */
static inline FAST_INLINE size_t fast_half(size_t len)
{
	return (len + 19u) / 16u * 8u;
}

/* Both walks; from 16 bytes. */
static FAST_NOINLINE size_t fast_walk_both(const uint8_t *s, size_t len)
{
	size_t walk = fast_half(len);
	const uint8_t *q = s + (len - walk);
	uint64_t first = fast_blank_tails(fast_load8(q));
	uint32_t front = fast_walk(FAST_ACCEPT, s);
	uint32_t back = fast_walk_word(FAST_ACCEPT, first);
	size_t at, passed;

	/*@ loop invariant step: 8 <= at <= walk && at % 8 == 0;
	    loop invariant front: front_at(front, s, at) && passes(s, at - 8);
	    loop invariant back: back_at(back, s, len - walk, len - walk + at);
	    loop invariant alive: at == 8 ||
	      passes_back(s, len - walk, len - walk + at - 8);
	    loop assigns at, front, back; loop variant walk - at; */
	for (at = 8; at < walk; at += 8) {
		if (!fast_alive(front) || !fast_alive(back))
			break;
		//@ assert going: passes_back(s, len - walk, len - walk + at);
		//@ assert next: at + 8 <= walk && len - walk + at + 8 <= len;
		front = fast_walk(front, s + at);
		back = fast_walk(back, q + at);
		/*@ assert moved: stands(back, run(q + at, 0, 8,
		      back_run(s, len - walk, len - walk + at))); */
		/*@ assert back: back_at(back, s, len - walk,
				       len - walk + (at + 8)); */
	}
	if (fast_alive(front) && fast_accepted(back)) {
		//@ assert end: at == walk;
		//@ assert front: passes(s, walk);
		//@ assert back: back_run(s, len - walk, len) == UTF8VAL_ACCEPT;
		return len;
	}
	if (fast_alive(front) && fast_alive(back)) {
		//@ assert end: at == walk;
		//@ assert front: passes(s, walk);
		//@ assert back: passes_back(s, len - walk, len);
		//@ assert both: passes(s, len);
		return fast_boundary(s, len);
	}
	/*@ assert stops: passes(s, at) ==>
	      !passes_back(s, len - walk, len - walk + at); */
	/* the back walk counts when the front walk has got to its part */
	passed = len - walk + at - 8u;
	/*@ assert dead: passes(s, at) ==>
	      !passes_back(s, len - walk, passed + 8); */
	/*@ assert before: passed == len - walk ||
	      (len - walk + 8 <= passed && passes_back(s, len - walk, passed)); */
	/*@ loop invariant step: \at(at, LoopEntry) <= at <= walk && at % 8 == 0;
	    loop invariant front: front_at(front, s, at) && passes(s, at - 8);
	    loop assigns at, front; loop variant walk - at; */
	for (; fast_alive(front) && at < walk; at += 8)
		front = fast_walk(front, s + at);
	//@ assert from: passes(s, walk) ==> passes(s, len - walk);
	//@ assert both: passes(s, walk) ==> passes(s, passed);
	//@ assert end: passes(s, walk) ==> !passes(s, passed + 8);
	//@ assert stands: passes(s, at) ==> at == walk;
	if (!fast_alive(front))
		passed = at - 8u;
	//@ assert room: passed + 8 <= len;
	//@ assert passed: passes(s, passed);
	//@ assert rejected: !passes(s, passed + 8);
	return fast_before_rejected(s, passed);
}

/*
 * The end of an input of 32 bytes and more: from at, a boundary up to which all
 * is well-formed.
 */
static inline FAST_INLINE size_t fast_prefix_rest(const uint8_t *s, size_t at,
						  size_t len)
{
	if (len - at < 32u && fast_ascii_32(s + len - 32))
		return len;
	/* both walks take 16 bytes; what they need of those before is well */
	if (len - at < 16u)
		at = fast_cut(s, len - 16);
	return at + fast_walk_both(s + at, len - at);
}

/* 49 to 512 bytes */
static FAST_NOINLINE size_t fast_prefix_512(const uint8_t *s, size_t len)
{
	size_t at = 0;

	/*@ loop invariant at <= len && utf8(s, 0, at);
	    loop assigns at; loop variant len - at; */
	while (len - at >= 32u && fast_ascii_32(s + at))
		at += 32;
	return fast_prefix_rest(s, at, len);
}

/* From 513 bytes; adds the tails of what it returns if they are asked for. */
static FAST_NOINLINE size_t fast_prefix_long(const uint8_t *s, size_t len,
					     size_t *tails)
{
	size_t block = FAST_BLOCK_MIN;
	size_t at = fast_run_1(s, 0, len);
	size_t begin;

	/*@ loop invariant at <= len && utf8(s, 0, at);
	    loop invariant tails == \null || *tails == tails_in(s, 0, at);
	    loop invariant FAST_BLOCK_MIN <= block < 2 * FAST_BLOCK_MAX;
	    loop assigns at, begin, block, *tails; loop variant len - at; */
	while (len - at >= 32u) {
		begin = at;
		at = fast_run(s, at, len, tails);
		//@ assert run: utf8(s, 0, at);
		if (at - begin >= FAST_BLOCK_MIN) {
			block = FAST_BLOCK_MIN;
		} else {
			size_t end;

			if (len - at < block + 32u)
				break;
			begin = at;
			end = fast_cut(s, at + block);
			at += fast_walk_both(s + at, end - at);
			//@ assert block: longest(s, end, at);
			if (tails)
				*tails += fast_count_tails(s + begin, at - begin);
			/* a blind cut: the character goes on behind perhaps */
			if (end - at > 3u)
				return at;
			if (block < FAST_BLOCK_MAX)
				block *= 2;
		}
		at = fast_run_1(s, at, len);
	}
	begin = at;
	at = fast_prefix_rest(s, at, len);
	//@ assert rest: begin <= at;
	if (tails)
		*tails += fast_count_tails(s + begin, at - begin);
	return at;
}

static FAST_NOINLINE size_t fast_where_49(const uint8_t *s, size_t len)
{
	return len > FAST_SHORT ? fast_prefix_long(s, len, NULL) :
				  fast_prefix_512(s, len);
}

/* out of line, so that names need no stack frame */
static FAST_NOINLINE bool fast_valid_49(const uint8_t *s, size_t len)
{
	return fast_where_49(s, len) == len;
}

#endif /* UTF8VAL_FAST_LONG_H */
