/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The plan of fix --plan: new names that a user wrote into the output of scan --json.
 * fix.c reads it before the walk, choose.c asks it for the name of each entry.
 */
#ifndef UTF8VAL_FIX_PLAN_H
#define UTF8VAL_FIX_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "walk/walk.h"

struct plan;

/**
 * plan_read() - read a plan
 * @path: the file; "-" for standard input
 *
 * Return: NULL with a message when the plan cannot be read, or when one of its lines
 * asks for nothing that can be done. No part of such a plan is carried out.
 */
struct plan *plan_read(const char *path);

/* The directory that all paths of the plan lie in. */
const char *plan_root(const struct plan *plan);

/*
 * The new name of an entry that a walk has met, its length, and whether it is a scan's
 * guess that nobody has edited. NULL when the plan has none for the entry. For one
 * thread at a time.
 */
const char *plan_find(struct plan *plan, const struct walk_dir *dir,
		      const char *name, size_t len, size_t *new_len,
		      bool *guessed);

/* Does the plan have this name in any directory? May be called by any thread. */
bool plan_has_name(const struct plan *plan, const char *name);

/* Complain of each line of the plan whose file the walk has not met: how many. */
size_t plan_complain_unmet(const struct plan *plan);

#endif /* UTF8VAL_FIX_PLAN_H */
