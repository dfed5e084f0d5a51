// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The core: a walk over the automaton of utf8val_tables.h, whose states are
 * lead bytes (see there).
 */
#include "utf8val_engine.h"

_Static_assert(UTF8VAL_ACCEPT == UTF8VAL_STATE_ACCEPT &&
	       UTF8VAL_REJECT == UTF8VAL_STATE_REJECT,
	       "the header's states are the automaton's");

static bool is_tail(uint32_t byte)
{
	return (byte ^ 0x80u) < 0x40u;
}

/* May this tail follow this lead of three or four bytes? */
static bool is_second(uint32_t lead, uint32_t tail)
{
	uint32_t row = 4u * (lead - UTF8VAL_LEAD_3) + (tail >> 4 & 3u);

	return row >= UTF8VAL_ROW3_FIRST && row <= UTF8VAL_ROW4_LAST &&
	       row != UTF8VAL_ROW4 && row >> 1 != UTF8VAL_ROW3_HOLE;
}

/* The automaton's transition function. */
static uint32_t next_state(uint32_t state, uint32_t byte)
{
	if (state == UTF8VAL_STATE_ACCEPT) {
		if (byte < 0x80u)
			return UTF8VAL_STATE_ACCEPT;
		if (byte < UTF8VAL_LEAD_FIRST || byte > UTF8VAL_LEAD_LAST)
			return UTF8VAL_STATE_REJECT;
		return byte;
	}
	if (!is_tail(byte))
		return UTF8VAL_STATE_REJECT;
	if (state < UTF8VAL_LEAD_3)
		return UTF8VAL_STATE_ACCEPT;
	if (!is_second(state, byte))
		return UTF8VAL_STATE_REJECT;
	/* E1 for F0..F4, D1 for E0..EF: one tail less, the next one any */
	return (state & 0xF0u) - 0x0Fu;
}

/* Why does the automaton, in this state, reject this byte? */
static enum utf8val_reason why_rejected(uint32_t state, uint32_t byte)
{
	if (state == UTF8VAL_STATE_ACCEPT) {
		if (byte < 0xC0u)
			return UTF8VAL_STRAY_TAIL;
		if (byte < UTF8VAL_LEAD_FIRST)
			return UTF8VAL_OVERLONG;
		return byte < 0xF8u ? UTF8VAL_TOO_LARGE : UTF8VAL_BAD_LEAD;
	}
	if (!is_tail(byte))
		return UTF8VAL_MISSING_TAIL;
	if (state == 0xEDu)
		return UTF8VAL_SURROGATE;
	return state == UTF8VAL_LEAD_LAST ? UTF8VAL_TOO_LARGE :
					    UTF8VAL_OVERLONG;
}

size_t utf8val_prefix(const void *buf, size_t len)
{
	return utf8val_engine_prefix(buf, len);
}

bool utf8val_valid(const void *buf, size_t len)
{
	return utf8val_prefix(buf, len) == len;
}

/*
 * The unit at the start of @len bytes, of which there is one at least: its
 * length, and in *cp the code point or the negative reason.
 */
static size_t decode(const uint8_t *s, size_t len, int32_t *cp)
{
	uint32_t state = UTF8VAL_STATE_ACCEPT;
	uint32_t bits = 0;
	size_t at = 0;

	do {
		uint32_t before = state;

		state = utf8val_step(&state, &bits, s[at]);
		if (state == UTF8VAL_STATE_REJECT) {
			*cp = -(int32_t)why_rejected(before, s[at]);
			/* what can start nothing is a unit of its own */
			return at ? at : 1;
		}
		at++;
		if (state == UTF8VAL_STATE_ACCEPT) {
			*cp = (int32_t)bits;
			return at;
		}
	} while (at < len);
	*cp = -UTF8VAL_TRUNCATED;
	return at;
}

struct utf8val_result utf8val_check(const void *buf, size_t len)
{
	const uint8_t *s = buf;
	struct utf8val_result result = { 0, 0, UTF8VAL_OK };

	result.valid = utf8val_prefix(s, len);
	if (result.valid != len) {
		int32_t reason;

		result.bad = (uint8_t)decode(s + result.valid,
					     len - result.valid, &reason);
		result.reason = (uint8_t)-reason;
	}
	return result;
}

const char *utf8val_reason_name(enum utf8val_reason reason)
{
	static const char *const names[] = {
		[UTF8VAL_OK] = "ok",
		[UTF8VAL_TRUNCATED] = "truncated",
		[UTF8VAL_STRAY_TAIL] = "stray tail",
		[UTF8VAL_MISSING_TAIL] = "missing tail",
		[UTF8VAL_OVERLONG] = "overlong",
		[UTF8VAL_SURROGATE] = "surrogate",
		[UTF8VAL_TOO_LARGE] = "too large",
		[UTF8VAL_BAD_LEAD] = "bad lead",
	};

	if ((unsigned int)reason >= sizeof(names) / sizeof(names[0]))
		return "unknown";
	return names[reason];
}

