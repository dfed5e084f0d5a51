// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The shared checks; checks.h lists the runners that call them. They use no library, no
 * division and small frames, because they also run in firmware.
 * Expected results come from the oracle, from the vectors, or from the parts of which a
 * text was made.
 */
#include "checks.h"
#include "oracle.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

_Static_assert(sizeof(struct utf8val_stream) <= 16,
	       "small enough for a firmware's every connection");

const uint8_t utf8val_edges[] = {
	0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0,
	0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0,
	0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFF,
};

const size_t utf8val_edge_count = COUNT(utf8val_edges);

/* One byte of each class. */
static const uint8_t classes[] = {
	0x41, 0x88, 0x98, 0xA8, 0xC0, 0xC8, 0xE0,
	0xE8, 0xED, 0xF0, 0xF2, 0xF4, 0xF6, 0xFA,
};

/* Characters of one to four bytes, and ill-formed sequences, with a verdict. */
struct sample {
	uint8_t bytes[4];
	uint8_t len;
};

static const struct sample characters[] = {
	{ { 0x41 }, 1 },
	{ { 0xC2, 0xA9 }, 2 },
	{ { 0xE4, 0xBD, 0xA0 }, 3 },
	{ { 0xF0, 0x9F, 0x98, 0x80 }, 4 },
};

/*
 * Ill-formed sequences, of which each has the same reason whatever stands
 * before and after it.
 */
static const struct sample mistakes[] = {
	{ { 0x80 }, 1 },
	{ { 0xC0, 0x80 }, 2 },
	{ { 0xE0, 0x80, 0xAF }, 3 },
	{ { 0xF0, 0x8F, 0x98, 0x80 }, 4 },
	{ { 0xED, 0xA0, 0x80 }, 3 },
	{ { 0xF4, 0x90, 0x80, 0x80 }, 4 },
	{ { 0xF5, 0x80, 0x80, 0x80 }, 4 },
	{ { 0xE4, 0x41 }, 2 },
	{ { 0xE4, 0xBD, 0x41 }, 3 },
	{ { 0xF0, 0x9F, 0x98, 0x41 }, 4 },
	{ { 0xFE }, 1 },
	{ { 0xFF }, 1 },
};

/* The oracle's result for a mistake after @valid bytes of text. */
static struct utf8val_result wrong(const struct sample *mistake, size_t valid)
{
	struct utf8val_result want = oracle_check(mistake->bytes, mistake->len);

	want.valid = valid;
	return want;
}

static bool same(struct utf8val_failure *failure, const char *what, size_t at,
		 unsigned long want, unsigned long got)
{
	if (want == got)
		return true;
	failure->what = what;
	failure->at = at;
	failure->want = want;
	failure->got = got;
	return false;
}

static bool same_bytes(struct utf8val_failure *failure, const char *what, size_t at,
		       const uint8_t *want, const uint8_t *got, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!same(failure, what, at, want[i], got[i]))
			return false;
	return true;
}

static void copy(uint8_t *to, const uint8_t *from, size_t len)
{
	for (size_t i = 0; i < len; i++)
		to[i] = from[i];
}

static void fill(uint8_t *to, uint8_t byte, size_t len)
{
	for (size_t i = 0; i < len; i++)
		to[i] = byte;
}

/* Room for the results of a function has this byte where nothing is to be written. */
#define UNWRITTEN 0xAA

static bool unwritten(struct utf8val_failure *failure, const char *what, size_t at,
		      const uint8_t *from, const uint8_t *end)
{
	for (; from < end; from++)
		if (!same(failure, what, at, UNWRITTEN, *from))
			return false;
	return true;
}

static bool same_result(struct utf8val_failure *failure, const char *what,
			size_t at, struct utf8val_result want, struct utf8val_result got)
{
	return same(failure, what, at, want.valid, got.valid) &&
	       same(failure, what, at, want.bad, got.bad) &&
	       same(failure, what, at, want.reason, got.reason);
}

bool utf8val_check_whole(const uint8_t *s, size_t len, struct utf8val_result want,
			 struct utf8val_failure *failure)
{
	struct utf8val_stream stream;

