// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The charsets of all bad names of a directory, decided together. scan/bad.c calls
 * bad_learn() when the directory was read, and bad_decide() after the walk; once more if
 * a guess was sure, for the names that fix would leave.
 *
 * bad_decide() finds the charset that most names are in (the lead) by pool_view(), from
 * the evidence of the directory and of the tree. decide_name() then decides each name,
 * which may be in another charset.
 */
#include "scan/bad_dir.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "guess/confidence.h"
#include "guess/pair.h"
#include "scan/mixed.h"

/*
 * The average cost of a letter, in eighths of a nat. In every known language it is
 * lower; tools/bench/guess.py --tuned, with and without --without, gave the number.
 */
#define FOREIGN 25.5
/* the same for names that are in doubt anyway: half of all names cost less */
#define FAMILIAR 12.0
#define FOREIGN_CHANCE 30.0	/* divided by the root of the number of letters */

/*
 * n names that share their rarest byte are as much evidence as 1 + factor * ln(n) names.
 * The first factor is for a directory whose names have different letters, the second for
 * one whose names all have the same letter.
 */
#define MORE_NAMES 2.0f
#define SAME_LETTER 0.4f

/*
 * The factor by which a charset becomes less probable if the name is odd in it. The
 * costs of pairs of letters do not show that hardly any name has a quotation mark inside
 * a word. tools/bench/guess.py --tuned --single gave the number.
 */
#define ODD 0.05f

/* For each byte from 0x80 on: how many names that are not alike have it. */
struct bytes_had {
	unsigned int names[128];
	unsigned int distinct;	/* bytes that any name has */
};

/* The names of a directory that no guess is sure of, the first of each group. */
struct names_left {
	struct found_name **names;	/* that no form of UTF-8 explains */
	unsigned int count;
	struct bytes_had had;		/* by all of them */
};

static void count_bytes(struct bytes_had *had, const uint8_t *name, size_t len)
{
	uint64_t seen[2] = { 0 };

	for (size_t i = 0; i < len; i++) {
		unsigned int b = name[i] & 0x7Fu;

		if (name[i] < 0x80 || seen[b >> 6] >> (b & 63) & 1)
			continue;
		seen[b >> 6] |= 1ull << (b & 63);
		had->distinct += !had->names[b]++;
	}
}

/* The caller frees left->names. */
static void find_left(struct bad_dir *dir, struct names_left *left)
{
	struct found_name *found = dir->names;

	*left = (struct names_left){ .names = must(calloc(dir->groups + 1, sizeof(found))) };
	for (unsigned int group = 0; group < dir->groups; found++) {
		if (found->kind != GUESS_NONE || found->group != group)
			continue;
		if (dir->guesses[group++].sure != GUESS_POSSIBLE)
			continue;
		left->names[left->count++] = found;
		count_bytes(&left->had, (const uint8_t *)found->name, found->len);
	}
}

/*
 * Weigh the evidence of a name by the rarest of its bytes. A letter that many names have
 * is one piece of evidence, and each further name with it adds less.
 */
static void weigh(const struct bytes_had *had, const uint8_t *name, size_t len,
		  const struct model_name *read, uint8_t costs[static MODEL_READINGS])
{
	unsigned int rarest = UINT_MAX;
	float weight;

	for (size_t i = 0; i < len; i++) {
		unsigned int count = name[i] < 0x80 ? UINT_MAX : had->names[name[i] - 0x80];

		rarest = count < rarest ? count : rarest;
	}
	weight = (1 + (had->distinct > 1 ? MORE_NAMES : SAME_LETTER) * logf((float)rarest)) /
		 (float)rarest;
	weight = weight < 1 ? weight : 1;
	for (unsigned int r = 0; r < MODEL_READINGS; r++)
		costs[r] = read->costs[r] == MODEL_IMPOSSIBLE ? MODEL_IMPOSSIBLE :
			   (uint8_t)((float)read->costs[r] * weight + 0.5f);
}

