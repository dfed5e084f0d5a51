// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What each name that fix meets is to be called, if anything. */
#include "fix/choose.h"

#include <stdlib.h>
#include <string.h>

#include "base/newname.h"
#include "guess/label.h"
#include "scan/mixed.h"
#include "utf8val.h"

static const char unsure[] = "no guess at what it is was sure enough; see "
			     "--guessed, --from, --replace, --escape";

static const char other[] = "the best guess is not the charset of --guessed";

/* What cannot be read is written as %XX; a '%' that is there stays. */
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
	size_t need = utf8val_replace(NULL, 0, name, len);
	char *out = must(malloc(need));

	utf8val_replace(out, need, name, len);
	text_add(to, out, need);
	free(out);
}

/* Convert, but to nothing that hides something; says how, or why not. */
static bool convert(struct guesser *guesser, const struct guess *guess,
		    const struct bad_name *bad, struct wrong *wrong,
		    struct text *to)
{
	enum mixed mixed = mixed_convert(guesser, guess, bad->name, bad->len, to);
	const char *trouble;

	if (mixed == MIXED_DOUBT) {
		wrong->how = "a part of it may be UTF-8 already, which would be "
			     "encoded again; see --plan";
		return false;
	}
	if (mixed == MIXED_NOT &&
	    !guess_convert(guesser, guess, bad->name, bad->len, to))
		return false;
	trouble = newname_trouble(bad->name, bad->len, to->bytes, to->len);
	wrong->how = trouble ? trouble : guess_label(guess);
	if (mixed == MIXED_KEPT && !trouble) {
		struct text how = { 0 };

		text_printf(&how, "UTF-8 kept, and the rest %s", wrong->how);
		text_add(&how, "", 1);
		wrong->how = how.bytes;
	}
	if (trouble)
		to->len = 0;
	return !trouble;
}

/* Is the guess another than the one that --guessed asks for? */
static bool is_other(const struct fix *fix, const struct guess *guess)
{
	return fix->guessed && (guess->kind != GUESS_CHARSET ||
				strcmp(guess->charset, fix->guessed) != 0);
}

/*
 * What is a name to be called that is not UTF-8? Nothing in to: it is left as it
 * is.
 */
static void choose(const struct fix *fix, struct guesser *guesser,
		   const struct bad_name *bad, struct wrong *wrong,
		   struct text *to)
{
	if (fix->from.kind != GUESS_NONE) {
		wrong->how = "it is no name in the charset of --from";
		if (convert(guesser, &fix->from, bad, wrong, to))
			return;
	}
	if (fix->guess) {
		wrong->how = is_other(fix, &bad->guess) ? other : unsure;
		if (wrong->how != other && bad->guess.kind != GUESS_NONE &&
		    bad->guess.sure >= fix->sure &&
		    convert(guesser, &bad->guess, bad, wrong, to)) {
			wrong->sure = guess_sure_name(bad->guess.sure);
			/* the guess's own label ends with the guess */
			if (bad->guess.kind == GUESS_CHARSET)
				wrong->how = must(strdup(wrong->how));
			return;
		}
	}
	if (fix->rest == FIX_REPLACE) {
		wrong->how = "replaced";
		replace(bad->name, bad->len, to);
	} else if (fix->rest == FIX_ESCAPE) {
		wrong->how = "escaped";
		escape((const uint8_t *)bad->name, bad->len, to);
	}
}

/* The same for a name that is, but breaks a rule. */
static void choose_good(const struct fix *fix, const struct bad_name *bad,
			struct wrong *wrong, struct text *to)
{
	struct text how = { 0 };

	wrong->how = unsure;
	if (bad->guess.sure < fix->sure)
		return;
	rules_reason(&fix->user.rules, bad->name, bad->len, &how);
	text_add(&how, "", 1);
	wrong->how = how.bytes;
	text_add(to, bad->name, bad->len);
}

/* Remember a name; what it is to be called is copied, if it is to be. */
static void add_wrong(struct fix *fix, struct walk_dir *dir,
		      const struct bad_name *bad, struct wrong wrong,
		      const char *want, size_t len)
{
	wrong.dir = walk_ref(dir);
	wrong.old = must(strndup(bad->name, bad->len));
	wrong.old_len = bad->len;
	if (len) {
		/* there may be millions: no byte more than it takes */
		wrong.want = must(strndup(want, len));
		wrong.want_len = len;
	}
	pthread_mutex_lock(&fix->lock);
	hint_note(&fix->hint, &bad->guess);
	if (!len && (wrong.how == unsure || wrong.how == other) &&
	    bad->guess.kind != GUESS_NONE)
		hint_count(&fix->hint, &bad->guess);
	if (fix->count == fix->room) {
		fix->room = fix->room ? 2 * fix->room : 64;
		fix->wrongs = must(reallocarray(fix->wrongs, fix->room,
						sizeof(*fix->wrongs)));
	}
	fix->wrongs[fix->count++] = wrong;
	pthread_mutex_unlock(&fix->lock);
}

void fix_found(struct walk_visit *visit, struct guesser *guesser,
	       const struct bad_name *bad, struct text *out)
{
	struct fix *fix = visit->walk->data;
	struct wrong wrong = { 0 };
	struct text good = { 0 }, to = { 0 };

	(void)out;	/* it is said when it is renamed */

	if (rules_is_one(bad->guess.kind))
		choose_good(fix, bad, &wrong, &good);
	else
		choose(fix, guesser, bad, &wrong, &good);
	if (good.len)
		rules_apply(&fix->user.rules, good.bytes, good.len, &to);
	add_wrong(fix, visit->dir, bad, wrong, to.bytes, to.len);
	text_free(&good);
	text_free(&to);
}

void fix_find_planned(struct walk_visit *visit, const char *name, size_t len)
{
	struct fix *fix = visit->walk->data;
	struct bad_name bad = { .name = name, .len = len };
	struct wrong wrong = { .how = "as planned" };
	const char *to, *trouble = NULL;
	bool guessed = false;
	size_t to_len;

	if (!plan_has_name(fix->plan, name))
		return;
	pthread_mutex_lock(&fix->lock);
	to = plan_find(fix->plan, visit->dir, name, len, &to_len, &guessed);
	pthread_mutex_unlock(&fix->lock);
	if (!to || !strcmp(to, name))
		return;
	/* what somebody wrote is meant; what was guessed may hide something */
	if (guessed)
		trouble = newname_trouble(name, len, to, to_len);
	if (trouble)
		wrong.how = trouble;
	atomic_fetch_add(&fix->user.progress.bad, 1);
	add_wrong(fix, visit->dir, &bad, wrong, to, trouble ? 0 : to_len);
}
