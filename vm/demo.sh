#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The guard at work on a kernel as Debian ships it, in a virtual machine: says
# at each step what is done and how long that takes, and ends with what was
# seen, what to do on one's own machine, and where to read on.
#
# Usage: vm/demo.sh BUILD   (the build directory; MAKE in the environment)
set -eu
[ $# -eq 1 ] || { echo "usage: vm/demo.sh BUILD" >&2; exit 2; }
build=$1
make=${MAKE:-make}
version=6.12
begin=$(date +%s)

step() {
	echo "== $(($(date +%s) - begin)) s: $*"
}

fail() {
	echo "demo: $*" >&2
	exit 1
}

mkdir -p "$build"
step "fetching Debian's Linux $version and missing packages" \
	"(the first time 250 MB, a minute or two)"
# At once: the one waits for the network, the other for the processor. A shell has
# its background ignore SIGINT; Ctrl-C is to end both.
env --default-signal=INT tools/fetch.sh \
	--follow '^linux-(image|binary|modules|base)-' trixie linux-image-amd64 \
	>"$build/demo-kernel.log" 2>&1 &
fetching=$!
tools/deps.sh demo >&2 || {
	kill "$fetching"
	exit 1
}
wait "$fetching" || {
	cat "$build/demo-kernel.log" >&2
	fail "the kernel cannot be fetched"
}
stock=$(vm/stock_kernel.sh "$version")

step "compiling the guard: BPF programs, and the command that loads them" \
	"(the first time 10 s)"
$make -s "$build/utf8val-guard" "$build/vm/init" "$build/vm/demo" \
	"$build/names.packages" 2>"$build/demo-build.log" || {
	cat "$build/demo-build.log" >&2
	fail "the guard cannot be built"
}

step "starting that kernel in QEMU, as it is, the guard in it, and names (15 s)"
status=0
vm/run.py --stock "$stock" --init "$build/vm/init" --fs none --disk ext4 \
	--timeout 600 --guard "$build/utf8val-guard" \
	--file "$build/names.packages:/names.packages" \
	--file vm/demo_names.txt:/names.multilingual "$build/vm/demo" \
	>"$build/demo.out" || status=$?
cat "$build/demo.out"
step "done"
[ $status -eq 0 ] || fail "not everything was as promised (above)"
cat <<END

Seen: on Debian's own Linux $(cat "$stock/release"), $(tail -n 1 "$build/demo.out").
Your machine: make guard && sudo make install-guard && sudo utf8val-guard start,
  then sudo mount -o remount,utf8val=audit /srv
Read on: Documentation/admin-guide/LSM/utf8val.rst (audit first, repair, /etc/fstab);
  make demo-builtin shows the same with the option built into the kernel
END
