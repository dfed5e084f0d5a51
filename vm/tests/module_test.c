// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * In a distribution's own kernel utf8val.ko loads, and its exports pass the shared
 * checks from another module. The example of examples/module works. All modules unload,
 * and a module for another kernel is refused. Runs as root with FS=none; the modules
 * are /module.ko, /selftest.ko, /label.ko and, for another kernel, /other.ko. vm/run.py
 * runs this in a virtual machine.
 */
#include "fs.h"
#include "tap.h"

static int unload(const char *name)
{
	return err(syscall(SYS_delete_module, name, O_NONBLOCK));
}

static long parameter(const char *name)
{
	const char *text = contents(text_of("/sys/module/utf8val_selftest/parameters/%s", name));

	return *text ? atol(text) : -1;
}

#define LABEL "/sys/module/label/parameters/label"

static void test_example(void)
{
	tap_is(load_module("/label.ko"), 0, "the example loads");
	tap_is(put(LABEL, "caf\xC3\xA9"), 0, "takes a label");
	tap_is(put(LABEL, "caf\xE9"), -EILSEQ, "refuses one that is no UTF-8");
	tap(!strcmp(contents(LABEL), "caf\xC3\xA9\n"), "and keeps the one it had");
	tap_is(put(LABEL, "123456789012345\xC3\xA9"), 0, "takes a long one");
	tap(!strcmp(contents(LABEL), "123456789012345\n"), "cut before the character");
	tap_is(unload("label"), 0, "the example unloads");
}

int main(void)
{
	tap_is(load_module("/selftest.ko"), -ENOENT,
	       "the checks need utf8val.ko: unknown symbols");
	tap_is(load_module("/module.ko"), 0, "utf8val.ko loads");
	tap_is(load_module("/module.ko"), -EEXIST, "but not twice");
	tap_is(load_module("/selftest.ko"), 0, "the vectors pass");
	tap(parameter("vectors") > 0, "there were some");
	tap_is(parameter("failed"), 0, "none failed");
	test_example();
	tap_is(unload("utf8val"), -EWOULDBLOCK, "utf8val.ko is in use");
	tap_is(unload("utf8val_selftest"), 0, "the checks unload");
	tap_is(unload("utf8val"), 0, "utf8val.ko unloads");
	tap_is(load_module("/other.ko"), -ENOEXEC, "a module for another kernel is refused");
	return tap_end();
}
