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
/* factors multiplied before a logarithm is taken */
#define PRODUCTS 8
/* nats by which all charsets but so many are less probable: that will do */
#define CLEAR 25
#define NEAR 3
/* a charset with less than this is no directory's main one */
#define CLOSED 0.0000001f

/* exp() of every cost that there is */
struct likely {
	float name[256], dir[256];
};

static const struct likely *likely(void)
{
	static _Thread_local struct likely table;

	if (!table.name[0]) {
		for (unsigned int i = 0; i < MODEL_IMPOSSIBLE; i++) {
			table.name[i] = expf(-(float)i * TRUST / MODEL_STEPS);
			table.dir[i] = expf(-(float)i / MODEL_STEPS);
		}
	}
	return &table;
}

/* How likely the name is in each reading, and in each charset. */
static void marginals(const uint8_t costs[static MODEL_READINGS],
		      float l[static MODEL_READINGS],
		      float charsets[static MODEL_CHARSETS])
{
	const struct likely *table = likely();

	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		charsets[c] = 0;
	for (unsigned int r = 0; r < model_readings; r++) {
		const struct model_reading *reading = &model_reading[r];

		l[r] = table->name[costs[r]];
		charsets[reading->charset] += l[r] * reading->in_charset;
	}
}

static float mixture(float own, float charset, float whole)
{
	return AGREES * own + OTHER_LANGUAGE * charset + POOL_ANYTHING * whole +
	       FLT_MIN;
}

void pool_begin(struct pool_sum *sum)
{
	sum->names = 0;
	for (unsigned int r = 0; r < MODEL_READINGS; r++) {
		sum->log[r] = 0;
		sum->product[r] = 1;
	}
}

static void take_logs(struct pool_sum *sum)
{
	for (unsigned int r = 0; r < model_readings; r++) {
		sum->log[r] += logf(sum->product[r]);
		sum->product[r] = 1;
	}
}

void pool_add(struct pool_sum *sum, const uint8_t costs[static MODEL_READINGS])
{
	float l[MODEL_READINGS], charsets[MODEL_CHARSETS], whole = 0;

	marginals(costs, l, charsets);
	for (unsigned int r = 0; r < model_readings; r++)
		whole += l[r] * model_reading[r].prior;
	/* relative to the whole no factor is below POOL_ANYTHING or above 10^4 */
	for (unsigned int r = 0; r < model_readings; r++) {
		unsigned int c = model_reading[r].charset;

		sum->product[r] *= mixture(l[r], charsets[c], whole) / whole;
	}
	if (++sum->names % PRODUCTS == 0)
		take_logs(sum);
}

bool pool_is_clear(const struct pool_sum *sum)
{
	float best[MODEL_CHARSETS], most = -INFINITY;
	unsigned int near = 0;

	if (sum->names == POOL_NAMES)
		return true;
	if (!sum->names || sum->names % PRODUCTS)
		return false;
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		best[c] = -INFINITY;
	for (unsigned int r = 0; r < model_readings; r++) {
		unsigned int c = model_reading[r].charset;

		best[c] = fmaxf(best[c], sum->log[r]);
		most = fmaxf(most, sum->log[r]);
	}
	/* some are all but one: ISO-8859-1, WINDOWS-1252, ISO-8859-15 */
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		near += best[c] > most - CLEAR;
	return near <= NEAR;
}

void pool_end(struct pool_sum *sum, struct pool_dir *dir)
{
	float best = -INFINITY;

	take_logs(sum);
	for (unsigned int r = 0; r < model_readings; r++)
		best = fmaxf(best, sum->log[r]);
	for (unsigned int r = 0; r < model_readings; r++) {
		float cost = (best - sum->log[r]) * MODEL_STEPS;

		dir->costs[r] = cost < MODEL_IMPOSSIBLE - 1 ?
				(uint8_t)cost : MODEL_IMPOSSIBLE - 1;
	}
	dir->names = sum->names;
}

