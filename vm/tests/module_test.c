// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * In a distribution's own kernel: utf8val.ko loads, its exports pass the shared
 * checks from another module, both unload, and a module for another kernel is
 * refused. Runs as root with FS=none; the modules are /module.ko,
 * /selftest.ko and, for another kernel, /other.ko.
 */
#include <errno.h>
#include <fcntl.h>
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

int main(void)
{
	tap_is(load("/selftest.ko"), -ENOENT,
	       "the checks need utf8val.ko: unknown symbols");
	tap_is(load("/module.ko"), 0, "utf8val.ko loads");
	tap_is(load("/module.ko"), -EEXIST, "but not twice");
	tap_is(load("/selftest.ko"), 0, "the shared checks pass");
	/* as the other runners of these checks say it */
	printf("# vectors: %ld, checks: %ld\n", parameter("vectors"),
	       parameter("cases"));
	tap(parameter("vectors") > 0 && parameter("cases") > 0,
	    "there were some");
	tap_is(parameter("failed"), 0, "none failed");
	tap_is(unload("utf8val"), -EWOULDBLOCK, "utf8val.ko is in use");
	tap_is(unload("utf8val_selftest"), 0, "the checks unload");
	tap_is(unload("utf8val"), 0, "utf8val.ko unloads");
	tap_is(load("/other.ko"), -ENOEXEC,
	       "a module for another kernel is refused");
	return tap_end();
}
