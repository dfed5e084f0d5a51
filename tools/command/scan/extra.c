// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The extra checks of names that are well-formed, one for each option. scan/bad.c calls it
 * for every name; scan/scan.c and the files of fix/ call it for reasons and new names.
 */
#include "scan/extra.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <uninorm.h>
#include <unictype.h>

#include "scan/portable.h"
#include "utf8val.h"

#define REPLACEMENT 0xFFFD
/* a question mark alone is a question */
#define MARKS 2

static const char *const normal_names[] = {
	[NORMAL_NFC] = "nfc",
	[NORMAL_NFD] = "nfd",
	[NORMAL_FULL_NFC] = "full-nfc",
	[NORMAL_FULL_NFD] = "full-nfd",
};

static bool composes(enum normal_form form)
{
	return form == NORMAL_NFC || form == NORMAL_FULL_NFC;
}

/* Of those that normalization changes, all of these blocks. */
static bool is_compatible(uint32_t cp)
{
	return (cp >= 0xF900 && cp < 0xFB00) || (cp >= 0x2F800 && cp < 0x2FA20);
}

static void normalize_all(enum normal_form form, const uint8_t *name, size_t len,
			  struct text *to)
{
	size_t out_len;
	uint8_t *out = must(u8_normalize(composes(form) ? UNINORM_NFC : UNINORM_NFD, name,
					 len, NULL, &out_len));

	text_add(to, out, out_len);
	free(out);
}

/* Add a name in a normalization form. */
static void normalize(enum normal_form form, const void *name, size_t len,
		      struct text *to)
{
	const uint8_t *pos = name, *end = pos + len, *from = pos, *before = pos;
	bool spares = form == NORMAL_NFC || form == NORMAL_NFD;
	uint32_t cp;

	/* nothing is composed with an ideograph, so that pieces are as good */
	for (; spares && utf8val_next(&pos, end, &cp) != UTF8VAL_END; before = pos) {
		if (!is_compatible(cp))
			continue;
		if (before > from)
			normalize_all(form, from, (size_t)(before - from), to);
		text_add(to, before, (size_t)(pos - before));
		from = pos;
	}
	if (end > from)
		normalize_all(form, from, (size_t)(end - from), to);
}

/* Is a name that is UTF-8 in this form? */
static bool is_normal(enum normal_form form, const void *name, size_t len)
{
	text_auto normal = { 0 };

	if (form == NORMAL_ANY || text_is_ascii(name, len))
		return true;
	normalize(form, name, len, &normal);
	return normal.len == len && !memcmp(normal.bytes, name, len);
}

/* The effect of a character that is not seen; NULL: it is seen, or is a blank. */
static const char *hidden(uint32_t cp)
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
static bool is_repeated(const uint8_t *name, const uint8_t *at, uint32_t cp)
{
	uint32_t before;

	for_each_character(before, name, at - name) {
		if (before == cp)
			return true;
	}
	return false;
}

/*
 * Add which characters of a name are not seen, each once: "has U+202E, which turns text
 * around", ... By Unicode's properties: controls, separators of lines, what turns text
 * around, variation selectors, and whatever else has no width.
 */
static void unsafe_reason(const void *name, size_t len, struct text *to)
{
	const uint8_t *pos = name, *end = pos + len, *from = pos;
	size_t begin = to->len;
	uint32_t cp;

	for (; utf8val_next(&pos, end, &cp) != UTF8VAL_END; from = pos) {
		const char *what = hidden(cp);

		if (!what || is_repeated(name, from, cp))
			continue;
		text_printf(to, "%sU+%04X, %s", to->len > begin ? ", " : "has ",
			    (unsigned int)cp, what);
	}
}

/*
 * Add how many characters of a name were lost: "3 characters are lost, U+FFFD in their
 * place". U+FFFD and two or more question marks in turn count.
 */
