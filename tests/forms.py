#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Tests of the other forms, against CPython's codecs; TAP.
The suite forms calls this.

CESU-8 and Modified UTF-8 are read through "surrogatepass" and UTF-16, which pairs
surrogates by itself. UCS-4 text that is UTF-8 is recognised by the arithmetic of RFC
2279. None of this knows the project's grammars.

Usage: tests/forms.py LIBRARY       (a shared object of the core and the forms)
"""

import ctypes
import itertools
import pathlib
import random
import re
import sys

from lib.tap import tap

UTF8, CESU8, MUTF8, UCS4 = range(4)
NAMES = ["UTF-8", "CESU-8", "Modified UTF-8", "UCS-4 UTF-8"]
HEADER = pathlib.Path(__file__).parents[1] / "utf8val.h"
REASONS = {int(number): name for name, number in
           re.findall(r"^\tUTF8VAL_(\w+) = (\d),?$", HEADER.read_text("ascii"), re.M)}
SIZE_MAX = ctypes.c_size_t(-1).value


class Result(ctypes.Structure):
    _fields_ = [("valid", ctypes.c_size_t), ("bad", ctypes.c_uint8),
                ("reason", ctypes.c_uint8)]


lib = ctypes.CDLL(sys.argv[1])
lib.utf8val_form_check.restype = Result
lib.utf8val_form_check.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t]
lib.utf8val_form_convert.restype = ctypes.c_size_t
lib.utf8val_form_convert.argtypes = [
    ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t,
    ctypes.c_char_p, ctypes.c_size_t]


def check(form, data):
    result = lib.utf8val_form_check(form, data, len(data))
    return result.valid, result.bad, REASONS[result.reason]


def convert(source, target, data, cap=None):
    need = lib.utf8val_form_convert(source, target, None, 0, data, len(data))
    if need == SIZE_MAX:
        return None
    room = ctypes.create_string_buffer(b"\xA5" * (need + 1), need + 1)
    again = lib.utf8val_form_convert(source, target, room,
                                     need if cap is None else cap, data, len(data))
    assert again == need
    return room.raw[:need] if cap is None else room.raw


def cesu_text(data):
    """The text of CESU-8 bytes, or None."""
    if any(byte >= 0xF0 for byte in data):
        return None
    try:
        halves = data.decode("utf-8", "surrogatepass")
        return halves.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        return None


def mutf_text(data):
    if 0 in data:
        return None
    return cesu_text(data.replace(b"\xC0\x80", b"\0"))


def to_cesu(text):
    raw = text.encode("utf-16-le")
    halves = (int.from_bytes(raw[i:i + 2], "little") for i in range(0, len(raw), 2))
    return "".join(map(chr, halves)).encode("utf-8", "surrogatepass")


def to_mutf(text):
    return to_cesu(text).replace(b"\0", b"\xC0\x80")


def ucs4_encode(value):
    """RFC 2279, section 2: its table of ranges."""
    if value < 0x80:
        return bytes((value,))
    for size, limit in ((2, 1 << 11), (3, 1 << 16), (4, 1 << 21), (5, 1 << 26),
                        (6, 1 << 31)):
        if value < limit:
            break
    tails = [0x80 | value >> 6 * i & 0x3F for i in range(size - 2, -1, -1)]
    lead = (0xFF00 >> size & 0xFF) | value >> 6 * (size - 1)
    return bytes((lead, *tails))


def ucs4_values(data):
    """The values of UCS-4 bytes, or None."""
    at, values = 0, []
    while at < len(data):
        lead = data[at]
        size = 1 if lead < 0x80 else next(
            (n for n in range(2, 7)
             if lead >> (7 - n) == (1 << n + 1) - 2), 0)
        unit = data[at:at + size]
        if not size or len(unit) < size \
                or any(byte & 0xC0 != 0x80 for byte in unit[1:]):
            return None
        value = lead & (0x7F >> size if size > 1 else 0x7F)
        for byte in unit[1:]:
            value = value << 6 | byte & 0x3F
        if ucs4_encode(value) != unit:
            return None
        at += size
        values.append(value)
    return values


def values_of(text):
    return None if text is None else [ord(char) for char in text]


def utf8_text(data):
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


# The values of a form's bytes, or None; and the bytes of scalar values.
DECODE = {UTF8: lambda data: values_of(utf8_text(data)),
          CESU8: lambda data: values_of(cesu_text(data)),
          MUTF8: lambda data: values_of(mutf_text(data)), UCS4: ucs4_values}
ENCODE = {UTF8: str.encode, CESU8: to_cesu, MUTF8: to_mutf}


def encoded(form, value):
    """The bytes of a value, or None if the form has no such value."""
    if form == UCS4:
        return ucs4_encode(value)
    scalar = value <= 0x10FFFF and not 0xD800 <= value <= 0xDFFF
    return ENCODE[form](chr(value)) if scalar else None


points = []


def point(passed, name, detail=""):
    points.append((name, [] if passed else [detail]))


EDGES = bytes.fromhex("00 41 80 8F 90 9F A0 AF B0 BF C0 C1 C2 DF E0 EC ED EF F0"
                      " F4 F7 F8 FB FC FD FE FF")


def combinations():
    """Every combination of class edges of up to four bytes."""
    for size in range(5):
        edges = EDGES if size < 4 else bytes.fromhex(
            "00 41 80 8F 9F A0 AF B0 BF C0 C2 E0 ED F0 F8 FC FE")
        yield from map(bytes, itertools.product(edges, repeat=size))


def strings(seed):
    rng = random.Random(seed)
    alphabet = [b"a", b"\xC3\xA9", b"\xE4\xBD\xA0", b"\xED\xA0\xBD",
                b"\xED\xB8\x80", b"\xED\x80\x80", b"\xF0\x9F\x98\x80",
                b"\xC0\x80", b"\0", b"\x80", b"\xF8\x88\x80\x80\x80",
                b"\xFC\x84\x80\x80\x80\x80", b"\xFF", b"\xED"]
    for _ in range(20000):
        data = b"".join(rng.choices(alphabet, k=rng.randrange(1, 8)))
        yield data[:rng.randrange(len(data) + 1)]


def first_wrong(form, inputs):
    """The first input whose verdict is wrong, with what it should be and is, or None."""
    for data in inputs:
        want = max(n for n in range(len(data) + 1) if DECODE[form](data[:n]) is not None)
        valid, bad, reason = check(form, data)
        if valid != want or (reason == "OK") != (want == len(data)) \
                or (bad == 0) != (reason == "OK"):
            return data.hex(" "), want, (valid, bad, reason)
    return None


def first_wrong_conversion(source, target, seed):
    """As first_wrong(), for conversions of a part of each string into a room of any size.
    What stands after the part and after the room must not matter."""
    rng = random.Random(seed)
    for data in strings(seed):
        size = rng.randrange(len(data) + 1)
        values = DECODE[source](data[:size])
        parts = [None] if values is None else [encoded(target, value) for value in values]
        want, fits = SIZE_MAX, b""
        cap = rng.randrange(3 * len(data) + 2)
        if None not in parts:
            want = len(b"".join(parts))
            fits = max((b"".join(parts[:n]) for n in range(len(parts) + 1)
                        if len(b"".join(parts[:n])) <= cap), key=len)
        room = ctypes.create_string_buffer(b"\xA5" * (cap + 8), cap + 8)
        need = lib.utf8val_form_convert(source, target, room, cap, data, size)
        if need != want or room.raw != fits.ljust(cap + 8, b"\xA5"):
            return data.hex(" "), size, cap, want, need, room.raw.hex(" ")
    return None


for form in (CESU8, MUTF8, UCS4):
    for name, inputs in (("class edges up to four bytes", combinations()),
                         ("20,000 strings, seed 3629", strings(3629))):
        wrong = first_wrong(form, inputs)
        point(wrong is None, f"{NAMES[form]}: {name}", wrong)

SCALARS = "".join(map(chr, itertools.chain(range(0xD800), range(0xE000, 0x110000))))
IN = {UTF8: SCALARS.encode(), CESU8: to_cesu(SCALARS), MUTF8: to_mutf(SCALARS),
      UCS4: b"".join(ucs4_encode(ord(char)) for char in SCALARS)}
for source, target in itertools.product(IN, IN):
    point(convert(source, target, IN[source]) == IN[target],
          f"{NAMES[source]} to {NAMES[target]}: every scalar value")

for source, target in itertools.product(IN, IN):
    wrong = first_wrong_conversion(source, target, 3629)
    point(wrong is None, f"{NAMES[source]} to {NAMES[target]}: parts of 20,000 strings", wrong)

values = [0xD800, 0xDFFF, 0x110000, 0x1FFFFF, 0x200000, 0x3FFFFFF, 0x4000000, 0x7FFFFFFF]
for value in values:
    data = ucs4_encode(value)
    point(check(UCS4, data) == (len(data), 0, "OK") and convert(UCS4, UCS4, data) == data
          and all(convert(UCS4, target, data) is None for target in (UTF8, CESU8, MUTF8)),
          f"{value:X} is UCS-4 only")

# Position, length and reason of errors: the rows of enum utf8val_reason, form by form.
EXPLAINED = [
    (CESU8, "41 ED A0 BD 42", (1, 3, "SURROGATE"), "a high half, then text"),
    (CESU8, "ED A0 BD ED 80 80", (0, 3, "SURROGATE"), "then another character"),
    (CESU8, "ED B8 80", (0, 1, "SURROGATE"), "a low half first"),
    (CESU8, "ED A0 BD", (0, 3, "TRUNCATED"), "half a pair at the end"),
    (CESU8, "ED A0 BD ED", (0, 4, "TRUNCATED"), "a pair cut in its second half"),
    (CESU8, "ED A0 41", (0, 2, "MISSING_TAIL"), "a half that lacks its tail"),
    (CESU8, "F0 9F 98 80", (0, 1, "BAD_LEAD"), "four bytes"),
    (CESU8, "F5 80 80 80", (0, 1, "BAD_LEAD"), "what is in no form of four bytes"),
    (MUTF8, "41 F7", (1, 1, "BAD_LEAD"), "nor in Java's"),
    (CESU8, "C0 80", (0, 1, "OVERLONG"), "Java's NUL"),
    (CESU8, "E0 80 80", (0, 1, "OVERLONG"), "three bytes for NUL"),
    (CESU8, "80", (0, 1, "STRAY_TAIL"), "a tail"),
    (MUTF8, "41 00", (1, 1, "BAD_LEAD"), "NUL"),
    (MUTF8, "C0 81", (0, 1, "OVERLONG"), "C0 81"),
    (MUTF8, "C1 81", (0, 1, "OVERLONG"), "C1"),
    (MUTF8, "C0", (0, 1, "TRUNCATED"), "half of NUL"),
    (UCS4, "F8 87 BF BF BF", (0, 1, "OVERLONG"), "five bytes for 1FFFFF"),
    (UCS4, "FC 83 BF BF BF BF", (0, 1, "OVERLONG"), "six for 3FFFFFF"),
    (UCS4, "FE", (0, 1, "BAD_LEAD"), "FE"),
    (UCS4, "FD BF BF BF BF", (0, 5, "TRUNCATED"), "six bytes less one"),
    (UCS4, "FD BF BF 41", (0, 3, "MISSING_TAIL"), "six bytes, broken"),
    (UTF8, "ED A0 80", (0, 1, "SURROGATE"), "as utf8val_check()"),
    (UTF8, "F5 80", (0, 1, "TOO_LARGE"), "as utf8val_check()"),
]
for form, text, want, name in EXPLAINED:
    got = check(form, bytes.fromhex(text))
    point(got == want, f"{NAMES[form]}: {text}: {name}", (want, got))

mixed = "a\0é你😀z"
for target, encode in ENCODE.items():
    want, good = encode(mixed), True
    ends = {len(encode(mixed[:i])) for i in range(len(mixed) + 1)}
    for cap in range(len(want) + 1):
        fits = max(end for end in ends if end <= cap)
        room = convert(UTF8, target, mixed.encode(), cap)
        good &= room[:fits] == want[:fits] \
            and set(room[fits:]) <= {0xA5}
    point(good, f"UTF-8 to {NAMES[target]}: whole characters for every room")
point(convert(CESU8, UTF8, b"a\xED\xA0\xBD") is None,
      "ill-formed input converts to nothing")
point(check(MUTF8, b"") == (0, 0, "OK") and convert(UTF8, MUTF8, b"") == b"",
      "nothing is well-formed and stays nothing")
sys.exit(tap(points))
