#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Derive the tables of the fast engine and of the guard from the grammar in tables.py.
`make generated` calls this.

  1. search offsets for the automaton's states, so that it becomes a shift DFA
     whose rows are 32-bit words, and check all states by all bytes (--rows);
  2. lay out, as 64-bit words, what all three-byte characters have in common,
     and what all four-byte characters have;
  3. say why a sequence is ill-formed, by its first byte.

Usage: tools/gen/fast_tables.py [--rows | --kernel] [-o FILE]    (without -o: standard output)
"""

import math
import re
from pathlib import Path

import output
from tables import Automaton, TAIL, UTF8, lead_names


class Shift:
    """The automaton as a shift DFA, for the fast engine.

    Every state has an offset into a 32-bit word. A byte's row is a word: in the
    five bits from each state's offset on, it holds the offset of the next
    state. A step is then row[byte] >> offset, of which the low five bits count.
    Nine states of five bits do not fit side by side, so fields overlap. The
    search is for offsets under which no row wants a bit both 0 and 1. The
    technique is Per Vognsen's (2021), the search our own.
    """

    WIDTH, FIELD = 32, 31

    def __init__(self, dfa):
        # Bytes that every state takes alike share a row.
        self.dfa = dfa
        self.classes = sorted({self._targets(b) for b in range(256)})
        # 0 for the state without a way out: "not rejected" is "not 0", and
        # what lies above the word's end, zeros, leads there as well
        offset = {dfa.reject: 0}
        free = {s: list(range(1, self.WIDTH)) for s in dfa.states
                if s != dfa.reject}
        self.offset = self._search(offset, free)
        self.rows = [self._pack(self._targets(b), self.offset)[0]
                     for b in range(256)]
        for byte, row in enumerate(self.rows):
            for state in dfa.states:
                assert row >> self.offset[state] & self.FIELD \
                    == self.offset[dfa.delta[state][byte]]

    def _targets(self, byte):
        return tuple((s, self.dfa.delta[s][byte]) for s in self.dfa.states)

    def _pack(self, targets, offset):
        """(row, fits?) as far as the offsets are known."""
        ones = zeros = 0
        for state, target in targets:
            if state in offset and target in offset:
                ones |= offset[target] << offset[state]
                zeros |= (self.FIELD ^ offset[target]) << offset[state]
        return ones, not ones & zeros and ones < 1 << self.WIDTH

    def _search(self, offset, free):
        """Depth first, the state with the fewest offsets left first."""
        if not free:
            return offset
        state = min(free, key=lambda s: (len(free[s]), s))
        for value in free[state]:
            trial = {**offset, state: value}
            left = {s: [v for v in values if v != value and
                        all(self._pack(c, {**trial, s: v})[1]
                            for c in self.classes)]
                    for s, values in free.items() if s != state}
            if all(left.values()):
                found = self._search(trial, left)
                if found:
                    return found
        return None


def words(pattern):
    """A byte pattern repeated to whole words of 8 bytes, the first byte lowest."""
    text = bytes(pattern) * (math.lcm(8, len(pattern)) // len(pattern))
    return [int.from_bytes(text[i:i + 8], "little") for i in range(0, len(text), 8)]


def shape(dfa, tails):
    """Constants that check words of characters with so many tails each."""
    size = tails + 1
    # A lead is as many ones as its sequence has bytes, a zero, then bits of the code
    # point.
    form = [0xFF00 >> size & 0xFF] + [TAIL[0]] * tails
    mask = [0xFF00 >> size + 1 & 0xFF] + [TAIL[0] ^ TAIL[1] ^ 0xFF] * tails
    leads = range(form[0], (form[0] | ~mask[0] & 0xFF) + 1)
    # The bits of a second byte that decide whether it fits its lead.
    deciding = 0
    for state in {dfa.delta[dfa.start][lead] for lead in leads}:
        if state == dfa.reject:
            continue
        for bit in (1 << i for i in range(6)):
            if any((dfa.delta[state][b] == dfa.reject)
                   != (dfa.delta[state][b ^ bit] == dfa.reject)
                   for b in range(TAIL[0], TAIL[1] + 1)):
                deciding |= bit
    text = f"""/*
 * Words of {size}-byte characters: the bits that all have, what these bits are,
 * those that a lead carries and those that decide whether a second byte fits.
 */
