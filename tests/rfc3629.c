// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The proof's specification (proof/rfc3629.h) against the oracle. Both must give the same
 * length, and the same code point or reason, for the first sequence of every string of one
 * to four bytes. The suite rfc3629 runs it. TAP.
 */
#include <stdio.h>
#include "oracle.h"
#include "proof/rfc3629.h"

int main(void)
{
	size_t len;

	printf("1..4\n");
	for (len = 1; len <= 4; len++) {
		const uint64_t strings = 1ull << 8 * len;
		uint64_t i, characters = 0;

		for (i = 0; i < strings; i++) {
			const uint8_t s[4] = { (uint8_t)(i >> 24), (uint8_t)(i >> 16),
					       (uint8_t)(i >> 8), (uint8_t)i };
			const uint8_t *first = s + 4 - len;
			int32_t want, cp;
			size_t size = oracle_unit(first, len, &want);

			if (rfc_unit(first, len, &cp) != size || cp != want)
				break;
			characters += cp >= 0 && size == len;
		}
		printf("%sok %zu - %llu strings of %zu bytes, of them %llu characters\n",
		       i == strings ? "" : "not ", len, (unsigned long long)i, len,
		       (unsigned long long)characters);
		if (i != strings)
			return 1;
	}
	return 0;
}
