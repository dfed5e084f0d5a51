// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The forbidden bytes around the input, on machines on which no address beside the RAM
 * answers. selftest.c reads there.
 */
#include "boot.h"

uint8_t *boot_low_edge(void)
{
	return boot_ram;
}

uint8_t *boot_high_edge(void)
{
	return boot_ram_tail + BOOT_SPARE;
}