static void damaged_reason(const void *name, size_t len, struct text *to)
{
	/* replaced characters, and question marks that stand in turn */
	size_t replaced = 0, marks = 0, run = 0;
	uint32_t cp;

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

/* Add what a name was before it was decoded wrongly; GUESS_NONE: it was not. */
static enum guess_kind decode(const struct extra *extra, const void *name, size_t len,
			      struct misread *misread, struct text *to)
{
	if (!extra->once)
		return GUESS_NONE;
	*misread = extra->misread;
	if (!misread_decode(name, len, misread, to))
		return GUESS_NONE;
	return misread->was == misread_utf8 ? GUESS_DOUBLED : GUESS_MISREAD;
}

/* Add the word for a check that fails, and the reason, after those of other checks. */
static enum guess_kind add_check(struct text *to, enum guess_kind before,
				 enum guess_kind kind, const struct text *why)
{
	struct guess guess = { .kind = kind };

	if (before != GUESS_NONE)
		text_puts(to, ", ");
	text_puts(to, guess_label(&guess));
	if (why->len)
		text_puts(to, ": ");
	text_add(to, why->bytes, why->len);
	return before != GUESS_NONE ? before : kind;
}

enum guess_kind extra_reason(const struct extra *extra, const void *name, size_t len,
			     struct text *to)
{
	const struct {
		bool asked;
		enum guess_kind kind;
		void (*add_why)(const void *name, size_t len, struct text *to);
	} seen[] = {
		{ extra->portable, GUESS_UNPORTABLE, portable_reason },
		{ extra->safe, GUESS_UNSAFE, unsafe_reason },
		{ extra->whole, GUESS_DAMAGED, damaged_reason },
	};
	text_auto right = { 0 }, why = { 0 };
	struct misread misread;
	enum guess_kind first = decode(extra, name, len, &misread, &right);

	if (first == GUESS_MISREAD)
		text_printf(&why, "%s, taken for %s", misread.was, misread.taken_for);
	if (first != GUESS_NONE)
		add_check(to, GUESS_NONE, first, &why);
	why.len = 0;
	if (!is_normal(extra->normal, name, len))
		first = add_check(to, first,
				  composes(extra->normal) ? GUESS_NFC : GUESS_NFD, &why);
	for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
		why.len = 0;
		if (seen[i].asked)
			seen[i].add_why(name, len, &why);
		if (why.len)
			first = add_check(to, first, seen[i].kind, &why);
	}
	return first;
}

enum guess_kind extra_broken(const struct extra *extra, const void *name, size_t len)
{
	text_auto reason = { 0 };

	return extra_any(extra) ? extra_reason(extra, name, len, &reason) : GUESS_NONE;
}

void extra_apply(const struct extra *extra, const void *name, size_t len, struct text *to)
{
	text_auto once = { 0 }, normal = { 0 };
	struct misread misread;

	if (decode(extra, name, len, &misread, &once) == GUESS_NONE)
		text_add(&once, name, len);
	if (extra->normal == NORMAL_ANY)
		text_add(&normal, once.bytes, once.len);
	else
		normalize(extra->normal, once.bytes, once.len, &normal);
	if (extra->portable)
		portable_make(normal.bytes, normal.len, to);
	else
		text_add(to, normal.bytes, normal.len);
}

void extra_options(const struct extra *extra, struct text *to)
{
	if (extra->misread.was)
		text_printf(to, "--mojibake=%s:%s ", extra->misread.taken_for,
			    extra->misread.was);
	else if (extra->once)
		text_puts(to, "--mojibake ");
	if (extra->normal != NORMAL_ANY)
		text_printf(to, "--normalization %s ", normal_names[extra->normal]);
	if (extra->portable)
		text_puts(to, "--portable ");
}

const char *extra_take_mojibake(void *data, const char *charsets)
{
	struct extra *extra = data;

	extra->once = true;
	return charsets ? misread_take(&extra->misread, charsets) : NULL;
}

const char *extra_take_normal(void *data, const char *form)
{
	struct extra *extra = data;

	extra->normal = NORMAL_FULL_NFD;
	while (extra->normal != NORMAL_ANY &&
	       strcasecmp(form, normal_names[extra->normal]) != 0)
		extra->normal--;
	return extra->normal == NORMAL_ANY ? "there is nfc, nfd, full-nfc and full-nfd" : NULL;
}
