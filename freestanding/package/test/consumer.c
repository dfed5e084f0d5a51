// SPDX-License-Identifier: GPL-2.0-only OR MIT
// Calls every function of utf8val.h once, in C that is also C++; run.sh builds it with each
// build system. Exit status: 0, or the number of the first wrong result.
#include <utf8val.h>

static const char text[] = "ab\xE4\xBD";
static const size_t len = sizeof(text) - 1;

static bool whole(void)
{
	struct utf8val_result bad = utf8val_check(text, len);

	/* a reason is a number in a result: C++ makes no enumeration of it */
	return utf8val_valid("\xC2\xA9 2026", 7) && !utf8val_valid(text, len) &&
	       utf8val_prefix(text, len) == 2 && bad.valid == 2 &&
	       bad.bad == 2 && bad.reason == UTF8VAL_TRUNCATED &&
	       utf8val_reason_name(bad.reason)[0] == 't' &&
	       utf8val_reason_name(UTF8VAL_OK)[0] == 'o';
}

static bool chunks(void)
{
	struct utf8val_stream stream;
	struct utf8val_dfa dfa = { UTF8VAL_ACCEPT };
	uint32_t cp = 0;

	utf8val_stream_init(&stream);
	return utf8val_stream_feed(&stream, text, len) &&
	       utf8val_stream_finish(&stream).reason == UTF8VAL_TRUNCATED &&
	       utf8val_feed(&dfa, text, len) && dfa.state != UTF8VAL_ACCEPT &&
	       utf8val_step(&dfa, &cp, 0xA0) == UTF8VAL_ACCEPT &&
	       utf8val_step(&dfa, &cp, 'c') == UTF8VAL_ACCEPT && cp == 'c';
}

static bool code_points(void)
{
	static const uint8_t euro[] = { 0xE2, 0x82, 0xAC };
	const uint8_t *pos = euro;
	uint8_t out[4];
	uint32_t there, back;

	return utf8val_next(&pos, euro + 3, &there) == UTF8VAL_OK && pos == euro + 3 &&
	       utf8val_next(&pos, euro + 3, &back) == UTF8VAL_END && pos == euro + 3 &&
	       utf8val_prev(&pos, euro, &back) == UTF8VAL_OK && pos == euro &&
	       there == 0x20AC && back == 0x20AC &&
	       utf8val_encode(0x20AC, out) == 3 && out[2] == 0xAC;
}

static bool texts(void)
{
	char room[8];
	struct utf8val_replaced done = utf8val_replace(room, sizeof(room), text, len);

	return utf8val_count(text, len) == 3 &&
	       utf8val_floor("\xE2\x82\xAC", 3, 2) == 0 && utf8val_trim(text, len) == 2 &&
	       utf8val_replaced_size(text, len) == 5 && done.read == len &&
	       done.written == 5 && utf8val_valid(room, 5) &&
	       utf8val_version()[0] == UTF8VAL_VERSION[0];
}

int main(void)
{
	return !whole() ? 1 : !chunks() ? 2 : !code_points() ? 3 : !texts() ? 4 : 0;
}
