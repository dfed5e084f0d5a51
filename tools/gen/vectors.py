#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Write the test vectors that all runners share.
tests/tests.mk and kunit/selftest/Kbuild call this.

Inputs are grouped, and each group names where it comes from. The expected results are by
CPython's UTF-8 codec, an implementation that shares nothing with ours. UnicodeDecodeError
has the place where it stops and the length of the maximal subpart, and errors="replace"
the repaired text. Only the reason has no counterpart there. reason() below reads it off
the bytes, row by row as documented for enum utf8val_reason.

Usage: tools/gen/vectors.py [--kernel] [-o FILE | --seeds DIRECTORY]
       (otherwise: standard output)
"""

import collections
import itertools
import pathlib
import re
import sys
import textwrap

import output

GROUPS = []


# The bytes of all vectors: where each stands.
FOUND = {}


def group(source, inputs, repeats=0):
    """inputs: byte strings, or (name, byte string). repeats: how many of them have the
    bytes of an earlier vector, and therefore become no vector."""
    vectors, earlier = [], []
    for entry in inputs:
        name, data = entry if isinstance(entry, tuple) else (
            entry.hex(" ").upper() or "nothing", entry)
        if data in FOUND:
            earlier.append(f"{name!r} is {FOUND[data]}")
        else:
            FOUND[data] = f"{name!r} of {source!r}"
            vectors.append((name, data))
    if len(earlier) != repeats:
        sys.exit(f"vectors: {source!r} repeats {len(earlier)} vectors where it says"
                 f" repeats={repeats}; leave the new one out, or count it there:\n  "
                 + "\n  ".join(earlier))
    GROUPS.append((source, vectors))


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
      [bytes((byte,)) for byte in EDGES], repeats=3)
CHARS = "\u0080 \u07FF \u0800 \u0FFF \u1000 \uCFFF \uD000 \uD7FF \uE000 " \
    "\uFFFF \U00010000 \U0003FFFF \U00040000 \U000FFFFF \U00100000 " \
    "\U0010FFFF".split(" ")
group("first and last characters of every form, cut short and broken",
      [char.encode()[:keep] + end
       for char in CHARS for keep in range(1, len(char.encode()) + 1)
       for end in (b"", b"a", b"\xC2")], repeats=26)
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
# The rules of section 4, alternative by alternative, as the rows of Unicode's table 3-7:
# the first and the last value of each octet.
ALTERNATIVES = {
    "UTF8-1": "00-7F", "UTF8-2": "C2-DF 80-BF",
    "UTF8-3, first": "E0-E0 A0-BF 80-BF", "UTF8-3, second": "E1-EC 80-BF 80-BF",
    "UTF8-3, third": "ED-ED 80-9F 80-BF", "UTF8-3, fourth": "EE-EF 80-BF 80-BF",
    "UTF8-4, first": "F0-F0 90-BF 80-BF 80-BF",
    "UTF8-4, second": "F1-F3 80-BF 80-BF 80-BF",
    "UTF8-4, third": "F4-F4 80-8F 80-BF 80-BF",
}
group("RFC 3629, section 4: each alternative with the bytes next to those of a later tail",
      [b"".join(h(octet[-2:]) for octet in octets[:place]) + bytes((byte,))
       for octets in (text.split() for text in ALTERNATIVES.values())
       for place in range(2, len(octets)) for byte in h("7F C0")])
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


def scheme(value, size):
    """value in size bytes of ISO 10646's old form, however few it needs."""
    if size == 1:
        return bytes((value,))
    tails = [0x80 | value >> 6 * i & 0x3F for i in reversed(range(size - 1))]
    lead = 0xFF << 8 - size & 0xFF | value >> 6 * (size - 1)
    return bytes([lead] + tails)


def old(value):
    """value in the shortest of up to six bytes"""
    size = 1 + sum(value > last for last in LAST[:-1])
    return scheme(value, size)


