/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What the engines want of a length. Only the prover reads this. */
#ifndef PROOF_FITS_H
#define PROOF_FITS_H

#include <stdint.h>

/* the fast engine reckons with signs of lengths; no object is that large */
#if defined(UTF8VAL_ENGINE_FAST)
//@ predicate fits(integer len) = len <= PTRDIFF_MAX;
#else
//@ predicate fits(integer len) = \true;
#endif

#endif /* PROOF_FITS_H */
