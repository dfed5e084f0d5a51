// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the prover reads for utf8val_replace(): the core as it ships, with the
 * compact engine.
 */
#define UTF8VAL_ENGINE_COMPACT 1
#include "compact.h"
#include "shown.h"
#include "../utf8val.c"
