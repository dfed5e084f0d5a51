#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Boot one kernel several times, each time with other words on its command line,
# and print what boot_test says in the machines as one flat TAP.
#
# Usage: vm/boots.sh VERSION PROGRAMS
#   VERSION   the kernel's, for vm/kernel.sh
#   PROGRAMS  the directory with init and boot_test
set -u
[ $# -eq 2 ] || { echo "usage: vm/boots.sh VERSION PROGRAMS" >&2; exit 2; }
kernel=$(vm/kernel.sh "$1")/arch/x86/boot/bzImage || exit
programs=$2

# boot WANTED ROOT [VM-ARGUMENT...]: what has to be in force, and the arguments
# shellcheck disable=SC2086 # ROOT may be none
boot() {
	wanted=$1 root=$2
	shift 2
	vm/run.py --kernel "$kernel" --init "$programs/init" --fs none "$@" \
		"$programs/boot_test" $wanted $root || echo "Bail out! status $?"
}

{
	boot off ""
	for mode in off audit enforce; do
		boot $mode "" --append "utf8val.default=$mode"
	done
	boot off "" --append "utf8val.default=nonsense"
	boot off enforce --root --append "rootflags=utf8val=enforce"
	boot off audit --root \
		--append "rootflags=errors=continue,utf8val=audit"
	boot enforce audit --root \
		--append "rootflags=utf8val=audit utf8val.default=enforce"
} | awk -f tests/lib/one-tap.awk
