/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the test and example firmware needs of a machine: start-up, a console
 * and an exit over semihosting, and a way to survive an access that faults.
 * Nothing of this belongs to the library.
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

/* From the linker scripts: the first BOOT_SPARE bytes of the RAM and the last. */
#define BOOT_SPARE 320
extern uint8_t boot_ram[], boot_ram_tail[];
/* The first byte of code and constants, the first one after. */
extern const uint8_t boot_rom[], boot_rom_end[];

/* Does the machine refuse to write to code and constants? */
static inline bool boot_rom_is_flash(void)
{
	return BOOT_ROM_IS_FLASH;
}

/* Semihosting: the debugger, here QEMU, does it. */
void boot_puts(const char *text);
void boot_putu(size_t number);
void __attribute__((noreturn)) boot_exit(int status);

/* Read or write one byte, or read an unaligned word: true when that faults. */
bool boot_read_faults(const volatile uint8_t *at);
bool boot_write_faults(volatile uint8_t *at);
bool boot_unaligned_faults(const volatile uint8_t *at);

/* Trap unaligned word accesses where that is a choice; true: they trap now. */
bool boot_trap_unaligned(void);

/*
 * Where readable memory begins (the byte before faults) and ends (the byte
 * there faults), with BOOT_EDGE usable bytes on the good side. Arms a protection
 * unit first where the machine's RAM has no such edge of its own.
 */
#define BOOT_EDGE 256
uint8_t *boot_low_edge(void);
uint8_t *boot_high_edge(void);

#endif /* UTF8VAL_BOOT_H */
