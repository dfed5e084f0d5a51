/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The specification: RFC 3629, sections 3 and 4, and the maximal subparts of The
 * Unicode Standard, section 3.9. tests/rfc3629.c compares it with the tests' oracle.
 */
#ifndef PROOF_RFC3629_H
#define PROOF_RFC3629_H

#include "utf8val.h"

/* States by what may follow: any character, so many tails, tails of that lead, nothing. */
enum rfc_state { TEXT, TAIL1, TAIL2, TAIL3, AFTER_E0, AFTER_ED, AFTER_F0, AFTER_F4, DEAD };
#define RFC_IN(byte, first, last) ((byte) >= (first) && (byte) <= (last))

static inline uint8_t rfc_next(uint8_t state, uint8_t b)
{
	switch (state) {
	case TEXT:
		return b <= 0x7F ? TEXT : RFC_IN(b, 0xC2, 0xDF) ? TAIL1 :
			b == 0xE0 ? AFTER_E0 : b == 0xED ? AFTER_ED :
			RFC_IN(b, 0xE1, 0xEF) ? TAIL2 : b == 0xF0 ? AFTER_F0 :
			RFC_IN(b, 0xF1, 0xF3) ? TAIL3 : b == 0xF4 ? AFTER_F4 : DEAD;
	case TAIL1: return RFC_IN(b, 0x80, 0xBF) ? TEXT : DEAD;
	case TAIL2: return RFC_IN(b, 0x80, 0xBF) ? TAIL1 : DEAD;
	case TAIL3: return RFC_IN(b, 0x80, 0xBF) ? TAIL2 : DEAD;
	case AFTER_E0: return RFC_IN(b, 0xA0, 0xBF) ? TAIL1 : DEAD;
	case AFTER_ED: return RFC_IN(b, 0x80, 0x9F) ? TAIL1 : DEAD;
	case AFTER_F0: return RFC_IN(b, 0x90, 0xBF) ? TAIL2 : DEAD;
	case AFTER_F4: return RFC_IN(b, 0x80, 0x8F) ? TAIL2 : DEAD;
	default: return DEAD;
	}
}

/* Why @b, the byte after @at good ones, of which the first is @lead, is rejected. */
static inline int rfc_reason(uint8_t lead, size_t at, uint8_t b)
{
	if (!at)
		return RFC_IN(b, 0x80, 0xBF) ? UTF8VAL_STRAY_TAIL : b >= 0xF8 ? UTF8VAL_BAD_LEAD :
			b >= 0xF5 ? UTF8VAL_TOO_LARGE : UTF8VAL_OVERLONG;
	return !RFC_IN(b, 0x80, 0xBF) ? UTF8VAL_MISSING_TAIL : lead == 0xED ? UTF8VAL_SURROGATE :
		lead == 0xF4 ? UTF8VAL_TOO_LARGE : UTF8VAL_OVERLONG;
}

/* The length of the sequence at @s, of @len > 0 bytes; *cp is its code point, or minus its reason. */
static inline size_t rfc_unit(const uint8_t *s, size_t len, int32_t *cp)
{
	uint8_t state = rfc_next(TEXT, s[0]);
	int32_t value = s[0] < 0x80 ? s[0] : s[0] < 0xE0 ? s[0] - 0xC0 :
		s[0] < 0xF0 ? s[0] - 0xE0 : s[0] - 0xF0;
	size_t at = 0;

	while (state != TEXT && state != DEAD && ++at < len && at < 4) {
		state = rfc_next(state, s[at]);
		value = value * 64 + (s[at] & 0x3F);
	}
	*cp = state == TEXT ? value : at == len ? -UTF8VAL_TRUNCATED : -rfc_reason(s[0], at, s[at]);
	return state == TEXT ? at + 1 : at ? at : 1;
}

#endif /* PROOF_RFC3629_H */
