// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The library's functions, as a walk over the automaton of engine/tables.h, where a
 * state is written as a lead byte. Programs call them through utf8val.h. A sequence is
 * called "unit" in identifiers.
 */
#include "engine/tables.h"
#include "engine/engine.h"
#include "engine/reason.h"

/* the function, not the inline path before it */
#ifdef UTF8VAL_INLINE
#undef utf8val_next
#endif

/* C99 does not have static assertions; there a declaration says nothing */
#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define STATIC_ASSERT(is, why) _Static_assert(is, why)
#else
#define STATIC_ASSERT(is, why) struct utf8val_not_asserted
#endif

#define UTF8VAL_REPLACEMENT 0xFFFDu

STATIC_ASSERT(UTF8VAL_ACCEPT == UTF8VAL_STATE_ACCEPT,
	      "the header's initial state is the automaton's");
STATIC_ASSERT(UTF8VAL_REJECT == UTF8VAL_STATE_REJECT,
	      "the header's dead state is the automaton's");

static bool is_tail(uint32_t byte)
{
	return byte - 0x80u < 0x40u;
}

static bool is_lead(uint32_t byte)
{
	return byte >= UTF8VAL_LEAD_FIRST && byte <= UTF8VAL_LEAD_LAST;
}

/*
 * Is this a row that a lead and a fitting second byte make? Rows are explained
 * in engine/tables.h.
 */
static bool is_row(uint32_t row)
{
	return row >= UTF8VAL_ROW3_FIRST && row <= UTF8VAL_ROW4_LAST &&
	       row != UTF8VAL_ROW4 && row >> 1 != UTF8VAL_ROW3_HOLE;
}

static uint32_t row_of(uint32_t lead, uint32_t tail)
{
	return 4u * (lead - UTF8VAL_LEAD_3) + ((tail - 0x80u) >> 4);
}

/* The automaton's transition function. */
static uint32_t next_state(uint32_t state, uint32_t byte)
{
	if (state == UTF8VAL_STATE_ACCEPT) {
		if (byte < 0x80u)
			return UTF8VAL_STATE_ACCEPT;
		return is_lead(byte) ? byte : UTF8VAL_STATE_REJECT;
	}
	if (!is_tail(byte))
		return UTF8VAL_STATE_REJECT;
	if (state < UTF8VAL_LEAD_3)
		return UTF8VAL_STATE_ACCEPT;
	if (!is_row(row_of(state, byte)))
		return UTF8VAL_STATE_REJECT;
	/*
	 * One tail fewer is due, and any tail is accepted: E1, two tails, after
	 * F0..F4, and D1, one tail, after E0..EF.
	 */
	return (state & 0xF0u) - 0x0Fu;
}

/*
 * The end of the input. A length of 0 may come with a null pointer, to which
 * even adding 0 would be undefined.
 */
static const uint8_t *end_of(const uint8_t *s, size_t len)
{
	return len ? s + len : s;
}

size_t utf8val_prefix(const void *buf, size_t len)
{
	return utf8val_engine_prefix(buf, len);
}

/*
 * The prefix for other functions. An engine for text mostly consists of calls, and is
 * inlined; of other engines, one copy is enough.
 */
static inline size_t prefix_of(const uint8_t *s, size_t len)
{
#ifdef UTF8VAL_ENGINE_TEXT
	return utf8val_engine_prefix(s, len);
#else
	return utf8val_prefix(s, len);
#endif
}

bool utf8val_valid(const void *buf, size_t len)
{
#ifdef UTF8VAL_ENGINE_VALID
	return utf8val_engine_valid(buf, len);
#else
	return utf8val_prefix(buf, len) == len;
#endif
}

struct utf8val_result utf8val_check(const void *buf, size_t len)
{
	/*
	 * no initialiser: without optimisation, compilers call memset() for one
	 */
	struct utf8val_result result;
	const uint8_t *s = buf;
	enum utf8val_reason reason = UTF8VAL_OK;
	size_t bad = 0;

