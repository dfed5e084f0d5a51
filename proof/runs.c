// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the prover reads for the fast engine's runs: its contracts, then itself
 * without the core.
 */
#define UTF8VAL_ENGINE_FAST 1
#include "blocks.h"
#include "longest.h"
#include "../engine/fast.h"
