// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The shared tests on a board, and three properties that only a board can show. No
 * byte outside the input is read, no word is read unaligned, and constants stay in
 * read-only memory. TAP over semihosting; the exit status
 * is 0 when all is well, 1 when a point failed, 2 after a fault.
 */
#include "boot.h"

#include "points.h"

/*
 * Every function on each vector where its bytes end, or begin, at the edge of memory;
 * reading beyond the edge bails out.
 */
static bool vectors_at(uint8_t *edge, bool end)
{
	struct utf8val_failure failure;
	bool ok = true;

	for (size_t i = 0; i < utf8val_vector_count; i++) {
		const struct utf8val_vector *vector = &utf8val_vectors[i];
		uint8_t *at = end ? edge - vector->len : edge;

		if (vector->len > BOOT_EDGE)
			return false;
		for (size_t j = 0; j < vector->len; j++)
			at[j] = vector->bytes[j];
		if (utf8val_check_bytes(at, vector->len, scratch, &failure))
			continue;
		explain(&failure);
		ok = false;
	}
	return ok;
}

static bool constants_in_rom(void)
{
	for (unsigned int reason = UTF8VAL_OK; reason < UTF8VAL_REASONS; reason++) {
		const uint8_t *name = (const uint8_t *)utf8val_reason_name(reason);

		if (name < boot_rom || name >= boot_rom_end)
			return false;
	}
	return true;
}

static bool fetch(struct utf8val_vector *to, size_t at)
{
	*to = utf8val_vectors[at];
	return true;
}

int main(void)
{
	bool trapped = !UNALIGNED_ALLOWED && boot_trap_unaligned();
	uint8_t *low = boot_low_edge();
	uint8_t *high = boot_high_edge();

	run_shared(utf8val_vector_count, 7, fetch);
	point(!trapped || boot_unaligned_faults(scratch + 1), "an unaligned word faults",
	      trapped ? "" : " # SKIP the engine or the machine has no such trap");
	point(!boot_read_faults(low) && boot_read_faults(low - 1),
	      "a byte before the low edge faults", "");
	point(!boot_read_faults(high - 1) && boot_read_faults(high),
	      "a byte at the high edge faults", "");
	point(vectors_at(low, false), "all functions read nothing before the input", "");
	point(vectors_at(high, true), "all functions read nothing after the input", "");
	point(constants_in_rom(), "constants lie in flash", "");
	point(!boot_rom_is_flash() || boot_write_faults((uint8_t *)(uintptr_t)
							utf8val_reason_name(UTF8VAL_OK)),
	      "writing to a constant faults",
	      boot_rom_is_flash() ? "" : " # SKIP this machine's flash is RAM");
	return failed ? 1 : 0;
}