/* How well do the common letters suit the language that the names are mainly in? */
static void learn_common(struct bad_dir *dir, const struct names_left *left)
{
	unsigned int charset = model_reading[dir->pool.lead].charset;
	struct confidence conf;

	if (!charset || model_is_wide(charset))
		return;
	confidence_begin(&conf, charset);
	for (unsigned int i = 0; i < dir->pool.names; i++)
		confidence_add(&conf, dir->pool.lead, (const uint8_t *)left->names[i]->name,
			       left->names[i]->len);
	dir->pool.common = conf.common[model_reading[dir->pool.lead].language];
}

/* The joint evidence of the names that are left. */
static void learn_names(struct bad_dir *dir, struct guesser *guesser)
{
	uint8_t costs[MODEL_READINGS];
	struct names_left left;
	struct pool_sum sum;

	find_left(dir, &left);
	dir->pool = (struct pool_dir){ 0 };
	pool_begin(&sum);
	for (unsigned int i = 0; i < left.count && !pool_is_clear(&sum); i++) {
		const struct found_name *found = left.names[i];

		weigh(&left.had, (const uint8_t *)found->name, found->len,
		      guess_read(guesser, found->name, found->len), costs);
		pool_add(&sum, costs);
	}
	if (left.count) {
		pool_end(&sum, &dir->pool);
		learn_common(dir, &left);
	}
	free(left.names);
}

struct bad_dir *bad_learn(struct guesser *guesser, struct walk_dir *dir,
			  const struct found_name *names, size_t count,
			  struct alike *alike)
{
	/* in one piece: there may be many */
	struct bad_dir *new = must(malloc(sizeof(*new) + count * sizeof(*names)));

	new->dir = walk_ref(dir);
	new->count = count;
	memcpy(new->names, names, count * sizeof(*names));
	alike_begin(alike);
	for (size_t i = 0; i < count; i++) {
		struct found_name *found = &new->names[i];
		const uint8_t *name = (const uint8_t *)found->name;
		struct guess guess;

		/* well-formed, but fails an extra check */
		if (found->kind != GUESS_NONE)
			continue;
		guess = guess_form(guesser, name, found->len);
		found->kind = (unsigned char)guess.kind;
		found->sure = (unsigned char)guess.sure & 3;
		if (guess.kind != GUESS_NONE)
			continue;
		if (mixed_is_utf8(name, found->len)) {
			found->group = UINT_MAX;
			continue;
		}
		found->group = alike_group(alike, name, found->len);
	}
	new->groups = alike_count(alike);
	/* names that are UTF-8 in part are one group, the last one */
	for (size_t i = 0; i < count; i++) {
		if (new->names[i].group > new->groups)
			new->names[i].group = new->groups;
	}
	new->guesses = must(calloc(new->groups + 1, sizeof(*new->guesses)));
	learn_names(new, guesser);
	return new;
}

/* A directory being decided. */
struct deciding {
	struct names_left left;
	unsigned int pooled;		/* of these, the first, in the view */
	/*
	 * There are hardly any names. Not if good names are beside them, now or after fix has
	 * renamed others: what is left then needs as much evidence as it does now.
	 */
	bool alone;
	struct pool_view view;
	unsigned int lead;		/* its charset */
	float found[MODEL_CHARSETS];	/* names in each, so far as known */
	unsigned int strange;		/* of the first, odd in any charset */
	struct pair_sum *pair;		/* or NULL: it has one main reading */
	float two;			/* how probable it is that two meet */
	unsigned int pair_step;		/* each so many-th name was added */
};

/* The charsets that a name's letters are strange to. */
static uint64_t strange_to(const struct deciding *deciding, const struct model_name *read)
{
	return deciding->left.count < ENOUGH_NAMES ? read->strange_alone : read->strange;
}