	result.valid = prefix_of(s, len);
	if (result.valid != len) {
		const uint8_t *pos = s + result.valid;
		uint32_t cp;

		reason = utf8val_next(&pos, s + len, &cp);
		bad = (size_t)(pos - s) - result.valid;
	}
	/*
	 * narrowed only here: earlier, the conversion would take instructions
	 */
	result.bad = (uint8_t)bad;
	result.reason = (uint8_t)reason;
	return result;
}

/*
 * The words of the reasons one after the other, each with its NUL, and the offset of
 * each. Pointers to strings would take more flash, and RAM in position-independent code.
 * Some compilers also put all strings of a file into one section.
 */
#define REASON_UNKNOWN "unknown"
#define REASON_WORD(id, word) \
	word "\0"
#define REASON_ENUM(id, word) \
	PLACE_##id, LAST_##id = PLACE_##id + sizeof(word) - 1u,
#define REASON_PLACE(id, word) \
	[UTF8VAL_##id] = (uint8_t)PLACE_##id,
#define REASON_BIT(id, ...) | 1u << UTF8VAL_##id

enum {
	LAST_UNKNOWN = sizeof(REASON_UNKNOWN) - 1u,
	UTF8VAL_REASON_LIST(REASON_ENUM, REASON_ENUM)
};

STATIC_ASSERT((0u UTF8VAL_REASON_LIST(REASON_BIT, REASON_BIT)) ==
	      (1u << UTF8VAL_REASONS) - 1,
	      "the list of reasons has each number below UTF8VAL_REASONS");

const char *utf8val_reason_name(unsigned int reason)
{
	static const char words[] = REASON_UNKNOWN "\0"
		UTF8VAL_REASON_LIST(REASON_WORD, REASON_WORD);
	/* the last offset, which no reason has, is 0: that of "unknown" */
	static const uint8_t places[UTF8VAL_REASONS + 1] = {
		UTF8VAL_REASON_LIST(REASON_PLACE, REASON_PLACE)
	};

	if (reason > UTF8VAL_REASONS)
		reason = UTF8VAL_REASONS;
	return words + places[reason];
}

/*
 * The transition of next_state() and the code point in one function, whose code
 * is a quarter smaller than that of two.
 */
uint32_t utf8val_step(struct utf8val_dfa *dfa, uint32_t *cp, uint8_t byte)
{
	uint32_t state = dfa->state;
	uint32_t next = UTF8VAL_STATE_REJECT;
	uint32_t bits = byte;

	if (state == UTF8VAL_STATE_ACCEPT) {
		if (bits < 0x80u) {
			next = UTF8VAL_STATE_ACCEPT;
		} else if (is_lead(bits)) {
			next = bits;
			bits &= 0x1Fu;
			/* also right for a four-byte lead, whose bit 3 is 0 */
			if (next >= UTF8VAL_LEAD_3)
				bits &= 0x0Fu;
		}
		*cp = bits;
	} else {
		bits -= 0x80u;
		/* UTF8VAL_REJECT is no lead, and neither is what is no state */
		if (bits < 0x40u && is_lead(state)) {
			*cp = *cp * 64u + bits;
			if (state < UTF8VAL_LEAD_3) {
				next = UTF8VAL_STATE_ACCEPT;
			} else {
				uint32_t row = 4u * (state - UTF8VAL_LEAD_3) +
					       (bits >> 4);

				if (is_row(row))
					next = row < UTF8VAL_ROW4 ?
						UTF8VAL_STATE_ONE_TAIL :
						UTF8VAL_STATE_TWO_TAILS;
			}
		}
	}
	dfa->state = next;
	return next;
}

bool utf8val_feed(struct utf8val_dfa *dfa, const void *buf, size_t len)
{
	const uint8_t *s = buf;
	uint32_t now = dfa->state;
	size_t at = 0;

	for (;;)
	UTF8VAL_LOOP(feed) {
		while (now != UTF8VAL_STATE_ACCEPT)
		UTF8VAL_LOOP(feed_tails) {
			/*
			 * neither UTF8VAL_REJECT nor what is no state is a
			 * lead, nor is a byte that cannot begin a character
			 */
			if (!is_lead(now)) {
				now = UTF8VAL_STATE_REJECT;
				goto out;
			}
			if (at == len)
				goto out;
			now = next_state(now, s[at]);
			at++;
		}
#ifdef UTF8VAL_ENGINE_BYTEWISE
		/* a loop for ASCII alone, which need not look at the state */
		do
		UTF8VAL_LOOP(feed_ascii) {
			now = UTF8VAL_STATE_ACCEPT;
			if (at == len)
				goto out;
			now = s[at];
			at++;
		} while (now < 0x80u);
#else
		if (at != len)
			at += prefix_of(s + at, len - at);
		if (at == len)
			goto out;
		now = s[at];
		at++;
#endif
	}
out:
	dfa->state = now;
	return now != UTF8VAL_STATE_REJECT;
}

void utf8val_stream_init(struct utf8val_stream *stream)
{
	stream->valid = 0;
	stream->pending = 0;
	stream->reason = UTF8VAL_OK;
}

bool utf8val_stream_feed(struct utf8val_stream *stream, const void *buf,
			 size_t len)
{
	const uint8_t *s = buf;
	const uint8_t *end = end_of(s, len);

	while (stream->reason == UTF8VAL_OK && s != end)
	UTF8VAL_LOOP(stream) {
		const uint8_t *pos = stream->bytes;
		enum utf8val_reason reason;
		uint32_t cp;

		if (!stream->pending) {
			size_t good = utf8val_prefix(s, (size_t)(end - s));

			stream->valid += good;
			s += good;
			if (s == end)
				break;
		}
		stream->bytes[stream->pending++] = *s++;
		reason = utf8val_next(&pos, stream->bytes + stream->pending, &cp);
		if (reason == UTF8VAL_OK) {
			stream->valid += stream->pending;
			stream->pending = 0;
		} else if (reason != UTF8VAL_TRUNCATED) {
			stream->pending = (uint8_t)(pos - stream->bytes);
			stream->reason = (uint8_t)reason;
		}
	}
	return stream->reason == UTF8VAL_OK;
}

struct utf8val_result
utf8val_stream_finish(const struct utf8val_stream *stream)
{
	struct utf8val_result result;

	result.valid = stream->valid;
	result.bad = stream->pending;
	result.reason = stream->reason;
	if (result.bad && result.reason == UTF8VAL_OK)
		result.reason = UTF8VAL_TRUNCATED;
	return result;
}

/*
 * The upper bits of a code point. Their comparison takes less code than that of
 * the whole code point, because the constants are small.
 */
static uint32_t bits_from(uint32_t cp, uint32_t bit)
{
	return cp >> bit;
}

/*
 * This function is long because a separate function for the rows would take more flash.
 * Where compilers do not inline that function to the same code, the cost is 18 bytes on AVR,
 * and 16 on x86-64.
 */
enum utf8val_reason utf8val_next(const uint8_t **pos, const uint8_t *end,
				 uint32_t *cp)
{
	const uint8_t *s = *pos;
	enum utf8val_reason reason;
	uint32_t first;
	uint32_t due;
	uint32_t value;

	UTF8VAL_FUNCTION(next)
	cp[0] = UTF8VAL_REPLACEMENT;
	reason = UTF8VAL_END;
	if (s >= end)
		goto ill_formed;
	/* any first byte belongs to the sequence */
	first = *s;
	s++;
	value = first;
	if (first < 0x80u)
		goto well_formed;
	if (!is_lead(first))
		goto no_char;
	/* has as many ones at the top as tails are due */
	due = (first - 0x80u) * 0x2000000u;
	value = first % 32u;
	for (;;) {
		uint32_t tail;
		uint32_t row;

		reason = UTF8VAL_TRUNCATED;
		if (s >= end)
			goto ill_formed;
		reason = UTF8VAL_MISSING_TAIL;
		tail = *s - 0x80u;
		if (tail >= 0x40u)
			goto ill_formed;
		value = value * 64u + tail;
		due = (due - 0x80000000u) * 2u;
		if (due < 0x80000000u) {
			s++;
			/*
			 * drop bit 4 of a four-byte lead, which is no part of
			 * the code point
			 */
			value %= 0x400000u;
			goto well_formed;
		}
		/*
		 * the row of engine/tables.h; after a third byte it is far
		 * above all rows
		 */
		row = bits_from(value, 4);
		if (row == (uint32_t)UTF8VAL_ROW4 ||
		    (row > (uint32_t)UTF8VAL_ROW4_LAST &&
		     row <= (uint32_t)UTF8VAL_ROW4_LAST + 3u))
			goto no_char;
		row = bits_from(value, 5);
		if (row == 0u || row == UTF8VAL_ROW3_HOLE)
			goto no_char;
		s++;
	}
no_char:
	reason = utf8val_lead_reason(first);
	goto ill_formed;
well_formed:
	*cp = value;
	reason = UTF8VAL_OK;
ill_formed:
	*pos = s;
	return reason;
}

enum utf8val_reason utf8val_prev(const uint8_t **pos, const uint8_t *start,
				 uint32_t *cp)
{
	const uint8_t *end = *pos;
	const uint8_t *s = end;
	const uint8_t *past;
	enum utf8val_reason reason;

#ifdef UTF8VAL_ENGINE_TEXT
	if (s > start && s[-1] < 0x80u) {
		*cp = s[-1];
		*pos = s - 1;
		return UTF8VAL_OK;
	}
#endif
	/* all bytes of a sequence except its first are tails */
	while (s > start && end - s < 4) {
		s--;
		if (!is_tail(*s))
			break;
	}
	past = s;
	reason = utf8val_next(&past, end, cp);
	if (past != end) {
		*cp = UTF8VAL_REPLACEMENT;
		reason = UTF8VAL_STRAY_TAIL;
		s = end - 1;
	}
	*pos = s;
	return reason;
}

size_t utf8val_encode(uint32_t cp, uint8_t out[4])
{
	size_t len = 2;
	size_t at;

	if (cp < 0x80u) {
		out[0] = (uint8_t)cp;
		return 1;
	}
	/* no scalar values: D800..DFFF, and from 110000 on */
	if (bits_from(cp, 11) == 0x1Bu || bits_from(cp, 16) > 0x10u)
		return 0;
	if (bits_from(cp, 11) != 0u)
		len++;
	if (bits_from(cp, 16) != 0u)
		len++;
	for (at = len - 1; at; at--) {
		out[at] = (uint8_t)(0x80u + cp % 64u);
		cp /= 64u;
	}
	/* the lead begins with as many ones as there are bytes, and a zero */
	out[0] = (uint8_t)(0xF00u >> len | cp);
	return len;
}

size_t utf8val_count(const void *buf, size_t len)
{
	const uint8_t *pos = buf;
	const uint8_t *end = end_of(pos, len);
	size_t units = 0;

	for (;;)
	UTF8VAL_LOOP(count) {
		enum utf8val_reason reason;
		uint32_t cp;

#ifdef UTF8VAL_ENGINE_TEXT
		if (pos != end)
			pos += utf8val_engine_count(pos, (size_t)(end - pos),
						    &units);
#endif
		/*
		 * Errors come together, so the sequence after one is decoded by
		 * itself.
		 */
		do
		UTF8VAL_LOOP(count_bad) {
			reason = utf8val_next(&pos, end, &cp);
			if (reason == UTF8VAL_END)
				return units;
			units++;
		} while (reason != UTF8VAL_OK);
	}
}

size_t utf8val_floor(const void *buf, size_t len, size_t at)
{
	const uint8_t *s = buf;
	const uint8_t *end;
	const uint8_t *pos;
	size_t from;
	enum utf8val_reason reason;
	uint32_t cp;

	if (at >= len)
		return len;
	from = at + 1;
	end = s + from;
	do
		from--;
	while (from && at - from < 3 && is_tail(s[from]));
	/* does the sequence that begins at pos include s[at]? */
	pos = s + from;
	reason = utf8val_next(&pos, end, &cp);
	(void)reason;
	return pos == end ? from : at;
}

size_t utf8val_trim(const void *buf, size_t len)
{
	const uint8_t *s = buf;
	const uint8_t *pos = end_of(s, len);
	uint32_t cp;

	return utf8val_prev(&pos, s, &cp) == UTF8VAL_TRUNCATED ?
		(size_t)(pos - s) : len;
}

size_t utf8val_replaced_size(const void *buf, size_t len)
{
	const uint8_t *pos = buf;
	const uint8_t *end = end_of(pos, len);
	size_t more = 0;

	for (;;)
	UTF8VAL_LOOP(replaced_size) {
		enum utf8val_reason reason;

#ifdef UTF8VAL_ENGINE_TEXT
		if (pos != end)
			pos += prefix_of(pos, (size_t)(end - pos));
#endif
		do
		UTF8VAL_LOOP(replaced_size_bad) {
			const uint8_t *from = pos;
			uint32_t cp;

			reason = utf8val_next(&pos, end, &cp);
			if (reason == UTF8VAL_END)
				return more > (size_t)-1 - len ? (size_t)-1 :
								 len + more;
			if (reason != UTF8VAL_OK)
				more += 3u - (size_t)(pos - from);
		} while (reason != UTF8VAL_OK);
	}
}

/* Copy one sequence, of a byte or more, or, with an engine for text, whole text. */
static inline void copy_bytes(uint8_t *d, const uint8_t *s, size_t len)
{
#ifdef UTF8VAL_ENGINE_TEXT
	utf8val_engine_copy(d, s, len);
#else
	do {
		len--;
		d[len] = s[len];
	} while (len != 0u);
#endif
}

struct utf8val_replaced utf8val_replace(void *dst, size_t cap, const void *src,
					size_t len)
{
	struct utf8val_replaced done;
	uint8_t *d = dst;
	const uint8_t *s = src;
	size_t put = 0;
	size_t at = 0;
#ifdef UTF8VAL_ENGINE_TEXT
	bool is_text = true;
#endif

	/*
	 * Without room, d may be NULL, and adding even 0 to a null pointer would
	 * be undefined. The loop is not entered then.
	 */
	while (at != len && put != cap)
	UTF8VAL_LOOP(replace) {
		const uint8_t *from = s + at;
		const uint8_t *pos = from;
		enum utf8val_reason reason;
		size_t size;
		uint32_t cp;

#ifdef UTF8VAL_ENGINE_TEXT
		if (is_text) {
			/* a part that is still in the cache when it is copied */
			size = len - at;
			if (size > cap - put)
				size = cap - put;
			if (size > UTF8VAL_ENGINE_TEXT)
				size = UTF8VAL_ENGINE_TEXT;
			size = prefix_of(from, size);
			copy_bytes(d + put, from, size);
			put += size;
			at += size;
			is_text = false;
			continue;
		}
#endif
		reason = utf8val_next(&pos, s + len, &cp);
		size = (size_t)(pos - from);
		if (reason != UTF8VAL_OK) {
			/*
			 * A string, because compilers put strings and tables
			 * into different sections: without -fdata-sections, a
			 * table would bring all other tables.
			 */
			from = (const uint8_t *)"\xEF\xBF\xBD";
			size = 3;
		}
		if (size > cap - put)
			break;
		copy_bytes(d + put, from, size);
		put += size;
		at = (size_t)(pos - s);
#ifdef UTF8VAL_ENGINE_TEXT
		is_text = reason == UTF8VAL_OK;
#endif
	}
	done.read = at;
	done.written = put;
	return done;
}

const char *utf8val_version(void)
{
	return UTF8VAL_VERSION;
}
