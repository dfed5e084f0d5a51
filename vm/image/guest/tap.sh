# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck shell=bash disable=SC2317 # ok() calls the functions
# TAP from the scripts in the guest.
points=0
failures=0

# ok NAME COMMAND...: prints one point, and what the command printed if it fails
ok() {
	local name=$1 said status=0
	shift
	points=$((points + 1))
	said=$("$@" 2>&1) || status=$?
	if [ $status -eq 0 ]; then
		echo "ok $points - $name"
	else
		failures=$((failures + 1))
		echo "not ok $points - $name"
		echo "status $status: $said" | cat -v | head -n 20 |
			sed 's/^/# /'
	fi
}

# not COMMAND...: the command must fail
not() {
	! "$@"
}

# says TEXT COMMAND...: the output has to contain the text, whatever the status
says() {
	local text=$1 said
	shift
	said=$("$@" 2>&1)
	echo "$said"
	[[ $said == *"$text"* ]]
}

# fails_with TEXT COMMAND...: the command fails, and its output has the text
fails_with() {
	local text=$1 said
	shift
	said=$("$@" 2>&1) && { echo "it succeeded: $said"; return 1; }
	echo "$said"
	[[ $said == *"$text"* ]]
}

# tests PROGRAM...: runs a program that prints TAP itself
tests() {
	local status=0
	"$@" || status=$?
	[ $status -eq 0 ] || failures=$((failures + 1))
	points=$((points + 1))
}

finish() {
	[ $failures -eq 0 ] && [ $points -gt 0 ]
	exit
}