# The last value of each length.
LAST = (0x7F, 0x7FF, 0xFFFF, 0x1FFFFF, 0x3FFFFFF, 0x7FFFFFFF)
SIZES = range(1, 7)
KUHN = "Markus Kuhn, UTF-8 decoder capability and stress test, "
group(KUHN + "1: correct text", [
    ("kosme with an accent", h("CE BA E1 BD B9 CF 83 CE BC CE B5"))])
group(KUHN + "2: boundaries", [
    (f"2.1 first of {size} bytes", old(LAST[size - 2] + 1 if size > 1 else 0))
    for size in SIZES
] + [
    (f"2.2 last of {size} bytes", old(LAST[size - 1])) for size in SIZES
] + [
    (f"2.3 U+{value:04X}", old(value))
    for value in (0xD7FF, 0xE000, 0xFFFD, 0x10FFFF, 0x110000)], repeats=12)
TAILS = bytes(range(0x80, 0xC0))
PARTS = ([scheme(0, size)[:-1] for size in SIZES[1:]]
         + [scheme(LAST[size - 1], size)[:-1] for size in SIZES[1:]])
group(KUHN + "3: malformed sequences", [
    ("3.1 first tail", h("80")), ("3.1 last tail", h("BF")),
] + [
    (f"3.1 {count} tails", (4 * h("80 BF"))[:count]) for count in range(2, 8)
] + [
    ("3.1 all tails", TAILS),
] + [
    (f"3.2 lonely leads {first:02X} to {last:02X}",
     b"".join(bytes((lead, 0x20)) for lead in range(first, last + 1)))
    for first, last in ((0xC0, 0xDF), (0xE0, 0xEF), (0xF0, 0xF7), (0xF8, 0xFB),
                        (0xFC, 0xFD))
] + [
    (f"3.3 last tail missing: {part.hex(' ').upper()}", part) for part in PARTS
] + [
    ("3.4 all of 3.3", b"".join(PARTS)),
    ("3.5 FE", h("FE")), ("3.5 FF", h("FF")), ("3.5 both", h("FE FE FF FF")),
], repeats=8)
group(KUHN + "4: overlong forms", [
    (f"{part} U+{value:04X} in {size} bytes", scheme(value, size))
    for part, values in (("4.1 slash", 5 * (0x2F,)), ("4.2 longest", LAST[:5]),
                         ("4.3 NUL", 5 * (0,)))
    for size, value in zip(SIZES[1:], values)], repeats=6)
group(KUHN + "5: code points that are none, and noncharacters", [
    (f"5.1 single U+{value:04X}", scheme(value, 3))
    for value in (0xD800, 0xDB7F, 0xDB80, 0xDBFF, 0xDC00, 0xDF80, 0xDFFF)
] + [
    (f"5.2 pair U+{high:04X} U+{low:04X}", scheme(high, 3) + scheme(low, 3))
    for high in (0xD800, 0xDB7F, 0xDB80, 0xDBFF) for low in (0xDC00, 0xDFFF)
] + [
    ("5.3 U+FFFE", scheme(0xFFFE, 3)), ("5.3 U+FFFF", scheme(0xFFFF, 3)),
    ("5.3 U+FDD0 to U+FDEF",
     b"".join(scheme(value, 3) for value in range(0xFDD0, 0xFDF0))),
    ("5.3 the last two of planes 1 to 16",
     b"".join(scheme(plane << 16 | low, 4)
              for plane in range(1, 17) for low in (0xFFFE, 0xFFFF))),
], repeats=3)
# The decoder there keeps "UTF-8 bytes needed", "bytes seen" and two boundaries.
WHATWG = "WHATWG Encoding Standard, UTF-8 decoder: "
group(WHATWG + "end-of-queue while bytes are needed is one error", [
    (f"ends after {char.encode()[:seen].hex(' ').upper()}",
     b"a" + char.encode()[:seen])
    for char in ("\u0080", "\u0800", "\uD7FF", "\uFFFF", "\U00010000",
                 "\U000FFFFF", "\U0010FFFF")
    for seen in range(1, len(char.encode()))])
