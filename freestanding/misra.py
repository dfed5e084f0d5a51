#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Hold what cppcheck's MISRA addon finds in the core against MISRA.md.

Every rule that the addon reports must stand in MISRA.md's table with that file, and every
rule and file there must still be reported. TAP on standard output.

Usage: freestanding/misra.py ENGINE...
"""

import pathlib
import re
import subprocess
import sys

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
        others = {"fast", "mve", "word"} - {engine}
        if hit[1].startswith(("tests/", *(f"engine/{other}" for other in others))):
            continue
        found.setdefault((hit[3], hit[1]), []).append(hit[2])
    return found


def main():
    engines = sys.argv[1:]
    if not engines:
        sys.exit(__doc__)
    ours = version()
    (known, due), seen, failed = documented(ours), set(), 0
    print(f"1..{len(engines) + 1}")
    for number, engine in enumerate(engines, 1):
        found = reported(engine, ours)
        seen.update(found)
        unknown = sorted(set(found) - known)
        failed += bool(unknown or not found)
        print("not ok" if unknown or not found else "ok",
              f"{number} - {engine} engine: every deviation is in MISRA.md")
        for rule, name in unknown:
            print(f"# rule {rule}: {name}, lines"
                  f" {' '.join(found[rule, name])}")
    stale = sorted(due - seen)
    failed += bool(stale)
    print("not ok" if stale else "ok",
          f"{len(engines) + 1} - MISRA.md lists nothing that is gone")
    for rule, name in stale:
        print(f"# rule {rule}: {name}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
