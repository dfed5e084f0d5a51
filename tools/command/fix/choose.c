// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The choice of a new name for each name that fix meets. The walk of fix/fix.c calls it. */
#include "fix/choose.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/newname.h"
#include "scan/mixed.h"
#include "utf8val.h"

static const char unsure[] = "no guess is reliable enough; see --guessed, --from, "
			     "--rest";

static const char other[] = "the best guess is not the charset of --guessed";

/* Bytes that cannot be read become %XX; a '%' of the name stays. */
static void escape(const uint8_t *name, size_t len, struct text *to)
{
	while (len) {
		struct utf8val_result r = utf8val_check(name, len);

		text_add(to, name, r.valid);
		for (size_t i = r.valid; i < r.valid + r.bad; i++)
			text_printf(to, "%%%02X", name[i]);
		name += r.valid + r.bad;
		len -= r.valid + r.bad;
	}
}

static void replace(const void *name, size_t len, struct text *to)
{
	size_t need = utf8val_replaced_size(name, len);
	char *out = must(malloc(need));

	utf8val_replace(out, need, name, len);
	text_add(to, out, need);
	free(out);
}

/* The new name that is chosen for a name, and how it was found. */
struct choice {
	const char *how;
	unsigned char sure;
	struct text made;	/* when .how is none of the constants */
	struct text name;
};

/*
 * Convert a name, unless the new name would hide something. choice->how says from which
 * charset, or why not.
 */
static bool convert(struct guesser *guesser, const struct guess *guess,
		    const struct bad_name *bad, struct choice *choice)
{
	struct text *to = &choice->name;
	enum mixed mixed = mixed_convert(guesser, guess, bad->name, bad->len, to);
	const char *trouble;

	if (mixed == MIXED_DOUBT) {
		choice->how = "a part of it may be UTF-8 already, which would be "
			      "encoded again; see --plan";
		return false;
	}
	if (mixed == MIXED_NOT && !guess_convert(guesser, guess, bad->name, bad->len, to))
		return false;
	trouble = newname_trouble(bad->name, bad->len, to->bytes, to->len);
	choice->how = trouble ? trouble : guess_label(guess);
	if (mixed == MIXED_KEPT && !trouble)
		text_printf(&choice->made, "UTF-8 kept, and the rest %s", choice->how);
	if (trouble)
		to->len = 0;
	return !trouble;
}

/* Is the guess for another charset than the one that --guessed asks for? */
static bool is_other(const struct fix *fix, const struct guess *guess)
{
	return fix->guessed && (guess->kind != GUESS_CHARSET ||
				!guess_is_family(guess->charset, fix->guessed));
}

/*
 * Choose the new name of a name that is not UTF-8. No name in the choice: it is left as
 * it is.
 */
static void choose(const struct fix *fix, struct guesser *guesser,
		   const struct bad_name *bad, struct choice *choice)
{
	if (fix->from.kind != GUESS_NONE) {
		choice->how = "not a name in the charset of --from";
		if (convert(guesser, &fix->from, bad, choice))
			return;
	}
	if (fix->guess) {
		choice->how = is_other(fix, &bad->guess) ? other : unsure;
		if (choice->how != other && bad->guess.kind != GUESS_NONE &&
		    bad->guess.sure >= fix->sure &&
		    convert(guesser, &bad->guess, bad, choice)) {
			choice->sure = bad->guess.sure;
			return;
		}
	}
	if (fix->rest == FIX_REPLACE) {
		choice->how = "replaced";
		replace(bad->name, bad->len, &choice->name);
	} else if (fix->rest == FIX_ESCAPE) {
		choice->how = "escaped";
		escape((const uint8_t *)bad->name, bad->len, &choice->name);
	}
}

/* Choose a new name for a name that is UTF-8 but breaks a rule. */
static void choose_good(const struct fix *fix, const struct bad_name *bad,
			struct choice *choice)
{
	choice->how = unsure;
	if (bad->guess.sure < fix->sure)
		return;
	extra_reason(&fix->user.extra, bad->name, bad->len, &choice->made);
	text_add(&choice->name, bad->name, bad->len);
}