/* How probable is each charset for a name, by itself and by what its directory is? */
static void share_alone(const struct deciding *deciding,
			const struct model_name *read, unsigned int number,
			float shares[static MODEL_CHARSETS])
{
	const struct found_name *found = deciding->left.names[number];
	uint8_t told[MODEL_READINGS];

	weigh(&deciding->left.had, (const uint8_t *)found->name, found->len, read, told);
	pool_decide(&deciding->view, read->costs,
		    number < deciding->pooled ? told : NULL, shares);
}

/*
 * Guess each name by itself. Charsets that convert a name to the same text count as
 * one.
 */
static void decide_alone(struct deciding *deciding, struct guesser *guesser)
{
	float share[MODEL_CHARSETS];

	for (unsigned int i = 0; i < deciding->left.count; i++) {
		struct found_name *found = deciding->left.names[i];
		const uint8_t *name = (const uint8_t *)found->name;
		const struct model_name *read;
		unsigned int best = 1;
		uint64_t same;

		found->follows = pool_follows(&deciding->view, name, found->len);
		if (found->follows && deciding->left.count < ENOUGH_NAMES) {
			read = guess_read(guesser, name, found->len);
			found->follows = !(read->strange_alone >> deciding->lead & 1);
		}
		if (found->follows) {
			deciding->found[deciding->lead]++;
			continue;
		}
		read = guess_read(guesser, name, found->len);
		share_alone(deciding, read, i, share);
		for (unsigned int c = 2; c < MODEL_CHARSETS; c++)
			best = share[c] > share[best] ? c : best;
		if (i < POOL_NAMES)
			deciding->strange +=
				(strange_to(deciding, read) >> best & 1) ||
				model_is_odd(best, name, found->len);
		same = model_same(best, name, found->len);
		for (unsigned int c = 1; c < MODEL_CHARSETS; c++)
			deciding->found[same >> c & 1 ? best : c] += share[c];
	}
}

/*
 * Are names without evidence to be expected? Half of the Japanese ones are, after
 * unzip.
 */
static bool is_mangled(const struct deciding *deciding)
{
	return model_is_wide(deciding->lead) && model_is_unzipped(deciding->lead);
}

/*
 * Are many names odd, whatever they are read as? Then their charset is one that is
 * not known here, and the others only look as if they were in one that is.
 */
static bool is_unheard_of(const struct deciding *deciding)
{
	unsigned int count = deciding->left.count;
	unsigned int looked_at = count < POOL_NAMES ? count : POOL_NAMES;

	return !is_mangled(deciding) && deciding->strange > 1 && deciding->strange * 4 > looked_at;
}

/* Find the two readings that meet, by every pair_step-th name. */
static void find_pair(struct deciding *deciding, struct guesser *guesser)
{
	struct pair_sum *pair = pair_new(&deciding->view);
	unsigned int step = (deciding->left.count + PAIR_NAMES - 1) / PAIR_NAMES;

	for (unsigned int i = 0; i < deciding->left.count; i += step)
		pair_add(pair, guess_read(guesser, deciding->left.names[i]->name,
					  deciding->left.names[i]->len)->costs);
	deciding->two = pair_end(pair);
	deciding->pair = pair;
	deciding->pair_step = step;
}

/*
 * Lower the share of each charset in which a name is odd, for a name with hardly any
 * beside it.
 */
static void doubt_odd(float shares[static MODEL_CHARSETS], const struct found_name *found)
{
	float sum = 0;

	for (unsigned int c = 0; c < MODEL_CHARSETS; c++) {
		if (c && shares[c] > GUESS_RIVAL &&
		    model_is_odd(c, (const uint8_t *)found->name, found->len))
			shares[c] *= ODD;
		sum += shares[c];
	}
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		shares[c] /= sum;
}

/*
 * The probability of each charset for a name, if the name does not follow the lead or
 * two charsets may meet in the directory. The result is the mean of both answers,
 * weighted by the probability of each.
 */
