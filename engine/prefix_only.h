/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The short cuts of engine.h's list for engines that find the prefix and know
 * none: each says that there is nothing to save.
 */
#ifndef UTF8VAL_PREFIX_ONLY_H
#define UTF8VAL_PREFIX_ONLY_H

/* The core then makes the check and the verdict of the prefix. */
#define UTF8VAL_ENGINE_PREFIX_ONLY

/* What has no short cut before it needs no function of its own. */
#define UTF8VAL_ENGINE_APART

/* Input as short as a name: not told apart here. */
static inline bool utf8val_engine_ascii(const uint8_t *s, size_t len)
{
	(void)s;
	(void)len;
	return false;
}

static inline bool utf8val_engine_name(const uint8_t *s, size_t len)
{
	(void)s;
	(void)len;
	return false;
}

static inline size_t utf8val_engine_units(const uint8_t *s, size_t len)
{
	(void)s;
	(void)len;
	return 0;
}

static inline void utf8val_engine_copy_name(uint8_t *d, const uint8_t *s,
					    size_t len)
{
	(void)d;
	(void)s;
	(void)len;
}

/*
 * Characters that the engine takes at once where a caller goes from sequence to
 * sequence: none here, as going twice over them would cost time and flash.
 */
static inline size_t utf8val_engine_count(const uint8_t *s, size_t len,
					  size_t *units)
{
	(void)s;
	(void)len;
	(void)units;
	return 0;
}

static inline size_t utf8val_engine_text(const uint8_t *s, size_t len,
					 size_t room)
{
	(void)s;
	(void)len;
	(void)room;
	return 0;
}

/* Copy one sequence, of four bytes at most: no text is found here. */
static inline void utf8val_engine_copy(uint8_t *d, const uint8_t *s,
				       size_t len)
{
	/*@ loop invariant 0 <= len <= \at(len, Pre);
	    loop invariant \forall integer p; len <= p < \at(len, Pre) ==>
	      d[p] == \at(s[p], Pre);
	    loop assigns len, d[0 .. \at(len, Pre) - 1]; loop variant len; */
	while (len != 0u) {
		len--;
		d[len] = s[len];
	}
}

#endif /* UTF8VAL_PREFIX_ONLY_H */
