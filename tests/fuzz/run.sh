#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Run libFuzzer targets one after the other, each for its share of the time.
# TAP on standard output. What a target found stays: inputs that reach new code
# in DIR/corpus/NAME, where the next run goes on; inputs that fail in
# DIR/found/NAME-*; libFuzzer's own words in DIR/NAME.log.
#
# Usage: tests/fuzz/run.sh DIR SECONDS NAME...
#   DIR/NAME is the target, DIR/seeds holds the inputs to start from, and
#   SECONDS are for all targets together, at least one for each
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
# a share of 0 would mean without end
share=$((seconds / $#))
[ $share -gt 0 ] || share=1
count=0
status=0
echo "1..$#"
for name; do
	count=$((count + 1))
	mkdir -p "$dir/corpus/$name" "$dir/found"
	echo "# $name: for $share s"
	if "$dir/$name" -max_total_time=$share -max_len=512 -timeout=20 \
		-print_final_stats=1 -verbosity=1 \
		-artifact_prefix="$dir/found/$name-" "$dir/corpus/$name" \
		"$dir/seeds" >"$dir/$name.log" 2>&1; then
		echo "ok $count - fuzz $name"
		echo "# $name: $(sed -n \
			's/^stat::number_of_executed_units: *//p' \
			"$dir/$name.log") inputs"
	else
		echo "not ok $count - fuzz $name"
		# inputs are printed in hexadecimal and escaped
		grep -e 'not true: ' -e 'runtime error: ' -e 'ERROR: ' \
			-e '^    #[0-9] .*utf8val' -e '^Base64: ' \
			-e 'Test unit written' "$dir/$name.log" |
			head -n 10 | sed 's/^/# /'
		echo "# all of it: $dir/$name.log"
		status=1
	fi
done
exit $status
