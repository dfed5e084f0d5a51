// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Modes and operations, as users write and read them. */
#include <string.h>

#include "bpf/shared/guard_maps.h"
#include "words.h"

#define NAME(id, word) \
	[GUARD_##id] = #word,
static const char *const modes[GUARD_MODES] = {
	[GUARD_UNSET] = UTF8VAL_UNSET,
	UTF8VAL_MODE_LIST(NAME, NAME)
};

static const char *const ops[GUARD_OPS] = { GUARD_OP_LIST(NAME) };

const char *mode_name(unsigned int mode)
{
	return mode < GUARD_MODES ? modes[mode] : "unknown";
}

const char *op_name(unsigned int op)
{
	return op < GUARD_OPS ? ops[op] : "unknown";
}

int mode_parse(const char *name)
{
	for (int i = GUARD_OFF; i < GUARD_MODES; i++)
		if (!strcmp(modes[i], name))
			return i;
	return GUARD_UNSET;
}
