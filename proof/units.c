// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the prover reads for lemmas about how many units a text is.
 */
#include "counts.h"
