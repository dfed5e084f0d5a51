// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The combined evidence of the names of a directory. A directory has a main reading (a
 * charset and a language), with which most of its names agree. Some names are in
 * another language of the same charset, few are anything else. The main reading is
 * unknown, so all are considered, each with its probability.
 * Without it, no row of bench-guess with 5 or 25 names has a guess.
 */
#include "guess/pool.h"

#include <float.h>
#include <math.h>

/* a name is in the directory's main reading, its charset, or anything */
#define AGREES 0.80f
#define OTHER_LANGUAGE 0.195f
/*
 * Letters that follow each other are not independent evidence: what a name tells
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
 * Numbers for four readings, or for the charsets at four places. Arrays of numbers are
 * read in rows of them, wherever the arrays begin.
 */
typedef float lanes __attribute__((vector_size(4 * MODEL_LANES), aligned(4), may_alias));
#define ROWS (MODEL_READINGS / MODEL_LANES)

/*
 * How likely the name is in each reading, in each place's charset, and, which is
 * returned, in all of them by their weights.
 */
static float marginals(const uint8_t costs[static MODEL_READINGS],
		       const float weights[static MODEL_READINGS], lanes l[static ROWS],
		       lanes places[static MODEL_GROUPS])
{
	const lanes *in_charset = (const lanes *)model_in_charset;
	const lanes *weight = (const lanes *)weights;
	const float *table = likely();
	lanes whole = { 0 };

	for (unsigned int g = 0; g < MODEL_GROUPS; g++) {
		lanes sum = { 0 };

		for (unsigned int row = model_row[g]; row < model_row[g + 1]; row++) {
			const uint8_t *cost = &costs[row * MODEL_LANES];
			lanes own = { table[cost[0]], table[cost[1]], table[cost[2]],
				      table[cost[3]] };

			l[row] = own;
			sum += own * in_charset[row];
			whole += own * weight[row];
		}
		places[g] = sum;
	}
	return whole[0] + whole[1] + whole[2] + whole[3];
}

/* The cost of a name that is not in a charset's main language. */
static inline void mixture(lanes *charset, float whole)
{
	*charset = OTHER_LANGUAGE * *charset + (POOL_ANYTHING * whole + FLT_MIN);
}

/* From places to charsets. */
static void by_charset(const lanes places[static MODEL_GROUPS],
		       float charsets[static MODEL_CHARSETS])
{
	for (unsigned int p = 0; p < MODEL_CHARSETS; p++)
		charsets[model_charset_at[p]] = places[p / MODEL_LANES][p % MODEL_LANES];
}

/* Sums over the readings of each place's charset. */
static void sum_rows(const lanes readings[static ROWS], lanes places[static MODEL_GROUPS])
{
	for (unsigned int g = 0; g < MODEL_GROUPS; g++) {
		places[g] = (lanes){ 0 };
		for (unsigned int row = model_row[g]; row < model_row[g + 1]; row++)
			places[g] += readings[row];
	}
}

/* How likely a name is by each main reading, relative to the whole. */
static void fit_of(const lanes l[static ROWS], const lanes places[static MODEL_GROUPS],
		   float whole, lanes fit[static ROWS])
{
	for (unsigned int g = 0; g < MODEL_GROUPS; g++) {
		lanes rest = places[g];

		mixture(&rest, whole);
		rest /= whole;
		for (unsigned int row = model_row[g]; row < model_row[g + 1]; row++)
			fit[row] = l[row] * AGREES / whole + rest;
	}
	/* rows beyond the last are none's */
	for (unsigned int row = model_row[MODEL_GROUPS]; row < ROWS; row++)
		fit[row] = (lanes){ 1, 1, 1, 1 };
}

void pool_begin(struct pool_sum *sum)
{
	sum->names = 0;
	for (unsigned int r = 0; r < MODEL_READINGS; r++)
		sum->product[r] = 1;
}