group(WHATWG + "a byte that is out of the boundaries is restored to the queue", [
    (f"{start} then {byte}", h(start) + h(byte) + b"z")
    for start in ("C2", "E0", "E0 A0", "E1 80", "ED", "ED 9F", "F0", "F0 90",
                  "F0 90 80", "F4", "F4 8F", "F4 8F BF")
    for byte in ("41", "C3 A9", "E2 82 AC", "F0 9F 98 80", "C1", "F5")])
group(WHATWG + "boundaries after E0, ED, F0 and F4, and none after others", [
    (f"{lead:02X} and {second:02X}",
     bytes((lead, second)) + (2 if lead < 0xF0 else 3) * b"\x80")
    for lead, bound in ((0xE0, 0xA0), (0xED, 0xA0), (0xF0, 0x90), (0xF4, 0x90),
                        (0xE1, 0x80), (0xEF, 0xC0), (0xF1, 0x80), (0xF3, 0xC0))
    for second in (bound - 1, bound)])
group(WHATWG + "overlong forms have no way in", [
    (f"U+{value:04X} in {size} bytes", scheme(value, size))
    for value in (0, *LAST[:3], 0x10FFFF) for size in SIZES
    if len(old(value)) < size], repeats=8)
group(WHATWG + "the byte order mark is a character; decode takes it off before", [
    ("BOM alone", h("EF BB BF")), ("BOM twice", 2 * h("EF BB BF")),
    ("BOM inside", b"a" + h("EF BB BF") + b"b"),
    ("BOM cut short", h("EF BB")), ("BOM broken", h("EF BB 41")),
])

# columns, a tab being eight
WIDTH = 100


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
    tails = len(list(itertools.takewhile(lambda b: 0x80 <= b <= 0xBF, data[1:])))
    return "TRUNCATED" if 1 + tails == len(data) else "MISSING_TAIL"


def expected(data):
    replaced = data.decode("utf-8", "replace")
    try:
        data.decode("utf-8")
        return len(data), 0, "OK", replaced
    except UnicodeDecodeError as error:
        return (error.start, error.end - error.start,
                reason(data[error.start:]), replaced)


# By the bytes of a text: the numbers of times for which it has a macro.
REPEATED = collections.defaultdict(set)


def c_name(unit):
    """The beginning of the names of the macros of a repeated text."""
    return f"T{unit.hex().upper()}_"


