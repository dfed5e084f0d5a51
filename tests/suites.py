# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""The list of all test suites: tests/check.py runs them and lists their names.

A suite has these fields:
  name      the suite's name; of two calls with one name the first counts
  check     check: `make check`; all: only `make check-all`; full: `make check-vm-full`;
            exhaustive: `make check-exhaustive`; "-": there is no such suite
  packages  the suite's group in tools/packages
  command   text for sh, which prints TAP; B in a command stands for the directory build
  needs     what make builds before: files below build/
  targets   other targets that make builds before
  schedule  any: beside other suites; first: also, but started before the others, because
            the suite takes minutes; alone: without a neighbour

The rows of vm/kernels, vm/architectures and freestanding/boards/table make families of
suites. With KERNEL=/path in the environment, that kernel tree takes the place of the first
kernel in the suites that build a kernel. KERNEL_VERSION then says which version's patches
the tree gets.
"""

import collections
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import deps  # noqa: E402  pylint: disable=wrong-import-position
import table  # noqa: E402  pylint: disable=wrong-import-position

B = "build"
CHECKS = ("check", "all", "full", "exhaustive")
SCHEDULES = ("first", "any", "alone")
# how long a suite of each check may take, for timeout(1); nothing comes near
LIMITS = {"check": "2h", "all": "2h", "full": "6h", "exhaustive": "6h"}
Suite = collections.namedtuple("Suite", "check packages command needs schedule")
SUITES = {}

KERNELS = table.read(ROOT / "vm/kernels")
ARCHITECTURES = table.read(ROOT / "vm/architectures")
BOARDS = table.read(ROOT / "freestanding/boards/table")
FIRST = next(iter(KERNELS))
OWN_TREE = os.environ.get("KERNEL", "")
KERNEL_VERSION = os.environ.get("KERNEL_VERSION") or FIRST
# columns of vm/kernels whose suites build the kernel, so that KERNEL= replaces it
BUILT = ("kunit", "option", "flavours", "others")


def suite(name, check, packages, command, needs="", *, targets="", schedule="any"):
    """Add a suite; the fields are those described above."""
    if check == "-" or name in SUITES:
        return
    if check not in CHECKS or schedule not in SCHEDULES:
        raise ValueError(f"{name}: there is no check {check}, or no schedule {schedule}")
    wanted = [f"{B}/{each}" for each in needs.split()] + targets.split()
    SUITES[name] = Suite(check, packages, command.strip(), wanted, schedule)


def kernels(column):
    """(version, check) of each kernel whose suites of this column exist."""
    if OWN_TREE and column in BUILT:
        return [(KERNEL_VERSION, KERNELS[FIRST][column])]
    return [(version, row[column]) for version, row in KERNELS.items() if row[column] != "-"]


def points(text):
    """A command that prints a point for each call of tests/lib/tap.sh's functions."""
    return f". tests/lib/tap.sh\n{text.strip()}\ntap_end"


def skipped_unless(condition, name, reason):
    """The beginning of a command: one skipped point if the condition is false."""
    return f"{condition} || {{ echo 'ok 1 - {name} # SKIP {reason}'; echo 1..1; exit; }}\n"


# The core on the host. `make check` has each engine, check-all every engine with every
# level, with either compiler and either width, check-exhaustive more strings. The fast
# engine, which has most branches, has either compiler at every level. In builds named
# -kernel the kernel's functions replace the core's. Builds named -avx2 and -integers do
# without vectors that the processor has; -standin and -standin2 compute vectors by bytes,
# on processors that lack AVX-512 or AVX2.

FEW = """gcc-O2 clang-O2-fast gcc-O2-m32-fast gcc-O1-compact-sanitized gcc-O3-word gcc-O2-avx2
    gcc-O1-sanitized gcc-O2-mve gcc-O2-kernel clang-O1-sanitized-kernel
    gcc-O2-m32-kernel""".split()
