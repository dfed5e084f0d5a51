// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the prover reads for utf8val_replace() with the fast engine.
 */
#define UTF8VAL_ENGINE_FAST 1
#include "contracts.h"
#include "long.h"
#include "shown.h"
#include "../utf8val.c"
