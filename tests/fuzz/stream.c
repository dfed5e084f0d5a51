// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * stream_init, stream_feed, stream_finish and feed: however the input is cut, after
 * each chunk they say what the oracle says of all bytes so far. Parameter: four bytes,
 * the sizes of eight chunks from 0 to 15 that come round again; all of them 0 for no
 * cut at all. run.sh builds and runs it.
 */
#include "fuzz.h"

static void fed(struct utf8val_stream *stream, struct utf8val_dfa *dfa,
		const uint8_t *s, size_t at, size_t size)
{
	uint8_t *chunk = exact_copy(s + at, size);
	struct utf8val_result want = oracle_check(s, at + size);
	/* The rest of a sequence that is cut off may be yet to come. */
	bool good = want.reason <= UTF8VAL_TRUNCATED;

	REQUIRE(utf8val_stream_feed(stream, chunk, size) == good);
	REQUIRE(same_result(utf8val_stream_finish(stream), want));
	REQUIRE(utf8val_feed(dfa, chunk, size) == good);
	REQUIRE((dfa->state == UTF8VAL_REJECT) == !good);
	REQUIRE((dfa->state == UTF8VAL_ACCEPT) == (want.reason == UTF8VAL_OK));
	free(chunk);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t sizes = take_number(data, &size, 4);
	struct utf8val_stream stream;
	struct utf8val_dfa dfa = { UTF8VAL_ACCEPT };
	size_t at = 0;

	utf8val_stream_init(&stream);
	while (at < size && sizes) {
		size_t chunk = sizes & 15;

		if (chunk > size - at)
			chunk = size - at;
		fed(&stream, &dfa, data, at, chunk);
		at += chunk;
		sizes = sizes >> 4 | sizes << 28;
	}
	fed(&stream, &dfa, data, at, size - at);
	return 0;
}
