/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The short cuts of engine.h's list, for engines that find the prefix and have
 * no short cut: each function here says that there is nothing to save.
 */
#ifndef UTF8VAL_PREFIX_ONLY_H
#define UTF8VAL_PREFIX_ONLY_H

/* Tells the core to make the check and the verdict from the prefix. */
#define UTF8VAL_ENGINE_PREFIX_ONLY

/* Without a short cut before it, nothing has to be a function of its own. */
#define UTF8VAL_ENGINE_APART

/* Names are not told apart here from other input. */
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
 * An engine can pass many characters at once where a caller goes from sequence
 * to sequence. This one passes none: going over them twice would cost time and
 * flash.
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

/*
 * Copy one sequence, of at most four bytes: utf8val_engine_text() finds no
 * text.
 */
static inline void utf8val_engine_copy(uint8_t *d, const uint8_t *s,
				       size_t len)
{
	while (len != 0u) {
		len--;
		d[len] = s[len];
	}
}

#endif /* UTF8VAL_PREFIX_ONLY_H */
