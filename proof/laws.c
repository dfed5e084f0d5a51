// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the prover reads for lemmas about walks: they follow from the laws of the
 * automaton's state, which would only delay the proofs that take them.
 */
#include "run.h"
#include "moved.h"
#include "short.h"
#include "walks.h"
#include "long.h"
