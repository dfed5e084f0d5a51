#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck disable=SC2317 # point calls the functions
# Test the guard's package in a whole Debian, boot by boot. Started by
# autorun.service with the name of this boot's phase on the kernel's command
# line; prints TAP.
set -u
export LC_ALL=C.UTF-8 PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
media=$(dirname "$0")
# shellcheck disable=SC1091 # beside this script
. "$media/tap.sh"
# shellcheck disable=SC1091 # beside this script
. "$media/programs.sh"
# shellcheck disable=SC1091 # beside this script
. "$media/table.sh"
phase=$(sed -n 's/.*\bPHASE=\([a-z]*\).*/\1/p' /proc/cmdline)

# not COMMAND...: the command must fail
not() {
	! "$@"
}

# says TEXT COMMAND...: the output has to contain the text, whatever the status
says() {
	local text=$1 said
	shift
	said=$("$@" 2>&1)
	echo "$said"
	[[ $said == *"$text"* ]]
}

# fails_with TEXT COMMAND...: the command fails, and its output has the text
fails_with() {
	local text=$1 said
	shift
	said=$("$@" 2>&1) && { echo "it succeeded: $said"; return 1; }
	echo "$said"
	[[ $said == *"$text"* ]]
}

# tests PROGRAM...: runs a program that prints TAP itself
tests() {
	local status=0
	"$@" || status=$?
	[ $status -eq 0 ] || tap_failed=$((tap_failed + 1))
	tap_count=$((tap_count + 1))
}

guarded() {
	fails_with "$REFUSED" touch "$1/$BAD"
}

unguarded() {
	touch "$1/$BAD" && rm "$1/$BAD"
}

# until_guarded PATH: it is within some minutes, as a unit of systemd sets the mode
until_guarded() {
	for _ in $(seq 300); do
		unguarded "$1" || break
		sleep 1
	done
	guarded "$1"
}

# Enable the unit of the administrator's page for a path.
enable_for() {
	awk '/^    \[Unit\]/ { unit = 1 } /^[^ ]/ { unit = 0 }
		unit { sub(/^    /, ""); print }' \
		/usr/share/doc/utf8val-guard/utf8val.rst \
		>/etc/systemd/system/utf8val-enforce@.service
	systemctl enable --now "utf8val-enforce@$(systemd-escape --path "$1").service"
}

active() {
	[ "$(systemctl is-active "$1")" = active ] ||
		{ systemctl status "$1"; journalctl -b -u "$1"; return 1; }
}

# moment UNIT PROPERTY: a time in a unit's life, in microseconds since boot
moment() {
	systemctl show -P "$2" "$1"
}

programs_loaded() {
	find /sys/fs/bpf -mindepth 1
}

generation() {
	ls /sys/fs/bpf/utf8val
}

# Set up another system in a directory, with the kernel's file systems mounted
# in it, as people do who make or repair images.
other_system() {
	modprobe overlay && mkdir -p /run/other &&
		mount -t tmpfs none /run/other &&
		mount --make-private /run/other || return
	mkdir /run/other/upper /run/other/work /run/other/tree
	mount -t overlay none /run/other/tree -o \
		lowerdir=/,upperdir=/run/other/upper,workdir=/run/other/work ||
		return
	for dir in proc sys dev run; do
		mount --rbind "/$dir" "/run/other/tree/$dir" &&
			mount --make-rprivate "/run/other/tree/$dir" || return
	done
}

in_other() {
	chroot /run/other/tree "$@"
}

# dpkg succeeds, and says of no unit that it is not started.
installs() {
	local said status=0

	said=$(dpkg -i "$@" 2>&1) || status=$?
	echo "$said"
	[ "$status" = 0 ] && [[ $said != *"not starting"* ]]
}

# The check that the timer starts.
check_now() {
	systemctl start utf8val-guard-check.service
}

# The seconds until a timer's next time.
due_in() {
	local next

	next=$(systemctl show -P NextElapseUSecRealtime "$1") && [ "$next" ] &&
		echo $(($(date -d "$next" +%s) - $(date +%s)))
}

