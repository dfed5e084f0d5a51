// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the prover reads for utf8val_stream_feed(): the core as it ships, with the
 * compact engine, and what moved.h says.
 */
#define UTF8VAL_ENGINE_COMPACT 1
#include "contracts.h"
#include "moved.h"
#include "../utf8val.c"
