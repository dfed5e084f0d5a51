/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Bytes of which each may follow the one before. Only the prover reads this; the
 * lemma is proved, before all others, of which none helps.
 */
#pragma once

#include "fast.h"

/*@ lemma pairs_last{L}: \forall uint8_t *s, integer b, n; 0 <= n ==>
      pairs(s + b, n + 1) ==> pairs(s + b, n) && pair(s[b+n], s[b+n+1]); */