"""
    for name, pattern in (
            ("MASK", mask), ("FORM", form),
            ("LEAD", [~mask[0] & 0xFF] + [0] * tails),
            ("SECOND", [0, deciding] + [0] * (tails - 1))):
        values = words(pattern)
        for i, value in enumerate(values):
            index = f"_{i}" if len(values) > 1 else ""
            text += f"#define UTF8VAL_FAST_{size}_{name}{index} 0x{value:016X}u\n"
    return text


def rows_header(dfa, shift):
    names = {dfa.start: 0x00, dfa.reject: 0xFF, **lead_names(dfa)}
    offsets = "\n".join(f" *   {name:02X} at {shift.offset[state]:2}"
                        for state, name in sorted(names.items(), key=lambda x: x[1]))
    macros = "\n".join(f"#define UTF8VAL_ROWS_{4 * size}(row) \\\n\t"
                       + ", \\\n\t".join(2 * [f"UTF8VAL_ROWS_{size}(row), "
                                              f"UTF8VAL_ROWS_{size}(row)"])
                       for size in (4, 16))
    lines = []
    begin = 0
    while begin < 256:
        # as many equal rows as there is a word for, or four that differ
        size = next((n for n in (64, 16, 4) if begin % n == 0 and
                     len(set(shift.rows[begin:begin + n])) == 1), 1)
        rows = shift.rows[begin:begin + max(size, 4)]
        text = f"UTF8VAL_ROWS_{size}(0x{rows[0]:08X}u)," if size > 1 else \
            " ".join(f"0x{row:08X}u," for row in rows)
        lines.append(f"\t{text} /* {begin:02X} */")
        begin += len(rows)
    lines = "\n".join(lines)
    return output.header(
        "tools/gen/fast_tables.py --rows -o engine/fast_rows.h", "UTF8VAL_FAST_ROWS_H",
        f"""/*
 * RFC 3629's grammar as a shift DFA: a state is an offset into the words below,
 * and (utf8val_fast_rows[byte] >> offset) & 31 is the next one. Named by
 * lead bytes as in engine/tables.h:
 *
{offsets}
 */
#define UTF8VAL_FAST_ACCEPT {shift.offset[dfa.start]}u
#define UTF8VAL_FAST_REJECT {shift.offset[dfa.reject]}u

#define UTF8VAL_ROWS_4(row) row, row, row, row
{macros}

static const uint32_t utf8val_fast_rows[256] = {{
{lines}
}};
""")


def kernel_form(header):
    """The header for lib/ of a kernel, which has neither this program nor engine/: the
    rows, and engine/reason.h's functions"""
    reasons = (Path(__file__).resolve().parents[2] / "engine/reason.h").read_text("ascii")
    functions = re.search(r"^/\*\n \* utf8val_.*^}\n", reasons, re.M | re.S)[0]
    rows, end = re.sub(r"\A/\* Generated by: .*\n", "", header).replace(
        " as in engine/tables.h", "").rsplit("\n#endif", 1)
    rows = re.sub(r"^#define UTF8VAL_ROWS_\d+(.*\\\n)*.*\n+", "", rows, flags=re.M)
    rows = re.sub(r"\tUTF8VAL_ROWS_(\d+)\((\w+)\), /\* (..) \*/", lambda match: "\n".join(
        "\t" + 4 * f"{match[2]}, " + f"/* {int(match[3], 16) + more:02X} */"
        for more in range(0, int(match[1]), 4)), rows)
    return f"{rows}\n{functions}\n#endif{end}".replace("uint32_t", "u32")


def main():
    parser = output.arguments(
        "Derive the fast engine's tables from RFC 3629's grammar.")
    parser.add_argument("--rows", action="store_true",
                        help="the shift DFA, which the guard has, too")
    parser.add_argument("--kernel", action="store_true",
                        help="the shift DFA and the reasons, for lib/utf8val_rows.h of a kernel")
    args = parser.parse_args()
    dfa = Automaton(UTF8)
    if args.kernel:
        text = kernel_form(rows_header(dfa, Shift(dfa)))
    elif args.rows:
        text = rows_header(dfa, Shift(dfa))
    else:
        text = output.header(
            "tools/gen/fast_tables.py -o engine/fast_tables.h", "UTF8VAL_FAST_TABLES_H",
            "\n".join(['#include "fast_rows.h"\n', shape(dfa, 2), shape(dfa, 3)]))
    output.write(text, args.output)


if __name__ == "__main__":
    main()
