/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The board's part of the test and example firmware: start-up, console and exit over
 * semihosting, and a way to survive an access that faults. Nothing in this
 * directory belongs to the library.
 */
#ifndef UTF8VAL_BOOT_H
#define UTF8VAL_BOOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the processor starts. */
void __attribute__((noreturn)) boot_start(void);

/* The firmware's own entry; its return value becomes QEMU's exit status. */
int main(void);

/* Set by the linker scripts: the first BOOT_SPARE bytes of the RAM, and the last ones. */
#define BOOT_SPARE 320
extern uint8_t boot_ram[], boot_ram_tail[];
/* The first byte of code and constants, and the first byte after them. */
extern const uint8_t boot_rom[], boot_rom_end[];

/* Does the machine refuse to write to code and constants? */
static inline bool boot_rom_is_flash(void)
{
	return BOOT_ROM_IS_FLASH;
}

/* Semihosting: the debugger, which is QEMU here, carries out these calls. */
uint32_t boot_call(uint32_t operation, uintptr_t argument);
void boot_puts(const char *text);
void boot_putu(size_t number);
void __attribute__((noreturn)) boot_exit(int status);

/* Read or write one byte, or read an unaligned word. Return: did that fault? */
bool boot_read_faults(const volatile uint8_t *at);
bool boot_write_faults(volatile uint8_t *at);
bool boot_unaligned_faults(const volatile uint8_t *at);

/*
 * Make unaligned word accesses trap where the machine leaves that choice.
 * Returns: do they trap now?
 */
bool boot_trap_unaligned(void);

/*
 * Where readable memory begins (the byte before it faults) and where it ends (the byte
 * there faults), with BOOT_EDGE usable bytes on the readable side. A machine whose RAM
 * has no such edges gets them from its memory protection unit first.
 */
#define BOOT_EDGE 256
uint8_t *boot_low_edge(void);
uint8_t *boot_high_edge(void);

#endif /* UTF8VAL_BOOT_H */
