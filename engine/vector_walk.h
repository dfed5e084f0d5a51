/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The vector engine's walk, for one kind of vector: vector.h includes this file once
 * for each, with these macros, and this file ends by undefining them.
 *
 *   VECTOR(name)              the name with the kind of vector at its end
 *   VECTOR_TARGET             attribute of functions that use such vectors
 *   VECTOR_SIZE, VECTOR_TYPE  bytes of a vector, and its type
 *   VECTOR_WORDS              1 if no load has a mask, so that the fast engine is
 *                             sooner done with ASCII names; else 0
 *   VECTOR_COUNT              vectors of a block, 2 or 4
 *   VECTOR_LOADS              1 if loading bytes again takes less time than to shuffle
 *                             them out of two vectors; else 0
 *
 * and these functions for that kind: load, part, all, or, and, xor, less (subtract,
 * 0 where the result would be negative), upper and lower (half of each byte), table,
 * look_up, any (is a byte not 0?), first (which one is the first, if any), high (is a byte not
 * ASCII?), before (by 1 to 3 bytes) and tails (how many bytes are tails).
 */

#define VECTOR_SAME struct VECTOR(same)

/* The tables and what else stays the same, which loops keep in registers. */
VECTOR_SAME {
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

/*
 * The bytes of @now that cannot follow those one, two and three places before them are
 * not 0 in the result. See mve_tables.h.
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

/* Are the vectors of a block ASCII? */
static inline VECTOR_TARGET bool VECTOR(is_ascii)(const uint8_t *s)
{
	VECTOR_TYPE all = VECTOR(or)(VECTOR(load)(s), VECTOR(load)(s + VECTOR_SIZE));

	if (VECTOR_COUNT == 4u) {
		all = VECTOR(or)(all, VECTOR(load)(s + 2u * VECTOR_SIZE));
		all = VECTOR(or)(all, VECTOR(load)(s + 3u * VECTOR_SIZE));
	}
	return !VECTOR(high)(all);
}

/* The longest well-formed prefix of a vector's length or more. */
static FAST_NOINLINE VECTOR_TARGET size_t VECTOR(prefix_long)(const uint8_t *s,
							      size_t len)
{
	const size_t block = VECTOR_COUNT * VECTOR_SIZE;
	/* where the last block may begin; before pos if there is none */
	const uint8_t *last = s + fast_sub_sat(len, block);
	const uint8_t *pos = s + VECTOR_SIZE;
	size_t rest;
	VECTOR_TYPE errors = VECTOR(load)(s);
	VECTOR_SAME same = VECTOR(same)();
	/* is there anything but ASCII, after which tails may be due? */
	bool is_open = VECTOR(high)(errors);

	VECTOR_KEEP(same.high);
	VECTOR_KEEP(same.low);
	VECTOR_KEEP(same.next);
	VECTOR_KEEP(same.half);
	VECTOR_KEEP(same.third);
	VECTOR_KEEP(same.fourth);
	VECTOR_KEEP(same.top);
	if (is_open) {
		errors = VECTOR(errors)(&same, errors, VECTOR(all)(0));
		if (VECTOR(any)(errors))
			return vector_boundary(s, VECTOR(first)(errors));
	}
	while (pos <= last) {
		const uint8_t *from = pos;

		while (VECTOR(is_ascii)(pos)) {
			pos += block;
			if (pos > last)
				break;
		}
		if (pos != from) {
			if (vector_is_cut(from))
				return vector_boundary(s, (size_t)(from - s));
			is_open = false;
			if (pos > last)
				break;
		}
		errors = VECTOR(errors_pair)(&same, pos);
		if (VECTOR_COUNT == 4u)
			errors = VECTOR(or)(errors,
					    VECTOR(errors_pair)(&same, pos + 2u * VECTOR_SIZE));
		is_open = true;
		/* the loop below finds in which one */
		if (VECTOR(any)(errors))
			break;
		pos += block;
	}
	rest = len - (size_t)(pos - s);
	for (; rest >= VECTOR_SIZE; rest -= VECTOR_SIZE) {
		is_open = is_open || VECTOR(high)(VECTOR(load)(pos));
		if (is_open) {
			errors = VECTOR(errors_at)(&same, pos);
			if (VECTOR(any)(errors))
				return vector_boundary(s, (size_t)(pos - s) +
							  VECTOR(first)(errors));
		}
		pos += VECTOR_SIZE;
	}
	errors = VECTOR(part)(pos, rest);
	if (is_open || VECTOR(high)(errors)) {
		/* zeros follow, so a sequence that the end cuts off is an error */
		errors = VECTOR(errors)(&same, errors, VECTOR(load)(pos - VECTOR_SIZE));
		if (VECTOR(any)(errors))
			return vector_boundary(s, (size_t)(pos - s) +
						  VECTOR(first)(errors));
	}
	return len;
}

/* This is a separate function, so that names need no stack frame. */
static FAST_NOINLINE VECTOR_TARGET bool VECTOR(valid_long)(const uint8_t *s,
							   size_t len)
{
	return VECTOR(prefix_long)(s, len) == len;
}

/* Is this surely a name, and ASCII alone, by words? */
static inline FAST_INLINE bool VECTOR(ascii)(const uint8_t *s, size_t len)
{
	return VECTOR_WORDS && len > FAST_TINY_MAX && len <= FAST_NAME_MAX &&
	       fast_ascii_name(s, len);
}

static VECTOR_TARGET bool VECTOR(valid)(const uint8_t *s, size_t len)
{
	VECTOR_SAME same = VECTOR(same)();
	VECTOR_TYPE now;

	if (VECTOR_WORDS && len <= FAST_TINY_MAX)
		return fast_valid_tiny(s, len);
	if (VECTOR(ascii)(s, len))
		return true;
	if (len >= VECTOR_SIZE)
		return VECTOR(valid_long)(s, len);
	now = VECTOR(part)(s, len);
	if (!VECTOR_WORDS && !VECTOR(high)(now))
		return true;
	return !VECTOR(any)(VECTOR(errors)(&same, now, VECTOR(all)(0)));
}

/* The longest well-formed prefix. */
static VECTOR_TARGET size_t VECTOR(prefix)(const uint8_t *s, size_t len)
{
	VECTOR_SAME same = VECTOR(same)();
	VECTOR_TYPE now;

	if (VECTOR_WORDS && len <= FAST_TINY_MAX)
		return fast_where_tiny(s, len);
	if (VECTOR(ascii)(s, len))
		return len;
	if (len >= VECTOR_SIZE)
		return VECTOR(prefix_long)(s, len);
	now = VECTOR(part)(s, len);
	if (!VECTOR_WORDS && !VECTOR(high)(now))
		return len;
	now = VECTOR(errors)(&same, now, VECTOR(all)(0));
	if (!VECTOR(any)(now))
		return len;
	return vector_boundary(s, VECTOR(first)(now));
}

/* Pass well-formed characters, and add their number to *units. */
static VECTOR_TARGET size_t VECTOR(count)(const uint8_t *s, size_t len,
					  size_t *units)
{
	size_t tails = 0;
	size_t at = 0;
	size_t run;

	if (VECTOR(ascii)(s, len) ||
	    (!VECTOR_WORDS && len < VECTOR_SIZE &&
	     !VECTOR(high)(VECTOR(part)(s, len)))) {
		*units += len;
		return len;
	}
	/* the bytes are still cached when their tails are counted */
	run = VECTOR(prefix)(s, fast_min(len, FAST_PART));
	for (; run - at >= 4u * VECTOR_SIZE; at += 4u * VECTOR_SIZE) {
		VECTOR_TYPE first = VECTOR(load)(s + at);
		VECTOR_TYPE second = VECTOR(load)(s + at + VECTOR_SIZE);
		VECTOR_TYPE third = VECTOR(load)(s + at + 2u * VECTOR_SIZE);
		VECTOR_TYPE fourth = VECTOR(load)(s + at + 3u * VECTOR_SIZE);

		if (VECTOR(high)(VECTOR(or)(VECTOR(or)(first, second),
					    VECTOR(or)(third, fourth))))
			tails += VECTOR(tails)(first) + VECTOR(tails)(second) +
				 VECTOR(tails)(third) + VECTOR(tails)(fourth);
	}
	for (; run - at >= VECTOR_SIZE; at += VECTOR_SIZE)
		tails += VECTOR(tails)(VECTOR(load)(s + at));
	if (run != at)
		tails += VECTOR(tails)(VECTOR(part)(s + at, run - at));
	*units += run - tails;
	return run;
}

#undef VECTOR_SAME
#undef VECTOR
#undef VECTOR_TARGET
#undef VECTOR_SIZE
#undef VECTOR_TYPE
#undef VECTOR_WORDS
#undef VECTOR_LOADS
#undef VECTOR_COUNT
