#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck disable=SC2317 # point calls the functions
# Test the guard's package in a full Debian system, boot by boot. Started by
# autorun.service with the name of this boot's phase on the kernel's command
# line; prints TAP.
set -u
export LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
media=$(dirname "$0")
# shellcheck disable=SC1091 # beside this script
. "$media/tap.sh"
# shellcheck disable=SC1091 # beside this script
. "$media/servers.sh"
# shellcheck disable=SC1091 # beside this script
. "$media/table.sh"
# shellcheck disable=SC1091 # beside this script
. "$media/week.sh"
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

# With ftrace_enabled=0, a line of hardening guides, the kernel calls none of the
# guard's programs.
switched_off() {
	point "the timer is active" active utf8val-guard-check.timer
	point "it is due within five minutes" \
		test "$(due_in utf8val-guard-check.timer)" -le 300
	point "a check that hangs is given up before the next" \
		test "$(systemctl show -P TimeoutStartUSec utf8val-guard-check)" = 4min
	point "the check finds the guard active" check_now
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
	point "no mode is promised" fails_with kernel.ftrace_enabled=1 \
		utf8val-guard set enforce /data
	sysctl -q kernel.ftrace_enabled=1
	point "with 1 the guard is active again" check_now
}

# The unit is stopped, and then restarted.
restarted() {
	systemctl stop utf8val-guard
	point "the unit stops the guard" unguarded /data
	point "and the timer" not systemctl -q is-active utf8val-guard-check.timer
	point "the root, which the policy names, can be remounted" \
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
	mount -t tmpfs none /mnt
	point "a start where a file system is covered" systemctl start utf8val-guard
	point "gives what covers it no mode" unguarded /mnt
	umount /mnt
	point "but the one below" guarded /mnt
	umount /mnt
	echo "enforced TYPE=tmpfs" >>/etc/utf8val.conf
	point "a restart with an error in the policy file fails" \
		not systemctl restart utf8val-guard
	point "and the journal names the line" says "/etc/utf8val.conf:2:" \
		journalctl -b -u utf8val-guard
	point "the guard is active all the same" guarded /data
	sed -i '$d' /etc/utf8val.conf
	point "without the error it does not fail" systemctl restart utf8val-guard
	point "the log is written after it" active utf8val-guard-log.service
	point "and the guard is tried" active utf8val-guard-check.timer
}

# A line of the policy, for what is mounted later.
mounted_later() {
	mkdir -p "$1"
	echo "enforce TYPE=ramfs" >>/etc/utf8val.conf
	point "a line for what is mounted on $1" utf8val-guard apply
	mount -t ramfs none "$1"
	point "when it is mounted, it is guarded" guarded "$1"
	umount "$1"
	mount -t ramfs none "$1"
	point "so is what is mounted there next" guarded "$1"
	umount "$1"
}

# The state of a stopped or disabled guard after another unit starts, or the package is
# upgraded.
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
	point "leaves the guard active" guarded /data
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
	none /two\\040words ramfs defaults 0 0
	END
	echo "enforce TYPE=ramfs" >/etc/utf8val.conf
}

phase_guarded() {
	point "the guard is active after the boot" active utf8val-guard.service
	point "the log is written" active utf8val-guard-log.service
	point "the guard was there before the root became writable" \
		test "$(moment utf8val-guard ExecMainExitTimestampMonotonic)" \
		-lt "$(moment systemd-remount-fs ExecMainStartTimestampMonotonic)"
	point "the guard comes before tmp.mount, too" \
		says "tmp.mount" systemctl show -p Before utf8val-guard
	point "systemctl isolate, or emergency, does not stop it" \
		test "$(systemctl show -P IgnoreOnIsolate utf8val-guard)" = yes
	point "the root is guarded" guarded /
	point "a file system of fstab is guarded" guarded /data
	point "one that the policy names is guarded" guarded "/two words"
	point "others are not" unguarded /run
	point "all is as it is asked for" utf8val-guard status --quiet
	point "a name that was there before can be read" cat "/old/$BAD"
	touch "/data/${BAD%.txt}-for-the-journal" 2>/dev/null
	for _ in $(seq 50); do
		journalctl -b -t utf8val | grep -q 'refused create' && break
		sleep 0.2
	done
	point "the journal has the events" \
		says "refused create" journalctl -b -t utf8val
	point "in hexadecimal" says "63 61 66 e9" journalctl -b -t utf8val
	sed -i '/ \/ /s/,utf8val=enforce//' /etc/fstab
	point "the root's line becomes one of the policy" utf8val-guard set --keep enforce /
}