static void decide_shares(struct deciding *deciding, const struct model_name *read,
			  unsigned int number, float shares[static MODEL_CHARSETS])
{
	const struct found_name *found = deciding->left.names[number];
	float two = deciding->two, single[MODEL_CHARSETS];

	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		shares[c] = 0;
	if (deciding->pair)
		pair_decide(deciding->pair, read->costs,
			    number % deciding->pair_step == 0, shares);
	if (found->follows)
		return;
	share_alone(deciding, read, number, single);
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		shares[c] = two * shares[c] + (1 - two) * single[c];
	if (deciding->left.count < ENOUGH_NAMES)
		doubt_odd(shares, found);
}

static struct guess decide_name(struct deciding *deciding, struct guesser *guesser,
				unsigned int number, struct guess_ground *ground)
{
	const struct found_name *found = deciding->left.names[number];
	const uint8_t *name = (const uint8_t *)found->name;
	const struct model_name *read;
	float shares[MODEL_CHARSETS];
	struct guess guess;

	if (found->follows && !deciding->pair) {
		guess = guess_known(guesser, deciding->lead, name, found->len);
		*ground = (struct guess_ground){
			.charset = deciding->lead,
			.same = model_same(deciding->lead, name, found->len),
		};
	} else {
		read = guess_read(guesser, name, found->len);
		decide_shares(deciding, read, number, shares);
		guess = guess_decide(guesser, shares, strange_to(deciding, read),
				     deciding->alone, name, found->len, ground);
		/* signs are much the same in all languages */
		if (deciding->two > GUESS_DOUBT &&
		    !guess_has_letter(guesser, &guess, name, found->len))
			guess.sure = GUESS_POSSIBLE;
	}
	if (is_unheard_of(deciding))
		guess.sure = GUESS_POSSIBLE;
	return guess;
}

/*
 * The average cost of a letter in a directory's names, each read in the charset that
 * was found for it. If the cost is higher than in any language known here, the
 * directory is in another language. Nobody knows then how often the guesses are right.
 * The models give an answer all the same, with more confidence the more letters there
 * are. A part that chance explains is subtracted; more letters make it smaller.
 */
static double letter_cost(const struct deciding *deciding, struct guesser *guesser,
			  const struct guess_ground *grounds)
{
	unsigned int letters = 0;
	uint64_t costs = 0;

	for (unsigned int i = 0; i < deciding->left.count && i < POOL_NAMES; i++) {
		const struct found_name *found = deciding->left.names[i];
		unsigned int charset = grounds[i].charset;
		const struct model_name *read;

		if (!charset || model_is_wide(charset))
			continue;
		read = guess_read(guesser, found->name, found->len);
		costs += read->least[charset];
		letters += read->letters;
	}
	return letters ? (double)costs / letters - FOREIGN_CHANCE / sqrt(letters) : 0;
}

/* The reading in a charset that suits a name best. */
static unsigned int reading_in(unsigned int charset, const struct model_name *read)
{
	unsigned int best = model_first[charset];

	for (unsigned int r = best; r < model_first[charset + 1]; r++)
		best = read->costs[r] < read->costs[best] ? r : best;
	return best;
}

/*
 * Make the guesses of a charset "possible" and undecided if two conditions hold:
 *
 * - Another charset makes as good letters of all these names.
 * - The confidence in the language is low.
 */