# The kernel calls no program any more, as a line of hardening guides has it.
switched_off() {
	point "the timer is active" active utf8val-guard-check.timer
	point "it is due within five minutes" \
		test "$(due_in utf8val-guard-check.timer)" -le 300
	point "a check that hangs is given up before the next" \
		test "$(systemctl show -P TimeoutStartUSec utf8val-guard-check)" = 4min
	point "the check finds the guard in force" check_now
	point "and says nothing" not says utf8val-guard: \
		journalctl -b -u utf8val-guard-check.service
	sysctl -q kernel.ftrace_enabled=0
	point "with ftrace_enabled=0 it fails" not check_now
	point "the journal has why, as crit" says kernel.ftrace_enabled=1 \
		journalctl -b -p crit -t utf8val
	setpriv --reuid 1000 --clear-groups logger -p crit -t utf8val forged
	journalctl --sync
	point "what a user logs under this name" says forged \
		journalctl -b -t utf8val
	point "is told apart by _UID=0" not says forged \
		journalctl -b -t utf8val _UID=0
	point "which leaves the guard's lines" says kernel.ftrace_enabled=1 \
		journalctl -b -t utf8val _UID=0
	point "it is among the units that failed" says utf8val-guard-check.service \
		systemctl --failed
	point "no mode of fstab is promised" fails_with kernel.ftrace_enabled=1 \
		/usr/libexec/utf8val/guard-fstab
	sysctl -q kernel.ftrace_enabled=1
	point "with 1 the guard is in force again" check_now
}

# The unit is stopped, and then restarted.
restarted() {
	systemctl stop utf8val-guard
	point "the unit stops the guard" unguarded /data
	point "and the timer" not systemctl -q is-active utf8val-guard-check.timer
	point "the root, with x-utf8val=, can be remounted" \
		mount -o remount,noatime /
	point "/data cannot, as mount reads utf8val= from fstab" \
		not mount -o remount,ro /data
	point "but with its device named, as mount then reads no fstab" \
		mount -o remount,ro "$(findmnt -no SOURCE /data)" /data
	point "and writable again" \
		mount -o remount,rw "$(findmnt -no SOURCE /data)" /data
	systemctl start utf8val-guard
	point "start gives /data its mode back" guarded /data
	point "and the root" guarded /
	mount -t tmpfs -o utf8val=enforce none /mnt
	point "a restart" systemctl restart utf8val-guard
	point "gives modes back that fstab does not have" guarded /mnt
	point "and those that it has" guarded /data
	systemctl stop utf8val-guard
	mount -t ramfs none /mnt
	point "a start that cannot give a mode back, of what is covered" \
		systemctl start utf8val-guard
	point "is none that failed" active utf8val-guard.service
	point "and its status says so" says "status=1/FAILURE" \
		systemctl status utf8val-guard
	point "and what has no mode" says "enforce lost: " \
		systemctl status utf8val-guard
	umount /mnt
	umount /mnt
	point "the log is written after it" active utf8val-guard-log.service
	point "and the guard is tried" active utf8val-guard-check.timer
}

# A path's own unit, enabled before anything is mounted there.
mounted_later() {
	mkdir -p "$1"
	point "a unit for $1" enable_for "$1"
	mount -t tmpfs none "$1"
	point "when something is mounted there, it is guarded" until_guarded "$1"
	umount "$1"
	# systemd would see no change in what is mounted anew at once
	while systemctl -q is-active "$(systemd-escape --path --suffix=mount "$1")"; do
		sleep 0.2
	done
	mount -t tmpfs none "$1"
	point "so is what is mounted there next" until_guarded "$1"
	umount "$1"
}

