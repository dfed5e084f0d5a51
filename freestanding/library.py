#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Compare the functions that objects of the library call with a table of them. TAP on
standard output.

Each row is compiled at each of its levels, as freestanding and as hosted code. Compilers
make calls of memcpy() and memset() from loops and initialisers. A row that has
-ffreestanding has no headers for hosted code. Where functions are inlined, the library is
also compiled in one file with a program, whose buffers the compiler knows. An object may
call only the functions that its row names, and README.md names all of these.

Usage: freestanding/library.py [WORD]      (only rows that have this word)
"""

import itertools
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).parents[1] / "tests"))
from lib.tap import tap  # noqa: E402 pylint: disable=wrong-import-position

README = pathlib.Path(__file__).with_name("README.md")
# engines, CPU, compiler, levels, functions that may be called
ROWS = (
    ("compact word", "Cortex-M0",
     "arm-none-eabi-gcc -mthumb -mcpu=cortex-m0",
     "-O0 -O1 -Og -Os -O2 -O3", ""),
    ("compact word", "Cortex-M4",
     "arm-none-eabi-gcc -mthumb -mcpu=cortex-m4",
     "-O0 -O1 -Og -Os -O2 -O3", ""),
    ("mve", "Cortex-M55",
     "arm-none-eabi-gcc -mthumb -mcpu=cortex-m55 -mfloat-abi=softfp",
     "-O0 -O1 -Og -Os -O2 -O3", ""),
    ("compact word", "Cortex-M0",
     "clang --target=arm-none-eabi -mthumb -mcpu=cortex-m0",
     "-O0 -O1 -Oz -O2 -O3", ""),
    ("mve", "Cortex-M55",
     "clang --target=arm-none-eabi -mthumb -mcpu=cortex-m55 -mfloat-abi=softfp",
     "-O0 -O1 -Oz -O2 -O3", ""),
    ("compact word", "rv32imac",
     "riscv64-unknown-elf-gcc -march=rv32imac_zicsr -mabi=ilp32 -ffreestanding",
     "-O0 -O1 -Og -Os -O2 -O3", ""),
    ("compact", "ATmega2560",
     "avr-gcc -mmcu=atmega2560",
     "-O0 -O1 -Og -Os -O2 -O3", ""),
    ("compact", "MSP430",
     "clang --target=msp430",
     "-O1 -Os -Oz -O2 -O3", ""),
    ("compact", "MSP430",
     "clang --target=msp430",
     "-O0", "__mspabi_srll"),
    ("compact fast", "x86-64",
     "gcc",
     "-O0 -O1 -Og -Os -O2 -O3", ""),
    ("compact fast", "x86-64",
     "clang",
     "-O0 -O1 -Oz -O2 -O3", ""),
    ("fast", "aarch64",
     "clang --target=aarch64-none-elf -ffreestanding",
     "-O0 -O1 -Oz -O2 -O3", ""),
    ("fast", "rv64imac",
     "riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -ffreestanding",
     "-O0 -O1 -Og -Os -O2 -O3", ""),
    ("compact word", "rv64i",
     "riscv64-unknown-elf-gcc -march=rv64i -mabi=lp64 -ffreestanding",
     "-O0 -O1 -Og -Os -O2 -O3", ""),
    ("fast", "rv64i",
     "riscv64-unknown-elf-gcc -march=rv64i -mabi=lp64 -ffreestanding",
     "-O0 -O1 -Og -Os -O2 -O3", "__udivdi3"),
    ("fast", "rv64i",
     "clang --target=riscv64-unknown-elf -march=rv64i -mabi=lp64 -ffreestanding",
     "-O0 -O1 -Oz -O2 -O3", "__muldi3 __udivdi3"),
    ("fast", "Cortex-M0",
     "arm-none-eabi-gcc -mthumb -mcpu=cortex-m0",
     "-O0 -O2", "__aeabi_uidiv"),
    ("fast", "Cortex-M0",
     "arm-none-eabi-gcc -mthumb -mcpu=cortex-m0",
     "-Os", "__aeabi_uidiv __aeabi_llsl __aeabi_llsr __aeabi_lmul"),
    ("fast", "Cortex-M4",
     "arm-none-eabi-gcc -mthumb -mcpu=cortex-m4",
     "-O0 -Os -O2", ""),
    ("fast", "rv32imac",
     "riscv64-unknown-elf-gcc -march=rv32imac_zicsr -mabi=ilp32 -ffreestanding",
     "-Os", "__ashldi3 __lshrdi3"),
)
# Undefined, but not a function: the symbol makes start-up code copy constants into RAM.
NO_CALL = {"__do_copy_data"}
PROGRAM = ("-I.", "-include", "utf8val.c", "freestanding/package/test/consumer.c")
KINDS = (("-ffreestanding", "utf8val.c"), ("-fhosted", "utf8val.c"),
         ("-ffreestanding", *PROGRAM))


def rows(word):
    for row in ROWS:
        if word in " ".join(row):
            engines, cpu, command, levels, known = row
            yield engines.split(), cpu, command.split(), levels.split(), set(known.split())


def undefined(command, path):
    subprocess.run([*command, "-std=gnu11", "-c", "-o", path], check=True)
    said = subprocess.run(["nm", "-u", path], check=True, stdout=subprocess.PIPE,
                          encoding="utf-8").stdout
    return set(said.split()) - {"U"} - NO_CALL


def results(word):
    """(name, [what is wrong]) of each row and engine."""
    with tempfile.TemporaryDirectory() as work:
        for engines, cpu, command, levels, known in rows(word):
            for engine in engines:
                found = {}
                for level, kind in itertools.product(levels, KINDS):
                    if level == "-O0" and kind[1:] == PROGRAM or \
                            kind[0] == "-fhosted" and "-ffreestanding" in command:
                        continue
                    for name in undefined(
                            [command[0], level, *kind, *command[1:],
                             f"-DUTF8VAL_ENGINE_{engine.upper()}=1"], f"{work}/core.o"):
                        found.setdefault(name, " ".join((level, *kind)))
                yield (f"{engine} engine, {cpu}, {' '.join(levels)}: " +
                       (" ".join(sorted(known)) or "no library"),
                       [f"{name} with {found[name]}"
                        for name in sorted(set(found) - known)])
    page = README.read_text(encoding="utf-8")
    names = set(" ".join(row[-1] for row in ROWS).split())
    yield "README.md names the functions that are called", \
        sorted(name for name in names if f"`{name}`" not in page)


if __name__ == "__main__":
    sys.exit(tap(results((sys.argv[1:] or [""])[0])))
