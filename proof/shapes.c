// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the prover reads for lemmas about runs of one shape.
 */
#include "runs.h"
#include "blocks.h"
#include "long.h"
