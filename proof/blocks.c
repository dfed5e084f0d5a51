// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the prover reads for lemmas about blocks: without those about words and
 * characters, which would only delay it.
 */
#include "blocks.h"
