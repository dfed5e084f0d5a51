#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Record make demo in a terminal, and draw docs/demo.svg of the recording.
#
# Usage: vm/recording.sh BUILD   (the build directory)
set -eu
[ $# -eq 1 ] || { echo "usage: vm/recording.sh BUILD" >&2; exit 2; }
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8
asciinema rec --overwrite --quiet --idle-time-limit 2 --cols 104 --rows 50 \
	--command "vm/demo.sh $1" "$1/demo.cast"
termtosvg render "$1/demo.cast" docs/demo.svg --min-frame-duration 60 \
	--max-frame-duration 3000 --loop-delay 10000
