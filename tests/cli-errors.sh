#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Bad input to our own tools: each is refused with a message that says what to
# do, and nothing is left behind. TAP on standard output.
#
# Usage: tests/cli-errors.sh KERNEL INIT   (a bzImage and its init)
set -u
[ $# -eq 2 ] || { echo "usage: tests/cli-errors.sh KERNEL INIT" >&2; exit 2; }
kernel=$1
init=$2
. "$(dirname "$0")/lib/tap.sh"

# vm KERNEL ARGUMENT...
vm() {
	vm/run.py --init "$init" --kernel "$@"
}

point "a kernel version there is no package of" ends 1 "KERNEL=/path" \
	vm/kernel.sh 9.9
point "KERNEL= that is no kernel tree" ends 1 "is no kernel source tree" \
	env KERNEL=/etc vm/kernel.sh 6.12
point "a tree that is none" ends 1 "is no kernel source tree" \
	tools/kernel-tree.sh /etc "$tmp/tree"
point "a tree that is not there" ends 1 "no such file" \
	tools/kernel-tree.sh "$tmp/nothing" "$tmp/tree"
point "and nothing was left behind" ends 1 "" test -e "$tmp/tree"
mkdir "$tmp/full"
touch "$tmp/full/thesis"
tar -cf "$tmp/archive.tar" README.md
point "a directory with something else in it is no place for a tree" ends 1 \
	"is not empty" tools/kernel-tree.sh "$tmp/archive.tar" "$tmp/full"
point "and it is still there" ends 0 "thesis" ls "$tmp/full"
point "a sender without an address" ends 2 'NAME <ADDRESS>' \
	tools/patches.py --author nobody 6.12 "$tmp/series"
point "and no series was begun" ends 1 "" test -e "$tmp/series"
mkdir "$tmp/few"
for tool in sh env dirname python3 rsync xz; do
	ln -s "$(command -v "$tool")" "$tmp/few/$tool"
done
point "no patch to apply the series with" ends 1 "are missing: apt install patch" \
	env PATH="$tmp/few" tools/kernel-tree.sh "$tmp/archive.tar.xz" "$tmp/tree"
point "make rehearse without a terminal" ends 1 "this is for a terminal" \
	vm/image/rehearse.py "$tmp/packages" "$tmp/rehearse"
point "make rehearse without QEMU" ends 1 "no qemu-system-x86_64" \
	script -qec "env PATH='$tmp/few' vm/image/rehearse.py packages '$tmp/r'" /dev/null
point "a module for a tree that is not configured" ends 1 "is not configured" \
	vm/module.sh "$tmp/module" "$(dirname "$(readlink -f Makefile)")"
point "make vm without TEST" ends 2 "vm/run [OPTION...] PROGRAM" \
	make -s --no-print-directory vm TEST=

# with a word that is not ours, more
printf 'int main(int argc, char **argv) { (void)argv; return 6 + argc; }\n' \
	>"$tmp/seven.c"
printf 'int main(void) { for (;;) ; }\n' >"$tmp/loop.c"
printf '#include <sys/reboot.h>\nint main(void) { return reboot(RB_AUTOBOOT); }\n' \
	>"$tmp/reboot.c"
for program in seven loop reboot; do
	cc -static -o "$tmp/$program" "$tmp/$program.c"
done
cc -o "$tmp/dynamic" "$tmp/seven.c"
echo "no program" >"$tmp/text"
point "the program's exit status comes back" ends 7 "" vm "$kernel" "$tmp/seven"
point "that of one with shared libraries, too" ends 7 "" vm "$kernel" "$tmp/dynamic"
point "of a file that is no program" ends 126 "cannot run the test: Exec format error" \
	vm "$kernel" "$tmp/text"
# A directory by which the machines' processes can be told from those of another suite.
mkdir "$tmp/a directory"
elsewhere() {
	TMPDIR="$tmp/a directory" vm "$kernel" "$@"
}
point "of a program that never ends" ends 124 "no result within 5 s" \
	elsewhere --timeout 5 "$tmp/loop"
point "of a program that takes the machine down" ends 125 "without a result" \
	elsewhere "$tmp/reboot"
point "a machine where a path has a space" ends 7 "" elsewhere "$tmp/seven"
# none_left: succeeds when all processes of those machines end; a killed process needs
# a moment
none_left() {
	for _ in $(seq 6000); do
		grep -sq "$tmp/a directory[/]utf8val-vm-" /proc/[0-9]*/cmdline || return 0
		sleep 0.1
	done
	return 1
}
point "and no process of a machine is left" none_left
point "a machine without standard input and error" ends 7 "" \
	sh -c '"$@" <&- 2>&-' sh vm/run.py --init "$init" --kernel "$kernel" "$tmp/seven"
# The status of a guest and the messages of its kernel reach the caller. A stand-in for
# QEMU only prints what it is told to, on the second and the third serial port.
mkdir "$tmp/qemu"
cat >"$tmp/qemu/qemu-system-x86_64" <<'END'
#!/bin/sh
port=$SAYS_STATUS
for word; do
	case $word in file:*) printf '%s\n' "$port" >"${word#file:}" ;; *) continue ;; esac
	port="Linux version