	utf8val_stream_init(&stream);
	return same_result(failure, "check", len, want,
			   utf8val_check(s, len)) &&
	       same(failure, "prefix", len, want.valid,
		    utf8val_prefix(s, len)) &&
	       same(failure, "valid", len, want.reason == UTF8VAL_OK,
		    utf8val_valid(s, len)) &&
	       /* a stream takes a cut sequence for unfinished */
	       same(failure, "stream: feed", len, want.reason <= UTF8VAL_TRUNCATED,
		    utf8val_stream_feed(&stream, s, len)) &&
	       same_result(failure, "stream: finish", len, want,
			   utf8val_stream_finish(&stream));
}

/* Check a stream of the input that is cut at two places. */
static bool cut_twice(const uint8_t *s, size_t len, size_t cut, size_t cut2,
		      struct utf8val_result want, struct utf8val_failure *failure)
{
	struct utf8val_stream stream;
	struct utf8val_dfa dfa = { UTF8VAL_ACCEPT };
	bool good;

	utf8val_feed(&dfa, s, cut);
	utf8val_feed(&dfa, s + cut, cut2 - cut);
	good = utf8val_feed(&dfa, s + cut2, len - cut2);
	if (!same(failure, "feed: in pieces", cut,
		  want.reason <= UTF8VAL_TRUNCATED, good) ||
	    !same(failure, "feed: accept", cut, want.reason == UTF8VAL_OK,
		  dfa.state == UTF8VAL_ACCEPT) ||
	    !same(failure, "feed: reject", cut, !good, dfa.state == UTF8VAL_REJECT))
		return false;
	utf8val_stream_init(&stream);
	utf8val_stream_feed(&stream, s, cut);
	/* A stream that is asked in between still gives the same answer at the end. */
	if (!same(failure, "stream: finish midway", cut, stream.valid,
		  utf8val_stream_finish(&stream).valid))
		return false;
	utf8val_stream_feed(&stream, s + cut, cut2 - cut);
	utf8val_stream_feed(&stream, s + cut2, len - cut2);
	return same_bytes(failure, "stream: bytes", cut, s + want.valid, stream.bytes,
			  want.bad) &&
	       same_result(failure, "stream: in pieces", cut, want,
			   utf8val_stream_finish(&stream));
}

static bool splits(const uint8_t *s, size_t len, struct utf8val_result want,
		   struct utf8val_failure *failure)
{
	for (size_t cut = 0; cut <= len; cut++) {
		/*
		 * Cut into three pieces where the input is short enough,
		 * otherwise into two.
		 */
		size_t last = len <= 8 ? len : cut;

		for (size_t cut2 = cut; cut2 <= last; cut2++)
			if (!cut_twice(s, len, cut, cut2, want, failure))
				return false;
	}
	return true;
}

/* Is a character begun in this state, and may it still become well-formed? */
static bool is_midway(uint32_t state)
{
	return state != UTF8VAL_ACCEPT && state != UTF8VAL_REJECT;
}

/* Check utf8val_step() on one sequence and the byte that ends it. */
static bool steps(const uint8_t *s, size_t len, size_t size, int32_t value,
		  struct utf8val_failure *failure)
{
	struct utf8val_dfa dfa = { UTF8VAL_ACCEPT };
	/* Before the first byte, every bit of cp is other than it has to become. */
	uint32_t cp = ~(uint32_t)value;
	uint32_t got = UTF8VAL_ACCEPT;
	size_t left = size;
	size_t i;

	for (i = 0; i < size; i++) {
		got = utf8val_step(&dfa, &cp, s[i]);
		left--;
		if (!same(failure, "step: state and return", i, got, dfa.state) ||
		    (left && !same(failure, "step: midway", i, true, is_midway(got))))
			return false;
		/* RFC 3629's layout: each byte that is left has six bits. */
		if (value >= 0 &&
		    !same(failure, "step: code point", i, (uint32_t)value >> 6 * left, cp))
			return false;
	}
	if (value >= 0)
		return same(failure, "step: accept", i, UTF8VAL_ACCEPT, got);
	/* Unless the first byte was bad, the next byte is rejected, or there is none. */
	if (got != UTF8VAL_REJECT && i < len)
		got = utf8val_step(&dfa, &cp, s[i]);
	else if (value == -UTF8VAL_TRUNCATED)
		return same(failure, "step: midway", i, true, is_midway(got));
	return same(failure, "step: reject", i, UTF8VAL_REJECT, got);
}

