#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Run libFuzzer targets, as many at a time as there are processors. TAP on
# standard output. What a target found stays: inputs that reach new code in
# DIR/corpus/NAME, where the next run goes on; inputs that fail in
# DIR/found/NAME-*; libFuzzer's own words in DIR/NAME.log.
#
# Usage: tests/fuzz/run.sh DIR SECONDS NAME...
#   DIR/NAME is the target, DIR/seeds holds the inputs to start from, and
#   SECONDS are for each target
set -u
usage() {
	echo "usage: tests/fuzz/run.sh DIR SECONDS NAME..." >&2
	exit 2
}
[ $# -ge 3 ] || usage
dir=$1
seconds=$2
shift 2
case $seconds in
'' | *[!0-9]*) usage ;;
esac
# 0 would mean without end
[ "$seconds" -gt 0 ] || usage
count=0
status=0

fuzz() {
	mkdir -p "$dir/corpus/$1" "$dir/found"
	"$dir/$1" -max_total_time="$seconds" -max_len=512 -timeout=600 \
		-print_final_stats=1 -verbosity=1 \
		-artifact_prefix="$dir/found/$1-" "$dir/corpus/$1" \
		"$dir/seeds" >"$dir/$1.log" 2>&1
	echo $? >"$dir/$1.status"
}

report() {
	count=$((count + 1))
	if [ "$(cat "$dir/$1.status")" = 0 ]; then
		echo "ok $count - fuzz $1"
		echo "# $1: $(sed -n \
			's/^stat::number_of_executed_units: *//p' \
			"$dir/$1.log") inputs"
		return
	fi
	status=1
	echo "not ok $count - fuzz $1"
	# inputs are printed in hexadecimal and escaped
	grep -e 'not true: ' -e 'runtime error: ' -e 'ERROR: ' \
		-e '^    #[0-9] .*utf8val' -e '^Base64: ' \
		-e 'Test unit written' "$dir/$1.log" |
		head -n 10 | sed 's/^/# /'
	echo "# all of it: $dir/$1.log"
}

echo "1..$#"
while [ $# -gt 0 ]; do
	batch=
	for _ in $(seq "$(nproc)"); do
		[ $# -gt 0 ] || break
		rm -f "$dir/$1.status"
		fuzz "$1" &
		batch="$batch $1"
		shift
	done
	echo "# for $seconds s:$batch"
	wait
	for name in $batch; do
		report "$name"
	done
done
exit $status
