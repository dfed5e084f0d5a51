// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the provers read for the word engine: the contracts, then the core.
 */
#define UTF8VAL_ENGINE_WORD 1
#include "word.h"
#include "../utf8val.c"
