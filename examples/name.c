// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Cut a file name to NAME_MAX bytes, never within a character. The suite examples runs
 * it.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "utf8val.h"

/* Copy as much of a name as fits in a directory, and return its length. */
static size_t cut_name(char out[NAME_MAX + 1], const char *name)
{
	size_t len = utf8val_floor(name, strlen(name), NAME_MAX);

	memcpy(out, name, len);
	out[len] = '\0';
	return len;
}

int main(void)
{
	static const char *const characters[] = { "a", "é", "你", "😀" };
	char out[NAME_MAX + 1];
	char name[400 + 1];
	size_t len;

	for (size_t i = 0; i < 4; i++) {
		size_t size = strlen(characters[i]);
		size_t at;

		for (at = 0; at + size < sizeof(name); at += size)
			memcpy(name + at, characters[i], size);
		name[at] = '\0';
		len = cut_name(out, name);
		printf("%zu bytes of %zu, the last %zu: %s\n", len, at, size,
		       out + len - size);
	}
	len = cut_name(out, "short.txt");
	printf("%zu bytes: %s\n", len, out);
	return 0;
}

/* Prints:
 * 255 bytes of 400, the last 1: a
 * 254 bytes of 400, the last 2: é
 * 255 bytes of 399, the last 3: 你
 * 252 bytes of 400, the last 4: 😀
 * 9 bytes: short.txt
 */
