// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * valid, prefix, check and reason_name. Parameter: four bytes, a value for
 * reason_name, which takes any.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t value = take_number(data, &size, 4);
	uint8_t *s = exact_copy(data, size);
	struct utf8val_result want = oracle_check(s, size);
	const char *name = utf8val_reason_name(value);

	REQUIRE(same_result(utf8val_check(s, size), want));
	REQUIRE(utf8val_prefix(s, size) == want.valid);
	REQUIRE(utf8val_valid(s, size) == (want.valid == size));
	REQUIRE(name && *name);
	REQUIRE(!strcmp(name, "unknown") == (value >= UTF8VAL_REASONS));
	free(s);
	return 0;
}
