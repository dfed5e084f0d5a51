// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Words for guesses, as they are printed. */
#include "guess/label.h"

const char *guess_label(const struct guess *guess)
{
	static const char *const labels[] = {
		[GUESS_NONE] = "unknown",
		[GUESS_CESU8] = "CESU-8",
		[GUESS_MUTF8] = "Modified UTF-8",
		[GUESS_UCS4] = "RFC 2279 UTF-8 (lone surrogate or above U+10FFFF)",
		[GUESS_OVERLONG] = "overlong UTF-8",
		[GUESS_CUT] = "cut in mid-character",
		[GUESS_PERCENT] = "UTF-8 with %XX, by wget",
		[GUESS_TWICE] = "UTF-8 twice over",
		[GUESS_MISREAD] = "decoded wrongly",
		[GUESS_NFC] = "not NFC",
		[GUESS_NFD] = "not NFD",
		[GUESS_UNPORTABLE] = "not portable",
		[GUESS_UNSAFE] = "unsafe",
		[GUESS_DAMAGED] = "damaged",
	};

	return guess->kind == GUESS_CHARSET ? guess->charset : labels[guess->kind];
}

const char *guess_sure_name(enum guess_sure sure)
{
	static const char *const names[] = {
		[GUESS_POSSIBLE] = "possible",
		[GUESS_LIKELY] = "likely",
		[GUESS_CERTAIN] = "certain",
	};

	return names[sure];
}