MANY = """gcc-O0-fast gcc-O1-fast gcc-O3-fast clang-O0-fast clang-O1-fast clang-O3-fast
    clang-O2-m32-fast clang-O0-compact gcc-O1-compact clang-O2-m32-compact gcc-O3-m32
    clang-O0-word gcc-O1-m32-word clang-O2-m32-word gcc-O0-vector clang-O3-vector
    clang-O1-word-sanitized clang-O2-mve clang-O1-memory clang-O1-compact-memory
    clang-O1-word-memory clang-O2-avx2 gcc-O1-sanitized-avx2 gcc-O2-integers
    gcc-O1-mve-sanitized gcc-O3-standin gcc-O3-standin2""".split()
EMULATED = ("arm64", "arm", "riscv64", "ppc64el")
QEMU = {"arm64": "aarch64", "ppc64el": "ppc64le"}
BIG_ENDIAN = ("s390x", "ppc64")  # which the word engine is not for
HAS = "grep -qw {} /proc/cpuinfo"
# {build: (the processor's flag, the build that needs no stand-in with it)}
STAND_INS = {"gcc-O3-standin": ("avx512_vbmi2", "gcc-O2"),
             "gcc-O3-standin2": ("avx2", "gcc-O2-avx2")}


def host(build, check, packages="host"):
    """A test of the core, with fewer strings."""
    first = build.split("-")[0]
    program = f"{B}/host/{build}"
    before = ""
    if build.endswith("-avx2"):
        # Without AVX2 the engine would do without vectors.
        before = skipped_unless(HAS.format("avx2"), build, "this processor has no AVX2")
    elif build in STAND_INS:
        flag, by = STAND_INS[build]
        before = skipped_unless(f"! {HAS.format(flag)}", build,
                                f"this processor has {flag}: host-{by} runs there")
    elif "-m32" in build:
        program = "tests/lib/run-i386.sh " + program
    elif first not in ("gcc", "clang"):
        program = f"qemu-{QEMU.get(first, first)} {program}"
    suite(f"host-{build}", check, packages, before + program, f"host/{build}")


for build in FEW:
    host(build, "check")
for build in MANY:
    host(build, "all")
host("s390x-O2-fast", "all", "host-s390x")
host("arm64-O2-vector", "all", "host-all")
for engine in ("fast", "compact", "word"):
    for compiler in ("gcc", "clang"):
        for level in ("O0", "O1", "O2", "O3"):
            host(f"{compiler}-{level}-{engine}", "exhaustive")
            host(f"{compiler}-{level}-m32-{engine}", "exhaustive")
    for level in ("O0", "O2"):
        for architecture in EMULATED + (BIG_ENDIAN if engine != "word" else ()):
            host(f"{architecture}-{level}-{engine}", "exhaustive", "host-all")
    suite(f"exhaustive-gcc-O2-{engine}", "exhaustive", "host",
          f"{B}/host/gcc-O2-{engine} --exhaustive", f"host/gcc-O2-{engine}")
suite("exhaustive-gcc-O2", "exhaustive", "host", f"{B}/host/gcc-O2 --exhaustive", "host/gcc-O2")
# Four bytes fill a word of 32 bits.
suite("exhaustive-gcc-O2-m32-word", "exhaustive", "host",
      f"tests/lib/run-i386.sh {B}/host/gcc-O2-m32-word --exhaustive", "host/gcc-O2-m32-word")

# All strings of three bytes across two blocks, with each kind of vectors. A processor may
# lack two of these; for them, standin and standin2 run the same walk on fewer strings.
for build, flag in (("gcc-O2-mve", ""), ("gcc-O2-avx2", "avx2"), ("gcc-O2", "avx512_vbmi2")):
    before = flag and skipped_unless(HAS.format(flag), build, f"this processor has no {flag}")
    suite(f"across-{build}", "all", "host", f"{before}{B}/host/{build} --across",
          f"host/{build}")

suite("forms", "check", "host", f"tests/forms.py {B}/host/forms.so", "host/forms.so")
COVERED = ("compact", "word", "fast", "mve")
suite("coverage", "all", "coverage", f"freestanding/coverage.py {B}/coverage {' '.join(COVERED)}",
      " ".join(f"coverage/{engine}/host" for engine in COVERED))
suite("peers", "all", "host", f"{B}/peers", "peers")
suite("examples", "check", "host", f"tests/examples.py {B}/examples examples/*.c",
      " ".join(f"examples/{path.stem}" for path in sorted((ROOT / "examples").glob("*.c"))))
