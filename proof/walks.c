// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the provers read for the fast engine on long input: the contracts, then
 * the core.
 */
#define UTF8VAL_ENGINE_FAST 1
#include "contracts.h"
#include "walks.h"
#include "../utf8val.c"
