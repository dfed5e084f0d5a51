#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Boot a kernel in QEMU, run one program there, and hand out its output and its exit
status. The shared libraries that it is linked with come along.

The program starts in /mnt, a file system mounted with utf8val=MODE. The guest's init
reports the exit status on a second serial port. A guest that hangs, panics or reboots
reports nothing and has failed.

Exit status: the program's own; 124 when time ran out; 125 when the guest or its kernel
failed; 2 for unusable arguments. The guest failed when its init reported nothing; the
end of the kernel's log is shown. The kernel failed when it reported a warning, an oops,
or a finding of KASAN, UBSAN, lockdep or kmemleak.

QEMU emulates the processor, which works everywhere. With ACCEL=kvm in the environment it
uses the host's, which is several times as fast where /dev/kvm works.
"""

import argparse
import contextlib
import lzma
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from xml.etree import ElementTree

MKFS = {
    "tmpfs": None,
    "none": None,
    "ext4": ["mkfs.ext4", "-q", "-F"],
    "ext2": ["mkfs.ext2", "-q", "-F"],
    # an ext4 whose directories may ignore case
    "casefold": ["mkfs.ext4", "-q", "-F", "-O", "casefold"],
    "xfs": ["mkfs.xfs", "-q", "-f"],
    "btrfs": ["mkfs.btrfs", "-q", "-f"],
    "vfat": ["mkfs.vfat"],
    "exfat": ["mkfs.exfat"],
}
# mkfs and modprobe are in directories that not every user has in PATH
ENVIRONMENT = dict(os.environ, PATH=os.environ["PATH"] + ":/usr/sbin:/sbin")
DISK_MIB = {"xfs": 320, "btrfs": 256}
# modules that a distribution's kernel has to load for a disk of each kind
MODULES = {"casefold": ["ext4"],
           "vfat": ["vfat", "nls_cp437", "nls_ascii", "nls_iso8859-1"],
           "exfat": ["exfat", "nls_iso8859-1"]}
# how a kernel begins to report a fault in itself (a general protection fault in a
# program is reported with the program's ip)
SPLAT = re.compile(
    r"BUG:|WARNING:|KASAN:|UBSAN:|Oops|general protection fault(?! ip:)|"
    r"kernel BUG at|"
    r"INFO: (task|rcu|possible|lockdep|trying)|soft lockup|unreferenced object|"
    r"possible recursive locking|suspicious RCU usage|bad unlock balance")

# On a busy host a kernel may measure the CPU's counter as a hundred times too slow. The
# kernel prefers an interrupted measurement with the timer chip to a good measurement
# with the HPET. From then on the kernel's clock runs a hundred times too fast. The HPET
# itself keeps time.
NO_TSC = "tsc=unstable"

# Distributions' kernels report tasks that have not run for two minutes or less, which a
# busy host may take from a guest. So both limits are raised: the first to its maximum,
# the other to twenty minutes.
PATIENT = "sysctl.kernel.watchdog_thresh=60 sysctl.kernel.hung_task_timeout_secs=1200"


def modes():
    """The modes that utf8val= accepts, from the list in the guard's sources."""
    header = pathlib.Path(__file__).parents[1] / "bpf/shared/modes.h"
    _, rows = header.read_text(encoding="ascii").split("#define UTF8VAL_MODE_LIST(", 1)
    return re.findall(r"^\t(?:X|LAST)\(\w+, (\w+), ", rows.partition("\n\n")[0], re.M)


