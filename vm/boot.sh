#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Boot a kernel of vm/kernels: one of ours, which is built first where it is not
# current, or Debian's own.
#
# Usage: vm/boot.sh [--stock] [--for ARCHITECTURE] KERNEL[:FLAVOUR] ARGUMENT...
#   --stock   Debian's own kernel, which is fetched where it is not there
#   --for     another architecture, one of vm/architectures
#   FLAVOUR   of the configuration, as for vm/kernel.sh
#   ARGUMENT  what vm/run.py takes besides the kernel and init
set -eu
usage() {
	sed -n 's/^# Usage: /usage: /p' "$0" >&2
	exit 2
}
stock=
architecture=
if [ "${1-}" = --stock ]; then
	stock=yes
	shift
fi
if [ "${1-}" = --for ] && [ $# -ge 2 ]; then
	architecture=$2
	shift 2
fi
case ${1-} in '' | -*) usage ;; esac
kernel=${1%%:*}
flavour=${1#"$kernel"}
flavour=${flavour#:}
shift
# PROGRAM and files may be named relative to the caller's directory
here=$(cd "$(dirname "$0")/.." && pwd)
if [ "$stock" ]; then
	stock=$("$here/vm/stock_kernel.sh" "$kernel" ${architecture:+"$architecture"})
	set -- --stock "$stock" "$@"
else
	build=$("$here/vm/kernel.sh" ${architecture:+--for "$architecture"} "$kernel" \
		"${flavour:-std}")
	image=$("$here/tools/table.py" "$here/vm/architectures" image "${architecture:-x86_64}")
	set -- --kernel "$build/${image%.gz}" "$@"
fi
exec "$here/vm/run.py" --init "$here/build/${architecture:+$architecture/}vm/init" "$@"
