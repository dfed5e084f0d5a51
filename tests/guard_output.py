#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Test how utf8val-guard prints bytes that others chose: Python's json, its tables of
Unicode and bash read them. The suite guard-output calls this. TAP on standard output.

Usage: tests/guard_output.py build/guard/output.so
"""

import base64
import ctypes
import json
import re
import shlex
import subprocess
import sys
import unicodedata

from lib.tap import tap

# Default_Ignorable_Code_Point outside of Cf, and the braille pattern without a dot
UNSEEN = {0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2065, 0x2800,
          0x3164, *range(0xFE00, 0xFE10), 0xFFA0, *range(0xFFF0, 0xFFF9),
          *range(0xE0000, 0xE1000)}
POINTS = [chr(c) for c in range(1, 0x110000) if not 0xD800 <= c < 0xE000]
PIECES = [b"\xff", b"\xc3", b"\xc3(", b"\x1b[2J",
          *(char.encode() for char in "é世😀\u202e\u2028\u0085\ufeff\"\\'$`*?-=~! \n\tx")]
NAMES = [*PIECES, b"".join(PIECES), *(bytes([byte]) for byte in range(1, 256))]


class Text(ctypes.Structure):
    """struct text of output.h."""
    _fields_ = [("bytes", ctypes.c_void_p), ("len", ctypes.c_size_t), ("cap", ctypes.c_size_t)]


def written(function, *args):
    """What a function adds to a text."""
    text = Text()
    function(ctypes.byref(text), *args)
    return ctypes.string_at(text.bytes, text.len).decode()


def by_bash(form, words):
    """What bash's printf makes of words of its command line."""
    return subprocess.run(["bash", "-c", rf"printf '{form}\0' {' '.join(words)}"], check=True,
                          stdout=subprocess.PIPE).stdout.split(b"\0")[:-1]


def from_json(text):
    """The bytes that an object stands for, which are text if and only if they are UTF-8."""
    (form, value), = json.loads(text).items()
    data = value.encode() if form == "text" else base64.b64decode(value, validate=True)
    is_text = data.decode(errors="replace").encode() == data
    return data if form == ("text" if is_text else "bytes") else form


def is_visible(char):
    return char == " " or (ord(char) not in UNSEEN and
                           unicodedata.category(char) not in ("Cc", "Cf", "Zs", "Zl", "Zp"))


def results(guard):
    """(name, what is wrong) of each point."""
    def differences(got):
        return [repr(pair) for pair in zip(got, NAMES) if pair[0] != pair[1]] + \
            ["not as many"] * (len(got) != len(NAMES))

    objects = [written(guard.text_json, b"", name, ctypes.c_size_t(len(name)))
               for name in NAMES]
    texts = [written(guard.text_safe, name) for name in NAMES]
    words = [written(guard.text_shell, name) for name in NAMES]
    labels = [written(guard.text_label, name) for name in NAMES]
    yield "JSON has the bytes of each name", differences(list(map(from_json, objects)))
    yield "so has the text for a terminal", differences(
        by_bash("%b", map(shlex.quote, texts)))
    yield "so has an argument for a shell", differences(by_bash("%s", words))
    yield "so has a label for Prometheus", differences(
        by_bash("%b", [shlex.quote(label.replace(r"\\", "\\")) for label in labels])) + \
        [label for label in labels if not re.fullmatch(r'([^"\\]|\\\\)*', label)]
    yield "none has a character that a terminal obeys or hides", [
        repr(text) for text in objects + texts + words + labels
        if not all(map(is_visible, text))]
    yield "what Unicode has as visible is shown as it is, and nothing else", [
        f"U+{ord(char):04X}" for char in POINTS
        if char != "\\" and unicodedata.category(char) not in ("Cn", "Co") and
        (written(guard.text_safe, char.encode()) == char) != is_visible(char)]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(tap(results(ctypes.CDLL(sys.argv[1]))))
