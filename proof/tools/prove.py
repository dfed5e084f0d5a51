#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Run Frama-C/WP on the contracts and count the goals.

Fails when a goal is unproved, and when a function has fewer goals than
proof/parts/goals.txt says: a contract that has been removed cannot fail otherwise.

usage: proof/tools/prove.py [--tap | --update | --smoke] [PART...]
"""
import argparse
import collections
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import scratch
import sources
import trust
import versions
from sources import PARTS, ROOT, rows, settings

GOALS = PARTS / "goals.txt"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or
                     pathlib.Path.home() / ".cache") / "utf8val" / "proof"
# z3 that only instantiates what its patterns find: it decides in a fraction of a
# second what z3 as why3 calls it gives up on, or finds by the luck of a seed.
# The lazy one looks for equal numbers before it unfolds a recursion far, the
# eager one follows a chain of lemmas at once.
OWN_Z3 = """
[prover]
name = "%s"
version = "%s"
command = "z3 -smt2 -T:%%t smt.auto_config=false %s -st %%f"
driver = "z3_471"
editor = ""
in_place = false
interactive = false
"""
PROVERS = "Z3-plain,cvc4"
# For what is about recursive definitions. One of them sees it within a second or
# two where another never ends, so they run at once: of lemmas mostly one of the
# first three does, of functions the lazy one, but for some where it is the last.
INDUCTION = ["-wp-timeout", "20", "-wp-par", "3", "-wp-prover",
             "script,cvc4,Z3-plain,Z3-lazy,Z3-eager"]
RECURSION = ["-wp-timeout", "20", "-wp-prover", "script,Z3-lazy,cvc4,Z3-plain"]
MACHINE = "x86_64"
TIMEOUT = 60			# seconds that a prover has for a goal
# goals, or provers of one, at once: a goal shall not wait for those that never end
WP = ["-c11", "-wp", "-wp-rte", "-wp-model", "Typed+Cast",
      "-wp-par", "4", "-wp-cache", "none", "-kernel-warn-key",
      "annot-error=abort"]
# lemmas about bits are shown value by value: the range tactic makes the cases;
# what a prover can do of them at all takes it no time
RANGE = ["-wp-timeout", "5", "-wp-prover", f"tip,{PROVERS}", "-wp-auto",
         "wp:range", "-wp-auto-width", "300", "-wp-auto-depth", "3"]
MACROS = {"RANGE": RANGE, "INDUCTION": INDUCTION, "RECURSION": RECURSION}
# tests that nothing contradicts itself, as preconditions, loops, and contracts called
# do, by the prover that best finds what follows from false; other goals only delay it
SMOKE = ["-wp-prover", "cvc4", "-wp-smoke-tests", "-wp-no-smoke-dead-code",
         "-wp-smoke-timeout", "2", "-wp-no-rte", "-wp-prop=" + ",".join(
             f"-@{kind}" for kind in ("ensures", "assigns", "invariant", "variant",
                                      "assert"))]
GOALS_HEAD = """# SPDX-License-Identifier: GPL-2.0-only OR MIT
# How many goals there are at least, by part and function, from the last
# proof/tools/prove.py --update PART
"""
GOAL = re.compile(r"^\[wp\] (?:\[.+?\] )?Goal (\S+)(.*)")


class Broken(Exception):
    """Frama-C could not read the sources."""


def expanded(options):
    """The words that the names of MACROS stand for in their places."""
    return [word for option in options for word in MACROS.get(option, [option])]


def without_provers(options):
    """The same goals, with nobody to prove them."""
    words = expanded(options)
    # Frama-C takes all that several -wp-prover name together
    return [word for before, word in zip(["", *words], words)
            if "-wp-prover" not in (before, word)] + ["-wp-prover", "none"]


def variable(name):
    """A lemma's integer as WP's scripts name it; or a number."""
    if name.isdigit():
        return {"select": "kint", "val": name}
    return {"select": "inside-goal", "occur": 0, "target": f"{name}_0",
            "pattern": f"${name}"}


def write_scripts(folder):
    """WP's scripts for the lemmas of proof/parts/tactics.txt."""
    folder.mkdir()
    for lemma, tactic, *words in rows("parts/tactics.txt"):
        if tactic == "induction":
            script = {"header": "Induction", "tactic": "Wp.induction",
                      "params": {"base": variable(words[1])},
                      "select": variable(words[0])}
        else:
            script = {"header": "Definition", "tactic": "Wp.unfold",
                      "params": {},
                      "select": {"select": "inside-goal", "occur": 0,
                                 "target": f"(L_{' '.join(words)})",
                                 "pattern": f"L_{''.join(words)}"}}
        (folder / f"lemma_{lemma}.json").write_text(
            json.dumps([script | {"children": {}}]))


