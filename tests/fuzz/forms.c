// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * form_check and form_convert, against the arithmetic of code points. Sources: RFC 2279,
 * section 2 (bits and lengths up to six bytes); Unicode Technical Report 26 (surrogates
 * in pairs); The Java Virtual Machine Specification, 4.4.7 (C0 80). run.sh builds and
 * runs it. Parameter: three bytes, the room, taken modulo what is needed + 2, and below
 * it the two forms.
 */
#include "../../forms/utf8val_forms.h"
#include "fuzz.h"

/*
 * The range of a number of bytes: the beginning of a sequence that may still get any
 * value of an interval.
 */
struct sequence {
	size_t size;			/* bytes of the complete sequence */
	uint64_t low, high;		/* values that are still possible */
	enum utf8val_reason reason;	/* why the bytes are no sequence */
};

/*
 * The number of values of a sequence: one byte has 7 bits, size bytes have 5
 * for each byte and one more.
 */
static uint64_t values_of_size(size_t size)
{
	return (uint64_t)1 << (size == 1 ? 7 : 5 * size + 1);
}

static struct sequence begin(const uint8_t *s, size_t have)
{
	struct sequence sequence = { 1, s[0], s[0], UTF8VAL_OK };
	unsigned int ones = 0;

	while (ones < 8 && s[0] << ones & 0x80)
		ones++;
	if (ones == 0)
		return sequence;
	if (ones == 1)
		sequence.reason = UTF8VAL_STRAY_TAIL;
	if (ones > 6)
		sequence.reason = UTF8VAL_BAD_LEAD;
	if (sequence.reason)
		return sequence;
	sequence.size = ones;
	sequence.low = s[0] & 0x7Fu >> ones;
	for (size_t i = 1; i < have; i++) {
		if (s[i] < 0x80 || s[i] > 0xBF) {
			sequence.reason = UTF8VAL_MISSING_TAIL;
			return sequence;
		}
		sequence.low = sequence.low * 64 + s[i] - 0x80;
	}
	sequence.high = sequence.low;
	for (size_t i = have; i < sequence.size; i++) {
		sequence.low *= 64;
		sequence.high = sequence.high * 64 + 63;
	}
	if (sequence.high < values_of_size(sequence.size - 1))
		sequence.reason = UTF8VAL_OVERLONG;
	return sequence;
}

/* As begin(), for forms in which a supplementary character is a pair of surrogates. */
static struct sequence begin_in_pairs(const uint8_t *s, size_t have, bool java)
{
	struct sequence half;
	struct sequence sequence = begin(s, have < 3 ? have : 3);

	if (java && s[0] == 0)
		sequence.reason = UTF8VAL_BAD_LEAD;
	/* The two bytes C0 80, which mean 0 in Modified UTF-8. */
	if (java && sequence.size == 2 && sequence.low == 0 &&
	    sequence.reason == UTF8VAL_OVERLONG)
		sequence.reason = UTF8VAL_OK;
	if (s[0] >= 0xF0)
		sequence.reason = UTF8VAL_BAD_LEAD;
	if (sequence.reason)
		return sequence;
	if (sequence.low >= 0xDC00 && sequence.high <= 0xDFFF)
		sequence.reason = UTF8VAL_SURROGATE;
	if (sequence.low < 0xD800 || sequence.high > 0xDBFF)
		return sequence;
	sequence.size = 6;
	if (have <= 3)
		return sequence;
	half = begin(s + 3, have - 3);
	if (half.reason || half.size != 3 || half.high < 0xDC00 || half.low > 0xDFFF)
		sequence.reason = UTF8VAL_SURROGATE;
	sequence.low = 0x10000 + (sequence.low - 0xD800) * 0x400 + (half.low - 0xDC00);
	return sequence;
}

/*
 * The sequence at the start of @len bytes (at least one). Returns the length of the
 * sequence. Sets *value to its value or, negative, to the reason why it has none.
 */
