/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The extra checks of names that are well-formed, one for each option: a normalization
 * form, names that Windows accepts, names that were decoded correctly. bad.c calls this for
 * every name; the files of fix/ and scan.c call it for the options and the repair.
 *
 * Names that fail --unsafe or --damaged are only listed, because nobody knows the right name.
 */
#ifndef UTF8VAL_SCAN_EXTRA_H
#define UTF8VAL_SCAN_EXTRA_H

#include <stdbool.h>
#include <stddef.h>

#include "guess/guess.h"
#include "scan/misread.h"

/*
 * Unicode's normalization forms: "é" is one character, or an e and an accent. To
 * file systems these are two names; libunistring knows which is which.
 *
 * A compatibility ideograph is another spelling of an ideograph, which a Japanese or
 * Korean font shows as another character. Both normalization forms replace it with that
 * ideograph. Only the full forms here do so: others keep what their authors meant.
 */
enum normal_form { NORMAL_ANY, NORMAL_NFC, NORMAL_NFD, NORMAL_FULL_NFC, NORMAL_FULL_NFD };

struct extra {
	enum normal_form normal;
	bool portable;
	bool once;		/* not decoded wrongly, or encoded twice */
	struct misread misread;	/* only in this way, where a user has named it */
	bool safe;		/* with no character that is not seen */
	bool whole;		/* with no character that was lost */
};

/* Is anything asked for? */
static inline bool extra_any(const struct extra *extra)
{
	return extra->normal != NORMAL_ANY || extra->portable || extra->once ||
	       extra->safe || extra->whole;
}

/*
 * Add in words which checks a well-formed name fails. The first of them is returned;
 * GUESS_NONE when it fails none.
 */
enum guess_kind extra_reason(const struct extra *extra, const void *name, size_t len,
			     struct text *to);

/* The same without words. */
enum guess_kind extra_broken(const struct extra *extra, const void *name, size_t len);

/* Is this a result of extra_broken()? */
static inline bool extra_is_one(enum guess_kind kind)
{
	return kind >= GUESS_DOUBLED;
}

/* Is this a check for which extra_apply() changes nothing? */
static inline bool extra_lists_only(enum guess_kind kind)
{
	return kind == GUESS_UNSAFE || kind == GUESS_DAMAGED;
}

/* Add the well-formed name as the checks want it. */
void extra_apply(const struct extra *extra, const void *name, size_t len,
		 struct text *to);

/* Add fix's options for these checks, each with a space after it. */
void extra_options(const struct extra *extra, struct text *to);

/* Rows of a table of options. */
const char *extra_take_normal(void *data, const char *form);
const char *extra_take_mojibake(void *data, const char *charsets);
#define EXTRA_OPTION_MOJIBAKE(extra) \
	{ 0, "mojibake", "TAKEN:WAS", \
	  "Also names that were decoded in a wrong charset, or are double-encoded UTF-8; " \
	  "with TAKEN:WAS or TAKEN, all that were taken for this charset and were " \
	  "in WAS, or UTF-8", \
	  .optional = true, .told = true, .take = extra_take_mojibake, .data = (extra) }
#define EXTRA_OPTION_NORMAL(extra) \
	{ 0, "normalization", "nfc|nfd|full-nfc|full-nfd", \
	  "Also names that are not in this form of Unicode's; full-nfc and " \
	  "full-nfd do not spare compatibility ideographs", \
	  .told = true, .take = extra_take_normal, .data = (extra) }
#define EXTRA_OPTION_PORTABLE(extra) \
	{ 0, "portable", NULL, "Also names that Windows would not accept", \
	  .flag = &(extra)->portable, .told = true }
#define EXTRA_OPTION_UNSAFE(extra) \
	{ 0, "unsafe", NULL, \
	  "Also list names with characters that are not seen: bidirectional " \
	  "and other controls, variation selectors, zero width", \
	  .flag = &(extra)->safe, .told = true }
#define EXTRA_OPTION_DAMAGED(extra) \
	{ 0, "damaged", NULL, \
	  "Also list names in which U+FFFD or question marks stand for " \
	  "what is lost", \
	  .flag = &(extra)->whole, .told = true }

#endif /* UTF8VAL_SCAN_EXTRA_H */