/*
 * The decoded sequence as one number: a code point, or a negative reason. INT32_MIN
 * when an ill-formed sequence gave another code point than U+FFFD.
 */
static int32_t as_number(enum utf8val_reason reason, uint32_t cp)
{
	if (reason == UTF8VAL_OK)
		return (int32_t)cp;
	return cp == 0xFFFD ? -(int32_t)reason : INT32_MIN;
}

/* INT32_MIN also where the inline path of utf8val_next() does not do what the function does. */
static int32_t decode_next(const uint8_t **pos, const uint8_t *end)
{
	const uint8_t *other = *pos;
	uint32_t cp = 1, other_cp = 2;
	enum utf8val_reason reason = utf8val_next(pos, end, &cp);

	if ((utf8val_next)(&other, end, &other_cp) != reason || other != *pos ||
	    other_cp != cp)
		return INT32_MIN;
	return as_number(reason, cp);
}

static int32_t decode_prev(const uint8_t **pos, const uint8_t *start)
{
	uint32_t cp = 1;
	enum utf8val_reason reason = utf8val_prev(pos, start, &cp);

	return as_number(reason, cp);
}

/* Check one sequence at s[at]: forwards, backwards, byte by byte, and from its inside. */
static bool one_unit(const uint8_t *s, size_t len, size_t at, size_t size,
		     int32_t value, struct utf8val_failure *failure)
{
	const uint8_t *end = s + at + size;
	const uint8_t *pos = s + at;
	int32_t alone;
	int32_t got = decode_next(&pos, s + len);

	if (!same(failure, "next: value", at, (unsigned long)value, (unsigned long)got) ||
	    !same(failure, "next: moved", at, size, (size_t)(pos - (s + at))))
		return false;
	/*
	 * A walk backwards does not read the byte that ends the sequence too early, so
	 * the reason is UTF8VAL_TRUNCATED instead of UTF8VAL_MISSING_TAIL.
	 */
	oracle_unit(s + at, size, &alone);
	pos = end;
	got = decode_prev(&pos, s);
	if (!same(failure, "prev: value", at, (unsigned long)alone,
		  (unsigned long)got) ||
	    !same(failure, "prev: moved", at, size, (size_t)(end - pos)) ||
	    /* a text that ends here loses the sequence if that could go on */
	    !same(failure, "trim", at,
		  alone == -UTF8VAL_TRUNCATED ? at : at + size,
		  utf8val_trim(s, at + size)))
		return false;
	for (size_t inside = at; inside < at + size; inside++)
		if (!same(failure, "floor", inside, at, utf8val_floor(s, len, inside)))
			return false;
	return steps(s + at, len - at, size, value, failure);
}

/*
 * Check utf8val_replace() with room for cap bytes. The function writes as much of want
 * as fits. The bytes that it did not read become the rest of want.
 */
static bool replaced(const uint8_t *s, size_t len, const uint8_t *want,
		     size_t want_len, uint8_t *got, size_t cap,
		     struct utf8val_failure *failure)
{
	size_t fits = cap < want_len ? cap : want_len;
	struct utf8val_replaced done;

	fill(got, UNWRITTEN, cap + 4);
	done = utf8val_replace(cap ? got : NULL, cap, s, len);
	/* The bytes of want are well-formed, so any byte but a tail begins a character. */
	while (fits < want_len && want[fits] >> 6 == 2)
		fits--;
	return same_bytes(failure, "replace: bytes", cap, want, got, fits) &&
	       unwritten(failure, "replace: beyond", cap, got + fits, got + cap + 4) &&
	       same(failure, "replace: written", cap, fits, done.written) &&
	       same(failure, "replace: all read", cap, fits == want_len,
		    done.read == len) &&
	       same(failure, "replace: the rest", cap, want_len - fits,
		    utf8val_replaced_size(s + done.read, len - done.read));
}

