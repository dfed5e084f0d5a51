#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Derive utf8val's tables from the grammar of RFC 3629, section 4.
`make generated` calls this.

The grammar below is the only statement of what UTF-8 is; every constant in
the generated header follows from it:

  1. derive the deterministic automaton. A state is the set of byte-range
     sequences that may still follow (its residual language). Reading a byte
     drops the first range of every sequence that the byte fits;
  2. minimise it by partition refinement;
  3. name each state after the smallest lead byte that reaches it;
  4. say what a lead demands of its second byte as ranges of rows of sixteen;
  5. check the packed forms against the automaton, every state by every byte.

Usage: tools/gen/tables.py [--forms] [-o FILE]      (without -o: standard output)
"""

import output

# RFC 3629, section 4, rule by rule. A rule is a list of alternatives, an
# alternative a sequence of inclusive byte ranges.
TAIL = (0x80, 0xBF)
MASK32 = 0xFFFFFFFF
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


# The other forms, in the same shape. CESU-8 (Unicode Technical Report 26): a
# supplementary code point is a pair of surrogates, three bytes each.
PAIR = [(0xED, 0xED), (0xA0, 0xAF), TAIL, (0xED, 0xED), (0xB0, 0xBF), TAIL]
CESU8 = {
    "CESU8-1": UTF8["UTF8-1"],
    "CESU8-2": UTF8["UTF8-2"],
    "CESU8-3": UTF8["UTF8-3"],
    "CESU8-6": [PAIR],
}
# Modified UTF-8 (The Java Virtual Machine Specification, section 4.4.7): as
# CESU-8, but U+0000 takes two bytes.
MUTF8 = {
    "MUTF8-1": [[(0x01, 0x7F)]],
    "MUTF8-2": [[(0xC0, 0xC0), (0x80, 0x80)], *UTF8["UTF8-2"]],
    "MUTF8-3": UTF8["UTF8-3"],
    "MUTF8-6": [PAIR],
}
# RFC 2279, section 2: up to U+7FFFFFFF, the shortest form of each.
UCS4 = {
    "UCS4-1": UTF8["UTF8-1"],
    "UCS4-2": UTF8["UTF8-2"],
    "UCS4-3": [[(0xE0, 0xE0), (0xA0, 0xBF), TAIL],
               [(0xE1, 0xEF), TAIL, TAIL]],
    "UCS4-4": [[(0xF0, 0xF0), (0x90, 0xBF), TAIL, TAIL],
               [(0xF1, 0xF7), TAIL, TAIL, TAIL]],
    "UCS4-5": [[(0xF8, 0xF8), (0x88, 0xBF), TAIL, TAIL, TAIL],
               [(0xF9, 0xFB), TAIL, TAIL, TAIL, TAIL]],
    "UCS4-6": [[(0xFC, 0xFC), (0x84, 0xBF), TAIL, TAIL, TAIL, TAIL],
               [(0xFD, 0xFD), TAIL, TAIL, TAIL, TAIL, TAIL]],
}
FORMS = {"utf8": UTF8, "cesu8": CESU8, "mutf8": MUTF8, "ucs4": UCS4}


class Automaton:
    """The minimal DFA of ( rule / rule / ... )*; states are small integers.

    start is also the only accepting state, reject the state without a way
    out; delta[state][byte] is the next state.
    """

    def __init__(self, grammar):
        chars = frozenset(tuple(alt) for rule in grammar.values() for alt in rule)
        delta = self._derive(chars)
        self.start, self.reject, self.delta = self._minimise(
            delta, start=chars, reject=frozenset())
        self.states = sorted(self.delta)

    @staticmethod
    def _derive(chars):
        """Residuals: a state is a frozenset of the sequences still possible."""
        delta, unseen = {}, [chars, frozenset()]
        while unseen:
            state = unseen.pop()
            if state in delta:
                continue
            row = []
            for byte in range(256):
                rest = frozenset(seq[1:] for seq in state
                                 if seq[0][0] <= byte <= seq[0][1])
                # A finished character leaves the empty sequence, after which the next
                # character begins.
                row.append(chars if () in rest else rest)
            delta[state] = row
            unseen.extend(set(row))
        return delta

    @staticmethod
    def _minimise(delta, start, reject):
        block = {s: int(s == start) for s in delta}
        while True:
            keys = {s: (block[s], *(block[t] for t in delta[s])) for s in delta}
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


def tails_due(dfa, state):
    """How many tails follow in a state until a character ends."""
    count = 0
    while state != dfa.start:
        state = next(after for after in dfa.delta[state] if after != dfa.reject)
        count += 1
    return count


class Compact:
    """The automaton with the lead byte itself as its state.

    A state is any lead byte whose residual language it is. C2..DF all mean "one tail
    due". E1 means "two tails due, any", whether E1 was read or the first tail of a
    four-byte character.

    A lead that is followed by more than one tail may restrict the first of them, by rows
    of sixteen tail bytes. Each lead has four rows, counted from those of the first
    three-byte lead.
    """

    def __init__(self, dfa):
        self.dfa = dfa
        leads = [b for b in range(256)
                 if self.reached(b) not in (dfa.start, dfa.reject)]
        self.accept, self.reject = 0x00, 0xFF
        assert self.reached(self.accept) == dfa.start
        assert self.reached(self.reject) == dfa.reject
        self.first_lead, self.last_lead = leads[0], leads[-1]
        assert leads == list(range(leads[0], leads[-1] + 1))

        # Where leads of longer sequences begin.
        self.lead3, self.lead4 = (
            next(b for b in leads if tails_due(dfa, self.reached(b)) == tails)
            for tails in (2, 3))

        # Names for the states that are left after a second byte.
        self.one_tail, self.two_tails = (
            (lead & 0xF0) - 0x0F for lead in (self.lead3, self.lead4))

        good = [row for row in range(4 * (0x100 - self.lead3)) if self._row_good(row)]
        self.row4 = 4 * (self.lead4 - self.lead3)
        three = [row for row in good if row < self.row4]
        four = [row for row in good if row >= self.row4]
        # three-byte leads: up to the last row except for one pair; four-byte
        # leads: one range
        self.row3_first, self.row4_first, self.row4_last = \
            three[0], four[0], four[-1]
        hole = sorted(set(range(three[0], self.row4)) - set(three))
        self.hole_pair = hole[0] >> 1
        assert hole == [2 * self.hole_pair, 2 * self.hole_pair + 1]
        assert four == list(range(four[0], four[-1] + 1))
        # the walk's numbers: leads less the one that two_tails is, rows less
        # the first; sixteen four-byte rows, so that what is left is 0
        self.walk_row = 4 * (self.two_tails - self.lead3) - self.row3_first
        self.walk_hole = self.hole_pair - self.row3_first // 2
        self.walk_row4 = self.row4_first - self.row3_first
        assert self.row3_first % 2 == 0
        assert len(four) == 16 and self.row4_first == self.row4 + 1
        self._prove_step()
        self._prove_walk()

    def reached(self, byte):
        return self.dfa.delta[self.dfa.start][byte]

    def _row_good(self, row):
        state = self.reached(self.lead3 + row // 4)
        first = 0x80 + row % 4 * 16
        good = {self.dfa.delta[state][byte] != self.dfa.reject
                for byte in range(first, first + 16)}
        assert len(good) == 1, "a lead splits a row of sixteen tails"
        return good.pop()

    def step(self, state, byte):
        """next_state() of utf8val.c, statement by statement."""
        if state == self.accept:
            if byte < 0x80:
                return self.accept
            return byte if self.first_lead <= byte <= self.last_lead \
                else self.reject
        tail = byte - 0x80
        if not 0 <= tail < 0x40:
            return self.reject
        if state < self.lead3:
            return self.accept
        row = 4 * (state - self.lead3) + (tail >> 4)
        if row < self.row3_first or row >> 1 == self.hole_pair or row >= self.row4 \
                and not self.row4_first <= row <= self.row4_last:
            return self.reject
        return (state & 0xF0) - 0x0F

    def _prove_step(self):
        """Equal to the automaton: every state of either, every byte."""
        means = {self.accept: self.dfa.start, self.reject: self.dfa.reject}
        means.update({b: self.reached(b)
                      for b in range(self.first_lead, self.last_lead + 1)})
        for state, meaning in means.items():
            for byte in range(256):
                assert means[self.step(state, byte)] \
                    == self.dfa.delta[meaning][byte], (state, byte)
        assert set(means.values()) == set(self.dfa.states)

    def walk(self, state, byte):
        """The inner loop of utf8val_compact_walk(): None when it gives up.

        Its states are lead bytes less E1. One below -1 waits for one tail, whichever. A
        byte above the last lead is only found out by the byte after it. "boundary" ends
        a character.
        """
        def below_0(difference):
            return difference > 0x7FFFFFFF

        tail = byte - 0x80 & MASK32
        if tail >= 0x40:
            return None
        if below_0(state + 1 & MASK32):
            return "boundary"
        state = 4 * state + (tail >> 4) + self.walk_row & MASK32
        if below_0(state) or state >> 1 == self.walk_hole:
            return None
        state = state - self.walk_row4 & MASK32
        if below_0(state) and state != MASK32:
            return state
        return None if state >> 4 else 0

    def _prove_walk(self):
        dfa = self.dfa
        pairs = {(b - self.two_tails & MASK32, self.reached(b))
                 for b in range(self.first_lead, 0x100)}
        seen = set()
        while pairs - seen:
            state, meaning = (pairs - seen).pop()
            seen.add((state, meaning))
            for byte in range(256):
                after, target = self.walk(state, byte), dfa.delta[meaning][byte]
                assert (after is None) == (target == dfa.reject)
                assert (after == "boundary") == (target == dfa.start)
                if after is not None and after != "boundary":
                    pairs.add((after, target))
        assert {m for _, m in seen} | {dfa.start} == set(dfa.states)


class Words:
    """Whole characters of two to four bytes in a little-endian word.

    The bits that all characters of a length share are a mask and a value. The errors that
    remain are found by the bits of lead and second byte where the exceptions lie.
    """

    def __init__(self, grammar, compact):
        self.shape = {}
        for size in (2, 3, 4):
            chars = [alt for rule in grammar.values() for alt in rule if len(alt) == size]
            mask = value = 0
            for i in range(size):
                low = min(alt[i][0] for alt in chars)
                high = max(alt[i][1] for alt in chars)
                common = 0xFF << (low ^ high).bit_length() & 0xFF
                mask |= common << 8 * i
                value |= (low & common) << 8 * i
            self.shape[size] = mask, value
        self.two_bits, self.three_bits = 0x001E, 0x200F
        self.overlong, self.surrogate = 0x0000, 0x200D
        self._prove(compact)

    def good(self, size, word, compact):
        """The test of engine/word.h for a word of that shape."""
        if size == 2:
            return word & self.two_bits != 0
        if size == 3:
            return word & self.three_bits not in (self.overlong, self.surrogate)
        row = (word & 7) << 2 | word >> 12 & 3
        return compact.row4_first <= row + compact.row4 <= compact.row4_last

    def _prove(self, compact):
        """Every lead and second byte; all later tails are alike."""
        dfa = compact.dfa
        for size, (mask, value) in self.shape.items():
            for word in range(0x10000):
                state = dfa.start
                for byte in (word & 0xFF, word >> 8, *[0x80] * (size - 2)):
                    state = dfa.delta[state][byte]
                    done = state == dfa.start and byte >= 0x80
                first_ends = dfa.delta[dfa.start][word & 0xFF] == dfa.start
                shaped = word & mask == value & 0xFFFF
                assert (shaped and self.good(size, word, compact)) \
                    == (done and not first_ends), (size, hex(word))
            for i in range(2, size):
                assert (mask >> 8 * i & 0xFF, value >> 8 * i & 0xFF) \
                    == (0xC0, 0x80)


def header(dfa, compact, words):
    states = []
    for state, name in sorted(lead_names(dfa).items(), key=lambda item: item[1]):
        tails = tails_due(dfa, state)
        second = [b for b in range(256) if dfa.delta[state][b] != dfa.reject]
        states.append(f" *   {name:02X} {tails} tail{'s' if tails > 1 else ' '} due,"
                      f" the next one in {second[0]:02X}..{second[-1]:02X}")
    states = "\n".join(states)
    accept, reject, three, base = (f"{byte:02X}" for byte in (
        compact.accept, compact.reject, compact.lead3, compact.two_tails))
    shapes = "\n".join(f"#define UTF8VAL_WORD{size}_MASK 0x{mask:08X}u\n"
                       f"#define UTF8VAL_WORD{size}_VALUE 0x{value:08X}u"
                       for size, (mask, value) in words.shape.items())
    return output.header(
        "tools/gen/tables.py -o engine/tables.h", "UTF8VAL_TABLES_H", f"""/*
 * RFC 3629's grammar as a minimal automaton of {len(dfa.states)} states. A state is
 * written as a lead byte with the same residual language:
 *
 *   {accept} a boundary (accept)   {reject} nothing can follow (reject)
{states}
 */
