#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""TAP for test programs in Python. As a program: joins the TAP of several programs on
standard input to that of one."""

import re
import sys


def tap(points):
    """Print points (name, [what is wrong]) as TAP, each as it comes, and more lists of
    lines that are to be told. Returns: an exit status."""
    count = failed = 0
    for name, wrong, *more in points:
        count += 1
        failed += bool(wrong)
        print("not ok" if wrong else "ok", count, "-", name.replace("#", r"\#"),
              flush=True)
        for line in sum(more, list(wrong)):
            print("#", line)
    print(f"1..{count}")
    return 1 if failed or not count else 0


def join(lines):
    """Print the lines with their points numbered from 1, and one plan. Returns: an exit
    status."""
    count = failed = 0
    for line in lines:
        if re.match(r"(not )?ok ", line):
            count += 1
            line = re.sub(r"ok \d+", f"ok {count}", line, count=1)
        failed += line.startswith(("not ok ", "Bail"))
        if not line.startswith("1.."):
            print(line, end="", flush=True)
    print(f"1..{count}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.stdin.reconfigure(errors="surrogateescape")
    sys.stdout.reconfigure(errors="surrogateescape")
    sys.exit(join(sys.stdin))
