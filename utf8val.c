// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The core: a walk over the automaton of utf8val_tables.h, whose states are
 * lead bytes (see there).
 */
#include "utf8val_engine.h"

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

struct utf8val_result utf8val_check(const void *buf, size_t len)
{
	const uint8_t *s = buf;
	struct utf8val_result result = { 0, 0, UTF8VAL_OK };
	uint32_t state = UTF8VAL_STATE_ACCEPT;
	size_t at = utf8val_prefix(buf, len);

	result.valid = at;
	if (at == len)
		return result;
	result.reason = UTF8VAL_TRUNCATED;
	while (at < len) {
		uint32_t next = next_state(state, s[at]);

		if (next == UTF8VAL_STATE_REJECT) {
			result.reason = (uint8_t)why_rejected(state, s[at]);
			break;
		}
		state = next;
		at++;
	}
	/* a byte that can start nothing is a subpart of its own */
	result.bad = (uint8_t)(at == result.valid ? 1 : at - result.valid);
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