def arguments():
    parser = argparse.ArgumentParser(
        description="Run a program in a virtual machine whose file"
                    " system is mounted with utf8val=.")
    parser.add_argument("--kernel", type=pathlib.Path)
    parser.add_argument("--stock", type=pathlib.Path, metavar="DIR",
                        help="a distribution's kernel instead: a directory"
                             " that stock_kernel.sh has printed")
    parser.add_argument("--guard", type=pathlib.Path, metavar="PROGRAM",
                        help="start this utf8val-guard first")
    parser.add_argument("--module", action="append", default=[],
                        metavar="NAME", help="one of --stock's modules to"
                        " load, besides those that the disks need")
    parser.add_argument("--init", required=True, type=pathlib.Path)
    parser.add_argument("--fs", default="tmpfs", choices=MKFS,
                        help="what is mounted on /mnt (default %(default)s)")
    parser.add_argument("--mode", default="enforce", choices=["none", *modes()])
    parser.add_argument("--timeout", type=float, default=1800, metavar="SECONDS",
                        help="when to give up (default %(default)g)")
    parser.add_argument("--memory", type=int, default=512, metavar="MIB")
    parser.add_argument("--cpus", type=int, default=1)
    parser.add_argument("--count", action="store_true",
                        help="let the guest's clock count instructions")
    parser.add_argument("--disk", action="append", default=[], metavar="FS",
                        choices=MKFS, help="one more disk, formatted so")
    parser.add_argument("--root", action="store_true",
                        help="start from an ext4 disk, not from an initramfs")
    parser.add_argument("--file", action="append", default=[],
                        metavar="HOST[:GUEST]", help="put a file into the guest,"
                        " without GUEST at the same absolute path as on this host")
    parser.add_argument("--program", action="append", default=[],
                        metavar="HOST[:GUEST]", help="put a program into the"
                        " guest, with its shared libraries")
    parser.add_argument("--append", action="append", default=[],
                        help="more for the kernel's command line")
    parser.add_argument("--log", type=pathlib.Path,
                        help="keep the kernel's messages there")
    parser.add_argument("--junit", type=pathlib.Path, metavar="FILE",
                        help="write the result as JUnit XML: each TAP point of the"
                        " program, or the program as one test case")
    parser.add_argument("test", type=pathlib.Path,
                        help="a program, or a script that begins with #!/bin/sh")
    parser.add_argument("args", nargs=argparse.REMAINDER,
                        help="the program's arguments, options included")
    args = parser.parse_args()
    if args.args[:1] == ["--"]:
        del args.args[0]
    args.append = " ".join(args.append)
    if bool(args.kernel) == bool(args.stock):
        parser.error("either --kernel or --stock")
    if args.stock and args.root:
        parser.error("--root: a stock kernel has ext4 in a module")
    if args.stock:
        args.kernel = args.stock / "vmlinuz"
        # edd looks for a BIOS's disks, which takes a minute on an emulated processor
        args.append += " edd=off"
    for path in [args.kernel, args.init, args.test]:
        if not path.is_file():
            parser.error(f"{path}: no such file")
    for path in [args.log, args.junit]:
        if path and not path.parent.is_dir():
            parser.error(f"{path.parent}: no such directory")
    return args


def unusable(why):
    """End with the status of unusable arguments."""
    print("vm:", why, file=sys.stderr)
    sys.exit(2)


