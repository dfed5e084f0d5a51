// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Start-up of a Cortex-M, and the handler of accesses that fault. Registers:
 * Arm v6-M, v7-M and v8-M Architecture Reference Manuals.
 */
#include "../boot.h"

#define SCB_CCR (*(volatile uint32_t *)0xE000ED14u)
#define CCR_UNALIGN_TRP (1u << 3)

#define SCB_CPACR (*(volatile uint32_t *)0xE000ED88u)
#define CPACR_VECTORS (0xFu << 20)

extern uint32_t boot_stack_top[], boot_data[], boot_data_end[], boot_bss[],
	boot_bss_end[];
extern const uint32_t boot_data_load[];

/* The registers that an exception pushes; r4..r11 are not among them. */
struct frame {
	uint32_t r0, r1, r2, r3, r12, lr, pc, xpsr;
};

/* Set around the one instruction that may fault. */
static volatile bool fault_expected;
static volatile bool fault_seen;

/*
 * Skip the instruction that faulted, which has 16 bits, if a fault was expected
 * there; else give up.
 */
static __attribute__((used)) void fault(struct frame *frame)
{
	if (!fault_expected) {
		boot_puts("Bail out! fault at address ");
		boot_putu(frame->pc);
		boot_puts("\n");
		boot_exit(2);
	}
	fault_expected = false;
	fault_seen = true;
	frame->pc += 2;
}

static __attribute__((naked)) void fault_entry(void)
{
	__asm__("mrs r0, msp\n\t"
		"push {r0, lr}\n\t"
		"bl fault\n\t"
		"pop {r0, pc}");
}

void boot_start(void)
{
	const uint32_t *from = boot_data_load;
	uint32_t *to;

	for (to = boot_data; to < boot_data_end; to++)
		*to = *from++;
	for (to = boot_bss; to < boot_bss_end; to++)
		*to = 0;
	/* coprocessors 10 and 11, the vector unit, are off after reset */
	if (VECTORS_USED) {
		SCB_CPACR |= CPACR_VECTORS;
		__asm__ volatile("dsb\n\tisb" ::: "memory");
	}
	boot_exit(main());
}

uint32_t boot_call(uint32_t operation, uintptr_t argument)
{
	register uint32_t r0 __asm__("r0") = operation;
	register uintptr_t r1 __asm__("r1") = argument;

	__asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
	return r0;
}

static void unexpected(void)
{
	boot_puts("Bail out! unexpected exception\n");
	boot_exit(2);
}

struct vectors {
	uint32_t *stack;
	void (*handler[15])(void);
};

static const struct vectors vectors
	__attribute__((used, section(".vectors"))) = {
	boot_stack_top,
	{ boot_start, unexpected, fault_entry, fault_entry, fault_entry, fault_entry,
	  fault_entry, unexpected, unexpected, unexpected, unexpected,
	  unexpected, unexpected, unexpected, unexpected },
};

static bool saw_fault(void)
{
	bool seen;

	/* an imprecise bus fault must arrive before fault_seen is read */
	__asm__ volatile("dsb" ::: "memory");
	seen = fault_seen;
	fault_expected = false;
	fault_seen = false;
	return seen;
}

bool boot_read_faults(const volatile uint8_t *at)
{
	register uint32_t value __asm__("r2");

	fault_expected = true;
	__asm__ volatile("ldrb.n %0, [%1]" : "=l"(value) : "l"(at) : "memory");
	return saw_fault();
}

bool boot_write_faults(volatile uint8_t *at)
{
	fault_expected = true;
	__asm__ volatile("strb.n %0, [%1]" ::"l"(~*at), "l"(at) : "memory");
	return saw_fault();
}

bool boot_unaligned_faults(const volatile uint8_t *at)
{
	register uint32_t value __asm__("r2");

	fault_expected = true;
	__asm__ volatile("ldr.n %0, [%1]" : "=l"(value) : "l"(at) : "memory");
	return saw_fault();
}

bool boot_trap_unaligned(void)
{
	SCB_CCR |= CCR_UNALIGN_TRP;
	return SCB_CCR & CCR_UNALIGN_TRP;
}
