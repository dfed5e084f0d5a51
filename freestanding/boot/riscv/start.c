// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Start-up of a RISC-V hart in machine mode, and the handler of accesses that
 * fault. Source: The RISC-V Instruction Set Manual, volume II.
 */
#include "../boot.h"

/* Instructions that have 4 bytes each. */
#define UNCOMPRESSED(instructions) \
	".option push\n\t.option norvc\n\t" instructions "\n\t.option pop"

extern uint32_t boot_bss[], boot_bss_end[];

/* Set around the one instruction that may fault. */
static volatile bool fault_expected;
static volatile bool fault_seen;

static __attribute__((interrupt("machine"), aligned(4))) void trap(void)
{
	uintptr_t pc;

	__asm__ volatile("csrr %0, mepc" : "=r"(pc));
	if (!fault_expected) {
		boot_puts("Bail out! fault at address ");
		boot_putu(pc);
		boot_puts("\n");
		boot_exit(2);
	}
	fault_expected = false;
	fault_seen = true;
	/* The instructions below that may fault are not compressed. */
	__asm__ volatile("csrw mepc, %0" ::"r"(pc + 4));
}

/* There is nothing but RAM, so the loader has put .data in place. */
static __attribute__((noreturn, used)) void run(void)
{
	for (uint32_t *to = boot_bss; to < boot_bss_end; to++)
		*to = 0;
	__asm__ volatile("csrw mtvec, %0" ::"r"(trap));
	boot_exit(main());
}

__attribute__((naked, section(".vectors"))) void boot_start(void)
{
	__asm__("la sp, boot_stack_top\n\t"
		"j run");
}

/* Three uncompressed instructions in one page mark the call as semihosting. */
uint32_t boot_call(uint32_t operation, uintptr_t argument)
{
	register uint32_t a0 __asm__("a0") = operation;
	register uintptr_t a1 __asm__("a1") = argument;

	__asm__ volatile(".balign 16\n\t"
			 UNCOMPRESSED("slli zero, zero, 0x1f\n\t"
				      "ebreak\n\t"
				      "srai zero, zero, 7")
			 : "+r"(a0)
			 : "r"(a1)
			 : "memory");
	return a0;
}

static bool saw_fault(void)
{
	bool seen = fault_seen;

	fault_expected = false;
	fault_seen = false;
	return seen;
}

bool boot_read_faults(const volatile uint8_t *at)
{
	uint32_t value;

	fault_expected = true;
	__asm__ volatile(UNCOMPRESSED("lbu %0, 0(%1)") : "=r"(value) : "r"(at) : "memory");
	return saw_fault();
}

bool boot_write_faults(volatile uint8_t *at)
{
	fault_expected = true;
	__asm__ volatile(UNCOMPRESSED("sb %0, 0(%1)") ::"r"(~*at), "r"(at) : "memory");
	return saw_fault();
}

bool boot_unaligned_faults(const volatile uint8_t *at)
{
	uint32_t value;

	fault_expected = true;
	__asm__ volatile(UNCOMPRESSED("lw %0, 0(%1)") : "=r"(value) : "r"(at) : "memory");
	return saw_fault();
}

/*
 * Whether unaligned accesses trap is the execution environment's choice, and
 * cannot be set here.
 */
bool boot_trap_unaligned(void)
{
	return false;
}