static void lower_confidence(const struct deciding *deciding, struct guesser *guesser,
			     struct guess *guesses, const struct guess_ground *grounds,
			     unsigned int charset)
{
	const struct pool_view *view = &deciding->view;
	unsigned int lead = deciding->lead, reading;
	struct confidence conf, sure;	/* sure: without "possible" ones */
	uint64_t rivals;

	confidence_begin(&conf, charset);
	confidence_begin(&sure, charset);
	for (unsigned int i = 0; i < deciding->left.count && i < POOL_NAMES; i++) {
		const struct found_name *found = deciding->left.names[i];
		const uint8_t *name = (const uint8_t *)found->name;

		if (grounds[i].charset != charset)
			continue;
		reading = reading_in(charset, guess_read(guesser, name, found->len));
		confidence_add(&conf, reading, name, found->len);
		if (guesses[i].sure != GUESS_POSSIBLE)
			confidence_add(&sure, reading, name, found->len);
	}
	rivals = confidence_rivals(&conf, model_reading[view->lead].language,
				   lead == charset ? view->common : 0);
	/* the charset of most names may also be that of these names */
	rivals |= lead != charset ? sure.equal & 1ull << lead : 0;
	for (unsigned int i = 0; rivals && i < deciding->left.count; i++) {
		if (grounds[i].charset != charset || !(rivals & ~grounds[i].same))
			continue;
		/* guess_decide() has doubted names that are alone */
		if (!deciding->alone)
			guesses[i].sure = GUESS_POSSIBLE;
		guesses[i].undecided = guesses[i].sure == GUESS_POSSIBLE;
	}
}

/*
 * Make two kinds of guesses "possible":
 *
 * - those of a few names in a charset when all others are in another one;
 * - that of a name that is the only evidence against a rival charset, because a name is
 *   no good evidence for itself.
 */
static void doubt_few(struct guess *guesses, const struct guess_ground *grounds,
		      unsigned int count)
{
	/*
	 * decided names, names by charset that gives their text, and of these the names to
	 * which a second charset gives another text
	 */
	unsigned int decided = 0, in_charset[MODEL_CHARSETS] = { 0 };
	unsigned int evidence[MODEL_CHARSETS][MODEL_CHARSETS] = { 0 };

	for (unsigned int i = 0; i < count; i++) {
		if (guesses[i].sure == GUESS_POSSIBLE)
			continue;
		decided++;
		for (uint64_t left = grounds[i].same; left; left &= left - 1) {
			unsigned int a = (unsigned int)__builtin_ctzll(left);

			in_charset[a]++;
			for (unsigned int b = 1; b < MODEL_CHARSETS; b++)
				evidence[a][b] += !(grounds[i].same >> b & 1);
		}
	}
	for (unsigned int i = 0; i < count; i++) {
		unsigned int own = grounds[i].charset;
		bool few = in_charset[own] < ENOUGH_NAMES && in_charset[own] < decided;

		for (uint64_t left = grounds[i].rivals; left; left &= left - 1)
			few |= evidence[own][__builtin_ctzll(left)] < 2;
		if (few)
			guesses[i].sure = GUESS_POSSIBLE;
	}
}

/* All names of a directory that are not alike. */
static void decide_names(struct deciding *deciding, struct guesser *guesser,
			 struct guess *guesses)
{
	struct guess_ground *grounds = must(calloc(deciding->left.count, sizeof(*grounds)));
	uint64_t chosen = 0;
	double cost;

	for (unsigned int i = 0; i < deciding->left.count; i++) {
		guesses[i] = decide_name(deciding, guesser, i, &grounds[i]);
		if (!model_is_wide(grounds[i].charset))
			chosen |= 1ull << grounds[i].charset;
	}
	if (!deciding->alone)
		doubt_few(guesses, grounds, deciding->left.count);
	/* 0 stands for no charset */
	for (uint64_t left = chosen & ~1ull; left; left &= left - 1)
		lower_confidence(deciding, guesser, guesses, grounds,
				 (unsigned int)__builtin_ctzll(left));
	cost = letter_cost(deciding, guesser, grounds);
	for (unsigned int i = 0; i < deciding->left.count; i++) {
		if ((!is_mangled(deciding) && cost > FOREIGN) ||
		    (grounds[i].doubted &&
		     (model_is_wide(grounds[i].charset) || cost > FAMILIAR)))
			guesses[i].sure = GUESS_POSSIBLE;
	}
	free(grounds);
}