def why3_config(path):
    """Make why3's configuration, with our ways to call z3 beside its own."""
    subprocess.run(["why3", "-C", path, "config", "detect"], check=True,
                   capture_output=True)
    version = subprocess.run(["z3", "--version"], check=True, text=True,
                             capture_output=True).stdout.split()[2]
    with open(path, "a", encoding="ascii") as config:
        config.write(OWN_Z3 % ("Z3-plain", version, ""))
        config.write(OWN_Z3 % ("Z3-eager", version, "smt.qi.eager_threshold=100"))
        config.write(OWN_Z3 % ("Z3-lazy", version, "smt.qi.eager_threshold=0 smt.mbqi=false"))


def command_line(root, source, options, timeout, work, cache, machine):
    """How Frama-C is called for one part."""
    options = expanded(options)
    if "-wp-prover" not in options:
        options += ["-wp-prover", PROVERS]
    if cache:
        options += ["-wp-cache", "update", "-wp-cache-dir", str(cache)]
    session = pathlib.Path(tempfile.mkdtemp(dir=work))
    write_scripts(session / "script")
    return ["frama-c", *WP, "-machdep", machine, "-wp-session", str(session),
            "-wp-timeout", str(timeout), *options, str(sources.place(root, source))]


def wp(root, part, source, options, timeout, work, cache=None, first=False,
       machine=MACHINE, said=None):
    """Goals of one run, as name: proved; with first, up to one unproved. To said is
    added all that Frama-C says."""
    goals = {}
    output = []
    with subprocess.Popen(
            command_line(root, source, options, timeout, work, cache,
                         machine),
            cwd=root / "proof", text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True,
            env=dict(os.environ, WHY3CONFIG=f"{work}/why3.conf",
                     PWD=str(root / "proof"))) as run:
        try:
            for line in run.stdout:
                output.append(line)
                match = GOAL.match(line)
                if match:
                    goals[match[1]] = ": Valid" in match[2]
                    if first and not goals[match[1]]:
                        os.killpg(run.pid, signal.SIGTERM)
                        return goals
        except BaseException:
            # it is no member of our group, which a signal goes to
            os.killpg(run.pid, signal.SIGKILL)
            raise
    output = "".join(output)
    if said is not None:
        said.append(output)
    total = re.search(r"^\[wp\] Proved goals:\s*(\d+) / (\d+)", output, re.M)
    if "none" in options and not run.returncode:
        return goals
    if run.returncode or not total:
        raise Broken(f"prove: frama-c failed on part {part}\n{output}")
    if int(total[1]) != int(total[2]):
        goals.setdefault(f"{part}: some goal", False)
    return goals


def forget(cache, since):
    """Keep what is valid: a prover that was stopped or had no time, as under
    load, says nothing about the goal."""
    for path in cache.glob("*.json"):
        try:
            if (path.stat().st_mtime >= since and
                    '"verdict": "valid"' not in path.read_text()):
                path.unlink()
        except FileNotFoundError:
            pass	# another run has done it


def owner(goal):
    """The function, or the lemma, that a goal is about."""
    name = re.sub(r"^typed(_cast)?_", "", goal)
    if name.startswith("lemma_"):
        return name
    match = re.match(r"(.+?)_(ensures|assigns|loop|call|assert|requires|"
                     r"terminates|exits|complete|disjoint|variant)", name)
    return match[1] if match else name


class Run:
    """What the parts of one run have shown."""

    def __init__(self, arguments, work):
        self.arguments, self.work = arguments, work
        self.counts = collections.Counter()
        self.failed, self.warned = [], set()

    def frama_c(self, part, source, options, timeout):
        """Goals of a part, and all that was said."""
        said = []
        start, since = time.monotonic(), time.time()
        try:
            goals = wp(self.arguments.root, part, source, options, timeout, self.work,
                       self.arguments.cache, machine=self.arguments.machdep, said=said)
        except Broken as error:
            raise SystemExit(error) from error
        finally:
            forget(self.arguments.cache, since)
        kind = ", smoke tests" if self.arguments.smoke else "" \
            if self.arguments.machdep == MACHINE else f", {self.arguments.machdep}"
        print(f"{part}{kind}: {len(goals)} goals, {time.monotonic() - start:.0f} s",
              file=sys.stderr, flush=True)
        return goals, said[0]

    def prove(self, part, source, options):
        """Prove a part, or only count its goals."""
        if self.arguments.count:
            options = without_provers(options)
        if self.arguments.timeout:
            options = [*options, "-wp-timeout", str(self.arguments.timeout)]
        goals, said = self.frama_c(part, source, options, TIMEOUT)
        self.warned.update(trust.unexpected(self.arguments.root, said))
        for goal, proved in goals.items():
            self.counts[f"{part} {owner(goal)}"] += 1
            if not proved and not self.arguments.count:
                self.failed.append(goal)

    def smoke(self, part, source, options):
        """Try to prove false wherever a part's functions get to: what can be, is
        dead. What the lists of proof/parts/dead.txt say is dead by design."""
        _, said = self.frama_c(part, source, [*without_provers(options)[:-2], *SMOKE], 1)
        tests = re.findall(r"^\[wp\] \[(\w+)\] Smoke-test (\S+)", said, re.M)
        dead = {(row[0], row[1]): int(row[2]) for row in rows("parts/dead.txt")}
        found = collections.Counter()
        for verdict, name in tests:
            function = owner(re.sub(r"_wp_smoke_", "_requires_", name))
            self.counts[f"{part} {function}"] += 1
            found[function] += verdict != "Passed"
        for function, number in found.items():
            if number > dead.get((part, function), 0):
                self.failed.append(f"{part} {function}: {number} places that "
                                   f"nothing reaches, or all can be proved of")
        if not tests:
            self.failed.append(f"{part}: no smoke test")


