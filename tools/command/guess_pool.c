// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A directory has a main reading (a charset and a language) with which most of
 * its names agree; some are in another language of the same charset, few are
 * anything else. Which reading is the main one is not known, so all are
 * considered, each with its probability.
 */
#include "guess_pool.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* a name is in the directory's main reading, its charset, or anything */
#define AGREES 0.80f
#define OTHER_LANGUAGE 0.195f
/*
 * Letters that follow each other are no independent witnesses: what a name tells
 * counts for so much.
 */
#define TRUST 0.75f
/* nats by which all charsets but so many are less probable: that will do */
#define CLEAR 25.0
#define NEAR 3
/* looked for after so many names, and again */
#define LOOK_EVERY 8

/* How likely a name is by each cost that there is. */
static const float *likely(void)
{
	static _Thread_local float table[256];

	if (table[0] == 0) {
		for (unsigned int i = 0; i < MODEL_IMPOSSIBLE; i++)
			table[i] = expf(-(float)i * TRUST / MODEL_STEPS);
	}
	return table;
}

/*
 * How likely the name is in each reading, in each charset, and, which is returned,
 * in all of them by their weights.
 */
static float marginals(const uint8_t costs[static MODEL_READINGS],
		       const float weight[static MODEL_READINGS],
		       float l[static MODEL_READINGS],
		       float charsets[static MODEL_CHARSETS])
{
	const float *table = likely();
	float whole = 0;

	for (unsigned int c = 0; c < MODEL_CHARSETS; c++) {
		float sum = 0;

		for (unsigned int r = model_first[c]; r < model_first[c + 1];
		     r++) {
			l[r] = table[costs[r]];
			sum += l[r] * model_in_charset[r];
			whole += l[r] * weight[r];
		}
		charsets[c] = sum;
	}
	return whole;
}

static float mixture(float own, float charset, float whole)
{
	return AGREES * own + OTHER_LANGUAGE * charset + POOL_ANYTHING * whole +
	       FLT_MIN;
}

void pool_begin(struct pool_sum *sum)
{
	sum->names = 0;
	for (unsigned int r = 0; r < MODEL_READINGS; r++)
		sum->product[r] = 1;
}

void pool_add(struct pool_sum *sum, const uint8_t costs[static MODEL_READINGS])
{
	float l[MODEL_READINGS], charsets[MODEL_CHARSETS], whole;

	whole = marginals(costs, model_prior, l, charsets);
	/*
	 * Relative to the whole no factor is below POOL_ANYTHING or above 10^5,
	 * so that the product of POOL_NAMES is a number yet.
	 */
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++) {
		float rest = mixture(0, charsets[c], whole) / whole;

		for (unsigned int r = model_first[c]; r < model_first[c + 1];
		     r++)
			sum->product[r] *= (double)(l[r] * AGREES / whole +
						    rest);
	}
	sum->names++;
}

bool pool_is_clear(const struct pool_sum *sum)
{
	double best[MODEL_CHARSETS], most = 0;
	unsigned int near = 0;

	if (sum->names == POOL_NAMES)
		return true;
	if (!sum->names || sum->names % LOOK_EVERY)
		return false;
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++) {
		best[c] = 0;
		for (unsigned int r = model_first[c]; r < model_first[c + 1];
		     r++)
			best[c] = fmax(best[c], sum->product[r]);
		most = fmax(most, best[c]);
	}
	/* some are all but one: ISO-8859-1, WINDOWS-1252, ISO-8859-15 */
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		near += best[c] > most * exp(-CLEAR);
	return near <= NEAR;
}

/* From charsets to their readings. */
static void spread(const float charsets[static MODEL_CHARSETS],
		   float readings[static MODEL_READINGS])
{
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++) {
		for (unsigned int r = model_first[c]; r < model_first[c + 1];
		     r++)
			readings[r] = charsets[c];
	}
}