/*
 * Guess the charset of the part that is not UTF-8, in names of which another part is
 * UTF-8. Such a name is no evidence for its directory. So the guess is that of most
 * other names, if it is certain for enough of them.
 */
static struct guess guess_rest(const struct guess *guesses, unsigned int count)
{
	struct guess rest = guess_charset("WINDOWS-1252", GUESS_POSSIBLE);
	unsigned int votes = 0, sure = 0;

	for (unsigned int i = 0; i < count; i++) {
		if (guesses[i].sure == GUESS_POSSIBLE || guesses[i].kind != GUESS_CHARSET)
			continue;
		sure++;
		/* the majority vote of Boyer and Moore: other charsets cancel votes */
		if (!votes)
			rest = guesses[i];
		votes += !strcmp(rest.charset, guesses[i].charset) ? 1 : -1u;
	}
	if (sure < ENOUGH_NAMES || votes * 2 <= sure)
		rest.sure = GUESS_POSSIBLE;
	return rest;
}

/*
 * Does a later guess confirm the first one, which knew more names? Signs are no evidence
 * without letters, and East Asian charsets make characters of nearly all bytes.
 */
static bool is_confirmed(const struct deciding *deciding, struct guesser *guesser,
			 unsigned int number, const struct guess *first,
			 const struct guess *later)
{
	const struct found_name *found = deciding->left.names[number];

	return later->sure != GUESS_POSSIBLE && !first->undecided &&
	       !model_is_wide(deciding->lead) &&
	       guess_is_family(first->charset, later->charset) &&
	       guess_has_letter(guesser, later, found->name, found->len);
}

/* Decide the names that are left. Returns: is any guess sure now? */
static bool decide_left(struct bad_dir *dir, struct guesser *guesser,
			const struct pool_tree *tree, const struct names_left *left)
{
	struct deciding deciding = { .left = *left, .pooled = dir->pool.names,
				     .alone = left->count < ENOUGH_NAMES &&
					      left->count == dir->groups &&
					      !dir->beside_good };
	struct guess *guesses = must(calloc(left->count, sizeof(*guesses)));
	bool any_sure = false;

	pool_view(&deciding.view, tree, &dir->pool);
	deciding.lead = model_reading[deciding.view.lead].charset;
	decide_alone(&deciding, guesser);
	/*
	 * Look for two charsets if names are short and share all bytes, as in East Asia's
	 * charsets. Also if two names are odd: both may be in the same other charset.
	 */
	if (model_is_wide(deciding.lead) || deciding.strange > 1 ||
	    pool_is_mixed(deciding.found, left->count))
		find_pair(&deciding, guesser);
	decide_names(&deciding, guesser, guesses);
	for (unsigned int i = 0; i < left->count; i++) {
		struct guess *guess = &dir->guesses[left->names[i]->group];
		bool is_first = guess->kind == GUESS_NONE;

		if (!is_first && !is_confirmed(&deciding, guesser, i, guess, &guesses[i]))
			continue;
		*guess = guesses[i];
		any_sure |= guess->sure != GUESS_POSSIBLE;
	}
	pair_free(deciding.pair);
	free(guesses);
	return any_sure;
}

bool bad_decide(struct guesser *guesser, const struct pool_tree *tree,
		struct bad_dir *dir)
{
	struct names_left left;
	bool any_sure;

	find_left(dir, &left);
	any_sure = left.count && decide_left(dir, guesser, tree, &left);
	free(left.names);
	dir->guesses[dir->groups] = guess_rest(dir->guesses, dir->groups);
	if (any_sure)
		learn_names(dir, guesser);
	return any_sure;
}

void bad_free(struct bad_dir *dir)
{
	walk_unref(dir->dir);
	free(dir->guesses);
	free(dir);
}
