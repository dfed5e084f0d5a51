// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * For machines where addresses beside the RAM answer, too: the MPU forbids a
 * page before the RAM and a page after it. It must be a whole page, because
 * QEMU looks up one address for each page that an access touches. Registers:
 * Armv7-M Architecture Reference Manual, B3.5.
 */
#include "../boot.h"

#define MPU_CTRL (*(volatile uint32_t *)0xE000ED94u)
#define MPU_RBAR (*(volatile uint32_t *)0xE000ED9Cu)
#define MPU_RASR (*(volatile uint32_t *)0xE000EDA0u)

#define CTRL_ENABLE (1u << 0)
#define CTRL_PRIVDEFENA (1u << 2)
#define RBAR_VALID (1u << 4)
/* access permission 0: nobody may access the region */
#define RASR_ENABLE (1u << 0)
#define RASR_SIZE_4096 (11u << 1)
#define PAGE 4096u

static void forbid(uint32_t region, uintptr_t page)
{
	MPU_RBAR = page | RBAR_VALID | region;
	MPU_RASR = RASR_SIZE_4096 | RASR_ENABLE;
	MPU_CTRL = CTRL_ENABLE | CTRL_PRIVDEFENA;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
}

uint8_t *boot_low_edge(void)
{
	forbid(0, (uintptr_t)boot_ram - PAGE);
	return boot_ram;
}

uint8_t *boot_high_edge(void)
{
	uint8_t *edge = boot_ram_tail + BOOT_SPARE;

	forbid(1, (uintptr_t)edge);
	return edge;
}
