// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Reporting and counting what a walk could not read. */
#include "walk/trouble.h"

void walk_trouble(struct walk *walk, const struct walk_dir *dir,
		  const char *name, size_t len, int error)
{
	struct text path = { 0 };

	atomic_fetch_add(&walk->troubles, 1);
	walk_path(&path, dir, name, len);
	complain(path.bytes, path.len, "%s", identity_error(error));
	text_free(&path);
}