# in this boot, lsm= on the kernel's command line does not name bpf
phase_cannot() {
	point "the machine has booted" true
	point "the guard says why it cannot" \
		says "lsm=" journalctl -b -u utf8val-guard.service
	point "and has failed" not systemctl -q is-active utf8val-guard.service
	point "nothing half loaded stays" not says / programs_loaded
	point "what asked for enforce is not mounted" not mountpoint -q /data
	point "the root, which only the policy names, is writable" unguarded /
}

# The guard's units while the guard works, and after the guard has stopped working.
phase_units() {
	mkdir -p /data
	cat >/etc/fstab <<-END
	/dev/disk/by-label/root / ext4 defaults 0 1
	/dev/disk/by-label/data /data ext4 defaults,utf8val=enforce,nofail 0 2
	none /two\\040words-é ramfs defaults,nofail 0 0
	END
	point "the packages install" dpkg -i "$media"/first/*.deb
	point "the root's mode is set and kept" utf8val-guard set --keep enforce /
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
	point "the root, which only the policy names, is writable" unguarded /
	point "what asked for enforce is not mounted" not mountpoint -q /data
	point "when the lock is free" systemctl disable --now hold.service
	point "the guard starts" systemctl start utf8val-guard
	point "the root is guarded" guarded /
	point "what asked for enforce is mounted" mount /data
	point "and guarded" guarded /data
	point "so is what has a line by its type" guarded "/two words-é"
}

phase_remove() {
	local before root

	point "the root is guarded by the policy" guarded /
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
	cp /etc/utf8val.conf /run/utf8val.conf
	rm /etc/utf8val.conf
	root=$(findmnt -no UUID /)
	sed -i '/ \/ /s/defaults/defaults,x-utf8val=enforce/' /etc/fstab
	point "an upgrade" installs "$media"/second/*.deb
	point "makes a line of the policy of x-utf8val= in fstab" \
		grep -qx "enforce UUID=$root" /etc/utf8val.conf
	point "and leaves fstab alone" grep -q x-utf8val=enforce /etc/fstab
	cp /run/utf8val.conf /etc/utf8val.conf
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
	point "purge names what remains" says "/etc/utf8val.conf remains" dpkg -P utf8val-guard
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
	point "the root is guarded by the policy" guarded /
	point "systemctl disable --now" \
		systemctl disable --now utf8val-guard.service
	point "the root is as it was" unguarded /
	point "and without the modes, too" utf8val-guard stop --forget
	point "no program is left in the kernel" not says / programs_loaded
	point "the guard will not be started again" \
		not systemctl -q is-enabled utf8val-guard.service
}

# Run the tests of mounts and names beside another security module.
beside() {
	point "bpf is active, too" grep -q bpf /sys/kernel/security/lsm
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
	point "AppArmor is active" grep -q apparmor /sys/kernel/security/lsm
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
	point "SELinux is active" test -e /sys/fs/selinux/policy
	point "the packages install" dpkg -i "$media"/first/*.deb
	cp "$media"/tests/* /usr/local/bin
	restorecon -R /usr/local/bin /usr/sbin /usr/libexec
	point "SELinux enforces" setenforce 1
	point "it says so" test "$(cat /sys/fs/selinux/enforce)" = 1
	beside
	point "to the end" test "$(cat /sys/fs/selinux/enforce)" = 1
	# show what SELinux has refused to which programs, for the reader of this output
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
