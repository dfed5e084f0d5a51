#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Boot a full Debian with a shell on this terminal, to rehearse the work on a server.
The packages to install are in /host. /srv is a separate ext4 disk with some names of
old charsets. `make rehearse` calls this.

/host in it is DIRECTORY/host here. Its disks stay in DIRECTORY, so that it goes on where
it was left; --new begins again. Ctrl-A x ends it at once.

Exit status: QEMU's; 1 when the machine cannot be made; 2 for unusable arguments.
"""

import argparse
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time

import boot
from boot import run

HERE = pathlib.Path(__file__).parent
# The packages are built here, so the guest is the release that has their libraries.
RELEASES = ["bookworm", "trixie"]
NEEDED = ["qemu-system-x86_64", "mkfs.ext4", "debugfs", "mmdebstrap",
          "dpkg-buildpackage", "dh_clean", "clang"]
# (directory of /srv, charset, names), as on a server that has seen several decades
OLD_NAMES = [
    ("mail", "koi8-r", ["Договор", "Письмо", "Москва", "Приглашение", "Отчёт"]),
    ("photos", "cp850", ["Müller", "Grüße", "Straße", "Frühstück"]),
    ("scans", "shift_jis", ["日本語", "請求書", "報告書"]),
    ("music", "utf-8", ["Dvořák", "Sibelius", "坂本龍一"]),
]
FSTAB = """\
LABEL=root /     ext4 defaults 0 1
LABEL=srv  /srv  ext4 defaults 0 2
host       /host 9p   trans=virtio,version=9p2000.L,nofail 0 0
"""
LOGIN = """\
[Service]
ExecStart=
ExecStart=-/sbin/agetty --autologin root --noissue --keep-baud 115200,57600,38400,9600 - $TERM
"""
MOTD = """\
This machine is there to be broken. The packages to install are in /host, the data is on
/srv, root's password is "root". Ctrl-A x ends it.
"""
UNITS = "/etc/systemd/system"
GETTY = f"{UNITS}/serial-getty@ttyS0.service.d"
# reboot asks logind, over D-Bus; both are started when they are asked, not at boot
ON_DEMAND = [f"{UNITS}/systemd-logind.service"] + [
    f"/usr/lib/systemd/system/multi-user.target.wants/{name}.service"
    for name in ("systemd-logind", "dbus")]
BEGIN = time.monotonic()


def step(text):
    print(f"== {time.monotonic() - BEGIN:.0f} s: {text}", flush=True)


def arguments():
    parser = argparse.ArgumentParser(
        description="Boot a full Debian with a shell on this terminal.")
    parser.add_argument("--new", action="store_true", help="begin again, with new disks")
    parser.add_argument("--append", default="", metavar="WORDS",
                        help="more for the kernel's command line")
    parser.add_argument("--packages", default="", metavar="NAMES",
                        help="more of the release's packages, in a new machine")
    parser.add_argument("made", type=pathlib.Path, help="where packages.sh puts packages")
    parser.add_argument("directory", type=pathlib.Path)
    args = parser.parse_args()
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        sys.exit("rehearse: this is for a terminal, and standard input or output is none")
    missing = [name for name in NEEDED
               if not shutil.which(name, path=run.ENVIRONMENT["PATH"])]
    if missing:
        sys.exit(f"rehearse: there is no {', no '.join(missing)};"
                 " 'make deps-rehearse' installs it")
    return args


def release():
    name = platform.freedesktop_os_release().get("VERSION_CODENAME")
    if name not in RELEASES:
        sys.exit(f"rehearse: packages that are built here suit {name or 'no Debian'};"
                 f" the machine can only be {' or '.join(RELEASES)}")
    return name


def build(made, imager):
    """Make the packages beside what imager runs; what that prints."""
    with subprocess.Popen([HERE / "packages.sh", made, "first"]) as packing, \
            subprocess.Popen(imager, stdout=subprocess.PIPE, encoding="utf-8") as imaging:
        image = imaging.communicate()[0].strip()
    if imaging.returncode or packing.returncode:
        sys.exit("rehearse: the machine cannot be made, as said above")
    return image


def fill(tree):
    """Make the files of the data disk."""
    for directory, charset, names in OLD_NAMES:
        (tree / directory).mkdir(parents=True)
        for name in names:
            path = os.fsencode(tree / directory) + b"/" + name.encode(charset) + b".txt"
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"{name}\n")


def put_into(disk, files, removed, work):
    """Write files, {path: text}, into an ext4 disk that is not mounted, and remove some."""
    lines = [f"mkdir {os.path.dirname(path)}" for path in files]
    lines += [f"rm {path}" for path in removed]
    for number, (path, text) in enumerate(files.items()):
        (work / str(number)).write_text(text, "utf-8")
        lines += [f"rm {path}", f"write {work / str(number)} {path}"]
    (work / "commands").write_text("\n".join(lines) + "\n", "utf-8")
    subprocess.run(["debugfs", "-w", "-f", work / "commands", disk], check=True,
                   env=run.ENVIRONMENT, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def make_machine(image, directory):
    """New disks, and the kernel of their image beside them. The root's disk comes last,
    so that it is there when all are."""
    with tempfile.TemporaryDirectory(dir=directory) as name:
        work = pathlib.Path(name)
        fill(work / "srv")
        run.make_disk(work / "data.disk", "ext4", work / "srv", 256, "srv")
        boot.copy_root(image, work / "root.disk")
        put_into(work / "root.disk", {"/etc/fstab": FSTAB, "/etc/motd": MOTD,
                                      f"{GETTY}/login.conf": LOGIN}, ON_DEMAND, work)
        boot.copy_kernel(image, work)
        for made in ("kernel", "initrd", "data.disk", "root.disk"):
            (work / made).rename(directory / made)


def main():
    args = arguments()
    suite = release()
    host = args.directory / "host"
    host.mkdir(parents=True, exist_ok=True)
    disks = [args.directory / "data.disk", args.directory / "root.disk"]
    if args.new:
        disks[1].unlink(missing_ok=True)
    new = not disks[1].exists()
    if new:
        step("a Debian with systemd, and the packages (the first time two minutes)")
        image = build(args.made, [HERE / "build.sh", suite, "dbus", *args.packages.split()])
        make_machine(pathlib.Path(image), args.directory)
    elif args.packages:
        sys.exit("rehearse: PACKAGES= is for a new machine; NEW=yes makes one")
    else:
        step("the disks are those of the last time; NEW=yes begins again")
        build(args.made, ["true"])
    for kind in ("first", "command"):
        for package in (args.made / kind).glob("*.deb"):
            shutil.copy(package, host)
    kvm = boot.accelerator(args.directory / "kernel")
    step(f"booting {'with KVM (seconds)' if kvm else 'without KVM (half a minute)'};"
         f" /host there is {host} here")
    return subprocess.run(boot.machine(
        args.directory, disks, "systemd.mask=autorun.service systemd.show_status=auto"
        f" systemd.wants=serial-getty@ttyS0.service {args.append}",
        *kvm, "-serial", "mon:stdio", "-virtfs",
        f"local,path={host},mount_tag=host,security_model=none"),
        check=False).returncode


if __name__ == "__main__":
    boot.end_with("rehearse", main)
