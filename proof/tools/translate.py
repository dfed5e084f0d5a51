# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Say contracts of ACSL in C, for a prover of C.

Integers of ACSL are unbounded; here they have 128 bits, and CBMC proves that none
overflows. A predicate or logic function is a C function of that; what it
says of memory at several labels takes one pointer for each. A quantifier is a
loop over the values that its hypotheses leave, and one that opens a clause may
have any value instead. What has no such meaning is Unsupported: no proof.
"""
from acsl import Parser, Unsupported

# UTF8-octets by the automaton that the lemma run_utf8, which WP proves, says is the
# same: run() with its steps in the order of the bytes
UTF8 = """
static Z L_utf8(const uint8_t *s, Z a, Z b)
{
	Z state = UTF8VAL_ACCEPT;

	__CPROVER_assert(0 <= a && b <= %(most)d, "as many bytes as utf8() takes here");
	for (int i = 0; i < %(most)d; i++)
		if (a <= i && i < b)
			state = L_delta(state, s[i]);
	return a <= b && state == UTF8VAL_ACCEPT;
}
"""
MOST = 8	# bytes that contracts about bits call well-formed or not
SAME = {"&&", "||", "|", "^", "&", "==", "!=", "<", "<=", ">", ">=", "<<", ">>",
        "+", "-", "*", "/", "%"}


def is_pointer(kind):
    return kind.endswith("*")


class Translator:
    """Collects the C functions that the expressions need."""

    def __init__(self, contracts):
        self.contracts = contracts
        self.functions = {}

    def clause(self, text, names):
        """A clause of a contract; what it may choose, and the condition.

        names: what stands for a parameter or \\result; of a pointer one for each
        label.
        """
        tree = Parser(text).whole()
        chosen = {}
        while tree[0] == "\\forall" and self.range(*tree) is None:
            chosen |= {name: f"any_{name}" for name in tree[1]}
            tree = tree[2]
        return list(chosen.values()), self.text(tree, {**names, **chosen}, "Here")

    def text(self, tree, names, label):
        kind = tree[0]
        if kind == "number":
            return f"(Z){tree[1]}u" if tree[1] < 1 << 64 else self.no(tree)
        if kind == "name":
            return self.name(tree[1], names, label)
        if kind == "cast":
            inner = self.text(tree[2], names, label)
            return inner if tree[1] in ("pointer", "integer") \
                else f"(Z)({tree[1]})({inner})"
        if kind in ("u!", "u-", "u~"):
            return f"(Z){kind[1]}({self.text(tree[1], names, label)})"
        if kind == "index":
            base, place = (self.text(t, names, label) for t in tree[1:])
            return f"(Z)({base})[(ptrdiff_t)({place})]"
        if kind == "?":
            a, b, c = (self.text(t, names, label) for t in tree[1:])
            return f"(({a}) ? ({b}) : ({c}))"
        if kind == "call":
            return self.call(tree, names, label)
        if kind in ("\\forall", "\\exists"):
            return self.quantifier(tree, names, label)
        if kind not in SAME | {"==>", "<==>"}:
            self.no(tree)
        a, b = (self.text(t, names, label) for t in tree[1:])
        if kind == "==>":
            return f"(!({a}) || ({b}))"
        if kind == "<==>":
            return f"(!({a}) == !({b}))"
        return f"(({a}) {kind} ({b}))"

    @staticmethod
    def no(what):
        raise Unsupported(f"no C for {what}")

    def name(self, name, names, label):
        if name in ("\\1", "\\0", "\\true", "\\false"):
            return "1" if name in ("\\1", "\\true") else "0"
        if name not in names:
            if name in self.contracts.enumerators:
                return f"(Z){name}"
            if name.startswith("\\"):
                self.no(name)
            return name		# a table
        if isinstance(names[name], dict):
            if label not in names[name]:
                self.no(f"{name} at {label}")
            return names[name][label]
        return names[name]

    def call(self, tree, names, label):
        name, operands = tree[1], tree[2]
        if name == "\\old":
            return self.text(operands[0], names, "Old")
        if name == "\\at":
            return self.text(operands[0], names, operands[1][1])
        if name == "aligned":
            # The definition asks for some place: any place will do, this one too.
            sign, base, step = operands[0] if operands[0][0] == "+" \
                else ("+", operands[0], ("number", 0))
            return f"(((Z)(uintptr_t){self.text(base, names, label)} {sign} " \
                   f"{self.text(step, names, label)}) % 4 == 0)"
        kinds, formal = self.function(name)
        labels = tree[3] or [label] * len(formal)
        values = []
        for kind, operand in zip(kinds, operands):
            values += [self.text(operand, names, each) for each in labels] \
                if is_pointer(kind) else [self.text(operand, names, label)]
        return f"L_{name}({', '.join(values)})"

    def function(self, name):
        """Write a definition once; returns the types of its parameters, and its
        labels."""
        if name == "utf8":
            self.function("delta")
            self.functions.setdefault(name, UTF8 % {"most": MOST})
            return ["uint8_t *", "integer", "integer"], ["L"]
        if name not in self.contracts.logic:
            self.no(name)
        parameters, body, formal = self.contracts.definition(name)
        if name not in self.functions:
            self.functions[name] = ""
            head, names = self.head(name)
            text = self.text(body, names, formal[0])
            # A function that this one calls stands before it, also the function itself.
            del self.functions[name]
            self.functions[name] = f"{head};\n{head}\n{{\n\treturn {text};\n}}\n"
        return [kind for kind, _ in parameters], formal

    def head(self, name):
        """How the C function of a definition begins, and what its parameters are called
        there: a pointer for each label."""
        parameters, _, formal = self.contracts.definition(name)
        names, places = {}, []
        for kind, each in parameters:
            if is_pointer(kind):
                names[each] = {label: f"{each}_{label}" for label in formal}
                places += [f"const uint8_t *{n}" for n in names[each].values()]
            else:
                names[each] = each
                places.append(f"Z {each}")
        return f"static Z L_{name}({', '.join(places)})", names

    def quantifier(self, tree, names, label):
        kind, variables, body = tree
        limits = self.range(kind, variables, body)
        if limits is None:
            self.no(f"{kind} of {', '.join(variables)}, which nothing bounds")
        names = {**names, **{name: name for name in variables}}
        all_of = kind == "\\forall"
        loops = "".join(
            f"for (Z {name} = {self.text(low, names, label)}; "
            f"{name} < {self.text(high, names, label)} + 1; {name}++) "
            for name, (low, high) in limits.items())
        text = self.text(body, names, label)
        return f"({{ _Bool held = {int(all_of)}; {loops}if ({'!' * all_of}({text})) " \
               f"held = {int(not all_of)}; (Z)held; }})"

    @staticmethod
    def range(kind, variables, body):
        """The values between which a quantifier is decided, of each variable:
        what hypotheses say, of \\exists conditions. None where they do not."""
        limits, trees = {}, []
        if kind == "\\exists":
            trees.append(body)
        else:
            while body[0] == "==>":
                trees.append(body[1])
                body = body[2]
        while trees:
            sign, *parts = trees.pop(0)
            if sign == "&&":
                trees += parts
            elif sign in ("<", "<="):
                less = sign == "<"
                for at, (side, step) in enumerate((("high", "-"), ("low", "+"))):
                    name, other = parts[at][1], parts[1 - at]
                    if parts[at][0] == "name" and name in variables:
                        limits.setdefault(name, {}).setdefault(
                            side, (step, other, ("number", 1)) if less else other)
        if all(len(limits.get(name, {})) == 2 for name in variables):
            return {name: (limits[name]["low"], limits[name]["high"])
                    for name in variables}
        return None
