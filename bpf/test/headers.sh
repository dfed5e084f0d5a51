#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Compile each header of the guard alone, because each has to include what it uses; TAP.
#
# Usage: bpf/test/headers.sh KERNEL_CC USER_CC
#   KERNEL_CC, USER_CC  the commands, with their options, that compile what runs in the
#                       kernel and what runs beside it
set -eu
[ $# -eq 2 ] || {
	echo "usage: bpf/test/headers.sh KERNEL_CC USER_CC" >&2
	exit 2
}
cd "$(dirname "$0")/../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

# alone COMPILER HEADER
alone() {
	# shellcheck disable=SC2086 # a command with its options
	$1 -fsyntax-only -x c -include "$2" /dev/null
}

for header in bpf/kernel/*.h bpf/shared/*.h; do
	point "in the kernel: $header" alone "$1" "$header"
done
for header in bpf/user/*.h bpf/shared/*.h; do
	point "in the command: $header" alone "$2" "$header"
done
tap_end
