// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include "checks.h"
#include "oracle.h"

/* For use in functions whose last argument is called failure. */
#define EXPECT(what_, at_, got_, want_) do {				\
	size_t got__ = (size_t)(got_), want__ = (size_t)(want_);	\
									\
	if (got__ != want__) {						\
		failure->what = (what_);				\
		failure->at = (at_);					\
		failure->want = want__;					\
		failure->got = got__;					\
		return false;						\
	}								\
} while (0)

static void copy(uint8_t *to, const uint8_t *from, size_t len)
{
	/* volatile: firmware has no memcpy() for the compiler to call */
	volatile uint8_t *d = to;

	while (len--)
		*d++ = *from++;
}

static void fill(uint8_t *to, uint8_t byte, size_t len)
{
	volatile uint8_t *d = to;

	while (len--)
		*d++ = byte;
}

static bool same_result(struct utf8val_result got, struct utf8val_result want,
			size_t at, struct utf8val_failure *failure)
{
	EXPECT("valid", at, got.valid, want.valid);
	EXPECT("bad", at, got.bad, want.bad);
	EXPECT("reason", at, got.reason, want.reason);
	return true;
}

/* prefix, valid and check of the same bytes */
static bool check_whole(const uint8_t *s, size_t len,
			struct utf8val_result want, size_t at,
			struct utf8val_failure *failure)
{
	EXPECT("utf8val_prefix()", at, utf8val_prefix(s, len), want.valid);
	EXPECT("utf8val_valid()", at, utf8val_valid(s, len),
	       want.reason == UTF8VAL_OK);
	return same_result(utf8val_check(s, len), want, at, failure);
}

/* the stream, cut in two everywhere, and byte by byte */
static bool check_stream(const uint8_t *s, size_t len,
			 struct utf8val_result want,
			 struct utf8val_failure *failure)
{
	struct utf8val_stream stream;
	size_t cut;

	for (cut = 0; cut <= len; cut++) {
		utf8val_stream_init(&stream);
		utf8val_stream_feed(&stream, s, cut);
		EXPECT("utf8val_stream_feed()", cut,
		       utf8val_stream_feed(&stream, s + cut, len - cut),
		       want.reason == UTF8VAL_OK ||
		       want.reason == UTF8VAL_TRUNCATED);
		if (!same_result(utf8val_stream_finish(&stream), want, cut,
				 failure))
			return false;
	}
	utf8val_stream_init(&stream);
	for (cut = 0; cut < len; cut++)
		utf8val_stream_feed(&stream, s + cut, 1);
	return same_result(utf8val_stream_finish(&stream), want, len, failure);
}

/* prev() from the end visits next()'s units; floor() knows their boundaries */
static bool check_walks(const uint8_t *s, size_t len, size_t units,
			struct utf8val_failure *failure)
{
	const uint8_t *end = s + len;
	const uint8_t *p = s;
	const uint8_t *q = end;
	size_t count = 0;

	while (p != end) {
		const uint8_t *unit = p;
		int32_t want, got = utf8val_next(&p, end);
		size_t at = (size_t)(unit - s);
		size_t size = oracle_unit(unit, (size_t)(end - unit), &want);
		size_t i;

		EXPECT("length by utf8val_next()", at, p - unit, size);
		EXPECT("utf8val_next()", at, got, want);
		for (i = 0; i < size; i++)
			EXPECT("utf8val_floor()", at + i,
			       utf8val_floor(s, len, at + i), at);
		/* back over it: what follows is not seen, so what broke off
		 * is truncated
		 */
		q = p;
		got = utf8val_prev(&q, s);
		EXPECT("length by utf8val_prev()", at, p - q, size);
		if (want == -UTF8VAL_MISSING_TAIL)
			want = -UTF8VAL_TRUNCATED;
		/* nor the second byte that makes a lead's error another one */
		if (want < 0 && size == 1 && *unit >= 0xC2 && *unit <= 0xF4)
			want = -UTF8VAL_TRUNCATED;
		EXPECT("utf8val_prev()", at, got, want);
		count++;
	}
	EXPECT("units by utf8val_next()", len, count, units);
	EXPECT("utf8val_next() at the end", len, utf8val_next(&p, end),
	       -UTF8VAL_TRUNCATED);
	EXPECT("and it stays", len, p - s, len);
	q = s;
	EXPECT("utf8val_prev() at the start", 0, utf8val_prev(&q, s),
	       -UTF8VAL_TRUNCATED);
	EXPECT("and it stays", 0, q - s, 0);
	/* all the way back, in as many steps */
	for (q = end; q != s; count--)
		utf8val_prev(&q, s);
	EXPECT("units by utf8val_prev()", 0, count, 0);
	EXPECT("utf8val_count()", len, utf8val_count(s, len), units);
	EXPECT("utf8val_floor() at the end", len, utf8val_floor(s, len, len),
	       len);
	EXPECT("utf8val_floor() beyond it", len,
	       utf8val_floor(s, len, len + 1), len);
	return true;
}