def libraries(program):
    """The shared libraries that a program of this machine is linked with."""
    shown = subprocess.run(["ldd", program], check=False, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    # ldd shows none for a static program, nor for one of another architecture
    return re.findall(r"(/\S+) \(0x", shown.stdout)


def add_shell(root, test):
    """Put busybox and links to it into the root, where the test is a shell script."""
    with open(test, "rb") as file:
        first = file.readline(200)
    if not first.startswith(b"#!"):
        return
    if first[2:].split()[:1] not in ([b"/bin/sh"], [b"/usr/bin/sh"]):
        unusable(f"{test} is a script for {first[2:].strip()!r}; the guest has"
                 " /bin/sh only")
    busybox = shutil.which("busybox", path=ENVIRONMENT["PATH"])
    if not busybox or libraries(busybox):
        unusable(f"{test} is a script, which needs a static busybox in the guest;"
                 " run: apt-get install busybox-static")
    (root / "bin").mkdir(exist_ok=True)
    shutil.copy(busybox, root / "bin/busybox")
    applets = subprocess.run([busybox, "--list"], check=True, text=True,
                             stdout=subprocess.PIPE).stdout.split()
    for name in applets:
        link = root / "bin" / name
        if not link.exists():
            link.symlink_to("busybox")


def pair(word):
    """The host's path of a file for the guest, and the guest's."""
    host, _, guest = word.partition(":")
    return host, guest or os.path.abspath(host)


def gather(work, args):
    """The root directory: init, the test, its arguments, and what else was asked for."""
    root = work / "root"
    root.mkdir()
    programs = [(args.test, "test")]
    programs += [pair(word) for word in args.program]
    if args.guard:
        programs.append((args.guard, "sbin/utf8val-guard"))
    files = [(args.init, "init"), *programs]
    files += [pair(word) for word in args.file]
    files += [(path, path) for program, _ in programs for path in libraries(program)]
    (root / "arguments").write_bytes(
        b"".join(os.fsencode(arg) + b"\0" for arg in args.args))
    for host, guest in files:
        target = root / guest.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(host, target)
    for guest in ["init", *(guest for _, guest in programs)]:
        (root / guest.lstrip("/")).chmod(0o755)
    add_shell(root, args.test)
    return root


def add_modules(root, stock, names):
    """Put modules and what they need into the root, in the order to load."""
    paths = []
    release = (stock / "release").read_text().strip()
    for name in names:
        shown = subprocess.run(
            ["modprobe", "--dirname", stock, "--set-version", release,
             "--config", "/dev/null", "--show-depends", name],
            env=ENVIRONMENT, check=True, text=True, capture_output=True).stdout
        for line in shown.splitlines():
            word, path, *_ = line.split()
            if word == "insmod" and path not in paths:
                paths.append(path)
    (root / "modules").mkdir()
    for number, path in enumerate(paths):
        file = pathlib.Path(path)
        content = file.read_bytes()
        if file.suffix == ".xz":
            content = lzma.decompress(content)
            file = file.with_suffix("")
        (root / "modules" / f"{number:03} {file.name}").write_bytes(content)


def pack(work, root):
    """An initramfs of the root directory."""
    archive = work / "initramfs.cpio"
    names = sorted(str(p.relative_to(root)) for p in root.rglob("*"))
    # devtmpfs is mounted over it; until then it holds the initial console
    with open(archive, "wb") as out:
        subprocess.run(["cpio", "--quiet", "-o", "-H", "newc", "-R", "0:0"],
                       cwd=root, stdout=out, check=True, input="\n".join(names).encode())
    return archive


def make_disk(path, kind, tree=None, mib=64, label=None):
    """Make a disk of `mib` MiB, or of the size that its kind needs. An ext4 may have a
    label, and the files of a tree."""
    with open(path, "wb") as disk:
        disk.truncate(DISK_MIB.get(kind, mib) << 20)
    if MKFS[kind]:
        options = ["-d", tree, "-E", "root_owner=0:0"] if tree else []
        options += ["-L", label] if label else []
        try:
            subprocess.run([*MKFS[kind], *options, path], check=True,
                           env=ENVIRONMENT, stdout=subprocess.DEVNULL)
        except FileNotFoundError:
            unusable(f"{MKFS[kind][0]} is missing; 'make deps-vm-full' installs it")


# The differences between architectures: the machine, the ports, and the position of an
# architecture's magic bytes in a kernel's image. x86-64 has q35, because i440FX finds a
# device's interrupt in a loop that ACPI interprets. This loop takes a quarter of a
# minute for each device on a kernel with its checkers.
CONSOLES = ["-chardev", "stdio,id=tap", "-device", "virtconsole,chardev=tap",
            "-chardev", "file,id=status,path={status}",
            "-device", "virtconsole,chardev=status"]
MACHINES = {
    # an 8250 with two ports on the PCI bus, besides the board's own port
    "aarch64": (["-machine", "virt", "-cpu", "cortex-a57",
                 "-chardev", "stdio,id=tap", "-chardev",
                 "file,id=status,path={status}", "-device",
                 "pci-serial-2x,chardev1=tap,chardev2=status",
                 "-serial", "file:{log}"],
                "console=ttyAMA0", (56, b"ARM\x64")),
    "riscv64": (["-machine", "virt", "-serial", "file:{log}",
                 "-device", "virtio-serial-pci", *CONSOLES],
                "console=ttyS0 PORTS=hvc", (56, b"RSC\x05")),
    "s390x": (["-machine", "s390-ccw-virtio", "-serial", "file:{log}",
               "-device", "virtio-serial-ccw", *CONSOLES],
              "console=ttyS0 PORTS=hvc", (0x10008, b"S390EP")),
    "x86_64": (["-machine", "q35", "-bios", "qboot.rom",
                "-serial", "stdio", "-serial", "file:{status}",
                "-serial", "file:{log}"],
               "console=ttyS2 no_timer_check", (0x202, b"HdrS")),
}


def architecture(kernel):
    """The architecture that a kernel's image names."""
    image = kernel.read_bytes()
    for arch, (_, _, (place, magic)) in MACHINES.items():
        if image.startswith(magic, place):
            return arch
    sys.exit(f"vm: {kernel} is no kernel for {', '.join(MACHINES)}")


def qemu(args, arch, work, root, disks, line):
    """The command that boots a machine."""
    command = [
        f"qemu-system-{arch}", "-nodefaults", "-no-user-config", "-no-reboot",
        "-display", "none", "-m", str(args.memory), "-smp", str(args.cpus),
        *(word.format(status=work / "status", log=args.log)
          for word in MACHINES[arch][0]),
        "-kernel", str(args.kernel),
    ]
    if args.count:
        command += ["-icount", "shift=0,sleep=off"]
    elif os.environ.get("ACCEL", "tcg") == "kvm":
        # not by default: a /dev/kvm that can be opened may still fail to run a kernel
        command += ["-accel", "kvm", "-cpu", "host"]
    elif args.cpus > 1:
        # A kernel changes its own code: static keys when a busy host makes its clock look
        # unstable, ftrace, BPF. Another emulated processor may be running that code
        # meanwhile, and in rare cases sees half of a change, which a real processor would
        # not. With one thread the processors run in turns, and never see that.
        command += ["-accel", "tcg,thread=single"]
    for disk in disks:
        command += ["-drive", f"file={disk},if=virtio,format=raw"]
    if not args.root:
        command += ["-initrd", str(pack(work, root))]
    return [*command, "-append", line]


def run_machine(args, arch, work, root, disks, line):
    """Run a kernel in QEMU to its end; False if that has not come in time."""
    command = qemu(args, arch, work, root, disks, line)
    try:
        with contextlib.ExitStack() as stack:
            output = None
            if args.junit:
                # tee shows the output at once, and ends with the last writer
                tee = stack.enter_context(subprocess.Popen(
                    ["tee", work / "output"], stdin=subprocess.PIPE))
                output = tee.stdin
            subprocess.run(command, check=False, stdin=subprocess.DEVNULL,
                           stdout=output, timeout=args.timeout)
    except subprocess.TimeoutExpired:
        return False
    except FileNotFoundError:
        unusable(f"{command[0]} is missing; "
                 f"'make deps-{'vm' if arch == 'x86_64' else 'vm-full'}' installs it")
    return True


def write_junit(path, test, output, status, seconds):
    """Write the guest program's result as JUnit XML: one test case for each point of its
    TAP, and one for its exit status."""
    suite = ElementTree.Element("testsuite", name=test.name, time=f"{seconds:.3f}")
    # XML has no control characters, and a program may print any bytes
    text = re.sub(r"[^\t\n -~]", lambda found: f"\\x{ord(found[0]):02x}", output)
    points = re.findall(r"^(not )?ok\b *\d* *-? *(.*)", text, re.M)
    results = [(name.partition(" # ")[0] or "point", "not ok" if fails else "",
                re.search(r"# SKIP\b *(.*)", name, re.I)) for fails, name in points]
    results.append(("exit status", f"exit status {status}" if status else "", None))
    for name, fault, skip in results:
        case = ElementTree.SubElement(suite, "testcase", classname=test.name, name=name)
        if fault:
            ElementTree.SubElement(case, "failure", message=fault)
        elif skip:
            ElementTree.SubElement(case, "skipped", message=skip[1])
    ElementTree.SubElement(suite, "system-out").text = text
    suite.set("tests", str(len(results)))
    suite.set("failures", str(sum(bool(fault) for _, fault, _ in results)))
    suite.set("skipped", str(sum(bool(skip) for _, _, skip in results)))
    ElementTree.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)


