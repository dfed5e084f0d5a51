# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Recursive definitions that end: one that does not might prove anything.

To a prover, count(n) = 1 + count(n) is a contradiction, and WP looks for none. So each
recursive definition of proof/ has a measure in proof/parts/measures.txt: an integer of
its parameters that is at least 0 wherever the definition calls itself, and less in the
call. z3 is asked for a call of which that is wrong, without any recursive definition:
what one returns is any integer of which the same list's "gives" is true, which z3 is
asked about, too, from the same of the calls.
"""
import re
import subprocess

import acsl
import sources
from acsl import Parser, Unsupported

SAME = {"&&": "and", "||": "or", "==>": "=>", "<==>": "=", "==": "=", "<": "<",
        "<=": "<=", ">": ">", ">=": ">=", "+": "+", "-": "-", "*": "*"}
TRUTHS = {"&&", "||", "==>", "<==>", "==", "!=", "<", "<=", ">", ">=", "u!"}


class Measured:
    """One definition as z3 reads it."""

    def __init__(self, definitions, claims, name):
        self.definitions, self.claims, self.name = definitions, claims, name
        self.free, self.facts, self.calls = [], [], []

    def fresh(self, truth=False):
        """A new constant of any value."""
        self.free.append(f"(declare-const x{len(self.free)} {'Bool' if truth else 'Int'})")
        return f"x{len(self.free) - 1}"

    def truth(self, tree, names, path):
        """A condition, for z3."""
        kind = tree[0]
        if kind == "u!":
            return f"(not {self.truth(tree[1], names, path)})"
        if kind in ("&&", "||", "==>", "<==>"):
            left = self.truth(tree[1], names, path)
            # The right side of these operators counts only where the left side does not
            # decide.
            more = [] if kind == "<==>" else [f"(not {left})" if kind == "||" else left]
            return f"({SAME[kind]} {left} {self.truth(tree[2], names, path + more)})"
        if kind in TRUTHS:
            left, right = (self.number(each, names, path) for each in tree[1:])
            return f"(not (= {left} {right}))" if kind == "!=" \
                else f"({SAME[kind]} {left} {right})"
        if kind == "call":
            return self.call(tree, names, path, True)
        for each in tree[1:]:
            self.inside(each, names, path)
        return self.fresh(True)

    def number(self, tree, names, path):
        """An integer, for z3."""
        kind = tree[0]
        if kind == "number":
            return str(tree[1])
        if kind == "name" and tree[1] in names:
            return names[tree[1]]
        if kind == "u-":
            return f"(- {self.number(tree[1], names, path)})"
        if kind in ("+", "-", "*"):
            left, right = (self.number(each, names, path) for each in tree[1:])
            return f"({kind} {left} {right})"
        if kind == "?":
            test = self.truth(tree[1], names, path)
            yes, no = (self.number(each, names, path + [given]) for each, given in
                       ((tree[2], test), (tree[3], f"(not {test})")))
            return f"(ite {test} {yes} {no})"
        if kind == "call":
            return self.call(tree, names, path, False)
        if kind in TRUTHS:
            return f"(ite {self.truth(tree, names, path)} 1 0)"
        for each in tree[1:]:
            self.inside(each, names, path)
        return self.fresh()

    def inside(self, part, names, path):
        """Find the calls in an expression that has no meaning here."""
        if isinstance(part, tuple) and part and part[0] in ("\\forall", "\\exists"):
            names = {**names, **{each: self.fresh() for each in part[1]}}
            self.truth(part[2], names, path)
        elif isinstance(part, tuple) and part:
            self.number(part, names, path)

    def call(self, tree, names, path, truth):
        name, operands = tree[1], tree[2]
        values = [self.number(each, names, path) for each in operands]
        if name not in self.definitions:
            return self.fresh(truth)
        parameters, body = self.definitions[name]
        inner = dict(zip(parameters, values))
        if name == self.name:
            self.calls.append((path, inner))
        if name in self.claims:
            result = self.fresh(truth)
            if gives := self.claims[name][1]:
                # The fact is proved for a call of a smaller measure, or is one of
                # another definition.
                self.facts.append(self.truth(Parser(gives).whole(),
                                             {**inner, "\\result": result}, path))
            return result
        return self.truth(body, inner, path) if truth else self.number(body, inner, path)


def holds(free, facts, goal):
    """Does the goal follow from the facts?"""
    text = "\n".join([*free, *(f"(assert {each})" for each in facts),
                      f"(assert (not {goal}))", "(check-sat)"])
    return subprocess.run(["z3", "-T:20", "-in"], input=text, text=True, check=False,
                          capture_output=True).stdout.strip() == "unsat"


def both(conditions):
    return f"(and true {' '.join(conditions)})"


def faults(definitions, claims, name):
    """What is wrong with a recursive definition."""
    if name not in claims:
        return [f"{name} is recursive, and has no measure"]
    parameters, body = definitions[name]
    measure, gives = claims[name]
    it = Measured(definitions, claims, name)
    names = {each: f"p_{each}" for each in parameters}
    it.free += [f"(declare-const p_{each} Int)" for each in parameters]
    logic = re.search(r"[<>=&|!]", str(body[0])) or body[0] in TRUTHS
    result = it.truth(body, names, []) if logic else it.number(body, names, [])
    tree, found = Parser(measure).whole(), []
    before = it.number(tree, names, [])
    for path, inner in it.calls:
        after = it.number(tree, inner, [])
        if not holds(it.free, [*it.facts, *path], f"(and (<= 0 {before}) (< {after} {before}))"):
            found.append(f"{name}: {measure} does not decrease")
    if not it.calls:
        found.append(f"{name} has a measure, and is not recursive")
    if gives:
        goal = it.truth(Parser(gives).whole(), {**names, "\\result": result}, [])
        if not holds(it.free, it.facts, goal):
            found.append(f"{name} does not give {gives}")
    return found


def recursive(definitions):
    """The definitions that call themselves, directly or through others; and all calls
    by name."""
    words = {name: {each for each in re.findall(r"\w+", body) if each in definitions}
             for name, (_, body) in definitions.items()}

    def reached(name):
        seen, new = set(), set(words[name])
        while new:
            seen |= new
            new = set().union(*(words[each] for each in new)) - seen
        return seen
    return {name for name in definitions if name in reached(name)}, words


def endless(root):
    """The definitions in headers and parts that may not end."""
    texts = [path.read_text() for path in [
        *sources.headers(root), *sorted((root / "proof" / "parts").glob("*.c"))]]
    plain = {}
    for text in texts:
        text = re.sub(r"'(.)'", lambda match: str(ord(match[1])),
                      re.sub(r"//[^\n]*", "", text))
        for name, parameters, body, _ in acsl.definitions(text):
            plain[name] = ([each for _, each in parameters], body)
    claims = {}
    for line in sources.lines("parts/measures.txt"):
        name, measure, *gives = [each.strip() for each in line.split("|")]
        claims[name] = measure, " ".join(gives)
    again, words = recursive(plain)
    found = {f"{name} is recursive by way of another" for name in again
             if name not in words[name]}
    found |= {f"{name} of measures.txt, which is not recursive"
              for name in claims.keys() - again}
    wanted = again | set().union(*(words[name] for name in again)) if again else set()
    trees = {}
    try:
        while wanted - trees.keys():
            for name in wanted - trees.keys():
                trees[name] = (plain[name][0], Parser(plain[name][1]).whole())
                wanted = wanted | words[name]
    except Unsupported as error:
        return found | {f"a definition that is not understood: {error}"}
    for name in sorted(again):
        found.update(faults(trees, claims, name))
    return found
