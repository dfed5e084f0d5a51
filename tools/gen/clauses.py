#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Write docs/standards.md: which vectors and proofs show that a clause holds.
The Makefile and tests/lint.sh call this.

A clause is a list of needs, and a need says of a vector whether it shows it. The
vectors are those of vectors.py; where their sequences begin and end is CPython's
answer, as there. A need without a vector ends the program, and so does a proof whose
text is not where the table says.

Usage: tools/gen/clauses.py [-o FILE]      (without -o: standard output)
       tools/gen/clauses.py --of CLAUSE    the vectors of one clause, need by need
"""

import pathlib
import sys

import output
from vectors import ALTERNATIVES, GROUPS, h, reason

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNITS = {}


def units(data):
    """The sequences of a vector: [(where, bytes, reason or None)]"""
    found, at = [], 0
    while at < len(data):
        try:
            good, bad = data[at:].decode(), 0
        except UnicodeDecodeError as error:
            good, bad = data[at:at + error.start].decode(), error.end - error.start
        for char in good:
            found.append((at, char.encode(), None))
            at += len(char.encode())
        if bad:
            found.append((at, data[at:at + bad], reason(data[at:])))
            at += bad
    return found


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


# Needs: what is needed, and whether a vector (group, name, bytes) shows it.

def char(code):
    """A character that is kept."""
    return (f"U+{code:04X} kept", lambda vector: any(
        why is None and unit == chr(code).encode() for _, unit, why in UNITS[vector]))


def refused(text, size, why):
    """An ill-formed sequence of so many bytes where these bytes stand."""
    data = h(text)
    return (f"{text}: {why.replace('_', ' ').lower()}, {size} long", lambda vector: any(
        (unit[:size], found) == (data[:size], why) and len(unit) == size and
        vector[2].startswith(data, at) for at, unit, found in UNITS[vector]))


def exactly(text):
    return (f"bytes {text}", lambda vector: vector[2] == h(text))


def of_group(source, name=None):
    return (name or source, lambda vector: vector[0] == source and name in (None, vector[1]))


def long(size, ends):
    """A maximal subpart of so many bytes, at the input's end or before its end."""
    return (f"{size} of {'the last bytes' if ends else 'more bytes'}", lambda vector: any(
        why and len(unit) == size and (at + size == len(vector[2])) == ends
        for at, unit, why in UNITS[vector]))


def row_needs(text):
    """Both ends of each of a row's ranges, and the bytes next to them."""
    ranges = [tuple(h(part.replace("-", ""))) for part in text.split()]

    def fits(unit, upto):
        return all(low <= byte <= high for byte, (low, high) in zip(unit, ranges[:upto]))

    for place, (low, high) in enumerate(ranges):
        for byte in sorted({low, high}):
            yield (f"byte {place + 1} {byte:02X}", lambda vector, p=place, b=byte: any(
                why is None and len(unit) == len(ranges) and fits(unit, len(ranges)) and
                unit[p] == b for _, unit, why in UNITS[vector]))
        for byte in (low - 1, high + 1) if place else ():
            yield (f"byte {place + 1} not {byte:02X}", lambda vector, p=place, b=byte: any(
                why and len(unit) == p and fits(unit, p) and
                vector[2][at + p:at + p + 1] == bytes((b,))
                for at, unit, why in UNITS[vector]))


