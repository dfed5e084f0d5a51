// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the prover reads for utf8val_check() with the fast engine: the contracts,
 * then the core.
 */
#define UTF8VAL_ENGINE_FAST 1
#include "contracts.h"
#include "long.h"
#include "short.h"
#include "breaks.h"
#include "../utf8val.c"
