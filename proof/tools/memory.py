# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""A path through a program: its objects, byte by byte, and what it assumed."""
import z3

from acsl import Unsupported


class Pointer(tuple):
    """("at", region, offset)"""


def pointer(region, offset=0):
    return Pointer(("at", region, offset))


def bits(value, size):
    return z3.BitVecVal(value, size) if isinstance(value, int) else value


class State:
    """One path through the program."""

    def __init__(self):
        self.regions = {}	# name: {offset: (size, value)}
        self.sizes = {}		# name: bytes
        self.alignments = {}	# name: what its address is a multiple of
        self.frames = []	# [function, block, previous, at, values, result]
        self.path = []		# what its branches assumed
        self.steps = 0

    def copy(self):
        new = State()
        new.regions = {k: dict(v) for k, v in self.regions.items()}
        new.sizes, new.alignments = dict(self.sizes), dict(self.alignments)
        new.frames = [[*f[:4], dict(f[4]), f[5]] for f in self.frames]
        new.path, new.steps = list(self.path), self.steps
        return new

    def create(self, name, size, align=1):
        self.regions[name], self.sizes[name] = {}, size
        self.alignments[name] = align
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
                    raise Unsupported("a pointer's bytes")
                return value if size == 1 else \
                    z3.Extract(8 * at + 7, 8 * at, value)
        raise Unsupported(f"reads {region}[{offset}], which nobody wrote")

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