/* Write what repair has to make of the bytes. Returns: how many bytes that is. */
static size_t repaired(const uint8_t *s, size_t len, uint8_t *want, size_t *units)
{
	size_t size = 0, at = 0;

	for (*units = 0; at < len; ++*units) {
		int32_t value;

		at += oracle_unit(s + at, len - at, &value);
		size += oracle_encode(value < 0 ? 0xFFFD : (uint32_t)value, want + size);
	}
	return size;
}

bool utf8val_check_repair(const uint8_t *s, size_t len, size_t less,
			  uint8_t *room, struct utf8val_failure *failure)
{
	size_t units;
	size_t size = repaired(s, len, room, &units);

	return same(failure, "count", len, units, utf8val_count(s, len)) &&
	       same(failure, "replaced size", len, size, utf8val_replaced_size(s, len)) &&
	       replaced(s, len, room, size, room + size, size, failure) &&
	       replaced(s, len, room, size, room + size,
			size > less ? size - less : 0, failure);
}

bool utf8val_check_units(const uint8_t *s, size_t len, struct utf8val_failure *failure)
{
	size_t at = 0;

	while (at < len) {
		int32_t value;
		size_t size = oracle_unit(s + at, len - at, &value);

		if (!one_unit(s, len, at, size, value, failure))
			return false;
		at += size;
	}
	return same(failure, "floor: end", len, len, utf8val_floor(s, len, len)) &&
	       same(failure, "floor: beyond", len, len,
		    utf8val_floor(s, len, (size_t)-1));
}

bool utf8val_check_bytes(const uint8_t *s, size_t len, uint8_t *room,
			 struct utf8val_failure *failure)
{
	size_t units;
	size_t size = repaired(s, len, room, &units);
	/*
	 * Every size of room where the text is short, otherwise the sizes
	 * around the last character.
	 */
	size_t cap = len <= 16 || size < 8 ? 0 : size - 8;
	struct utf8val_result want = oracle_check(s, len);

	if (!utf8val_check_units(s, len, failure) ||
	    !utf8val_check_whole(s, len, want, failure) ||
	    !splits(s, len, want, failure) ||
	    !utf8val_check_repair(s, len, size, room, failure))
		return false;
	for (; cap <= size + 1; cap++)
		if (!replaced(s, len, room, size, room + size, cap, failure))
			return false;
	/* A caller that knows of room enough may pass any number. */
	return same(failure, "replace: room enough", len, size,
		    utf8val_replace(room + size, ~(size_t)0, s, len).written);
}

bool utf8val_check_vector(const struct utf8val_vector *vector,
			  uint8_t scratch[UTF8VAL_SCRATCH],
			  struct utf8val_failure *failure)
{
	struct utf8val_result want = { vector->valid, vector->bad, vector->reason };
	const uint8_t *replaced = vector->replaced ? vector->replaced : vector->bytes;
	uint8_t *room = scratch + UTF8VAL_VECTOR_MAX + 32;
	size_t units;

	/* The oracle agrees with the vector, so the functions have to agree with the oracle. */
	if (!same(failure, "vector: too long", 0, 1, vector->len <= UTF8VAL_VECTOR_MAX) ||
	    !same_result(failure, "vector: oracle", 0, want,
			 oracle_check(vector->bytes, vector->len)) ||
	    !same(failure, "vector: repaired size", 0, vector->replaced_len,
		  repaired(vector->bytes, vector->len, room, &units)) ||
	    !same_bytes(failure, "vector: repaired", 0, replaced, room,
			vector->replaced_len) ||
	    !same(failure, "vector: sequences", 0, vector->units, units))
		return false;
	for (size_t align = 0; align < UTF8VAL_ALIGNMENTS; align++) {
		uint8_t *s = scratch + 4 + align;

		/* These bytes would change the verdict if a function read them. */
		fill(s - 4, 0xF1, 4);
		fill(s + vector->len, 0x80, 4);
		copy(s, vector->bytes, vector->len);
		if (!utf8val_check_bytes(s, vector->len, room, failure))
			return false;
	}
	return true;
}

/*
 * All strings of len bytes out of a set. A failing string is reported as a
 * number made of its bytes, the first byte the highest.
 */
