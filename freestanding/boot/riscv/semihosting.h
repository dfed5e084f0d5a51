/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef UTF8VAL_SEMIHOSTING_H
#define UTF8VAL_SEMIHOSTING_H

#include <stdint.h>

/* Three uncompressed instructions in one page mark the call as semihosting. */
static inline uint32_t semihosting_call(uint32_t operation, uintptr_t argument)
{
	register uint32_t a0 __asm__("a0") = operation;
	register uintptr_t a1 __asm__("a1") = argument;

	__asm__ volatile(".option push\n\t"
			 ".option norvc\n\t"
			 ".balign 16\n\t"
			 "slli zero, zero, 0x1f\n\t"
			 "ebreak\n\t"
			 "srai zero, zero, 7\n\t"
			 ".option pop"
			 : "+r"(a0)
			 : "r"(a1)
			 : "memory");
	return a0;
}

#endif /* UTF8VAL_SEMIHOSTING_H */