/* And back. */
static void gather(const float readings[static MODEL_READINGS],
		   float charsets[static MODEL_CHARSETS])
{
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++) {
		float sum = 0;

		for (unsigned int r = model_first[c]; r < model_first[c + 1];
		     r++)
			sum += readings[r];
		charsets[c] = sum;
	}
}

/* These two become vector instructions; what is not in use is zero, or unused. */
static void take_back(const float *restrict main, const float *restrict l,
		      const float *restrict rest, float *restrict to)
{
	for (unsigned int r = 0; r < MODEL_READINGS; r++)
		to[r] = main[r] / (AGREES * l[r] + rest[r]);
}

static void weigh(const float *restrict main, const float *restrict share,
		  const float *restrict languages, float anything,
		  float *restrict l)
{
	for (unsigned int r = 0; r < MODEL_READINGS; r++)
		l[r] *= AGREES * main[r] + model_in_charset[r] * languages[r] +
			anything * share[r];
}

void pool_decide(const struct pool_view *view,
		 const uint8_t costs[static MODEL_READINGS], bool counted,
		 float shares[static MODEL_CHARSETS])
{
	float main[MODEL_READINGS], l[MODEL_READINGS], rest[MODEL_READINGS];
	float charsets[MODEL_CHARSETS], sum = 0, all = 0, whole;

	whole = marginals(costs, view->share, l, charsets);
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		charsets[c] = mixture(0, charsets[c], whole);
	spread(charsets, rest);
	/* a name that had its say on the main reading has it not twice */
	if (counted)
		take_back(view->main, l, rest, main);
	else
		memcpy(main, view->main, sizeof(main));
	gather(main, charsets);
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++) {
		all += charsets[c];
		charsets[c] *= OTHER_LANGUAGE;
	}
	spread(charsets, rest);
	weigh(main, view->share, rest, POOL_ANYTHING * all, l);
	gather(l, shares);
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		sum += shares[c];
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		shares[c] /= sum;
}

void pool_fit(const struct pool_view *view,
	      const uint8_t costs[static MODEL_READINGS],
	      float fit[static MODEL_READINGS],
	      float anything[static MODEL_CHARSETS])
{
	float l[MODEL_READINGS], charsets[MODEL_CHARSETS], whole;

	whole = marginals(costs, view->share, l, charsets);
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++) {
		float rest = mixture(0, charsets[c], whole) / whole;

		anything[c] = 0;
		for (unsigned int r = model_first[c]; r < model_first[c + 1];
		     r++) {
			anything[c] += l[r] * view->share[r];
			fit[r] = l[r] * AGREES / whole + rest;
		}
		anything[c] /= whole;
	}
}

void pool_mix(const struct pool_view *view,
	      const float found[static MODEL_CHARSETS], size_t count,
	      float shares[static MODEL_CHARSETS], const void *name, size_t len)
{
	const float *expected = view->expected;
	float sum = 0;
	unsigned int best = 1;
	uint64_t same;

	for (unsigned int c = 2; c < MODEL_CHARSETS; c++)
		best = shares[c] > shares[best] ? c : best;
	same = model_same(best, name, len);
	for (unsigned int c = 1; c < MODEL_CHARSETS; c++) {
		/* a name is no witness for itself */
		float others = (found[c] - shares[c]) / (float)count;

		if (others > 0.005f && others > expected[c] &&
		    expected[c] > 0 && !(same >> c & 1))
			shares[c] *= others / expected[c];
	}
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		sum += shares[c];
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		shares[c] /= sum;
}

bool pool_is_mixed(const float found[static MODEL_CHARSETS], size_t count)
{
	unsigned int most = 1;

	for (unsigned int c = 2; c < MODEL_CHARSETS; c++)
		most = found[c] > found[most] ? c : most;
	for (unsigned int c = 1; c < MODEL_CHARSETS; c++) {
		if (c != most && found[c] > 0.005f * (float)count &&
		    found[c] > 0.5f)
			return true;
	}
	return false;
}
