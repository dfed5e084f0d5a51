/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The clock mcycle, which QEMU's -icount advances with the instructions. bench/bench.c
 * includes this.
 */
#ifndef UTF8VAL_TICKS_H
#define UTF8VAL_TICKS_H

#include <stdint.h>

static inline void ticks_start(void)
{
}

static inline uint32_t ticks(void)
{
	uint32_t now;

	__asm__ volatile("csrr %0, mcycle" : "=r"(now));
	return now;
}

/* Run 2 * @rounds instructions. */
static inline void ticks_pass(uint32_t rounds)
{
	__asm__ volatile("1: addi %0, %0, -1\n\t"
			 "bnez %0, 1b"
			 : "+r"(rounds));
}

#endif /* UTF8VAL_TICKS_H */