static bool combinations(const uint8_t *set, size_t set_len, size_t len,
			 uint8_t *scratch, struct utf8val_failure *failure)
{
	size_t digit[4] = { 0 };
	size_t i;

	for (;;) {
		for (i = 0; i < len; i++)
			scratch[i] = set[digit[i]];
		/*
		 * A tail after the end, which would complete a sequence that is
		 * cut off there.
		 */
		scratch[len] = 0x80;
		if (!utf8val_check_bytes(scratch, len, scratch + 64, failure)) {
			for (failure->at = 0, i = 0; i < len; i++)
				failure->at = failure->at << 8 | scratch[i];
			return false;
		}
		i = len;
		while (i > 0 && ++digit[i - 1] == set_len)
			digit[--i] = 0;
		if (i == 0)
			return true;
	}
}

static bool every_short_string(uint8_t *scratch, struct utf8val_failure *failure)
{
	uint8_t *all = scratch + UTF8VAL_SCRATCH - 256;

	for (size_t i = 0; i < 256; i++)
		all[i] = (uint8_t)i;
	return combinations(all, 256, 0, scratch, failure) &&
	       combinations(all, 256, 1, scratch, failure) &&
	       combinations(all, 256, 2, scratch, failure);
}

static bool three_edges(uint8_t *scratch, struct utf8val_failure *failure)
{
	return combinations(utf8val_edges, utf8val_edge_count, 3, scratch, failure);
}

static bool four_classes(uint8_t *scratch, struct utf8val_failure *failure)
{
	return combinations(classes, COUNT(classes), 4, scratch, failure);
}

/* Write the first len bytes of one character repeated. Returns: the verdict on them. */
static struct utf8val_result repeat(uint8_t *s, size_t len, const struct sample *character)
{
	size_t in = 0;

	for (size_t i = 0; i < len; i++) {
		s[i] = character->bytes[in++];
		if (in == character->len)
			in = 0;
	}
	return (struct utf8val_result){ len - in, (uint8_t)in,
					in ? UTF8VAL_TRUNCATED : UTF8VAL_OK };
}

static bool cut_at(uint8_t *s, size_t len, struct utf8val_failure *failure)
{
	for (size_t i = 0; i < COUNT(characters); i++) {
		struct utf8val_result want = repeat(s, len, &characters[i]);

		/* A tail after the end that would go on with any of the characters. */
		fill(s + len, 0x9F, 4);
		if (!utf8val_check_whole(s, len, want, failure) ||
		    !same(failure, "floor: before", len, want.valid,
			  utf8val_floor(s, len + 1, len)))
			return false;
	}
	return true;
}

static bool every_length(uint8_t *scratch, struct utf8val_failure *failure)
{
	for (size_t len = 0; len < 256; len++)
		if (!cut_at(scratch, len, failure))
			return false;
	return cut_at(scratch, 4095, failure);
}

static bool unaligned(uint8_t *scratch, struct utf8val_failure *failure)
{
	for (size_t align = 0; align < 16; align++)
		for (size_t len = 0; len < 80; len++)
			if (!cut_at(scratch + align, len, failure))
				return false;
	return true;
}

/* Put a mistake into a text of len bytes, after valid well-formed ones, and take it out. */
static bool mistake_at(uint8_t *s, size_t len, size_t valid, const struct sample *mistake,
		       struct utf8val_failure *failure)
{
	uint8_t saved[4];
	bool passed;

	copy(saved, s + valid, mistake->len);
	copy(s + valid, mistake->bytes, mistake->len);
	passed = utf8val_check_whole(s, len, wrong(mistake, valid), failure);
	copy(s + valid, saved, mistake->len);
	return passed;
}

/* Put each mistake at each step-th character of a text of one character repeated. */
static bool mistakes_in(uint8_t *s, size_t len, size_t step,
			struct utf8val_failure *failure)
{
	for (size_t i = 0; i < COUNT(characters); i++) {
		repeat(s, len, &characters[i]);
		for (size_t j = 0; j < COUNT(mistakes); j++)
			for (size_t at = 0; at + mistakes[j].len <= len;
			     at += characters[i].len * step)
				if (!mistake_at(s, len, at, &mistakes[j], failure))
					return false;
	}
	return true;
}

