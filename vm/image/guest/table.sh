# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck shell=bash disable=SC2317 # point calls the functions
# Make the tables of docs/programs.rst: what programs, storage and containers do with a
# refused name. Each row is printed as a line of a csv-table, after "# ", and is a point:
# no bad name was made that was not there.
# shellcheck disable=SC2154 # run.sh sets media
D=/data/d

# a program's first line about the name, or its last line, without bytes beyond ASCII
# and parts that differ from run to run
said_of() {
	local line

	line=$({ LC_ALL=C grep -a -m 1 -E "caf|nvalid|EILSEQ|denied|option" <<<"$1" ||
		tail -n 1 <<<"$1"; } | LC_ALL=C cat -v | tr '"`' "''" |
		sed -E -e 's/\.[A-Za-z0-9]{6}(.?) failed/.XXXXXX\1 failed/' \
			-e 's/[0-9]{4}[-\/][0-9]{2}[-\/][0-9]{2} ?[0-9:.]*//' -e 's/^\s+//' |
		cut -c1-150 | sed -E 's/(\^M)? *$//')
	echo "$line"
}

mode() {
	mount -o "remount,utf8val=$1" "${2:-/data}"
}

# fresh [old]: an empty directory; with "old", one in which both names are there
fresh() {
	mode off
	rm -rf "$D"
	mkdir "$D"
	[ $# -eq 0 ] || {
		echo old >"$D/$BAD"
		echo old >"$D/good.txt"
		touch -d 2001-01-01 "$D/$BAD" "$D/good.txt"
	}
	mode enforce
}

there() {
	[ -e "$1" ] && echo yes || echo no
}

# all_utf8 DIRECTORY: by another implementation than ours, which prints what is not
all_utf8() {
	! find "$1" | grep -axv '.*'
}

# row PROGRAM ADVICE FUNCTION [TEXT]: the program's result on the tree without a bad name,
# and on the tree with one. A program that hangs has status 124. With TEXT, the program has
# to print that.
row() {
	local name=$1 advice=$2 text=${4-} said status=0 good link old
	shift 2
	fresh
	said=$(timeout 120 bash -c "$1" 2>&1) || status=$?
	good=$(find "$D" -name good.txt | grep -q . && echo yes || echo no)
	link=$(find "$D" -name link.txt | grep -q . && echo yes || echo no)
	point "$name: no bad name is made" all_utf8 "$D"
	[ ! "$text" ] || point "$name: prints \"$text\"" says "$text" echo "$said"
	fresh old
	timeout 120 bash -c "$1" >/dev/null 2>&1
	[ $? -ne 124 ] || status=124
	old=lost
	[ ! -e "$D/$BAD" ] || old=kept
	! grep -qs new "$D/$BAD" || old=replaced
	printf '# %s: %s\n# "%s", %s, %s, %s, %s, "%s"\n' "$name" "$(said_of "$said")" \
		"$name" "$status" "$good" "$link" "$old" "$advice"
}

