# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck shell=bash disable=SC2317,SC2034 # point calls the functions; others read the texts
# The refused name, and servers for it: table.sh, week.sh and run.sh use these. $to is the
# guarded directory that the servers export.
to=

BAD=$'caf\xe9.txt'
REFUSED="Invalid or incomplete multibyte or wide character"

# Start a Samba server that stores names in Latin-1, as old set-ups do, while
# its clients send them in UTF-16.
samba_server() {
	mkdir -p "$to/share" /run/samba-test /run/samba /var/log/samba
	cat >/run/samba-test/smb.conf <<-END
	[global]
	server role = standalone server
	unix charset = ISO-8859-1
	map to guest = Bad User
	load printers = no
	disable netbios = yes
	smb ports = 445
	log file = /run/samba-test/log
	private dir = /run/samba-test
	lock directory = /run/samba-test
	state directory = /run/samba-test
	cache directory = /run/samba-test
	pid directory = /run/samba-test
	[share]
	path = $to/share
	guest ok = yes
	read only = no
	force user = root
	END
	printf '[global]\nunix charset = UTF-8\n' >/run/samba-test/client.conf
	ip link set lo up
	smbd -D -s /run/samba-test/smb.conf
	for _ in $(seq 900); do
		[ -e /run/samba-test/smbd.pid ] &&
			smb_client ls >/dev/null 2>&1 && return
		sleep 1
	done
	cat /run/samba-test/log*
	return 1
}

smb_client() {
	smbclient -s /run/samba-test/client.conf -N //127.0.0.1/share -c "$*"
}

nfs_server() {
	mkdir -p "$to/export" /run/nfs
	modprobe nfsd && mount -t nfsd nfsd /proc/fs/nfsd
	ip link set lo up
	exportfs -o rw,no_root_squash,no_subtree_check,fsid=0 \
		"127.0.0.1:$to/export" &&
		rpc.mountd -N 3 &&
		rpc.nfsd -N 3 -G 10 -L 10 2 &&
		echo Y >/proc/fs/nfsd/v4_end_grace
	mount -t nfs4 -o vers=4.2 127.0.0.1:/ /run/nfs
}
