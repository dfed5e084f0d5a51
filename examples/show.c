// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Show bytes that may be anything as UTF-8. The suite examples runs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8val.h"

/* Ill-formed sequences become U+FFFD; the caller frees the result. */
static char *repaired(const void *name, size_t len)
{
	size_t size = utf8val_replaced_size(name, len);
	char *text = size < SIZE_MAX ? malloc(size + 1) : NULL;

	if (text) {
		utf8val_replace(text, size, name, len);
		text[size] = '\0';
	}
	return text;
}

int main(void)
{
	static const char bytes[][16] = {
		"caf\xC3\xA9", "caf\xE9", "a\xC0\xAFz", "\xED\xA0\x80",
		"\xF0\x9F\x98z",
	};

	for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
		size_t len = strlen(bytes[i]);
		char *text = repaired(bytes[i], len);

		if (!text)
			return 1;
		printf("%zu sequences: %s\n", utf8val_count(bytes[i], len), text);
		free(text);
	}
	return 0;
}

/* Prints:
 * 4 sequences: café
 * 4 sequences: caf�
 * 4 sequences: a��z
 * 3 sequences: ���
 * 2 sequences: �z
 */
