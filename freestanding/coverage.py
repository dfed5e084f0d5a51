#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Compare the coverage of the core by the host's tests with COVERAGE.md.
The suite coverage calls this.

For each engine the tests run on a core that GCC 14 compiled with counters. gcov then
reports which statements, ways of each branch, and conditions that alone decide (MC/DC)
were taken. COVERAGE.md's table must list exactly those that were
not. TAP on standard output.

Usage: freestanding/coverage.py [--show] BUILD ENGINE...
       BUILD/ENGINE/ has the program host and gcov's utf8val.gcno
       --show  print what is missed as rows of the table, and compare nothing
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = pathlib.Path(__file__).with_name("COVERAGE.md")
KINDS = ("statements", "branches", "conditions")


def documented():
    """The rows | engines | file: function | `code` `code` | why |:
    {(engine, place, code)}"""
    rows = [re.match(r"\| ([a-z, ]+) \| (\S+: \w+) \| (`.*`) \| \w", line)
            for line in PAGE.read_text(encoding="utf-8").splitlines()]
    return {(engine, row[2], code) for row in rows if row
            for engine in row[1].split(", ") for code in re.findall("`(.*?)`", row[3])}


def counted(directory):
    """gcov's lines of the core's own files, after the tests have run"""
    for old in directory.glob("*.gcda"):
        old.unlink()
    with open(directory / "log", "w", encoding="utf-8") as log:
        subprocess.run([directory / "host"], check=True, stdout=log)
    text = subprocess.run(
        ["gcov-14", "--json-format", "--stdout", "--conditions",
         "--branch-probabilities", "utf8val.gcda"], cwd=directory, check=True,
        stdout=subprocess.PIPE, encoding="utf-8").stdout
    for file in json.loads(text)["files"]:
        name = pathlib.Path(file["file"])
        name = name.relative_to(ROOT) if name.is_absolute() else name
        for line in file["lines"]:
            yield str(name), line


def measured(directory):
    """{kind: [reached, all]} and {(place, code): what is missed there}"""
    sums, missed = {kind: [0, 0] for kind in KINDS}, collections.defaultdict(list)
    for name, line in counted(directory):
        code = (ROOT / name).read_text(encoding="utf-8").splitlines()[
            line["line_number"] - 1].strip()
        place = (f"{name}: {line.get('function_name', 'none')}", code)
        outcomes = [("statements", 1, line["count"] > 0, "not run")]
        outcomes += [("branches", 1, branch["count"] > 0, f"way {number} not taken")
                     for number, branch in enumerate(line["branches"], 1)
                     if line["count"] > 0]
        outcomes += [("conditions", each["count"], each["covered"],
                      f"of {each['count']} outcomes {each['covered']}")
                     for each in line["conditions"] if line["count"] > 0]
        for kind, total, reached, what in outcomes:
            sums[kind][0] += int(reached)
            sums[kind][1] += total
            if reached < total:
                missed[place].append(what)
    return sums, missed


def main():
    show = sys.argv[1:2] == ["--show"]
    if len(sys.argv) < 3 + show or sys.argv[1 + show].startswith("-"):
        sys.exit(__doc__)
    build, engines = pathlib.Path(sys.argv[1 + show]), sys.argv[2 + show:]
    known, seen, failed = documented(), set(), 0
    for number, engine in enumerate(engines, 1):
        sums, missed = measured((build / engine).resolve())
        seen |= {(engine, *place) for place in missed}
        new = {place for place in missed if (engine, *place) not in known}
        figures = ", ".join(f"{kind} {done} of {total}"
                            for kind, (done, total) in sums.items())
        bad = bool(new) or not all(total for _, total in sums.values())
        failed += bad
        print("not ok" if bad else "ok", f"{number} - {engine} engine: {figures}")
        for place, code in sorted(missed if show else new):
            print(f"| {engine} | {place} | `{code}` | "
                  if show else f"# {place}: {code}:", "; ".join(missed[place, code]))
    stale = {row for row in known if row[0] in engines} - seen
    failed += bool(stale)
    print("not ok" if stale else "ok", f"{len(engines) + 1} - COVERAGE.md lists"
          " nothing that is reached")
    for row in sorted(stale):
        print("#", *row)
    print(f"1..{len(engines) + 1}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