#define UTF8VAL_STATE_ACCEPT 0x{accept}u
#define UTF8VAL_STATE_REJECT 0x{reject}u
/* tails due: one, any; two, any */
#define UTF8VAL_STATE_ONE_TAIL 0x{compact.one_tail:02X}u
#define UTF8VAL_STATE_TWO_TAILS 0x{base}u
/* leads: the first and the last, where three-byte and four-byte forms begin */
#define UTF8VAL_LEAD_FIRST 0x{compact.first_lead:02X}u
#define UTF8VAL_LEAD_LAST 0x{compact.last_lead:02X}u
#define UTF8VAL_LEAD_3 0x{three}u
#define UTF8VAL_LEAD_4 0x{compact.lead4:02X}u

/*
 * What a lead demands of its second byte, in rows of sixteen tail bytes:
 * row = 4 * (lead - {three}) + (second - 80) / 16. Three-byte leads: from ROW3_FIRST
 * up to ROW4, except for the pair of rows that ROW3_HOLE is half of; four-byte
 * leads: from ROW4_FIRST to ROW4_LAST.
 */
#define UTF8VAL_ROW3_FIRST {compact.row3_first}
#define UTF8VAL_ROW3_HOLE {compact.hole_pair}u
#define UTF8VAL_ROW4 {compact.row4}
#define UTF8VAL_ROW4_FIRST {compact.row4_first}
#define UTF8VAL_ROW4_LAST {compact.row4_last}

