# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Execute clang's intermediate code with symbols for a function's inputs.

Branch by branch; calls and loops are followed to their end, nothing is concluded
from a contract. On the way it checks what C leaves undefined: every access
inside its object, and aligned as its type wants; a pointer to bytes may point
anywhere unless a case says how it is aligned. No shift reaches the width, no
pointer leaves its object, nothing is read that nobody wrote.

What this file does not know makes a goal fail (Unsupported), never pass: signed
arithmetic that may overflow and division, stores and loads through a pointer to
a place that is not known, choices between pointers, loops without an end.
Memory is x86-64's: the lowest byte first, pointers of 64 bits.
"""
import re

import z3

from acsl import Unsupported
from evaluator import not_
from memory import Pointer, bits, choose, pointer
from module import MASK, split

UNWIND = 100000			# instructions of one path: it ends


def known(value):
    """As an int where it is one."""
    if isinstance(value, int):
        return value
    value = z3.simplify(value)
    return value.as_long() if z3.is_bv_value(value) else value


class Machine:
    """Executes a function on all paths; collects what must hold."""

    def __init__(self, module):
        self.module = module
        self.failed = []	# what broke a rule of C
        self.may_write = set()
        self.addresses = {}	# symbols: where objects begin that may be anywhere
        self.solver = z3.SolverFor("QF_BV")

    def possible(self, state, condition):
        if isinstance(condition, bool):
            return condition
        return self.solver.check(*state.path, condition) != z3.unsat

    def must(self, state, condition, what):
        if condition is True:
            return
        condition = z3.simplify(condition) if z3.is_expr(condition) \
            else condition
        if condition is True or z3.is_true(condition):
            return
        if self.possible(state, not_(condition)):
            self.failed.append(f"{state.frames[-1][0]}: {what}")

    def value(self, state, text, kind):
        text = text.strip()
        if text.startswith("%"):
            return state.frames[-1][4][text]
        if text in ("true", "false"):
            return int(text == "true")
        if text == "null":
            return pointer("nothing")
        if text.startswith("@"):
            return self.constant(state, text)
        if text.startswith("bitcast"):
            return self.constant(state, re.search(r"@[\w.]+", text)[0])
        return int(text) & MASK[int(kind[1:])]

    def constant(self, state, name):
        if name not in state.regions:
            data = self.module.initial(name)
            state.create(name, len(data), self.module.alignments[name])
            state.regions[name] = {i: (1, b) for i, b in enumerate(data)}
        return pointer(name)

    def typed(self, state, text):
        """A type and a value."""
        text = re.sub(r"\b(noundef|zeroext|signext|nonnull) ?", "", text)
        kind, value = text.split(None, 1)
        while kind.count("[") != kind.count("]") or \
                kind.count("(") != kind.count(")"):
            more, value = value.split(None, 1)
            kind += " " + more
        return kind, self.value(state, value, kind)

    def element(self, state, operands):
        """getelementptr"""
        kind = operands[0]
        base = self.typed(state, operands[1])[1]
        offset = base[2]
        for i, operand in enumerate(operands[2:]):
            size, index = self.typed(state, operand)
            if isinstance(index, int) and index >> (int(size[1:]) - 1):
                index -= 1 << int(size[1:])
            if i == 0:
                step = self.module.size(kind)
            elif match := re.fullmatch(r"\[(\d+) x (.*)\]", kind):
                kind = match[2]
                step = self.module.size(kind)
            else:
                step = 1
                fields = self.module.fields(kind)
                kind, index = fields[index], self.module.offset(kind, index)
            if not isinstance(index, int):
                # what the product of index and size loses has left the object
                index = z3.SignExt(64 - index.size(), index)
                far = z3.SignExt(64, index) * step
                self.must(state, z3.SignExt(64, index * step) == far,
                          f"an index wraps, of {base[1]}")
            offset = known(offset + index * step if isinstance(index, int)
                           or isinstance(offset, int)
                           else bits(offset, 64) + index * step)
        size = state.sizes[base[1]]
        inside = 0 <= offset <= size if isinstance(offset, int) \
            else z3.ULE(offset, size)
        self.must(state, inside, f"pointer leaves {base[1]}")
        return pointer(base[1], offset)

    def access(self, state, where, size, align):
        """Is it inside its object? Places a load may have, if many."""
        _, region, offset = where
        limit = state.sizes[region]
        if align > 1 and region in self.addresses:
            self.must(state, self.addresses[region] + offset & align - 1 == 0,
                      f"{region}[{offset}] may not be aligned to {align}")
        if isinstance(offset, int):
            if not 0 <= offset <= limit - size:
                self.failed.append(f"{state.frames[-1][0]}: {region}[{offset}],"
                                   f" {size} bytes of {limit}")
                return False
            if region not in self.addresses and \
                    (offset % align or state.alignments[region] % align):
                self.failed.append(f"{state.frames[-1][0]}: {region}[{offset}] "
                                   f"is not aligned to {align}")
        return True

    def select(self, state, region, offset, size):
        """Load from a table by a symbol."""
        limit = state.sizes[region]
        self.must(state, limit >= size and z3.ULE(offset, limit - size),
                  f"outside {region}")
        self.must(state, offset & (size - 1) == 0, f"between {region}'s entries")
        self.must(state, state.alignments[region] % size == 0,
                  f"{region} may not be aligned")
        return choose(state, region, offset, size)

    def run(self, name, state, arguments):
        """Yields (state, result) for every path."""
        self.enter(state, name, arguments, None)
        pending = [state]
        while pending:
            state = pending.pop()
            result = self.follow(state, pending)
            if result is not None:
                yield result

    def enter(self, state, name, arguments, result):
        if name not in self.module.functions:
            raise Unsupported(f"function {name}")
        values = {f"%{i}": a for i, a in enumerate(arguments)}
        state.frames.append([name, "", "", 0, values, result])

    def follow(self, state, pending):
        """One path to its end; other ways go to pending."""
        while True:
            frame = state.frames[-1]
            line = self.module.functions[frame[0]][1][frame[1]][frame[3]]
            frame[3] += 1
            state.steps += 1
            if state.steps > UNWIND:
                raise Unsupported(f"{frame[0]} does not end")
            if line.startswith("ret"):
                result = self.typed(state, line[4:])[1] \
                    if line != "ret void" else 0
                state.frames.pop()
                if not state.frames:
                    return state, result
                if frame[5]:
                    state.frames[-1][4][frame[5]] = result
            elif line.startswith("br label"):
                self.go(state, line[10:])
            elif line.startswith("br"):
                self.branch(state, line, pending)
            elif line.startswith("store"):
                self.put(state, line)
            elif "@llvm.ubsantrap(" in line:
                self.failed.append(f"{frame[0]}: a shift that C leaves undefined")
                return None
            elif re.match(r"(%\S+ = )?call", line):
                self.call(state, line)
            elif " = " in line:
                name, text = line.split(" = ", 1)
                operation, rest = text.split(None, 1)
                if operation == "load":
                    if not self.get(state, name, rest, pending):
                        return None
                else:
                    frame[4][name] = getattr(
                        self, "op_" + operation, self.arithmetic)(
                            state, operation, rest)
            else:
                raise Unsupported(line)

    @staticmethod
    def go(state, label):
        frame = state.frames[-1]
        frame[1:4] = label, frame[1], 0

    def branch(self, state, line, pending):
        condition, yes, no = re.match(
            r"br i1 (\S+), label %(\S+), label %(\S+)", line).groups()
        condition = known(self.value(state, condition, "i1"))
        if isinstance(condition, int):
            self.go(state, yes if condition else no)
            return
        condition = z3.simplify(condition == 1)
        if self.joined(state, condition, yes, no):
            return
        can = [self.possible(state, condition),
               self.possible(state, not_(condition))]
        if all(can):
            other = state.copy()
            other.path.append(not_(condition))
            self.go(other, no)
            pending.append(other)
            state.path.append(condition)
        self.go(state, yes if can[0] else no)

    PURE = re.compile(r"%\S+ = (load|getelementptr|bitcast|zext|sext|trunc|icmp|"
                      r"add|sub|and|or|xor|lshr|shl) ")

    def joined(self, state, condition, yes, no):
        """a ? b : c without effects: both, and a choice."""
        frame = state.frames[-1]
        blocks = self.module.functions[frame[0]][1]

        def end(label):
            lines = blocks[label]
            if all(map(self.PURE.match, lines[:-1])) \
                    and lines[-1].startswith("br label"):
                return lines[-1][10:]
            return None
        ways = {label: end(label) for label in (yes, no)}
        join = ways[no] if ways[yes] == no or ways[no] == ways[yes] else None
        if ways[yes] == no:
            join = no
        elif ways[no] == yes:
            join = yes
        elif not join:
            return False
        if not blocks[join] or " = phi " not in blocks[join][0]:
            return False
        came, results = frame[1], {}
        for label, assumed in ((yes, condition), (no, not_(condition))):
            state.path.append(assumed)
            self.go(state, label)
            if label == join:
                frame[2] = came
            else:
                for line in blocks[label][:-1]:
                    name, text = line.split(" = ", 1)
                    operation, rest = text.split(None, 1)
                    if operation == "load":
                        pending = []
                        self.get(state, name, rest, pending)
                        if pending:
                            raise Unsupported("a choice between loads")
                    else:
                        frame[4][name] = getattr(
                            self, "op_" + operation, self.arithmetic)(
                                state, operation, rest)
                self.go(state, join)
            results[label] = [(line.split(" = ")[0], *self.phi(state, line))
                              for line in blocks[join] if " = phi " in line]
            state.path.pop()
        for (name, kind, a), (_, _, b) in zip(results[yes], results[no]):
            if kind.endswith("*"):
                raise Unsupported("a choice of pointers")
            size = int(kind[1:])
            frame[4][name] = a if isinstance(a, int) and isinstance(b, int) \
                and a == b else z3.If(condition, bits(a, size), bits(b, size))
        self.go(state, join)
        frame[3] = len(results[yes])
        return True

    def phi(self, state, line):
        kind, rest = line.split(" = phi ")[1].split(None, 1)
        frame = state.frames[-1]
        for value, label in re.findall(r"\[ (\S+), %(\S+) \]", rest):
            if label == frame[2] or (frame[2] == "" and
                                     label not in self.module.functions[
                                         frame[0]][1]):
                return kind, self.value(state, value, kind)
        raise Unsupported(line)

    def op_phi(self, state, operation, rest):
        return self.phi(state, f"x = phi {rest}")[1]

    def put(self, state, line):
        value, where = split(re.sub(r", align \d+$", "", line[6:]))
        align = int(re.search(r"align (\d+)$", line)[1])
        kind, value = self.typed(state, value)
        where = self.typed(state, where)[1]
        size = self.module.size(kind)
        if not isinstance(where[2], int):
            raise Unsupported("a store by a symbol")
        if where[1].startswith("$") and where[1] not in self.may_write:
            self.failed.append(f"{state.frames[-1][0]}: writes {where[1]}")
        if self.access(state, where, size, align):
            state.store(where[1], where[2], size, value)

    def get(self, state, name, rest, pending):
        align = int(re.search(r"align (\d+)$", rest)[1])
        kind, where = split(re.sub(r", align \d+$", "", rest))
        where = self.typed(state, where)[1]
        size = self.module.size(kind)
        frame = state.frames[-1]
        offset = where[2]
        if not isinstance(offset, int) and where[1].startswith("@"):
            frame[4][name] = self.select(state, where[1], offset, size)
            return True
        if not isinstance(offset, int):
            raise Unsupported("a load by a symbol")
        if not self.access(state, where, size, align):
            return False
        frame[4][name] = state.load(where[1], offset, size)
        return True

    def call(self, state, line):
        match = re.match(r"(?:(%\S+) = )?call (.*?)(@[\w.]+)\((.*)\)", line)
        if not match:
            raise Unsupported(line)
        result, _, name, operands = match.groups()
        values = [self.typed(state, operand)[1] for operand in split(operands)]
        self.enter(state, name[1:], values, result)

    def op_alloca(self, state, operation, rest):
        kind, align = rest.split(", align ")
        name = f"local {len(state.regions)} {state.frames[-1][0]}"
        return state.create(name, self.module.size(kind), int(align))

    def op_getelementptr(self, state, operation, rest):
        return self.element(state, split(rest.replace("inbounds ", "", 1)))

    def op_bitcast(self, state, operation, rest):
        return self.typed(state, rest.rsplit(" to ", 1)[0])[1]

    def op_ptrtoint(self, state, operation, rest):
        where = self.typed(state, rest.rsplit(" to ", 1)[0])[1]
        if where[1] not in self.addresses:
            raise Unsupported("the address of a variable or a table")
        return known(self.addresses[where[1]] + where[2])

    def op_zext(self, state, operation, rest):
        value, kind = rest.rsplit(" to ", 1)
        have, value = self.typed(state, value)
        if isinstance(value, int):
            return value
        return z3.ZeroExt(int(kind[1:]) - int(have[1:]), value)

    def op_sext(self, state, operation, rest):
        value, kind = rest.rsplit(" to ", 1)
        have, value = self.typed(state, value)
        have, want = int(have[1:]), int(kind[1:])
        if isinstance(value, int):
            return (value | -(value >> (have - 1)) << have) & MASK[want]
        return z3.SignExt(want - have, value)

    def op_trunc(self, state, operation, rest):
        value, kind = rest.rsplit(" to ", 1)
        value, size = self.typed(state, value)[1], int(kind[1:])
        if isinstance(value, int):
            return value & MASK[size]
        return z3.Extract(size - 1, 0, value)

    def op_icmp(self, state, operation, rest):
        sign, rest = rest.split(None, 1)
        left, right = split(rest)
        kind, a = self.typed(state, left)
        b = self.value(state, right, kind)
        if isinstance(a, Pointer):
            # only with NULL, which points to nothing
            if sign not in ("eq", "ne") or "nothing" not in (a[1], b[1]):
                raise Unsupported("an order of pointers")
            return int((a[1] == b[1]) == (sign == "eq"))
        size = int(kind[1:])
        compare = {"eq": lambda x, y: x == y, "ne": lambda x, y: x != y,
                   "ult": z3.ULT, "ule": z3.ULE, "ugt": z3.UGT, "uge": z3.UGE,
                   "slt": lambda x, y: x < y, "sle": lambda x, y: x <= y,
                   "sgt": lambda x, y: x > y, "sge": lambda x, y: x >= y}[sign]
        result = z3.simplify(compare(bits(a, size), bits(b, size)))
        if z3.is_true(result) or z3.is_false(result):
            return int(z3.is_true(result))
        return z3.If(result, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1))

    def arithmetic(self, state, operation, rest):
        if re.match(r"(nsw|nuw|exact) ", rest):
            raise Unsupported("arithmetic that may overflow")
        left, right = split(rest)
        kind, a = self.typed(state, left)
        b = self.value(state, right, kind)
        size = int(kind[1:])
        x, y = bits(a, size), bits(b, size)
        if operation in ("shl", "lshr", "ashr"):
            self.must(state, b < size if isinstance(b, int)
                      else z3.ULT(b, size), f"shift by {size} or more")
        operations = {
            "add": lambda: x + y, "sub": lambda: x - y, "mul": lambda: product(x, y, size),
            "and": lambda: x & y, "or": lambda: x | y, "xor": lambda: x ^ y,
            "shl": lambda: x << y, "lshr": lambda: z3.LShR(x, y),
            "ashr": lambda: x >> y}
        if operation not in operations:
            raise Unsupported(operation)
        result = operations[operation]()
        return known(result) if isinstance(a, int) and isinstance(b, int) \
            else result


def product(x, y, size):
    """By a constant of few ones: z3 knows sums of shifted words better."""
    if z3.is_bv_value(y) and bin(y.as_long()).count("1") <= 8:
        return sum(x << place for place in range(size)
                   if y.as_long() >> place & 1)
    return x * y
