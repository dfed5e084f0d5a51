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
 *
 * and these functions for that kind: load, part, all, or, and, xor, less (subtract,
 * 0 where the result would be negative), upper and lower (half of each byte), look_up,
 * any (is a byte not 0?), high (is a byte not ASCII?), before (by 1 to 3 bytes) and
 * tails (how many bytes are tails).
 */

/* Is there a byte in @now that cannot follow the bytes before it? See mve_tables.h. */
static inline VECTOR_TARGET VECTOR_TYPE VECTOR(errors)(VECTOR_TYPE now,
						       VECTOR_TYPE before)
{
	VECTOR_TYPE one = VECTOR(before)(now, before, 1);
	VECTOR_TYPE two = VECTOR(before)(now, before, 2);
	VECTOR_TYPE three = VECTOR(before)(now, before, 3);
	VECTOR_TYPE high = VECTOR(look_up)(UTF8VAL_MVE_HIGH, VECTOR(upper)(one));
	VECTOR_TYPE low = VECTOR(look_up)(UTF8VAL_MVE_LOW, VECTOR(lower)(one));
	VECTOR_TYPE next = VECTOR(look_up)(UTF8VAL_MVE_NEXT, VECTOR(upper)(now));
	VECTOR_TYPE pair = VECTOR(and)(VECTOR(and)(high, low), next);
	/* the top bit: a lead says that this byte is its third, or its fourth */
	VECTOR_TYPE third = VECTOR(less)(two, VECTOR(all)(UTF8VAL_LEAD_3 - 0x80u));
	VECTOR_TYPE fourth = VECTOR(less)(three, VECTOR(all)(UTF8VAL_LEAD_4 - 0x80u));
	VECTOR_TYPE due = VECTOR(or)(third, fourth);

	return VECTOR(xor)(VECTOR(and)(due, VECTOR(all)(0x80u)), pair);
}

/* The longest well-formed prefix of a vector's length or more. */
static FAST_NOINLINE VECTOR_TARGET size_t VECTOR(prefix_long)(const uint8_t *s,
							      size_t len)
{
	VECTOR_TYPE before = VECTOR(all)(0);
	VECTOR_TYPE now;
	/* are the bytes right before @at ASCII, so that none has to follow them? */
	bool is_ascii = true;
	size_t at = 0;

	for (; len - at >= 4u * VECTOR_SIZE; at += 4u * VECTOR_SIZE) {
		VECTOR_TYPE first = VECTOR(load)(s + at);
		VECTOR_TYPE second = VECTOR(load)(s + at + VECTOR_SIZE);
		VECTOR_TYPE third = VECTOR(load)(s + at + 2u * VECTOR_SIZE);
		VECTOR_TYPE fourth = VECTOR(load)(s + at + 3u * VECTOR_SIZE);
		VECTOR_TYPE all = VECTOR(or)(VECTOR(or)(first, second),
					     VECTOR(or)(third, fourth));

		if (!VECTOR(high)(all)) {
			if (!is_ascii &&
			    VECTOR(any)(VECTOR(errors)(first, before)))
				return vector_from(s, len, at);
			is_ascii = true;
		} else {
			all = VECTOR(or)(VECTOR(or)(VECTOR(errors)(first, before),
						    VECTOR(errors)(second, first)),
					 VECTOR(or)(VECTOR(errors)(third, second),
						    VECTOR(errors)(fourth, third)));
			if (VECTOR(any)(all))
				return vector_from(s, len, at);
			is_ascii = false;
		}
		before = fourth;
	}
	for (; len - at >= VECTOR_SIZE; at += VECTOR_SIZE) {
		now = VECTOR(load)(s + at);
		is_ascii = is_ascii && !VECTOR(high)(now);
		if (!is_ascii && VECTOR(any)(VECTOR(errors)(now, before)))
			return vector_from(s, len, at);
		before = now;
	}
	now = VECTOR(part)(s + at, len - at);
	if (!(is_ascii && !VECTOR(high)(now)) &&
	    VECTOR(any)(VECTOR(errors)(now, before)))
		return vector_from(s, len, at);
	return len;
}

/* Functions of their own, so that ASCII names need no stack frame. */

static FAST_NOINLINE VECTOR_TARGET bool VECTOR(valid_long)(const uint8_t *s,
							   size_t len)
{
	return VECTOR(prefix_long)(s, len) == len;
}

/*
 * Input that is shorter than a vector. Zeros follow in @now, so a sequence that the end
 * cuts off is an error.
 */

static FAST_NOINLINE VECTOR_TARGET bool VECTOR(valid_short)(VECTOR_TYPE now)
{
	return !VECTOR(any)(VECTOR(errors)(now, VECTOR(all)(0)));
}

static FAST_NOINLINE VECTOR_TARGET size_t
VECTOR(prefix_short)(VECTOR_TYPE now, const uint8_t *s, size_t len)
{
	if (!VECTOR(any)(VECTOR(errors)(now, VECTOR(all)(0))))
		return len;
	return fast_prefix(s, len);
}

/* Is this surely a name, and ASCII alone, by words? */
static inline FAST_INLINE bool VECTOR(ascii)(const uint8_t *s, size_t len)
{
	return VECTOR_WORDS && len > FAST_TINY_MAX && len <= FAST_NAME_MAX &&
	       fast_ascii_name(s, len);
}

static VECTOR_TARGET bool VECTOR(valid)(const uint8_t *s, size_t len)
{
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
	return VECTOR(valid_short)(now);
}

/* The longest well-formed prefix. */
static VECTOR_TARGET size_t VECTOR(prefix)(const uint8_t *s, size_t len)
{
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
	return VECTOR(prefix_short)(now, s, len);
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

#undef VECTOR
#undef VECTOR_TARGET
#undef VECTOR_SIZE
#undef VECTOR_TYPE
#undef VECTOR_WORDS