/*
 * The same as the compact engine's walk counts: leads from {base}, rows from ROW3_FIRST,
 * row = 4 * (lead - {base}) + (second - 80) / 16 + WALK_ROW. The sixteen four-byte
 * rows begin at WALK_ROW4; the row before them is none, and before that are the
 * three-byte rows.
 */
#define UTF8VAL_WALK_ROW {compact.walk_row}u
#define UTF8VAL_WALK_HOLE {compact.walk_hole}u
#define UTF8VAL_WALK_ROW4 {compact.walk_row4}u

/*
 * Whole characters as the low bytes of a little-endian word: the bits that all
 * of a length share, and where lead and second byte show the exceptions.
 */
{shapes}
#define UTF8VAL_WORD2_BITS 0x{words.two_bits:04X}u /* 0: overlong */
#define UTF8VAL_WORD3_BITS 0x{words.three_bits:04X}u
#define UTF8VAL_WORD3_OVERLONG 0x{words.overlong:04X}u
#define UTF8VAL_WORD3_SURROGATE 0x{words.surrogate:04X}u
""")


def rows(values, per_line=16):
    return "\n".join("\t" + " ".join(f"{v}," for v in values[i:i + per_line])
                     for i in range(0, len(values), per_line))


def forms_header():
    """The automaton of every form, by byte classes."""
    text = """/*
 * A form's automaton: the next state is next[state * classes + class_of[byte]].
 * State 0 is the start, and a character's end; the last state is the one without
 * a way out.
 */
