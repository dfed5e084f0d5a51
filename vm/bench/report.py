#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Print what vm/bench's programs have counted in a virtual machine, as tables.
bench.sh and guard.sh call this.

Usage: vm/bench/report.py guard RELEASE ABSENT LOADED
         the guard's cost in the kernel RELEASE, from the lines of the program cost
         without the guard (file ABSENT) and with it (file LOADED)
       vm/bench/report.py option VERSION WITHOUT WITH
         the mount option's cost in Linux VERSION, from the lines of the program cost in a
         kernel without the option (file WITHOUT) and with it (file WITH)
"""

import pathlib
import sys


def read(path):
    """{(name, bytes): {mode: instructions}} of the lines of the program cost, whose last
    word is how many samples equal the median."""
    costs = {}
    for line in pathlib.Path(path).read_text("utf-8").splitlines():
        name, size, mode, count, _ = line.split()
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


def option(version, without, given):
    print(f"Linux {version}: instructions per open(O_CREAT) on tmpfs\n")
    print("name            without the option  option not given    audit  enforce")
    given = read(given)
    over = {}
    for (name, size), modes in read(without).items():
        if size == "call":
            continue
        base = modes["none"]
        more = [given[name, size][mode] - base for mode in ("none", "audit", "enforce")]
        over[name, size] = dict(zip(("none", "audit", "enforce"), more))
        print(f"{name:<6} {size:>3} bytes {base:18} {more[0]:+17} {more[1]:+8} {more[2]:+8}")
    print("\ntargets:")
    for what, key, mode, most in (
            ("option not given, 14 bytes of ASCII", ("ASCII", "14"), "none", 12),
            ("enforce, 14 bytes of ASCII", ("ASCII", "14"), "enforce", 45),
            ("enforce, 255 bytes of three-byte characters", ("3-byte", "255"), "enforce", 1200)):
        more = over[key][mode]
        print(f"  {what:<55} {more} more, at most {most}:",
              "reached" if more <= most else "not reached")


if __name__ == "__main__":
    kind, arguments = "".join(sys.argv[1:2]), sys.argv[2:]
    if kind not in ("guard", "option") or len(arguments) != 3:
        sys.exit(__doc__)
    {"guard": guard, "option": option}[kind](*arguments)