FUZZERS = [f"{target}-{engine}" for engine in ("COMPACT", "WORD", "FAST", "VECTOR")
           for target in ("bytes", "stream")]
suite("fuzz", "all", "fuzz",
      f"tests/fuzz/run.sh {B}/fuzz ${{FUZZ_SECONDS:-5}} {' '.join(FUZZERS)}",
      " ".join(f"fuzz/{name}" for name in [*FUZZERS, "seeds"]), schedule="alone")
REPAIRED = [f"differential/repair-{engine}.so" for engine in ("COMPACT", "WORD", "FAST", "VECTOR")]
suite("differential", "all", "differential",
      "tests/differential/differential.py --count ${DIFFERENTIAL_INPUTS:-200000} " +
      " ".join(f"{B}/{name}" for name in REPAIRED), " ".join(REPAIRED))

# The project's own tools, pages and sources.

suite("runner", "all", "junit", "tests/runner.py")
suite("dist", "all", "dist", f"tests/dist.sh {B}/dist-test")
suite("pages", "check", "pages", f"tests/pages.py {B}", "utf8val utf8val-guard")
suite("pages-run", "check", "pages", f"tests/pages_run.py {B}", "utf8val utf8val-guard")
suite("targets", "all", "pages", "tests/targets.sh", "utf8val libutf8val.a utf8val-guard")
DEBIAN = ("bookworm", "trixie")
for release in DEBIAN:
    suite(f"ci-{release}", "full", "ci", skipped_unless(
        '[ "$(id -u)" = 0 ]', "recipes", "root makes a root directory of Debian") + f"""
tree=$(vm/kernel_source.sh --tree ci {KERNEL_VERSION}) &&
archive=$(tools/dist.sh {B}/dist-ci-{release}) &&
flock "$tree.lock" tests/ci.py {release} "$tree" "$archive" """)
suite("kernel-build", "all", "check", "tests/kernel-build.sh")
suite("lint", "check", "lint", "tests/lint.sh cheap")
suite("lint-code", "all", "lint-code", "tests/lint.sh code")
suite("rules", "all", "check", "vm/rules.sh")

# The command.

COMMAND = """race check scan guess fix crash undo journal link operands plan extra explain
    install hints summary""".split()
for name in COMMAND:
    slow = name == "race"
    suite(f"command-{name}", "all" if slow else "check", "command", f"tests/command/{name}.py",
          "utf8val libutf8val.a", schedule="first" if slow else "any")
    for architecture in ("s390x", "arm") if name not in ("race", "install", "hints") else ():
        suite(f"command-{name}-{architecture}", "exhaustive", "command-architectures",
              f"UTF8VAL={B}/{architecture}/utf8val UTF8VAL_EMULATED=qemu-{architecture} "
              f"tests/command/{name}.py", f"{architecture}/utf8val libutf8val.a")
suite("command-package", "all", "packaging-test", "tests/command/package.py",
      "utf8val libutf8val.a")
suite("command-fuzz", "all", "command",
      f"UTF8VAL={B}/utf8val-sanitized tests/command/fuzz.py", "utf8val-sanitized")

# Firmware.


def firmware(name, board, image, check, packages="firmware"):
    """An image that prints TAP, on a board in QEMU."""
    suite(f"firmware-{name}", check, packages,
          f"freestanding/boards/run.py {board} {B}/firmware/{image}", f"firmware/{image}")


for engine in ("compact", "word"):
    for board in BOARDS:
        quick = board in ("microbit", "an386")
        firmware(f"{board}-{engine}", board, f"selftest/{board}-{engine}.elf",
                 *(("check", "firmware-arm") if quick else ("all",)))
for board, row in BOARDS.items():
    if row["loads"] == "unaligned":
        firmware(f"{board}-word-strict", board, f"selftest/{board}-word-strict.elf", "all")
firmware("an547-mve", "an547", "selftest/an547-mve.elf", "all")
firmware("an547-mve-blocks", "an547", "selftest/blocks.elf", "all")
suite("firmware-avr", "all", "firmware-avr",
      "freestanding/avr/run.py qemu-system-avr -M mega2560 -display none -monitor none "
      f"-serial stdio -bios {B}/firmware/avr/selftest.elf", "firmware/avr/selftest.elf")