/*
 * Leave a name that was decoded wrongly, in the way that a user has named, where the new
 * name would hide something.
 */
static void veto_decoded(const struct bad_name *bad, struct choice *choice)
{
	const char *trouble;

	if (bad->guess.kind != GUESS_DOUBLED && bad->guess.kind != GUESS_MISREAD)
		return;
	trouble = newname_trouble(bad->name, bad->len, choice->name.bytes, choice->name.len);
	if (!trouble)
		return;
	choice->how = trouble;
	choice->made.len = 0;
	choice->name.len = 0;
}

/* Keep a copy of a text; one after the other, many requests have the same. */
static const char *keep(struct fix *fix, const struct text *text)
{
	const char *last = fix->last_way;

	if (!last || strlen(last) != text->len || memcmp(last, text->bytes, text->len) != 0)
		fix->last_way = arena_copy(&fix->requests.bytes, text->bytes, text->len);
	return fix->last_way;
}

/* Add a request: a name, and its new name if there is one. */
static void add_request(struct fix *fix, struct walk_dir *dir,
			const struct bad_name *bad, struct choice *choice)
{
	struct rename_request request = { .dir = walk_ref(dir), .old = bad->name,
					  .how = choice->how,
					  .sure = choice->sure };
	const struct text *name = &choice->name;

	pthread_mutex_lock(&fix->lock);
	if (name->len)
		request.want = arena_copy(&fix->requests.bytes, name->bytes, name->len);
	if (choice->made.len)
		request.how = keep(fix, &choice->made);
	hint_note(&fix->hint, &bad->guess);
	if (!name->len && (request.how == unsure || request.how == other) &&
	    bad->guess.kind != GUESS_NONE)
		hint_count(&fix->hint, &bad->guess);
	*array_next(fix->requests.items, fix->requests.count,
		    fix->requests.room) = request;
	pthread_mutex_unlock(&fix->lock);
	text_free(&choice->made);
	text_free(&choice->name);
}

void fix_found(struct walk_visit *visit, struct guesser *guesser,
	       const struct bad_name *bad, struct text *out)
{
	struct choice choice = { .sure = REQUEST_NO_GUESS };
	struct fix *fix = visit->walk->data;
	struct text ruled = { 0 };

	(void)out;	/* it is said when it is renamed */

	if (extra_is_one(bad->guess.kind))
		choose_good(fix, bad, &choice);
	else
		choose(fix, guesser, bad, &choice);
	if (choice.name.len && extra_any(&fix->user.extra)) {
		extra_apply(&fix->user.extra, choice.name.bytes, choice.name.len, &ruled);
		text_free(&choice.name);
		choice.name = ruled;
		veto_decoded(bad, &choice);
	}
	add_request(fix, visit->dir, bad, &choice);
}

void fix_find_planned(struct walk_visit *visit, const char *name, size_t len)
{
	struct choice choice = { .how = "as planned", .sure = REQUEST_NO_GUESS };
	struct fix *fix = visit->walk->data;
	struct bad_name bad = { .len = len };
	const char *to, *trouble = NULL;
	bool guessed = false;
	size_t to_len;

	if (!plan_has_name(fix->plan, name))
		return;
	pthread_mutex_lock(&fix->lock);
	to = plan_find(fix->plan, visit->dir, name, len, &to_len, &guessed);
	if (to)
		bad.name = arena_copy(&fix->requests.bytes, name, len);
	pthread_mutex_unlock(&fix->lock);
	if (!to || !strcmp(to, name))
		return;
	/* what somebody wrote is meant; what was guessed may hide something */
	if (guessed)
		trouble = newname_trouble(name, len, to, to_len);
	if (trouble)
		choice.how = trouble;
	else
		text_add(&choice.name, to, to_len);
	atomic_fetch_add(&fix->user.progress.bad, 1);
	add_request(fix, visit->dir, &bad, &choice);
}