static size_t unit(enum utf8val_form form, const uint8_t *s, size_t len, int64_t *value)
{
	int32_t cp;
	size_t have;

	if (form == UTF8VAL_FORM_UTF8) {
		have = oracle_unit(s, len, &cp);
		*value = cp;
		return have;
	}
	for (have = 1; have <= len; have++) {
		struct sequence now = form == UTF8VAL_FORM_UCS4 ? begin(s, have) :
			begin_in_pairs(s, have, form == UTF8VAL_FORM_MUTF8);

		if (now.reason) {
			*value = -(int64_t)now.reason;
			/*
			 * The sequence ends before this byte; the first half of
			 * a pair ends after its three bytes.
			 */
			have = have > 4 && form != UTF8VAL_FORM_UCS4 ? 3 : have - 1;
			return have ? have : 1;
		}
		if (have == now.size) {
			*value = (int64_t)now.low;
			return have;
		}
	}
	*value = -UTF8VAL_TRUNCATED;
	return len;
}

/*
 * Write the bytes of a value; returns their number, or 0 when the form has no such value.
 */
static size_t write_value(enum utf8val_form form, uint32_t value, uint8_t *out)
{
	size_t size = 1;

	if (form == UTF8VAL_FORM_UTF8)
		return oracle_encode(value, out);
	if (form == UTF8VAL_FORM_MUTF8 && value == 0) {
		memcpy(out, "\xC0\x80", 2);
		return 2;
	}
	if (form != UTF8VAL_FORM_UCS4) {
		uint8_t scalar[4];

		if (!oracle_encode(value, scalar))
			return 0;
		if (value > 0xFFFF) {
			value -= 0x10000;
			write_value(UTF8VAL_FORM_UCS4, 0xD800 + value / 0x400, out);
			write_value(UTF8VAL_FORM_UCS4, 0xDC00 + value % 0x400, out + 3);
			return 6;
		}
	}
	while (value >= values_of_size(size))
		size++;
	for (size_t i = size; i-- > 1; value /= 64)
		out[i] = (uint8_t)(0x80 + value % 64);
	/* A lead of size ones and a zero is 256 less the place value of the last one. */
	out[0] = (uint8_t)(size == 1 ? value : 256 - (256u >> size) + value);
	return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t parameter = take_number(data, &size, 3);
	enum utf8val_form from = parameter & 3;
	enum utf8val_form to = parameter >> 2 & 3;
	size_t cap = parameter >> 4;
	uint8_t *s = exact_copy(data, size);
	uint8_t *want = exactly(6 * size + 6);
	struct utf8val_result result = { 0, 0, UTF8VAL_OK };
	size_t need = 0;
	size_t fits = 0;
	uint8_t *got;

	while (result.valid < size) {
		int64_t value;
		size_t len = unit(from, s + result.valid, size - result.valid, &value);

		if (value < 0) {
			result.bad = (uint8_t)len;
			result.reason = (uint8_t)-value;
			need = SIZE_MAX;
			break;
		}
		result.valid += len;
		if (need == SIZE_MAX)
			continue;
		len = write_value(to, (uint32_t)value, want + need);
		need = len ? need + len : SIZE_MAX;
	}
	REQUIRE(same_result(utf8val_form_check(from, s, size), result));
	REQUIRE(utf8val_form_convert(from, to, NULL, 0, s, size) == need);
	cap %= need == SIZE_MAX ? 3 * size + 1 : need + 2;
	/* The output has to end with the last character that fits. */
	if (need != SIZE_MAX) {
		size_t at = 0;

		do {
			int64_t value;

			fits = at;
			if (at == need)
				break;
			at += unit(to, want + at, need - at, &value);
		} while (at <= cap);
	}
	got = exactly(cap);
	if (cap)
		memset(got, 0xAA, cap);
	REQUIRE(utf8val_form_convert(from, to, got, cap, s, size) == need);
	REQUIRE(!fits || !memcmp(got, want, fits));
	for (size_t at = fits; at < cap; at++)
		REQUIRE(got[at] == 0xAA);
	free(got);
	free(want);
	free(s);
	return 0;
}
