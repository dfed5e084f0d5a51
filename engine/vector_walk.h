/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The walk of the vector engine over its input, for one kind of vector. vector.h defines
 * the macros below and includes this file, once for each kind; this file undefines them
 * at its end.
 *
 * Input of at least a vector is walked in four steps, each of which ends the walk when it
 * finds an error:
 *
 * - The first vector is checked.
 * - Blocks of VECTOR_COUNT vectors are checked as a whole, up to a block with an error.
 * - The vectors from there on, or those that do not fill a block, are checked one by one.
 * - The last bytes, fewer than a vector, are checked with zeros after them. A sequence
 *   that the end of the input cuts off is thus an error at the first zero.
 *
 * vector_boundary() then finds where the sequence with the error begins.
 *
 *   VECTOR(name)              the name with the kind of vector at its end
 *   VECTOR_TARGET             attribute of functions that use such vectors
 *   VECTOR_SIZE, VECTOR_TYPE  bytes of a vector, and its type
 *   VECTOR_ERRORS             type of the errors of one vector or of several together
 *   VECTOR_WORDS              1 if a load cannot have a mask: the fast engine then takes
 *                             less time for tiny input and ASCII names; else 0
 *   VECTOR_COUNT              vectors of a block, 2 or 4
 *   VECTOR_LOADS              for vector_nibbles.h: 1 if loading bytes again takes less
 *                             time than shuffling them out of two vectors; else 0
 *
 * These functions exist for that kind:
 *
 *   load, part, all           a vector from memory; a shorter part of memory with zeros
 *                             after it; a vector with one byte everywhere
 *   or                        the bitwise or
 *   high, tails               does a vector have a byte that is not ASCII? The number of
 *                             its tails
 *   same, keep                the tables and constants; keep them in registers
 *   errors                    the bytes of a vector that cannot follow those before them,
 *                             when it follows another vector,
 *   errors_first              when it is the input's first one,
 *   errors_at                 when it is in memory after another one
 *   any, first                is there an error? The position of the first error
 *   before_block              the state that is_bad needs for the first block
 *   is_bad                    does a block have an error? Updates the state for the block
 *                             after it
 */

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

/*
 * Skip blocks without an error. The first one begins at @pos, the last one at @last or
 * before it. *is_open becomes true after a block that is not ASCII, whose last sequence may
 * be incomplete, and false after an ASCII block.
 * Returns: the position of a block with an error, or the end of the last block.
 */
static inline VECTOR_TARGET FAST_INLINE const uint8_t *
VECTOR(blocks)(VECTOR_SAME same, const uint8_t *pos, const uint8_t *last,
	       bool *is_open)
{
	const size_t block = VECTOR_COUNT * VECTOR_SIZE;
	VECTOR_TYPE before;

	if (pos > last)
		return pos;
	before = VECTOR(before_block)(&same, VECTOR(load)(pos - VECTOR_SIZE));
	do {
		if (VECTOR(is_ascii)(pos)) {
			if (vector_is_cut(pos))
				return pos;
			/* no sequence is incomplete, so @before needs no update */
			*is_open = false;
			do {
				pos += block;
				if (pos > last)
					return pos;
			} while (VECTOR(is_ascii)(pos));
		}
		*is_open = true;
		if (VECTOR(is_bad)(&same, pos, &before))
			return pos;
		pos += block;
	} while (pos <= last);
	return pos;
}

/* The longest well-formed prefix of a vector's length or more. */
static FAST_NOINLINE VECTOR_TARGET size_t VECTOR(prefix_long)(const uint8_t *s,
							      size_t len)
{
	/* where the last block may begin; before pos if there is none */
	const uint8_t *last = s + fast_sub_sat(len, VECTOR_COUNT * VECTOR_SIZE);
	const uint8_t *pos;
	size_t rest;
	VECTOR_TYPE now = VECTOR(load)(s);
	VECTOR_ERRORS errors;
	VECTOR_SAME same = VECTOR(same)();
	/* false: only ASCII since the last complete character, so no tail can be due */
	bool is_open = VECTOR(high)(now);

	VECTOR(keep)(&same);
	if (is_open) {
		errors = VECTOR(errors_first)(&same, now);
		if (VECTOR(any)(errors))
			return vector_boundary(s, VECTOR(first)(errors));
	}
	pos = VECTOR(blocks)(same, s + VECTOR_SIZE, last, &is_open);
	/* the vectors of a block with an error, or those that do not fill a block */
	for (rest = len - (size_t)(pos - s); rest >= VECTOR_SIZE; rest -= VECTOR_SIZE) {
		is_open = is_open || VECTOR(high)(VECTOR(load)(pos));
		if (is_open) {
			errors = VECTOR(errors_at)(&same, pos);
			if (VECTOR(any)(errors))
				return vector_boundary(s, (size_t)(pos - s) +
							  VECTOR(first)(errors));
		}
		pos += VECTOR_SIZE;
	}
	now = VECTOR(part)(pos, rest);
	if (is_open || VECTOR(high)(now)) {
		/* zeros follow, so a sequence that the end cuts off is an error */
		errors = VECTOR(errors)(&same, now, VECTOR(load)(pos - VECTOR_SIZE));
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

/* Is this an ASCII name? False where another way to check it takes less time. */
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
	return !VECTOR(any)(VECTOR(errors_first)(&same, now));
}

/* The longest well-formed prefix. */
static VECTOR_TARGET size_t VECTOR(prefix)(const uint8_t *s, size_t len)
{
	VECTOR_SAME same = VECTOR(same)();
	VECTOR_TYPE now;
	VECTOR_ERRORS errors;

	if (VECTOR_WORDS && len <= FAST_TINY_MAX)
		return fast_where_tiny(s, len);
	if (VECTOR(ascii)(s, len))
		return len;
	if (len >= VECTOR_SIZE)
		return VECTOR(prefix_long)(s, len);
	now = VECTOR(part)(s, len);
	if (!VECTOR_WORDS && !VECTOR(high)(now))
		return len;
	errors = VECTOR(errors_first)(&same, now);
	if (!VECTOR(any)(errors))
		return len;
	return vector_boundary(s, VECTOR(first)(errors));
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
#undef VECTOR_ERRORS
#undef VECTOR_WORDS
#undef VECTOR_LOADS
#undef VECTOR_COUNT
