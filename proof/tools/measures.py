# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Recursive definitions that end: one that does not might prove anything.

To a prover, count(n) = 1 + count(n) is a contradiction, and WP looks for none. So each
recursive definition of proof/ has a measure in proof/parts/measures.txt: an integer of
its parameters that is at least 0 wherever the definition calls itself, and less in the
call. CBMC, with z3 and integers without bounds, is asked for a call of which that is
wrong. There no definition is recursive: what a call returns is any integer of which the
same list's "gives" is true, which CBMC is asked about, too.
"""
import pathlib
import re
import tempfile

import acsl
import cbmc
import sources
from translate import Translator

ANY = {"index", "<<", ">>", "|", "^", "&", "u~", "/", "%"}
REACHED = "all definitions return"
HEAD = """typedef __CPROVER_integer Z;
typedef __CPROVER_size_t size_t;
typedef __CPROVER_ssize_t ptrdiff_t;
typedef unsigned char uint8_t;
Z nondet_Z(void);
static int asked;
Z __CPROVER_uninterpreted_before(int);
"""


class Measured(Translator):
    """Says definitions in C, where memory and constants may hold anything."""

    def __init__(self, definitions, claims):
        super().__init__(definitions)
        self.claims, self.body = claims, []
        self.functions = dict.fromkeys(claims, "")
        for number, (name, (measure, gives)) in enumerate(claims.items()):
            parameters, tree, labels = definitions.definition(name)
            head, names = self.head(name)
            before = f"__CPROVER_uninterpreted_before({number})"
            after = self.clause(measure, names)[1]
            fact = self.clause(gives, {**names, "\\result": "result"})[1]
            gives = gives.replace("\\", "")
            self.functions[name] = (
                f"{head}\n{{\n\tZ result = nondet_Z();\n\t__CPROVER_assert(asked != "
                f"{number} || (0 <= {before} && {after} < {before}), "
                f'"{name}: {measure} does not decrease");\n'
                f"\t__CPROVER_assume({fact});\n\treturn result;\n}}\n")
            given = head[head.index("(") + 1:-1].replace(", ", "; ")
            self.body.append(f"\t{{\n\t{given};\n\tasked = {number};\n\n"
                             f"\t__CPROVER_assume({before} == {after});\n"
                             f"\tZ result = {self.text(tree, names, labels[0])};\n"
                             f'\t__CPROVER_assert({fact}, "{name} does not give {gives}");'
                             "\n\t}\n")

    def head(self, name):
        head, names = super().head(name)
        return head.replace("const uint8_t *", "Z "), names

    def text(self, tree, names, label):
        if tree[0] == "name" and tree[1] not in names and not tree[1].startswith("\\"):
            return "nondet_Z()"
        if tree[0] in ANY or tree[0] == "cast" and tree[1] in acsl.TYPES:
            # What is called on the way counts, the result does not.
            inside = [self.text(each, names, label) for each in tree[1:]
                      if isinstance(each, tuple)]
            return f"({', '.join([*inside, 'nondet_Z()'])})"
        return super().text(tree, names, label)

    def program(self):
        return (HEAD + "".join(self.functions.values()) + "void prove(void)\n{\n" +
                "".join(self.body) + f'\t__CPROVER_assert(0, "{REACHED}");\n}}\n')


def recursive(words):
    """The definitions that call themselves, directly or through others; words: what
    each mentions."""
    def reached(name):
        seen, new = set(), words[name]
        while new:
            seen, new = seen | new, set().union(*(words[each] for each in new)) - seen - new
        return seen
    return {name for name in words if name in reached(name)}


def endless(root):
    """What shows that a definition in headers or parts might not end."""
    texts = [path.read_text() for path in [
        *sources.headers(root), *sorted((root / "proof" / "parts").glob("*.c"))]]
    definitions = acsl.Definitions()
    for text in texts:
        definitions.add(re.sub(r"'(.)'", lambda match: str(ord(match[1])),
                               re.sub(r"//[^\n]*", "", text)))
    words = {name: {each for each in re.findall(r"\w+", body) if each in definitions.logic}
             for name, (_, body, _) in definitions.logic.items()}
    claims = {}
    for line in sources.lines("parts/measures.txt"):
        name, measure, *gives = [each.strip() for each in line.split("|")]
        claims[name] = measure, " ".join(gives) or "\\true"
    again = recursive(words)
    found = [f"{name} is recursive by way of another" for name in again
             if name not in words[name]]
    found += [f"{name} is recursive, and has no measure" for name in again - claims.keys()]
    found += [f"{name} of measures.txt, which is not recursive"
              for name in claims.keys() - again]
    if found:
        return found
    with tempfile.TemporaryDirectory() as work:
        path = pathlib.Path(work) / "ask.c"
        try:
            path.write_text(Measured(definitions, claims).program())
        except acsl.Unsupported as error:
            return [f"a definition that is not understood: {error}"]
        return cbmc.wrong(path, "prove", "x86_64", 10, 60, REACHED, ["--z3"])[0]
