// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What names have to be beyond well-formed. */
#include "scan/rules.h"

#include "guess/label.h"
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

enum guess_kind rules_broken(const struct rules *rules, const void *name, size_t len)
{
	text_auto right = { 0 };
	struct misread misread;
	enum guess_kind kind = decode(rules, name, len, &misread, &right);

	if (kind != GUESS_NONE)
		return kind;
	if (!normal_is(rules->normal, name, len))
		return normal_composes(rules->normal) ? GUESS_NFC : GUESS_NFD;
	if (rules->portable && !portable_is(name, len))
		return GUESS_UNPORTABLE;
	if (rules->safe && suspect_is_unsafe(name, len))
		return GUESS_UNSAFE;
	if (rules->whole && suspect_is_damaged(name, len))
		return GUESS_DAMAGED;
	return GUESS_NONE;
}

bool rules_is_one(enum guess_kind kind)
{
	return kind >= GUESS_TWICE;
}

/* The word for a rule that is broken, after what has been said of others. */
static void add_rule(struct text *to, size_t begin, enum guess_kind kind,
		     const char *colon)
{
	struct guess guess = { .kind = kind };

	if (to->len > begin)
		text_puts(to, ", ");
	text_puts(to, guess_label(&guess));
	text_puts(to, colon);
}

void rules_reason(const struct rules *rules, const void *name, size_t len,
		  struct text *to)
{
	text_auto right = { 0 };
	struct misread misread;
	enum guess_kind kind = decode(rules, name, len, &misread, &right);
	size_t begin = to->len;

	if (kind != GUESS_NONE)
		add_rule(to, begin, kind, "");
	if (kind == GUESS_MISREAD)
		text_printf(to, ": %s, taken for %s", misread.was, misread.taken_for);
	if (!normal_is(rules->normal, name, len))
		add_rule(to, begin, normal_composes(rules->normal) ? GUESS_NFC :
								     GUESS_NFD, "");
	if (rules->portable && !portable_is(name, len)) {
		add_rule(to, begin, GUESS_UNPORTABLE, ": ");
		portable_reason(name, len, to);
	}
	if (rules->safe && suspect_is_unsafe(name, len)) {
		add_rule(to, begin, GUESS_UNSAFE, ": ");
		suspect_unsafe_reason(name, len, to);
	}
	if (rules->whole && suspect_is_damaged(name, len)) {
		add_rule(to, begin, GUESS_DAMAGED, ": ");
		suspect_damaged_reason(name, len, to);
	}
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
