// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Checks each line of FILE.names, or FILE.text as a whole, once: for counting
 * instructions. Prints how many bytes these were.
 */
#include <stdio.h>
#include <string.h>

#include "../../utf8val.h"

int main(int argc, char **argv)
{
	static char room[4u << 20];
	FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
	size_t len, bytes = 0, good = 0;
	char *end;

	if (!file) {
		fprintf(stderr, "usage: count FILE\n");
		return 2;
	}
	len = fread(room, 1, sizeof(room), file);
	end = room + len;
	if (!strstr(argv[1], ".names")) {
		good = utf8val_valid(room, len);
		bytes = len;
		end = room;
	}
	for (char *line = room, *stop; line < end; line = stop + 1) {
		stop = memchr(line, '\n', (size_t)(end - line));
		if (!stop)
			stop = end;
		good += utf8val_valid(line, (size_t)(stop - line));
		bytes += (size_t)(stop - line);
	}
	printf("%zu %zu\n", bytes, good);
	return fclose(file) != 0;
}
