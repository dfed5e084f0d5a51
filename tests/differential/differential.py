#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Compare utf8val_replace() and utf8val_count() with other implementations.
The suite differential calls this.

Inputs are the shared vectors, then random and mutated strings out of a seeded generator.
For each input, the repaired bytes and the number of sequences must be the same from three
sources:

- our core (each CORE is a shared library of it with another engine, or the WebAssembly
  module);
- CPython's errors="replace";
- TextDecoder in Node.js.

TAP on standard output.
"""

import argparse
import ctypes
import pathlib
import random
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "tools" / "gen"), str(HERE.parent)]
sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
from lib.tap import tap  # noqa: E402
from vectors import EDGES, GROUPS  # noqa: E402

# Text that the generator of inputs cuts and mixes.
TEXT = ("plain ASCII, naïve café, Ελληνικά, Русский, עברית, हिन्दी, 日本語, "
        "한국어, 😀👩‍👩‍👧🇪🇺, 𐌰𐌱𐌲, \0\x7f\x80\u07ff\u0800\ud7ff\ue000\ufeff"
        "\ufffd\uffff\U00010000\U0010ffff").encode()
BATCH = 50000


def code_point(rng):
    while True:
        value = rng.randrange(rng.choice((0x80, 0x800, 0x10000, 0x110000)))
        if not 0xD800 <= value <= 0xDFFF:
            return chr(value)


def well_formed(rng):
    if rng.getrandbits(1):
        start = rng.randrange(len(TEXT))
        return TEXT[start:start + rng.randrange(64)]
    return "".join(code_point(rng) for _ in range(rng.randrange(12))).encode()


def mutated(rng):
    data = bytearray(well_formed(rng))
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(data) + 1)
        kind = rng.getrandbits(2)
        if kind == 0:
            data[at:at + 1] = bytes((rng.choice(EDGES),))
        elif kind == 1:
            del data[at:at + rng.randrange(1, 4)]
        elif kind == 2:
            data[at:at] = rng.choices(EDGES, k=rng.randrange(1, 4))
        elif at < len(data):
            data[at] ^= 1 << rng.randrange(8)
    return bytes(data)


def one(rng):
    dice = rng.getrandbits(3)
    if dice < 5:
        return mutated(rng)
    if dice == 5:
        return bytes(rng.choices(EDGES, k=rng.randrange(16)))
    if dice == 6:
        return rng.randbytes(rng.randrange(32))
    # Long runs, for engines that take several bytes at a time.
    return b"".join(mutated(rng) for _ in range(rng.randrange(1, 9)))


def records(inputs):
    return b"".join(struct.pack("<I", len(data)) + data for data in inputs)


def by_python(inputs):
    out = []
    for data in inputs:
        text = data.decode("utf-8", "replace")
        repaired = text.encode()
        out.append(struct.pack("<II", len(text), len(repaired)) + repaired)
    return b"".join(out)


class Replaced(ctypes.Structure):
    """struct utf8val_replaced"""

    _fields_ = [("read", ctypes.c_size_t), ("written", ctypes.c_size_t)]


def by_library(path):
    """The same by a shared library of the core."""
    library = ctypes.CDLL(path)
    library.utf8val_count.restype = ctypes.c_size_t
    library.utf8val_count.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    library.utf8val_replace.restype = Replaced
    library.utf8val_replace.argtypes = 2 * [ctypes.c_char_p, ctypes.c_size_t]

    def run(inputs):
        out = []
        for data in inputs:
            room = ctypes.create_string_buffer(3 * len(data) + 1)
            size = library.utf8val_replace(room, 3 * len(data), data, len(data)).written
            units = library.utf8val_count(data, len(data))
            out.append(struct.pack("<II", units, size) + room.raw[:size])
        return b"".join(out)
    return run


def by_filter(*command):
    """The same by a program that reads records."""
    def run(inputs):
        result = subprocess.run(command, input=records(inputs), stdout=subprocess.PIPE,
                                check=False)
        if result.returncode:
            raise RuntimeError(f"{command[0]} ended with {result.returncode}")
        return result.stdout
    return run


def split(blob):
    """The records (number of sequences, repaired bytes) of an output, as far as they
    are whole."""
    at = 0
    while at + 8 <= len(blob):
        units, size = struct.unpack_from("<II", blob, at)
        yield units, blob[at + 8:at + 8 + size]
        at += 8 + size


def first_difference(inputs, wanted, got):
    """Describe the first input for which two outputs differ."""
    answers = split(got)
    for data, want in zip(inputs, split(wanted)):
        answer = next(answers, None)
        if answer != want:
            told = (f"{answer[0]} sequences, {answer[1].hex(' ')}" if answer
                    else "nothing")
            return (f"of {data.hex(' ')}: CPython says {want[0]} sequences,"
                    f" {want[1].hex(' ')}; here {told}")
    return "more output than inputs"


def batches(seed, count):
    """At least count inputs, the vectors among them, in lists."""
    rng = random.Random(seed)
    yield [data for _, inputs in GROUPS for _, data in inputs]
    for start in range(0, count, BATCH):
        yield [one(rng) for _ in range(min(BATCH, count - start))]


def compare(filters, seed, count):
    """Returns what differs, by the name of the filter; the number of inputs; and the
    number of those that gave U+FFFD."""
    differences = {}
    done = bad = 0
    for inputs in batches(seed, count):
        wanted = by_python(inputs)
        for name, run in filters:
            if name in differences:
                continue
            try:
                got = run(inputs)
            except (OSError, RuntimeError) as error:
                differences[name] = str(error)
                continue
            if got != wanted:
                differences[name] = first_difference(inputs, wanted, got)
        done += len(inputs)
        bad += sum(b"\xef\xbf\xbd" in repaired for _, repaired in split(wanted))
    return differences, done, bad


def main():
    parser = argparse.ArgumentParser(
        description="Compare repair with CPython's and Node.js's; TAP.")
    parser.add_argument("cores", nargs="+", metavar="CORE",
                        help="a shared library of the core, or a module *.wasm")
    parser.add_argument("--count", type=int, default=200000,
                        help="random inputs (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0x75746638,
                        help="of the generator (default: %(default)s)")
    parser.add_argument("--node", default="/usr/bin/node",
                        help="Node.js (default: %(default)s)")
    args = parser.parse_args()
    filters = [(pathlib.Path(core).name.removesuffix(".so"),
                by_filter(args.node, HERE / "repair.js", core)
                if core.endswith(".wasm") else by_library(core)) for core in args.cores]
    filters.append(("TextDecoder", by_filter(args.node, HERE / "repair.js")))
    differences, done, bad = compare(filters, args.seed, args.count)
    print(f"# {done} inputs, {bad} of them with U+FFFD in the result,"
          f" seed {args.seed}")
    return tap((f"{name} repairs and counts as CPython does",
                [differences[name]] if name in differences else [])
               for name, _ in filters)


if __name__ == "__main__":
    sys.exit(main())
