// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the prover reads for the fast engine's copies.
 */
#define UTF8VAL_ENGINE_FAST 1
#include "contracts.h"
#include "long.h"
#include "copies.h"
#include "../utf8val.c"