def boot(args, work):
    root = gather(work, args)
    args.log = args.log or work / "kernel.log"
    kinds = ([args.fs] if MKFS[args.fs] else []) + args.disk
    if args.stock:
        modules = list(args.module)
        for kind in kinds:
            modules += MODULES.get(kind, [kind])
        if kinds:
            modules += ["virtio_pci", "virtio_blk"]
        add_modules(root, args.stock, modules)
    disks = [work / f"disk{number}" for number in range(len(kinds))]
    for disk, kind in zip(disks, kinds):
        make_disk(disk, kind)
    start = ""
    if args.root:
        for name in ["dev", "proc", "sys", "tmp", "mnt"]:
            (root / name).mkdir()
        disks.append(work / "root.disk")
        make_disk(disks[-1], "ext4", root)
        start = f"root=/dev/vd{'abcdefgh'[len(kinds)]} rw init=/init"
    arch = architecture(args.kernel)
    # A busy host stops the guest at any time. The timer's interrupts may then come too
    # late for the kernel's own test of the timer. A task may come too late for other
    # tasks that wait for it.
    line = " ".join([
        MACHINES[arch][1], "panic=-1 reboot=t random.trust_cpu=1",
        "rcupdate.rcu_cpu_stall_timeout=300", PATIENT if args.stock else "",
        NO_TSC if arch == "x86_64" and not args.count else "",
        "kunit.enable=0", start, f"FS={args.fs} MODE={args.mode}",
        "GUARD=started" if args.guard else "", args.append])
    begin = time.monotonic()
    in_time = run_machine(args, arch, work, root, disks, line)
    status = result(args, work, in_time)
    if args.junit:
        output = (work / "output").read_text(encoding="utf-8", errors="replace")
        write_junit(args.junit, args.test, output, status, time.monotonic() - begin)
    return status


