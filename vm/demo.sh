#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Show the mount option in a virtual machine: the guard on Debian's own kernel, or, with
# --builtin, the option in a kernel built for this. The script prints at each step the
# action and the time that the action takes. At the end the script prints the results,
# the steps for a host, and further pages.
#
# Usage: vm/demo.sh [--builtin] BUILD   (the build directory; MAKE in the
#        environment, and with --builtin KERNEL_VERSION)
set -eu
builtin=
if [ "${1-}" = --builtin ]; then
	builtin=yes
	shift
fi
[ $# -eq 1 ] || { echo "usage: vm/demo.sh [--builtin] BUILD" >&2; exit 2; }
build=$1
# each demo has a file of its own, as two may run side by side
said=$build/demo${builtin:+-builtin}.out
make=${MAKE:-make}
read -r version release <<END
$(tools/table.py vm/kernels version,release)
END
begin=$(date +%s)

step() {
	echo "== $(($(date +%s) - begin)) s: $*"
}

fail() {
	echo "demo: $*" >&2
	exit 1
}

# show FILESYSTEM ARGUMENT...: run the kernel that run.py's arguments name, and try
# the names
show() {
	status=0
	filesystem=$1
	shift
	vm/run.py "$@" --init "$build/vm/init" --fs none \
		--file "$build/names.packages:/names.packages" \
		--file vm/demo_names.txt:/names.multilingual "$build/vm/demo" \
		"$filesystem" >"$said" || status=$?
	cat "$said"
	step "done"
	[ $status -eq 0 ] || fail "not everything was as promised (above); $said has it for a report"
	seen=$(tail -n 1 "$said")
}

# compile GOAL...
compile() {
	$make -s "$@" "$build/vm/init" "$build/vm/demo" \
		"$build/names.packages" 2>"$said.build" || {
		cat "$said.build" >&2
		fail "the demo's programs cannot be built"
	}
}

mkdir -p "$build"
if [ -n "$builtin" ]; then
	version=${KERNEL_VERSION:-$version}
	step "installing missing packages (the first time 200 MB, half a minute)"
	tools/deps.py vm >&2
	compile
	step "building Linux ${KERNEL:-$version} with the option (the first time ten" \
		"minutes, two processors busy)"
	kernel=$(vm/kernel.sh "$version")
	step "booting that kernel in QEMU, and trying names (15 s)"
	show overlay --kernel "$kernel/arch/x86/boot/bzImage"
	cat <<END

Seen: on Linux $(cat "$kernel/include/config/kernel.release") with the option built in,
  $seen.
Your machine: tools/kernel-tree.sh SOURCE DEST puts the option into a kernel tree;
  on the kernel that you have: make guard && sudo make install-guard
Read on: Documentation/filesystems/utf8val.rst
END
	exit
fi

step "fetching Debian's Linux $version and missing packages" \
	"(the first time 250 MB, a minute or two)"
# Both run at once, as one waits for the network and the other for the processor. A
# shell lets its background jobs ignore SIGINT, but Ctrl-C has to end both.
env --default-signal=INT tools/fetch.sh \
	--follow '^linux-(image|binary|modules|base)-' "$release" linux-image-amd64 \
	>"$build/demo-kernel.log" 2>&1 &
fetching=$!
tools/deps.py demo >&2 || {
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
compile "$build/utf8val-guard"

step "booting that kernel in QEMU, starting the guard, and trying names (15 s)"
show ext4 --stock "$stock" --disk ext4 --guard "$build/utf8val-guard"
cat <<END

Seen: on Debian's own Linux $(cat "$stock/release"), $seen.
Your machine: make guard && sudo make install-guard && sudo utf8val-guard start,
  then sudo mount -o remount,utf8val=audit /srv
Read on: Documentation/admin-guide/utf8val.rst (audit first, repair, /etc/fstab);
  make demo-builtin shows the same with the option built into the kernel
END
