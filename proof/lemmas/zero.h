/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A word of zeros. Only the prover reads this; every lemma is proved.
 */
#pragma once

#include "fast.h"

/*@ lemma zero_0: byte_at(0, 0) == 0;
    lemma zero_1: byte_at(0, 1) == 0;
    lemma zero_more: byte_at(0, 2) == 0 && byte_at(0, 3) == 0 &&
      byte_at(0, 4) == 0 && byte_at(0, 5) == 0 && byte_at(0, 6) == 0 &&
      byte_at(0, 7) == 0;
    lemma byte_none: \forall integer i; 0 <= i < 8 ==> byte_at(0, i) == 0;
    lemma few_none: few(0, 0); */