suite("firmware-objects", "all", "firmware-avr", points(f"""
point "AVR: all public functions are there" freestanding/avr/object.sh functions {B}/firmware/avr/utf8val.o utf8val.h
object={B}/firmware/msp430/utf8val.o
point "MSP430: all public functions are there" freestanding/avr/object.sh functions $object utf8val.h
point "MSP430: no RAM" freestanding/avr/object.sh ram $object"""),
      "firmware/avr/utf8val.o firmware/msp430/utf8val.o")
suite("firmware-wasm", "all", "wasm",
      f"tests/differential/differential.py {B}/firmware/utf8val.wasm", "firmware/utf8val.wasm")
suite("firmware-size", "all", "firmware-size", points(f"""
why=$(freestanding/table.py --others) || exit 1
if [ "$why" ]; then
	skip "sizes, stacks and instructions" "$why"
else
	point "sizes and stacks within their budgets" freestanding/size.py {B}/firmware
	point "the pages have the figures as measured" freestanding/table.py {B}/firmware
fi"""), targets="size-figures")
suite("firmware-library", "all", "firmware-library", "freestanding/library.py")
suite("firmware-example", "all", "firmware", "freestanding/example/test.py "
      f"freestanding/boards/run.py --serial an386 {B}/firmware/example.elf",
      "firmware/example.elf")
suite("single-header", "all", "single-header",
      f"freestanding/package/test/single.sh {B}/firmware/utf8val_single.h",
      "firmware/utf8val_single.h")
suite("firmware-package", "all", "firmware-package",
      f"freestanding/package/test/run.sh {B}/firmware/package", targets="package")
suite("firmware-misra", "all", "misra", "freestanding/misra.py compact word mve")

# The proof.

suite("rfc3629", "all", "host", f"{B}/host/rfc3629", "host/rfc3629")
suite("proof", "all", "proof", "proof/prove.py", schedule="first")

# KUnit.

for kernel, check in kernels("kunit"):
    suite(f"kunit-{kernel}", check, "kunit", f"kunit/kunit.py --tap {kernel}", schedule="first")
    for architecture in ("x86_64", "m68k") if check == "check" else ():
        suite(f"kunit-{kernel}-{architecture}", "all", "emulated",
              f"kunit/kunit.py --tap --for {architecture} {kernel}")
for kernel, check in kernels("others"):
    for architecture in list(ARCHITECTURES)[1:]:
        suite(f"kunit-{kernel}-{architecture}", check, "architectures",
              f"kunit/kunit.py --tap --for {architecture} {kernel}")

# The external module in Debian's own kernel: that of the installed headers, and those of
# vm/kernels.

suite("module", "all", "kernels", f"vm/module_suite.sh {B}/module", "vm/init vm/module_test")
for kernel, check in kernels("module"):
    suite(f"module-{kernel}", check, "kernels",
          f"vm/module_suite.sh {B}/module-{kernel} {kernel}", "vm/init vm/module_test")

# The mount option, built into kernels of ours; first what the smallest kernel can do.

SMALL_DISKS = "--disk ext4 --disk exfat --disk casefold --disk vfat"


def option(name, kernel, check, boot, program, words="", *, packages="kernels", needs=""):
    """A guest program in a kernel with the option; BOOT are arguments of vm/boot.sh."""
    suite(f"{name}-{kernel}", check, packages,
          f"vm/boot.sh {kernel} --fs none {boot} {B}/{program} {words}",
          f"vm/init {program} {needs}", targets=f"kernel-{kernel}")


