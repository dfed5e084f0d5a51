#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Type a page's commands on this host, which is the control node of guests: full Debian
systems of build.sh that are reached by ssh. Each has a port on this host's loopback for ssh
and for each other service. From a guest the host's loopback is 10.0.2.2, through which the
guests reach each other's services.

The dialogue is written as walk.py's are. "ssh node1" works in it, by a wrapper in PATH that
has the ports and a key.
"""

import argparse
import pathlib
import platform
import signal
import socket
import subprocess
import sys
import tempfile
import time

import boot
import rehearse
import walk
from boot import run

sys.path.insert(0, str(boot.HERE.parent.parent / "tests"))
from lib.tap import tap  # noqa: E402 pylint: disable=wrong-import-position

PACKAGES = ("dbus openssh-server python3 python3-apt systemd-journal-remote"
            " nfs-kernel-server nfs-common")
# what packages.sh has made
PACKAGES_MADE = boot.HERE.parent.parent / "build/image/packages"
# the packages are built on this host, so that the guests have its release
RELEASE = platform.freedesktop_os_release().get("VERSION_CODENAME", "")
FSTAB = """\
LABEL=root /     ext4 defaults 0 1
LABEL=srv  /srv  ext4 defaults 0 2
"""
NETWORK = "[Match]\nType=ether\n[Network]\nAddress=10.0.2.15/24\n"
# PAM asks logind, which does not run here
SSHD = "UsePAM no\nUseDNS no\nMaxStartups 100\n"
# a boot on a busy host takes minutes
TIMEOUT = 1200


def free_ports(count):
    """Ports of the loopback that nobody uses now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Fleet:
    """Guests in a directory. As a context it ends with none of them running."""

    def __init__(self, work, names, services=()):
        """services: ports in the guests besides ssh's"""
        self.work = work
        self.processes = {}
        made = subprocess.run([boot.HERE / "build.sh", RELEASE, *PACKAGES.split()],
                              check=True, stdout=subprocess.PIPE, encoding="utf-8")
        self.image = pathlib.Path(made.stdout.strip())
        boot.copy_kernel(self.image, work)
        self.ports = {name: dict(zip((22, *services), free_ports(1 + len(services))))
                      for name in names}
        self._ssh()
        self.env = {**run.ENVIRONMENT, "HOME": str(work),
                    "PATH": f"{work}/bin:{run.ENVIRONMENT['PATH']}",
                    "ANSIBLE_PIPELINING": "1", "ANSIBLE_REMOTE_USER": "root",
                    "ANSIBLE_NOCOLOR": "1"}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes.values():
            process.kill()
            process.wait()

    def _ssh(self):
        key = self.work / "key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
        config = self.work / "ssh_config"
        config.write_text("".join(
            f"Host {name}\nHostName 127.0.0.1\nPort {ports[22]}\n"
            for name, ports in self.ports.items()) +
            f"Host *\nUser root\nIdentityFile {key}\nIdentitiesOnly yes\n"
            "StrictHostKeyChecking no\nUserKnownHostsFile /dev/null\nLogLevel ERROR\n"
            "ConnectTimeout 60\nServerAliveInterval 60\n", "utf-8")
        programs = {name: f'exec /usr/bin/{name} -F {config} "$@"'
                    for name in ("ssh", "scp", "sftp")}
        # the loss of a guest's power
        programs["crash"] = f'kill -9 "$(cat {self.work}/$1.pid)"'
        (self.work / "bin").mkdir()
        for name, text in programs.items():
            program = self.work / "bin" / name
            program.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
            program.chmod(0o755)

    def make(self, name):
        """Make the disks of a guest."""
        root, data = self.work / f"{name}.root", self.work / f"{name}.srv"
        run.make_disk(data, "ext4", mib=256, label="srv")
        boot.copy_root(self.image, root)
        files = {"/etc/fstab": FSTAB, "/etc/hostname": f"{name}\n",
                 "/etc/hosts": f"127.0.0.1 localhost {name}\n",
                 "/etc/systemd/network/fleet.network": NETWORK,
                 "/etc/ssh/sshd_config.d/fleet.conf": SSHD,
                 "/root/.ssh/authorized_keys": (self.work / "key.pub").read_text("utf-8")}
        (self.work / name).mkdir()
        rehearse.put_into(root, files, rehearse.ON_DEMAND, self.work / name)

    def start(self, name):
        """Boot a guest; its disks stay as they are."""
        forwards = "".join(f",hostfwd=tcp:127.0.0.1:{port}-:{guest}"
                           for guest, port in self.ports[name].items())
        command = boot.machine(
            self.work, [self.work / f"{name}.srv", self.work / f"{name}.root"],
            "systemd.mask=autorun.service systemd.show_status=no"
            " systemd.wants=systemd-networkd.service systemd.wants=ssh.service",
            "-no-reboot", "-serial", f"file:{self.work / name}.console",
            "-netdev", f"user,id=net{forwards}", "-device", "virtio-net-pci,netdev=net")
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        (self.work / f"{name}.pid").write_text(f"{process.pid}\n", "utf-8")
        self.processes[name] = process

    def wait(self, name):
        """Wait until a guest answers by ssh."""
        end = time.monotonic() + TIMEOUT
        while self.ssh(name, "true").returncode:
            if self.processes[name].poll() is not None or time.monotonic() > end:
                log = (self.work / f"{name}.console").read_text(errors="backslashreplace")
                raise TimeoutError(f"{name} does not answer:\n{log[-2000:]}")
            time.sleep(1)

    def ssh(self, name, command):
        """Run a shell command in a guest; the result has bytes."""
        return subprocess.run(["ssh", name, command], env=self.env, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True)