void pool_add(struct pool_sum *sum, const uint8_t costs[static MODEL_READINGS])
{
	lanes l[ROWS], places[MODEL_GROUPS];
	float fit[MODEL_READINGS], whole = marginals(costs, model_prior, l, places);

	/*
	 * Relative to the whole no factor is below POOL_ANYTHING or above 10^5,
	 * so that the product of POOL_NAMES is a number yet.
	 */
	fit_of(l, places, whole, (lanes *)fit);
	for (unsigned int r = 0; r < MODEL_READINGS; r++)
		sum->product[r] *= (double)fit[r];
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
		for (unsigned int i = model_first[c]; i < model_first[c + 1]; i++) {
			double own = sum->product[model_listed[i]];

			best[c] = own > best[c] ? own : best[c];
		}
		most = best[c] > most ? best[c] : most;
	}
	/* some are all but one: ISO-8859-1, WINDOWS-1252, ISO-8859-15 */
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		near += best[c] > most * exp(-CLEAR);
	return near <= NEAR;
}

/*
 * The probability of each reading to be the main one, without the evidence of a name with
 * these likelihoods. A name's own evidence must not count when that name is judged.
 */
static void take_back(const lanes main[static ROWS], const lanes l[static ROWS],
		      const lanes rest[static MODEL_GROUPS], lanes to[static ROWS])
{
	for (unsigned int g = 0; g < MODEL_GROUPS; g++) {
		for (unsigned int row = model_row[g]; row < model_row[g + 1]; row++)
			to[row] = main[row] / (AGREES * l[row] + rest[g]);
	}
}

void pool_decide(const struct pool_view *view,
		 const uint8_t costs[static MODEL_READINGS], const uint8_t *told,
		 float shares[static MODEL_CHARSETS])
{
	const lanes *main = (const lanes *)view->main, *share = (const lanes *)view->share;
	const lanes *in_charset = (const lanes *)model_in_charset;
	lanes taken[ROWS], l[ROWS], places[MODEL_GROUPS];
	float sums[MODEL_CHARSETS], sum = 0, all = 0;
	float whole;

	if (told) {
		whole = marginals(told, view->share, l, places);
		for (unsigned int g = 0; g < MODEL_GROUPS; g++)
			mixture(&places[g], whole);
		take_back(main, l, places, taken);
		main = taken;
	}
	marginals(costs, view->share, l, places);
	sum_rows(main, places);
	by_charset(places, sums);
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		all += sums[c];
	for (unsigned int g = 0; g < MODEL_GROUPS; g++) {
		lanes languages = places[g] * OTHER_LANGUAGE;

		places[g] = (lanes){ 0 };
		for (unsigned int row = model_row[g]; row < model_row[g + 1]; row++)
			places[g] += l[row] * (AGREES * main[row] +
					       in_charset[row] * languages +
					       POOL_ANYTHING * all * share[row]);
	}
	by_charset(places, shares);
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		sum += shares[c];
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		shares[c] /= sum;
}

void pool_fit(const struct pool_view *view, const uint8_t costs[static MODEL_READINGS],
	      float fit[static MODEL_READINGS],
	      float anything[static MODEL_CHARSETS])
{
	const lanes *share = (const lanes *)view->share;
	lanes l[ROWS], places[MODEL_GROUPS];
	float whole = marginals(costs, view->share, l, places);

	fit_of(l, places, whole, (lanes *)fit);
	for (unsigned int row = 0; row < model_row[MODEL_GROUPS]; row++)
		l[row] *= share[row];
	sum_rows(l, places);
	by_charset(places, anything);
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		anything[c] /= whole;
}

bool pool_is_mixed(const float found[static MODEL_CHARSETS], size_t count)
{
	unsigned int most = 1;
	float others = 0;

	for (unsigned int c = 2; c < MODEL_CHARSETS; c++)
		most = found[c] > found[most] ? c : most;
	/* some make the same of what is not in the main one */
	for (unsigned int c = 1; c < MODEL_CHARSETS; c++)
		others += c != most ? found[c] : 0;
	return others > 0.001f * (float)count && others > 0.01f;
}
