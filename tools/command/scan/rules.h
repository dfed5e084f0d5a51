/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The rules for names beyond well-formed UTF-8: a normalization form, names that
 * Windows accepts, names that were decoded rightly. Some names are only listed, because
 * nobody knows the right name. bad.c calls this for every name.
 */
#ifndef UTF8VAL_SCAN_RULES_H
#define UTF8VAL_SCAN_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "guess/guess.h"
#include "scan/misread.h"

/*
 * Unicode's normalization forms: "é" is one character, or an e and an accent. To
 * file systems these are two names; libunistring knows which is which.
 *
 * A compatibility ideograph is another spelling of an ideograph, which a Japanese or
 * Korean font shows as another character, and both normalization forms make it that
 * ideograph. Only the full forms here do so: others keep what their authors meant.
 */
enum normal_form { NORMAL_ANY, NORMAL_NFC, NORMAL_NFD, NORMAL_FULL_NFC, NORMAL_FULL_NFD };

struct rules {
	enum normal_form normal;
	bool portable;
	bool once;		/* not decoded wrongly, or encoded twice */
	struct misread misread;	/* only in this way, where a user has named it */
	bool safe;		/* with no character that is not seen */
	bool whole;		/* with no character that was lost */
};

/* Is anything asked for? */
static inline bool rules_any(const struct rules *rules)
{
	return rules->normal != NORMAL_ANY || rules->portable || rules->once ||
	       rules->safe || rules->whole;
}

/*
 * Add in words which rules a well-formed name breaks. The first of them is returned;
 * GUESS_NONE when it breaks none.
 */
enum guess_kind rules_reason(const struct rules *rules, const void *name, size_t len,
			     struct text *to);

/* The same without words. */
enum guess_kind rules_broken(const struct rules *rules, const void *name, size_t len);

/* Is this a result of rules_broken()? */
static inline bool rules_is_one(enum guess_kind kind)
{
	return kind >= GUESS_DOUBLED;
}

/* Is this a rule for which rules_apply() changes nothing? */
static inline bool rules_lists_only(enum guess_kind kind)
{
	return kind == GUESS_UNSAFE || kind == GUESS_DAMAGED;
}

/* Add the well-formed name as the rules want it. */
void rules_apply(const struct rules *rules, const void *name, size_t len,
		 struct text *to);

/* Add fix's options for these rules, each with a space after it. */
void rules_options(const struct rules *rules, struct text *to);

/* Rows of a table of options. */
const char *rules_take_normal(void *data, const char *form);
const char *rules_take_mojibake(void *data, const char *charsets);
#define RULES_OPTION_MOJIBAKE(rules) \
	{ 0, "mojibake", "TAKEN:WAS", \
	  "Also names that were decoded in a wrong charset, or are double-encoded UTF-8; " \
	  "with TAKEN:WAS or TAKEN, all that were taken for this charset and were " \
	  "in WAS, or UTF-8", \
	  .optional = true, .told = true, .take = rules_take_mojibake, .data = (rules) }
#define RULES_OPTION_NORMAL(rules) \
	{ 0, "normalization", "nfc|nfd|full-nfc|full-nfd", \
	  "Also names that are not in this form of Unicode's; full-nfc and " \
	  "full-nfd do not spare compatibility ideographs", \
	  .told = true, .take = rules_take_normal, .data = (rules) }
#define RULES_OPTION_PORTABLE(rules) \
	{ 0, "portable", NULL, "Also names that Windows would not accept", \
	  .flag = &(rules)->portable, .told = true }
#define RULES_OPTION_UNSAFE(rules) \
	{ 0, "unsafe", NULL, \
	  "Also list names with characters that are not seen: bidirectional " \
	  "and other controls, variation selectors, zero width", \
	  .flag = &(rules)->safe, .told = true }
#define RULES_OPTION_DAMAGED(rules) \
	{ 0, "damaged", NULL, \
	  "Also list names in which U+FFFD or question marks stand for " \
	  "what is lost", \
	  .flag = &(rules)->whole, .told = true }

#endif /* UTF8VAL_SCAN_RULES_H */
