#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Write the test vectors that all homes share.

Inputs are grouped, and each group names where it comes from. What is expected
of an input is said by CPython's UTF-8 codec, an implementation that shares
nothing with ours: where it stops and how long the maximal subpart is
(UnicodeDecodeError), and what errors="replace" makes of it. Only the reason has
no counterpart there; it is read off the bytes by reason() below, row by row as
documented for enum utf8val_reason.

Usage: tools/gen_vectors.py [-o FILE]      (without -o: standard output)
"""

import argparse
import itertools
import sys

GROUPS = []


def group(source, inputs):
    """inputs: byte strings, or (name, byte string)"""
    named = [i if isinstance(i, tuple) else (i.hex(" ").upper() or "nothing", i)
             for i in inputs]
    GROUPS.append((source, named))


def h(text):
    return bytes.fromhex(text)


group("RFC 3629, sections 4 and 7", [
    ("empty", b""),
    ("A not-identical-to Alpha .", h("41 E2 89 A2 CE 91 2E")),
    ("Korean hangugeo", h("ED 95 9C EA B5 AD EC 96 B4")),
    ("Japanese nihongo", h("E6 97 A5 E6 9C AC E8 AA 9E")),
    ("BOM and U+233B4", h("EF BB BF F0 A3 8E B4")),
    ("overlong NUL", h("C0 80")),
    ("overlong /../", h("2F C0 AE 2E 2F")),
    ("surrogate pair U+10000", h("ED A0 80 ED B0 80")),
])
group("worked cases of the project's specification", map(h, [
    "41", "C2 A9", "E4 BD A0", "F0 9F 98 80", "E4 B8 96", "ED 81 80",
    "F4 8F BF BF", "EF BF BF", "00",
    "C0 AF", "E0 80 AF", "ED A0 80", "F0 8F 98 80", "F4 90 80 80",
    "F5 80 80 80", "E4 BD", "80", "FE", "FF", "E4 BD 41", "C2 41",
    "F0 9F 98 61", "F0 80 80 80",
]))
group("The Unicode Standard 15.0, tables 3-8 to 3-11", [
    ("table 3-8", h("C0 AF E0 80 BF F0 81 82 41")),
    ("table 3-9", h("ED A0 80 ED BF BF ED AF 41")),
    ("table 3-10", h("F4 91 92 93 FF 41 80 BF 42")),
    ("table 3-11", h("E1 80 E2 F0 91 92 F1 BF 41")),
])
# Both ends of every byte class after both ends of every class of leads.
EDGES = h("00 7F 80 8F 90 9F A0 BF C0 C1 C2 DF E0 E1 EC ED EE EF F0 F1 F3 F4 F5"
          " F7 F8 FF")
LEADS = h("C1 C2 DF E0 E1 EC ED EE EF F0 F1 F3 F4 F5")
group("byte classes of RFC 3629, section 4: lead and second byte",
      [bytes((lead, second, 0xBF, 0x80))
       for lead in LEADS for second in h("7F 80 8F 90 9F A0 BF C0")])
group("byte classes of RFC 3629, section 4: single bytes",
      [bytes((byte,)) for byte in EDGES])
CHARS = "\u0080 \u07FF \u0800 \u0FFF \u1000 \uCFFF \uD000 \uD7FF \uE000 " \
    "\uFFFF \U00010000 \U0003FFFF \U00040000 \U000FFFFF \U00100000 " \
    "\U0010FFFF".split(" ")
group("first and last characters of every form, cut short and broken",
      [char.encode()[:keep] + end
       for char in CHARS for keep in range(1, len(char.encode()) + 1)
       for end in (b"", b"a", b"\xC2")])
group("repeated and mixed errors", map(h, [
    "80 80 80 80 80", "BF BF 41", "C2 C2 C2 80", "E0 A0 E0 A0 80",
    "F0 90 80 F0 90 80 80", "F4 8F BF C3 A9", "ED 9F ED 9F BF", "FE FE FF FF",
    "41 C3 42 C3 A9 43", "E2 82 AC E2 82", "F0 9F 98 80 F0 9F 98",
    "FC 80 80 80 80 AF", "F8 87 BF BF BF", "C3 A9 A9",
]))
group("RFC 3629, section 4: each lead with more tails than any takes",
      [bytes((lead,)) + 5 * b"\x80" for lead in EDGES if lead >= 0x80])
group("RFC 3629, section 4: a later tail that is none",
      [h(start) + bytes((byte,)) + b"\x80A" for start in ("E4 BD", "F0 9F 98")
       for byte in h("00 7F C0 C2 E4 FF")])
group("each mistake amid characters of all lengths", [
    (f"{name} amid text", "aé你😀".encode() + h(data) + "😀你éa".encode())
    for name, data in (
        ("stray tail", "BF"), ("two stray tails", "80 BF"),
        ("overlong slash in two bytes", "C0 AF"),
        ("overlong slash in three bytes", "E0 80 AF"),
        ("overlong slash in four bytes", "F0 80 80 AF"),
        ("surrogate pair", "ED A0 BD ED B8 80"),
        ("lone low surrogate", "ED B0 80"), ("U+110000", "F4 90 80 80"),
        ("U+1FFFFF", "F7 BF BF BF"), ("five-byte form", "F8 88 80 80 80"),
        ("six-byte form", "FC 84 80 80 80 80"), ("UTF-16's BOM", "FF FE"),
        ("Latin-1", "E9"), ("half an emoji", "F0 9F 98"))])
group("names cut at 255 bytes, mostly within a character", [
    (f"255 bytes, {len(char.encode())} a character after {shift}",
     (shift * "a" + 128 * char).encode()[:255])
    for char in "é你😀" for shift in range(len(char.encode()))])
group("text", [
    ("e and a combining accent", "e\u0301".encode()),
    ("noncharacters", "\ufdd0\ufffe\uffff\U0001fffe\U0010ffff".encode()),
    ("NUL inside", b"a\0b"),
    ("BOM and a letter", "\ufeffa".encode()),
    ("U+FFFD itself", "\ufffd".encode()),
    ("pangram, Greek", "Ξεσκεπάζω".encode()),
    ("pangram, Russian", "Съешь ещё этих мягких французских булок".encode()),
    ("Hebrew", "שלום עולם".encode()),
    ("Devanagari", "नमस्ते दुनिया".encode()),
    ("Thai", "สวัสดีชาวโลก".encode()),
    ("emoji family", "👩‍👩‍👧‍👦🇪🇺".encode()),
    ("Gothic", "𐌰𐌱𐌲".encode()),
    ("Latin-1 in disguise", "café crème".encode("latin-1")),
    ("Shift-JIS in disguise", "日本語".encode("shift-jis")),
    ("UTF-16 in disguise", "hello é".encode("utf-16-le")),
])


def reason(data):
    """The reason of an ill-formed sequence at the start of data."""
    lead = data[0]
    if 0x80 <= lead <= 0xBF:
        return "STRAY_TAIL"
    if lead in (0xC0, 0xC1):
        return "OVERLONG"
    if 0xF5 <= lead <= 0xF7:
        return "TOO_LARGE"
    if lead >= 0xF8:
        return "BAD_LEAD"
    if len(data) > 1 and 0x80 <= data[1] <= 0xBF:
        second = data[1]
        if lead == 0xE0 and second < 0xA0 or lead == 0xF0 and second < 0x90:
            return "OVERLONG"
        if lead == 0xED and second >= 0xA0:
            return "SURROGATE"
        if lead == 0xF4 and second >= 0x90:
            return "TOO_LARGE"
    tails = len(list(itertools.takewhile(lambda b: 0x80 <= b <= 0xBF,
                                         data[1:])))
    return "TRUNCATED" if 1 + tails == len(data) else "MISSING_TAIL"


def expected(data):
    replaced = data.decode("utf-8", "replace")
    try:
        data.decode("utf-8")
        return len(data), 0, "OK", replaced
    except UnicodeDecodeError as error:
        return (error.start, error.end - error.start,
                reason(data[error.start:]), replaced)


def c_bytes(data):
    return '(const uint8_t *)"' + "".join(f"\\x{b:02X}" for b in data) + '"'


def source_file():
    out = [
        "/* Generated by: tools/gen_vectors.py -o tests/vectors.c */",
        "/* SPDX-License-Identifier: GPL-2.0-only OR MIT */",
        "#include \"checks.h\"",
        "",
        "const struct utf8val_vector utf8val_vectors[] = {",
    ]
    seen = set()
    for source, inputs in GROUPS:
        out.append(f"\t/* {source} */")
        for name, data in inputs:
            if data in seen:
                continue
            seen.add(data)
            assert len(data) <= 256         # UTF8VAL_VECTOR_MAX
            assert name.isascii() and not set(name) & set('"#\\')
            valid, bad, why, replaced = expected(data)
            text = replaced.encode()
            out += [f'\t{{ "{name}",', f"\t  {c_bytes(data)},",
                    f"\t  {c_bytes(text) if text != data else 'NULL'},",
                    f"\t  {len(data)}, {len(text)}, {len(replaced)}, {valid},"
                    f" {bad}, UTF8VAL_{why} }},"]
    out += ["};", "", "const size_t utf8val_vector_count =",
            "\tsizeof(utf8val_vectors) / sizeof(utf8val_vectors[0]);", ""]
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description="Write the shared vectors.")
    parser.add_argument("-o", "--output", metavar="FILE",
                        help="write FILE instead of standard output")
    args = parser.parse_args()
    text = source_file()
    if args.output:
        with open(args.output, "w", encoding="ascii") as file:
            file.write(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
