#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Derive the vector engine's tables for AVX-512 from the grammar in tables.py.
`make generated` calls this.

AVX-512 looks up 64 bytes by the lower six bits of each byte. These six bits tell all
bytes from C0 on apart, and all tails. So there is one table for leads, with these bits:

  the top bit       a tail must follow
  the next two      a second and a third tail must follow
  the other bits    one for each set of tails that cannot follow some leads

and one for tails, with one bit for each set that the tail is in. C0, C1 and F5 to FF,
which are not leads, are treated as leads that no tail can follow. FF is treated as FE, so
that the last place of the table is free: for all bytes below C0, which demand nothing.
Then the proof of mve_tables.py walks over all states of the automaton and all bytes before.

Usage: tools/gen/vector_tables.py [-o FILE]    (without -o: standard output)
"""

import output
from mve_tables import prove
from tables import Automaton, TAIL, UTF8, tails_due

BELOW = TAIL[1]    # leads are among the bytes above it
LAST = 0xFE
TOP = 0x80


class Leads:
    def __init__(self, dfa):
        tails = range(TAIL[0], TAIL[1] + 1)
        refused, due = {}, {}
        for lead in range(BELOW + 1, LAST + 1):
            state = dfa.delta[dfa.start][lead]
            refused[lead] = frozenset(t for t in tails if dfa.delta[state][t] == dfa.reject)
            due[lead] = 1 if state == dfa.reject else tails_due(dfa, state)
        self.sets = sorted(set(refused.values()) - {frozenset()}, key=sorted)
        assert len(self.sets) <= 5, "more sets than bits"
        self.leads = [sum(1 << bit for bit, tails in enumerate(self.sets)
                          if tails == refused[lead])
                      | sum(TOP >> i for i in range(due[lead]))
                      for lead in range(BELOW + 1, LAST + 1)] + [0]
        self.tails = [sum(1 << bit for bit, refused in enumerate(self.sets)
                          if tail in refused) for tail in tails]
        prove(dfa, self.error, self._looks)

    def _lead(self, byte):
        return self.leads[max(min(byte, LAST), BELOW) & 63]

    def error(self, before, byte):
        """The arithmetic of engine/vector.h for one byte and the three before it."""
        three, two, one = map(self._lead, before)
        due = one | two << 1 | three << 2
        tail = byte ^ self._lead(byte)
        return (tail ^ due) & TOP | one & self.tails[byte & 63]

    def _looks(self, byte):
        """All that error() takes from a byte."""
        return byte & TOP, self._lead(byte), self.tails[byte & 63]


def array(name, values):
    rows = "\n".join("\t" + " ".join(f"0x{v:02X}u," for v in values[i:i + 8])
                     for i in range(0, len(values), 8))
    return f"static const uint8_t {name}[{len(values)}] = {{\n{rows}\n}};\n"


def main():
    args = output.arguments("Derive the vector engine's tables for AVX-512 from"
                            " RFC 3629's grammar.").parse_args()
    tables = Leads(Automaton(UTF8))
    output.write(output.header(
        "tools/gen/vector_tables.py -o engine/vector_tables.h", "UTF8VAL_VECTOR_TABLES_H",
        f"""/*
 * By the lower six bits of a byte from C0 to FE: the bits 80, 40 and 20 say that a first,
 * a second and a third tail must follow, the others which first tail cannot. The last
 * place is for all bytes below.
 */
{array("utf8val_vector_leads", tables.leads)}
/* By the lower six bits of a tail: the same other bits. */
{array("utf8val_vector_tails", tables.tails)}"""), args.output)


if __name__ == "__main__":
    main()
