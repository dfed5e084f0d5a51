#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Bad input to our own tools: each is refused with a message that says what to
# do, and nothing is left behind. TAP on standard output.
#
# Usage: tests/manners.sh KERNEL INIT   (a bzImage and the machine's init)
set -u
[ $# -eq 2 ] || { echo "usage: tests/manners.sh KERNEL INIT" >&2; exit 2; }
kernel=$1
init=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# for a user without rights, too
chmod 755 "$tmp"
count=0
failures=0

# point NAME STATUS TEXT COMMAND...: ends with STATUS and says TEXT, if any
point() {
	name=$1 want=$2 text=$3
	shift 3
	count=$((count + 1))
	"$@" >"$tmp/out" 2>&1 </dev/null
	got=$?
	if [ $got -eq "$want" ] &&
	   { [ -z "$text" ] || grep -qF -- "$text" "$tmp/out"; }; then
		echo "ok $count - $name"
	else
		echo "not ok $count - $name"
		echo "# status $got, want $want, and a message with: $text"
		sed 's/^/# /' "$tmp/out"
		failures=$((failures + 1))
	fi
}

vm() {
	vm/run.py --kernel "$kernel" --init "$init" "$@"
}

point "a kernel version there is no package of" 1 "make deps" \
	vm/kernel.sh 9.9
point "KERNEL= that is no kernel tree" 1 "is no kernel source tree" \
	env KERNEL=/etc vm/kernel.sh 6.12
point "a tree that is none" 1 "is no kernel source tree" \
	tools/kernel-tree.sh /etc "$tmp/tree"
point "a tree that is not there" 1 "no such file" \
	tools/kernel-tree.sh "$tmp/nothing" "$tmp/tree"
point "and nothing was left behind" 1 "" test -e "$tmp/tree"
point "a module for a tree that is not configured" 1 "is not configured" \
	vm/module.sh "$tmp/module" "$(dirname "$(readlink -f Makefile)")"
point "make vm without TEST" 2 "usage: make vm TEST=" \
	make -s --no-print-directory vm TEST=

mkdir "$tmp/tools"
cp tools/deps.sh "$tmp/tools/"
echo "no-such-package" >"$tmp/tools/packages"
point "a package is missing, and no root" 1 "apt-get update && apt-get install" \
	setpriv --reuid=65534 --regid=65534 --clear-groups \
	env PATH=/usr/bin:/bin "$tmp/tools/deps.sh"
point "an option that deps.sh does not have" 2 "usage: tools/deps.sh" \
	tools/deps.sh --yes

printf 'int main(void) { return 7; }\n' >"$tmp/seven.c"
printf 'int main(void) { for (;;) ; }\n' >"$tmp/loop.c"
printf '#include <sys/reboot.h>\nint main(void) { return reboot(RB_AUTOBOOT); }\n' \
	>"$tmp/reboot.c"
for program in seven loop reboot; do
	cc -static -o "$tmp/$program" "$tmp/$program.c"
done
cc -o "$tmp/dynamic" "$tmp/seven.c"
point "the program's exit status comes back" 7 "" vm "$tmp/seven"
point "a program that is not static" 126 "-static" vm "$tmp/dynamic"
point "a program that never ends" 124 "no result within 5 s" \
	vm --timeout 5 "$tmp/loop"
point "a program that takes the machine down" 125 "without a result" \
	vm "$tmp/reboot"
point "a program that is not there" 2 "no such file" vm "$tmp/none"
point "a file system that is none" 2 "invalid choice" \
	vm --fs ntfs "$tmp/seven"
echo "1..$count"
[ $failures -eq 0 ]
