/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What the engines want of a length. */
#pragma once

#include <stdint.h>

/* the fast engine reckons with signs of lengths; no object is that large */
#if defined(UTF8VAL_ENGINE_FAST)
//@ predicate fits(integer len) = len <= PTRDIFF_MAX;
#else
//@ predicate fits(integer len) = \true;
#endif
