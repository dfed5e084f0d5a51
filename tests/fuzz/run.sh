#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck disable=SC2317 # point calls the function
# Run libFuzzer targets, as many at a time as there are processors. TAP on standard
# output. The results of a target stay:
#
# - inputs that reach new code in DIR/corpus/NAME, where the next run continues;
# - inputs that fail in DIR/found/NAME-*;
# - libFuzzer's own output in DIR/NAME.log.
#
# Usage: tests/fuzz/run.sh DIR SECONDS NAME...
#   DIR/NAME is the target, DIR/seeds holds the inputs to start from, and
#   SECONDS, above 0, are for each target
set -u
if [ $# -lt 3 ] || ! [ "$2" -gt 0 ]; then
	echo "usage: tests/fuzz/run.sh DIR SECONDS NAME..." >&2
	exit 2
fi
dir=$1 seconds=$2
shift 2
. tests/lib/tap.sh

# fuzzed NAME: the target has ended well, and tried inputs
fuzzed() {
	[ -e "$dir/$1.well" ] &&
		grep -q '^stat::number_of_executed_units: *[1-9]' "$dir/$1.log" && return
	# inputs are printed in hexadecimal and escaped
	grep -e 'not true: ' -e 'runtime error: ' -e 'ERROR: ' \
		-e '^    #[0-9] .*utf8val' -e '^Base64: ' \
		-e 'Test unit written' "$dir/$1.log" | head -n 10
	echo "all of it: $dir/$1.log"
	return 1
}

mkdir -p "$dir/found"
# shellcheck disable=SC2016 # for the shell inside
printf '%s\n' "$@" | xargs -P "$(nproc)" -I NAME sh -c '
	echo "$3 s of $2" >&2
	rm -f "$1/$2.well"
	mkdir -p "$1/corpus/$2"
	"$1/$2" -max_total_time="$3" -max_len=512 -timeout=600 -print_final_stats=1 \
		-verbosity=1 -artifact_prefix="$1/found/$2-" "$1/corpus/$2" "$1/seeds" \
		>"$1/$2.log" 2>&1 && touch "$1/$2.well"' fuzz "$dir" NAME "$seconds"
for name; do
	point "fuzz $name" fuzzed "$name"
	sed -n "s/^stat::number_of_executed_units: */# inputs of $name: /p" "$dir/$name.log"
done
tap_end
