#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Derive the MVE engine's tables from the grammar in tables.py.
`make generated` calls this.

The method is Keiser's and Lemire's ("Validating UTF-8 in less than one instruction per
byte", 2021). Three tables are looked up: by the upper and the lower half of a byte and
by the upper half of the byte after it. Their bits say why the two bytes cannot follow
each other. The top bit says that both are tails, which is right if and only if there is
a lead of three or four bytes before. Here:

  1. ask the automaton which pairs of bytes no well-formed text has;
  2. cover them with boxes, sets of the three halves of which all combinations
     are such pairs; one bit of the tables is one box;
  3. walk over all states of the automaton and all bytes before. Text in which the
     tables see no error is well-formed, except for a sequence that may begin at its
     end. In well-formed text the tables see no error.

engine/vector_nibbles.h takes the same tables, for AVX2 and NEON.

Usage: tools/gen/mve_tables.py [-o FILE]    (without -o: standard output)
"""

import itertools
import math

import output
from tables import Automaton, Compact, TAIL, UTF8

TAILS = 0x80


def subsets(items):
    return (chosen for size in range(1, len(items) + 1)
            for chosen in itertools.combinations(items, size))


def prove(dfa, error, looks):
    """Text without an error is characters and at most the beginning of a sequence.

    The beginning may be a byte that is no lead, which is an error only with the byte
    after it. So the text before the last byte that is no tail is well-formed.
    error(before, byte) is the arithmetic for a byte and the three before it, and
    looks(byte) all that it takes from a byte.
    """
    start = (dfa.start, (0, 0, 0))
    seen, unseen = {start}, [start]
    # One byte stands for all bytes that tables and automaton take alike.
    alike = {(looks(b), *(dfa.delta[s][b] for s in dfa.states)): b for b in range(256)}
    while unseen:
        state, before = unseen.pop()
        for byte in alike.values():
            found = error(before, byte)
            after = dfa.delta[state][byte]
            if state == dfa.reject:
                assert found, (before, byte)
            elif after != dfa.reject:
                assert not found, (before, byte)
            elif not found:
                # There is no lead where one must be.
                assert state == dfa.start and byte > TAIL[1]
            place = after, (*before[1:], byte)
            if not found and place not in seen:
                seen.add(place)
                unseen.append(place)


class Nibbles:
    """The tables high, low and next. A pair (a, b) is bad, or two tails, if
    high[a >> 4] & low[a & 15] & next[b >> 4] is not 0."""

    def __init__(self, dfa, compact):
        self.dfa, self.compact = dfa, compact
        bad = self._bad()
        self.boxes = self._trim(bad, self._cover(bad))
        assert len(self.boxes) <= 7, "more classes than bits"
        self.high, self.low, self.next = (
            [sum(1 << bit for bit, box in enumerate(self.boxes)
                 if half in box[axis]) for half in range(16)]
            for axis in range(3))
        halves = range(TAIL[0] >> 4, (TAIL[1] >> 4) + 1)
        for half in range(16):
            self.high[half] |= TAILS * (half in halves)
            self.low[half] |= TAILS
            self.next[half] |= TAILS * (half in halves)
        prove(dfa, self.error, self._looks)

    def _bad(self):
        """Halves (upper and lower of a byte, upper of the next) of which no
        well-formed text has a pair."""
        dfa, bad = self.dfa, set()
        states = [s for s in dfa.states if s != dfa.reject]
        for a, half in itertools.product(range(256), range(16)):
            afters = {dfa.delta[s][a] for s in states} - {dfa.reject}
            fits = [any(dfa.delta[s][b] != dfa.reject for s in afters)
                    for b in range(16 * half, 16 * half + 16)]
            # C0 and FF may follow no byte, but the tables find them by the byte after.
            if not any(fits):
                bad.add((a >> 4, a & 15, half))
        return bad

    @staticmethod
    def _cover(bad):
        """The fewest boxes that hold all of bad and nothing else."""
        def alike(axis):
            """Values of an axis, put together where bad doesn't tell them."""
            groups = {}
            for half in range(16):
                seen = frozenset((*t[:axis], *t[axis + 1:]) for t in bad
                                 if t[axis] == half)
                if seen:
                    groups.setdefault(seen, []).append(half)
            return list(groups.values())

        boxes = set()
        for highs, nexts in itertools.product(subsets(alike(0)), subsets(alike(2))):
            highs, nexts = sum(highs, []), sum(nexts, [])
            lows = [low for low in range(16)
                    if all((h, low, n) in bad for h in highs for n in nexts)]
            if lows:
                boxes.add((tuple(sorted(highs)), tuple(lows), tuple(sorted(nexts))))
        held = {box: frozenset(itertools.product(*box)) for box in boxes}
        boxes = sorted((box for box in boxes if not any(
            held[box] < held[other] for other in boxes)),
            key=lambda box: (-len(held[box]), box))

        def search(left, room):
            if not left:
                return []
            if not room:
                return None
            # Take the pair that the fewest boxes hold.
            hard = min(sorted(left), key=lambda t: sum(t in held[box] for box in boxes))
            for box in boxes:
                if hard in held[box]:
                    rest = search(left - held[box], room - 1)
                    if rest is not None:
                        return [box, *rest]
            return None
        return next(found for room in itertools.count(1)
                    if (found := search(frozenset(bad), room)) is not None)

    @staticmethod
    def _trim(bad, boxes):
        """Leave out what other boxes hold as well, which makes the tables easier to
        read."""
        def holds_all(tried):
            return bad == {t for box in tried for t in itertools.product(*box)}
        boxes.sort(key=lambda box: math.prod(map(len, box)))
        for i, axis in itertools.product(range(len(boxes)), range(3)):
            for half in boxes[i][axis]:
                less = list(boxes[i])
                less[axis] = tuple(h for h in less[axis] if h != half)
                tried = [*boxes[:i], tuple(less), *boxes[i + 1:]]
                if holds_all(tried):
                    boxes = tried
        return sorted(boxes)

    def error(self, before, byte):
        """The arithmetic of engine/mve.h and engine/vector_nibbles.h for one byte
        and the three before it."""
        three, two, one = before
        pair = self.high[one >> 4] & self.low[one & 15] & self.next[byte >> 4]
        due = max(0, two - (self.compact.lead3 - TAIL[0])) \
            | max(0, three - (self.compact.lead4 - TAIL[0]))
        return due & TAILS ^ pair

    def _looks(self, byte):
        """All that error() takes from a byte."""
        return (self.high[byte >> 4], self.low[byte & 15], self.next[byte >> 4],
                byte >= self.compact.lead3, byte >= self.compact.lead4)


def ranges(halves):
    """"0-7 C" for these halves of a byte."""
    out = []
    for half in halves:
        if out and out[-1][1] == half - 1:
            out[-1][1] = half
        else:
            out.append([half, half])
    return " ".join(f"{a:X}" if a == b else f"{a:X}-{b:X}" for a, b in out)


def header(nibbles):
    boxes = "\n".join(
        " *   {:02X}   {:9} {:11} {}".format(1 << bit, *map(ranges, box)).rstrip()
        for bit, box in enumerate(nibbles.boxes))
    tails = ranges(range(TAIL[0] >> 4, (TAIL[1] >> 4) + 1))
    tables = []
    for name in "high", "low", "next":
        table = getattr(nibbles, name)
        tables.append(f"\t/* {name} */")
        for begin in 0, 8:
            row = " ".join(f"0x{v:02X}u," for v in table[begin:begin + 8])
            tables.append(f"\t{row} /* {begin:X} */")
    tables = "\n".join(tables)
    return output.header(
        "tools/gen/mve_tables.py -o engine/mve_tables.h", "UTF8VAL_MVE_TABLES_H", f"""/*
 * Which byte cannot follow which: bits that all three tables have, at the upper
 * half of a byte, at its lower half and at the upper half of the byte after it.
 * By bit:
 *
 *   bit  upper     lower       next upper
{boxes}
 *   {TAILS:02X}   {tails:9} {ranges(range(16)):11} {tails}
 *
 * The last is two tails, an error unless there is a lead of three or four bytes
 * where these would have it.
 */
#define UTF8VAL_MVE_HIGH 0
#define UTF8VAL_MVE_LOW 16
#define UTF8VAL_MVE_NEXT 32

static const uint8_t utf8val_mve_tables[3 * 16] = {{
{tables}
}};
""")


def main():
    args = output.arguments(
        "Derive the MVE engine's tables from RFC 3629's grammar.").parse_args()
    dfa = Automaton(UTF8)
    text = header(Nibbles(dfa, Compact(dfa)))
    output.write(text, args.output)


if __name__ == "__main__":
    main()
