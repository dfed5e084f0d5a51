// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The stem of a name, which is what is before an extension. */
#include "guess/stem.h"

#include "guess/data.h"

size_t stem_length(const uint8_t *name, size_t len)
{
	for (size_t i = len; i > 1 && len - i <= 5; i--) {
		uint8_t byte = name[i - 1];

		if (byte == '.')
			return i - 1;
		if (!is_ascii_letter(byte) && (byte < '0' || byte > '9'))
			break;
	}
	return len;
}
