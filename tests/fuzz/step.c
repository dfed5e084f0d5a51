// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * step: begun anew after each error, as its contract says, it finds the
 * oracle's sequences and code points.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct utf8val_dfa dfa = { UTF8VAL_ACCEPT };
	uint32_t cp = 0;
	size_t begun = 0;
	size_t at = 0;

	while (at < size) {
		uint32_t before = dfa.state;
		int32_t whole, so_far;
		size_t unit = oracle_unit(data + begun, size - begun, &whole);

		oracle_unit(data + begun, at + 1 - begun, &so_far);
		REQUIRE(utf8val_step(&dfa, &cp, data[at]) == dfa.state);
		REQUIRE((dfa.state == UTF8VAL_ACCEPT) == (so_far >= 0));
		REQUIRE((dfa.state == UTF8VAL_REJECT) ==
			(so_far < -UTF8VAL_TRUNCATED));
		if (dfa.state == UTF8VAL_REJECT) {
			/* No byte leads out of the reject state. */
			REQUIRE(utf8val_step(&dfa, &cp, data[at]) ==
				UTF8VAL_REJECT);
			REQUIRE(whole == so_far);
			dfa.state = UTF8VAL_ACCEPT;
			/* the byte that broke a sequence may be a lead */
			if (before == UTF8VAL_ACCEPT)
				at++;
			REQUIRE(at - begun == unit);
			begun = at;
			continue;
		}
		at++;
		if (dfa.state == UTF8VAL_ACCEPT) {
			REQUIRE(cp == (uint32_t)whole);
			REQUIRE(at - begun == unit);
			begun = at;
		}
	}
	return 0;
}
