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

		value = utf8val_next(&pos, s + len);
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
uint32_t utf8val_step(uint32_t *state, uint32_t *cp, uint8_t byte)
{
	uint32_t next = UTF8VAL_STATE_REJECT;
	uint32_t bits = byte;
	int32_t lead = (int32_t)*state;

	if (lead == (int32_t)UTF8VAL_STATE_ACCEPT) {
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
		if (bits < 0x40u) {
			*cp = *cp * 64u + bits;
			lead -= (int32_t)UTF8VAL_LEAD_3;
			if (lead < 0) {
				next = UTF8VAL_STATE_ACCEPT;
			} else {
				uint32_t row = 4u * (uint32_t)lead +
					       (bits >> 4);

				if (is_row(row))
					next = row < UTF8VAL_ROW4 ?
						UTF8VAL_STATE_ONE_TAIL :
						UTF8VAL_STATE_TWO_TAILS;
			}
		}
	}
	*state = next;
	return next;
}

bool utf8val_feed(uint32_t *state, const void *buf, size_t len)
{
	const uint8_t *s = buf;
	uint32_t now = *state;
	size_t at = 0;

	/*@ loop invariant 0 <= at <= len && is_state(now);
	    loop invariant run(s, at, len, now) == run(s, 0, len, *state);
	    loop assigns at, now; loop variant len - at; */
	for (;;) {
		uint32_t byte;

		/*@ loop invariant \at(at, LoopEntry) <= at <= len;
		    loop invariant is_state(now);
		    loop invariant run(s, at, len, now) == run(s, 0, len, *state);
		    loop assigns at, now, byte; loop variant len - at; */
		while (now != UTF8VAL_STATE_ACCEPT) {
			if (at == len)
				goto out;
			byte = s[at];
			at++;
			now = next_state(now, byte);
			if (now == UTF8VAL_STATE_REJECT)
				goto out;
		}
		/* a loop for ASCII alone, which need not look at the state */
		/*@ loop invariant \at(at, LoopEntry) <= at <= len;
		    loop invariant run(s, at, len, UTF8VAL_ACCEPT) ==
		      run(s, 0, len, *state);
		    loop assigns at, now; loop variant len - at; */
		do {
			now = UTF8VAL_STATE_ACCEPT;
			if (at == len)
				goto out;
			now = s[at];
			at++;
		} while (now < 0x80u);
		//@ assert lead: now == s[at - 1] >= 0x80;
		if (!is_lead(now)) {
			now = UTF8VAL_STATE_REJECT;
			goto out;
		}
	}
out:
	*state = now;
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

	//@ ghost size_t at = 0;
	/*@ loop invariant at <= len && s == (uint8_t *)buf + at;
	    loop invariant kept: stands{Here,Pre}((uint8_t *)buf, len, text, fed);
	    loop invariant told: in_stream{Here,Pre}(stream, text, fed + at);
	    loop assigns s, at, stream->valid, stream->bytes[0 .. 3],
			 stream->pending, stream->reason;
	    loop variant len - at; */
	while (stream->reason == UTF8VAL_OK && s != end) {
		const uint8_t *pos = stream->bytes;
		int32_t cp;

		if (!stream->pending) {
			size_t good = utf8val_prefix(s, (size_t)(end - s));

			//@ assert room: good <= len - at;
			//@ assert here: stream->valid == fed + at;
			//@ assert utf8((uint8_t *)buf, at, at + good);
			//@ assert utf8{Pre}(text, 0, fed + (at + good));
			stream->valid += good;
			s += good;
			//@ ghost at += good;
			//@ assert past: s == (uint8_t *)buf + at && at <= len;
			/*@ assert told: in_stream{Here,Pre}(stream, text,
							    fed + at); */
			if (s == end)
				break;
		}
		//@ assert more: at < len;
		stream->bytes[stream->pending++] = *s++;
		//@ ghost at++;
		/*@ assert last: stream->bytes[stream->pending - 1] ==
		      \at(text[\at(stream->valid + stream->pending - 1, Here)], Pre); */
		/*@ assert before: stands{Here,Pre}(&stream->bytes[0],
			stream->pending - 1, text, stream->valid); */
		/*@ assert bytes: stands{Here,Pre}(&stream->bytes[0],
			stream->pending, text, stream->valid); */
		cp = utf8val_next(&pos, stream->bytes + stream->pending);
		/*@ assert unit: yields{Pre}(text, stream->valid, fed + at,
				pos - &stream->bytes[0], cp); */
		/*@ assert whole: cp >= 0 ==>
		      pos - &stream->bytes[0] == stream->pending &&
		      utf8_char{Pre}(text, stream->valid, stream->pending); */
		/*@ assert count: stream->valid + stream->pending == fed + at &&
			1 <= stream->pending <= 4; */
		/*@ assert open: cp == -UTF8VAL_TRUNCATED ==>
		      pos - &stream->bytes[0] == stream->pending <= 3; */
		/*@ assert next: cp >= 0 ==>
		      utf8{Pre}(text, 0, stream->valid + stream->pending); */
		//@ assert place: at <= len && s == (uint8_t *)buf + at;
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

int32_t utf8val_next(const uint8_t **pos, const uint8_t *end)
{
	const uint8_t *s = *pos;
	uint32_t reason = UTF8VAL_TRUNCATED;
	uint32_t lead;
	uint32_t due;
	uint32_t cp;

	if (s == end)
		goto ill_formed;
	/* the first byte belongs to the sequence, whatever it is */
	cp = *s;
	s++;
	if (cp < 0x80u)
		goto out;
	reason = UTF8VAL_STRAY_TAIL;
	if (cp < 0xC0u)
		goto ill_formed;
	/* has as many ones at the top as tails are due */
	due = (cp - 0x80u) * 0x2000000u;
	lead = cp % 32u;
	//@ assert lead: lead == cp - (cp < 0xE0 ? 0xC0 : 0xE0);
	if (!is_lead(cp))
		goto no_char;
	cp = lead;
	/*@ loop invariant in_unit(\at(*pos, Pre), s, end, due, cp);
	    loop invariant lead: lead == *\at(*pos, Pre) -
	      (*\at(*pos, Pre) < 0xE0 ? 0xC0 : 0xE0);
	    loop assigns s, due, cp, reason; loop variant end - s; */
	for (;;) {
		uint32_t tail;
		uint32_t row;

		reason = UTF8VAL_TRUNCATED;
		/* not ==, with which GCC keeps s in two registers */
		if (s >= end)
			goto ill_formed;
		reason = UTF8VAL_MISSING_TAIL;
		tail = *s - 0x80u;
		if (tail >= 0x40u)
			goto ill_formed;
		cp = cp * 64u + tail;
		due = (due - 0x80000000u) * 2u;
		if (due < 0x80000000u) {
			s++;
			/*
			 * drop bit 4 of a four-byte lead, which is no part of
			 * the code point
			 */
			//@ ghost const uint8_t *first = *pos;
			/*@ assert bits: cp == code_point(first, 0, s - first) +
			      (s - first == 4 ? 0x400000 : 0); */
			cp %= 0x400000u;
			//@ assert value: encodes(first, 0, s - first, cp);
			goto out;
		}
		/*
		 * the row of engine/tables.h; after a third byte it is far
		 * above all rows
		 */
		row = bits_from(cp, 4);
		//@ assert row: is_row_of(\at(*pos, Pre), s, row);
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
		row = bits_from(cp, 5);
		/*@ assert pair: s - \at(*pos, Pre) == 1 ? row == 2 * lead +
		      (s[0] < 0xA0 ? 0 : 1) : row >= 0x800; */
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
	cp = 0u - reason;
out:
	*pos = s;
	return (int32_t)cp;
}

int32_t utf8val_prev(const uint8_t **pos, const uint8_t *start)
{
	const uint8_t *end = *pos;
	const uint8_t *s;
	size_t len;
	size_t at;
	int32_t cp;

	/* before the difference is taken, as null pointers have none */
	if (end == start)
		return -UTF8VAL_TRUNCATED;
	len = (size_t)(end - start);
	at = len;
	//@ assert more: end == start + len && 0 < len;
	/* all bytes of a sequence but its first are tails */
	/*@ loop invariant at <= len && (at == 0 ==> len == 0);
	    loop invariant tails(start, at, len);
	    loop assigns at; loop variant at; */
	do
		at--;
	while (at && len - at < 4 && is_tail(start[at]));
	s = start + at;
	*pos = s;
	cp = utf8val_next(&s, end);
	//@ assert unit: yields(start, at, len, s - (start + at), cp);
	if (s != end) {
		//@ assert yields(start, len - 1, len, 1, -UTF8VAL_STRAY_TAIL);
		*pos = end - 1;
		return -UTF8VAL_STRAY_TAIL;
	}
	return cp;
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
	/*@ loop invariant 0 <= at < len && part(out, \at(cp, Pre), len, at, cp);
	    loop assigns at, cp, out[1 .. len - 1]; loop variant at; */
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

	/*@ loop invariant 0 <= end - pos <= len - units &&
	      \base_addr(pos) == \base_addr(end);
	    loop invariant units + count(pos, end - pos) == count(s, len);
	    loop assigns pos, units, cp; loop variant end - pos; */
	while (pos != end) {
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
		/*@ assert units + count(pos, end - pos) == count(s, len) &&
		      end - pos <= len - units; */
		cp = utf8val_next(&pos, end);
		units++;
	}
	return units;
}

static UTF8VAL_ENGINE_APART size_t count_any(const uint8_t *s, size_t len)
{
	size_t units = utf8val_engine_units(s, len);

	//@ assert behind: count(s + len, 0) == 0;
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
	const uint8_t *pos;
	const uint8_t *end;
	size_t from;

	if (at >= len)
		return len;
	from = at + 1;
	end = s + from;
	/*@ loop invariant 0 < from <= at + 1 && at - from < 3;
	    loop invariant tails(s, from, at + 1);
	    loop assigns from; loop variant from; */
	do
		from--;
	while (from && at - from < 3 && is_tail(s[from]));
	//@ assert lead: at_lead(s, from, at + 1);
	/* does the sequence that begins at pos include s[at]? */
	pos = s + from;
	(void)utf8val_next(&pos, end);
	/*@ assert unit: pos - s == from + unit(s, from, at + 1); */
	return pos == end ? from : at;
}

static const uint8_t replacement[] = { 0xEF, 0xBF, 0xBD };

/*
 * Append @size bytes from @from to the result, of which @need bytes exist so
 * far, and write them if the @cap bytes at @d have room for all of them. @need
 * never shrinks, so once something did not fit nothing is written any more. @d
 * may be NULL if @cap is 0, and adding even 0 to a null pointer would be
 * undefined: so nothing is added to @d before there is room.
 */
static inline size_t append(uint8_t *d, size_t cap, size_t need,
			    const uint8_t *from, size_t size)
{
	need += size;
	/* if need is 0, need - 1 is SIZE_MAX, so that nothing is copied */
	if (need - 1u < cap)
		utf8val_engine_copy(d + (need - size), from, size);
	return need;
}

static UTF8VAL_ENGINE_APART size_t replace_units(uint8_t *d, size_t cap,
						 const uint8_t *src, size_t len)
{
	const uint8_t *pos = src;
	const uint8_t *end = end_of(pos, len);
	size_t need = 0;
	int32_t cp = 0;

	//@ ghost size_t at = 0;
	/*@ loop invariant at <= len && pos == src + at && need <= 3 * at;
	    loop invariant mark: is_mark(&replacement[0]);
	    loop invariant kept: stands{Here,Pre}(src, len, src, 0);
	    loop invariant done: so_far{Here,Pre}(d, cap, src, at, len, need);
	    loop assigns pos, cp, need, at, d[0 .. cap - 1];
	    loop variant len - at; */
	while (pos != end) {
		const uint8_t *from;
		size_t size;

		if (cp >= 0) {
			size = utf8val_engine_text(pos, (size_t)(end - pos),
						   need < cap ? cap - need : 0u);
			//@ assert text: utf8{Pre}(src, at, at + size);
			//@ assert passed: unaltered{Pre}(src, at, at + size, len);
			need = append(d, cap, need, pos, size);
			pos += size;
			//@ ghost at += size;
			//@ assert done: so_far{Here,Pre}(d, cap, src, at, len, need);
			if (pos == end)
				break;
		}
		from = pos;
		//@ assert from: from == src + at && at < len;
		cp = utf8val_next(&pos, end);
		//@ ghost size_t k = pos - from;
		//@ assert there: yields(src + at, 0, len - at, k, cp);
		//@ assert unit: yields{Pre}(src, at, len, k, cp);
		//@ assert size: k == unit{Pre}(src, at, len);
		if (cp < 0) {
			from = replacement;
			size = sizeof(replacement);
			//@ assert mark: shows{Here,Pre}(from, size, src, at, len);
		} else {
			size = (size_t)(pos - from);
			//@ assert same: stands{Here,Pre}(from, k, src, at);
			//@ assert char: shows{Here,Pre}(from, size, src, at, len);
		}
		//@ assert shows: shows{Here,Pre}(from, size, src, at, len);
		//@ assert before: so_far{Here,Pre}(d, cap, src, at, len, need);
		need = append(d, cap, need, from, size);
		//@ ghost at += k;
		//@ assert done: so_far{Here,Pre}(d, cap, src, at, len, need);
	}
	//@ assert done: so_far{Here,Pre}(d, cap, src, len, len, need);
	return need;
}

static UTF8VAL_ENGINE_APART size_t replace_any(uint8_t *d, size_t cap,
					       const uint8_t *src, size_t len)
{
	if (len <= cap && utf8val_engine_name(src, len)) {
		utf8val_engine_copy_name(d, src, len);
		//@ assert text: unaltered{Pre}(src, 0, len, len);
		//@ assert rest: stands_behind{Here,Pre}(d, len, cap);
		return len;
	}
	return replace_units(d, cap, src, len);
}

size_t utf8val_replace(void *dst, size_t cap, const void *src, size_t len)
{
	if (len <= cap && utf8val_engine_ascii(src, len)) {
		utf8val_engine_copy_name(dst, src, len);
		/*@ assert text: unaltered{Pre}((uint8_t *)src, 0, len, len); */
		/*@ assert rest: stands_behind{Here,Pre}((uint8_t *)dst, len,
							 cap); */
		return len;
	}
	return replace_any(dst, cap, src, len);
}
