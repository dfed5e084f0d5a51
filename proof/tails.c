// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the prover reads for the fast engine's counting.
 */
#define UTF8VAL_ENGINE_FAST 1
#include "high.h"
#include "tails.h"
#include "../engine/fast_dfa.h"
