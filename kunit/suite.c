// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val's KUnit suite: vectors, and strings of all kinds against a slow
 * decoder that works in another way. Each string ends where the mapped memory
 * does, as vmalloc() leaves a hole after each area: a read beyond the string is
 * an oops here.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "../tests/vectors.h"
#include "differs.h"

/* the first and last byte of each class that the grammar or a reason knows */
static const u8 edges[] = {
	0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0,
	0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFF,
};

static int init(struct kunit *test)
{
	test->priv = vmalloc(PAGE_SIZE);
	return test->priv ? 0 : -ENOMEM;
}

static void end(struct kunit *test)
{
	vfree(test->priv);
}

/* Where a string of this length has to begin. */
static u8 *room(struct kunit *test, size_t len)
{
	return (u8 *)test->priv + PAGE_SIZE - len;
}

static void expect_same(struct kunit *test, const u8 *s, size_t len)
{
	const char *function = utf8val_differs(s, len);

	if (function)
		KUNIT_FAIL(test, "%s differs for %zu bytes: %*ph", function, len,
			   (int)len, s);
}

static const void *next_vector(struct kunit *test, const void *prev,
			       char *desc)
{
	const struct utf8val_vector *vector = prev;

	vector = vector ? vector + 1 : utf8val_vectors;
	if (vector == utf8val_vectors + utf8val_vector_count)
		return NULL;
	strscpy(desc, vector->name, KUNIT_PARAM_DESC_SIZE);
	return vector;
}

static void vectors(struct kunit *test)
{
	const struct utf8val_vector *vector = test->param_value;
	u8 *s = room(test, vector->len);
	struct utf8val_result got;

	memcpy(s, vector->bytes, vector->len);
	got = utf8val_check(s, vector->len);
	KUNIT_EXPECT_EQ(test, got.valid, vector->valid);
	KUNIT_EXPECT_EQ(test, got.bad, vector->bad);
	KUNIT_EXPECT_EQ(test, got.reason, vector->reason);
	expect_same(test, s, vector->len);
}

static void bytes(struct kunit *test)
{
	u8 *s = room(test, 2);
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

static void classes(struct kunit *test)
{
	const u32 count = ARRAY_SIZE(edges);
	u8 *s = room(test, 4);
	u32 i;

	for (i = 0; i < count * count * count * count; i++) {
		s[0] = edges[i % count];
		s[1] = edges[i / count % count];
		s[2] = edges[i / count / count % count];
		s[3] = edges[i / count / count / count];
		expect_same(test, s, 4);
	}
}

/* Text of each length, whole and with any byte changed to each edge. */
static void texts(struct kunit *test)
{
	static const char *const units[] = {
		"a", "\xC3\xA9", "\xE4\xBD\xA0", "\xF0\x9F\x98\x80", "a\xE4\xBD\xA0"
	};
	size_t t, len, at, i;

	for (t = 0; t < ARRAY_SIZE(units); t++) {
		for (len = 1; len < 35; len++) {
			u8 *s = room(test, len);

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

/* ASCII inside a character, which must not be passed over as words. */
static void torn(struct kunit *test)
{
	size_t before, between;

	for (before = 0; before < 9; before++) {
		for (between = 1; between < 25; between++) {
			size_t len = before + 1 + between + 2;
			u8 *s = room(test, len);

			memset(s, 'a', len);
			s[before] = 0xE4;
			s[len - 2] = 0xBD;
			s[len - 1] = 0xA0;
			expect_same(test, s, len);
		}
	}
}

static void reason_names(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, utf8val_reason_name(UTF8VAL_OVERLONG),
			   "overlong");
	KUNIT_EXPECT_STREQ(test, utf8val_reason_name(UTF8VAL_BAD_LEAD),
			   "bad lead");
	KUNIT_EXPECT_STREQ(test, utf8val_reason_name(UTF8VAL_REASONS),
			   "unknown");
}

static struct kunit_case utf8val_kunit_cases[] = {
	KUNIT_CASE_PARAM(vectors, next_vector),
	KUNIT_CASE(bytes),
	KUNIT_CASE(classes),
	KUNIT_CASE(texts),
	KUNIT_CASE(torn),
	KUNIT_CASE(reason_names),
	{}
};

static struct kunit_suite utf8val_suite = {
	.name = "utf8val",
	.init = init,
	.exit = end,
	.test_cases = utf8val_kunit_cases,
};

kunit_test_suite(utf8val_suite);

MODULE_DESCRIPTION("KUnit tests of utf8val");
MODULE_LICENSE("Dual MIT/GPL");