# Which ways to stop the guard last when another unit starts, or the package is upgraded.
stopped() {
	printf '[Service]\nType=oneshot\nExecStart=true\n' \
		>/run/systemd/system/other.service
	systemctl daemon-reload
	systemctl stop utf8val-guard
	point "an upgrade of what was stopped" installs "$media"/second/*.deb
	point "starts it" guarded /data
	utf8val-guard stop --now
	point "one more unit" systemctl start other
	point "an upgrade of a guard that was stopped, but not its unit" \
		installs "$media"/first/*.deb
	point "starts nothing" unguarded /data
	systemctl disable --now utf8val-guard
	point "one more, with the unit disabled" systemctl start other
	point "an upgrade with the unit disabled" dpkg -i "$media"/second/*.deb
	point "starts nothing, either" unguarded /data
	systemctl enable --now utf8val-guard
	point "the guard is enabled again" guarded /data
	for _ in $(seq 300); do
		systemctl -q is-active utf8val-guard-log && break
		sleep 0.2
	done
	systemctl disable utf8val-guard
	point "an upgrade of a disabled unit that runs" dpkg -i "$media"/first/*.deb
	point "leaves the guard in force" guarded /data
	point "and its log" active utf8val-guard-log.service
	systemctl enable utf8val-guard
}

phase_install() {
	point "without the package the option is refused" \
		not mount -t tmpfs -o utf8val=enforce none /mnt
	point "the packages install" installs "$media"/first/*.deb
	point "the guard is active at once" active utf8val-guard.service
	point "so is its log" active utf8val-guard-log.service
	point "a mount takes the option, without a reboot" \
		mount -t tmpfs -o utf8val=enforce none /mnt
	point "it is guarded" guarded /mnt
	umount /mnt
	point "the root is not yet" unguarded /
	mkdir -p /data "/two words" /old
	echo old >"/old/$BAD"
	point "a mounted file system is guarded by remounting it" \
		mount -o remount,utf8val=enforce /
	point "the root is now" guarded /
	cat >/etc/fstab <<-END
	/dev/disk/by-label/root / ext4 defaults,utf8val=enforce 0 1
	/dev/disk/by-label/data /data ext4 defaults,utf8val=enforce,nofail 0 2
	none /two\\040words tmpfs x-utf8val=enforce 0 0
	END
}

phase_guarded() {
	point "the guard is active after the boot" active utf8val-guard.service
	point "fstab's x-utf8val= is carried out" active utf8val-guard-fstab.service
	point "the log is written" active utf8val-guard-log.service
	point "the guard was there before the root became writable" \
		test "$(moment utf8val-guard ExecMainExitTimestampMonotonic)" \
		-lt "$(moment systemd-remount-fs ExecMainStartTimestampMonotonic)"
	point "the guard comes before tmp.mount, too" \
		says " tmp.mount" systemctl show -p Before utf8val-guard
	point "systemctl isolate, or emergency, does not stop it" \
		test "$(systemctl show -P IgnoreOnIsolate utf8val-guard)" = yes
	point "the root is guarded" guarded /
	point "a file system of fstab is guarded" guarded /data
	point "one with x-utf8val= is guarded" guarded "/two words"
	point "others are not" unguarded /run
	echo "none /run tmpfs x-utf8val 0 0" >>/etc/fstab
	point "x-utf8val without a mode is an error" fails_with \
		"guard-fstab: /run " /usr/libexec/utf8val/guard-fstab
	sed -i '$d' /etc/fstab
	point "a name that was there before can be read" cat "/old/$BAD"
	# shellcheck disable=SC2034 # programs.sh reads it
	to=/data
	point "archives, a repository" sources
	programs
	touch "/data/${BAD%.txt}-for-the-journal" 2>/dev/null
	for _ in $(seq 50); do
		journalctl -b -t utf8val | grep -q 'refused create' && break
		sleep 0.2
	done
	point "the journal has the events" \
		says "refused create" journalctl -b -t utf8val
	point "in hexadecimal" says "63 61 66 e9" journalctl -b -t utf8val
	sed -i '/ \/ /s/utf8val=/x-utf8val=/' /etc/fstab
}

# in this boot, lsm= on the kernel's command line does not name bpf
phase_cannot() {
	point "the machine has booted" true
	point "the guard says why it cannot" \
		says "lsm=" journalctl -b -u utf8val-guard.service
	point "and has failed" not systemctl -q is-active utf8val-guard.service
	point "nothing half loaded stays" not says / programs_loaded
	point "what asked for enforce is not mounted" not mountpoint -q /data
	point "the root, with x-utf8val=, is writable" unguarded /
}

# What the guard's units do while it works, and when it has stopped working.
phase_units() {
	mkdir -p /data
	cat >/etc/fstab <<-END
	/dev/disk/by-label/root / ext4 defaults,x-utf8val=enforce 0 1
	/dev/disk/by-label/data /data ext4 defaults,utf8val=enforce,nofail 0 2
	none /two\\040words-é tmpfs defaults,nofail 0 0
	END
	point "the packages install" dpkg -i "$media"/first/*.deb
	point "the modes of fstab are set" \
		systemctl restart utf8val-guard-fstab.service
	point "/data is mounted" mount /data
	switched_off
	restarted
	mounted_later "/two words-é"
	stopped
	cat >/etc/systemd/system/hold.service <<-END
	[Unit]
	DefaultDependencies=no
	Before=utf8val-guard.service
	[Service]
	Type=notify
	NotifyAccess=all
	ExecStartPre=mkdir -m 700 /sys/fs/bpf/utf8val
	ExecStart=flock /sys/fs/bpf/utf8val sh -c "systemd-notify --ready && exec sleep infinity"
	[Install]
	WantedBy=sysinit.target
	END
	point "at the next boot the lock that start waits for is held" \
		systemctl enable hold.service
}

# In this boot start waits for a lock that is never released.
phase_hang() {
	point "the machine has booted" true
	point "the guard's start was given up" \
		test "$(systemctl show -P Result utf8val-guard)" = timeout
	point "which the journal has" says "timed out" \
		journalctl -b -u utf8val-guard.service
	point "the root, with x-utf8val=, is writable" unguarded /
	point "what asked for enforce is not mounted" not mountpoint -q /data
	point "when the lock is free" systemctl disable --now hold.service
	point "the guard starts" systemctl start utf8val-guard
	point "and x-utf8val= is carried out" \
		systemctl start utf8val-guard-fstab.service
	point "the root is guarded" guarded /
	point "what asked for enforce is mounted" mount /data
	point "and guarded" guarded /data
	point "so is what has a unit of its own" until_guarded "/two words-é"
}

phase_remove() {
	local before

	point "the root is guarded by x-utf8val=" guarded /
	point "it was while read-only" test \
		"$(moment utf8val-guard ActiveEnterTimestampMonotonic)" \
		-lt "$(moment systemd-remount-fs ExecMainStartTimestampMonotonic)"
	point "/data is guarded" guarded /data

	point "another system in a directory" other_system
	before=$(generation)
	point "an upgrade there" in_other dpkg -i "$media"/second/*.deb
	point "is none of the running guard" test "$before" = "$(generation)"
	in_other sed -i '/utf8val=/d' /etc/fstab
	point "removal there" in_other dpkg -r utf8val-guard
	point "is none of the running guard, either" guarded /data
	umount -R -l /run/other/tree
	umount /run/other

	# two tasks try to make bad names for as long as the upgrade takes
	cd /data || exit
	mkfifo /run/hold
	nice "$media/hammer" </run/hold >/run/hammered &
	exec 5>/run/hold
	sleep 1
	point "an upgrade" installs "$media"/second/*.deb
	sleep 1
	exec 5>&-
	wait $!
	cd /
	sed 's/^/# during the upgrade: /' /run/hammered
	point "no moment was unguarded" \
		grep -q '^[1-9][0-9]* tried, 0 made, 0 other' /run/hammered
	point "the new version guards" guarded /data
	point "and logs" active utf8val-guard-log.service
	point "and is tried" active utf8val-guard-check.timer

	point "removal is refused while fstab needs the guard" \
		fails_with "still ask for the guard" dpkg -r utf8val-guard
	point "and it is still there" guarded /data
	sed -i '/data/d' /etc/fstab
	cat >/etc/systemd/system/mnt.mount <<-END
	[Mount]
	What=none
	Where=/mnt
	Type=tmpfs
	Options=size=1m,utf8val=enforce
	END
	point "it is while a unit does" \
		fails_with "mnt.mount:5:" dpkg -r utf8val-guard
	rm /etc/systemd/system/mnt.mount
	systemctl stop utf8val-guard
	point "the unit stops the guard" unguarded /data
	point "it is started by hand" utf8val-guard start
	point "and guards" guarded /data
	point "removal" dpkg -r utf8val-guard
	point "the root is as it was" unguarded /
	point "so is /data" unguarded /data
	point "no program is left in the kernel" not says / programs_loaded
	point "the option is refused again" \
		not mount -t tmpfs -o utf8val=enforce none /mnt
	point "purge" dpkg -P utf8val-guard
	point "no file is left" not says utf8val-guard \
		find / -xdev -name '*utf8val-guard*' -not -path '/var/log/*' \
		-not -path '/run/*'
	point "no unit is left" not says utf8val-guard systemctl list-unit-files
}

# Install from the sources, by the page's commands for those who have no package.
phase_sources() {
	point "make install-guard's files" cp -r "$media/sources/." /
	point "systemctl enable --now" \
		systemctl enable --now utf8val-guard.service
	point "the guard is active" active utf8val-guard.service
	point "so is its log" active utf8val-guard-log.service
	point "a mount takes the option" \
		mount -t tmpfs -o utf8val=enforce none /mnt
	point "it is guarded" guarded /mnt
}

phase_enabled() {
	point "the guard is active after the boot" active utf8val-guard.service
	point "so is its log" active utf8val-guard-log.service
	point "the root is guarded by x-utf8val=" guarded /
	point "systemctl disable --now" \
		systemctl disable --now utf8val-guard.service
	point "the root is as it was" unguarded /
	point "no program is left in the kernel" not says / programs_loaded
	point "the guard will not be started again" \
		not systemctl -q is-enabled utf8val-guard.service
}

# Run the tests of mounts and names beside another security module.
beside() {
	point "bpf is in force, too" grep -q bpf /sys/kernel/security/lsm
	point "the guard is" active utf8val-guard.service
	point "its log is" systemctl restart utf8val-guard-log.service
	# the tests read the guard's events themselves, and an event is told to
	# one reader only
	systemctl stop utf8val-guard-log.service
	export GUARD=started
	echo "# as $(tr -d '\0' </proc/self/attr/current)"
	for test in mount_test "matrix_test ext4"; do
		# shellcheck disable=SC2086 # a command's words
		tests $test
	done
}

phase_apparmor() {
	point "AppArmor is in force" grep -q apparmor /sys/kernel/security/lsm
	point "the packages install" dpkg -i "$media"/first/*.deb
	cp "$media"/tests/* /usr/local/bin
	# the profile allows everything, so that every call goes through AppArmor's hooks
	cat >/run/profile <<-'END'
	profile guard-tests /usr/local/bin/{mount,matrix}_test {
		file, mount, remount, umount, capability, network, signal,
		ptrace, unix,
	}
	END
	point "a profile for the tests" apparmor_parser -r /run/profile
	beside
}

# In this boot SELinux has its policy, which enforces once the packages are
# installed: what systemd starts as this script may not install packages then.
phase_selinux() {
	point "SELinux is in force" test -e /sys/fs/selinux/policy
	point "the packages install" dpkg -i "$media"/first/*.deb
	cp "$media"/tests/* /usr/local/bin
	restorecon -R /usr/local/bin /usr/sbin /usr/libexec
	point "SELinux enforces" setenforce 1
	point "it says so" test "$(cat /sys/fs/selinux/enforce)" = 1
	beside
	point "to the end" test "$(cat /sys/fs/selinux/enforce)" = 1
	# show what SELinux has refused to which programs, for whoever reads this output
	dmesg | grep -a 'avc:.*denied' | grep -a 'permissive=0' | head -n 20 |
		cut -c1-240 | sed 's/^/# /'
}

if declare -F "phase_$phase" >/dev/null; then
	"phase_$phase"
else
	echo "Bail out! no phase $phase"
	exit 1
fi
tap_end
