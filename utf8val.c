// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The core: a walk over the automaton of engine/tables.h, where a state is
 * written as a lead byte. What comments call a sequence is a unit in
 * identifiers.
 */
#include "engine/tables.h"
#include "engine/engine.h"

_Static_assert(UTF8VAL_ACCEPT == UTF8VAL_STATE_ACCEPT,
	       "the header's initial state is the automaton's");
_Static_assert(UTF8VAL_REJECT == UTF8VAL_STATE_REJECT,
	       "the header's dead state is the automaton's");

_Static_assert(UTF8VAL_OVERLONG + 1 == UTF8VAL_SURROGATE &&
	       UTF8VAL_OVERLONG + 2 == UTF8VAL_TOO_LARGE &&
	       UTF8VAL_OVERLONG + 3 == UTF8VAL_BAD_LEAD,
	       "the reasons stand in the order of the rows that have them");

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
	 * A tail less is due, and any tail will do: E1, two tails, after
	 * F0..F4, and D1, one tail, after E0..EF.
	 */
	return (state & 0xF0u) - 0x0Fu;
}

/*
 * Where the input ends. A length of 0 may come with a null pointer, to which
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

#ifdef UTF8VAL_ENGINE_PREFIX_ONLY
static inline bool utf8val_engine_valid(const uint8_t *s, size_t len)
{
	/* calls the function, as one copy of the walk is enough */
	return utf8val_prefix(s, len) == len;
}

static inline struct utf8val_result utf8val_engine_check(const uint8_t *s,
							 size_t len)
{
	/*
	 * no initialiser: without optimisation, compilers call memset() for one
	 */
	struct utf8val_result result;
	int32_t value = -(int32_t)UTF8VAL_OK;
	size_t bad = 0;

	result.valid = utf8val_prefix(s, len);
	if (result.valid != len) {
		const uint8_t *pos = s + result.valid;

		pos = utf8val_next(pos, s + len, &value);
		bad = (size_t)(pos - s) - result.valid;
	}
	/*
	 * narrowed only here: earlier, the conversion would take instructions
	 */
	result.bad = (uint8_t)bad;
	result.reason = (uint8_t)-value;
	return result;
}
#endif

bool utf8val_valid(const void *buf, size_t len)
{
	return utf8val_engine_valid(buf, len);
}

struct utf8val_result utf8val_check(const void *buf, size_t len)
{
	return utf8val_engine_check(buf, len);
}

