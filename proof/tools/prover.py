# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Prove contracts of functions about bits: the compiler's code, all inputs.

WP reasons about integers and cannot see into words of eight bytes. So clang
translates the core as it ships, unoptimised and unaltered, to its intermediate
language (module.py), a function of it is executed with symbols for inputs (ir.py
on memory.py), and z3 is asked whether some input breaks a clause of the contract
that acsl.py reads from the same headers as WP, and evaluator.py evaluates. No
answer but "no" proves it: neither "unknown" nor a time that ran out.

Lengths are taken value by value: what is proved is proved for these lengths, all
contents. Pointers of two parameters are in different objects, which the contract
must want by \\separated. Trusted are clang's translation at -O0, the reading of
it and of the contracts, and z3.
"""
import itertools
import re
import sys

import z3

import acsl
import sources
from evaluator import Evaluator, not_, wide
from ir import Machine
from memory import Pointer, State, choose
from module import Module


def cases(options):
    """Every value of the lengths: "len=0..7" gives eight cases."""
    found = lengths(options)
    return [dict(zip([name for name, _, _ in found], values)) for values in
            itertools.product(*(range(low, high + 1) for _, low, high in found))]


UNSIGNED = re.compile(r"(?:const )?(?:size_t|uint\d+_t|uintptr_t|_Bool|bool|utf8val_word)")


def lengths(options):
    """Their names, lowest and highest values: of "len=0..7" those of len."""
    return [(match[1], int(match[2]), int(match[3])) for match in
            (re.fullmatch(r"(\w+)=(\d+)\.\.(\d+)", option) for option in options) if match]


class Prover:
    def __init__(self, root, source, work, timeout):
        self.contracts = acsl.Contracts(root, source, work)
        self.module = Module(sources.place(root, source), work)
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
        contract = self.contracts.contract(name)
        if self.contracts.results[name].startswith("int"):
            raise acsl.Unsupported("a signed result")
        # numbers are taken for what their bits say without a sign
        signed = [each for kind, each in self.contracts.parameters[name]
                  if "*" not in kind and not UNSIGNED.fullmatch(kind)]
        if signed:
            raise acsl.Unsupported(f"{signed[0]}, which may have a sign")
        kinds = self.module.functions[name][0]
        names = [each for _, each in self.contracts.parameters[name]]
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
                where = state.create("$" + parameter, size)
                state.regions["$" + parameter] = {
                    i: (1, z3.BitVec(f"{parameter}[{i}]", 8))
                    for i in range(size)}
                machine.addresses["$" + parameter] = z3.BitVec(
                    f"address of {parameter}", 64)
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
                    return choose(at, f"@{region}", wide(offset * 4), 4)
                if not isinstance(offset, int):
                    raise acsl.Unsupported("a byte at a symbol")
                if not 0 <= offset < at.sizes[region]:
                    # any value: a contract says nothing about it
                    return z3.FreshConst(z3.BitVecSort(8), "outside")
                return at.byte(region, offset)

            def address(where):
                _, region, offset = where
                if region not in machine.addresses:
                    raise acsl.Unsupported("an address that is not known")
                return wide(machine.addresses[region]) + wide(offset)
            return Evaluator(self.contracts, {**env, **extra}, read,
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
        if machine.solver.check(*state.path) != z3.sat:
            raise acsl.Unsupported("a contract that allows no input")
        goals = {f"{name}_ensures_{i}{label}": True
                 for i in range(1, len(contract["ensures"]) + 1)}
        for after, result in machine.run(name, state, arguments):
            if not isinstance(result, (int, Pointer)):
                result = wide(result)
            end = evaluator(after, {"\\result": result}, start)
            for i, text in enumerate(contract["ensures"], 1):
                goal = end.truth(text)
                if goal is not True and machine.possible(after, not_(goal)):
                    goals[f"{name}_ensures_{i}{label}"] = False
        goals[f"{name}_complete{label}"] = not machine.failed
        for text in dict.fromkeys(machine.failed):
            print(f"{name}{label}: {text}", file=sys.stderr)
        return goals

    def allows(self, name, length, low, high):
        """May the contract allow a length that is none of these?"""
        kinds = dict(zip([each for _, each in self.contracts.parameters[name]],
                         self.module.functions[name][0]))
        env = {parameter: z3.BitVec(parameter, int(kind[1:]))
               for parameter, kind in kinds.items() if not kind.endswith("*")}
        evaluator, solver = Evaluator(self.contracts, env, None, None), z3.Solver()
        for text in self.contracts.functions[name]["requires"]:
            if "\\" not in text and not any(
                    re.search(rf"\b{parameter}\b", text) for parameter in kinds
                    if parameter not in env):
                solver.add(evaluator.truth(text))
        solver.add(z3.Or(z3.ULT(env[length], low), z3.UGT(env[length], high)))
        return solver.check() != z3.unsat

    def extent(self, contract, parameter, env):
        """Bytes that may be read at a pointer."""
        for text in contract["requires"]:
            match = re.search(
                rf"\\valid(?:_read)?\(\s*(?:\(uint8_t \*\))?{parameter}\s*\+\s*"
                rf"\(0\s*\.\.\s*(.*?)\)\)", text)
            if match:
                evaluator = Evaluator(self.contracts, env, None, None)
                last = evaluator.evaluate(acsl.Parser(match[1]).whole(), env)
                if not isinstance(last, int):
                    raise acsl.Unsupported(f"the size of {parameter}")
                return last + 1
        return 0
