// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Console and exit of the test and example firmware. Source: "Semihosting for AArch32
 * and AArch64", Arm; RISC-V uses the same operations.
 */
#include "boot.h"

#define SYS_WRITE0 0x04u
#define SYS_EXIT_EXTENDED 0x20u
#define ADP_STOPPED_APPLICATION_EXIT 0x20026u

void boot_puts(const char *text)
{
	boot_call(SYS_WRITE0, (uintptr_t)text);
}

void boot_putu(size_t number)
{
	/* decimal digits by subtraction, as M0 would need libgcc to divide */
	static const uint32_t powers[] = {
		1000000000, 100000000, 10000000, 1000000, 100000,
		10000, 1000, 100, 10, 1,
	};
	char text[11];
	size_t at = 0;

	for (size_t i = 0; i < 10; i++) {
		char digit = '0';

		while (number >= powers[i]) {
			number -= powers[i];
			digit++;
		}
		if (digit != '0' || at || i == 9)
			text[at++] = digit;
	}
	text[at] = '\0';
	boot_puts(text);
}

void boot_exit(int status)
{
	const uintptr_t block[2] = { ADP_STOPPED_APPLICATION_EXIT,
				     (uintptr_t)status };

	boot_call(SYS_EXIT_EXTENDED, (uintptr_t)block);
	for (;;)
		;
}
