// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The names of a directory, decided together. */
#include "scan/bad_dir.h"

#include <stdlib.h>
#include <string.h>

#include "guess/pair.h"
#include "scan/bad_doubt.h"

/* so much more is it to be doubted then that a name is in any charset known here */
#define UNKNOWN_ALONE 8

struct bad_dir *bad_learn(struct guesser *guesser, struct walk_dir *dir,
			  const struct bad_held *held, size_t count,
			  const struct text *names, struct alike *alike)
{
	/* in one piece: there may be many */
	struct bad_dir *new = must(malloc(sizeof(*new) + count *
					  sizeof(*held) + names->len));
	struct pool_sum sum;
	bool clear = false;

	new->dir = walk_ref(dir);
	new->pool = (struct pool_dir){ 0 };
	new->count = count;
	memcpy(new->held, held, count * sizeof(*held));
	new->names = (char *)&new->held[count];
	memcpy(new->names, names->bytes, names->len);
	pool_begin(&sum);
	alike_begin(alike, count);
	for (size_t i = 0; i < count; i++) {
		const uint8_t *name = (uint8_t *)new->names + held[i].at;
		unsigned int groups = alike->count;
		struct guess guess;

		/* it is good UTF-8 */
		if (held[i].kind != GUESS_NONE)
			continue;
		guess = guess_form(guesser, name, held[i].len);
		new->held[i].kind = (unsigned char)guess.kind;
		new->held[i].sure = (unsigned char)guess.sure;
		if (guess.kind != GUESS_NONE)
			continue;
		new->held[i].group = alike_group(alike, name, held[i].len);
		if (new->held[i].group < groups || clear)
			continue;
		pool_add(&sum, guess_read(guesser, name, held[i].len)->costs);
		clear = pool_is_clear(&sum);
	}
	new->groups = alike->count;
	if (sum.names)
		pool_end(&sum, &new->pool);
	return new;
}

/* A directory being decided. Only the first of names that are alike is counted. */
struct deciding {
	const struct bad_dir *dir;
	struct pool_view view;
	unsigned int lead;		/* its charset */
	float found[MODEL_CHARSETS];	/* names in each, so far as known */
	unsigned int unknown;		/* names that no form of UTF-8 explains */
	size_t odd;			/* of these, ones that do not follow */
	unsigned int strange;		/* of the first, odd in any charset */
	struct odd {
		float shares[MODEL_CHARSETS];
		uint64_t strange;	/* see model_read() */
	} *each;			/* of these */
	struct pair_sum *pair;		/* or NULL: it has one main reading */
	float two;			/* how probable it is that two meet */
	unsigned int pair_step;		/* each so many-th name was added */
};

/* How much counts the doubt that a name is in a charset not known here? */
static float unknown_to(const struct deciding *deciding)
{
	return deciding->dir->groups < WITNESSES ? UNKNOWN_ALONE : 1;
}

/* Is this a name to be decided, and is it not like one before it? */
static bool is_next(const struct bad_held *held, unsigned int unknown)
{
	return held->kind == GUESS_NONE && held->group == unknown;
}

/* The charsets that a name's letters are strange to. */
static uint64_t strange_to(const struct deciding *deciding,
			   const struct model_name *read)
{
	return deciding->dir->groups < WITNESSES ? read->strange_alone :
						   read->strange;
}

/*
 * What the names are, each by itself at first; charsets that make the same of a
 * name are counted as one.
 */
static void decide_alone(struct deciding *deciding, struct guesser *guesser,
			 struct bad_held *held)
{
	const struct bad_dir *dir = deciding->dir;
	size_t room = 0;

	for (size_t i = 0; i < dir->count; i++) {
		const uint8_t *name = (uint8_t *)dir->names + held[i].at;
		unsigned int best = 1;
		const struct model_name *read;
		struct odd *each;
		uint64_t same;
		float *share;

		if (!is_next(&held[i], deciding->unknown))
			continue;
		deciding->unknown++;
		held[i].follows = pool_follows(&deciding->view, name,
					       held[i].len);
		if (held[i].follows && dir->groups < WITNESSES) {
			read = guess_read(guesser, name, held[i].len);
			held[i].follows = !(read->strange_alone >>
					    deciding->lead & 1);
		}
		if (held[i].follows) {
			deciding->found[deciding->lead]++;
			continue;
		}
		if (deciding->odd == room) {
			room = room ? 2 * room : 8;
			deciding->each = must(reallocarray(deciding->each,
				room, sizeof(*deciding->each)));
		}
		each = &deciding->each[deciding->odd++];
		share = each->shares;
		read = guess_read(guesser, name, held[i].len);
		each->strange = strange_to(deciding, read);
		pool_decide(&deciding->view, read->costs,
			    deciding->unknown <= dir->pool.names, share);
		for (unsigned int c = 2; c < MODEL_CHARSETS; c++)
			best = share[c] > share[best] ? c : best;
		if (deciding->unknown <= POOL_NAMES)
			deciding->strange +=
				(each->strange >> best & 1) ||
				model_is_odd(best, name, held[i].len);
		same = model_same(best, name, held[i].len);
		for (unsigned int c = 1; c < MODEL_CHARSETS; c++)
			deciding->found[same >> c & 1 ? best : c] += share[c];
	}
}

/*
 * Are many names odd, whatever they are read as? Then their charset is one that is
 * not known here, and the others only look as if they were in one that is.
 */
