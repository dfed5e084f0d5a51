// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Load /module.ko and /cost.ko, and print what /cost.ko has counted. Runs as
 * root with FS=none.
 */
#include "fs.h"

static int load(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int result = err(syscall(SYS_finit_module, fd, "", 0));

	close(fd);
	return result;
}

int main(void)
{
	static const char mark[] = "utf8val_cost: ";
	static char log[1 << 20];
	char *rest = log, *line;
	int result;

	result = load("/module.ko");
	if (!result)
		result = load("/cost.ko");
	if (klogctl(SYSLOG_ACTION_READ_ALL, log, sizeof(log) - 1) < 0)
		result = -errno;
	while ((line = strsep(&rest, "\n"))) {
		line = strstr(line, mark);
		if (line)
			puts(line + strlen(mark));
	}
	if (result)
		fprintf(stderr, "cost: %s\n", strerror(-result));
	return !!result;
}
