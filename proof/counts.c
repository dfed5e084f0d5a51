// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the prover reads for counting with the fast engine: the contracts, then
 * the core.
 */
#define UTF8VAL_ENGINE_FAST 1
#include "contracts.h"
#include "longest.h"
#include "counts.h"
#include "../utf8val.c"
