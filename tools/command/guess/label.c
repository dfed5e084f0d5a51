// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Words for guesses, as they are printed. */
#include "guess/label.h"

const char *guess_label(const struct guess *guess)
{
	switch (guess->kind) {
	case GUESS_CESU8:
		return "CESU-8";
	case GUESS_MUTF8:
		return "Modified UTF-8";
	case GUESS_UCS4:
		return "RFC 2279 UTF-8 (lone surrogate or above U+10FFFF)";
	case GUESS_OVERLONG:
		return "overlong UTF-8";
	case GUESS_CUT:
		return "cut in mid-character";
	case GUESS_PERCENT:
		return "UTF-8 with %XX, by wget";
	case GUESS_CHARSET:
		return guess->charset;
	case GUESS_TWICE:
		return "UTF-8 twice over";
	case GUESS_MISREAD:
		return "decoded wrongly";
	case GUESS_NFC:
		return "not NFC";
	case GUESS_NFD:
		return "not NFD";
	case GUESS_UNPORTABLE:
		return "not portable";
	case GUESS_UNSAFE:
		return "unsafe";
	case GUESS_DAMAGED:
		return "damaged";
	case GUESS_NONE:
		break;
	}
	return "unknown";
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
