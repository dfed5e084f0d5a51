// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A filter for comparisons with other implementations: repairs and counts what
 * comes in. Both directions are sequences of records; numbers are 32 bits,
 * little-endian.
 *
 *   in:   length, bytes
 *   out:  utf8val_count(), length of the result, utf8val_replace()'s result
 *
 * Ends with status 0 at an end of input that is a record's end, 1 otherwise.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../../utf8val.h"

#define LONGEST (1u << 20)

static void give_up(const char *what)
{
	fprintf(stderr, "repair: %s\n", what);
	exit(1);
}

/* Read a number; false at the end of the input. */
static bool get_number(uint32_t *number)
{
	uint8_t bytes[4];
	size_t got = fread(bytes, 1, sizeof(bytes), stdin);

	if (!got && feof(stdin))
		return false;
	if (got != sizeof(bytes))
		give_up("input ends within a number");
	*number = bytes[0] | (uint32_t)bytes[1] << 8 |
		  (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
	return true;
}

static void put_number(size_t number)
{
	for (int i = 0; i < 4; i++) {
		putchar((int)(number & 0xFF));
		number >>= 8;
	}
}

int main(void)
{
	uint8_t *in = malloc(LONGEST);
	uint8_t *out = malloc(3 * LONGEST);
	uint32_t len;

	if (!in || !out)
		give_up("no memory");
	while (get_number(&len)) {
		size_t need;

		if (len > LONGEST)
			give_up("a record is too long");
		if (fread(in, 1, len, stdin) != len)
			give_up("input ends within a record");
		need = utf8val_replace(out, 3 * LONGEST, in, len).written;
		put_number(utf8val_count(in, len));
		put_number(need);
		fwrite(out, 1, need, stdout);
	}
	if (fflush(stdout) || ferror(stdout) || ferror(stdin))
		give_up("input or output failed");
	free(in);
	free(out);
	return 0;
}
