// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val's KUnit suite: the checks that all runners share, and two that only a
 * kernel can make: names as struct qstr, and buffers that end where the mapped
 * memory does.
 */
#include <kunit/test.h>
#include <linux/dcache.h>
#include <linux/module.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/utf8val.h>
#include <linux/vmalloc.h>

#include "../tests/checks.h"

static u8 *scratch(struct kunit *test)
{
	u8 *room = kunit_kmalloc(test, UTF8VAL_SCRATCH, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, room);
	return room;
}

static void expect(struct kunit *test, bool passed,
		   const struct utf8val_failure *failure)
{
	if (!passed)
		KUNIT_FAIL(test, "%s at %zu: want %lu, got %lu", failure->what,
			   failure->at, failure->want, failure->got);
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
	struct utf8val_failure failure = {};

	expect(test, utf8val_check_vector(test->param_value, scratch(test),
					  &failure), &failure);
}

static const void *next_case(struct kunit *test, const void *prev,
			     char *desc)
{
	const struct utf8val_case *check = prev;

	check = check ? check + 1 : utf8val_cases;
	if (check == utf8val_cases + utf8val_case_count)
		return NULL;
	strscpy(desc, check->name, KUNIT_PARAM_DESC_SIZE);
	return check;
}

static void shared_checks(struct kunit *test)
{
	const struct utf8val_case *check = test->param_value;
	struct utf8val_failure failure = {};

	expect(test, check->run(scratch(test), &failure), &failure);
}

/* utf8val_check_name() agrees on each vector, and goes by len, not by a NUL. */
static void names(struct kunit *test)
{
	const struct utf8val_vector *vector = test->param_value;
	struct qstr name = QSTR_INIT(vector->bytes, vector->len);
	bool good = vector->reason == UTF8VAL_OK;

	KUNIT_EXPECT_EQ(test, utf8val_check_name(&name), good ? 0 : -EILSEQ);
}

/*
 * Check every vector, and text of every length up to a page, at the end of a
 * page after which nothing is mapped, as vmalloc() leaves a hole after each
 * area. A read beyond the buffer is an oops here.
 */
static void page_edge(struct kunit *test)
{
	u8 *page = vmalloc(PAGE_SIZE);
	size_t i, len;

	KUNIT_ASSERT_NOT_NULL(test, page);
	for (i = 0; i < utf8val_vector_count; i++) {
		const struct utf8val_vector *vector = &utf8val_vectors[i];
		u8 *at = page + PAGE_SIZE - vector->len;
		struct utf8val_result result;

		memcpy(at, vector->bytes, vector->len);
		result = utf8val_check(at, vector->len);
		KUNIT_EXPECT_EQ_MSG(test, result.valid, vector->valid, "%s",
				    vector->name);
		KUNIT_EXPECT_EQ_MSG(test, result.bad, vector->bad, "%s",
				    vector->name);
		KUNIT_EXPECT_EQ_MSG(test, result.reason, vector->reason, "%s",
				    vector->name);
	}
	memset(page, 'a', PAGE_SIZE);
	for (len = 0; len <= PAGE_SIZE; len++) {
		/*
		 * a lead is the last byte, and the tail that it asks for is not
		 * there
		 */
		KUNIT_EXPECT_TRUE(test, utf8val_valid(page + PAGE_SIZE - len,
						      len));
	}
	page[PAGE_SIZE - 1] = 0xF0;
	for (len = 1; len <= PAGE_SIZE; len++)
		KUNIT_EXPECT_EQ(test, utf8val_prefix(page + PAGE_SIZE - len,
						     len), len - 1);
	vfree(page);
}

static void check_unknown_reason(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, utf8val_reason_name(UTF8VAL_OVERLONG),
			   "overlong");
	KUNIT_EXPECT_STREQ(test, utf8val_reason_name(UTF8VAL_REASONS),
			   "unknown");
}

static struct kunit_case utf8val_kunit_cases[] = {
	KUNIT_CASE_PARAM(vectors, next_vector),
	KUNIT_CASE_PARAM(names, next_vector),
	KUNIT_CASE_PARAM(shared_checks, next_case),
	KUNIT_CASE(page_edge),
	KUNIT_CASE(check_unknown_reason),
	{}
};

static struct kunit_suite utf8val_suite = {
	.name = "utf8val",
	.test_cases = utf8val_kunit_cases,
};

kunit_test_suite(utf8val_suite);

MODULE_DESCRIPTION("KUnit tests of utf8val");
MODULE_LICENSE("Dual MIT/GPL");
