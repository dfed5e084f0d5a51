// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the prover reads for the lemmas of after.h and breaks.h: they follow from
 * the laws of the automaton's state.
 */
#include "run.h"
#include "walks.h"
#include "after.h"
#include "breaks.h"
