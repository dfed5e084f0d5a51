#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Make a Debian that boots: systemd, the release's own kernel, what a person at its
# terminal and the guard's packages need, and further packages. It goes into the cache,
# from which it is taken as long as this script is the same. Root's password is "root".
# Prints the directory: root.disk (ext4), vmlinuz, initrd.
#
# Needs root, or a system where users may make namespaces. What mmdebstrap
# mounts stays in a mount namespace of its own.
#
# Usage: vm/image/build.sh bookworm|trixie [PACKAGE...]
set -eu

fail() {
	echo "image: $*" >&2
	exit 1
}

case ${1-} in
bookworm) libunistring=libunistring2 ;;
trixie) libunistring=libunistring5 ;;
*) echo "usage: vm/image/build.sh bookworm|trixie [PACKAGE...]" >&2; exit 2 ;;
esac
suite=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/utf8val/image
stamp=$(cat "$0" "$here/autorun.service" | sha256sum | cut -c1-12)
kind=$suite${*:+-with-$(echo "$*" | sha256sum | cut -c1-6)}
dir=$cache/$kind-$stamp
if [ -f "$dir/complete" ]; then
	echo "$dir"
	exit 0
fi
command -v mmdebstrap >/dev/null ||
	fail "there is no mmdebstrap; 'make deps-vm-full' installs it"
mkdir -p "$cache"
exec 9>"$cache/lock"
flock --nonblock 9 || {
	echo "image: waiting for another process that makes one" >&2
	flock 9
}
if [ -f "$dir/complete" ]; then
	echo "$dir"
	exit 0
fi

# shellcheck disable=SC2016 # apt expands it
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' |
	grep -E '/debian/?$' | head -n 1)
[ -n "$mirror" ] || fail "the system's apt sources name no Debian mirror"
packages=systemd-sysv,udev,linux-image-amd64,initramfs-tools,kmod,zstd
packages=$packages,e2fsprogs,util-linux,mount,procps,iproute2,login,nano,less,rsync
packages=$packages,libbpf1,libjansson4,$libunistring
for package; do
	packages=$packages,$package
done

rm -rf "$dir"
mkdir -p "$dir/hooks" "$dir/bind"
# an initramfs with only what this machine's disk needs: it unpacks in a second
cat >"$dir/hooks/essential" <<'HOOK'
#!/bin/sh
set -eu
mkdir -p "$1/etc/initramfs-tools/conf.d" \
	"$1/usr/share/initramfs-tools/modules.d"
echo MODULES=list >"$1/etc/initramfs-tools/conf.d/utf8val-test"
printf '%s\n' virtio_pci virtio_blk ext4 \
	>"$1/usr/share/initramfs-tools/modules.d/utf8val-test"
HOOK
# outside of the chroot, with what mmdebstrap has mounted there left out
cat >"$dir/hooks/customize" <<'HOOK'
#!/bin/sh
set -eu
root=$1 here=$2 dir=$3
echo utf8val-test >"$root/etc/hostname"
echo "127.0.0.1 localhost utf8val-test" >"$root/etc/hosts"
echo "/dev/disk/by-label/root / ext4 defaults 0 1" >"$root/etc/fstab"
echo 0123456789abcdef0123456789abcdef >"$root/etc/machine-id"
echo root:root | chroot "$root" chpasswd
echo LANG=C.UTF-8 >"$root/etc/default/locale"
# what the tests start themselves, and what only costs time in a test
for unit in smbd nmbd winbind samba-ad-dc samba nfs-server nfs-kernel-server \
	    nfs-blkmap rpcbind rpc-statd-notify e2scrub_reap fstrim.timer \
	    apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer \
	    logrotate.timer e2scrub_all.timer man-db.timer getty@tty1 \
	    systemd-timesyncd systemd-networkd systemd-pstore remote-fs.target \
	    nfs-client.target docker docker.socket containerd; do
	chroot "$root" systemctl -q disable "$unit" 2>/dev/null || true
done
for unit in systemd-hwdb-update.service systemd-update-utmp.service \
	    systemd-update-utmp-runlevel.service rpcbind.socket \
	    rpcbind.service systemd-logind.service getty.target \
	    run-rpc_pipefs.mount e2scrub_reap.service apparmor.service \
	    selinux-autorelabel-mark.service systemd-binfmt.service \
	    proc-sys-fs-binfmt_misc.automount systemd-sysusers.service \
	    systemd-random-seed.service systemd-user-sessions.service \
	    modprobe@dm_mod.service modprobe@loop.service \
	    modprobe@fuse.service modprobe@drm.service \
	    dev-hugepages.mount systemd-fsckd.socket; do
	ln -sf /dev/null "$root/etc/systemd/system/$unit"
done
cp "$here/autorun.service" "$root/etc/systemd/system/"
chroot "$root" systemctl -q enable autorun.service
# a disk comes late where the host is busy
mkdir -p "$root/etc/systemd/system.conf.d"
printf '[Manager]\nDefaultDeviceTimeoutSec=1500\n' \
	>"$root/etc/systemd/system.conf.d/test.conf"
mkdir -p "$root/etc/systemd/journald.conf.d"
printf '[Journal]\nStorage=persistent\nForwardToConsole=no\n' \
	>"$root/etc/systemd/journald.conf.d/test.conf"
contexts=/etc/selinux/default/contexts/files/file_contexts
[ ! -f "$root$contexts" ] || chroot "$root" setfiles -m -F "$contexts" / >&2
# mmdebstrap's own, with which a package's services would not be started
rm -f "$root/usr/sbin/policy-rc.d"
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* \
	"$root"/usr/share/doc/* "$root"/usr/share/locale/*
cp "$root"/boot/vmlinuz-* "$dir/vmlinuz"
cp "$root"/boot/initrd.img-* "$dir/initrd"
unshare --mount --propagation private sh -eu -c '
	mount --bind "$1" "$2"
	truncate -s 3G "$3"
	PATH=$PATH:/usr/sbin:/sbin
	mke2fs -q -t ext4 -L root -d "$2" "$3"' sh "$root" "$dir/bind" \
	"$dir/root.disk"
HOOK
chmod +x "$dir/hooks/"*
begin=$(date +%s)
echo "image: installing Debian $suite into a disk (a minute and 140 MB of packages," \
	"more with further packages)" >&2
unshare --mount --propagation private mmdebstrap --quiet --variant=minbase \
	--include="$packages" \
	--essential-hook="$dir/hooks/essential \"\$1\"" \
	--customize-hook="$dir/hooks/customize \"\$1\" $here $dir" \
	"$suite" /dev/null \
	"deb $mirror $suite main" >"$dir/log" 2>&1 || {
	tail -n 20 "$dir/log" >&2
	fail "mmdebstrap failed; the whole output: $dir/log"
}
rmdir "$dir/bind"
rm -r "$dir/hooks"
touch "$dir/complete"
# what an older script has made
find "$cache" -maxdepth 1 -name "$kind-????????????" ! -name "$kind-$stamp" \
	-exec rm -rf {} +
echo "image: made in $(($(date +%s) - begin)) s" >&2
echo "$dir"