/* utf8val_step() goes along until what utf8val_check() says is wrong */
static bool check_steps(const uint8_t *s, size_t len,
			struct utf8val_result want,
			struct utf8val_failure *failure)
{
	uint32_t state = UTF8VAL_ACCEPT;
	uint32_t cp = 0;
	size_t boundary = 0;
	size_t at = 0;

	while (at < len &&
	       utf8val_step(&state, &cp, s[at]) != UTF8VAL_REJECT) {
		at++;
		if (state == UTF8VAL_ACCEPT) {
			const uint8_t *p = s + boundary;

			EXPECT("utf8val_step()'s code point", boundary, cp,
			       utf8val_next(&p, s + at));
			boundary = at;
		}
	}
	EXPECT("boundary by utf8val_step()", 0, boundary, want.valid);
	EXPECT("utf8val_step()", at, state == UTF8VAL_REJECT,
	       want.reason != UTF8VAL_OK && want.reason != UTF8VAL_TRUNCATED);
	if (state == UTF8VAL_REJECT)
		EXPECT("there is no way out", at,
		       utf8val_step(&state, &cp, 'a'), UTF8VAL_REJECT);
	return true;
}

/* Room for 3 * @len + 4 bytes at @room. */
static bool check_replace(const uint8_t *s, size_t len, const uint8_t *want,
			  size_t want_len, uint8_t *room,
			  struct utf8val_failure *failure)
{
	size_t cap, i;

	EXPECT("utf8val_replace() without room", 0,
	       utf8val_replace(NULL, 0, s, len), want_len);
	for (cap = 0; cap <= want_len + 1; cap++) {
		/* the whole characters of what is wanted that fit */
		size_t fits = utf8val_floor(want, want_len, cap);

		fill(room, 0xA5, want_len + 2);
		EXPECT("utf8val_replace()", cap,
		       utf8val_replace(room, cap, s, len), want_len);
		for (i = 0; i < fits; i++)
			EXPECT("a byte by utf8val_replace()", i, room[i],
			       want[i]);
		for (; i < want_len + 2; i++)
			EXPECT("a byte behind the last character", i, room[i],
			       0xA5);
	}
	return true;
}

bool utf8val_check_vector(const struct utf8val_vector *vector,
			  uint8_t scratch[UTF8VAL_SCRATCH],
			  struct utf8val_failure *failure)
{
	const struct utf8val_result want = {
		vector->valid, vector->bad, vector->reason
	};
	const uint8_t *replaced = vector->replaced;
	const uint8_t *s = vector->bytes;
	size_t len = vector->len;
	size_t shift;

	if (!replaced)
		replaced = vector->bytes;
	for (shift = 0; shift < 16; shift++) {
		/* a good byte before it and a tail behind: neither counts */
		scratch[shift] = 'a';
		copy(scratch + shift + 1, s, len);
		scratch[shift + 1 + len] = 0x80;
		if (!check_whole(scratch + shift + 1, len, want, shift,
				 failure))
			return false;
	}
	return same_result(oracle_check(s, len), want, 0, failure) &&
	       check_stream(s, len, want, failure) &&
	       check_walks(s, len, vector->units, failure) &&
	       check_steps(s, len, want, failure) &&
	       check_replace(s, len, replaced, vector->replaced_len, scratch,
			     failure);
}

/*
 * Text of every length: ASCII with one character at its end, whole, cut short
 * and broken, so that each lane and each tail of an engine sees each.
 */
static bool run_lengths(uint8_t scratch[UTF8VAL_SCRATCH],
			struct utf8val_failure *failure)
{
	static const uint8_t ends[][4] = {
		{ 'z' }, { 0xC3, 0xA9 }, { 0xE4, 0xBD, 0xA0 },
		{ 0xF0, 0x9F, 0x98, 0x80 }, { 0xFF }, { 0x80 },
		{ 0xED, 0xA0, 0x80 }, { 0xF4, 0x90, 0x80, 0x80 }, { 0xC3 },
		{ 0xE4, 0xBD }, { 0xF0, 0x9F, 0x98 }, { 0xC0, 0xAF },
	};
	static const uint8_t sizes[] = { 1, 2, 3, 4, 1, 1, 3, 4, 1, 2, 3, 2 };
	size_t len, i;

	for (len = 0; len <= 4095; len = len < 255 ? len + 1 : len + 960) {
		for (i = 0; i < sizeof(sizes); i++) {
			size_t shift = len % 16;
			uint8_t *s = scratch + shift;
			struct utf8val_result want;

			if (sizes[i] > len)
				continue;
			fill(s, 'a', len - sizes[i]);
			copy(s + len - sizes[i], ends[i], sizes[i]);
			want = oracle_check(s, len);
			if (!check_whole(s, len, want, len, failure))
				return false;
		}
	}
	EXPECT("no bytes, no pointer", 0, utf8val_valid(NULL, 0), true);
	return true;
}

