#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Hold what objects of the core leave undefined against README.md's table of what the
core is linked with. TAP on standard output.

Each row is compiled at each of its levels, as freestanding and as hosted code: compilers
make calls of memcpy() and memset() from loops and initialisers; a row that has
-ffreestanding has no headers for hosted code. Where functions are inlined, the core is
also compiled in one file with a program, whose buffers the compiler knows. Where the row
says none, nothing may be undefined; otherwise only what it names.

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
ROW = re.compile(r"\| ([a-z, ]+) \| ([^|]+) \| `([^`|]+)` \| ((?:-O\w ?)+)\| ([^|]*) \|")
# Undefined, but no function: by this start-up learns to copy constants into RAM.
NO_CALL = {"__do_copy_data"}
PROGRAM = ("-I.", "-include", "utf8val.c", "freestanding/package/test/consumer.c")
KINDS = (("-ffreestanding", "utf8val.c"), ("-fhosted", "utf8val.c"),
         ("-ffreestanding", *PROGRAM))


def rows(word):
    for line in README.read_text(encoding="utf-8").splitlines():
        row = ROW.fullmatch(line)
        if row and word in line:
            yield (row[1].split(", "), row[2], row[3].split(), row[4].split(),
                   set(re.findall(r"`(\w+)`", row[5])))


def undefined(command, path):
    subprocess.run([*command, "-std=gnu11", "-c", "-o", path], check=True)
    said = subprocess.run(["nm", "-u", path], check=True, stdout=subprocess.PIPE,
                          encoding="utf-8").stdout
    return set(said.split()) - {"U"} - NO_CALL


def results(word):
    """(name, [what is wrong]) of each row and engine."""
    with tempfile.TemporaryDirectory() as work:
        for engines, processor, command, levels, known in rows(word):
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
                yield (f"{engine} engine, {processor}, {' '.join(levels)}: " +
                       (" ".join(sorted(known)) or "no library"),
                       [f"{name} with {found[name]}"
                        for name in sorted(set(found) - known)])


if __name__ == "__main__":
    sys.exit(tap(results((sys.argv[1:] or [""])[0])))