STATIC = f"--file {B}/utf8val-static:/bin/utf8val"
for kernel, check in kernels("option"):
    option("command-vm", kernel, check,
           f"--disk ext4 --disk vfat --memory 1024 {STATIC}",
           "vm/command_test", packages="command-vm", needs="utf8val-static")
    option("mount", kernel, check, f"{SMALL_DISKS} --disk ext2", "vm/mount_test",
           "exfat casefold vfat ext2")
    option("matrix", kernel, check, "--disk ext4", "vm/matrix_test", "tmpfs ext4")
    option("state", kernel, check, "--cpus 2 --disk ext4", "vm/state_test", "tmpfs ext4")
    option("repair", kernel, check, "--disk ext4", "vm/repair_test", "tmpfs ext4")
    option("observe", kernel, check, "", "vm/observe_test")
    option("fail", kernel, check, "--disk vfat --disk exfat", "vm/fail_test",
           "tmpfs vfat exfat")
    option("stress", kernel, check, "--cpus 2 --disk ext4", "vm/stress_test", "5")
    option("selftest", kernel, check, "", f"selftest-{kernel}/utf8val_test")
    suite(f"source-{kernel}", check, "kernels", f"vm/source-checks.sh {kernel}")
    suite(f"patches-{kernel}", check, "kernels", f"vm/patches.sh {kernel}")
    # The mode of the root, by the words of the kernel's command line.
    suite(f"boot-{kernel}", check, "kernels", f"""
booted() {{
	wanted=$1
	shift
	vm/boot.sh {kernel} --fs none --root "$@" {B}/vm/boot_test $wanted ||
		echo "Bail out! status $?"
}}
{{
	booted off
	booted enforce --append rootflags=utf8val=enforce
	booted enforce --append 'rootflags=utf8val=enforce rootfstype=msdos,ext4'
	booted audit --append rootflags=errors=continue,utf8val=audit
}} | tests/lib/tap.py""", "vm/init vm/boot_test", targets=f"kernel-{kernel}")
for kernel, row in KERNELS.items():
    if row["patches"] != "-":
        suite(f"steps-{kernel}", "full", "kernels", f"vm/patches.sh --steps {kernel}")

# Then kernels with more file systems and the kernel's own checkers.

DISKS = "--disk ext4 --disk xfs --disk btrfs --disk vfat"


def flavoured(name, kernel, check, boot, program, words="", *, packages="kernels"):
    """A guest program in kernels with more built in."""
    for flavour in ("std+full", "full+debug"):
        suite(f"{name}-{kernel}-{flavour}", check, packages,
              f"vm/boot.sh {kernel}:{flavour} --fs none --memory 2048 --timeout 3600 "
              f"{boot} {B}/{program} {words}", f"vm/init {program}")


for kernel, check in kernels("flavours"):
    flavoured("mount", kernel, check, SMALL_DISKS, "vm/mount_test",
              "exfat casefold vfat")
    flavoured("matrix", kernel, check, DISKS, "vm/matrix_test",
              "tmpfs ext4 xfs btrfs vfat upper overlay")
    flavoured("state", kernel, check, f"--cpus 2 {DISKS}", "vm/state_test",
              "tmpfs ext4 xfs btrfs vfat")
    flavoured("repair", kernel, check, DISKS, "vm/repair_test",
              "tmpfs ext4 xfs btrfs vfat")
    flavoured("observe", kernel, check, "", "vm/observe_test")
    flavoured("subvolume", kernel, check, "--disk btrfs", "vm/subvolume_test")
    flavoured("nfs", kernel, check, "--cpus 2 --disk ext4 --disk ext4",
              "vm/nfs_test", packages="vm-full")
    flavoured("special", kernel, check, "", "vm/special_test", packages="vm-full")
    flavoured("fail", kernel, check, "--disk vfat --disk exfat", "vm/fail_test",
              "nfs tmpfs vfat exfat")
    flavoured("stress", kernel, check, "--cpus 2 --disk ext4", "vm/stress_test",
              "${STRESS_SECONDS:-60}")

# On other architectures, emulated.

MACHINES = ("arm64", "riscv64", "s390x")
for kernel, check in kernels("others"):
    for machine in MACHINES:
        for name, disks, words in (("mount", SMALL_DISKS, "exfat casefold vfat"),
                                   ("matrix", "--disk ext4", "tmpfs ext4")):
            program = f"{machine}/vm/{name}_test"
            suite(f"{name}-{kernel}-{machine}", check, "vm-architectures",
                  f"vm/boot.sh --for {machine} {kernel} --fs none {disks} {B}/{program} {words}",
                  f"{machine}/vm/init {program}")