/*
 * Check characters that have ASCII between two of their bytes. An engine that skips
 * words of ASCII in the middle of a character would find the tails after that ASCII.
 */
static bool torn(uint8_t *scratch, struct utf8val_failure *failure)
{
	for (size_t i = 0; i < COUNT(characters) * 4; i++) {
		const struct sample *character = &characters[i / 4];
		struct utf8val_result want = { 0, (uint8_t)(i % 4),
					       UTF8VAL_MISSING_TAIL };

		if (!want.bad || want.bad >= character->len)
			continue;
		for (size_t at = 0; at < 16 * 40; at++) {
			size_t before = at % 16, between = at / 16 + 1;
			uint8_t *s = scratch + before;

			fill(scratch, 'a', 64);
			copy(s, character->bytes, want.bad);
			copy(s + want.bad + between, character->bytes + want.bad,
			     character->len - want.bad);
			want.valid = before;
			if (!utf8val_check_whole(scratch,
				   before + character->len + between, want,
				   failure))
				return false;
		}
	}
	return true;
}

static bool every_position(uint8_t *scratch, struct utf8val_failure *failure)
{
	return mistakes_in(scratch + 1, 131, 1, failure);
}

/*
 * Change each byte of a text, also within characters; the oracle says what the
 * result is then.
 */
static bool every_change(uint8_t *scratch, struct utf8val_failure *failure)
{
	static const uint8_t changes[] = { 0x41, 0x80, 0xC0, 0xC3, 0xE0, 0xFF };
	const size_t len = 76;

	for (size_t i = 0; i < COUNT(characters); i++) {
		repeat(scratch, len, &characters[i]);
		for (size_t at = 0; at < len; at++) {
			uint8_t saved = scratch[at];

			for (size_t j = 0; j < COUNT(changes); j++) {
				scratch[at] = changes[j];
				if (!utf8val_check_whole(scratch, len,
					   oracle_check(scratch, len), failure))
					return false;
			}
			scratch[at] = saved;
		}
	}
	return true;
}

static bool long_text(uint8_t *scratch, struct utf8val_failure *failure)
{
	return mistakes_in(scratch, 4095, 211, failure);
}

/* Encode one code point and decode it again, forwards and backwards. */
static bool round_trip(uint32_t cp, uint8_t *room, struct utf8val_failure *failure)
{
	uint8_t want[4];
	size_t len = oracle_encode(cp, want);
	const uint8_t *pos;
	int32_t got;

	fill(room, UNWRITTEN, 5);
	if (!same(failure, "encode: length", cp, len, utf8val_encode(cp, room)) ||
	    !same_bytes(failure, "encode: bytes", cp, want, room, len) ||
	    !unwritten(failure, "encode: beyond", cp, room + len, room + 5))
		return false;
	if (!len)
		return true;
	pos = room;
	got = decode_next(&pos, room + len);
	if (!same(failure, "next: code point", cp, cp, (unsigned long)got) ||
	    !same(failure, "next: moved", cp, len, (size_t)(pos - room)))
		return false;
	got = decode_prev(&pos, room);
	return same(failure, "prev: code point", cp, cp, (unsigned long)got) &&
	       same(failure, "prev: moved", cp, 0, (size_t)(pos - room)) &&
	       same(failure, "valid: code point", cp, 1, utf8val_valid(room, len));
}

static bool every_code_point(uint8_t *scratch, struct utf8val_failure *failure)
{
	for (uint32_t cp = 0; cp <= 0x110000; cp++)
		if (!round_trip(cp, scratch, failure))
			return false;
	return true;
}

static bool beyond_unicode(uint8_t *scratch, struct utf8val_failure *failure)
{
	for (uint32_t bit = 0x100000; bit; bit <<= 1)
		for (uint32_t low = 0; low < 0x20000; low += 0x1FF)
			if (!round_trip(bit | low, scratch, failure))
				return false;
	return round_trip(0xFFFFFFFF, scratch, failure) &&
	       round_trip(0x7FFFFFFF, scratch, failure);
}

