// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of <linux/utf8val.h>: strings with known answers, and strings of
 * all kinds against a slow decoder that goes by code points. Each string ends
 * where the mapped memory does, as vmalloc() leaves a hole after each area: a
 * read beyond the string is an oops here.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/utf8val.h>
#include <linux/vmalloc.h>

struct vector {
	const char *bytes;
	u8 len, valid, bad, reason;
};

#define VECTOR(bytes, valid, bad, reason) \
	{ bytes, sizeof(bytes) - 1, valid, bad, UTF8VAL_##reason }

/*
 * The first and last code points of each length, what surrounds them, and what
 * chapter 3 of the Unicode Standard has in its tables of maximal subparts.
 */
static const struct vector vectors[] = {
	VECTOR("", 0, 0, OK),
	VECTOR("plain ASCII", 11, 0, OK),
	VECTOR("a\0b", 3, 0, OK),
	VECTOR("\x7F", 1, 0, OK),
	VECTOR("\xC2\x80", 2, 0, OK),
	VECTOR("\xDF\xBF", 2, 0, OK),
	VECTOR("\xE0\xA0\x80", 3, 0, OK),
	VECTOR("\xED\x9F\xBF", 3, 0, OK),
	VECTOR("\xEE\x80\x80", 3, 0, OK),
	VECTOR("\xEF\xBF\xBF", 3, 0, OK),
	VECTOR("\xF0\x90\x80\x80", 4, 0, OK),
	VECTOR("\xF4\x8F\xBF\xBF", 4, 0, OK),
	VECTOR("\x80", 0, 1, STRAY_TAIL),
	VECTOR("ab\xBF", 2, 1, STRAY_TAIL),
	VECTOR("\xC3\xA9\xA9", 2, 1, STRAY_TAIL),
	VECTOR("\xC3", 0, 1, TRUNCATED),
	VECTOR("\xE4\xBD", 0, 2, TRUNCATED),
	VECTOR("abc\xF0\x9F\x98", 3, 3, TRUNCATED),
	VECTOR("caf\xE9", 3, 1, TRUNCATED),
	VECTOR("\xC3z", 0, 1, MISSING_TAIL),
	VECTOR("\xE4\xBDz", 0, 2, MISSING_TAIL),
	VECTOR("\xF0\x9F\x98z", 0, 3, MISSING_TAIL),
	VECTOR("\xE1\x80\xE2\xF0\x91\x92", 0, 2, MISSING_TAIL),
	VECTOR("\xC3\xC3\xA9", 0, 1, MISSING_TAIL),
	VECTOR("\xC0\xAF", 0, 1, OVERLONG),
	VECTOR("\xC1\xBF", 0, 1, OVERLONG),
	VECTOR("\xE0\x9F\xBF", 0, 1, OVERLONG),
	VECTOR("\xF0\x8F\xBF\xBF", 0, 1, OVERLONG),
	VECTOR("\xED\xA0\x80", 0, 1, SURROGATE),
	VECTOR("x\xED\xBF\xBF", 1, 1, SURROGATE),
	VECTOR("\xF4\x90\x80\x80", 0, 1, TOO_LARGE),
	VECTOR("\xF5\x80\x80\x80", 0, 1, TOO_LARGE),
	VECTOR("\xF7", 0, 1, TOO_LARGE),
	VECTOR("\xF8\x88\x80\x80\x80", 0, 1, BAD_LEAD),
	VECTOR("\xFE", 0, 1, BAD_LEAD),
	VECTOR("0123456789abcdef\xFF", 16, 1, BAD_LEAD),
};

/* The first and last byte of each class that the grammar or a reason knows */
static const u8 edges[] = {
	0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0,
	0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFF,
};

static int utf8val_test_init(struct kunit *test)
{
	test->priv = vmalloc(PAGE_SIZE);
	return test->priv ? 0 : -ENOMEM;
}

static void utf8val_test_exit(struct kunit *test)
{
	vfree(test->priv);
}

/* Where a string of this length has to begin */
static u8 *before_end(struct kunit *test, size_t len)
{
	return (u8 *)test->priv + PAGE_SIZE - len;
}

/* How long is the character at the start of a string? 0: there is none. */
static size_t character(const u8 *s, size_t len)
{
	static const u32 smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t want = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2, i;
	u32 code_point = s[0] & (0x7F >> want);

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xC0 || s[0] >= 0xF8 || want > len)
		return 0;
	for (i = 1; i < want; i++) {
		if (s[i] >> 6 != 2)
			return 0;
		code_point = code_point << 6 | (s[i] & 0x3F);
	}
	if (code_point < smallest[want] || code_point > 0x10FFFF ||
	    code_point >> 11 == 0xD800 >> 11)
		return 0;
	return want;
}