# The demos as tests, and bad input to our tools.

for name, packages, needs in (("demo", "demo", "utf8val-guard"), ("demo-builtin", "vm", "")):
    suite(name, "all", packages,
          points(f'point "make {name}" make --no-print-directory {name}'),
          f"{needs} vm/init vm/demo names.packages")
suite("vm-run", "all", "vm", f"tests/vm_run.py {FIRST}", "vm/init")
suite("cli-errors", "all", "kernels", f"""build=$(vm/kernel.sh {KERNEL_VERSION}) &&
tests/cli-errors.sh "$build/arch/x86/boot/bzImage" {B}/vm/init""", "vm/init")

# The guard on Debian's own kernels.

LONG = "--timeout 3600 --memory 1024"
GUARD = f"--guard {B}/utf8val-guard"
# two more guards that can take over
GUARDS = (f"{GUARD} --program {B}/utf8val-guard-next:/sbin/utf8val-guard-next "
          f"--program {B}/utf8val-guard-blind:/sbin/utf8val-guard-blind")
NEED_GUARDS = "utf8val-guard utf8val-guard-next utf8val-guard-blind"
# programs that replace files
REPLACING = "".join(f'--program "$(command -v {name}):/bin/{name}" ' for name in
                    "ls mkdir find rm mv install cp cpio bsdtar tar git sh".split())


def guarded(name, kernel, check, boot, program, words="", *, guard=GUARD,
            needs="utf8val-guard", packages="kernels", schedule="any"):
    """A guest program in Debian's own kernel, with the guard active."""
    suite(f"{name}-{kernel}", check, packages,
          f"vm/boot.sh --stock {kernel} --fs none {guard} {boot} {B}/{program} {words}",
          f"vm/init {program} {needs}", schedule=schedule)


for kernel, check in kernels("mount"):
    guarded("guard-mount", kernel, check, f"{SMALL_DISKS} --module msdos", "vm/mount_test",
            "exfat casefold vfat", packages="guard-vm")
    guarded("guard-matrix", kernel, check, "--disk ext4", "vm/matrix_test", "tmpfs ext4",
            packages="guard-vm", schedule="first")
for kernel, check in kernels("guard"):
    guarded("guard-command", kernel, check, "--cpus 2 --disk ext4 --disk vfat --module msdos "
            "--module fuse", "vm/guard_test")
    guarded("guard-policy", kernel, check, "--cpus 2 --disk ext4", "vm/guard_policy_test")
    guarded("guard-file", kernel, check, "--cpus 2 --disk ext4 --disk ext4 "
            f"--disk ext2 --module fuse {STATIC}",
            "vm/guard_file_test", needs="utf8val-static utf8val-guard")
    guarded("guard-status", kernel, check, "--cpus 2 --disk ext4 --disk ext4",
            "vm/guard_status_test")
    guarded("guard-user", kernel, check, "--cpus 2 --memory 900", "vm/guard_user_test")
    guarded("guard-race", kernel, check, "--cpus 2", "vm/guard_race_test", "2 200 3",
            guard=GUARDS, needs=NEED_GUARDS)
    guarded("guard-restore", kernel, check, "--cpus 2", "vm/restore_test", "5", guard=GUARDS,
            needs=NEED_GUARDS)
    guarded("guard-attack", kernel, check, "--memory 700", "vm/guard_attack_test", "60 30",
            schedule="alone")
    guarded("guard-verdict", kernel, check, "", "vm/verdict_test", "4 4", guard="", needs="")
    guarded("guard-subvolume", kernel, check, "--disk btrfs --module overlay",
            "vm/subvolume_test")
for kernel, check in kernels("trouble"):
    guarded("guard-trouble", kernel, check, "--cpus 2", "vm/guard_trouble_test", guard=GUARDS,
            needs=NEED_GUARDS)
    guarded("guard-limits", kernel, check, "--cpus 2 --append preempt=full",
            "vm/guard_limits_test", guard=GUARDS, needs=NEED_GUARDS)
    guarded("guard-no-option", kernel, check, "--cpus 2 "
            f"--program {B}/utf8val-guard-no_option:/sbin/utf8val-guard",
            "vm/guard_no_option_test", guard="", needs="utf8val-guard-no_option")
    guarded("guard-others", kernel, check, "--cpus 2", "vm/guard_others_test", "5")
