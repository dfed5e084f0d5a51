// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What names have to be beyond well-formed. */
#include "scan/rules.h"

#include "scan/portable.h"
#include "scan/suspect.h"
#include "scan/twice.h"

/* Add what a name was before it was decoded wrongly; GUESS_NONE: it was not. */
static enum guess_kind decode(const struct rules *rules, const void *name, size_t len,
			      struct misread *misread, struct text *to)
{
	bool decoded;

	if (!rules->once)
		return GUESS_NONE;
	*misread = rules->misread;
	if (!misread->was && twice_decode(name, len, to))
		return GUESS_TWICE;
	decoded = misread->was ? misread_decode_by(misread, name, len, to) :
				 misread_decode(name, len, misread, to);
	if (!decoded)
		return GUESS_NONE;
	return misread->was == misread_utf8 ? GUESS_TWICE : GUESS_MISREAD;
}

/* Add the word for a rule, and why it is broken, after what has been said of others. */
static enum guess_kind add_rule(struct text *to, enum guess_kind before,
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

enum guess_kind rules_reason(const struct rules *rules, const void *name, size_t len,
			     struct text *to)
{
	const struct {
		bool asked;
		enum guess_kind kind;
		void (*add_why)(const void *name, size_t len, struct text *to);
	} seen[] = {
		{ rules->portable, GUESS_UNPORTABLE, portable_reason },
		{ rules->safe, GUESS_UNSAFE, suspect_unsafe_reason },
		{ rules->whole, GUESS_DAMAGED, suspect_damaged_reason },
	};
	text_auto right = { 0 }, why = { 0 };
	struct misread misread;
	enum guess_kind first = decode(rules, name, len, &misread, &right);

	if (first == GUESS_MISREAD)
		text_printf(&why, "%s, taken for %s", misread.was, misread.taken_for);
	if (first != GUESS_NONE)
		add_rule(to, GUESS_NONE, first, &why);
	why.len = 0;
	if (!normal_is(rules->normal, name, len))
		first = add_rule(to, first, normal_composes(rules->normal) ? GUESS_NFC :
									     GUESS_NFD, &why);
	for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
		why.len = 0;
		if (seen[i].asked)
			seen[i].add_why(name, len, &why);
		if (why.len)
			first = add_rule(to, first, seen[i].kind, &why);
	}
	return first;
}

enum guess_kind rules_broken(const struct rules *rules, const void *name, size_t len)
{
	text_auto reason = { 0 };

	return rules_any(rules) ? rules_reason(rules, name, len, &reason) : GUESS_NONE;
}

void rules_apply(const struct rules *rules, const void *name, size_t len, struct text *to)
{
	text_auto once = { 0 }, normal = { 0 };
	struct misread misread;

	if (decode(rules, name, len, &misread, &once) == GUESS_NONE)
		text_add(&once, name, len);
	if (rules->normal == NORMAL_ANY)
		text_add(&normal, once.bytes, once.len);
	else
		normal_convert(rules->normal, once.bytes, once.len, &normal);
	if (rules->portable)
		portable_make(normal.bytes, normal.len, to);
	else
		text_add(to, normal.bytes, normal.len);
}

void rules_options(const struct rules *rules, struct text *to)
{
	if (rules->misread.was)
		text_printf(to, "--mojibake=%s:%s ", rules->misread.taken_for,
			    rules->misread.was);
	else if (rules->once)
		text_puts(to, "--mojibake ");
	if (rules->normal != NORMAL_ANY)
		text_printf(to, "--normalization %s ", normal_name(rules->normal));
	if (rules->portable)
		text_puts(to, "--portable ");
}

const char *rules_take_mojibake(void *data, const char *charsets)
{
	struct rules *rules = data;

	rules->once = true;
	return charsets ? misread_take(&rules->misread, charsets) : NULL;
}

const char *rules_take_normal(void *data, const char *form)
{
	struct rules *rules = data;

	rules->normal = normal_by_name(form);
	return rules->normal == NORMAL_ANY ? "there is nfc, nfd, full-nfc and full-nfd" : NULL;
}