/* Compare all functions with the decoder above. */
static void expect_same(struct kunit *test, const u8 *s, size_t len)
{
	const struct utf8val_result got = utf8val_check(s, len);
	const struct qstr name = QSTR_INIT(s, len);
	size_t valid = 0, next;
	bool good;

	while (valid < len) {
		next = character(s + valid, len - valid);
		if (!next)
			break;
		valid += next;
	}
	good = valid == len;
	if (got.valid != valid || !got.reason != good || !got.bad != good ||
	    valid + got.bad > len || utf8val_valid(s, len) != good ||
	    utf8val_check_name(&name) != (good ? 0 : -EILSEQ))
		KUNIT_FAIL(test, "%zu bytes: %*ph: well-formed up to byte %zu",
			   len, (int)len, s, valid);
}

static void test_known_answers(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		const struct vector *vector = &vectors[i];
		u8 *s = before_end(test, vector->len);
		struct utf8val_result got;

		memcpy(s, vector->bytes, vector->len);
		got = utf8val_check(s, vector->len);
		KUNIT_EXPECT_EQ_MSG(test, got.valid, vector->valid, "%zu", i);
		KUNIT_EXPECT_EQ_MSG(test, got.bad, vector->bad, "%zu", i);
		KUNIT_EXPECT_EQ_MSG(test, got.reason, vector->reason, "%zu", i);
		expect_same(test, s, vector->len);
	}
}

static void test_all_pairs_of_bytes(struct kunit *test)
{
	u8 *s = before_end(test, 2);
	u32 i;

	expect_same(test, NULL, 0);
	for (i = 0; i < 256; i++) {
		s[1] = i;
		expect_same(test, s + 1, 1);
	}
	for (i = 0; i < 256 * 256; i++) {
		s[0] = i >> 8;
		s[1] = i;
		expect_same(test, s, 2);
	}
}

static void test_four_bytes_of_all_classes(struct kunit *test)
{
	const u32 count = ARRAY_SIZE(edges);
	u8 *s = before_end(test, 4);
	u32 i;

	for (i = 0; i < count * count * count * count; i++) {
		s[0] = edges[i % count];
		s[1] = edges[i / count % count];
		s[2] = edges[i / count / count % count];
		s[3] = edges[i / count / count / count];
		expect_same(test, s, 4);
	}
}

/* Text of each length, whole and with any byte changed to each edge */
static void test_texts_with_a_changed_byte(struct kunit *test)
{
	static const char *const units[] = {
		"a", "\xC3\xA9", "\xE4\xBD\xA0", "\xF0\x9F\x98\x80", "a\xE4\xBD\xA0"
	};
	size_t t, len, at, i;

	for (t = 0; t < ARRAY_SIZE(units); t++) {
		for (len = 1; len < 35; len++) {
			u8 *s = before_end(test, len);

			for (i = 0; i < len; i++)
				s[i] = units[t][i % strlen(units[t])];
			expect_same(test, s, len);
			for (at = 0; at < len; at++) {
				u8 byte = s[at];

				for (i = 0; i < ARRAY_SIZE(edges); i++) {
					s[at] = edges[i];
					expect_same(test, s, len);
				}
				s[at] = byte;
			}
		}
	}
}

/* ASCII inside a character, which must not be skipped as words */
static void test_ascii_inside_a_character(struct kunit *test)
{
	size_t before, between;

	for (before = 0; before < 9; before++) {
		for (between = 1; between < 25; between++) {
			size_t len = before + 1 + between + 2;
			u8 *s = before_end(test, len);

			memset(s, 'a', len);
			s[before] = 0xE4;
			s[len - 2] = 0xBD;
			s[len - 1] = 0xA0;
			expect_same(test, s, len);
		}
	}
}

static void test_reason_names(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, utf8val_reason_name(UTF8VAL_OVERLONG),
			   "overlong");
	KUNIT_EXPECT_STREQ(test, utf8val_reason_name(UTF8VAL_BAD_LEAD),
			   "bad lead");
	KUNIT_EXPECT_STREQ(test, utf8val_reason_name(UTF8VAL_REASONS),
			   "unknown");
}

static struct kunit_case utf8val_test_cases[] = {
	KUNIT_CASE(test_known_answers),
	KUNIT_CASE(test_all_pairs_of_bytes),
	KUNIT_CASE(test_four_bytes_of_all_classes),
	KUNIT_CASE(test_texts_with_a_changed_byte),
	KUNIT_CASE(test_ascii_inside_a_character),
	KUNIT_CASE(test_reason_names),
	{}
};

static struct kunit_suite utf8val_test_suite = {
	.name = "utf8val",
	.init = utf8val_test_init,
	.exit = utf8val_test_exit,
	.test_cases = utf8val_test_cases,
};

kunit_test_suite(utf8val_test_suite);

MODULE_DESCRIPTION("KUnit tests of the checks for UTF-8");
MODULE_LICENSE("GPL");
