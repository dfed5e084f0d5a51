#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""utf8val check, through the binary; CPython's decoder is the oracle.
The suite command-check runs this."""

import json
import os
import random
import subprocess
import sys
import threading

from harness import (BINARY, as_nobody, equal, inject, main, make, not_emulated, records,
                     run, test, true, write)

sys.path.append(os.path.join(os.path.dirname(__file__), "../../tools/gen"))
from vectors import reason  # pylint: disable=wrong-import-position

SEED = 3629
# Random inputs are made of these pieces of text, well-formed and ill-formed.
PIECES = [b"a", b"word ", b"\n", "é".encode(), "世界".encode(), "😀".encode(),
          b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90", b"\xe4\xbd", b"\x80",
          b"\xff", b"\xf0\x9f\x98", b"\xc2"]


def errors(data):
    """(start, end) of every ill-formed sequence, as CPython finds them."""
    found, at = [], 0
    while True:
        try:
            data[at:].decode("utf-8")
            return found
        except UnicodeDecodeError as error:
            found.append((at + error.start, at + error.end))
            at += error.end


def place(data, at):
    """Line and column, counted in what CPython decodes with U+FFFD."""
    line = data.count(b"\n", 0, at) + 1
    begin = data.rfind(b"\n", 0, at) + 1
    return line, len(data[begin:at].decode("utf-8", "replace")) + 1


def reported(output):
    """(offset, length, reason, line, column) of each JSON line."""
    return [tuple(item[key] for key in ("offset", "length", "reason", "line", "column"))
            for item in map(json.loads, output.splitlines())]


def expected(data):
    """The expected result of reported(), by the oracle and by the reasons of the vectors."""
    return [(a, b - a, reason(data[a:b + 1]).lower().replace("_", " "), *place(data, a))
            for a, b in errors(data)]


@test("every byte, and every pair of bytes, in one file")
def _(root):
    path = root / b"f"
    data = b"".join(bytes([a, 10]) for a in range(256))
    data += b"".join(bytes([a, b, 10]) for a in range(256) for b in range(256))
    write(path, data)
    process = run("check", "-a", "--json", path, status=1)
    equal(reported(process.stdout), expected(data))


@test("random text, from a file and from a pipe in odd pieces")
def _(root):
    rng = random.Random(SEED)
    path = root / b"f"
    for _ in range(60):
        data = b"".join(rng.choice(PIECES) for _ in range(rng.randrange(200)))
        want = expected(data)
        write(path, data)
        got = run("check", "-a", "--json", path, status=1 if want else 0)
        equal(reported(got.stdout), want, data)
        with subprocess.Popen([BINARY, "check", "-a", "--json"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as process:
            at = 0
            while at < len(data):
                size = rng.randrange(1, 9)
                process.stdin.write(data[at:at + size])
                process.stdin.flush()
                at += size
            process.stdin.close()
            equal(reported(process.stdout.read()), want, data)


@test("a sequence across the buffer's end, at every position near it")
def _(root):
    path = root / b"f"
    for bad in (b"\xf0\x9f\x98", b"\xc0\xaf", "😀".encode(), b"\xed\xbf\xbf"):
        for size in (128 * 1024, 2 * 128 * 1024, 64 * 1024):
            for shift in range(-5, 3):
                data = b"x" * (size + shift - 40) + b"\n" + "é".encode() * 19
                data = data[:size + shift] + bad + b"tail\n"
                write(path, data)
                got = run("check", "-a", "--json", path)
                equal(reported(got.stdout), expected(data), (size, shift))


@test("the first error only, in gcc's form, with the text around it")
def _(root):
    path = root / b"a\nb"
    write(path, "one\nzwölf".encode() + b" \xc0\xaf\t*\nmore\xff\n")
    got = run("check", path, status=1)
    name = path.replace(b"\n", b"\\n")
    equal(got.stdout, name + b":2:7: overlong C0 at byte 11: "
          + "zwölf ".encode() + b"\\xC0\\xAF\\t*\n")


@test("well-formed input: nothing is printed, status 0")
def _(root):
    path = root / b"f"
    write(path, "nothing wrong: é世😀\0\n".encode())
    got = run("check", path, os.devnull, status=0)
    equal(got.stdout + got.stderr, b"")
    equal(run("check", input=b"", status=0).stdout, b"")


@test("-l, -0 and -q")
def _(root):
    make(root, b"good", b"bad\n1", b"bad2")
    for name in (b"bad\n1", b"bad2"):
        write(root / name, b"\xff\xff")
    paths = [root / n for n in (b"bad\n1", b"good", b"bad2")]
    equal(run("check", "-l", *paths, status=1).stdout,
          paths[0].replace(b"\n", b"\\n") + b"\n" + paths[2] + b"\n")
    equal(run("check", "-0", *paths, status=1).stdout,
          paths[0] + b"\0" + paths[2] + b"\0")
    equal(run("check", "-q", *paths, status=1).stdout, b"")


@test("--form: what is well-formed in one is not in another")
def _():
    samples = {"utf-8": "😀".encode(), "cesu-8": b"\xed\xa0\xbd\xed\xb8\x80",
               "mutf-8": b"\xc0\x80", "ucs-4": b"\xfc\x84\x80\x80\x80\x80"}
    good = {("utf-8", "utf-8"), ("cesu-8", "cesu-8"), ("mutf-8", "mutf-8"),
            ("mutf-8", "cesu-8"), ("ucs-4", "ucs-4"), ("ucs-4", "utf-8"),
            ("ucs-4", "cesu-8")}
    for form in samples:
        for name, data in samples.items():
            run("check", f"--form={form}", input=b"x" + data + b"y",
                status=0 if (form, name) in good else 1)
    run("check", "--form=utf-7", status=2)


@test("--form: a pair of surrogates across the buffer's end")
def _(root):
    path = root / b"f"
    pair = b"\xed\xa0\xbd\xed\xb8\x80"
    for shift in range(7):
        write(path, b"x" * (128 * 1024 - shift) + pair + b"y")
        run("check", "--form=cesu-8", path, status=0)
        run("check", "--form=utf-8", path, status=1)


@test("-r: regular files only, links not followed unless told")
def _(root):
    make(root / b"sub", b"bad", b"good")
    write(root / b"sub/bad", b"\xff")
    os.mkfifo(root / b"sub/fifo")
    os.symlink(b"bad", root / b"sub/link")
    os.mkdir(root / b"top")
    os.symlink(b"../sub", root / b"top/dir")
    got = run("check", "-r", "-0", root, status=1)
    equal(got.stdout.split(b"\0")[:-1], [root / b"sub/bad"])
    run("check", "-r", root / b"top", status=0)
    got = run("check", "-rL0", root / b"top", status=1)
    equal(sorted(got.stdout.split(b"\0")[:-1]), [root / b"top/dir/bad",
                                                 root / b"top/dir/link"])


@test("what cannot be read: told, status 2, the others are checked")
def _(root):
    make(root, b"closed", b"bad")
    write(root / b"bad", b"\xff")
    nobody = as_nobody(root)
    os.chmod(root / b"closed", 0)
    got = run("check", "-l", root / b"closed", root / b"missing", root,
              root / b"bad", status=2, **nobody)
    equal(got.stdout, root / b"bad" + b"\n")
    for text in (b"closed: Permission denied", b"missing: No such file",
                 b": Is a directory"):
        true(text in got.stderr, got.stderr)
    # nor a directory among others
    os.chmod(root / b"closed", 0o644)
    make(root / b"shut", b"\xff")
    os.chmod(root / b"shut", 0)
    got = run("check", "-r0", "--exclude", "utf8val", root, status=2, **nobody)
    equal(got.stdout, root / b"bad\0")
    true(b"shut: Permission denied" in got.stderr, got.stderr)


@test("a disk that fails while a file is read: told, status 2")
def _(root):
    path = root / b"f"
    # A small file is read as one, a large one in pieces by several threads.
    for call, size in (("read", 300_000), ("pread64", 4_000_000)):
        write(path, b"x" * size)
        for args in ([], ["-q"], ["-i"], ["--warn"] if call == "read" else []):
            got = run("check", *args, path, status=2, wrap=[
                *inject(f"{call}:error=EIO:when=2+"), "-P", path])
            equal(got.stdout, b"", (call, args))
            true(got.stderr.endswith(b"/f: Input/output error\n"), got.stderr)


@test("a file that shrinks and grows while it is read")
def _(root):
    path = root / b"f"
    data = "世界".encode() * (1 << 20)
    stop = threading.Event()
    write(path, data)

    def shrink():
        rng = random.Random(SEED)
        while not stop.is_set():
            os.truncate(path, rng.randrange(len(data)))
            with open(path, "r+b") as file:
                file.write(data)

    thread = threading.Thread(target=shrink)
    thread.start()
    try:
        for _ in range(30):
            # The command may see zeros or a cut character, but must never crash.
            true(run("check", path).returncode in (0, 1))
    finally:
        stop.set()
        thread.join()


@test("memory stays the same, however large the file")
def _(root):
    not_emulated("the emulator itself needs more address space")
    path = root / b"f"
    with open(path, "wb") as file:
        file.truncate(4 << 30)
    # the address space is limited to far less than the file
    run("check", path, status=0, wrap=["prlimit", "--as=100000000"])


PIECE = 64 * 1024


@test("large files, in pieces: the same places as in one")
def _(root):
    # errors and characters at the bounds of the pieces that threads take
    rng = random.Random(SEED)
    path = root / b"f"
    base = ("a" + "é世😀" * 40 + "\n").encode()
    for attempt in range(60):
        data = bytearray(base * (rng.randrange(17, 33) * PIECE // len(base)))
        for _error in range(rng.randrange(4)):
            at = rng.randrange(1, len(data) // PIECE + 1) * PIECE
            at += rng.randrange(-6, 7)
            piece = rng.choice(PIECES + [b"\x80" * 5, b"\xbf" * 4])
            data[at:at + rng.randrange(4)] = piece
        want = expected(bytes(data))[:1]
        write(path, data)
        got = run("check", "--json", path, status=1 if want else 0)
        equal(reported(got.stdout), want, attempt)
        if want:
            before = json.loads(got.stdout)["before"]["text"].encode()
            true(data[:want[0][0]].endswith(before or b"\n"), attempt)
        run("check", "-q", path, status=1 if want else 0)


@test("--json -l and -i: names, as JSON, of bad or good files")
def _(root):
    for name, data in ((b"bad", b"\xff"), (b"good", b"x"), (b"b\xe9", b"")):
        write(root / name, data)
    args = (b"bad", b"good", b"b\xe9")
    equal(records("check", "-l", *args, cwd=root, status=1), [{"path": {"text": "bad"}}])
    got = run("check", "-i", *args, cwd=root, status=1)
    equal(got.stdout, b"good\nb\\xE9\n")
    got = run("check", "-i0", *args, cwd=root, status=1)
    equal(got.stdout, b"good\0b\xe9\0")
    equal(records("check", "-i", *args, cwd=root, status=1),
          [{"path": {"text": "good"}}, {"path": {"bytes": "Yuk="}}])
    equal(run("check", "-i", "bad", cwd=root, status=1).stdout, b"")
    run("check", "-i", "-l", "bad", cwd=root, status=2)


@test("--warn: byte order marks and NULs, in what is well-formed")
def _(root):
    path = root / b"f"
    write(path, b"\xef\xbb\xbfone\ntw\0o\0\n")
    got = run("check", path, status=0)
    equal(got.stdout, b"")
    want = (path + b":1:1: warning: byte order mark at byte 0\n" +
            path + b":2:3: warning: NUL at byte 9\n")
    equal(run("check", "--warn", path, status=0).stdout, want)
    with open(path, "rb") as file:
        got = run("check", "--warn", stdin=file, status=0)
    equal(got.stdout, want.replace(path, b"(standard input)"))
    equal([line["warning"] for line in records("check", "--warn", path, status=0)],
          ["byte order mark", "NUL"])
    # The NUL lies far from the beginning, after a refill.
    write(path, "é\n".encode() * 200_000 + b"a\0")
    equal(run("check", "-w", path, status=0).stdout,
          path + b":200001:2: warning: NUL at byte 600001\n")


@test("--skip-binary leaves out what has a NUL near its beginning")
def _(root):
    for name, data in ((b"program", b"ELF\0\xff"), (b"text", b"a\xff"),
                       (b"late", b"x" * 9000 + b"\0\xff")):
        write(root / name, data)
    got = run("check", "-r0", "--skip-binary", root, status=1)
    equal(sorted(os.path.basename(p) for p in got.stdout.split(b"\0")[:-1]),
          [b"late", b"text"])
    equal(run("check", "--skip-binary", input=b"\0\xff", status=0).stdout, b"")


@test("standard output that cannot be written: status 2")
def _():
    with open("/dev/full", "wb") as full:
        got = run("check", input=b"\xff", stdout=full, status=2)
    true(b"No space left" in got.stderr, got.stderr)
    # more than a buffer, after which something else may have failed
    with open("/dev/full", "wb") as full:
        got = run("check", "-a", "-", "/missing", input=b"\xff" * 9999,
                  stdout=full, status=2)
    true(got.stderr.endswith(b"standard output: No space left on device\n"), got.stderr)


main()