/* A text that is copied whole: no byte is left out, none comes twice. */
static bool plain_copies(uint8_t *scratch, struct utf8val_failure *failure)
{
	for (size_t len = 0; len < 80; len++) {
		if (!utf8val_check_bytes(scratch, len, scratch + 80, failure))
			return false;
		scratch[len] = (uint8_t)(0x21 + len);
	}
	return true;
}

/*
 * Check that nothing is decoded at pos, in either direction, when the input ends or
 * starts there. The same when it does on the wrong side of pos, for example with
 * swapped arguments.
 */
static bool ends(const uint8_t *pos, size_t beyond, struct utf8val_failure *failure)
{
	const uint8_t *after = pos;
	const uint8_t *before = pos;
	/* pos may be NULL, to which not even 0 may be added */
	const uint8_t *end = beyond ? pos - beyond : pos;
	const uint8_t *start = beyond ? pos + beyond : pos;
	uint32_t next = 1;
	uint32_t prev = 2;

	return same(failure, "next at the end", beyond, UTF8VAL_END,
		    utf8val_next(&after, end, &next)) &&
	       same(failure, "next stays", beyond, 1, after == pos && next == 0xFFFD) &&
	       same(failure, "prev at the start", beyond, UTF8VAL_END,
		    utf8val_prev(&before, start, &prev)) &&
	       same(failure, "prev stays", beyond, 1, before == pos && prev == 0xFFFD);
}

static bool nothing(uint8_t *scratch, struct utf8val_failure *failure)
{
	struct utf8val_result want = { 0, 0, UTF8VAL_OK };
	struct utf8val_dfa dfa = { 0xE4 };

	if (!utf8val_check_whole(NULL, 0, want, failure) ||
	    !same(failure, "feed", 0, 1, utf8val_feed(&dfa, NULL, 0)) ||
	    !same(failure, "feed: state", 0, 0xE4, dfa.state) ||
	    !same(failure, "count", 0, 0, utf8val_count(NULL, 0)) ||
	    !same(failure, "floor", 0, 0, utf8val_floor(NULL, 0, 9)) ||
	    !same(failure, "trim", 0, 0, utf8val_trim(NULL, 0)) ||
	    !same(failure, "replaced size", 0, 0, utf8val_replaced_size(NULL, 0)) ||
	    !same(failure, "replace", 0, 0, utf8val_replace(NULL, 0, NULL, 0).written) ||
	    !same(failure, "replace: no room", 0, 0,
		  utf8val_replace(NULL, 0, scratch, 1).read))
		return false;
	/* With well-formed text on both sides. */
	fill(scratch, 0x41, 8);
	return ends(NULL, 0, failure) && ends(scratch + 4, 0, failure) &&
	       ends(scratch + 4, 3, failure);
}

/* After the first error nothing changes the verdict. */
static bool stream_stands(uint8_t *scratch, struct utf8val_failure *failure)
{
	for (size_t i = 0; i < COUNT(mistakes); i++) {
		const struct sample *mistake = &mistakes[i];
		struct utf8val_result want = wrong(mistake, 3);
		struct utf8val_stream stream;

		copy(scratch, characters[2].bytes, 3);
		copy(scratch + 3, mistake->bytes, mistake->len);
		utf8val_stream_init(&stream);
		utf8val_stream_feed(&stream, scratch, 3u + mistake->len);
		for (size_t byte = 0; byte < 256; byte++) {
			scratch[0] = (uint8_t)byte;
			if (!same(failure, "feed after an error", byte, 0,
				  utf8val_stream_feed(&stream, scratch, 1)) ||
			    !same_result(failure, "after an error", byte, want,
					 utf8val_stream_finish(&stream)))
				return false;
		}
		if (!same(failure, "feed nothing after an error", i, 0,
			  utf8val_stream_feed(&stream, NULL, 0)))
			return false;
	}
	return true;
}

