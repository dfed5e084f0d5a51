// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A plugin of qemu-user. It prints how many instructions a program for arm64 executes
 * from each first call of getppid() to the next one, a number a line. tools/bench/run.py
 * builds it and loads it into qemu-user.
 *
 * QEMU's packages do not have the header qemu-plugin.h, so what is used of it is declared
 * here. PLUGIN_VERSION is the version of that interface: 1 up to QEMU 8.0, then 2.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define GETPPID 173	/* on arm64 */

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*cb)(uint64_t id, void *tb));
size_t qemu_plugin_tb_n_insns(const void *tb);
void qemu_plugin_register_vcpu_tb_exec_cb(void *tb, void (*cb)(unsigned int cpu, void *data),
					  int flags, void *data);
void qemu_plugin_register_vcpu_syscall_cb(uint64_t id,
	void (*cb)(uint64_t id, unsigned int cpu, int64_t number, uint64_t a1, uint64_t a2,
		   uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8));
int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv);

__attribute__((__visibility__("default"))) int qemu_plugin_version = PLUGIN_VERSION;

static uint64_t executed, begin;
static int is_open;

static void run(unsigned int cpu, void *count)
{
	(void)cpu;
	executed += (uintptr_t)count;
}

static void translate(uint64_t id, void *block)
{
	(void)id;
	qemu_plugin_register_vcpu_tb_exec_cb(block, run, 0,
					     (void *)qemu_plugin_tb_n_insns(block));
}

static void call(uint64_t id, unsigned int cpu, int64_t number, uint64_t a1, uint64_t a2,
		 uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
	(void)id, (void)cpu, (void)a1, (void)a2, (void)a3, (void)a4;
	(void)a5, (void)a6, (void)a7, (void)a8;
	if (number != GETPPID)
		return;
	if (is_open)
		fprintf(stderr, "%llu\n", (unsigned long long)(executed - begin));
	is_open = !is_open;
	begin = executed;
}

int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
	(void)info, (void)argc, (void)argv;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	qemu_plugin_register_vcpu_syscall_cb(id, call);
	return 0;
}
