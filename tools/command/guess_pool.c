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
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* a name is in the directory's main reading, its charset, or anything */
#define AGREES 0.80f
#define OTHER_LANGUAGE 0.195f
/* the tree's first opinion counts as much as so many directories */
#define OPINION 1.0f
#define ROUNDS 6
/* directories that the tree's opinion is made of */
#define TREE_DIRS 2048
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
/* a charset with less than this is no directory's main one */
#define CLOSED 0.0000001f

/* How likely a name is by each cost that there is. */
static const float *likely(void)
{
	static _Thread_local float table[256];

	if (!table[0]) {
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

/*
 * A probability in a byte: quarters of its binary logarithm, and between them what
 * floating point has there. It has the sign and the upper bits of a float.
 */
#define PACKED_BITS 21

union bits {
	float value;
	uint32_t bits;
};

static uint8_t pack(float value)
{
	union bits one = { .value = 1 }, own = { .value = value };
	uint32_t steps = (one.bits - own.bits) >> PACKED_BITS;

	return (uint8_t)(steps < 255 ? steps : 255);
}

static void unpack(const uint8_t *restrict packed, float *restrict to)
{
	union bits one = { .value = 1 };
	uint32_t bits[MODEL_READINGS];

	for (unsigned int r = 0; r < MODEL_READINGS; r++)
		bits[r] = one.bits - ((uint32_t)packed[r] << PACKED_BITS);
	memcpy(to, bits, sizeof(bits));
}

static inline double larger(double a, double b)
{
	return a > b ? a : b;
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
			best[c] = larger(best[c], sum->product[r]);
		most = larger(most, best[c]);
	}
	/* some are all but one: ISO-8859-1, WINDOWS-1252, ISO-8859-15 */
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		near += best[c] > most * exp(-CLEAR);
	return near <= NEAR;
}

void pool_end(const struct pool_sum *sum, struct pool_dir *dir)
{
	double best = 0;

	for (unsigned int r = 0; r < model_readings; r++)
		best = larger(best, sum->product[r]);
	for (unsigned int r = 0; r < model_readings; r++)
		dir->likely[r] = pack((float)(sum->product[r] / best));
	dir->names = sum->names;
}

/* Sums that vector instructions make at a time. */
#define LANES 8
_Static_assert(MODEL_READINGS % LANES == 0, "no whole number of lanes");

static float total(const float readings[static MODEL_READINGS])
{
	float lanes[LANES] = { 0 }, sum = 0;

	for (unsigned int r = 0; r < MODEL_READINGS; r += LANES) {
		for (unsigned int k = 0; k < LANES; k++)
			lanes[k] += readings[r + k];
	}
	for (unsigned int k = 0; k < LANES; k++)
		sum += lanes[k];
	return sum;
}

/* How probable it is that each reading is the directory's main one. */
static void main_reading(const struct pool_dir *dir,
			 const float *restrict share, float *restrict main)
{
	float factor;

	unpack(dir->likely, main);
	for (unsigned int r = 0; r < MODEL_READINGS; r++)
		main[r] *= share[r];
	factor = 1 / total(main);
	for (unsigned int r = 0; r < MODEL_READINGS; r++)
		main[r] *= factor;
}

/* A directory has its say, again, but is no witness for itself. */
static void hear(float *restrict weight, float *restrict said,
		 const struct pool_dir *dir)
{
	float main[MODEL_READINGS], witness = 1 + log2f((float)dir->names);

	for (unsigned int r = 0; r < MODEL_READINGS; r++)
		weight[r] -= said[r];
	main_reading(dir, weight, main);
	for (unsigned int r = 0; r < MODEL_READINGS; r++) {
		said[r] = main[r] * witness;
		weight[r] += said[r];
	}
}

void pool_tree(struct pool_tree *tree, struct pool_dir *const *dirs,
	       size_t count)
{
	size_t step = count / TREE_DIRS + 1, used = (count + step - 1) / step;

	tree->said = must(calloc(used * MODEL_READINGS + 1, sizeof(float)));
	for (unsigned int r = 0; r < MODEL_READINGS; r++)
		tree->weight[r] = OPINION * model_prior[r];
	for (unsigned int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < used; i++) {
			struct pool_dir *dir = dirs[i * step];
			float *said = tree->said + i * MODEL_READINGS;

			hear(tree->weight, said, dir);
			dir->said = said;
		}
	}
}

void pool_free(struct pool_tree *tree)
{
	free(tree->said);
}

/* The main reading, and what else the directory's charset may be. */
static void find_lead(struct pool_view *view)
{
	float mass[MODEL_CHARSETS] = { 0 };

	view->lead = MODEL_NOISE;
	view->open = 0;
	for (unsigned int r = 0; r < model_readings; r++) {
		mass[model_reading[r].charset] += view->main[r];
		if (view->main[r] > view->main[view->lead])
			view->lead = r;
	}
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		view->open |= (uint64_t)(mass[c] >= CLOSED) << c;
}

void pool_view(struct pool_view *view, const struct pool_tree *tree,
	       const struct pool_dir *dir)
{
	float sum = 0;

	for (unsigned int r = 0; r < MODEL_READINGS; r++) {
		float others = tree->weight[r] - (dir->said ? dir->said[r] : 0);
		float least = OPINION * model_prior[r];

		/* sums of what was added and taken away are not exact */
		view->share[r] = others > least ? others : least;
		sum += view->share[r];
	}
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++) {
		float share = 0;

		for (unsigned int r = model_first[c]; r < model_first[c + 1];
		     r++) {
			view->share[r] /= sum;
			share += view->share[r];
		}
		view->expected[c] = share * POOL_ANYTHING;
	}
	main_reading(dir, view->share, view->main);
	find_lead(view);
}

bool pool_follows(const struct pool_view *view, const uint8_t *name,
		  size_t len)
{
	unsigned int charset = model_reading[view->lead].charset;

	return !(view->open & ~model_same(charset, name, len)) &&
	       model_fits(view->lead, name, len);
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