RFC = "RFC 3629, "
UNICODE = "Unicode 3.9, "
EXAMPLES = "The Unicode Standard 15.0, tables 3-8 to 3-11"
AUTOMATON = ("proof/rfc3629.h", "rfc_next")
SEQUENCE = ("proof/rfc3629.h", "rfc_unit")
ENCODE = ("proof/core.c", "prove_encode")
REPLACE = ("proof/core.c", "prove_replace")
# id, clause, requirement, needs, proofs: (file, text that stands there)
CLAUSES = [
    ("lengths", RFC + "section 3, table", "how many octets a character number takes",
     [char(code) for code in (0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF)],
     [ENCODE]),
    ("octets", RFC + "section 3", "C0, C1 and F5 to FF never occur",
     [refused(f"{lead:02X}", 1, reason(bytes((lead,))))
      for lead in (0xC0, 0xC1, *range(0xF5, 0x100))], [AUTOMATON]),
    ("surrogates", RFC + "section 3", "U+D800 to U+DFFF have no encoding",
     [refused(f"ED {second:02X}", 1, "SURROGATE") for second in (0xA0, 0xAF, 0xB0, 0xBF)]
     + [char(0xD7FF), char(0xE000)], [AUTOMATON, ENCODE]),
    ("range", RFC + "section 3", "nothing is above U+10FFFF",
     [refused("F4 90", 1, "TOO_LARGE"), refused("F5", 1, "TOO_LARGE"),
      refused("F7", 1, "TOO_LARGE"), char(0x10FFFF)], [AUTOMATON, ENCODE]),
    ("shortest", RFC + "sections 3 and 10", "no octet more than a character needs",
     [refused(text, 1, "OVERLONG") for text in ("C0 80", "C1 BF", "E0 80", "E0 9F",
                                                 "F0 80", "F0 8F")]
     + [exactly("C0 80"), exactly("2F C0 AE 2E 2F")], [AUTOMATON]),
    *((rule.lower().replace(", ", "-"),
       f"{RFC}{rule}; {UNICODE}table 3-7, row {row}",
       " ".join("..".join(dict.fromkeys(octet.split("-"))) for octet in text.split()), list(row_needs(text)),
       [AUTOMATON]) for row, (rule, text) in enumerate(ALTERNATIVES.items(), 1)),
    ("bom", RFC + "section 6", "EF BB BF is a character, wherever it stands",
     [exactly("EF BB BF"), exactly("EF BB BF 61"), exactly("61 EF BB BF 62")],
     [AUTOMATON]),
    ("examples", RFC + "section 7", "the four examples", [exactly(text) for text in (
        "41 E2 89 A2 CE 91 2E", "ED 95 9C EA B5 AD EC 96 B4",
        "E6 97 A5 E6 9C AC E8 AA 9E", "EF BB BF F0 A3 8E B4")], [SEQUENCE]),
    ("d92", UNICODE + "D92 and D76", "every scalar value, noncharacters too, no other",
     [char(code) for code in (0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF)]
     + [refused("ED A0", 1, "SURROGATE"), refused("F4 90", 1, "TOO_LARGE")],
     [SEQUENCE, ENCODE]),
    ("d93b", UNICODE + "D93b, maximal subpart", "the longest part that a well-formed "
     "sequence begins with, or else one byte",
     [long(size, ends) for size in (1, 2, 3) for ends in (True, False)]
     + [refused(text, 1, why) for text, why in (
         ("E0 80", "OVERLONG"), ("ED A0", "SURROGATE"), ("F0 80", "OVERLONG"),
         ("F4 90", "TOO_LARGE"), ("80", "STRAY_TAIL"))],
     [SEQUENCE]),
    ("replacement", UNICODE + "U+FFFD substitution of maximal subparts",
     "one U+FFFD for each of them: the Standard's own examples",
     [of_group(EXAMPLES, f"table 3-{number}") for number in range(8, 12)],
     [REPLACE]),
    ("w3c", "WHATWG Encoding Standard, UTF-8 decoder",
     "an end within a character is one U+FFFD, and a byte that does not fit begins the "
     "next sequence",
     [of_group(source) for source, _ in GROUPS if source.startswith("WHATWG")],
     [REPLACE, ("proof/core.c", "prove_next")]),
]


def shown(needs):
    """[(need, the vectors that show it)]"""
    return [(what, [vector for vector in UNITS if shows(vector)]) for what, shows in needs]


def page():
    vectors = len(UNITS)
    yield "<!-- Generated by: tools/gen/clauses.py -o docs/standards.md -->"
    yield "<!-- SPDX-License-Identifier: GPL-2.0-only OR MIT -->"
    yield "# The clauses of the standards, with their test vectors and proofs\n"
    yield f"""A clause has needs, such as both ends of a range and the bytes next to them. Each need
has at least one of the {vectors} vectors that the tests of host, kernel and firmware run;
`tools/gen/clauses.py --of CLAUSE` lists them. CPython's decoder gives the expected results.
"proved by" names the part of the [proof](../proof/README.md) that states the clause.
"""
    yield "| name | clause | requirement | needs | vectors | proved by |"
    yield "|---|---|---|--:|--:|---|"
    for name, clause, asks, needs, proofs in CLAUSES:
        found = shown(needs)
        lost = [what for what, vectors in found if not vectors]
        if lost:
            sys.exit(f"clauses: {name}: no vector shows: {', '.join(lost)}")
        gone = [f"{file} has no {text}" for file, text in proofs if text not in read(file)]
        if gone:
            sys.exit(f"clauses: {name}: {', '.join(gone)}")
        yield (f"| {name} | {clause} | {asks} | {len(needs)} | "
               f"{len({vector for _, vectors in found for vector in vectors})} | "
               + ", ".join(f"[{text}](../{file})" for file, text in proofs) + " |")


def main():
    parser = output.arguments("Write the table of clauses.")
    parser.add_argument("--of", metavar="CLAUSE", help="list the vectors of one clause")
    args = parser.parse_args()
    UNITS.update(((source, name, data), units(data))
                 for source, vectors in GROUPS for name, data in vectors)
    if args.of:
        lines = [f"{what}: {vector[1]} ({vector[0]})" for clause in CLAUSES
                 if clause[0] == args.of for what, vectors in shown(clause[3])
                 for vector in vectors]
        if not lines:
            sys.exit("clauses: the clauses are " + " ".join(row[0] for row in CLAUSES))
    else:
        lines = page()
    output.write("\n".join(lines) + "\n", args.output, "utf-8")


if __name__ == "__main__":
    main()