uint32_t utf8val_step(uint32_t *state, uint32_t *cp, uint8_t byte)
{
	uint32_t bits = byte;

	if (*state != UTF8VAL_STATE_ACCEPT)
		bits = *cp << 6 | (byte & 0x3Fu);
	else if (byte >= UTF8VAL_LEAD_4)
		bits &= 0x07u;
	else if (byte >= 0x80u)
		/* bit 4 of a three-byte lead is 0 */
		bits &= 0x1Fu;
	*cp = bits;
	*state = next_state(*state, byte);
	return *state;
}

void utf8val_stream_init(struct utf8val_stream *stream)
{
	stream->valid = 0;
	stream->state = UTF8VAL_STATE_ACCEPT;
	stream->pending = 0;
	stream->reason = UTF8VAL_OK;
}

bool utf8val_stream_feed(struct utf8val_stream *stream, const void *buf,
			 size_t len)
{
	const uint8_t *s = buf;
	size_t at = 0;

	while (at < len && stream->reason == UTF8VAL_OK) {
		uint32_t state;

		if (!stream->pending) {
			size_t good = utf8val_prefix(s + at, len - at);

			stream->valid += good;
			at += good;
			if (at == len)
				break;
		}
		state = next_state(stream->state, s[at]);
		if (state == UTF8VAL_STATE_REJECT) {
			stream->reason = (uint8_t)why_rejected(stream->state,
							       s[at]);
			if (!stream->pending)
				stream->pending = 1;
			break;
		}
		at++;
		stream->state = (uint8_t)state;
		stream->pending++;
		if (state == UTF8VAL_STATE_ACCEPT) {
			stream->valid += stream->pending;
			stream->pending = 0;
		}
	}
	return stream->reason == UTF8VAL_OK;
}

struct utf8val_result
utf8val_stream_finish(const struct utf8val_stream *stream)
{
	struct utf8val_result result = { 0, 0, UTF8VAL_OK };

	result.valid = stream->valid;
	result.bad = stream->pending;
	result.reason = stream->reason;
	if (result.bad && result.reason == UTF8VAL_OK)
		result.reason = UTF8VAL_TRUNCATED;
	return result;
}

int32_t utf8val_next(const uint8_t **pos, const uint8_t *end)
{
	int32_t cp = -UTF8VAL_TRUNCATED;

	if (*pos != end)
		*pos += decode(*pos, (size_t)(end - *pos), &cp);
	return cp;
}

int32_t utf8val_prev(const uint8_t **pos, const uint8_t *start)
{
	size_t len = (size_t)(*pos - start);
	size_t back = 1;
	int32_t cp = -UTF8VAL_TRUNCATED;

	if (!len)
		return cp;
	/* a unit's first byte is the only one of it that may be no tail */
	while (back < len && back < 4 && is_tail(start[len - back]))
		back++;
	if (decode(start + len - back, back, &cp) != back) {
		back = 1;
		cp = -UTF8VAL_STRAY_TAIL;
	}
	*pos -= back;
	return cp;
}

size_t utf8val_encode(uint32_t cp, uint8_t out[4])
{
	size_t len, at;

	if (cp < 0x80u) {
		out[0] = (uint8_t)cp;
		return 1;
	}
	if (cp > 0x10FFFFu || (cp >= 0xD800u && cp < 0xE000u))
		return 0;
	len = cp < 0x800u ? 2 : cp < 0x10000u ? 3 : 4;
	for (at = len - 1; at; at--) {
		out[at] = (uint8_t)(0x80u | (cp & 0x3Fu));
		cp >>= 6;
	}
	/* as many ones as there are bytes, and a zero */
	out[0] = (uint8_t)(0xF00u >> len | cp);
	return len;
}

size_t utf8val_count(const void *buf, size_t len)
{
	const uint8_t *s = buf;
	size_t units = 0;
	size_t at = 0;

	while (at < len) {
		int32_t cp;

		at += decode(s + at, len - at, &cp);
		units++;
	}
	return units;
}

size_t utf8val_floor(const void *buf, size_t len, size_t at)
{
	const uint8_t *s = buf;
	size_t back = 0;
	int32_t cp;

	if (at >= len)
		return len;
	while (back < at && back < 3 && is_tail(s[at - back]))
		back++;
	/* does the unit that may begin there reach beyond at? */
	if (decode(s + at - back, len - at + back, &cp) > back)
		return at - back;
	return at;
}

size_t utf8val_replace(void *dst, size_t cap, const void *src, size_t len)
{
	static const uint8_t replacement[] = { 0xEF, 0xBF, 0xBD };
	const uint8_t *s = src;
	uint8_t *d = dst;
	bool room = true;
	size_t need = 0;
	size_t at = 0;

	while (at < len) {
		int32_t cp;
		size_t unit = decode(s + at, len - at, &cp);
		const uint8_t *from = cp < 0 ? replacement : s + at;
		size_t size = cp < 0 ? sizeof(replacement) : unit;

		room = room && size <= cap - need;
		if (room) {
			size_t i;

			for (i = 0; i < size; i++)
				d[need + i] = from[i];
		}
		need += size;
		at += unit;
	}
	return need;
}
