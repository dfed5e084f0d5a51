// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The oracle of oracle.h, which all tests compare with. A string of k bytes is the
 * beginning of a character if and only if its missing tails can be filled in to give a
 * scalar value. The value must need this many bytes. The values that can be given are an
 * interval: all missing bits zero to all missing bits one. (RFC 3629, section 3; The
 * Unicode Standard, D92 and the "maximal subpart" of section 3.9.)
 */
#include "oracle.h"

enum verdict { CAN_BE, TOO_SMALL, SURROGATE, TOO_BIG };

static int nominal_length(uint8_t lead)
{
	int ones = 0;

	while (ones < 8 && (lead << ones & 0x80))
		ones++;
	return ones ? ones : 1;
}

static const long smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };

/*
 * The interval of values that @have bytes, a lead of @want bytes and tails after it,
 * can still become.
 */
static enum verdict interval(const uint8_t *s, int have, int want)
{
	long low = s[0] & (0x7F >> want);
	long high;
	int i;

	for (i = 1; i < have; i++)
		low = low * 64 + (s[i] - 0x80);
	high = low;
	for (i = have; i < want; i++) {
		low = low * 64;
		high = high * 64 + 63;
	}
	if (high < smallest[want])
		return TOO_SMALL;
	if (low > 0x10FFFF)
		return TOO_BIG;
	if (low >= 0xD800 && high <= 0xDFFF)
		return SURROGATE;
	return CAN_BE;
}

static size_t wrong(int32_t *cp, enum utf8val_reason reason, int length)
{
	*cp = -(int32_t)reason;
	return (size_t)length;
}

size_t oracle_unit(const uint8_t *s, size_t len, int32_t *cp)
{
	int want = nominal_length(s[0]);
	int have;

	if (s[0] < 0x80) {
		*cp = s[0];
		return 1;
	}
	if (want == 1)
		return wrong(cp, UTF8VAL_STRAY_TAIL, 1);
	if (want > 4)
		return wrong(cp, UTF8VAL_BAD_LEAD, 1);
	for (have = 1; ; have++) {
		switch (interval(s, have, want)) {
		case TOO_SMALL:
			return wrong(cp, UTF8VAL_OVERLONG, have > 1 ? have - 1 : 1);
		case TOO_BIG:
			return wrong(cp, UTF8VAL_TOO_LARGE, have > 1 ? have - 1 : 1);
		case SURROGATE:
			return wrong(cp, UTF8VAL_SURROGATE, have - 1);
		case CAN_BE:
			break;
		}
		if (have == want)
			break;
		if ((size_t)have == len)
			return wrong(cp, UTF8VAL_TRUNCATED, have);
		if (s[have] < 0x80 || s[have] > 0xBF)
			return wrong(cp, UTF8VAL_MISSING_TAIL, have);
	}
	*cp = s[0] & (0x7F >> want);
	for (have = 1; have < want; have++)
		*cp = *cp * 64 + (s[have] - 0x80);
	return (size_t)want;
}

struct utf8val_result oracle_check(const uint8_t *s, size_t len)
{
	struct utf8val_result result = { 0, 0, UTF8VAL_OK };

	while (result.valid < len) {
		int32_t cp;
		size_t unit = oracle_unit(s + result.valid, len - result.valid, &cp);

		if (cp < 0) {
			result.bad = (uint8_t)unit;
			result.reason = (uint8_t)-cp;
			break;
		}
		result.valid += unit;
	}
	return result;
}
