# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck shell=bash disable=SC2317 # point calls the functions
# Test what programs say when a name that they are to make is refused. Each
# program brings one file with an ill-formed name, "caf" and the Latin-1 letter
# E9, from /run/from, which is not guarded, to the guarded directory $to.
to=

BAD=$'caf\xe9.txt'
REFUSED="Invalid or incomplete multibyte or wide character"

# clean: no name below $to has a byte that is not ASCII
clean() {
	! LC_ALL=C find "$to" -name $'*[\x80-\xff]*' | grep -a .
}

# program NAME TEXT COMMAND...: the command fails, prints TEXT, and the name is not
# there. The command's output is shown, for the table in the administrator's page.
program() {
	local name=$1 text=$2 said status=0
	shift 2
	said=$("$@" 2>&1) || status=$?
	LC_ALL=C cat -v <<<"$said" | head -n 4 | sed "s/^/# $name: /"
	point "$name: fails" test $status -ne 0
	point "$name: says \"$text\"" says "$text" echo "$said"
	point "$name: the name was not made" clean
}

sources() {
	mkdir -p /run/from/tree
	cd /run/from || return
	echo text >"tree/$BAD"
	echo text >tree/good.txt
	tar -cf bad.tar -C tree .
	(cd tree && zip -q ../bad.zip "$BAD" good.txt)
	git init -q repository
	cp tree/* repository/
	git -C repository add .
	git -C repository -c user.name=a -c user.email=a@localhost \
		commit -qm start
}

unpack_zip() {
	mkdir -p "$to/zip"
	unzip -o -q bad.zip -d "$to/zip"
}

clone() {
	rm -rf "$to/clone"
	git clone -q /run/from/repository "$to/clone"
}

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

programs() {
	cd /run/from || return
	program touch "$REFUSED" touch "$to/$BAD"
	program mkdir "$REFUSED" mkdir "$to/$BAD"
	program cp "$REFUSED" cp "tree/$BAD" "$to"
	program mv "$REFUSED" mv "tree/$BAD" "$to"
	echo text >"tree/$BAD"
	program tar "$REFUSED" tar -xf bad.tar -C "$to"
	point "tar: the other file is there" test -f "$to/good.txt"
	program unzip "$REFUSED" unpack_zip
	program rsync "$REFUSED" rsync -a tree/ "$to/rsync/"
	point "rsync: the other file is there" test -f "$to/rsync/good.txt"
	program git "$REFUSED" clone

	point "Samba serves" samba_server
	point "smbclient: a good name is made" smb_client "put tree/good.txt good.txt"
	program smbclient NT_STATUS_ACCESS_DENIED smb_client "put tree/good.txt café.txt"
	kill "$(cat /run/samba-test/smbd.pid)" 2>/dev/null
	point "nfsd serves" nfs_server
	point "an NFS client makes a good name" touch /run/nfs/good.txt
	program "touch over NFS" "Invalid argument" touch "/run/nfs/$BAD"
	program "cp over NFS" "Invalid argument" cp "tree/$BAD" /run/nfs
	umount /run/nfs
	rpc.nfsd 0
}