#define REASON_NAME(id, word) \
	[UTF8VAL_##id] = word,
#define REASON_BIT(id, ...) | 1u << UTF8VAL_##id

_Static_assert((0u UTF8VAL_REASON_LIST(REASON_BIT, REASON_BIT)) ==
	       (1u << UTF8VAL_REASONS) - 1,
	       "the list of reasons has each number below UTF8VAL_REASONS");

const char *utf8val_reason_name(unsigned int reason)
{
	static const char *const names[UTF8VAL_REASONS] = {
		UTF8VAL_REASON_LIST(REASON_NAME, REASON_NAME)
	};

	if (reason >= UTF8VAL_REASONS)
		return "unknown";
	return names[reason];
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
		/* a loop for ASCII alone, which need not look at the state */
		do
		UTF8VAL_LOOP(feed_ascii) {
			now = UTF8VAL_STATE_ACCEPT;
			if (at == len)
				goto out;
			now = s[at];
			at++;
		} while (now < 0x80u);
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
		int32_t cp;

		if (!stream->pending) {
			size_t good = utf8val_prefix(s, (size_t)(end - s));

			stream->valid += good;
			s += good;
			if (s == end)
				break;
		}
		stream->bytes[stream->pending++] = *s++;
		pos = utf8val_next(pos, stream->bytes + stream->pending, &cp);
		if (cp >= 0) {
			stream->valid += stream->pending;
			stream->pending = 0;
		} else if (cp != -UTF8VAL_TRUNCATED) {
			stream->pending = (uint8_t)(pos - stream->bytes);
			stream->reason = (uint8_t)-cp;
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
 * The upper bits of a code point. To compare them takes less code than to
 * compare the whole code point, as the constants are small.
 */
static uint32_t bits_from(uint32_t cp, uint32_t bit)
{
	return cp >> bit;
}

const void *utf8val_next(const void *pos, const void *end, int32_t *cp)
{
	const uint8_t *limit = end;
	const uint8_t *s = pos;
	uint32_t reason = 0u - (uint32_t)UTF8VAL_END;
	uint32_t lead;
	uint32_t due;
	uint32_t value;

	UTF8VAL_FUNCTION(next)
	if (s == limit)
		goto ill_formed;
	/* the first byte belongs to the sequence, whatever it is */
	value = *s;
	s++;
	if (value < 0x80u)
		goto out;
	reason = UTF8VAL_STRAY_TAIL;
	if (value < 0xC0u)
		goto ill_formed;
	/* has as many ones at the top as tails are due */
	due = (value - 0x80u) * 0x2000000u;
	lead = value % 32u;
	if (!is_lead(value))
		goto no_char;
	value = lead;
	for (;;) {
		uint32_t tail;
		uint32_t row;

		reason = UTF8VAL_TRUNCATED;
		/* not ==, with which GCC keeps s in two registers */
		if (s >= limit)
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
			goto out;
		}
		/*
		 * the row of engine/tables.h; after a third byte it is far
		 * above all rows
		 */
		row = bits_from(value, 4);
		if (row == (uint32_t)UTF8VAL_ROW4) {
			/*
			 * F0 80..8F is overlong: lead 0, which E0 has, gives
			 * that reason
			 */
			lead = 0;
			goto no_char;
		}
		if (row > (uint32_t)UTF8VAL_ROW4_LAST &&
		    row <= (uint32_t)UTF8VAL_ROW4_LAST + 3u)
			goto no_char;
		row = bits_from(value, 5);
		if (row == 0u || row == UTF8VAL_ROW3_HOLE)
			goto no_char;
		s++;
	}
no_char:
	/*
	 * leads from C0 and E0: overlong; ED: surrogate; F4: too large; F8: bad
	 * lead
	 */
	reason = UTF8VAL_OVERLONG + lead / 8u;
ill_formed:
	value = 0u - reason;
out:
	*cp = (int32_t)value;
	return s;
}

const void *utf8val_prev(const void *pos, const void *start, int32_t *cp)
{
	const uint8_t *first = start;
	const uint8_t *end = pos;
	const uint8_t *past;
	const uint8_t *s;
	size_t len;
	size_t at;

	/* before the difference is taken, as null pointers have none */
	if (end == first) {
		*cp = UTF8VAL_END;
		return pos;
	}
	len = (size_t)(end - first);
	at = len;
	/* all bytes of a sequence but its first are tails */
	do
		at--;
	while (at && len - at < 4 && is_tail(first[at]));
	s = first + at;
	past = utf8val_next(s, end, cp);
	if (past != end) {
		*cp = -UTF8VAL_STRAY_TAIL;
		s = end - 1;
	}
	return s;
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

static UTF8VAL_ENGINE_APART size_t count_units(const uint8_t *s, size_t len)
{
	const uint8_t *pos = s;
	const uint8_t *end = end_of(pos, len);
	size_t units = 0;
	int32_t cp = 0;

	while (pos != end)
	UTF8VAL_LOOP(count) {
		/*
		 * Errors come together, so after one the next sequence is
		 * decoded by itself.
		 */
		if (cp >= 0) {
			pos += utf8val_engine_count(pos, (size_t)(end - pos),
						    &units);
			if (pos == end)
				break;
		}
		pos = utf8val_next(pos, end, &cp);
		units++;
	}
	return units;
}

static UTF8VAL_ENGINE_APART size_t count_any(const uint8_t *s, size_t len)
{
	size_t units = utf8val_engine_units(s, len);

	return units ? units : count_units(s, len);
}

size_t utf8val_count(const void *buf, size_t len)
{
	if (utf8val_engine_ascii(buf, len))
		return len;
	return count_any(buf, len);
}

size_t utf8val_floor(const void *buf, size_t len, size_t at)
{
	const uint8_t *s = buf;
	const uint8_t *end;
	const uint8_t *pos;
	size_t from;
	int32_t cp;

	if (at >= len)
		return len;
	from = at + 1;
	end = s + from;
	do
		from--;
	while (from && at - from < 3 && is_tail(s[from]));
	/* does the sequence that begins at pos include s[at]? */
	pos = utf8val_next(s + from, end, &cp);
	return pos == end ? from : at;
}

size_t utf8val_trim(const void *buf, size_t len)
{
	const uint8_t *s = buf;
	const uint8_t *pos;
	int32_t cp;

	pos = utf8val_prev(end_of(s, len), s, &cp);
	return cp == -(int32_t)UTF8VAL_TRUNCATED ? (size_t)(pos - s) : len;
}

size_t utf8val_replaced_size(const void *buf, size_t len)
{
	const uint8_t *s = buf;
	size_t more = 0;
	size_t at = 0;
	int32_t cp = 0;

	while (at != len)
	UTF8VAL_LOOP(replaced_size) {
		const uint8_t *pos;
		size_t unit;

		/*
		 * Errors come together, so after one the next sequence is
		 * decoded by itself.
		 */
		if (cp >= 0) {
			size_t good = utf8val_engine_text(s + at, len - at,
							  len - at);

			at += good;
			if (at == len)
				break;
		}
		pos = utf8val_next(s + at, s + len, &cp);
		unit = (size_t)(pos - (s + at));
		if (cp < 0)
			more += 3u - unit;
		at += unit;
	}
	return more > (size_t)-1 - len ? (size_t)-1 : len + more;
}

/*
 * Append @size bytes from @from to the first @put ones of @d. The caller sees to
 * it that they fit.
 */
static inline size_t append(uint8_t *d, size_t put, const uint8_t *from,
			    size_t size)
{
	utf8val_engine_copy(d + put, from, size);
	return put + size;
}

static UTF8VAL_ENGINE_APART struct utf8val_replaced
replace_units(uint8_t *d, size_t cap, const uint8_t *s, size_t len)
{
	static const uint8_t replacement[] = { 0xEF, 0xBF, 0xBD };
	struct utf8val_replaced done;
	size_t put = 0;
	size_t at = 0;
	int32_t cp = 0;

	/*
	 * Without room d may be NULL, and adding even 0 to a null pointer would
	 * be undefined: so the loop is not entered then.
	 */
	while (at != len && put != cap)
	UTF8VAL_LOOP(replace) {
		const uint8_t *from;
		const uint8_t *pos;
		size_t size;
		size_t unit;

		if (cp >= 0) {
			size = utf8val_engine_text(s + at, len - at, cap - put);
			put = append(d, put, s + at, size);
			at += size;
			if (at == len)
				break;
		}
		from = s + at;
		pos = utf8val_next(from, s + len, &cp);
		unit = (size_t)(pos - from);
		size = unit;
		if (cp < 0) {
			from = replacement;
			size = sizeof(replacement);
		}
		if (size > cap - put)
			break;
		put = append(d, put, from, size);
		at += unit;
	}
	done.read = at;
	done.written = put;
	return done;
}

static inline struct utf8val_replaced all_replaced(size_t len)
{
	struct utf8val_replaced done;

	done.read = len;
	done.written = len;
	return done;
}

static UTF8VAL_ENGINE_APART struct utf8val_replaced
replace_any(uint8_t *d, size_t cap, const uint8_t *src, size_t len)
{
	if (len <= cap && utf8val_engine_name(src, len)) {
		utf8val_engine_copy_name(d, src, len);
		return all_replaced(len);
	}
	return replace_units(d, cap, src, len);
}

struct utf8val_replaced utf8val_replace(void *dst, size_t cap, const void *src,
					size_t len)
{
	if (len <= cap && utf8val_engine_ascii(src, len)) {
		utf8val_engine_copy_name(dst, src, len);
		return all_replaced(len);
	}
	return replace_any(dst, cap, src, len);
}

const char *utf8val_version(void)
{
	return UTF8VAL_VERSION;
}
