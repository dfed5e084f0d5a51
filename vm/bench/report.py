#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Print what vm/bench's programs have counted in a virtual machine, as tables.

Usage: vm/bench/report.py guard RELEASE ABSENT LOADED
         the guard's cost in the kernel RELEASE, from the lines of the program cost
         without the guard (file ABSENT) and with it (file LOADED)
"""

import pathlib
import sys


def read(path):
    """{(name, bytes): {mode: instructions}} of the lines of the program cost."""
    costs = {}
    for line in pathlib.Path(path).read_text("utf-8").splitlines():
        name, size, mode, count = line.split()
        costs.setdefault((name, size), {})[mode] = int(count)
    return costs


def guard(release, absent, loaded):
    print(f"Linux {release}: instructions per open(O_CREAT) on tmpfs\n")
    print("name               absent  unset          enforce")
    loaded = read(loaded)
    for (name, size), modes in read(absent).items():
        base = modes["none"]
        what = f"{name:<16}" if size == "call" else f"{name:<6} {size:>3} bytes"
        print(what, f"{base:7}", *(
            f"{count:7} {(count / base - 1) * 100:+5.1f}%"
            for count in (loaded[name, size][mode] for mode in ("none", "enforce"))))
    print()


if __name__ == "__main__":
    if len(sys.argv) != 5 or sys.argv[1] != "guard":
        sys.exit(__doc__)
    guard(*sys.argv[2:])
