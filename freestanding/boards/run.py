#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Run a firmware image in QEMU, on a board of freestanding/boards/table.
The firmware's suites and freestanding.mk call this.

The image's console is standard output, and its exit status QEMU's, through semihosting;
with --serial, the board's serial port is standard input and output.

Usage: freestanding/boards/run.py [--serial] BOARD IMAGE [QEMU-OPTION...]
"""

import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "tools"))
import table  # noqa: E402  pylint: disable=wrong-import-position

SERIAL = ["-serial", "stdio"]
CONSOLE = ["-serial", "none", "-chardev", "stdio,id=console", "-semihosting-config",
           "enable=on,target=native,chardev=console"]


def main():
    arguments = sys.argv[1:]
    serial = arguments[:1] == ["--serial"]
    board, image, *options = arguments[serial:]
    try:
        (core, machine), = table.select(HERE / "table", ["core", "machine"], board)
    except table.TableError as error:
        print(f"run: {error.args[0]}", file=sys.stderr)
        return error.args[1]
    qemu = ["qemu-system-riscv32", "-m", "16M", "-bios", "none"] if core.startswith("rv32") \
        else ["qemu-system-arm"]
    # The time limit is far beyond what the slowest board takes.
    command = [*qemu, "-M", machine, "-display", "none", "-monitor", "none",
               *(SERIAL if serial else CONSOLE), "-kernel", image, *options]
    os.execvp(command[0], command) if serial else \
        os.execvp("timeout", ["timeout", "1800", *command])
    return 1


if __name__ == "__main__":
    if len(sys.argv[1:]) < 2:
        sys.exit(__doc__)
    sys.exit(main())
