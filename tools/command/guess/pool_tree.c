// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The evidence of all directories of a tree, a byte for each candidate decoding.
 * guess/pool.c combines it for one directory. Without it, names that fix renames in
 * "one tree" of bench-guess fall from 88.5 % to 87.9 %.
 */
#include "guess/pool_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "guess/letters.h"

/* the tree's first opinion counts as much as so many directories */
#define OPINION 1.0f
#define ROUNDS 6
/* directories that the tree's opinion is made of */
#define TREE_DIRS 2048
/* a charset with less than this is no directory's main one */
#define CLOSED 0.0000001f

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

void pool_end(const struct pool_sum *sum, struct pool_dir *dir)
{
	double best = 0, most = 0;

	for (unsigned int r = 0; r < MODEL_GAPS; r++) {
		double own = sum->product[r], probable = own * (double)model_prior[r];

		best = own > best ? own : best;
		dir->lead = probable > most ? r : dir->lead;
		most = probable > most ? probable : most;
	}
	for (unsigned int r = 0; r < MODEL_GAPS; r++)
		dir->likely[r] = pack((float)(sum->product[r] / best));
	dir->names = sum->names;
}

static float total(const float readings[static MODEL_READINGS])
{
	float sum = 0;

	for (unsigned int r = 0; r < MODEL_READINGS; r++)
		sum += readings[r];
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

/* Add a directory's evidence again; it does not count as evidence for itself. */
static void hear(float *restrict weight, float *restrict said, const struct pool_dir *dir)
{
	float main[MODEL_READINGS], scale = 1 + log2f((float)dir->names);

	for (unsigned int r = 0; r < MODEL_READINGS; r++)
		weight[r] -= said[r];
	main_reading(dir, weight, main);
	for (unsigned int r = 0; r < MODEL_READINGS; r++) {
		said[r] = main[r] * scale;
		weight[r] += said[r];
	}
}

void pool_tree(struct pool_tree *tree, struct pool_dir *const *dirs, size_t count)
{
	size_t step = count / TREE_DIRS + 1, used = (count + step - 1) / step;

	tree->said = must(calloc(used * MODEL_READINGS + 1, sizeof(float)));
	for (unsigned int r = 0; r < MODEL_READINGS; r++) {
		tree->weight[r] = OPINION * model_prior[r];
		tree->common[r] = 0;
	}
	for (size_t i = 0; i < count; i++)
		tree->common[dirs[i]->lead] += dirs[i]->common;
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
	for (unsigned int r = 0; r < MODEL_GAPS; r++) {
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
	float sum;

	for (unsigned int r = 0; r < MODEL_READINGS; r++) {
		float others = tree->weight[r] - (dir->said ? dir->said[r] : 0);
		float least = OPINION * model_prior[r];

		/* sums of what was added and taken away are not exact */
		view->share[r] = others > least ? others : least;
	}
	sum = total(view->share);
	for (unsigned int r = 0; r < MODEL_READINGS; r++)
		view->share[r] /= sum;
	main_reading(dir, view->share, view->main);
	find_lead(view);
	view->common = tree->common[view->lead] -
		       (view->lead == dir->lead ? dir->common : 0);
}

bool pool_follows(const struct pool_view *view, const uint8_t *name, size_t len)
{
	unsigned int charset = model_reading[view->lead].charset;

	return charset && !model_is_wide(charset) &&
	       !(view->open & ~model_same(charset, name, len)) &&
	       letters_fit(view->lead, name, stem_length(name, len));
}
