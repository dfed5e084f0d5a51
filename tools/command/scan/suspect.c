// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Names that hide something, and names that have lost something. */
#include "scan/suspect.h"

#include <stdbool.h>
#include <stdint.h>
#include <unictype.h>

#include "utf8val.h"

#define REPLACEMENT 0xFFFD
/* a question mark alone is a question */
#define MARKS 2

/* What a character does that is not seen; NULL: it is seen, or is a blank. */
static const char *hidden(int32_t cp)
{
	ucs4_t c = (ucs4_t)cp;

	/* ASCII without its controls, and no question to the tables */
	if (text_is_usual(c) || c == ' ')
		return NULL;
	if (uc_is_property_bidi_control(c))
		return "which turns text around";
	if (uc_is_general_category_withtable(c, UC_CATEGORY_MASK_Cc))
		return "a control character";
	if (uc_is_general_category_withtable(c, UC_CATEGORY_MASK_Zl |
						UC_CATEGORY_MASK_Zp))
		return "which ends a line";
	if (uc_is_property_variation_selector(c))
		return "which selects a variant of what is before it";
	if (uc_is_property_default_ignorable_code_point(c) ||
	    uc_is_general_category_withtable(c, UC_CATEGORY_MASK_Cf))
		return "which has no width";
	return NULL;
}

/* Was this character met before in the name? */
static bool is_repeated(const uint8_t *name, const uint8_t *at, int32_t cp)
{
	int32_t before;

	for_each_character(before, name, at - name) {
		if (before == cp)
			return true;
	}
	return false;
}

void suspect_unsafe_reason(const void *name, size_t len, struct text *to)
{
	const uint8_t *pos = name, *end = pos + len, *from = pos;
	size_t begin = to->len;

	for (; pos < end; from = pos) {
		const char *what;
		int32_t cp;

		pos = utf8val_next(pos, end, &cp);
		what = hidden(cp);
		if (!what || is_repeated(name, from, cp))
			continue;
		text_printf(to, "%sU+%04X, %s", to->len > begin ? ", " : "has ",
			    (unsigned int)cp, what);
	}
}

void suspect_damaged_reason(const void *name, size_t len, struct text *to)
{
	/* replaced characters, and question marks that stand in turn */
	size_t replaced = 0, marks = 0, run = 0;
	int32_t cp;

	for_each_character(cp, name, len) {
		replaced += cp == REPLACEMENT;
		run = cp == '?' ? run + 1 : 0;
		if (run >= MARKS)
			marks += run == MARKS ? MARKS : 1;
	}
	if (replaced)
		text_printf(to, "%zu %s lost, U+FFFD in %s place", replaced,
			    replaced == 1 ? "character is" : "characters are",
			    replaced == 1 ? "its" : "their");
	if (replaced && marks)
		text_puts(to, ", ");
	if (marks)
		text_printf(to, "%zu characters may be lost, '?' in their place", marks);
}
