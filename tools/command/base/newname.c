// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The check whether a person could have given a new name, for example without control
 * characters. fix, scan and the guesses call it.
 */
#include "base/newname.h"

#include <stdint.h>
#include <string.h>
#include <unictype.h>

#include "base/text.h"
#include "utf8val.h"

/* a longer "extension", with its dot, is none */
#define EXTENSION 16

size_t newname_stem(const char *name, size_t len)
{
	const char *dot = memrchr(name, '.', len);

	return dot && dot != name && name + len - dot <= EXTENSION ?
		       (size_t)(dot - name) : len;
}

/* Does one name begin so, and not the other? */
static _Bool begins(const char *name, const char *old, size_t old_len, char with)
{
	return name[0] == with && !(old_len && old[0] == with);
}

/* A blank that is seen: no-break, narrow (macOS writes it before "PM"), and of full width. */
static _Bool is_blank(uint32_t cp)
{
	return cp == 0xA0 || cp == 0x202F || cp == 0x3000;
}

const char *newname_trouble(const void *old, size_t old_len, const void *name, size_t len)
{
	const uint8_t *pos = name, *end = pos + len;
	const uint8_t *old_end = (const uint8_t *)old + old_len;
	_Bool was_good = utf8val_valid(old, old_len), first = 1;
	uint32_t cp = 0;

	if (!len)
		return "nothing would be left of it";
	if (begins(name, old, old_len, '.'))
		return "the new name would begin with a dot";
	if (begins(name, old, old_len, '-'))
		return "the new name would begin with a dash";
	while (pos < end) {
		const uint8_t *from = pos;

		if (utf8val_next(&pos, end, &cp) != UTF8VAL_OK)
			return "the new name would not be UTF-8";
		/* none of these questions is about such a one */
		if (text_is_usual(cp)) {
			first = 0;
			continue;
		}
		if (uc_is_property_not_a_character((ucs4_t)cp) ||
		    uc_is_general_category_withtable((ucs4_t)cp, UC_CATEGORY_MASK_Co))
			return "the new name would have a character that "
			       "stands for nothing";
		/* what was there before stays as it was */
		if (text_is_unsafe(cp) && !is_blank(cp) &&
		    !((was_good || cp < 0x80) &&
		      memmem(old, old_len, from, (size_t)(pos - from))))
			return "the new name would have a control or an "
			       "invisible character";
		if (first && uc_is_property_white_space((ucs4_t)cp) &&
		    !(old_len && *(const uint8_t *)old == cp))
			return "the new name would begin with a blank";
		first = 0;
	}
	if (uc_is_property_white_space((ucs4_t)cp) && !(old_len && old_end[-1] == cp))
		return "the new name would end with a blank";
	return NULL;
}
