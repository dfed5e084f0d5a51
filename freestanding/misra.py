#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Compare the findings of cppcheck's MISRA addon in the core with MISRA.md.
The suite firmware-misra calls this.

MISRA.md's table must list exactly the rules and files that the addon reports. TAP on standard output.

Usage: freestanding/misra.py ENGINE...
"""

import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1] / "tests"))
from lib.tap import tap  # noqa: E402 pylint: disable=wrong-import-position

MISRA = pathlib.Path(__file__).parent / "MISRA.md"


def version():
    """cppcheck's own, (2, 10) for instance."""
    text = subprocess.run(["cppcheck", "--version"], check=True,
                          stdout=subprocess.PIPE, encoding="utf-8").stdout
    return tuple(map(int, re.search(r"(\d+)\.(\d+)", text).groups()))


def documented(ours):
    """The rows | rule | kind | files | why | of the table: {(rule, file)}, and
    those of them that this version of cppcheck reports."""
    pairs, due = set(), set()
    for line in MISRA.read_text(encoding="utf-8").splitlines():
        row = re.match(r"\| (\d+\.\d+|[a-z]+[A-Z]\w+) \| \w+ \| ([^|]*) \|"
                       r"(?: Cppcheck (\d+)\.(\d+) and later)?", line)
        if not row:
            continue
        files = {(row[1], name) for name in re.findall(r"(?:engine/)?\w+\.[ch]", row[2])}
        pairs |= files
        if not row[3] or ours >= (int(row[3]), int(row[4])):
            due |= files
    return pairs, due


def reported(engine, ours):
    """{(rule, file): [line]}, or None when cppcheck itself fails."""
    result = subprocess.run(
        ["cppcheck", "--addon=misra", "--std=c11", "--platform=unix32",
         # later versions say when they stop early
         *(["--check-level=exhaustive"] if ours >= (2, 11) else []),
         "--suppress=missingIncludeSystem", "--enable=style", "--quiet",
         # what the compiler predefines; the values don't matter
         "-D__GNUC__", "-D__ORDER_LITTLE_ENDIAN__=1234",
         "-D__BYTE_ORDER__=1234", f"-DUTF8VAL_ENGINE_{engine.upper()}=1",
         # The vectors' types and intrinsics, of which cppcheck knows none, are those
         # of the host's tests.
         *(["-D__ARM_FEATURE_MVE=1", "-Itests/mve"] if engine == "mve" else []),
         "--template={file}:{line}:{id}", "utf8val.c"],
        stderr=subprocess.PIPE, encoding="utf-8", check=True)
    found = {}
    for line in result.stderr.splitlines():
        hit = re.fullmatch(r"(\S+):(\d+):(?:misra-c2012-)?(\S+)", line)
        if not hit:
            sys.exit(f"Bail out! cppcheck says: {line}")
        # of the stand-in, and of engines that are not asked for here: cppcheck looks
        # for macros in every header it sees
        others = {"fast", "mve", "vector", "word"} - {engine}
        if hit[1].startswith(("tests/", *(f"engine/{other}" for other in others))):
            continue
        found.setdefault((hit[3], hit[1]), []).append(hit[2])
    return found


def results(engines):
    """(name, [what is wrong]) of each point."""
    ours = version()
    (known, due), seen = documented(ours), set()
    for engine in engines:
        found = reported(engine, ours)
        seen.update(found)
        yield f"{engine} engine: every deviation is in MISRA.md", [
            f"rule {rule}: {name}, lines {' '.join(found[rule, name])}"
            for rule, name in sorted(set(found) - known)] if found else ["none found"]
    yield "MISRA.md lists nothing that is gone", [
        f"rule {rule}: {name}" for rule, name in sorted(due - seen)]


if __name__ == "__main__":
    sys.exit(tap(results(sys.argv[1:])) if sys.argv[1:] else __doc__)
