#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Run the AVR self-test in QEMU and pass on its TAP.
The suite firmware-avr calls this.

The processor has no way to end QEMU: what ends it is the firmware's last line. A
board that says nothing for QUIET seconds, or starts again, has failed.

Usage: freestanding/avr/run.py QEMU-COMMAND...
"""

import selectors
import subprocess
import sys

# far beyond what any check takes, even on a machine that is busy
QUIET = 1800
PLAN, END = b"1..", b"# the end"


def run(command):
    """Print what the board says; 1 when a point failed, 2 when it got lost."""
    status, plans, pending = 0, 0, b""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, bufsize=0) as board, \
            selectors.DefaultSelector() as selector:
        selector.register(board.stdout, selectors.EVENT_READ)
        try:
            while selector.select(QUIET):
                data = board.stdout.read(4096)
                if not data:
                    print("Bail out! QEMU ended")
                    return 2
                *lines, pending = (pending + data).split(b"\n")
                for line in lines:
                    if line == END:
                        return status
                    plans += line.startswith(PLAN)
                    if plans > 1:
                        print("Bail out! the board started again")
                        return 2
                    status |= line.startswith(b"not ok")
                    print(line.decode("ascii", "backslashreplace"), flush=True)
            print(f"Bail out! nothing for {QUIET} seconds")
            return 2
        finally:
            board.kill()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(run(sys.argv[1:]))
