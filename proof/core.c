// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What the prover reads: the contracts, then the core as it ships. */
#include "contracts.h"
#include "../utf8val.c"
