# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# words_of LIST HEADER: prints the words of the header's list, which the preprocessor
# spells, one a line (but for "ok", which is no reason)
words_of() {
	printf '#include "%s"\n#define W(id, word) word\n%s(W, W)\n' "$2" "$1" |
		cpp -P -I. - | tail -n 1 | sed 's/" "/"\n"/g; s/^ *//; s/ *$//' |
		grep -o '"[^"]*"\|[a-z]*' | tr -d '"' | grep -vx -e '' -e ok
}
