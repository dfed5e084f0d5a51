#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Boot a full Debian in QEMU, with systemd, one time after another from the same disk,
and run a program in it each time. Suites of tests/suites.py call this.

build.sh makes the disk; what is done to it here is done to a copy. DIRECTORY
becomes a disk of its own; in it, "run" is started in the guest as root with the
phase as $PHASE. Its output, TAP, comes back as one flat stream over all phases.

In the guest /dev/vda and /dev/vdb are empty ext4 file systems, labelled scratch and
data. Files on data stay from phase to phase.

Exit status: 2 for unusable arguments; 1 when a phase did not end with 0, a point
failed, or a kernel reported an error; otherwise 0.
"""

import argparse
import lzma
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import run  # noqa: E402 pylint: disable=wrong-import-position

# what people bring files in with, and what else decides about names
PACKAGES = ("zip unzip git samba smbclient nfs-kernel-server nfs-common apparmor"
            " selinux-policy-default policycoreutils selinux-utils")
POINT = re.compile(r"(not )?ok\b *\d* *(.*)")
PLAN = re.compile(r"1\.\.\d+$")


def arguments():
    parser = argparse.ArgumentParser(
        description="Boot a full Debian and run a program in it.")
    parser.add_argument("suite", choices=["bookworm", "trixie"])
    parser.add_argument("directory", type=pathlib.Path,
                        help="what becomes the guest's disk, with 'run' in it")
    parser.add_argument("phases", nargs="+", metavar="PHASE[:WORDS]",
                        help="WORDS are for the kernel's command line")
    parser.add_argument("--timeout", type=float, default=600, metavar="SECONDS",
                        help="for each phase (default %(default)g)")
    parser.add_argument("--packages", default="", metavar="NAMES",
                        help="more of the release's packages, for the image")
    parser.add_argument("--logs", type=pathlib.Path, default=None,
                        help="keep what the console and the program say there")
    args = parser.parse_args()
    if not os.access(args.directory / "run", os.X_OK):
        parser.error(f"{args.directory}/run: no program")
    return args


def copy_kernel(image, directory):
    """Copy an image's kernel and initrd. A kernel that is packed by xz is unpacked, which
    takes an emulated processor six seconds; QEMU boots the ELF file in it, too (PVH)."""
    shutil.copy(image / "initrd", directory)
    kernel = (image / "vmlinuz").read_bytes()
    # where a bzImage has it: Documentation/arch/x86/boot.rst of the kernel's sources
    begin = (kernel[0x1f1] + 1) * 512 + struct.unpack_from("<I", kernel, 0x248)[0]
    if kernel.startswith(b"\xfd7zXZ\0", begin):
        kernel = lzma.LZMADecompressor().decompress(kernel[begin:])
    (directory / "kernel").write_bytes(kernel)


def machine(directory, disks, words, *more):
    """The command that boots the kernel in a directory; its root is the last disk."""
    command = [
        "qemu-system-x86_64", "-nodefaults", "-no-user-config",
        "-machine", "q35", "-display", "none", "-bios", "qboot.rom",
        "-m", "1024",
        "-kernel", str(directory / "kernel"), "-initrd", str(directory / "initrd"),
        "-append", " ".join([
            f"root=/dev/vd{'abcd'[len(disks) - 1]} ro console=ttyS0 panic=-1",
            "random.trust_cpu=1",
            "no_timer_check", run.NO_TSC, "rcupdate.rcu_cpu_stall_timeout=300",
            run.PATIENT,
            "quiet fsck.mode=skip edd=off", words]), *more]
    for disk in disks:
        command += ["-drive", f"file={disk},if=virtio,format=raw"]
    return command


def accelerator(kernel):
    """QEMU's words for the host's processor, or [] where KVM does not work. A /dev/kvm
    that can be opened may still fail to run a kernel, so the kernel is started once.
    Without a root the kernel panics, and the kernel's reboot ends QEMU. ACCEL=kvm in
    the environment leaves out the try, ACCEL=tcg the host's processor."""
    words = ["-accel", "kvm", "-cpu", "host"]
    asked = os.environ.get("ACCEL")
    if asked:
        return words if asked == "kvm" else []
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return []
    try:
        tried = subprocess.run(
            ["qemu-system-x86_64", "-nodefaults", "-no-user-config", "-machine", "q35",
             "-display", "none", "-bios", "qboot.rom", "-m", "256", *words, "-no-reboot",
             "-kernel", str(kernel), "-append", "panic=-1"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            timeout=10, check=False)
    except subprocess.TimeoutExpired:
        return []
    return [] if tried.returncode else words


def copy_root(image, path):
    subprocess.run(["cp", "--sparse=always", "--reflink=auto",
                    image / "root.disk", path], check=True)


def boot(args, directory, disks, name, words, log):
    """One boot: (TAP lines, what went wrong or None)."""
    tap = log.with_suffix(".tap")
    command = machine(
        directory, disks, f"systemd.show_status=no {words} PHASE={name}", "-no-reboot",
        # one thread, so that the processors run in turns: see vm/run.py
        "-smp", "2", "-accel", "tcg,thread=single",
        "-serial", f"file:{log}", "-serial", f"file:{tap}")
    trouble = "the machine ended without a result"
    try:
        subprocess.run(command, stdin=subprocess.DEVNULL, check=False,
                       timeout=args.timeout)
    except subprocess.TimeoutExpired:
        trouble = f"no end within {args.timeout:g} s"
    lines = tap.read_text(errors="backslashreplace").splitlines()
    for number, line in enumerate(lines):
        if line == "exit 0":
            return lines[:number], None
        if line.startswith("exit "):
            return lines[:number], f"its program ended with {line[5:]}"
    return lines, trouble


def main():
    args = arguments()
    count = failures = 0
    made = subprocess.run([HERE / "build.sh", args.suite,
                           *f"{PACKAGES} {args.packages}".split()], check=True,
                          stdout=subprocess.PIPE, encoding="utf-8")
    image = pathlib.Path(made.stdout.strip())
    with tempfile.TemporaryDirectory(prefix="utf8val-image-") as name:
        work = pathlib.Path(name)
        logs = args.logs or work
        logs.mkdir(parents=True, exist_ok=True)
        disks = [work / label for label in ("scratch", "data", "autorun")]
        run.make_disk(disks[0], "ext4", label="scratch")
        run.make_disk(disks[1], "ext4", mib=256, label="data")
        run.make_disk(disks[2], "ext4", args.directory, label="autorun")
        copy_root(image, work / "root")
        copy_kernel(image, work)
        disks.append(work / "root")
        for word in args.phases:
            phase, _, words = word.partition(":")
            log = logs / f"{args.suite}-{phase}.log"
            begin = time.monotonic()
            lines, trouble = boot(args, work, disks, phase, words, log)
            messages = log.read_text(errors="backslashreplace").splitlines()
            splat = [n for n, text in enumerate(messages) if run.SPLAT.search(text)]
            if splat and not trouble:
                trouble = "the kernel complained of itself"
            for line in lines:
                if PLAN.match(line):
                    continue
                point = POINT.match(line)
                if point:
                    count += 1
                    failures += bool(point[1])
                    line = f"{point[1] or ''}ok {count} - {phase}:" \
                           f" {point[2].lstrip('- ')}"
                print(line)
            print(f"# {phase}: {time.monotonic() - begin:.0f} s")
            if trouble:
                print(f"Bail out! {phase}: {trouble}")
                first = splat[0] if splat else -40
                print("\n".join(messages[first:][:60]), file=sys.stderr)
                return 1
    print(f"1..{count}")
    return 1 if failures or not count else 0


def end_with(name, function):
    """End with the status that a function returns, or a message of what went wrong."""
    try:
        sys.exit(function())
    except KeyboardInterrupt:
        sys.exit(130)
    except subprocess.CalledProcessError as error:
        sys.exit(f"{name}: {error}")
    except OSError as error:
        sys.exit(f"{name}: {error.filename or ''}: {error.strerror}")


if __name__ == "__main__":
    end_with("image", main)
