#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Derive utf8val's tables from the grammar of RFC 3629, section 4.

The grammar below is the only statement of what UTF-8 is; every constant in
the generated header follows from it:

  1. derive the deterministic automaton: a state is the set of byte-range
     sequences that may still follow (its residual language), and reading a
     byte drops the first range of every sequence that the byte fits;
  2. minimise it by partition refinement;
  3. name each state after the smallest lead byte that reaches it;
  4. pack what a lead demands of its second byte into one mask per tail row;
  5. check the packed form against the automaton, every state by every byte.

Usage: tools/gen_tables.py [--fast] [-o FILE]    (without -o: standard output)
"""

import argparse
import sys

# RFC 3629, section 4, rule by rule. A rule is a list of alternatives, an
# alternative a sequence of inclusive byte ranges.
TAIL = (0x80, 0xBF)
UTF8 = {
    "UTF8-1": [[(0x00, 0x7F)]],
    "UTF8-2": [[(0xC2, 0xDF), TAIL]],
    "UTF8-3": [[(0xE0, 0xE0), (0xA0, 0xBF), TAIL],
               [(0xE1, 0xEC), TAIL, TAIL],
               [(0xED, 0xED), (0x80, 0x9F), TAIL],
               [(0xEE, 0xEF), TAIL, TAIL]],
    "UTF8-4": [[(0xF0, 0xF0), (0x90, 0xBF), TAIL, TAIL],
               [(0xF1, 0xF3), TAIL, TAIL, TAIL],
               [(0xF4, 0xF4), (0x80, 0x8F), TAIL, TAIL]],
}


class Automaton:
    """The minimal DFA of ( rule / rule / ... )*; states are small integers.

    start is also the only accepting state, reject the state without a way
    out; delta[state][byte] is the next state.
    """

    def __init__(self, grammar):
        chars = frozenset(tuple(alt) for rule in grammar.values()
                          for alt in rule)
        delta = self._derive(chars)
        self.start, self.reject, self.delta = self._minimise(
            delta, start=chars, reject=frozenset())
        self.states = sorted(self.delta)

    @staticmethod
    def _derive(chars):
        """Residuals: a state is a frozenset of the sequences still possible."""
        delta, todo = {}, [chars, frozenset()]
        while todo:
            state = todo.pop()
            if state in delta:
                continue
            row = []
            for byte in range(256):
                rest = frozenset(seq[1:] for seq in state
                                 if seq[0][0] <= byte <= seq[0][1])
                # a finished character leaves the empty sequence: start over
                row.append(chars if () in rest else rest)
            delta[state] = row
            todo.extend(set(row))
        return delta

    @staticmethod
    def _minimise(delta, start, reject):
        block = {s: int(s == start) for s in delta}
        while True:
            keys = {s: (block[s], *(block[t] for t in delta[s]))
                    for s in delta}
            order = {k: i for i, k in enumerate(sorted(set(keys.values())))}
            refined = {s: order[keys[s]] for s in delta}
            if len(set(refined.values())) == len(set(block.values())):
                break
            block = refined
        table = {block[s]: [block[t] for t in delta[s]] for s in delta}
        return block[start], block[reject], table


def lead_names(dfa):
    """{state: smallest lead byte that reaches it}; start and reject left out."""
    names = {}
    for byte in range(256):
        state = dfa.delta[dfa.start][byte]
        if state not in (dfa.start, dfa.reject):
            names.setdefault(state, byte)
    return names


class Compact:
    """The automaton with the lead byte itself as its state.

    A state is any lead byte whose residual language it is, so C2..DF all mean
    "one tail due", E1 means "two tails due" whether it was read or a four-byte
    character's first tail went by. What a lead demands of its second byte
    stands in one mask for each row of sixteen tail bytes.
    """

    ROWS = range(0x80, 0xC0, 0x10)

    def __init__(self, dfa):
        names = lead_names(dfa)
        def reached(byte):
            return dfa.delta[dfa.start][byte]
        leads = [b for b in range(256) if reached(b) in names]
        self.accept, self.reject = 0x00, 0xFF
        assert reached(self.accept) == dfa.start
        assert reached(self.reject) == dfa.reject
        self.first_lead, self.last_lead = leads[0], leads[-1]
        assert leads == list(range(leads[0], leads[-1] + 1))

        def after(lead):
            """The states one good tail after a lead."""
            return {dfa.delta[reached(lead)][b] for b in range(256)} \
                - {dfa.reject}
        # where a longer form begins: one tail due, then two, then three
        one = [b for b in leads if after(b) == {dfa.start}]
        self.one_tail = one[0]
        self.lead3 = one[-1] + 1
        two = [b for b in leads if b >= self.lead3
               and after(b) == {reached(self.one_tail)}]
        self.lead4 = two[-1] + 1
        free = [names[s] for s in names if names[s] in two
                and all(dfa.delta[s][b] != dfa.reject
                        for b in range(TAIL[0], TAIL[1] + 1))]
        self.two_tails = free[0]
        self.masks = []
        for row in self.ROWS:
            mask = 0
            for lead in range(self.lead3, self.lead3 + 32):
                good = {dfa.delta[reached(lead)][b] != dfa.reject
                        for b in range(row, row + 16)}
                assert len(good) == 1, "a lead splits a row of sixteen tails"
                if lead <= 0xFF and good.pop():
                    mask |= 1 << (lead - self.lead3)
            self.masks.append(mask)
        self._prove(dfa, names)

    def step(self, state, byte):
        """The walk of utf8val.c, statement by statement."""
        if state == self.accept:
            if byte < 0x80:
                return self.accept
            return byte if self.first_lead <= byte <= self.last_lead \
                else self.reject
        if byte ^ 0x80 >= 0x40:
            return self.reject
        if state < self.lead3:
            return self.accept
        if not self.masks[byte >> 4 & 3] >> (state - self.lead3) & 1:
            return self.reject
        return self.one_tail if state < self.lead4 else self.two_tails

    def _prove(self, dfa, names):
        """Equal to the automaton: every state of either, every byte."""
        means = {self.accept: dfa.start, self.reject: dfa.reject}
        means.update({b: dfa.delta[dfa.start][b]
                      for b in range(self.first_lead, self.last_lead + 1)})
        for state, meaning in means.items():
            for byte in range(256):
                assert means[self.step(state, byte)] \
                    == dfa.delta[meaning][byte], (state, byte)
        assert set(means.values()) == set(dfa.states)
        assert len(means) - len(set(means.values())) \
            == self.last_lead - self.first_lead + 1 - len(names)


class Shift:
    """The automaton as a shift DFA, for the fast engine.

    Every state has an offset into a 32-bit word; a byte's row is the word that
    holds, in the five bits from each state's offset on, the offset of the next
    state. A step is then row[byte] >> offset, of which the low five bits
    count. Nine states of five bits do not fit side by side, so fields overlap:
    offsets are searched for under which no row wants a bit both 0 and 1. The
    technique is Per Vognsen's (2021), the search our own.
    """

    WIDTH, FIELD = 32, 31

    def __init__(self, dfa):
        # bytes that every state takes alike have the same row
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


def words(pattern, width=64):
    """A byte pattern repeated to whole words, the first byte lowest."""
    size = width // 8
    count = 1
    while count * size % len(pattern):
        count += 1
    text = bytes(pattern) * (count * size // len(pattern))
    return [int.from_bytes(text[i:i + size], "little")
            for i in range(0, len(text), size)]


def shape(dfa, tails):
    """Constants that check words of characters with so many tails each."""
    size = tails + 1
    # a lead is as many ones as its character has bytes, a zero, then bits
    form = [0xFF00 >> size & 0xFF] + [TAIL[0]] * tails
    mask = [0xFF00 >> size + 1 & 0xFF] + [TAIL[0] ^ TAIL[1] ^ 0xFF] * tails
    leads = range(form[0], (form[0] | ~mask[0] & 0xFF) + 1)
    # the bits of a second byte on which it depends whether it fits its lead
    deciding = 0
    for state in {dfa.delta[dfa.start][lead] for lead in leads}:
        if state == dfa.reject:
            continue
        for bit in (1 << i for i in range(6)):
            if any((dfa.delta[state][b] == dfa.reject)
                   != (dfa.delta[state][b ^ bit] == dfa.reject)
                   for b in range(TAIL[0], TAIL[1] + 1)):
                deciding |= bit
    out = ["", "/*",
           f" * Words of {size}-byte characters: the bits that all have, what "
           "these bits are,",
           " * those that a lead carries and those that decide whether a "
           "second byte fits.",
           " */"]
    for name, pattern in (
            ("MASK", mask), ("FORM", form),
            ("LEAD", [~mask[0] & 0xFF] + [0] * tails),
            ("SECOND", [0, deciding] + [0] * (tails - 1))):
        values = words(pattern)
        for i, value in enumerate(values):
            index = f"_{i}" if len(values) > 1 else ""
            out.append(f"#define UTF8VAL_FAST_{size}_{name}{index} "
                       f"0x{value:016X}u")
    return out


def fast_header(dfa, shift):
    out = [
        "/* Generated by: tools/gen_tables.py --fast"
        " -o utf8val_fast_tables.h */",
        "/* SPDX-License-Identifier: GPL-2.0-only OR MIT */",
        "#ifndef UTF8VAL_FAST_TABLES_H",
        "#define UTF8VAL_FAST_TABLES_H",
        "",
        "/*",
        " * RFC 3629's grammar as a shift DFA: a state is an offset into the"
        " words below,",
        " * and (utf8val_fast_rows[byte] >> offset) & 31 is the next one."
        " Named by",
        " * lead bytes as in utf8val_tables.h:",
        " *",
    ]
    names = {dfa.start: 0x00, dfa.reject: 0xFF, **lead_names(dfa)}
    out += [f" *   {name:02X} at {shift.offset[state]:2}"
            for state, name in sorted(names.items(), key=lambda x: x[1])]
    out += [
        " */",
        f"#define UTF8VAL_FAST_ACCEPT {shift.offset[dfa.start]}u",
        f"#define UTF8VAL_FAST_REJECT {shift.offset[dfa.reject]}u",
        "",
        "static const uint32_t utf8val_fast_rows[256] = {",
    ]
    for begin in range(0, 256, 4):
        rows = " ".join(f"0x{r:08X}u," for r in shift.rows[begin:begin + 4])
        out.append(f"\t{rows} /* {begin:02X} */")
    out += ["};"]
    for tails in 2, 3:
        out += shape(dfa, tails)
    out += ["", "#endif /* UTF8VAL_FAST_TABLES_H */", ""]
    return "\n".join(out)


def header(dfa, compact):
    names = lead_names(dfa)
    out = [
        "/* Generated by: tools/gen_tables.py -o utf8val_tables.h */",
        "/* SPDX-License-Identifier: GPL-2.0-only OR MIT */",
        "#ifndef UTF8VAL_TABLES_H",
        "#define UTF8VAL_TABLES_H",
        "",
        "/*",
        f" * RFC 3629's grammar as a minimal automaton of {len(dfa.states)} "
        "states. A state is",
        " * written as a lead byte with the same residual language:",
        " *",
        f" *   {compact.accept:02X} a boundary (accept)   "
        f"{compact.reject:02X} nothing can follow (reject)",
    ]
    for state, name in sorted(names.items(), key=lambda item: item[1]):
        tails, at = 0, state
        while at != dfa.start:
            at = next(t for t in dfa.delta[at] if t != dfa.reject)
            tails += 1
        second = [b for b in range(256) if dfa.delta[state][b] != dfa.reject]
        out.append(f" *   {name:02X} {tails} tail{'s' if tails > 1 else ' '}"
                   f" due, the next one in {second[0]:02X}..{second[-1]:02X}")
    out += [
        " */",
        f"#define UTF8VAL_STATE_ACCEPT 0x{compact.accept:02X}u",
        f"#define UTF8VAL_STATE_REJECT 0x{compact.reject:02X}u",
        "/* tails due: one, any; two, any */",
        f"#define UTF8VAL_STATE_ONE_TAIL 0x{compact.one_tail:02X}u",
        f"#define UTF8VAL_STATE_TWO_TAILS 0x{compact.two_tails:02X}u",
        "/* leads: the first and the last, where three-byte and four-byte "
        "forms begin */",
        f"#define UTF8VAL_LEAD_FIRST 0x{compact.first_lead:02X}u",
        f"#define UTF8VAL_LEAD_LAST 0x{compact.last_lead:02X}u",
        f"#define UTF8VAL_LEAD_3 0x{compact.lead3:02X}u",
        f"#define UTF8VAL_LEAD_4 0x{compact.lead4:02X}u",
        "",
        "/*",
        " * May a tail of row 80, 90, A0 or B0 follow the lead? Bit n stands "
        "for the lead",
        f" * byte {compact.lead3:02X} + n.",
        " */",
        "static const uint32_t utf8val_second[4] = {",
    ]
    out += [f"\t0x{mask:08X}u, /* {row:02X}..{row + 15:02X} */"
            for row, mask in zip(Compact.ROWS, compact.masks)]
    out += ["};", "", "#endif /* UTF8VAL_TABLES_H */", ""]
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(
        description="Derive utf8val's tables from RFC 3629's grammar.")
    parser.add_argument("-o", "--output", metavar="FILE",
                        help="write FILE instead of standard output")
    parser.add_argument("--fast", action="store_true",
                        help="the tables of the fast engine")
    args = parser.parse_args()
    dfa = Automaton(UTF8)
    assert len(dfa.states) == 9
    text = fast_header(dfa, Shift(dfa)) if args.fast \
        else header(dfa, Compact(dfa))
    if args.output:
        with open(args.output, "w", encoding="ascii") as file:
            file.write(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
