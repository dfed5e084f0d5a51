// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the prover reads for the lemmas of walks.h, the argument for two walks:
 * those about names would only delay it.
 */
#include "run.h"
#include "walks.h"