/* How probable it is that each reading is the directory's main one. */
static void main_reading(const struct pool_dir *dir,
			 const float share[static MODEL_READINGS],
			 float main[static MODEL_READINGS])
{
	const struct likely *table = likely();
	float sum = 0;

	for (unsigned int r = 0; r < model_readings; r++) {
		main[r] = table->dir[dir->costs[r]] * share[r];
		sum += main[r];
	}
	for (unsigned int r = 0; r < model_readings; r++)
		main[r] /= sum;
}

void pool_tree(struct pool_tree *tree, struct pool_dir *const *dirs,
	       size_t count)
{
	size_t step = count / TREE_DIRS + 1, used = (count + step - 1) / step;
	float main[MODEL_READINGS];

	tree->said = must(calloc(used * MODEL_READINGS + 1, sizeof(float)));
	for (unsigned int r = 0; r < model_readings; r++)
		tree->weight[r] = OPINION * model_reading[r].prior;
	for (unsigned int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < used; i++) {
			struct pool_dir *dir = dirs[i * step];
			float *said = tree->said + i * MODEL_READINGS;
			float witness = 1 + log2f((float)dir->names);

			/* a directory is no witness for itself */
			for (unsigned int r = 0; r < model_readings; r++)
				tree->weight[r] -= said[r];
			main_reading(dir, tree->weight, main);
			for (unsigned int r = 0; r < model_readings; r++) {
				said[r] = main[r] * witness;
				tree->weight[r] += said[r];
			}
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

	for (unsigned int r = 0; r < model_readings; r++) {
		float others = tree->weight[r] - (dir->said ? dir->said[r] : 0);

		/* sums of what was added and taken away are not exact */
		view->share[r] = fmaxf(others, OPINION *
					       model_reading[r].prior);
		sum += view->share[r];
	}
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		view->expected[c] = 0;
	for (unsigned int r = 0; r < model_readings; r++) {
		view->share[r] /= sum;
		view->expected[model_reading[r].charset] +=
			view->share[r] * POOL_ANYTHING;
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

void pool_decide(const struct pool_view *view,
		 const uint8_t costs[static MODEL_READINGS], bool counted,
		 float shares[static MODEL_CHARSETS])
{
	float main[MODEL_READINGS], l[MODEL_READINGS];
	float charsets[MODEL_CHARSETS], mass[MODEL_CHARSETS] = { 0 };
	float sum = 0, all = 0, whole = 0;

	marginals(costs, l, charsets);
	for (unsigned int r = 0; r < model_readings; r++)
		whole += l[r] * view->share[r];
	for (unsigned int r = 0; r < model_readings; r++) {
		unsigned int c = model_reading[r].charset;

		/* the name has had its say on the main reading; not twice */
		main[r] = view->main[r];
		if (counted)
			main[r] /= mixture(l[r], charsets[c], whole);
		mass[c] += main[r];
		all += main[r];
	}
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		shares[c] = 0;
	for (unsigned int r = 0; r < model_readings; r++) {
		const struct model_reading *reading = &model_reading[r];
		unsigned int c = reading->charset;
		float p = l[r] * (AGREES * main[r] +
				  OTHER_LANGUAGE * reading->in_charset *
					  mass[c] +
				  POOL_ANYTHING * view->share[r] * all);

		shares[c] += p;
		sum += p;
	}
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		shares[c] /= sum;
}

void pool_fit(const struct pool_view *view,
	      const uint8_t costs[static MODEL_READINGS],
	      float fit[static MODEL_READINGS],
	      float anything[static MODEL_CHARSETS])
{
	float l[MODEL_READINGS], charsets[MODEL_CHARSETS], whole = 0;

	marginals(costs, l, charsets);
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		anything[c] = 0;
	for (unsigned int r = 0; r < model_readings; r++) {
		float own = l[r] * view->share[r];

		anything[model_reading[r].charset] += own;
		whole += own;
	}
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		anything[c] /= whole;
	for (unsigned int r = 0; r < model_readings; r++)
		fit[r] = mixture(l[r], charsets[model_reading[r].charset],
				 whole) / whole;
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
