/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef UTF8VAL_SEMIHOSTING_H
#define UTF8VAL_SEMIHOSTING_H

#include <stdint.h>

static inline uint32_t semihosting_call(uint32_t operation, uintptr_t argument)
{
	register uint32_t r0 __asm__("r0") = operation;
	register uintptr_t r1 __asm__("r1") = argument;

	__asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
	return r0;
}

#endif /* UTF8VAL_SEMIHOSTING_H */