def prepare(fleet, control):
    """Fill the control node's directory: a utf8val clone, the command, packages."""
    control.mkdir()
    (fleet.work / "bin/utf8val").symlink_to(boot.HERE.parent.parent / "build/utf8val")
    (control / "utf8val").symlink_to(boot.HERE.parent.parent)
    (control / "packages").mkdir()
    for package in PACKAGES_MADE.glob("*/*.deb"):
        if package.parent.name in ("first", "command"):
            (control / "packages" / package.name).symlink_to(package)
    for name, ports in fleet.ports.items():
        for guest, port in ports.items():
            fleet.env[f"{name}_{guest}"] = str(port)


def typed(fleet, control, dialogue, log):
    """(name, what is wrong) of each command of a dialogue."""
    for _, command, lines in walk.steps(dialogue.read_text("utf-8")):
        begin = time.monotonic()
        done = subprocess.run(["bash", "-c", command], cwd=control, env=fleet.env, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        said = done.stdout.decode("utf-8", "backslashreplace")
        log.write(f"$ {command}\n{said}# {time.monotonic() - begin:.0f} s\n")
        log.flush()
        yield command, [] if walk.pattern(lines).fullmatch(said) else \
            ["wanted:", *lines, "printed:", *said.splitlines()[-60:]]


def results(args, work, log):
    names = [f"node{number}" for number in range(1, args.guests + 1)]
    if args.page:
        steps = [step for path in args.dialogue for step in walk.steps(path.read_text("utf-8"))]
        yield f"each line of {args.page} is typed", \
            walk.not_typed(args.page.read_text("utf-8"), steps)
    with Fleet(work, names, args.service) as fleet:
        for name in names:
            fleet.make(name)
            fleet.start(name)
        prepare(fleet, work / "control")
        for name in names:
            fleet.wait(name)
        for path in args.dialogue:
            yield from typed(fleet, work / "control", path, log)


def main():
    parser = argparse.ArgumentParser(
        description="Type the commands of pages on this host, beside guests named node1, node2,"
        " and so on; TAP on standard output.")
    parser.add_argument("--service", type=int, action="append", default=[], metavar="PORT",
                        help="a port in the guests; $NODE_PORT, such as $node1_2049, is the"
                        " one on this host's loopback that leads there")
    parser.add_argument("--page", type=pathlib.Path,
                        help="each indented line of this page has to be typed")
    parser.add_argument("log", type=pathlib.Path)
    parser.add_argument("guests", type=int)
    parser.add_argument("dialogue", type=pathlib.Path, nargs="+", help="with console blocks")
    args = parser.parse_args()
    args.log.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="utf8val-fleet-") as work, \
            args.log.open("w", encoding="utf-8") as log:
        return tap(results(args, pathlib.Path(work), log))


def on_signal(number, _):
    """End so that the guests end, too."""
    sys.exit(128 + number)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, on_signal)
    boot.end_with("fleet", main)
