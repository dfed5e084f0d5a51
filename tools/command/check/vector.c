// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* utf8val_valid() for long texts, by vectors where the processor has them. */
#include "check/vector.h"

#include "check/avx2.h"
#include "utf8val.h"

bool vector_valid(const uint8_t *s, size_t len)
{
	return len >= AVX2_LEAST && avx2_usable() ? avx2_valid(s, len) :
						    utf8val_valid(s, len);
}