/* A copy of a stream does not change the original, and init makes a used stream new. */
static bool stream_copies(uint8_t *scratch, struct utf8val_failure *failure)
{
	const struct utf8val_result good = { 4, 0, UTF8VAL_OK };
	const struct utf8val_result broken = { 0, 2, UTF8VAL_MISSING_TAIL };
	const struct utf8val_result none = { 0, 0, UTF8VAL_OK };
	struct utf8val_stream stream, twin;

	copy(scratch, characters[3].bytes, 4);
	utf8val_stream_init(&stream);
	utf8val_stream_feed(&stream, scratch, 2);
	twin = stream;
	utf8val_stream_feed(&stream, scratch + 2, 2);
	scratch[2] = 0x41;
	utf8val_stream_feed(&twin, scratch + 2, 1);
	if (!same_result(failure, "the original", 0, good,
			 utf8val_stream_finish(&stream)) ||
	    !same_result(failure, "the copy", 0, broken, utf8val_stream_finish(&twin)))
		return false;
	utf8val_stream_init(&twin);
	return same_result(failure, "new again", 0, none, utf8val_stream_finish(&twin));
}

/* No byte leads out of UTF8VAL_REJECT, nor out of a value that is no state. */
static bool stays_rejected(uint8_t *scratch, struct utf8val_failure *failure)
{
	static const uint32_t dead[] = {
		UTF8VAL_REJECT, 0x01, 0x80, 0xC1, 0xF5, 0xFE, 0x100, 0xE1E1E1E1,
		0x400000E1, 0x7FFFFFFF, 0x80000000, 0x800000C2, 0xFFFFFFFF,
	};

	for (size_t i = 0; i < COUNT(dead); i++) {
		for (uint32_t byte = 0; byte < 256; byte++) {
			struct utf8val_dfa stepped = { dead[i] }, fed = { dead[i] };
			uint32_t cp = 0;

			*scratch = (uint8_t)byte;
			if (!same(failure, "no way out", byte, UTF8VAL_REJECT,
				  utf8val_step(&stepped, &cp, *scratch)) ||
			    !same(failure, "feed: no way out", byte, 0,
				  utf8val_feed(&fed, scratch, byte % 2)) ||
			    !same(failure, "feed: rejected", byte, UTF8VAL_REJECT, fed.state))
				return false;
		}
	}
	return true;
}

/* A reason that UTF8VAL_REASON_LIST lacks, or has twice, does not compile here. */
static bool listed(enum utf8val_reason reason)
{
	switch (reason) {
#define REASON_CASE(id, ...) case UTF8VAL_##id:
	UTF8VAL_REASON_LIST(REASON_CASE, REASON_CASE)
		return true;
	case UTF8VAL_END:
		break;
	}
	return false;
}

static bool reason_names(uint8_t *scratch, struct utf8val_failure *failure)
{
#define REASON_WORD(id, word) word,
	static const char *const names[] = {
		UTF8VAL_REASON_LIST(REASON_WORD, REASON_WORD) "unknown", "unknown"
	};

	(void)scratch;
	for (size_t i = 0; i < COUNT(names); i++) {
		const char *got = utf8val_reason_name((unsigned int)i);
		size_t at = 0;

		while (names[i][at] && got[at] == names[i][at])
			at++;
		if (!same(failure, "letter", i, (unsigned long)names[i][at],
			  (unsigned long)got[at]))
			return false;
	}
	if (!same(failure, "listed", 0, true, listed(UTF8VAL_TRUNCATED)))
		return false;
	return same(failure, "far outside", 0, 'u',
		    (unsigned long)*utf8val_reason_name((unsigned int)-1));
}

const struct utf8val_case utf8val_cases[] = {
	{ "no input at all", nothing },
	{ "every string of 0, 1 and 2 bytes", every_short_string },
	{ "three bytes: the edges of every class", three_edges },
	{ "four bytes: every class", four_classes },
	{ "characters cut at 1 to 255 and 4095 bytes", every_length },
	{ "unaligned starts", unaligned },
	{ "every mistake at every position", every_position },
	{ "every byte changed", every_change },
	{ "characters torn apart by ASCII", torn },
	{ "mistakes in 4095 bytes", long_text },
	{ "plain text of 0 to 79 bytes copied", plain_copies },
	{ "every code point out and in", every_code_point },
	{ "no code point beyond Unicode", beyond_unicode },
	{ "a stream stands still after an error", stream_stands },
	{ "a stream can be copied and initialised again", stream_copies },
	{ "a rejected state stays rejected", stays_rejected },
	{ "reasons have names", reason_names },
};

const size_t utf8val_case_count = COUNT(utf8val_cases);
