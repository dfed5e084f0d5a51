/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What is said of a copy. */
#pragma once

#include <stdint.h>

/*@ // d[at .. at+n-1] at S are the first bytes at f as they were at R
    predicate copied{S,R}(uint8_t *d, integer at, integer n, uint8_t *f) =
      \forall integer p; at <= p < at + n ==> \at(d[p], S) == \at(f[p-at], R); */
