// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The check whether the guesses for a directory's names have enough evidence. */
#include "scan/bad_evidence.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A charset in which a name is odd is so much less probable than its letters say, by
 * tools/bench/guess.py --tuned --single: costs of pairs do not tell that there is hardly
 * any name with a quotation mark inside a word.
 */
#define ODD 0.05f

/* The names of a directory that are decided, so many of them. */
struct tally {
	unsigned int decided;
	/* that are the same in this charset */
	unsigned int in_charset[MODEL_CHARSETS];
	/* of these, ones that would be other names in the other */
	unsigned int evidence[MODEL_CHARSETS][MODEL_CHARSETS];
};

static void tally_add(struct tally *tally, uint64_t same, unsigned int count)
{
	tally->decided += count;
	for (uint64_t left = same; left; left &= left - 1) {
		unsigned int a = (unsigned int)__builtin_ctzll(left);

		tally->in_charset[a] += count;
		for (unsigned int b = 1; b < MODEL_CHARSETS; b++)
			tally->evidence[a][b] += same >> b & 1 ? 0 : count;
	}
}

static void tally_all(struct tally *tally, const struct guess *guesses,
		      const struct guess_ground *grounds, unsigned int groups)
{
	unsigned int count = 0;
	uint64_t same = 0;

	/* many in turn have the same */
	for (unsigned int i = 0; i < groups; i++) {
		if (guesses[i].sure == GUESS_POSSIBLE)
			continue;
		if (grounds[i].same != same) {
			tally_add(tally, same, count);
			same = grounds[i].same;
			count = 0;
		}
		count++;
	}
	tally_add(tally, same, count);
}

/*
 * Where another charset is not quite out of the question, a name that is the only
 * one by which the two can be told apart is no good evidence for itself. Nor are a
 * few names where all others are in another charset.
 */
static bool lacks_evidence(const struct tally *tally, const struct guess_ground *ground)
{
	unsigned int in_charset = tally->in_charset[ground->charset];

	for (uint64_t left = ground->rivals; left; left &= left - 1) {
		unsigned int rival = (unsigned int)__builtin_ctzll(left);

		if (tally->evidence[ground->charset][rival] < 2)
			return true;
	}
	return in_charset < ENOUGH_NAMES && in_charset < tally->decided;
}

void bad_evidence_check(struct guess *guesses, const struct guess_ground *grounds,
			unsigned int groups)
{
	struct tally tally = { 0 };

	tally_all(&tally, guesses, grounds, groups);
	for (unsigned int i = 0; i < groups; i++) {
		if (lacks_evidence(&tally, &grounds[i]))
			guesses[i].sure = GUESS_POSSIBLE;
	}
}

void bad_evidence_odd(float shares[static MODEL_CHARSETS], const void *name, size_t len)
{
	float sum = 0;

	for (unsigned int c = 0; c < MODEL_CHARSETS; c++) {
		if (c && shares[c] > GUESS_RIVAL && model_is_odd(c, name, len))
			shares[c] *= ODD;
		sum += shares[c];
	}
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		shares[c] /= sum;
}
