/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * How the vector engine finds errors with tables of sixteen bytes, for vectors that
 * look up no more than sixteen. vector.h includes this file for AVX2 and for NEON,
 * before vector_walk.h, which describes the macros. mve_tables.h has the tables.
 *
 * These functions of that kind of vector are needed: load, all, or, and, xor, table,
 * look_up, and
 *
 * - less: subtract, 0 where the result would be negative;
 * - upper and lower: half of each byte;
 * - before: the bytes 1 to 3 places before those of a vector.
 */

/* The tables and what else stays the same, which loops keep in registers. */
struct VECTOR(same) {
	VECTOR_TYPE high;
	VECTOR_TYPE low;
	VECTOR_TYPE next;
	VECTOR_TYPE half;
	VECTOR_TYPE third;
	VECTOR_TYPE fourth;
	VECTOR_TYPE top;
};

static inline VECTOR_TARGET FAST_INLINE VECTOR_SAME VECTOR(same)(void)
{
	VECTOR_SAME same;

	same.high = VECTOR(table)(utf8val_mve_tables + UTF8VAL_MVE_HIGH);
	same.low = VECTOR(table)(utf8val_mve_tables + UTF8VAL_MVE_LOW);
	same.next = VECTOR(table)(utf8val_mve_tables + UTF8VAL_MVE_NEXT);
	same.half = VECTOR(all)(0x0F);
	same.third = VECTOR(all)(UTF8VAL_LEAD_3 - 0x80u);
	same.fourth = VECTOR(all)(UTF8VAL_LEAD_4 - 0x80u);
	same.top = VECTOR(all)(0x80);
	return same;
}

static inline VECTOR_TARGET FAST_INLINE void VECTOR(keep)(VECTOR_SAME *same)
{
	VECTOR_KEEP(same->high);
	VECTOR_KEEP(same->low);
	VECTOR_KEEP(same->next);
	VECTOR_KEEP(same->half);
	VECTOR_KEEP(same->third);
	VECTOR_KEEP(same->fourth);
	VECTOR_KEEP(same->top);
}

/*
 * The bytes of @now that cannot follow those one, two and three places before them are
 * not 0 in the result.
 */
static inline VECTOR_TARGET FAST_INLINE VECTOR_TYPE
VECTOR(compare)(const VECTOR_SAME *same, VECTOR_TYPE now, VECTOR_TYPE one,
		VECTOR_TYPE two, VECTOR_TYPE three)
{
	VECTOR_TYPE high = VECTOR(look_up)(same->high, VECTOR(upper)(one, same->half));
	VECTOR_TYPE low = VECTOR(look_up)(same->low, VECTOR(lower)(one, same->half));
	VECTOR_TYPE next = VECTOR(look_up)(same->next, VECTOR(upper)(now, same->half));
	VECTOR_TYPE pair = VECTOR(and)(VECTOR(and)(high, low), next);
	/* the top bit: a lead says that this byte is its third, or its fourth */
	VECTOR_TYPE due = VECTOR(or)(VECTOR(less)(two, same->third),
				     VECTOR(less)(three, same->fourth));

	return VECTOR(xor)(VECTOR(and)(due, same->top), pair);
}

/* The same, after a vector of bytes. */
static inline VECTOR_TARGET FAST_INLINE VECTOR_TYPE
VECTOR(errors)(const VECTOR_SAME *same, VECTOR_TYPE now, VECTOR_TYPE before)
{
	return VECTOR(compare)(same, now, VECTOR(before)(now, before, 1),
			       VECTOR(before)(now, before, 2),
			       VECTOR(before)(now, before, 3));
}

/* The same for the input's first vector. */
static inline VECTOR_TARGET FAST_INLINE VECTOR_TYPE
VECTOR(errors_first)(const VECTOR_SAME *same, VECTOR_TYPE now)
{
	return VECTOR(errors)(same, now, VECTOR(all)(0));
}

/* The same for the vector at @s, which is not the input's first one. */
static inline VECTOR_TARGET FAST_INLINE VECTOR_TYPE
VECTOR(errors_at)(const VECTOR_SAME *same, const uint8_t *s)
{
	VECTOR_TYPE now = VECTOR(load)(s);

	return VECTOR_LOADS ? VECTOR(compare)(same, now, VECTOR(load)(s - 1),
					      VECTOR(load)(s - 2),
					      VECTOR(load)(s - 3)) :
			      VECTOR(errors)(same, now,
					     VECTOR(load)(s - VECTOR_SIZE));
}

/* The same for two vectors together, so that it does not tell which one. */
static inline VECTOR_TARGET FAST_INLINE VECTOR_TYPE
VECTOR(errors_pair)(const VECTOR_SAME *same, const uint8_t *s)
{
	VECTOR_TYPE errors = VECTOR(errors_at)(same, s);

	return VECTOR(or)(errors, VECTOR(errors_at)(same, s + VECTOR_SIZE));
}

/* Blocks read again what is before them. */
static inline VECTOR_TARGET FAST_INLINE VECTOR_TYPE
VECTOR(before_block)(const VECTOR_SAME *same, VECTOR_TYPE now)
{
	(void)same;
	return now;
}

/* Does a block have an error? */
static inline VECTOR_TARGET FAST_INLINE bool
VECTOR(is_bad)(const VECTOR_SAME *same, const uint8_t *s, VECTOR_TYPE *before)
{
	VECTOR_TYPE errors = VECTOR(errors_pair)(same, s);

	(void)before;
	if (VECTOR_COUNT == 4u)
		errors = VECTOR(or)(errors,
				    VECTOR(errors_pair)(same, s + 2u * VECTOR_SIZE));
	return VECTOR(any)(errors);
}
