#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Talk to the example firmware over QEMU's serial port; TAP on standard output.
The suite firmware-example calls this, and freestanding.mk for the talk.

Positions, lengths and repaired text come from Python's own decoder, the
reasons from the rules that utf8val.h states. The talk that README.md shows is
held, too. With --talk: by hand, each line of standard input is sent.

Usage: freestanding/example/test.py [--talk] QEMU-COMMAND...
"""

import pathlib
import re
import selectors
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).parents[2] / "tests"))
from lib.tap import tap  # noqa: E402 pylint: disable=wrong-import-position

SHOWN = 80
# seconds: generous, as the machine may be busy
TIMEOUT = 600

# name, line, reason
CASES = [
    ("empty", b"", "ok"),
    ("ASCII", b"temperature 21", "ok"),
    ("two to four bytes", "21 °C 你好 😀".encode(), "ok"),
    ("limits", "\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff"
     .encode(), "ok"),
    ("stray tail", b"a\x80b", "stray tail"),
    ("missing tail", b"ab\xe4\xbdc", "missing tail"),
    ("missing last tail", b"\xf0\x9f\x98x", "missing tail"),
    ("truncated", b"abc\xe4\xbd", "truncated"),
    ("overlong by its lead", b"\xc0\xaf", "overlong"),
    ("overlong by its second byte", b"\xe0\x80\xaf", "overlong"),
    ("surrogate", b"x\xed\xa0\x80", "surrogate"),
    ("too large", b"\xf4\x90\x80\x80", "too large"),
    ("bad lead", b"\xfe\xff", "bad lead"),
    ("only the first error counts", b"a\xffb\xc0\xaf", "bad lead"),
    ("escape sequences are not echoed", b"\x1b[2J\x00\x07\xc2\x9b1m", "ok"),
    ("longer than what is shown", b"0123456789" * 20, "ok"),
    ("cut before a character", b"x" * 79 + "你".encode() * 40, "ok"),
    ("error beyond what is shown", b"y" * 300 + b"\xe4\xbdz", "missing tail"),
    ("good after bad", "wieder gut: äöü".encode(), "ok"),
]


def expected(line, reason):
    """The two lines of the answer."""
    try:
        line.decode()
        assert reason == "ok"
        first = f"ok: {len(line)} bytes"
    except UnicodeDecodeError as error:
        first = (f"bad: {reason} at byte {error.start},"
                 f" {max(error.end - error.start, 1)} long")
    text, size = "", 0
    for char in line.decode(errors="replace"):
        # U+FFFD stands for a subpart of unknown length: cases that are cut
        # have none before the cut
        size += len(char.encode())
        if size > SHOWN and len(line) > SHOWN:
            break
        control = char < " " or "\x7f" <= char < "\xa0"
        text += "." if control else char
    return first, f"shown: {text}"


class Board:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, bufsize=0)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)
        self.pending = b""

    def send(self, data, split):
        for part in ([data[i:i + 1] for i in range(len(data))]
                     if split else [data]):
            self.process.stdin.write(part)
            if split:
                time.sleep(0.002)

    def line(self):
        deadline = time.monotonic() + TIMEOUT
        while b"\n" not in self.pending:
            if not self.selector.select(deadline - time.monotonic()):
                raise TimeoutError(f"no answer, only {self.pending!r}")
            data = self.process.stdout.read(4096)
            if not data:
                raise EOFError(f"the machine stopped: {self.pending!r}")
            self.pending += data
        line, _, self.pending = self.pending.partition(b"\n")
        return line

    def close(self):
        self.process.kill()
        self.process.wait()


def shown():
    """The talk in README.md: (line, the answer's two lines)."""
    readme = pathlib.Path(__file__).parent.parent / "README.md"
    talk = re.search(r"^```\n\$ make run-example\n.*\n((?:.*\n)*?)```$",
                     readme.read_text(encoding="utf-8"), re.MULTILINE)
    lines = talk[1].splitlines()
    return list(zip(lines[::3], zip(lines[1::3], lines[2::3])))


def talk(board):
    print(board.line().decode(), flush=True)
    for line in sys.stdin.buffer:
        board.send(line.rstrip(b"\n") + b"\n", split=True)
        for _ in range(2):
            print(board.line().decode(), flush=True)


def wrong(got, want):
    return [] if got == want else [f"want {want}", f"got {got}"]


def results(board):
    """(name, [what is wrong]) of each point."""
    yield "greeting", wrong(board.line(), b"utf8val: type a line")
    for split in (False, True):
        for name, line, reason in CASES:
            board.send(line + b"\n", split)
            yield name + (", byte by byte" if split else ""), wrong(
                (board.line(), board.line()),
                tuple(text.encode() for text in expected(line, reason)))
    page, differences = shown(), []
    for line, want in page:
        board.send(line.encode() + b"\n", split=True)
        differences += wrong((board.line().decode(), board.line().decode()), want)
    yield "README.md shows what it says", differences if page else ["no talk is there"]


def main():
    by_hand = sys.argv[1:2] == ["--talk"]
    board = Board(sys.argv[1 + by_hand:])
    try:
        return talk(board) if by_hand else tap(results(board))
    except KeyboardInterrupt:
        return 0 if by_hand else 130
    except (TimeoutError, EOFError) as error:
        print(f"Bail out! {error}")
        return 1
    finally:
        board.close()


if __name__ == "__main__":
    sys.exit(main())
