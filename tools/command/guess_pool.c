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
#define ANYTHING 0.005f
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

/* How likely the name is in each charset, and at all. */
static float marginals(const uint8_t costs[static MODEL_READINGS],
		       float l[static MODEL_READINGS],
		       float charsets[static MODEL_CHARSETS],
		       const float share[static MODEL_READINGS])
{
	const struct likely *table = likely();
	float whole = 0;

	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		charsets[c] = 0;
	for (unsigned int r = 0; r < model_readings; r++) {
		const struct model_reading *reading = &model_reading[r];

		l[r] = table->name[costs[r]];
		charsets[reading->charset] += l[r] * reading->in_charset;
		whole += l[r] * share[r];
	}
	return whole;
}

static float mixture(float own, float charset, float whole)
{
	return AGREES * own + OTHER_LANGUAGE * charset + ANYTHING * whole +
	       FLT_MIN;
}

void pool_dir(struct pool_dir *dir, pool_costs *costs, size_t count)
{
	float sum[MODEL_READINGS] = { 0 }, l[MODEL_READINGS];
	float charsets[MODEL_CHARSETS], prior[MODEL_READINGS];
	float best = -INFINITY;

	for (unsigned int r = 0; r < model_readings; r++)
		prior[r] = model_reading[r].prior;
	for (size_t i = 0; i < count; i++) {
		float whole = marginals(costs[i], l, charsets, prior);

		for (unsigned int r = 0; r < model_readings; r++) {
			unsigned int c = model_reading[r].charset;

			sum[r] += logf(mixture(l[r], charsets[c], whole));
		}
	}
	for (unsigned int r = 0; r < model_readings; r++)
		best = fmaxf(best, sum[r]);
	for (unsigned int r = 0; r < model_readings; r++) {
		float cost = (best - sum[r]) * MODEL_STEPS;

		dir->costs[r] = cost < MODEL_IMPOSSIBLE - 1 ?
				(uint8_t)cost : MODEL_IMPOSSIBLE - 1;
	}
	dir->names = (unsigned int)count;
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

void pool_lead(struct pool_lead *lead, const struct pool_dir *dir)
{
	float prior[MODEL_READINGS] = { 0 }, main[MODEL_READINGS];
	float mass[MODEL_CHARSETS] = { 0 };
	unsigned int best = MODEL_NOISE, charset;

	*lead = (struct pool_lead){ .reading = MODEL_NOISE };
	if (dir->names < POOL_NAMES)
		return;
	for (unsigned int r = 0; r < model_readings; r++)
		prior[r] = model_reading[r].prior;
	main_reading(dir, prior, main);
	for (unsigned int r = 0; r < model_readings; r++) {
		mass[model_reading[r].charset] += main[r];
		best = main[r] > main[best] ? r : best;
	}
	charset = model_reading[best].charset;
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++) {
		if (c == charset || mass[c] < 0.0000001f)
			continue;
		for (unsigned int b = 0x80; b < 256; b++)
			lead->unsure[b] |= model_differs(charset, c,
							 (uint8_t)b);
	}
	lead->reading = best;
}

bool pool_follows(const struct pool_lead *lead, const uint8_t *name,
		  size_t len)
{
	if (lead->reading == MODEL_NOISE)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (lead->unsure[name[i]])
			return false;
	}
	return model_fits(lead->reading, name, len);
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
	for (unsigned int r = 0; r < model_readings; r++)
		view->share[r] /= sum;
	main_reading(dir, view->share, view->main);
}

void pool_decide(const struct pool_view *view,
		 const uint8_t costs[static MODEL_READINGS], bool counted,
		 float shares[static MODEL_CHARSETS])
{
	float main[MODEL_READINGS], l[MODEL_READINGS];
	float charsets[MODEL_CHARSETS], mass[MODEL_CHARSETS] = { 0 };
	float sum = 0, all = 0;
	float whole = marginals(costs, l, charsets, view->share);

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
				  ANYTHING * view->share[r] * all);

		shares[c] += p;
		sum += p;
	}
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		shares[c] /= sum;
}

void pool_mix(const struct pool_view *view,
	      const float found[static MODEL_CHARSETS], size_t count,
	      float shares[static MODEL_CHARSETS], const void *name, size_t len)
{
	float expected[MODEL_CHARSETS] = { 0 }, sum = 0;
	unsigned int best = 1;

	for (unsigned int c = 2; c < MODEL_CHARSETS; c++)
		best = shares[c] > shares[best] ? c : best;

	for (unsigned int r = 0; r < model_readings; r++)
		expected[model_reading[r].charset] += view->share[r] * ANYTHING;
	for (unsigned int c = 1; c < MODEL_CHARSETS; c++) {
		/* a name is no witness for itself */
		float others = (found[c] - shares[c]) / (float)count;

		if (others > 0.005f && others > expected[c] &&
		    expected[c] > 0 && !model_same(best, c, name, len))
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