def c_pieces(data):
    """Strings of escapes, which C joins. One to eight U+FFFD are written by name. Up to
    four bytes that are repeated eight times and more are written by the macro of their
    number."""
    for found in re.finditer(b"(?:\xEF\xBF\xBD){1,8}|(.{1,4}?)\\1{7,}|"
                             b"(?:(?!\xEF\xBF\xBD|(.{1,4}?)\\2{7,}).){1,16}", data, re.S):
        part, unit = found[0], found[1] or found[0]
        text = '"' + "".join(f"\\x{byte:02X}" for byte in unit) + '"'
        if part.startswith(b"\xEF\xBF\xBD"):
            yield f"FFFD{len(part) // 3 if len(part) > 3 else ''}"
        elif part == unit:
            yield text
        else:
            REPEATED[unit].add(len(part) // len(unit))
            yield f"{c_name(unit)}{len(part) // len(unit)}"


def c_call(macro, *arguments):
    """A macro's call in lines of at most WIDTH columns, aligned with its parenthesis.
    An argument is a list of words, between which a line may end."""
    words = [word + ("," if last else "") for argument in arguments
             for last, word in zip([False] * (len(argument) - 1) + [True], argument)]
    words[0] = f"{macro}({words[0]}"
    words[-1] = words[-1][:-1] + "),"
    lines = [words[0]]
    for word in words[1:]:
        room = WIDTH - 8 - (len(macro) + 1) * (len(lines) > 1)
        # two strings in one line would better be one
        if len(lines[-1]) + 1 + len(word) > room or lines[-1][-1] + word[0] == '""':
            lines.append(word)
        else:
            lines[-1] += f" {word}"
    return "\t" + ("\n\t" + " " * (len(macro) + 1)).join(lines)


def c_comment(text):
    if len(text) < 64:
        return f"\t/* {text} */"
    lines = textwrap.wrap(text, 68)
    return "\n".join(["\t/*", *(f"\t * {line}" for line in lines), "\t */"])


def repeat_macros():
    """A repeated text's macros, each made of the one of half as many, down to one."""
    for unit, counts in sorted(REPEATED.items()):
        while halves := {count // 2 for count in counts if count > 1} - counts:
            counts.update(halves)
        once = '"' + "".join(f"\\x{byte:02X}" for byte in unit) + '"'
        for count in sorted(counts):
            half = f" {c_name(unit)}{count // 2}"
            yield f"#define {c_name(unit)}{count} " + (
                (once if count % 2 else '""') + 2 * half if count > 1 else once)


def source_file(kernel=False):
    """The vectors in C; a kernel's repair nothing."""
    out = []
    for source, vectors in GROUPS:
        out.append(c_comment(source))
        for name, data in vectors:
            assert len(data) <= 256         # UTF8VAL_VECTOR_MAX
            assert name.isascii() and not set(name) & set('"#\\')
            valid, bad, why, replaced = expected(data)
            given = [f'"{name}"'], list(c_pieces(data)) or ['""']
            where = [] if why == "OK" else [[str(valid)], [str(bad)], [why]]
            if not kernel:
                where.append([str(len(replaced))])
                if why != "OK":
                    where.append(list(c_pieces(replaced.encode())))
            out.append(c_call("BAD" if bad else "GOOD", *given, *where))
    text = "\n".join(out)
    most = max(int(number or 1) for number in re.findall(r"\bFFFD(\d*)\b", text))
    replacements = "".join(
        f'#define FFFD{count} "\\xEF\\xBF\\xBD" FFFD{count - 1 if count > 2 else ""}\n'
        for count in range(2, most + 1))
    repeated = "\n".join(repeat_macros())
    return f"""/* Generated by: tools/gen/vectors.py */
// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include "vectors.h"

/* the replacement character, and several of them */
#define FFFD "\\xEF\\xBF\\xBD"
{replacements}
/* a text so many times */
{repeated}

{KERNEL_MACROS if kernel else MACROS}
const struct utf8val_vector utf8val_vectors[] = {{
{text}
}};

const size_t utf8val_vector_count =
	sizeof(utf8val_vectors) / sizeof(*utf8val_vectors);
"""


KERNEL_MACROS = r"""#define GOOD(name, text) \
	{ name, (const uint8_t *)(text), sizeof(text) - 1, sizeof(text) - 1, 0, UTF8VAL_OK }

#define BAD(name, text, valid, bad, reason) \
	{ name, (const uint8_t *)(text), sizeof(text) - 1, valid, bad, UTF8VAL_##reason }
"""
MACROS = r"""/* bytes and characters of well-formed text */
#define GOOD(name, text, units) \
	{ name, (const uint8_t *)(text), sizeof(text) - 1, sizeof(text) - 1, 0, \
	  UTF8VAL_OK, units, sizeof(text) - 1, NULL }

/* bytes, then struct utf8val_vector's from valid on, with the repaired form */
#define BAD(name, text, valid, bad, reason, units, repaired) \
	{ name, (const uint8_t *)(text), sizeof(text) - 1, valid, bad, \
	  UTF8VAL_##reason, units, sizeof(repaired) - 1, (const uint8_t *)(repaired) }
"""


def main():
    parser = output.arguments("Write the shared vectors.")
    parser.add_argument("--seeds", type=pathlib.Path, metavar="DIRECTORY", help="write each"
                        " vector to a file instead, for fuzzing to start from")
    parser.add_argument("--kernel", action="store_true", help="what a kernel's tests need")
    args = parser.parse_args()
    if not args.seeds:
        output.write(source_file(args.kernel), args.output)
        return
    for number, (_, data) in enumerate(itertools.chain(*(vectors for _, vectors in GROUPS))):
        # Some targets take parameters off the end.
        (args.seeds / f"vector-{number:03}").write_bytes(data + h("53 21 04 01"))


if __name__ == "__main__":
    main()
