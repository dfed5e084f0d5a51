#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Count what utf8val_valid() executes, by callgrind: instructions per byte.

Usage: tools/bench/instructions.py INPUTS PROGRAM...

A program is named count-MACHINE-ENGINE; all must find as many inputs well-formed.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

INPUTS = ("ascii.names", "multi.names", "long.names", "en.text", "ru.text",
          "zh.text", "emoji.text")


def count(program, path):
    """Instructions per byte, and how many were well-formed."""
    with tempfile.NamedTemporaryFile() as out:
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", "--toggle-collect=utf8val_valid",
             f"--callgrind-out-file={out.name}", program, path],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            check=True)
        total = re.search(rb"^(?:summary|totals): (\d+)", out.read(), re.M)
    size, good = map(int, run.stdout.split())
    return int(total[1]) / size, good


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.split("\n\n")[1])
    folder = pathlib.Path(sys.argv[1])
    good = {}
    head = [name.replace(".", " ") for name in INPUTS]
    print("| instructions per byte |", " | ".join(head), "|")
    print("| --- |", " --: |" * len(head), sep="")
    for program in sys.argv[2:]:
        row = []
        for name in INPUTS:
            figure, found = count(program, folder / name)
            if good.setdefault(name, found) != found:
                sys.exit(f"instructions: {program} differs on {name}")
            row.append(f"{figure:.2f}")
        label = pathlib.Path(program).name.removeprefix("count-")
        print(f"| {label.replace('_', ' ')} |", " | ".join(row), "|", flush=True)


if __name__ == "__main__":
    main()
