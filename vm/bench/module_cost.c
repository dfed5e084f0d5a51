// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Load /module.ko and /cost.ko, and print what /cost.ko has counted. Runs as
 * root with FS=none.
 */
#include "fs.h"

int main(void)
{
	static const char mark[] = "utf8val_cost: ";
	static char log[1 << 20];
	char *rest = log, *line;
	int result;

	result = load_module("/module.ko");
	if (!result)
		result = load_module("/cost.ko");
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
