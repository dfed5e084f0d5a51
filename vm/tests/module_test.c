// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * In a distribution's own kernel: utf8val.ko loads, its exports pass the shared
 * checks from another module, the example of examples/module works, all unload,
 * and a module for another kernel is refused. Runs as root with FS=none; the
 * modules are /module.ko, /selftest.ko, /label.ko and, for another kernel,
 * /other.ko.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tap.h"

static int load(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int result;

	if (fd < 0)
		return -errno;
	result = syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
	close(fd);
	return result;
}

static int unload(const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? -errno : 0;
}

static long parameter(const char *name)
{
	char path[128];
	long value = -1;
	FILE *file;

	snprintf(path, sizeof(path),
		 "/sys/module/utf8val_selftest/parameters/%s", name);
	file = fopen(path, "r");
	if (file) {
		if (fscanf(file, "%ld", &value) != 1)
			value = -1;
		fclose(file);
	}
	return value;
}

#define LABEL "/sys/module/label/parameters/label"

static int set_label(const char *text)
{
	int fd = open(LABEL, O_WRONLY | O_CLOEXEC);
	int result;

	if (fd < 0)
		return -errno;
	result = write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return result;
}

static bool label_is(const char *text)
{
	char buffer[64] = "";
	int fd = open(LABEL, O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		if (read(fd, buffer, sizeof(buffer) - 1) < 0)
			buffer[0] = '\0';
		close(fd);
	}
	return !strcmp(buffer, text);
}

static void test_example(void)
{
	tap_is(load("/label.ko"), 0, "the example loads");
	tap_is(set_label("caf\xC3\xA9"), 0, "takes a label");
	tap_is(set_label("caf\xE9"), -EILSEQ, "refuses one that is no UTF-8");
	tap(label_is("caf\xC3\xA9\n"), "and keeps the one it had");
	tap_is(set_label("123456789012345\xC3\xA9"), 0, "takes a long one");
	tap(label_is("123456789012345\n"), "cut before the character");
	tap_is(unload("label"), 0, "the example unloads");
}

int main(void)
{
	tap_is(load("/selftest.ko"), -ENOENT,
	       "the checks need utf8val.ko: unknown symbols");
	tap_is(load("/module.ko"), 0, "utf8val.ko loads");
	tap_is(load("/module.ko"), -EEXIST, "but not twice");
	tap_is(load("/selftest.ko"), 0, "the vectors pass");
	tap(parameter("vectors") > 0, "there were some");
	tap_is(parameter("failed"), 0, "none failed");
	test_example();
	tap_is(unload("utf8val"), -EWOULDBLOCK, "utf8val.ko is in use");
	tap_is(unload("utf8val_selftest"), 0, "the checks unload");
	tap_is(unload("utf8val"), 0, "utf8val.ko unloads");
	tap_is(load("/other.ko"), -ENOEXEC,
	       "a module for another kernel is refused");
	return tap_end();
}