tree() {
	printf 'new\n' >"tree/$BAD"
	# the archives' second entry, a hard link to the first
	ln "tree/$BAD" tree/link.txt
	printf 'new\n' >tree/good.txt
	local list=("$BAD" link.txt good.txt)
	tar -cf bad.tar -C tree "${list[@]}"
	(cd tree && zip -q ../bad.zip "${list[@]}")
	(cd tree && printf '%s\n' "${list[@]}" | cpio -o --quiet -H newc) >bad.cpio
	dar -Q -q -c bad -R tree >/dev/null
	(cd tree && 7z a ../bad.7z . >/dev/null)
	restic -q -r restic init
	(cd tree && restic -q -r ../restic backup .)
	borg init -e none borg
	(cd tree && borg create ../borg::a .)
	git config --global user.name a
	git config --global user.email a@localhost
	git config --global --add safe.directory '*'
	git init -q repository
	cp tree/* repository
	git -C repository add .
	git -C repository commit -qm files
	git init -q branches
	git -C branches commit -q --allow-empty -m empty
	git -C branches branch $'caf\xe9'
}

p_cp() { cp -a tree/. "$D"; }
p_mv() {
	rm -rf /run/moved
	cp -a tree /run/moved
	mv -f /run/moved/* "$D"
}
p_install() { install tree/* "$D"; }
p_tar() { tar -C "$D" -xf bad.tar; }
p_bsdtar() { bsdtar -C "$D" -xf bad.tar; }
p_tarfile() { python3 -m tarfile -e bad.tar "$D"; }
p_cpio() { (cd "$D" && cpio -idmu --quiet </run/from/bad.cpio); }
p_unzip() { unzip -o -q bad.zip -d "$D"; }
p_7z() { 7z x -y -aoa "-o$D" bad.tar; }
p_dar() { dar -Q -w -x bad -R "$D"; }
p_rsync() { rsync -a tree/ "$D/"; }
p_rsync_h() { rsync -aH tree/ "$D/"; }
p_unison() {
	rm -rf "$HOME/.unison"
	unison -batch -confirmbigdel=false -prefer /run/from/tree /run/from/tree "$D"
}
p_restic() { restic -r restic restore latest --target "$D"; }
p_borg() { (cd "$D" && borg extract /run/from/borg::a); }
p_clone() { git clone -q repository "$D/clone"; }
p_checkout() {
	mode off
	git init -q "$D"
	git -C "$D" fetch -q /run/from/repository
	mode enforce
	git -C "$D" checkout -f FETCH_HEAD
}
p_ref() {
	git init -q "$D/r"
	git -C "$D/r" fetch /run/from/branches 'refs/heads/*:refs/remotes/from/*'
}
p_mirror() { git clone -q --mirror branches "$D/m"; }
p_convmv() {
	touch "$D/café.txt"
	convmv -f utf8 -t iso-8859-1 -r --notest "$D"
}
# the client has cached what was there
nfs_again() {
	umount /run/nfs
	mount -t nfs4 -o vers=4.2 127.0.0.1:/ /run/nfs
}
p_nfs_cp() {
	nfs_again
	D=/run/nfs/d p_cp
}
p_nfs_mv() {
	nfs_again
	D=/run/nfs/d p_mv
}
p_smb_put() { smb_client "cd s; lcd tree; put good.txt; put good.txt café.txt"; }
p_smb_mkdir() { smb_client "cd s; mkdir café"; }
p_smb_mput() {
	mkdir -p utf8
	cp tree/good.txt utf8
	cp tree/good.txt utf8/café.txt
	smb_client "cd s; lcd utf8; prompt; mput *"
}
p_sftp() { scp -r -P 2222 tree/. "localhost:$D"; }
btrfs_stream() {
	mkdir -p /run/b
	truncate -s 200M /run/b.img
	mkfs.btrfs -q /run/b.img && mount -o loop /run/b.img /run/b || return
	btrfs -q subvolume create /run/b/s
	cp -a tree/. /run/b/s
	btrfs -q subvolume snapshot -r /run/b/s /run/b/snapshot
	btrfs -q send -f stream /run/b/snapshot
	btrfs -q subvolume delete /run/b/snapshot /run/b/s >/dev/null
}

btrfs_receive() {
	local said status=0
	utf8val-guard set enforce /run/b
	said=$(btrfs receive -f stream /run/b 2>&1) || status=$?
	printf '# btrfs receive: %s\n' "$(said_of "$said")"
	printf '# "btrfs receive", %s, %s, %s, -, "fix at the source"\n' "$status" \
		"$(there /run/b/snapshot/good.txt)" "$(there /run/b/snapshot/link.txt)"
	point "btrfs receive: no bad name is made" all_utf8 /run/b
	umount /run/b
}

ssh_server() {
	ip link set lo up
	ssh-keygen -q -N '' -f "$HOME/key"
	mkdir -p ~root/.ssh /run/sshd "$HOME/.ssh"
	cp "$HOME/key.pub" ~root/.ssh/authorized_keys
	ssh-keygen -A >/dev/null
	/usr/sbin/sshd -p 2222
	printf '%s\n' "IdentityFile $HOME/key" "StrictHostKeyChecking no" \
		"LogLevel ERROR" >/etc/ssh/ssh_config.d/test.conf
}

phase_programs() {
	point "the packages install" dpkg -i "$media"/first/*.deb
	mkdir -p /data
	mount -o utf8val=enforce /dev/disk/by-label/data /data
	mkdir -p /run/from/tree /run/home
	export HOME=/run/home RESTIC_PASSWORD=a BORG_RELOCATED_REPO_ACCESS_IS_OK=yes \
		BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK=yes
	cd /run/from || return
	point "there is something to bring in" tree
	# shellcheck disable=SC2046 # the functions' names
	export -f $(compgen -A function p_) mode nfs_again smb_client
	export D BAD
	row "cp -a" "fix at the source" p_cp "$REFUSED"
	row "mv" "fix at the source" p_mv
	row "install" "fix at the source" p_install
	row "GNU tar" "restore elsewhere, fix, move" p_tar "$REFUSED"
	row "bsdtar" "restore elsewhere, fix, move" p_bsdtar
	row "Python's tarfile" "restore elsewhere, fix, move" p_tarfile
	row "cpio -idmu" "restore elsewhere, fix, move" p_cpio
	row "unzip -o" "unzip -O CHARSET" p_unzip
	row "7z x -aoa (a tar)" "restore elsewhere, fix, move" p_7z
	row "dar -x" "restore elsewhere, fix, move" p_dar
	row "rsync -a" "rsync --iconv, or fix at the source" p_rsync
	row "rsync -aH" "rsync --iconv, or fix at the source" p_rsync_h
	row "unison -batch" "fix at the source" p_unison
	row "restic restore" "restore elsewhere, fix, move" p_restic
	row "borg extract" "restore elsewhere, fix, move" p_borg
	row "git clone" "rename it in the repository" p_clone
	row "git checkout -f" "rename it in the repository" p_checkout
	row "git fetch of a branch" "rename the branch" p_ref
	row "git clone --mirror" "nothing: refs are packed" p_mirror
	row "convmv -t iso-8859-1" "nothing: the name stays" p_convmv
	point "sshd serves" ssh_server
	row "scp -r" "fix at the source" p_sftp
	# shellcheck disable=SC2034 # servers.sh reads it
	to=/data
	point "Samba serves" samba_server
	D=/data/share/s
	row "smbclient put" "remove unix charset" p_smb_put NT_STATUS_ACCESS_DENIED
	row "smbclient mkdir" "remove unix charset" p_smb_mkdir
	row "smbclient mput" "remove unix charset" p_smb_mput
	kill "$(cat /run/samba-test/smbd.pid)" 2>/dev/null
	mkdir -p /data/export
	point "nfsd serves" nfs_server
	D=/data/export/d
	row "cp -a over NFS" "fix at the source" p_nfs_cp "Invalid argument"
	row "mv over NFS" "fix at the source" p_nfs_mv
	umount /run/nfs
	rpc.nfsd 0
	point "btrfs sends" btrfs_stream
	btrfs_receive
}

# name_in DIRECTORY: the result of creating a bad name there
name_in() {
	local said

	if said=$(touch "$1/$BAD" 2>&1); then
		rm "$1/$BAD"
		said=created
	fi
	case $said in
	*": Invalid or incomplete multibyte or wide character") echo EILSEQ ;;
	*": Operation not permitted") echo EPERM ;;
	*) echo "$said" ;;
	esac
}

# storage NAME COMMAND...: the command mounts something on /run/m. The file system below
# is guarded. The mount itself is then guarded also, with its option or with set. Names
# are made in /run/m or $inner there.
storage() {
	local name=$1 option=no set=no below after
	shift
	"$@" || { point "$name is mounted" false; return; }
	below=$(name_in "/run/m/${inner-}")
	utf8val-guard set enforce /run/m && set=yes
	after=$(name_in "/run/m/${inner-}")
	umount /run/m
	"$@" -o utf8val=enforce && {
		umount /run/m
		option=yes
	}
	point "$name: no bad name is made" test "$after" != created
	printf '# "%s", %s, %s, %s, %s\n' "$name" "$below" "$option" "$set" "$after"
}

# s_mergerfs BRANCHES POLICY...: by default it leaves a branch alone that has less than
# 4 GB
s_mergerfs() {
	mount -t fuse.mergerfs "$1" /run/m -o "minfreespace=0,category.create=$2" \
		"${@:3}"
}
s_bindfs() { mount -t fuse.bindfs /data/a /run/m "$@"; }
s_sshfs() { mount -t fuse.sshfs -o port=2222 localhost:/data/a /run/m "$@"; }
s_overlay() {
	mount -t overlay none /run/m \
		-o lowerdir=/run/u,upperdir=/data/upper,workdir=/data/work "$@"
}
s_loop() { mount -o loop /data/loop.img /run/m "$@"; }
s_snapshot() { mount /dev/test/copy /run/m "$@"; }
s_bind() { mount --bind /data/a /run/m "$@"; }

lvm() {
	local device

	modprobe -a dm-mod dm-snapshot loop
	truncate -s 120M /run/pv.img
	device=$(losetup -f --show /run/pv.img)
	pvcreate -q "$device" && vgcreate -q test "$device" &&
		lvcreate -q -y -L 48M -n origin test &&
		mkfs.ext4 -q /dev/test/origin && mkdir -p /run/origin &&
		mount -o utf8val=enforce /dev/test/origin /run/origin &&
		lvcreate -q -y -s -L 32M -n copy test/origin
}

# $BAD, as printf in a shell makes it
# shellcheck disable=SC2016 # the container's shell expands it
escaped='$(printf "caf\\351.txt")'

# a root directory with a shell, and a file with a bad name
small_root() {
	local program

	mkdir -p /run/small/x
	for program in sh touch rm ls; do
		# shellcheck disable=SC2046 # paths of libraries
		cp -L --parents "/usr/bin/$program" \
			$(ldd "/usr/bin/$program" | grep -o '/[^ ]*') /run/small
	done
	ln -sf usr/bin /run/small/bin
	tar -C /run/small -cf /run/good.tar .
	touch "/run/small/x/$BAD"
	tar -C /run/small -cf /run/bad.tar .
}

# inside podman|docker IMAGE COMMAND...: in a container
inside() {
	"$1" run --rm --network none "${@:2}"
}

# Configure podman to work without systemd's D-Bus, which this image does not have.
podman_alone() {
	printf '%s\n' "[containers]" 'cgroups = "disabled"' "[engine]" \
		'cgroup_manager = "cgroupfs"' >/etc/containers/containers.conf
}

# container NAME COMMAND...: a row of what containers do
container() {
	local name=$1 said result status=0
	shift
	said=$("$@" 2>&1) || status=$?
	case $said in
	'') result=created ;;
	*"Invalid or incomplete multibyte or wide character"*) result=refused ;;
	caf*.txt) result="still there" ;;
	*) result=$(said_of "$said") ;;
	esac
	printf '# "%s", %s, %s\n' "$name" "$status" "$result"
}

refused() {
	utf8val-guard status | awk '/^operation/ { sum = 0 } { sum += $4 } END { print sum }'
}

# A suite that knows nothing of the guard makes, links and renames names, and then names
# of any bytes.
foreign_suite() {
	local before

	before=$(refused)
	mkdir /data/foreign
	point "stress-ng finds no fault in a guarded file system" \
		timeout 900 stress-ng --verify --temp-path /data/foreign --filename 1 \
		--filename-opts posix --filename-ops 20 --rename 1 --rename-ops 200 \
		--link 1 --link-ops 2 --symlink 1 --symlink-ops 2 --dir 1 --dir-ops 50
	point "but takes it for one that a bad name is refused" fails_with errno=84 \
		timeout 900 stress-ng --temp-path /data/foreign --filename 1 \
		--filename-opts ext --filename-ops 20
	point "as it was" test "$(refused)" -gt "$before"
	point "and there is no bad name" all_utf8 /data/foreign
}

phase_storage() {
	mount -o utf8val=enforce /dev/disk/by-label/data /data
	mkdir -p /data/a /data/upper /data/work /run/u /run/m /run/home /run/from
	export HOME=/run/home
	point "the guard is active" utf8val-guard status
	point "sshd serves" ssh_server
	modprobe -a fuse overlay loop
	truncate -s 16M /data/loop.img
	mkfs.ext4 -q /data/loop.img
	point "LVM" lvm
	storage "mergerfs by ff, the guarded branch first" \
		s_mergerfs /data/a:/run/u ff
	storage "mergerfs by ff, the unguarded branch first" \
		s_mergerfs /run/u:/data/a ff
	mkdir /data/a/only /run/u/alone
	inner=only storage "mergerfs by epmfs, a directory on the guarded branch" \
		s_mergerfs /data/a:/run/u epmfs
	inner=alone storage "mergerfs by epmfs, one on the unguarded branch" \
		s_mergerfs /data/a:/run/u epmfs
	storage "bindfs of a guarded directory" s_bindfs
	storage "sshfs to a guarded server" s_sshfs
	storage "overlay, its upper layer is guarded" s_overlay
	storage "a bind mount" s_bind
	storage "an image on a guarded file system, by loop" s_loop
	storage "an LVM snapshot of a guarded file system" s_snapshot
	foreign_suite

	point "root directories for containers" small_root
	point "podman works without D-Bus" podman_alone
	point "dockerd serves" systemctl start docker
	point "podman stores layers by overlay" \
		test "$(podman info -f '{{.Store.GraphDriverName}}')" = overlay
	point "docker by overlay2" test "$(docker info -f '{{.Driver}}')" = overlay2
	for engine in podman docker; do
		point "$engine: an image with a bad name" "$engine" import /run/bad.tar bad
	done
	point "the root is guarded" utf8val-guard set enforce /
	point "a bad name in it is refused" test "$(name_in /var/lib)" != created
	for engine in podman docker; do
		point "$engine: an image without" "$engine" import /run/good.tar good
		# podman makes what is no UTF-8 in its arguments U+FFFD
		container "$engine: touch in a container" \
			inside "$engine" good sh -c "touch /$escaped"
		container "$engine: touch in its /dev/shm" \
			inside "$engine" good sh -c "touch /dev/shm/$escaped"
		container "$engine: rm of a bad name in a lower layer" \
			inside "$engine" bad sh -c "rm /x/$escaped"
		container "$engine: rm -rf of it" \
			inside "$engine" bad sh -c 'rm -rf /x/*; ls /x'
	done
}