/* An ill-formed byte at every place of a text of every kind. */
static bool run_positions(uint8_t scratch[UTF8VAL_SCRATCH],
			  struct utf8val_failure *failure)
{
	static const uint8_t kinds[][12] = {
		{ 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l' },
		{ 0xC3, 0xA9, 0xC3, 0xA9, 0xC3, 0xA9, 0xC3, 0xA9, 0xC3, 0xA9,
		  0xC3, 0xA9 },
		{ 0xE4, 0xBD, 0xA0, 0xE5, 0xA5, 0xBD, 0xE4, 0xBD, 0xA0, 0xE5,
		  0xA5, 0xBD },
		{ 0xF0, 0x9F, 0x98, 0x80, 0xF0, 0x9F, 0x98, 0x80, 0xF0, 0x9F,
		  0x98, 0x80 },
		{ 'a', 0xC3, 0xA9, 0xE4, 0xBD, 0xA0, 0xF0, 0x9F, 0x98, 0x80,
		  'b', 'c' },
	};
	static const uint8_t breakers[] = { 0xFF, 0x80, 0xC0, 'a', 0xE0 };
	const size_t len = 120;
	size_t kind, at, i;

	for (kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
		for (i = 0; i < len / 12; i++)
			copy(scratch + 12 * i, kinds[kind], 12);
		for (at = 0; at < len; at++) {
			uint8_t kept = scratch[at];

			for (i = 0; i < sizeof(breakers); i++) {
				scratch[at] = breakers[i];
				if (!check_whole(scratch, len,
						 oracle_check(scratch, len),
						 at, failure))
					return false;
			}
			scratch[at] = kept;
		}
	}
	return true;
}

/* Both ends of every byte class in four places: every step of the automaton. */
static bool run_classes(uint8_t scratch[UTF8VAL_SCRATCH],
			struct utf8val_failure *failure)
{
	static const uint8_t edges[] = {
		0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1,
		0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1,
		0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFF,
	};
	/* an odometer, for there is no division everywhere */
	size_t wheel[4] = { 0 };
	size_t turns = 0;
	size_t i;

	do {
		for (i = 0; i < 4; i++)
			scratch[i] = edges[wheel[i]];
		if (!check_whole(scratch, 4, oracle_check(scratch, 4), turns,
				 failure))
			return false;
		turns++;
		for (i = 0; i < 4 && ++wheel[i] == sizeof(edges); i++)
			wheel[i] = 0;
	} while (i < 4);
	return true;
}

/* There and back for every code point and some that are none. */
static bool run_code_points(uint8_t scratch[UTF8VAL_SCRATCH],
			    struct utf8val_failure *failure)
{
	uint32_t cp;

	for (cp = 0; cp < 0x110400; cp++) {
		const uint8_t *p = scratch;
		bool scalar = cp < 0xD800 || (cp > 0xDFFF && cp < 0x110000);
		size_t want = !scalar ? 0 : cp < 0x80 ? 1 : cp < 0x800 ? 2 :
			      cp < 0x10000 ? 3 : 4;
		size_t size = utf8val_encode(cp, scratch);

		EXPECT("utf8val_encode()", cp, size, want);
		if (!size)
			continue;
		EXPECT("utf8val_next() of it", cp,
		       utf8val_next(&p, scratch + size), cp);
		EXPECT("it is one unit", cp, p - scratch, size);
		EXPECT("utf8val_prev() of it", cp, utf8val_prev(&p, scratch),
		       cp);
	}
	EXPECT("utf8val_encode() of 2^32 - 1", 0,
	       utf8val_encode(0xFFFFFFFFu, scratch), 0);
	return true;
}

static bool run_reasons(uint8_t scratch[UTF8VAL_SCRATCH],
			struct utf8val_failure *failure)
{
	static const char *const names[] = {
		"ok", "truncated", "stray tail", "missing tail", "overlong",
		"surrogate", "too large", "bad lead", "unknown",
	};
	size_t i;

	(void)scratch;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *got = utf8val_reason_name((enum utf8val_reason)i);
		const char *want = names[i];
		size_t at = 0;

		do {
			EXPECT("utf8val_reason_name()", i,
			       (unsigned char)got[at],
			       (unsigned char)want[at]);
		} while (want[at++]);
	}
	return true;
}

const struct utf8val_case utf8val_cases[] = {
	{ "lengths 0 to 255 and to 4095", run_lengths },
	{ "an error at every position", run_positions },
	{ "byte classes in four places", run_classes },
	{ "every code point", run_code_points },
	{ "names of the reasons", run_reasons },
};

const size_t utf8val_case_count =
	sizeof(utf8val_cases) / sizeof(utf8val_cases[0]);