for kernel in KERNELS:
    guarded("guard-replace", kernel, "full", f"--cpus 2 --memory 1024 "
            f'--program "$(command -v 7zz || command -v 7z):/bin/7z" {REPLACING}',
            "vm/guard_replace_test", packages="vm-full")
    guarded("guard-killed", kernel, "full", f"{LONG} --cpus 2 --disk ext4",
            "vm/guard_killed_test", "11", guard=GUARDS, needs=NEED_GUARDS)
    guarded("guard-attack-full", kernel, "full", f"{LONG} --append preempt=full",
            "vm/guard_attack_test", "300 600", schedule="alone")
    guarded("guard-verdict-full", kernel, "full", "--timeout 3600", "vm/verdict_test", "256 6",
            guard="", needs="")
    guarded("guard-matrix-full", kernel, "full", f"{LONG} --module overlay {DISKS}",
            "vm/matrix_test", "tmpfs ext4 xfs btrfs vfat upper overlay")
    guarded("guard-race-full", kernel, "full",
            f"{LONG} --timeout 14400 --cpus 2 --append preempt=full", "vm/guard_race_test",
            "0 10000 60", guard=GUARDS, needs=NEED_GUARDS)
    guarded("guard-state", kernel, "full", f"{LONG} --cpus 2 --module overlay "
            "--disk ext4 --disk xfs --disk btrfs", "vm/state_test", "tmpfs ext4 xfs btrfs")
    guarded("guard-repair", kernel, "full", f"{LONG} --disk ext4 --disk xfs --disk btrfs",
            "vm/repair_test", "tmpfs ext4 xfs btrfs")
    guarded("guard-observe", kernel, "full", LONG, "vm/observe_test")
    guarded("guard-special", kernel, "full", f"{LONG} --module fuse", "vm/special_test")
    guarded("guard-stress", kernel, "full", f"{LONG} --cpus 2 --disk ext4 --append preempt=full",
            "vm/stress_test", "${STRESS_SECONDS:-60}")
    guarded("guard-nfs", kernel, "full", f"{LONG} --cpus 2 --module nfsd --module nfsv3 "
            "--module nfsv4 --disk ext4 --disk ext4", "vm/nfs_test")
suite("guard-output", "check", "guard", f"tests/guard_output.py {B}/guard/output.so",
      "guard/output.so")
suite("guard-headers", "all", "guard", "make -s DEPS=no guard-headers")
# The command on a kernel that has the option built in.
suite(f"guard-builtin-{FIRST}", "all", "vm",
      f"vm/boot.sh {FIRST} --fs none --program {B}/utf8val-guard:/sbin/utf8val-guard "
      f"{B}/vm/guard_builtin_test", "vm/init vm/guard_builtin_test utf8val-guard")
# Kernels that cannot enforce names as they were started, and what the command reports about
# that; Secure Boot sets integrity.
suite("guard-obstacles", "all", "kernels", f"""
refused() {{
	vm/boot.sh --stock {FIRST} --fs none --program {B}/utf8val-guard:/sbin/utf8val-guard "$@"
}}
{{ {{ refused --append lsm=landlock,yama {B}/vm/guard_refused_test no-bpf 'landlock,yama,ima,evm,bpf' &&
	refused --append lockdown=confidentiality {B}/vm/guard_refused_test confidentiality lockdown=integrity &&
	vm/boot.sh --stock {FIRST} --fs none {GUARD} --append lockdown=integrity --disk ext4 {B}/vm/mount_test >{B}/guard/integrity &&
	echo "ok 1 - lockdown=integrity: mount_test passes"; }} ||
	echo "Bail out! status $?"; }} | tests/lib/tap.py""",
      "vm/init vm/guard_refused_test vm/mount_test utf8val-guard")


def guard_arm64(name, kernel, check, boot, program, words=""):
    """A guest program in Debian's own kernel for arm64."""
    suite(f"{name}-{kernel}", check, "vm-full",
          f"vm/boot.sh --stock --for arm64 {kernel} --fs none {boot} {B}/arm64/{program} {words}",
          f"arm64/vm/init arm64/{program} arm64/utf8val-guard")


