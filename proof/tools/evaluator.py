# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Evaluate what acsl.py has read, on bit-vectors.

Integers of ACSL are unbounded; here they are 128 bits wide, and values of C have
at most 64, so that sums of a few of them do not wrap.
"""
import z3

from acsl import TYPES, Parser, Unsupported

WIDTH = 128


def boolean(value):
    """A C or ACSL value as a truth value."""
    if isinstance(value, bool) or z3.is_bool(value):
        return value
    if isinstance(value, int):
        return value != 0
    return value != 0


def not_(a):
    return not a if isinstance(a, bool) else z3.Not(a)


def and_(*values):
    if any(v is False for v in values):
        return False
    values = [v for v in values if v is not True]
    return z3.And(*values) if len(values) > 1 else values[0] if values else True


def or_(*values):
    return not_(and_(*map(not_, values)))


def if_(condition, yes, no):
    if isinstance(condition, bool):
        return yes if condition else no
    if yes is no or (isinstance(yes, (bool, int))
                     and isinstance(no, (bool, int)) and yes == no):
        return yes
    if isinstance(yes, bool) or z3.is_bool(yes):
        return z3.If(condition, yes, no)
    return z3.If(condition, wide(yes), wide(no))


def wide(value):
    """As an integer of WIDTH bits."""
    if isinstance(value, bool) or z3.is_bool(value):
        value = if_(value, 1, 0) if not isinstance(value, bool) else int(value)
    if isinstance(value, int):
        return z3.BitVecVal(value, WIDTH)
    if value.size() < WIDTH:
        return z3.ZeroExt(WIDTH - value.size(), value)
    return value


def remainder(a, b):
    """As in C: of a's sign."""
    if isinstance(a, int) and isinstance(b, int):
        return abs(a) % abs(b) * (1 if a >= 0 else -1)
    return z3.SRem(a, b)


ARITHMETIC = {
    "%": remainder,
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b, ">>": lambda a, b: a >> b,
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}


