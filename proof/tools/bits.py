#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Prove the contracts of functions about bits, see proof/tools/prover.py.

Fails when a goal is unproved, when a function has fewer goals than proof/parts/bits.txt
says, and when code breaks a rule of access.py. With --mutants it makes the changes
of proof/mutants/bits.txt instead, one at a time, each in a copy: the proof of the
function that a line names, or these rules, must fail.

usage: proof/tools/bits.py [--tap | --mutants] [FUNCTION...]
"""
import argparse
import concurrent.futures
import pathlib
import shutil
import sys
import tempfile

import access
import scratch
import sources
import versions
from sources import ROOT, rows
try:
    from prover import Prover, cases, lengths
except ModuleNotFoundError as missing:
    raise SystemExit(f"bits: there is no {missing.name} for Python here") from missing

TIMEOUT = 300			# seconds for one question to z3


def settings():
    """Source, number of goals and lengths by name of the function."""
    return {name: (source, int(count), lengths) for source, name, count, *lengths
            in rows("parts/bits.txt")}


def prove(prover, name, options):
    """Goals of one function: {goal: proved}."""
    goals = {}
    for case in cases(options):
        goals.update(prover.prove(name, case))
    for length in lengths(options):
        # one that the contract allows and nobody proves
        goals[f"{name}_no_other_{length[0]}"] = not prover.allows(name, *length)
    return goals


def provers(root, names, work):
    """A prover for each source."""
    found = {}
    for name in names:
        place = pathlib.Path(work) / name
        place.mkdir()
        found[name] = Prover(root, name, place, TIMEOUT)
    return found


def prove_all(names, tap):
    """Prove these functions; is all proved?"""
    parts = settings()
    with tempfile.TemporaryDirectory() as work, \
            concurrent.futures.ProcessPoolExecutor(2) as pool:
        ready = provers(ROOT, {parts[name][0] for name in names}, work)
        tasks = [pool.submit(prove, ready[parts[name][0]], name, parts[name][2])
                 for name in names]
        total = proved = 0
        if tap:
            print(f"1..{len(names) + len(access.SOURCES)}")
        wrong = 0
        for number, (name, task) in enumerate(zip(names, tasks), 1):
            goals = task.result()
            faults = [f"unproved: {goal}" for goal in goals if not goals[goal]]
            total, proved = total + len(goals), proved + sum(goals.values())
            if len(goals) < parts[name][1]:
                faults.append(f"{name}: {len(goals)} goals, at least "
                              f"{parts[name][1]} expected")
            wrong += bool(faults)
            if tap:
                print(f"{'not ok' if faults else 'ok'} {number} - proof of "
                      f"{name}, {len(goals)} goals", flush=True)
            for text in faults:
                print(f"{'# ' if tap else ''}{text}", flush=True)
        wrong += access.report(len(names) + 1, tap)
    print(f"{'# ' if tap else ''}{total} goals, {proved} proved")
    return not wrong


def survives(name, path, old, new):
    """Does the proof of a function succeed with the first old made new?"""
    source, count, lengths = settings()[name]
    with tempfile.TemporaryDirectory() as work:
        root = pathlib.Path(work) / "copy"
        root.mkdir()
        for text in ROOT.glob("*.[ch]"):
            shutil.copy(text, root)
        for room in ("engine", "proof"):
            shutil.copytree(ROOT / room, root / room)
        text = (root / path).read_text()
        if old not in text:
            raise SystemExit(f"bits: {path} has no '{old}'")
        (root / path).write_text(text.replace(old, new, 1))
        if access.wrong(root, source):
            return False
        goals = prove(provers(root, {source}, work)[source], name, lengths)
        return all(goals.values()) and len(goals) >= count


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tap", action="store_true")
    parser.add_argument("--mutants", action="store_true")
    parser.add_argument("functions", nargs="*")
    arguments = parser.parse_args()
    versions.need("bits", arguments.tap, versions.BITS)
    names = arguments.functions or list(settings())
    with scratch.place():
        good = sources.try_mutants(names, survives) if arguments.mutants \
            else prove_all(names, arguments.tap)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
