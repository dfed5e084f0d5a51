#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Run a command again and again on a busy machine: twice as many tasks as
# processors compute beside it. A test that waits for a time, not for an event,
# fails here sooner or later.
#
# Usage: tests/repeat.sh TIMES COMMAND [ARGUMENT...]
set -u
[ $# -ge 2 ] || {
	echo "usage: tests/repeat.sh TIMES COMMAND [ARGUMENT...]" >&2
	exit 2
}
times=$1
[ "$times" -gt 0 ] 2>/dev/null || {
	echo "repeat: TIMES=$times is no number of rounds" >&2
	exit 2
}
shift
command -v stress-ng >/dev/null || {
	echo "repeat: there is no stress-ng; 'make deps-vm-full' installs it" >&2
	exit 2
}
stress-ng --quiet --cpu $((2 * $(nproc))) &
load=$!
trap 'kill $load 2>/dev/null' EXIT
trap 'exit 130' INT TERM HUP PIPE

failed=0
round=0
while [ $round -lt "$times" ]; do
	round=$((round + 1))
	echo "== round $round of $times, $failed failed so far"
	"$@" || failed=$((failed + 1))
	# what a later day's package lists have is another test
	export FETCH_OFFLINE=yes
done
echo "$times rounds, $failed failed"
[ $failed -eq 0 ]
