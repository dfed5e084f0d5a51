# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Read the contracts of proof/spec and proof/lemmas.

This is the second reader of the same text: Frama-C/WP proves loops and calls
from it, CBMC the functions about bits that WP cannot see into.
"""
import re
import shutil
import subprocess

import sources

TOKEN = re.compile(r"\s+|(?P<number>0[xX][0-9a-fA-F]+|\d+)[uUlL]*"
                   r"|(?P<name>\\?[A-Za-z_]\w*|\\[01])"
                   r"|(?P<sign><==>|==>|\.\.|->|<<|>>|<=|>=|==|!=|&&|\|\|"
                   r"|[-+*/%&|^~!<>?:()\[\]{},;=.])")
TYPES = {"uint8_t": 8, "uint32_t": 32, "uint64_t": 64, "size_t": 64}
LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!=", "<", "<=", ">", ">="],
          ["<<", ">>"], ["+", "-"], ["*", "/", "%"]]


class Unsupported(Exception):
    """An expression that this reader does not know: no proof, never a pass."""


def tokens(text):
    at, found = 0, []
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise Unsupported(f"what is {text[at:at + 30]!r}?")
        if match.lastgroup:
            found.append((match.lastgroup, match[match.lastgroup]))
        at = match.end()
    return found


class Parser:
    """Expressions as tuples: (operator, operand...)."""

    def __init__(self, text):
        self.tokens = tokens(text) + [("end", "")]
        self.at = 0

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def take(self, wanted=None):
        kind, text = self.tokens[self.at]
        if wanted is not None and text != wanted:
            raise Unsupported(f"{wanted!r} expected, not {text!r}")
        self.at += 1
        return kind, text

    def accept(self, wanted):
        if self.peek() == wanted and self.tokens[self.at][0] != "end":
            self.at += 1
            return True
        return False

    def whole(self):
        tree = self.expression()
        if self.tokens[self.at][0] != "end":
            raise Unsupported(f"rest of an expression: {self.peek()!r}")
        return tree

    def expression(self):
        if self.quantifier():
            kind = self.take()[1]
            names = []
            while True:
                while self.peek(1) not in (",", ";"):
                    self.take()
                names.append(self.take()[1])
                if not self.accept(","):
                    break
            self.take(";")
            return (kind, names, self.expression())
        condition = self.equivalence()
        if self.accept("?"):
            yes = self.expression()
            self.take(":")
            return ("?", condition, yes, self.expression())
        return condition

    def equivalence(self):
        left = self.implication()
        while self.accept("<==>"):
            left = ("<==>", left, self.expression() if self.quantifier()
                    else self.implication())
        return left

    def quantifier(self):
        return self.peek() in ("\\forall", "\\exists")

    def implication(self):
        left = self.binary(0)
        if self.accept("==>"):
            right = self.expression() if self.quantifier() else self.implication()
            return ("==>", left, right)
        return left

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        if "<" in LEVELS[level]:
            # Both comparisons of a <= b < c hold.
            parts, signs = [left], []
            while self.peek() in LEVELS[level]:
                signs.append(self.take()[1])
                parts.append(self.binary(level + 1))
            trees = [(sign, parts[i], parts[i + 1]) for i, sign in enumerate(signs)]
            while len(trees) > 1:
                trees[:2] = [("&&", trees[0], trees[1])]
            return trees[0] if trees else left
        while self.peek() in LEVELS[level]:
            sign = self.take()[1]
            right = self.expression() if self.quantifier() else self.binary(level + 1)
            left = (sign, left, right)
        return left

    def unary(self):
        for sign in "!", "-", "*", "~":
            if self.accept(sign):
                return ("u" + sign, self.unary())
        return self.postfix(self.primary())

    def primary(self):
        kind, text = self.take()
        if kind == "number":
            return ("number", int(text, 0))
        if text == "(":
            inner = self.cast() or self.expression()
            self.take(")")
            if inner[0] == "cast":
                return ("cast", inner[1], self.unary())
            return inner
        if kind == "name":
            labels = []
            if self.accept("{"):
                while not self.accept("}"):
                    labels.append(self.take()[1])
                    self.accept(",")
            if self.accept("("):
                operands = []
                while not self.accept(")"):
                    operands.append(self.expression())
                    self.accept(",")
                return ("call", text, operands, labels)
            return ("name", text)
        raise Unsupported(f"no expression: {text!r}")

    def cast(self):
        words, at = [], 0
        while self.tokens[self.at + at][0] == "name" or self.peek(at) == "*":
            words.append(self.peek(at))
            at += 1
        if self.peek(at) != ")" or not words or not (
                words[-1] == "*" or words[-1] in TYPES or words[-1] == "integer"):
            return None
        self.at += at
        return ("cast", "pointer" if words[-1] == "*" else words[-1])

    def postfix(self, tree):
        while True:
            if self.accept("["):
                tree = ("index", tree, self.expression())
                self.take("]")
            elif self.accept("->") or self.accept("."):
                raise Unsupported("a structure's member")
            else:
                return tree


def typed(parameter):
    """The type and the name of a parameter."""
    match = re.fullmatch(r"\s*(.*?)\s*\b(\w+)(\[\d*\])?\s*", parameter, re.S)
    return re.sub(r"\s+\*", " *", match[1]), match[2]


def definitions(text):
    """Predicates and logic functions: name, parameters, body and labels."""
    # The semicolon after the variables of a quantifier ends no definition.
    pattern = (r"\b(predicate|logic\s+\w+)\s+(\w+)(?:\{([\w,]+)\})?\s*"
               r"\(([^)]*)\)\s*=((?:[^;\\]|\\(?!forall|exists)|"
               r"\\(?:forall|exists)[^;]*;)*);")
    for _, name, labels, parameters, body in re.findall(pattern, text):
        yield name, list(map(typed, parameters.split(","))), body, labels.split(",")


class Definitions:
    """Predicates and logic functions."""

    def __init__(self):
        self.logic, self.enumerators = {}, {}

    def add(self, text):
        for name, parameters, body, labels in definitions(text):
            self.logic[name] = [parameters, body, labels]

    def definition(self, name):
        """Parameters, the tree of the body, and labels."""
        found = self.logic[name]
        if isinstance(found[1], str):
            found[1] = Parser(found[1]).whole()
        return found


class Contracts(Definitions):
    """Definitions and contracts that a source includes."""

    def __init__(self, root, source, work, triple="x86_64-linux-gnu"):
        """source: the name of a source, whose headers are read below root. triple: the
        machine that PTRDIFF_MAX belongs to, as clang names it."""
        super().__init__()
        copy = work / "acsl"
        copy.mkdir()
        shutil.copy(root / "utf8val.h", copy)
        shutil.copytree(root / "engine", copy / "engine")
        for path in sources.headers(root):
            text = path.read_text().replace("/*@", " ACSL_BEGIN ")
            text = re.sub(r"(ACSL_BEGIN.*?)\*/", r"\1 ACSL_END ", text, flags=re.S)
            target = copy / path.relative_to(root)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        # The text of the core itself has no contracts.
        (copy / "source.c").write_text(sources.text(copy, source, code=False))
        run = subprocess.run(
            ["clang", f"--target={triple}", "-E", "-P", "-ffreestanding",
             str(copy / "source.c")], capture_output=True, text=True, check=True)
        for body in re.findall(r"\benum\s*\w*\s*\{(.*?)\}", run.stdout, re.S):
            value = -1
            for name, given in re.findall(r"(\w+)\s*(?:=\s*(\d+))?\s*(?:,|$)", body):
                value = int(given) if given else value + 1
                self.enumerators[name] = value
        self.functions, self.parameters, self.results = {}, {}, {}
        for text, after in re.findall(
                r"ACSL_BEGIN(.*?)ACSL_END(?=([^;{]*))", run.stdout, re.S):
            if re.match(r"\s*(requires|ensures|terminates|assigns)", text):
                result, name, parameters = re.match(
                    r"(.*?)(\w+)\s*\(([^)]*)\)", after.strip(), re.S).groups()
                self.functions[name] = self._contract(text)
                self.parameters[name] = list(map(typed, parameters.split(",")))
                self.results[name] = re.sub(r"\b(static|inline)\b", "", result).strip()
            else:
                self.add(text)

    def contract(self, name):
        """A function's: requires, ensures and assigns, and no other clause that matters,
        such as behaviors, whose assumptions would be lost."""
        if name not in self.functions:
            raise Unsupported("no contract")
        found = self.functions[name]
        if other := found.keys() - {"requires", "ensures", "assigns", "terminates"}:
            raise Unsupported(f"a contract with {' and '.join(sorted(other))}")
        # The provers of this reader check whether an object may be written, not which
        # bytes of it: so all valid bytes may be.
        for pointer, last in re.findall(r"(\w+)\s*\[0 *\.\. *([^\]]*)\]",
                                        " ".join(found["assigns"])):
            if not re.search(rf"\\valid\({pointer} \+ \(0 \.\. {re.escape(last)}\)\)",
                             " ".join(found["requires"])):
                raise Unsupported(f"{pointer}, of which more is valid than is assigned")
        if re.search(r"[^\]\w\s,\\]", re.sub(r"\[0 *\.\.[^\]]*\]", "",
                                          " ".join(found["assigns"]))):
            raise Unsupported("something else that is assigned")
        return found

    @staticmethod
    def _contract(text):
        clauses = re.findall(r"(?:[^;\\]|\\(?!forall|exists)|"
                             r"\\(?:forall|exists)[^;]*;)+", text)
        found = {"requires": [], "ensures": [], "assigns": []}
        for clause in filter(None, map(str.strip, clauses)):
            kind, rest = clause.split(None, 1)
            found.setdefault(kind, []).append(rest)
        return found
