// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The code lies right before the RAM. The linker script therefore leaves a page before
 * boot_ram and one after the last bytes, and physical memory protection forbids these two.
 * They are whole pages, because QEMU looks up each access to a page of which a part is
 * forbidden. The entries are locked, so that they also bind machine mode. Source: The
 * RISC-V Instruction Set Manual, volume II, 3.7.
 */
#include "../boot.h"

#define PAGE 4096u
#define PMP_LOCKED_NAPOT 0x98u /* no permission */

static uintptr_t napot(uintptr_t page)
{
	return page >> 2 | (PAGE / 8 - 1);
}

uint8_t *boot_low_edge(void)
{
	__asm__ volatile("csrw pmpaddr0, %0\n\t"
			 "csrs pmpcfg0, %1"
			 :
			 : "r"(napot((uintptr_t)boot_ram - PAGE)), "r"(PMP_LOCKED_NAPOT)
			 : "memory");
	return boot_ram;
}

uint8_t *boot_high_edge(void)
{
	uint8_t *edge = boot_ram_tail + BOOT_SPARE;

	__asm__ volatile("csrw pmpaddr1, %0\n\t"
			 "csrs pmpcfg0, %1"
			 :
			 : "r"(napot((uintptr_t)edge)), "r"(PMP_LOCKED_NAPOT << 8)
			 : "memory");
	return edge;
}
