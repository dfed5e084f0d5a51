// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Directories whose names are in two charsets. scan/bad_dir.c calls it. Without it, right
 * guesses in "two meet" of bench-guess fall from 98 % to 83 %.
 */
#include "guess/pair.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/text.h"

/* how often two charsets meet in a directory, before its names are looked at */
#define TWO_MEET 0.05f
/* pairs that are less probable than the best one by this factor are left out */
#define NEGLIGIBLE 0.000000001f

struct pair {
	unsigned int first, second;	/* readings */
	float weight;
};

struct pair_sum {
	const struct pool_view *view;
	/* readings that suit any name better than all of them together */
	unsigned int readings[MODEL_READINGS];
	unsigned int reading_count;
	/* how well the names suit each, from pool_fit() */
	float fit[PAIR_NAMES][MODEL_READINGS];
	unsigned int names;
	struct pair *pairs;
	size_t count, room;
};

struct pair_sum *pair_new(const struct pool_view *view)
{
	struct pair_sum *sum = must(calloc(1, sizeof(*sum)));

	sum->view = view;
	return sum;
}

void pair_free(struct pair_sum *sum)
{
	if (sum)
		free(sum->pairs);
	free(sum);
}

void pair_add(struct pair_sum *sum, const uint8_t costs[static MODEL_READINGS])
{
	float anything[MODEL_CHARSETS];

	if (sum->names < PAIR_NAMES)
		pool_fit(sum->view, costs, sum->fit[sum->names++], anything);
}

/* Leave out what suits no name. */
static void choose_readings(struct pair_sum *sum)
{
	for (unsigned int r = 0; r < MODEL_GAPS; r++) {
		bool any = false;

		for (unsigned int i = 0; i < sum->names; i++)
			any |= sum->fit[i][r] > 1;
		if (any)
			sum->readings[sum->reading_count++] = r;
	}
}

/* ln P of the names for one reading together with each from it on. */
static void add_logs(const struct pair_sum *sum, unsigned int first,
		     float logs[static MODEL_READINGS])
{
	/* no factor is below POOL_ANYTHING / 2 or above 10^5: these are numbers yet */
	double product[MODEL_READINGS];

	for (unsigned int k = first; k < sum->reading_count; k++)
		product[k] = 1;
	for (unsigned int i = 0; i < sum->names; i++) {
		const float *fit = sum->fit[i];
		float own = fit[sum->readings[first]];

		for (unsigned int k = first; k < sum->reading_count; k++)
			product[k] *= (double)(own + fit[sum->readings[k]]) / 2;
	}
	for (unsigned int k = first; k < sum->reading_count; k++)
		logs[k] = (float)log(product[k]);
}

/* ln of a sum of which the logarithms of both parts are known */
static float log_add(float a, float b)
{
	float most = fmaxf(a, b);

	return most == -INFINITY ? most : most + log1pf(expf(-fabsf(a - b)));
}

float pair_end(struct pair_sum *sum)
{
	const float *share = sum->view->share;
	float logs[MODEL_READINGS], best = -INFINITY;
	float one = -INFINITY, two = -INFINITY;
	size_t kept = 0;

	choose_readings(sum);
	for (unsigned int a = 0; a < sum->reading_count; a++) {
		unsigned int first = sum->readings[a];

		add_logs(sum, a, logs);
		for (unsigned int b = a; b < sum->reading_count; b++) {
			unsigned int second = sum->readings[b];
			float weight = logs[b] + logf(share[first] * share[second]);

			/* the other way round, too */
			weight += a == b ? 0 : logf(2);
			if (a == b)
				one = log_add(one, logs[b] + logf(share[first]));
			else if (model_reading[first].charset !=
				 model_reading[second].charset)
				two = log_add(two, weight);
			if (weight < best + logf(NEGLIGIBLE))
				continue;
			best = fmaxf(best, weight);
			*array_next(sum->pairs, sum->count, sum->room) =
				(struct pair){ first, second, weight };
		}
	}
	for (size_t i = 0; i < sum->count; i++) {
		struct pair pair = sum->pairs[i];

		pair.weight = expf(pair.weight - best);
		if (pair.weight >= NEGLIGIBLE)
			sum->pairs[kept++] = pair;
	}
	sum->count = kept;
	if (two == -INFINITY)
		return 0;
	return 1 / (1 + expf(one - two) * (1 - TWO_MEET) / TWO_MEET);
}

void pair_decide(const struct pair_sum *sum,
		 const uint8_t costs[static MODEL_READINGS], bool counted,
		 float shares[static MODEL_CHARSETS])
{
	float fit[MODEL_READINGS], anything[MODEL_CHARSETS];
	float rest = 0, all = 0;

	pool_fit(sum->view, costs, fit, anything);
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		shares[c] = 0;
	for (size_t i = 0; i < sum->count; i++) {
		const struct pair *pair = &sum->pairs[i];
		float first = fit[pair->first], second = fit[pair->second];
		/* the weight holds what a name that was added has said */
		float weight = counted ? pair->weight / (first + second) : pair->weight;

		shares[model_reading[pair->first].charset] +=
			weight * (first - POOL_ANYTHING);
		shares[model_reading[pair->second].charset] +=
			weight * (second - POOL_ANYTHING);
		rest += 2 * weight * POOL_ANYTHING;
	}
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++) {
		shares[c] += rest * anything[c];
		all += shares[c];
	}
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		shares[c] = all > 0 ? shares[c] / all : !c;
}