static bool is_unheard_of(const struct deciding *deciding)
{
	unsigned int looked_at = deciding->unknown;

	if (looked_at > POOL_NAMES)
		looked_at = POOL_NAMES;
	return deciding->strange > 1 && deciding->strange * 4 > looked_at;
}

/* Two readings meet: which ones? Every so many-th name is asked. */
static void find_pair(struct deciding *deciding, struct guesser *guesser)
{
	struct pair_sum *pair = pair_new(&deciding->view);
	const struct bad_dir *dir = deciding->dir;
	unsigned int unknown = 0;
	unsigned int step = (deciding->unknown + PAIR_NAMES - 1) / PAIR_NAMES;

	for (size_t i = 0; i < dir->count; i++) {
		const struct bad_held *held = &dir->held[i];

		if (is_next(held, unknown) && unknown++ % step == 0)
			pair_add(pair, guess_read(guesser,
						  dir->names + held->at,
						  held->len)->costs);
	}
	deciding->two = pair_end(pair);
	deciding->pair = pair;
	deciding->pair_step = step;
}

/*
 * How probable each charset is for a name that does not follow or is in a
 * directory where two may meet: by both answers, each with its probability. And
 * which charsets its letters are strange to.
 */
static uint64_t decide_shares(struct deciding *deciding, struct guesser *guesser,
			      const struct bad_held *held, const uint8_t *name,
			      struct odd *each,
			      float shares[static MODEL_CHARSETS])
{
	float two = deciding->two, *single = each->shares;
	uint64_t strange = 0;

	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		shares[c] = 0;
	if (deciding->pair) {
		const struct model_name *read = guess_read(guesser, name,
							   held->len);

		strange = strange_to(deciding, read);
		pair_decide(deciding->pair, read->costs,
			    held->group % deciding->pair_step == 0, shares);
	}
	if (held->follows)
		return strange;
	pool_mix(&deciding->view, deciding->found, deciding->unknown, single,
		 name, held->len);
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		shares[c] = two * shares[c] + (1 - two) * single[c];
	return each->strange;
}

static struct guess decide_name(struct deciding *deciding,
				struct guesser *guesser,
				const struct bad_held *held, size_t *odd,
				struct guess_ground *ground)
{
	const uint8_t *name = (uint8_t *)deciding->dir->names + held->at;
	float shares[MODEL_CHARSETS];
	struct guess guess;
	uint64_t strange;

	if (held->follows && !deciding->pair) {
		guess = guess_known(guesser, deciding->lead, name, held->len);
		*ground = (struct guess_ground){
			.charset = deciding->lead,
			.same = model_same(deciding->lead, name, held->len),
		};
	} else {
		strange = decide_shares(deciding, guesser, held, name,
					&deciding->each[*odd], shares);
		guess = guess_decide(guesser, shares, strange,
				     unknown_to(deciding), name, held->len,
				     ground);
		/* signs are much the same in all languages */
		if (deciding->two > GUESS_DOUBT &&
		    !guess_has_letter(guesser, &guess, name, held->len))
			guess.sure = GUESS_POSSIBLE;
	}
	*odd += !held->follows;
	if (is_unheard_of(deciding))
		guess.sure = GUESS_POSSIBLE;
	return guess;
}

/* All names of a directory that are not alike. */
static void decide_names(struct deciding *deciding, struct guesser *guesser,
			 struct guess *guesses)
{
	const struct bad_dir *dir = deciding->dir;
	struct guess_ground *grounds = must(calloc(dir->groups,
						   sizeof(*grounds)));
	unsigned int unknown = 0;
	size_t odd = 0;

	for (size_t i = 0; i < dir->count; i++) {
		const struct bad_held *held = &dir->held[i];

		if (!is_next(held, unknown))
			continue;
		guesses[unknown] = decide_name(deciding, guesser, held, &odd,
					       &grounds[unknown]);
		unknown++;
	}
	if (dir->groups >= WITNESSES)
		bad_doubt(guesses, grounds, dir->groups);
	free(grounds);
}

void bad_decide(struct walk *walk, struct guesser *guesser,
		const struct pool_tree *tree, struct bad_dir *dir,
		struct bad_place *place, struct text *out)
{
	struct walk_visit visit = { .walk = walk, .dir = dir->dir, .fd = -1 };
	struct bad_user *user = walk->data;
	struct deciding deciding = { .dir = dir };
	struct guess *guesses = must(calloc(dir->groups + 1, sizeof(*guesses)));

	if (dir->groups) {
		pool_view(&deciding.view, tree, &dir->pool);
		deciding.lead = model_reading[deciding.view.lead].charset;
		decide_alone(&deciding, guesser, dir->held);
		/*
		 * In East Asia's charsets the bytes are the same, and names are
		 * short. Two odd names may be in the same other charset.
		 */
		if (model_is_wide(deciding.lead) || deciding.strange > 1 ||
		    pool_is_mixed(deciding.found, deciding.unknown))
			find_pair(&deciding, guesser);
		decide_names(&deciding, guesser, guesses);
	}
	place->made = false;
	atomic_fetch_add(&user->progress.bad, dir->count);
	for (size_t i = 0; i < dir->count; i++) {
		const struct bad_held *held = &dir->held[i];
		struct bad_name bad = {
			.name = dir->names + held->at,
			.len = held->len,
			.type = held->type,
			.guess = { .kind = held->kind, .sure = held->sure },
			.place = place,
		};

		if (held->kind == GUESS_NONE)
			bad.guess = guesses[held->group];
		user->found(&visit, guesser, &bad, out);
	}
	pair_free(deciding.pair);
	free(deciding.each);
	free(guesses);
}
