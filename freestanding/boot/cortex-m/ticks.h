/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The clock SysTick, which QEMU's -icount advances with the instructions. bench/bench.c
 * includes this.
 */
#ifndef UTF8VAL_TICKS_H
#define UTF8VAL_TICKS_H

#include <stdint.h>

#define SYST_CSR (*(volatile uint32_t *)0xE000E010u)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014u)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018u)
#define CSR_ENABLE_CPU_CLOCK 5u
#define TICKS 0x1000000u

static inline void ticks_start(void)
{
	SYST_RVR = TICKS - 1;
	SYST_CVR = 0;
	SYST_CSR = CSR_ENABLE_CPU_CLOCK;
	/* the reload value takes effect with the first tick */
	while (!SYST_CVR)
		;
}

static inline uint32_t ticks(void)
{
	return TICKS - 1 - SYST_CVR;
}

/* Run 2 * @rounds instructions. */
static inline void ticks_pass(uint32_t rounds)
{
	__asm__ volatile("1: subs %0, #1\n\t"
			 "bne 1b"
			 : "+l"(rounds)::"cc");
}

#endif /* UTF8VAL_TICKS_H */
