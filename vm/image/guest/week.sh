# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck shell=bash disable=SC2317 # point calls the functions
# shellcheck disable=SC2154,SC2034 # run.sh sets media, servers.sh reads to
# shellcheck disable=SC2016 # the inner shell expands it
# A hostile week on a file server, in three boots of which two end in a crash: users, Samba,
# NFS, a timer and a nightly backup create good and bad names on /srv, first under audit,
# then under enforce. What has been written to the disk is in two ledgers, which the end
# compares with the file systems and the journal.

LEDGER=/var/lib/week
export HOME=/root	# for the journal of utf8val fix
MODE=audit
# who works there: anna 1001, boris 1002, chloe 1003

as() {
	setpriv --reuid "$1" --regid "$1" --clear-groups "${@:2}"
}

hex() {
	printf %s "$1" | od -An -tx1 -v | tr -d '\n' | sed 's/^ //'
}

# A file with a good name, which has to be there at the end.
keep_good() {
	test -f "$1" || { echo "$1 is not there"; return 1; }
	echo "$1" >>$LEDGER/good.new
}

# bad_name PROGRAM UID NAME DIRECTORY: a bad name was made under audit, and was not under
# enforce; either is an event whose culprit is known.
bad_name() {
	printf '%s\n' "by $1\b.*\[[0-9]*\] uid $2\b|$(hex "$3")" >>$LEDGER/bad.new
	if [ $MODE = audit ]; then
		test -e "$4/$3"
	else
		not test -e "$4/$3"
	fi
}

