#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Pass on TAP with one more point: the rows of csv-tables in its comments are those of
a section of a page. Suites of tests/suites.py pipe their output through this.

Usage: tests/lib/rows.py PAGE SECTION <TAP
Exit status: 0 if no point failed, otherwise 1.
"""

import pathlib
import re
import sys


def rows_of(page, section):
    """The indented rows of the section, whose heading stands between two lines of "="."""
    text = pathlib.Path(page).read_text("utf-8")
    body = re.search(rf"^{re.escape(section)}\n=+\n(.*?)(?:\n===|\Z)", text, re.M | re.S)
    return [line.strip() for line in (body[1] if body else "").splitlines()
            if re.match(r'\s+"', line)]


def main():
    if len(sys.argv) != 3:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    there = rows_of(*sys.argv[1:])
    count, failed, printed = 0, False, []
    for line in sys.stdin:
        if line.startswith("1.."):
            continue
        print(line, end="", flush=True)
        count += bool(re.match(r"(not )?ok ", line))
        failed |= line.startswith(("not ok ", "Bail out!"))
        if line.startswith('# "'):
            printed.append(line[2:].rstrip("\n"))
    wrong = [f"# printed: {row}" for row in printed if row not in there]
    wrong += [f"# not printed: {row}" for row in there if row not in printed]
    print("not ok" if wrong else "ok", count + 1, "- the rows are those of", sys.argv[1])
    print(*wrong, f"1..{count + 1}", sep="\n")
    return 1 if failed or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
