#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Change single things in a copy of what is proved; the proof must fail on each.

proof/README.md says what is tried: each contract taken away, the lines of
proof/mutants/checks.txt and of core.txt. What was proved is kept.
"""
import argparse
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import prove
import provers
import scratch
import sources
import trust
import versions
from sources import ROOT


class Unfit(Exception):
    """A mutant that can tell nothing: what it changes isn't proved unchanged."""


@functools.cache
def bodies(root, source, options):
    """The text of each function of a part."""
    return trust.Text(root, source, options).bodies


def reached(root, name, old):
    """The parts that a change reaches, with the options that prove it again."""
    for part, (source, options) in sources.settings().items():
        if functions := sources.functions(options):
            before, after = (bodies(each, source, tuple(options))
                             for each in (ROOT, root))
            changed = [key for key in functions if before.get(key) != after.get(key)]
            if changed:
                yield part, source, [
                    "-wp-fct=" + ",".join(changed)
                    if option.startswith("-wp-fct=") else option
                    for option in options], changed
        elif name.endswith("_tables.h") and any(
                old.split()[0] in text.read_text() for text in sources.headers(ROOT)):
            # The lemmas name the constant.
            yield part, source, options, ["lemmas"]


class Trial:
    """What the mutants of one run have in common."""

    def __init__(self, timeout, work):
        self.timeout = timeout
        self.work = work

    @functools.cache
    def unproved(self, root, part, source, options, timeout):
        """The first goal that isn't proved in time, or None."""
        cache = pathlib.Path(tempfile.mkdtemp(dir=self.work))
        prove.valid(sources.CACHE, cache)
        try:
            # This time counts, not that of the part: Frama-C takes the last one.
            goals = prove.wp(root, part, source, [*options, "-wp-timeout", str(timeout)],
                             timeout, self.work, cache, first=True)
        finally:
            prove.valid(cache, sources.CACHE)
        faults = pathlib.Path(self.work) / "faults"
        if faults.exists():
            # This is no answer of a prover, and so kills no mutant.
            said = " ".join(faults.read_text().split())[:1000]
            raise SystemExit(f"mutants: what a prover said: {said}")
        return next((goal for goal, proved in goals.items() if not proved), None)

    def fails(self, root, name, old):
        """Which goal fails, None when all are proved; what was proved again."""
        again = []
        for part, source, options, changed in reached(root, name, old):
            again += changed
            tried = part, source, tuple(options)
            for timeout in (self.timeout, 2 * self.timeout, 4 * self.timeout):
                goal = self.unproved(root, *tried, timeout)
                spared = self.unproved(ROOT, *tried, timeout) if goal else None
                if not spared:
                    break
            if spared:
                raise Unfit(f"unchanged, {spared} isn't proved in {timeout} s")
            if goal:
                return goal, again
        return None, again


def chosen(name, numbers):
    """The lines of these numbers of a list, or all of its lines, by their numbers."""
    lines = sources.changes(f"mutants/{name}.txt")
    if not all(0 < number <= len(lines) for number in numbers):
        raise SystemExit(f"mutants: {name}.txt has lines 1 to {len(lines)}")
    return {number: lines[number - 1] for number in numbers or range(1, len(lines) + 1)}


def mutants(numbers, trial):
    """Try lines of mutants/core.txt; returns how many do not have the result that they
    should."""
    wrong = 0
    for number, (name, old, new, *same) in chosen("core", numbers).items():
        start = time.monotonic()
        with sources.changed(name, old, new) as root:
            try:
                goal, again = trial.fails(root, name, old)
            except prove.Broken as error:
                raise SystemExit(f"mutants: {old} -> {new}: {error}") from error
            except Unfit as error:
                print(f"WRONG: {number}: {name}: {old} -> {new}: {error}", flush=True)
                wrong += 1
                continue
        bad = (goal is None) != bool(same)
        wrong += bad
        print(f"{'WRONG: ' if bad else ''}{number}: {name}: {old} -> {new}: "
              f"{'fails at ' + goal if goal else 'proved'} "
              f"({', '.join(again) or 'reaches nothing'}; "
              f"{time.monotonic() - start:.1f} s)", flush=True)
    return wrong


def checks(numbers):
    """Try lines of mutants/checks.txt: prove.py itself must complain, or by_cbmc.py; how
    many pass."""
    wrong = 0
    for number, (tool, part, said, name, old, new) in chosen("checks", numbers).items():
        with sources.changed(name, old, new) as root, \
                tempfile.TemporaryDirectory() as empty:
            run = subprocess.run(
                [sys.executable, root / "proof" / "tools" / tool, "--tap", part,
                 # units of steps that all goals of these parts need unchanged
                 *(["--timeout", "4"] if said.startswith("unproved") else [])],
                text=True, capture_output=True, check=False,
                env=dict(os.environ, TMPDIR=empty))
            # The next run would read what is left there.
            fails = run.returncode and said in run.stdout + run.stderr and \
                not os.listdir(empty)
        wrong += not fails
        print(f"{'fails' if fails else 'WRONG: passes'}: {number}: {part}: {name}: "
              f"{old} -> {new}", flush=True)
        if not fails:
            print(run.stdout, run.stderr)
    return wrong


def contracts(work):
    """Take each contract away; returns how many are not missed."""
    parts = sources.settings()
    wanted = sources.counts(0)
    wrong = tried = 0
    for header in sources.headers(ROOT):
        text = header.read_text()
        for match in trust.CONTRACT.finditer(text):
            name = match[1]
            proofs = [each for each, (_, options) in parts.items()
                      if name in sources.functions(options)]
            if not proofs or "ensures" not in re.sub("//.*", "", match[0]):
                continue
            # Several functions may have contracts of the same words.
            declared = text[match.end():match.end(1)]
            with sources.changed(header.relative_to(ROOT), match[0] + declared,
                                 declared) as root:
                missed = any(
                    sum(prove.owner(goal) == name for goal in prove.wp(
                        root, part, parts[part][0],
                        provers.without_provers(parts[part][1]), 1, work))
                    != wanted[f"{part} {name}"] for part in proofs)
            tried += 1
            wrong += not missed
            if not missed:
                print(f"WRONG: nobody misses the contract of {name}", flush=True)
    print(f"{tried} contracts taken away, {tried - wrong} missed", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checks", action="store_true",
                        help="only try what prove.py must complain of")
    parser.add_argument("--stale", action="store_true",
                        help="only list the mutants whose text is gone")
    parser.add_argument("--timeout", type=int, default=4,
                        help="units of steps a prover has for one goal, or twice or "
                        "four times as many if it needs them unchanged")
    parser.add_argument("numbers", nargs="*", type=int,
                        help="only these lines, of core.txt or with --checks of that")
    arguments = parser.parse_args()
    if arguments.stale:
        gone = list(sources.stale())
        for path, old in gone:
            print(f"{path} has no '{old}'")
        return 1 if gone else 0
    if arguments.checks:
        with scratch.place():
            return 1 if checks(arguments.numbers) else 0
    versions.need("mutants", False, versions.WP)
    start = time.monotonic()
    wrong = 0
    with scratch.place() as work:
        provers.prepare(work)
        if not arguments.numbers:
            wrong += contracts(work) + checks([])
        wrong += mutants(arguments.numbers, Trial(arguments.timeout, work))
    print(f"{wrong} wrong, {time.monotonic() - start:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