for kernel, check in kernels("arm64"):
    guard_arm64("guard-mount-arm64", kernel, check, f"--disk ext4 --guard {B}/arm64/utf8val-guard",
                "vm/mount_test")
    guard_arm64("guard-matrix-arm64", kernel, check, f"--guard {B}/arm64/utf8val-guard",
                "vm/matrix_test", "tmpfs")
for kernel, row in KERNELS.items():
    # Linux without trampolines on arm64: the command must report that.
    if row["arm64"] == "-":
        guard_arm64("guard-refused-arm64", kernel, "full",
                    f"--file {B}/arm64/utf8val-guard:/sbin/utf8val-guard",
                    "vm/guard_refused_test", "no-trampolines 6.4")


def image(name, release, words, after=""):
    """A full Debian system with systemd, in which the guard's package is installed."""
    directory = f"image/{name.removeprefix('guard-')}"
    suite(name, "full", "vm-full", f"vm/image/boot.py --timeout 1800 --logs {B}/image "
          f"{release} {B}/{directory} {words}{after}", f"{directory}/run")


for release in DEBIAN:
    image(f"guard-system-{release}", release, "install guarded "
          "cannot:lsm=capability,landlock,lockdown,yama,apparmor remove sources enabled")
    image(f"guard-units-{release}", release, "units hang")
# The results of programs and storage that docs/programs.rst reports.
image("guard-programs", "trixie", '--packages "podman docker.io docker-cli mergerfs bindfs '
      "sshfs openssh-server lvm2 7zip libarchive-tools cpio restic borgbackup unison "
      'btrfs-progs convmv dar python3 stress-ng" programs storage', """ |
	tests/lib/rows.py docs/programs.rst "What programs do" """)
for security in ("apparmor", "selinux"):
    image(f"guard-{security}", "trixie", f"{security}:security={security}")
# A week on a file server, with two crashes.
image("week-trixie", "trixie", "weekaudit weekrepair weekend")
# Pages that need several hosts, typed on this one, which is the control node of full Debian
# systems of the same release.
FLEET = f"vm/image/packages.sh {B}/image/packages first >&2 && vm/image/fleet.py"
suite("fleet", "full", "fleet", f"{FLEET} --service 19532 --page docs/fleet.md "
      f"{B}/fleet.log 2 vm/image/fleet.txt", "utf8val")
suite("many-machines", "full", "fleet", f"{FLEET} --service 2049 --page docs/many-machines.md "
      f"{B}/many-machines.log 4 vm/image/many-machines.txt docs/many-machines.md", "utf8val")
# Each line of docs/rehearse.md is typed into the machine of make rehearse, and each
# line of docs/break-glass.md into a machine in that trouble. The lines of
# docs/monitoring.md are typed into a machine whose mail and metric are then looked for.
# The machine is of the release that runs the suite; another release runs the suite in a
# root directory, one after the other.
for name, pages in (("rehearse", "docs/rehearse.md"),
                    ("break-glass", "vm/image/break-glass.txt"),
                    ("monitoring", "vm/image/monitoring.txt")):
    after = "" if name == "rehearse" else f" docs/{name}.md"
    for release in DEBIAN:
        place = f"{B}/walk-{name}"
        walked = f"{name}-{release}"
        if release == deps.OS.get("VERSION_CODENAME"):
            suite(walked, "full", "rehearse-test",
                  f"REHEARSAL={place} vm/image/walk.py {pages} {place}.log{after}")
        else:
            logs = f"{B}/walk-{walked}"
            suite(walked, "full", "release", skipped_unless(
                '[ "$(id -u)" = 0 ]', walked, "root makes a root directory of Debian") + f"""
rm -rf {logs}
archive=$(tools/dist.sh {B}/dist-{walked}) &&
tools/check-release.sh {release} "$archive" {logs} deps-rehearse-test suite-{walked} >&2
sed -n '/^ok /p; /^not ok /p; /^#/p; /^1[.][.]/p; /^Bail out!/p' {logs}/suite-{walked}.log""",
                  schedule="alone")