$SAYS_LOG
the end"
done
END
chmod +x "$tmp/qemu/qemu-system-x86_64"
# says STATUS LOG: such a machine
says() {
	SAYS_STATUS=$1 SAYS_LOG=$2 PATH=$tmp/qemu:$PATH vm "$kernel" "$tmp/seven"
}
point "a guest's status is the program's" ends 3 "" says "exit 3" "all is well"
for word in "" "exit" "exit x" "exit 0 0" "exit -1" "0" "exot 0"; do
	point "a status that is none: '$word'" ends 125 "without a result" \
		says "$word" "all is well"
done
while read -r line; do
	point "a kernel's complaint: $line" ends 125 "complained of itself" \
		says "exit 0" "[    1.234567] $line"
done <<'END'
BUG: unable to handle page fault for address: ffff888000000000
BUG: KASAN: slab-out-of-bounds in utf8val_valid+0x1/0x2
KASAN: null-ptr-deref in range [0x0000000000000000-0x0000000000000007]
UBSAN: array-index-out-of-bounds in fs/namei.c:1:2
WARNING: CPU: 0 PID: 1 at fs/namei.c:1 lookup+0x1/0x2
WARNING: possible circular locking dependency detected
Oops: 0000 [#1] PREEMPT SMP
general protection fault, probably for non-canonical address 0xdead: 0000 [#1]
kernel BUG at fs/namei.c:1!
INFO: task test:1 blocked for more than 1200 seconds.
rcu: INFO: rcu_sched self-detected stall on CPU
INFO: possible recursive locking detected
INFO: lockdep is turned off.
INFO: trying to register non-static key.
INFO: rcu_tasks detected stalls on tasks:
soft lockup - CPU#0 stuck for 130s!
kmemleak: unreferenced object 0xffff888000000000 (size 32):
suspicious RCU usage in fs/namei.c:1
possible recursive locking of a class
test/1 has a bad unlock balance
END
point "of itself, whatever the program says" ends 125 "complained of itself" \
	says "exit 1" "WARNING: CPU: 0 PID: 1 at fs/namei.c:1"
for line in "traps: test[1] general protection fault ip:401000 sp:7ffd error:0" \
		"utf8val: refused create on 0:21 (tmpfs): bad lead at byte 0 of 1"; do
	point "no complaint of itself: $line" ends 0 "" says "exit 0" "[ 1.2] $line"
done
point "a kernel that is none" ends 1 "is no kernel for" vm "$tmp/seven" "$tmp/seven"
point "a program that is not there" ends 2 "no such file" vm "$kernel" "$tmp/none"
point "a file system that is none" ends 2 "invalid choice" \
	vm "$kernel" --fs ntfs "$tmp/seven"
tap_end