class Evaluator:
    """Expressions over one state of the machine.

    names: what the parameters and \\result are; read(pointer, index) and
    limit(pointer) ask memory: a byte's value, the region's size; so does
    address(pointer).
    """

    def __init__(self, contracts, names, read, limit, old=None, address=None):
        self.contracts, self.names = contracts, names
        self.read, self.limit, self.old = read, limit, old
        self.address = address
        self.memory = {}

    def truth(self, text):
        self.clause = Parser(text).whole()
        return boolean(self.evaluate(self.clause, self.names))

    def evaluate(self, tree, env):
        return getattr(self, "do_" + KINDS.get(tree[0], "arithmetic"))(tree, env)

    def do_number(self, tree, env):
        return tree[1]

    def do_name(self, tree, env):
        name = tree[1]
        if name in env:
            return env[name]
        if name in ("\\1", "\\0"):
            return name == "\\1"	# what <stdbool.h> made of \\true
        if name in self.names:
            return self.names[name]
        if name in self.contracts.enumerators:
            return self.contracts.enumerators[name]
        return ("global", name, 0)

    def do_cast(self, tree, env):
        value = self.evaluate(tree[2], env)
        if tree[1] in ("pointer", "integer"):
            return value
        size = TYPES[tree[1]]
        if isinstance(value, int):
            return value & ((1 << size) - 1)
        return z3.ZeroExt(WIDTH - size, z3.Extract(size - 1, 0, wide(value)))

    def do_unary(self, tree, env):
        value = self.evaluate(tree[1], env)
        if tree[0] == "u!":
            return not_(boolean(value))
        raise Unsupported(tree[0])

    def do_arithmetic(self, tree, env):
        if tree[0] not in ARITHMETIC:
            raise Unsupported(tree[0])
        a, b = (self.evaluate(t, env) for t in tree[1:])
        if isinstance(a, tuple) and tree[0] in "+-" and not isinstance(b, tuple):
            return (*a[:2], ARITHMETIC[tree[0]](a[2], b))
        if isinstance(a, tuple):
            if a[:2] != b[:2]:
                raise Unsupported("pointers into two regions")
            a, b = a[2], b[2]
        if isinstance(a, int) and isinstance(b, int):
            return ARITHMETIC[tree[0]](a, b)
        return ARITHMETIC[tree[0]](wide(a), wide(b))

    def do_logic(self, tree, env):
        a = boolean(self.evaluate(tree[1], env))
        if tree[0] == "==>":
            a = not_(a)
        if isinstance(a, bool) and tree[0] in ("||", "==>") and a:
            return True
        if isinstance(a, bool) and tree[0] == "&&" and not a:
            return False
        b = boolean(self.evaluate(tree[2], env))
        if tree[0] == "<==>":
            if isinstance(a, bool):
                return b if a else not_(b)
            if isinstance(b, bool):
                return a if b else not_(a)
            return a == b
        return and_(a, b) if tree[0] == "&&" else or_(a, b)

    def do_choice(self, tree, env):
        condition = boolean(self.evaluate(tree[1], env))
        if isinstance(condition, bool):
            return self.evaluate(tree[2] if condition else tree[3], env)
        return if_(condition, self.evaluate(tree[2], env),
                   self.evaluate(tree[3], env))

    def do_index(self, tree, env):
        return self.at(self.evaluate(tree[1], env), self.evaluate(tree[2], env))

    def at(self, pointer, index):
        offset = pointer[2] + index
        if not isinstance(offset, int):
            offset = z3.simplify(wide(offset))
            if z3.is_bv_value(offset):
                offset = offset.as_signed_long()
        return self.read((*pointer[:2], offset))

    def do_call(self, tree, env):
        name = tree[1]
        if name == "\\old":
            return self.old.evaluate(tree[2][0], env)
        if name == "\\at":
            return self.state(tree[2][1][1], env).evaluate(tree[2][0], env)
        operands = [self.evaluate(t, env) for t in tree[2]]
        states = [self.state(label, env) for label in tree[3]]
        if len(states) == 1 and states[0] is not self:
            return states[0].evaluate((*tree[:3], []), env)
        if name == "utf8":
            return self.utf8(*operands)
        if name == "aligned":
            # its definition asks for some place: any does, this one too
            return self.address(operands[0]) & 3 == 0
        if name not in self.contracts.logic:
            raise Unsupported(name)
        key = (name, *map(id, states),
               *(id(o) if z3.is_expr(o) else o for o in operands))
        if key not in self.memory:
            parameters, body, formal = self.contracts.definition(name)
            inner = dict(zip((each for _, each in parameters), operands))
            inner |= {("at", label): state for label, state in
                      zip(formal, states)}
            # operands are kept with the value: an id must not be used again
            self.memory[key] = (self.evaluate(body, inner), operands)
        return self.memory[key][0]

    def state(self, label, env):
        """Whom to ask for what stands at a label: a predicate's, or C's."""
        known = {"Here": self, "Old": self.old}
        if ("at", label) in env:
            return env["at", label]
        if label not in known:
            raise Unsupported(f"the label {label}")
        return known[label]

    def utf8(self, s, a, b):
        """The inductive predicate, unfolded: memory has an end."""
        if not isinstance(a, int) or not isinstance(b, int):
            places = range(-s[2], self.limit(s) - s[2] + 1)
            return or_(*(and_(boolean(self.equal(a, i)),
                              boolean(self.equal(b, j)), self.utf8(s, i, j))
                         for i in ([a] if isinstance(a, int) else places)
                         for j in ([b] if isinstance(b, int) else places)
                         if i <= j))
        key = ("utf8", s, a, b)
        if key not in self.memory:
            parameters, body, _ = self.contracts.definition("utf8_char")
            names = [each for _, each in parameters]
            value = True if a == b else False
            for k in range(1, min(4, b - a) + 1):
                char = self.evaluate(body, dict(zip(names, (s, a, k))))
                value = or_(value, and_(boolean(char), self.utf8(s, a + k, b)))
            if z3.is_expr(value):
                value = z3.simplify(value)
                value = True if z3.is_true(value) else \
                    False if z3.is_false(value) else value
            self.memory[key] = (value, s)
        return self.memory[key][0]

    @staticmethod
    def equal(a, b):
        if isinstance(a, int) and isinstance(b, int):
            return a == b
        return wide(a) == wide(b)

    def do_quantifier(self, tree, env):
        """Bound by lo <= x < hi: value by value; else any value of WIDTH."""
        kind, names, body = tree
        # a hypothesis bounds what is said of all, a condition what exists; the
        # other way round it is a claim about every integer
        fits = body[0] == ("==>" if kind == "\\forall" else "&&")
        bounds = [self.bounds(name, body, env) if fits else None
                  for name in names]
        if any(b is None for b in bounds):
            if kind == "\\exists" or tree is not self.clause:
                raise Unsupported("an unbounded quantifier inside a clause")
            fresh = {name: z3.FreshConst(z3.BitVecSort(WIDTH), name)
                     for name in names}
            return boolean(self.evaluate(body, {**env, **fresh}))
        inner = [{}]
        for name, values in zip(names, bounds):
            inner = [{**one, name: v} for one in inner for v in values]
        values = [boolean(self.evaluate(body, {**env, **one}))
                  for one in inner]
        return and_(*values) if kind == "\\forall" else or_(*values)

    def bounds(self, name, body, env):
        """Values a variable may have: its hypotheses hold for no other."""
        low = high = None
        subtrees = [body[1]]
        while subtrees:
            tree = subtrees.pop()
            if tree[0] == "&&":
                subtrees += tree[1:]
            elif tree[0] in ("<", "<=") and ("name", name) in tree[1:]:
                other = tree[1] if tree[2] == ("name", name) else tree[2]
                try:
                    value = self.evaluate(other, env)
                except Unsupported:
                    continue
                if not isinstance(value, int):
                    # a result, for instance: no byte count is negative
                    value = 0 if tree[2] == ("name", name) else None
                if value is None:
                    continue
                if tree[2] == ("name", name):
                    low = value + (tree[0] == "<") if low is None \
                        else max(low, value)
                else:
                    high = value - (tree[0] == "<") if high is None \
                        else min(high, value)
        if low is None or high is None:
            return None
        return range(low, high + 1)


KINDS = {"number": "number", "name": "name", "cast": "cast", "u!": "unary",
         "u-": "unary", "u*": "unary", "u~": "unary", "&&": "logic",
         "||": "logic", "==>": "logic", "<==>": "logic", "?": "choice",
         "index": "index", "call": "call", "\\forall": "quantifier",
         "\\exists": "quantifier"}