# Write the ledgers' new lines, after what they are about is on the disk.
commit() {
	local kind

	sync
	journalctl --sync
	for kind in good bad; do
		cat $LEDGER/$kind.new >>$LEDGER/$kind 2>/dev/null
		rm -f $LEDGER/$kind.new
	done
	sync $LEDGER/*
}

# The last bad name of the ledger is in the journal.
journal_has_last() {
	local want

	want=$(tail -n 1 $LEDGER/bad.new)
	for _ in $(seq 600); do
		journalctl -b -q -o cat -t utf8val _UID=0 | grep -q "${want#*|}" && return
		sleep 0.2
	done
	echo "no event within two minutes: $want"
	return 1
}

# The status of each of these is what a user sees; the points are about names and events.
work_of_anna() {
	as 1001 touch "/srv/anna/Bericht-$1-é"
	as 1001 touch "/srv/anna/$1-$BAD" 2>/dev/null
	keep_good "/srv/anna/Bericht-$1-é" &&
		bad_name touch 1001 "$1-$BAD" /srv/anna && journal_has_last
}

work_of_boris() {
	mkdir -p "/run/archive-$1"
	touch "/run/archive-$1/ä-$1" "/run/archive-$1/$1-tar-$BAD" "/run/archive-$1/z-$1"
	tar -cf "/run/archive-$1.tar" -C "/run/archive-$1" .
	as 1002 tar --no-overwrite-dir -xf "/run/archive-$1.tar" -C /srv/boris 2>/dev/null
	as 1002 mv "/srv/boris/z-$1" "/srv/boris/ž-$1"
	keep_good "/srv/boris/ä-$1" && keep_good "/srv/boris/ž-$1" &&
		bad_name tar 1002 "$1-tar-$BAD" /srv/boris && journal_has_last
}

# A rename to a bad name leaves the file where it is.
rename_of_boris() {
	as 1002 mv "/srv/boris/ž-$1" "/srv/boris/$1-mv-$BAD" 2>/dev/null
	if [ $MODE = audit ]; then
		sed -i "\|/srv/boris/ž-$1\$|d" $LEDGER/good.new
	fi
	bad_name mv 1002 "$1-mv-$BAD" /srv/boris && journal_has_last
}

timer_of_chloe() {
	systemd-run -q --collect --on-active=1s --timer-property=AccuracySec=100ms \
		--uid=1003 --unit="report-$1" /usr/local/bin/report "$1"
	for _ in $(seq 600); do
		[ -e "/srv/chloe/done-$1" ] && break
		sleep 0.2
	done
	keep_good "/srv/chloe/Übersicht-$1" &&
		bad_name touch 1003 "$1-report-$BAD" /srv/chloe && journal_has_last
}

work_over_smb() {
	smb_client "put /etc/hostname good-$1; put /etc/hostname $1-smb-café.txt" >/dev/null
	keep_good "/srv/share/good-$1" &&
		bad_name smbd 0 "$1-smb-$BAD" /srv/share && journal_has_last
}

work_over_nfs() {
	touch "/run/nfs/gut-$1-ö"
	touch "/run/nfs/$1-nfs-$BAD" 2>/dev/null
	keep_good "/srv/export/gut-$1-ö" &&
		bad_name nfsd 0 "$1-nfs-$BAD" /srv/export && journal_has_last
}

mounts() {
	mount -t tmpfs -o utf8val=enforce none /mnt && not touch "/mnt/$BAD" && umount /mnt &&
		mount -t tmpfs none /mnt && touch "/mnt/$BAD" && umount /mnt
}

# The backup's disk is mounted for the backup only; its mode is by /etc/utf8val.conf.
nightly() {
	mount /backup && rsync -a --delete /srv/ /backup/srv/ &&
		utf8val-guard status /backup | grep -q $MODE && umount /backup
}

# The modes are those that were asked for.
modes_hold() {
	utf8val-guard status --quiet
}

# Each sample that is wrong is to be reported by the check's unit.
sample() {
	local status said

	while :; do
		status=0
		said=$(utf8val-guard status --quiet 2>&1) || status=$?
		echo "$(date +%s) $status ${said//$'\n'/; }" >>$LEDGER/samples
		sleep 10
	done
}

day() {
	point "day $1, $MODE: anna's names" work_of_anna "$1"
	point "day $1: boris unpacks an archive" work_of_boris "$1"
	point "day $1: he renames" rename_of_boris "$1"
	point "day $1: chloe's timer" timer_of_chloe "$1"
	if [ $(($1 % 2)) = 1 ]; then
		point "day $1: names over SMB" work_over_smb "$1"
	else
		point "day $1: names over NFS" work_over_nfs "$1"
	fi
	point "day $1: a mount with the option, and without" mounts
	point "day $1: the nightly backup" nightly
	point "day $1: the modes hold" modes_hold
	commit
	# The backup's events must not count for the next day's limit, 10 in 5 seconds.
	sleep 5
}

# Start the services of each boot.
morning() {
	to=/srv
	sample &
	point "Samba serves" samba_server
	point "NFS serves" nfs_server
}

# The machine crashes while names are created.
crash() {
	as 1001 bash -c 'cd /srv/anna && while :; do touch "späte-$((n++))"; done' &
	(cd /srv/boris && "$media/hammer" < <(sleep infinity) >/dev/null) &
	sleep 1
	tap_end
	echo "exit 0"
	stty -F /dev/ttyS1 sane
	echo b >/proc/sysrq-trigger
	sleep infinity
}

full_disk() {
	not as 1001 dd if=/dev/zero of=/srv/anna/filler bs=1M
	not as 1001 cp /bin/bash /srv/anna/copy
	as 1001 rm -f /srv/anna/filler /srv/anna/copy
}

lowered() {
	utf8val-guard set off /srv
	for _ in $(seq 600); do
		systemctl -q is-failed utf8val-guard-check && break
		sleep 0.2
	done
	systemctl -q is-failed utf8val-guard-check &&
		says "lowered from" journalctl -b -q -o cat -t utf8val _UID=0 \
			UTF8VAL_KIND=lowered UTF8VAL_PROGRAM=utf8val-guard
}

phase_weekaudit() {
	local id

	point "the packages install" installs "$media"/first/*.deb
	install "$media/utf8val" /usr/local/bin/utf8val
	printf '#!/bin/sh\ncd /srv/chloe\ntouch "Übersicht-$1"\ntouch "$1-report-%s"\ntouch "done-$1"\n' \
		"$BAD" >/usr/local/bin/report
	chmod +x /usr/local/bin/report
	mkdir -p /srv /backup $LEDGER /etc/systemd/system/utf8val-guard-check.timer.d
	# each 20 seconds, as the week is short
	printf '[Timer]\nOnCalendar=\nOnCalendar=*:*:0/20\nAccuracySec=1s\n' \
		>/etc/systemd/system/utf8val-guard-check.timer.d/week.conf
	cat >>/etc/fstab <<-END
	LABEL=data    /srv    ext4 defaults 0 2
	LABEL=scratch /backup ext4 defaults,noauto 0 0
	END
	systemctl daemon-reload
	systemctl restart utf8val-guard-check.timer
	mount /srv
	mount /backup
	for id in anna:1001 boris:1002 chloe:1003; do
		useradd -u "${id#*:}" "${id%:*}"
		install -d -o "${id#*:}" -g "${id#*:}" "/srv/${id%:*}"
	done
	point "audit is asked for" utf8val-guard set --keep audit /srv /backup
	umount /backup
	morning
	day 1
	point "an upgrade" installs "$media"/second/*.deb
	point "the modes hold after it" modes_hold
	day 2
	point "a full disk" full_disk
	day 3
	crash
}

phase_weekrepair() {
	point "after the crash the modes hold" modes_hold
	morning
	day 4
	point "a mode is lowered, and the check's unit fails" lowered
	point "apply restores it" utf8val-guard apply
	point "enforce refuses while there are bad names" not utf8val-guard enforce /srv
	utf8val fix --apply --rest=escape /srv >/dev/null
	point "after a repair it does not" utf8val-guard enforce /srv
	mount /backup
	utf8val fix --apply --rest=escape /backup >/dev/null
	point "nor on the backup" utf8val-guard enforce /backup
	umount /backup
	systemctl start utf8val-guard-check
	MODE=enforce
	day 5
	crash
}

every_good_name() {
	local path

	while read -r path; do
		[ -f "$path" ] || echo "$path is missing"
		[ -f "/backup$path" ] || echo "/backup$path is missing"
	done <$LEDGER/good
}

every_bad_name() {
	local who bytes

	while IFS='|' read -r who bytes; do
		grep "$bytes" $LEDGER/events | grep -q "$who" || echo "$who: no event of $bytes"
	done <$LEDGER/bad
}

every_event() {
	grep -v '; by .*\[[1-9][0-9]*\] uid \(0\|100[123]\)\( (real [0-9]*)\)\?, in directory [1-9]' \
		$LEDGER/events
}

every_sample() {
	local time status

	grep -a '^[0-9]* [1-9]' $LEDGER/samples | while read -r time status; do
		[ "$(journalctl -q -p crit -t utf8val --since "@$((time - 60))" \
			--until "@$((time + 60))")" ] || echo "$time: $status, and no unit failed"
	done
}

phase_weekend() {
	MODE=enforce
	point "after the second crash the modes hold" modes_hold
	morning
	day 6
	day 7
	journalctl --sync
	journalctl -q -o cat -t utf8val _UID=0 UTF8VAL_KIND="bad name" >$LEDGER/events
	mount /backup
	echo "# $(wc -l <$LEDGER/good) good names, $(wc -l <$LEDGER/bad) bad ones," \
		"$(wc -l <$LEDGER/events) events, $(wc -l <$LEDGER/samples) samples of the modes," \
		"$(grep -ac '^[0-9]* [1-9]' $LEDGER/samples) of them wrong"
	point "there are ledgers" test -s $LEDGER/good -a -s $LEDGER/bad -a -s $LEDGER/samples
	point "no file with a good name is missing, on /srv or in the backup" silent every_good_name
	point "each bad name is an event of the one who made it" silent every_bad_name
	point "each event has a culprit" not every_event
	point "the modes held, or a unit failed at that minute" silent every_sample
	point "no bad name is left" utf8val scan -q /srv /backup
	point "no unit of the guard has failed" not says utf8val \
		systemctl list-units --failed --no-legend --plain
}
