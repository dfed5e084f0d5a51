// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The code lies right before the RAM, so physical memory protection forbids 32
 * bytes at both ends of the RAM. The entries are locked, so that they bind
 * machine mode, too. Source: The RISC-V Instruction Set Manual, volume II, 3.7.
 */
#include "../boot.h"

#define FORBIDDEN 32
#define PMP_LOCKED_NAPOT 0x98u /* no permission */

static uintptr_t napot_32(const uint8_t *at)
{
	return (uintptr_t)at >> 2 | 3u;
}

uint8_t *boot_low_edge(void)
{
	__asm__ volatile("csrw pmpaddr0, %0\n\t"
			 "csrs pmpcfg0, %1"
			 :
			 : "r"(napot_32(boot_ram)), "r"(PMP_LOCKED_NAPOT)
			 : "memory");
	return boot_ram + FORBIDDEN;
}

uint8_t *boot_high_edge(void)
{
	uint8_t *edge = boot_ram_tail + BOOT_SPARE - FORBIDDEN;

	__asm__ volatile("csrw pmpaddr1, %0\n\t"
			 "csrs pmpcfg0, %1"
			 :
			 : "r"(napot_32(edge)), "r"(PMP_LOCKED_NAPOT << 8)
			 : "memory");
	return edge;
}
