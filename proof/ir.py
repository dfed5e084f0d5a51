# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Prove contracts of functions about bits: the compiler's code, all inputs.

WP reasons about integers and cannot see into words of eight bytes. So clang
translates the core as it ships, unoptimised and unaltered, to its intermediate
language (Module); this file executes a function of it with symbols for inputs,
branch by branch (State, Machine), and asks z3 whether some input breaks a clause
of the contract that proof/acsl.py reads from the same headers as WP (Prover). No
answer but "no" proves it: neither "unknown" nor a time that ran out.

On the way it checks what C leaves undefined: every access inside its object, and
aligned as its type wants; a pointer to bytes may point anywhere unless a case
says how it is aligned. No shift reaches the width, no pointer leaves its object,
nothing is read that nobody wrote. Lengths are taken value by value, and loops
are followed to their end: what is proved this way is proved for these lengths,
all contents. Calls are followed too; nothing is concluded from a contract.

What this file does not know makes a goal fail (acsl.Unsupported), never pass:
signed arithmetic that may overflow and division, stores and loads through a
pointer to a place that is not known, choices between pointers, loops without an
end. Trusted are clang's translation at -O0, this reading of it and of the
contracts, and z3. Pointers of two parameters are in different objects, which
the contract must want by \\separated. Memory is x86-64's: the lowest byte
first, pointers of 64 bits.
"""
import itertools
import re
import subprocess
import sys

import z3

import acsl
from acsl import not_

MASK = {size: (1 << size) - 1 for size in (1, 8, 16, 32, 64)}
UNWIND = 100000			# instructions of one path: it ends


class Pointer(tuple):
    """("at", region, offset)"""


def pointer(region, offset=0):
    return Pointer(("at", region, offset))


def bits(value, size):
    return z3.BitVecVal(value, size) if isinstance(value, int) else value


def known(value):
    """As an int where it is one."""
    if isinstance(value, int):
        return value
    value = z3.simplify(value)
    return value.as_long() if z3.is_bv_value(value) else value


class Module:
    """What clang made of a source: functions, types, constants."""

    def __init__(self, source, work):
        path = work / "module.ll"
        subprocess.run(["clang", "-std=gnu11", "-O0", "-Xclang",
                        "-disable-llvm-passes", "-ffreestanding", "-S",
                        "-emit-llvm", "-o", path, source],
                       check=True, capture_output=True)
        self.functions, self.types, self.constants = {}, {}, {}
        body = None
        for line in path.read_text().splitlines():
            line = re.sub(r"(, !\S+ !\d+| #\d+|;.*)$", "", line.split(", !llvm")[0])
            line = line.strip()
            if match := re.match(r"(%\S+) = type \{(.*)\}", line):
                self.types[match[1]] = split(match[2])
            elif match := re.match(r"(%\S+) = type <\{(.*)\}>", line):
                self.types[match[1]] = split(match[2])
            elif match := re.match(r"(@\S+) = .*?constant (.*?)"
                                   r"(, align \d+)?$", line):
                self.constants[match[1]] = match[2]
            elif match := re.match(r"define .*?(@[\w.]+)\((.*)\)", line):
                kinds = [word.split()[0] for word in split(match[2])]
                body = {"": []}
                self.functions[match[1][1:]] = (kinds, body)
                block = ""
            elif match := re.match(r"(\d+|[\w.]+):$", line):
                block = match[1]
                body[block] = []
            elif line == "}":
                body = None
            elif body is not None and line:
                body[block].append(line)

    def size(self, kind):
        """Bytes of a type."""
        if kind.endswith("*"):
            return 8
        if match := re.fullmatch(r"i(\d+)", kind):
            return max(1, int(match[1]) // 8)
        if match := re.fullmatch(r"\[(\d+) x (.*)\]", kind):
            return int(match[1]) * self.size(match[2])
        fields = self.fields(kind)
        end = self.offset(kind, len(fields))
        align = max(map(self.align, fields))
        return -(-end // align) * align

    def fields(self, kind):
        if kind.startswith("<{"):
            return split(kind[2:-2])
        return self.types[kind] if kind in self.types else split(kind[1:-1])

    def align(self, kind):
        if match := re.fullmatch(r"\[(\d+) x (.*)\]", kind):
            return self.align(match[2])
        if kind.endswith("*") or kind.startswith("i"):
            return self.size(kind)
        return max(map(self.align, self.fields(kind)))

    def offset(self, kind, index):
        """Where a structure's member begins."""
        at = 0
        fields = self.fields(kind)
        for i, field in enumerate(fields):
            if not kind.startswith("<{"):
                at = -(-at // self.align(field)) * self.align(field)
            if i == index:
                return at
            at += self.size(field)
        return at

    def initial(self, name):
        """A constant's bytes."""
        out = []

        def put(text):
            text = text.strip()
            if match := re.match(r"i(\d+) (-?\w+)$", text):
                value = {"true": 1, "false": 0}.get(match[2])
                value = int(match[2]) if value is None else value
                size = max(1, int(match[1]) // 8)
                out.extend((value & MASK[8 * size]).to_bytes(size, "little"))
            elif text.endswith("zeroinitializer"):
                out.extend(bytes(self.size(text.rsplit(None, 1)[0])))
            elif match := re.match(r"(%\S+|<\{.*?\}>|\[\d+ x [^\]]*\]|\{.*?\}) "
                                   r"([\[{<].*)$", text):
                kind, inner = match.groups()
                inner = re.sub(r"^<?[\[{](.*?)[\]}]>?$", r"\1", inner)
                begin = len(out)
                array = kind.startswith("[")
                for i, item in enumerate(split(inner)):
                    if not array:
                        at = self.offset(kind, i)
                        out.extend(bytes(begin + at - len(out)))
                    put(item)
                out.extend(bytes(begin + self.size(kind) - len(out)))
            else:
                raise acsl.Unsupported(f"constant {text[:40]}")
        put(self.constants[name])
        return out


def split(text):
    """At commas that are inside nothing."""
    parts, depth, begin = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "([{<") - (char in ")]}>")
        if char == "," and not depth:
            parts.append(text[begin:at].strip())
            begin = at + 1
    parts.append(text[begin:].strip())
    return [part for part in parts if part]


class State:
    """One path through the program."""

    def __init__(self):
        self.regions = {}	# name: {offset: (size, value)}
        self.sizes = {}		# name: bytes
        self.bases = {}		# name: address
        self.frames = []	# [function, block, previous, at, values, result]
        self.path = []		# what its branches assumed
        self.steps = 0

    def copy(self):
        new = State()
        new.regions = {k: dict(v) for k, v in self.regions.items()}
        new.sizes, new.bases = dict(self.sizes), dict(self.bases)
        new.frames = [[*f[:4], dict(f[4]), f[5]] for f in self.frames]
        new.path, new.steps = list(self.path), self.steps
        return new

    def create(self, name, size, base=None):
        self.regions[name], self.sizes[name] = {}, size
        self.bases[name] = base or 0x100000 * (len(self.bases) + 1)
        return pointer(name)

    def byte(self, region, offset):
        cells = self.regions[region]
        for begin in range(offset, offset - 8, -1):
            if begin in cells and begin + cells[begin][0] > offset:
                size, value = cells[begin]
                at = offset - begin
                if isinstance(value, int):
                    return value >> 8 * at & 0xFF
                if isinstance(value, Pointer):
                    raise acsl.Unsupported("a pointer's bytes")
                return value if size == 1 else \
                    z3.Extract(8 * at + 7, 8 * at, value)
        raise acsl.Unsupported(f"reads {region}[{offset}], which nobody wrote")

    def load(self, region, offset, size):
        cell = self.regions[region].get(offset)
        if cell and cell[0] == size:
            return cell[1]
        parts = [self.byte(region, offset + i) for i in range(size)]
        if all(isinstance(part, int) for part in parts):
            return int.from_bytes(bytes(parts), "little")
        return z3.simplify(z3.Concat(*(bits(p, 8) for p in reversed(parts))))

    def store(self, region, offset, size, value):
        cells = self.regions[region]
        for begin in range(offset - 7, offset + size):
            if begin in cells and begin + cells[begin][0] > offset \
                    and (begin, cells[begin][0]) != (offset, size):
                for at in range(begin, begin + cells[begin][0]):
                    piece = self.byte(region, at)
                    cells[at] = (1, piece) if at != begin else cells[at]
                    if at == begin:
                        first = piece
                cells[begin] = (1, first)
        for at in range(offset, offset + size):
            cells.pop(at, None)
        cells[offset] = (size, value)


def choose(state, region, offset, size):
    """An entry of a table: a tree of choices by the offset's bits."""
    low = size.bit_length() - 1

    def tree(bit, at):
        if at > state.sizes[region] - size:
            return 0
        if bit < low:
            return state.load(region, at, size)
        no, yes = tree(bit - 1, at), tree(bit - 1, at | 1 << bit)
        if isinstance(no, int) and isinstance(yes, int) and no == yes:
            return no
        return z3.If(z3.Extract(bit, bit, offset) == 1, bits(yes, 8 * size),
                     bits(no, 8 * size))
    return tree((state.sizes[region] - 1).bit_length() - 1, 0)


class Machine:
    """Executes a function on all paths; collects what must hold."""

    def __init__(self, module):
        self.module = module
        self.failed = []	# what broke a rule of C
        self.may_write = set()
        self.anywhere = set()	# objects that may begin at any address
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
            state.create(name, len(data))
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
            offset = known(offset + index * step if isinstance(offset, int)
                           else offset + bits(index, 64) * step)
        size = state.sizes[base[1]]
        inside = 0 <= offset <= size if isinstance(offset, int) \
            else z3.ULE(offset, size)
        self.must(state, inside, f"pointer leaves {base[1]}")
        return pointer(base[1], offset)

    def access(self, state, where, size, align):
        """Is it inside its object? Places a load may have, if many."""
        _, region, offset = where
        limit = state.sizes[region]
        if align > 1 and region in self.anywhere:
            self.failed.append(f"{state.frames[-1][0]}: wants {region} aligned")
        if isinstance(offset, int):
            if not 0 <= offset <= limit - size:
                self.failed.append(f"{state.frames[-1][0]}: {region}[{offset}],"
                                   f" {size} bytes of {limit}")
                return False
            if (state.bases[region] + offset) % align:
                self.failed.append(f"{state.frames[-1][0]}: {region}[{offset}] "
                                   f"is not aligned to {align}")
        return True

    def select(self, state, region, offset, size):
        """Load from a table by a symbol."""
        limit = state.sizes[region]
        self.must(state, z3.ULE(offset, limit - size), f"outside {region}")
        self.must(state, offset & (size - 1) == 0, f"between {region}'s entries")
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
            raise acsl.Unsupported(f"function {name}")
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
                raise acsl.Unsupported(f"{frame[0]} does not end")
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
                raise acsl.Unsupported(line)

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
                            raise acsl.Unsupported("a choice between loads")
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
                raise acsl.Unsupported("a choice of pointers")
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
        raise acsl.Unsupported(line)

    def op_phi(self, state, operation, rest):
        return self.phi(state, f"x = phi {rest}")[1]

    def put(self, state, line):
        value, where = split(re.sub(r", align \d+$", "", line[6:]))
        align = int(re.search(r"align (\d+)$", line)[1])
        kind, value = self.typed(state, value)
        where = self.typed(state, where)[1]
        size = self.module.size(kind)
        if not isinstance(where[2], int):
            raise acsl.Unsupported("a store by a symbol")
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
            raise acsl.Unsupported("a load by a symbol")
        if not self.access(state, where, size, align):
            return False
        frame[4][name] = state.load(where[1], offset, size)
        return True

    def call(self, state, line):
        match = re.match(r"(?:(%\S+) = )?call (.*?)(@[\w.]+)\((.*)\)", line)
        if not match:
            raise acsl.Unsupported(line)
        result, _, name, operands = match.groups()
        values = [self.typed(state, operand)[1] for operand in split(operands)]
        self.enter(state, name[1:], values, result)

    def op_alloca(self, state, operation, rest):
        kind = rest.split(", align")[0]
        name = f"local {len(state.regions)} {state.frames[-1][0]}"
        return state.create(name, self.module.size(kind))

    def op_getelementptr(self, state, operation, rest):
        return self.element(state, split(rest.replace("inbounds ", "", 1)))

    def op_bitcast(self, state, operation, rest):
        return self.typed(state, rest.rsplit(" to ", 1)[0])[1]

    def op_ptrtoint(self, state, operation, rest):
        where = self.typed(state, rest.rsplit(" to ", 1)[0])[1]
        return known(where[2] + state.bases[where[1]])

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
                raise acsl.Unsupported("an order of pointers")
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
            raise acsl.Unsupported("arithmetic that may overflow")
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
            raise acsl.Unsupported(operation)
        result = operations[operation]()
        return known(result) if isinstance(a, int) and isinstance(b, int) \
            else result


def product(x, y, size):
    """By a constant of few ones: z3 knows sums of shifted words better."""
    if z3.is_bv_value(y) and bin(y.as_long()).count("1") <= 8:
        return sum(x << place for place in range(size)
                   if y.as_long() >> place & 1)
    return x * y


def cases(options):
    """Every value of the lengths: "len=0..7" gives eight cases."""
    names, ranges = [], []
    for option in options:
        if match := re.fullmatch(r"(\w+)=(\d+)\.\.(\d+)", option):
            names.append(match[1])
            ranges.append(range(int(match[2]), int(match[3]) + 1))
    return [dict(zip(names, values)) for values in itertools.product(*ranges)]


def outside(options):
    """The lengths next to those of cases(), none of which a contract allows."""
    for option in options:
        if match := re.fullmatch(r"(\w+)=(\d+)\.\.(\d+)", option):
            name, low, high = match[1], int(match[2]), int(match[3])
            if name == "align":
                continue
            if low:
                yield {name: low - 1}
            yield {name: high + 1}


class Prover:
    def __init__(self, source, work, timeout):
        self.contracts = acsl.Contracts(source, work)
        self.module = Module(source, work)
        self.timeout = timeout

    def prove(self, name, case):
        """Goals of one function with lengths as case says: {goal: proved}."""
        label = "".join(f"_{k}_{v}" for k, v in case.items())
        try:
            return self.goals(name, case, label)
        except acsl.Unsupported as error:
            print(f"{name}{label}: {error}", file=sys.stderr)
            return {f"{name}_complete{label}": False}

    def goals(self, name, case, label):
        if name not in self.contracts.functions:
            raise acsl.Unsupported("no contract")
        contract = self.contracts.functions[name]
        if self.contracts.results[name].startswith("int"):
            raise acsl.Unsupported("a signed result")
        kinds = self.module.functions[name][0]
        names = self.contracts.parameters[name]
        state, machine = State(), Machine(self.module)
        machine.solver.set("timeout", 1000 * self.timeout)
        env, arguments = {}, []
        for parameter, kind in zip(names, kinds):
            if kind.endswith("*"):
                continue
            value = case.get(parameter)
            if value is None:
                value = z3.BitVec(parameter, int(kind[1:]))
            env[parameter] = value
        state.create("nothing", 0)
        for parameter, kind in zip(names, kinds):
            if kind.endswith("*"):
                size = self.extent(contract, parameter, env)
                where = state.create(
                    "$" + parameter, size,
                    0x100000 * (len(state.bases) + 1) + case.get("align", 0))
                state.regions["$" + parameter] = {
                    i: (1, z3.BitVec(f"{parameter}[{i}]", 8))
                    for i in range(size)}
                if "align" not in case:
                    machine.anywhere.add("$" + parameter)
                env[parameter] = where
        if sum(kind.endswith("*") for kind in kinds) > 1 \
                and not any("\\separated" in r for r in contract["requires"]):
            raise acsl.Unsupported("pointers that may overlap")
        arguments = [env[parameter] for parameter in names]
        before = state.copy()
        written = " ".join(contract["assigns"])
        machine.may_write = {"$" + p for p in names
                             if re.search(rf"\b{p}\b", written)}

        def evaluator(at, extra, old=None):
            def read(where):
                kind, region, offset = where
                if kind == "global":
                    machine.constant(at, f"@{region}")
                    # the only tables that contracts name have 32-bit entries
                    return choose(at, f"@{region}", acsl.wide(offset * 4), 4)
                if not isinstance(offset, int):
                    raise acsl.Unsupported("a byte at a symbol")
                if not 0 <= offset < at.sizes[region]:
                    # any value: a contract says nothing about it
                    return z3.FreshConst(z3.BitVecSort(8), "outside")
                return at.byte(region, offset)

            def address(where):
                _, region, offset = where
                if region in machine.anywhere or not isinstance(offset, int):
                    raise acsl.Unsupported("an address that is not known")
                return at.bases[region] + offset
            return acsl.Evaluator(self.contracts, {**env, **extra}, read,
                                  lambda p: at.sizes[p[1]], old, address)
        start = evaluator(before, {})
        for text in contract["requires"]:
            if "\\valid" in text or "\\separated" in text:
                continue
            condition = start.truth(text)
            if condition is False:
                return {}
            if condition is not True:
                state.path.append(condition)
        goals = {f"{name}_ensures_{i}{label}": True
                 for i in range(1, len(contract["ensures"]) + 1)}
        for after, result in machine.run(name, state, arguments):
            if not isinstance(result, (int, Pointer)):
                result = acsl.wide(result)
            end = evaluator(after, {"\\result": result}, start)
            for i, text in enumerate(contract["ensures"], 1):
                goal = end.truth(text)
                if goal is not True and machine.possible(after, not_(goal)):
                    goals[f"{name}_ensures_{i}{label}"] = False
        goals[f"{name}_complete{label}"] = not machine.failed
        for text in dict.fromkeys(machine.failed):
            print(f"{name}{label}: {text}", file=sys.stderr)
        return goals

    def extent(self, contract, parameter, env):
        """Bytes that may be read at a pointer."""
        for text in contract["requires"]:
            match = re.search(
                rf"\\valid(?:_read)?\(\s*(?:\(uint8_t \*\))?{parameter}\s*\+\s*"
                rf"\(0\s*\.\.\s*(.*?)\)\)", text)
            if match:
                evaluator = acsl.Evaluator(self.contracts, env, None, None)
                last = evaluator.evaluate(acsl.Parser(match[1]).whole(), env)
                if not isinstance(last, int):
                    raise acsl.Unsupported(f"the size of {parameter}")
                return last + 1
        return 0
