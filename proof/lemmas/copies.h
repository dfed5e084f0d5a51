/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What the proof of copying by words takes. */
#pragma once

#include "../spec/copied.h"

/*@ lemma copied_at{S,R}: \forall uint8_t *d, *f, integer at, n;
      copied{S,R}(d + at, 0, n, f) ==> copied{S,R}(d, at, n, f);
    // a part after what is copied, or over it
    lemma copied_more{P,R,S}: \forall uint8_t *d, *f, *s, integer at, b, k, n;
      0 <= at ==> b == at + k ==> b <= n ==> copied{R,P}(d, 0, at, s) ==>
      copied{R,P}(s, 0, n, s) ==> copied{S,R}(d, 0, at, d) ==> f == s + at ==>
      copied{S,R}(d, at, k, f) ==> copied{S,P}(d, 0, b, s); */