def report(run, chosen, tap):
    """Print what was found, beside what goals.txt wants; is all well?"""
    wanted = {f"{part} {name}": int(number)
              for part, name, number in rows("parts/goals.txt") if part in chosen}
    missing = [f"{name}: {run.counts[name]} goals, at least {number} expected"
               for name, number in wanted.items() if run.counts[name] < number]
    missing += [f"{name}: not in goals.txt" for name in run.counts
                if name not in wanted]
    warned = [f"not in warnings.txt: {text}" for text in sorted(run.warned)]
    if tap:
        names = sorted(wanted)
        print(f"1..{len(names) + 1}")
        for number, name in enumerate(names, 1):
            bad = [goal for goal in run.failed if owner(goal) == name.split()[1]]
            bad += [text for text in missing if text.startswith(name + ":")]
            print(f"{'not ok' if bad else 'ok'} {number} - proof of {name}, "
                  f"{run.counts[name]} goals")
            for text in bad:
                print(f"# {text}")
        print(f"{'not ok' if warned else 'ok'} {len(names) + 1} - no warning beside "
              "those that are known")
        for text in warned:
            print(f"# {text}")
    else:
        for text in [*(f"unproved: {goal}" for goal in run.failed), *missing, *warned]:
            print(text)
    return not (run.failed or missing or warned)


def update(counts, chosen):
    """Write how many goals these parts have."""
    lines = {" ".join(row) for row in rows("parts/goals.txt") if row[0] not in chosen}
    lines |= {f"{name} {number}" for name, number in counts.items()}
    GOALS.write_text(GOALS_HEAD + "".join(f"{line}\n" for line in sorted(lines)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tap", action="store_true")
    parser.add_argument("--update", action="store_true",
                        help="write goals.txt anew, if all is proved")
    parser.add_argument("--smoke", action="store_true",
                        help="look for what contradicts itself instead")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT,
                        help="where the sources are")
    parser.add_argument("--timeout", type=int,
                        help="seconds a prover has for one goal, whatever its part "
                        f"says; else {TIMEOUT}, if that says nothing")
    parser.add_argument("--cache", type=pathlib.Path, default=CACHE,
                        help="directory of goals that provers proved before")
    parser.add_argument("--count", action="store_true",
                        help="only count the goals, prove nothing")
    parser.add_argument("--machdep", default=MACHINE, metavar="NAME",
                        help="widths of C's types, as Frama-C names them")
    parser.add_argument("parts", nargs="*")
    arguments = parser.parse_args()
    if arguments.update and (arguments.count or arguments.smoke):
        parser.error("--update writes what is proved; nothing is")
    parts = settings()
    unknown = [name for name in arguments.parts if name not in parts]
    if unknown:
        parser.error(f"no such part: {' '.join(unknown)}; parts are {' '.join(parts)}")

    versions.need("prove", arguments.tap, versions.WP)
    trusted = [] if arguments.update else trust.on_trust(arguments.root)
    if trusted:
        raise SystemExit("prove: nothing proves: " + ", ".join(trusted))
    arguments.cache.mkdir(parents=True, exist_ok=True)
    chosen = arguments.parts or list(parts)
    with scratch.place() as work:
        why3_config(f"{work}/why3.conf")
        run = Run(arguments, work)
        for part in chosen:
            if not arguments.smoke:
                run.prove(part, *parts[part])
            elif sources.functions(parts[part][1]):
                run.smoke(part, *parts[part])
    total = sum(run.counts.values())
    if arguments.smoke:
        for text in run.failed:
            print(text)
        print(f"{total} smoke tests, {len(run.failed)} functions fail")
        return 1 if run.failed else 0
    if arguments.update and not run.failed:
        update(run.counts, chosen)
    good = report(run, chosen, arguments.tap)
    proved = ("counted only" if arguments.count else
              f"{total - len(run.failed)} proved")
    print(f"{'# ' if arguments.tap else ''}{total} goals, {proved}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