"""
    for name, grammar in FORMS.items():
        dfa = Automaton(grammar)
        order = [dfa.start] + [s for s in dfa.states
                               if s not in (dfa.start, dfa.reject)] \
            + [dfa.reject]
        number = {state: i for i, state in enumerate(order)}
        columns = [tuple(number[dfa.delta[s][b]] for s in order) for b in range(256)]
        classes = sorted(set(columns), key=columns.index)
        class_of = [classes.index(column) for column in columns]
        following = [column[i] for i in range(len(order)) for column in classes]
        # Read the tables as the C code does, in every state by every byte.
        for state in dfa.states:
            for byte in range(256):
                assert following[number[state] * len(classes) + class_of[byte]] \
                    == number[dfa.delta[state][byte]], (name, state, byte)
        text += f"""#define UTF8VAL_{name.upper()}_STATES {len(order)}u
#define UTF8VAL_{name.upper()}_CLASSES {len(classes)}u

static const uint8_t utf8val_{name}_class_of[256] = {{
{rows(class_of)}
}};

static const uint8_t utf8val_{name}_next[] = {{
{rows(following, len(classes))}
}};

"""
    return output.header("tools/gen/tables.py --forms -o forms/tables.h",
                         "UTF8VAL_FORMS_TABLES_H", text.removesuffix("\n"))


def main():
    parser = output.arguments("Derive utf8val's tables from RFC 3629's grammar.")
    parser.add_argument("--forms", action="store_true",
                        help="the tables of the other forms instead")
    args = parser.parse_args()
    if args.forms:
        text = forms_header()
    else:
        dfa = Automaton(UTF8)
        assert len(dfa.states) == 9
        compact = Compact(dfa)
        text = header(dfa, compact, Words(UTF8, compact))
    output.write(text, args.output)


if __name__ == "__main__":
    main()
