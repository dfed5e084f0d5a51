// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the prover reads for the fast engine from 49 bytes on: the contracts, then
 * the core.
 */
#define UTF8VAL_ENGINE_FAST 1
#include "contracts.h"
#include "long.h"
#include "high.h"
#include "tails.h"
#include "../utf8val.c"
