// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the prover reads for utf8val_feed(): the core as it ships, with the compact
 * engine, and the laws of the automaton's state, which would only delay the proof
 * of all the rest.
 */
#define UTF8VAL_ENGINE_COMPACT 1
#include "contracts.h"
#include "run.h"
#include "../utf8val.c"