def result(args, work, in_time):
    """The exit status, by what the guest's init and the kernel have reported."""
    status = work / "status"
    word = status.read_text(errors="replace").split() if status.exists() else []
    messages = args.log.read_text(errors="backslashreplace").splitlines()
    if len(word) == 2 and word[0] == "exit" and word[1].isdigit():
        for number, line in enumerate(messages):
            if SPLAT.search(line):
                print("\n".join(messages[number:number + 60]), file=sys.stderr)
                print("vm: the kernel complained of itself; above, what it"
                      " said", file=sys.stderr)
                return 125
        return int(word[1])
    print("\n".join(messages[-40:]), file=sys.stderr)
    if not in_time:
        print(f"vm: no result within {args.timeout:g} s; above, the kernel's"
              " last messages", file=sys.stderr)
        return 124
    print("vm: the machine ended without a result; above, the kernel's last"
          " messages", file=sys.stderr)
    return 125


def main():
    # files that are opened later must not get the numbers of standard input, output and
    # error
    while (lowest := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(lowest)
    args = arguments()
    # a signal must end the program by an exception, so that the temporary directory is
    # removed
    for each in (signal.SIGTERM, signal.SIGHUP):
        # an ignored signal stays ignored, as nohup has it
        if signal.getsignal(each) != signal.SIG_IGN:
            signal.signal(each, lambda number, _: sys.exit(128 + number))
    with tempfile.TemporaryDirectory(prefix="utf8val-vm-") as work:
        return boot(args, pathlib.Path(work))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except subprocess.CalledProcessError as error:
        sys.exit(f"vm: {error}")
