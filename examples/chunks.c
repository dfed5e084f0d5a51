// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Check what is read in chunks, and go on after each error. The suite examples runs it. */
#include <stdio.h>
#include <string.h>

#include "utf8val.h"

/* A stream of bytes: how many came before the stream's start, and since then. */
struct input {
	struct utf8val_stream stream;
	size_t start, fed;
};

static void report(const struct input *input, struct utf8val_result result)
{
	printf("byte %zu: %s\n", input->start + result.valid,
	       utf8val_reason_name(result.reason));
}

/* Check a chunk, and report each ill-formed sequence that ends in it. */
static void chunk(struct input *input, const char *bytes, size_t len)
{
	while (!utf8val_stream_feed(&input->stream, bytes, len)) {
		struct utf8val_result result = utf8val_stream_finish(&input->stream);
		size_t checked = result.valid + result.bad - input->fed;

		report(input, result);
		input->start += result.valid + result.bad;
		input->fed = 0;
		bytes += checked;
		len -= checked;
		utf8val_stream_init(&input->stream);
	}
	input->fed += len;
}

int main(void)
{
	static const char *const chunks[] = {
		"caf\xC3", "\xA9 \xE4", "!\xC0\xAF", "x\xF0\x9F",
	};
	struct input input = { .start = 0 };
	struct utf8val_result result;

	utf8val_stream_init(&input.stream);
	for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++)
		chunk(&input, chunks[i], strlen(chunks[i]));
	result = utf8val_stream_finish(&input.stream);
	if (result.reason != UTF8VAL_OK)
		report(&input, result);
	return 0;
}

/* Prints:
 * byte 6: missing tail
 * byte 8: overlong
 * byte 9: stray tail
 * byte 11: truncated
 */
