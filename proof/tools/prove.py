#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Run Frama-C/WP on the contracts and count the goals.

Fails when a goal is unproved, and when a function has fewer goals or smoke tests than
proof/parts/goals.txt says: a contract that has been removed cannot fail otherwise.

Usage: proof/tools/prove.py [--tap | --whole [--learn]] [--smoke] [--update] [PART...]
       proof/tools/prove.py --help	the other options
"""
import argparse
import collections
import concurrent.futures
import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import provers
import scratch
import sources
import trust
import versions
from sources import PARTS, ROOT, rows, settings

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or
                     pathlib.Path.home() / ".cache") / "utf8val" / "proof"
MACHINE = "x86_64"
MACHINE_32 = "gcc_x86_32"
TIMEOUT = 60			# units of steps that a prover has for a goal, see chain.sh
# Frama-C prepares a goal while a prover has another
WP = ["-c11", "-wp", "-wp-rte", "-wp-model", "Typed+Cast",
      "-wp-par", "2", "-wp-cache", "none", "-kernel-warn-key",
      "annot-error=abort"]
# The size of OCaml's young generation, in words: Frama-C takes a sixth less time than
# with the usual 256k.
HEAP = "s=4M"
# Smoke tests show that nothing contradicts itself, such as preconditions, loops, and
# contracts of called functions; other goals would only delay the tests.
SMOKE = ["-wp-prover", provers.SMOKE, "-wp-smoke-tests", "-wp-no-smoke-dead-code",
         "-wp-smoke-timeout", "1", "-wp-no-rte", "-wp-prop=" + ",".join(
             f"-@{kind}" for kind in ("requires", "ensures", "assigns", "invariant",
                                      "variant", "assert"))]
# What looks at canary.c: always the simplifier of WP, with --whole the provers, too.
CANARY = {False: ["-wp-prover", "qed"], True: ["-wp-timeout", "1"]}
COUNTS_HEAD = """# SPDX-License-Identifier: GPL-2.0-only OR MIT
# How many goals, and smoke tests after the plus sign, each function has at least: a line
# for each part, from the last proof/tools/prove.py [--smoke] --update PART
"""
GOAL = re.compile(r"^\[wp\] (?:\[.+?\] )?Goal (\S+)(.*)")


# Frama-C's processes: each leads a group of its own
RUNNING = set()


class Broken(Exception):
    """Frama-C could not read the sources."""


def command_line(root, source, options, timeout, work, cache, machine):
    """How Frama-C is called for one part."""
    options = provers.for_wp(["-wp-timeout", str(timeout), *options])
    if cache:
        options += ["-wp-cache", "update", "-wp-cache-dir", str(cache)]
    session = pathlib.Path(tempfile.mkdtemp(dir=work))
    provers.write_scripts(session / "script")
    return ["frama-c", "-load-module", f"{work}/shifts.cmxs", *WP, "-machdep", machine,
            "-wp-session", str(session),
            *options, str(sources.place(root, source))]


def wp(root, part, source, options, timeout, work, cache=None, first=False,
       machine=MACHINE, said=None):
    """Goals of one run, as name: proved; with first, up to one unproved. To said are
    added all that Frama-C says, and its processor time with that of provers."""
    goals = {}
    output = []
    with subprocess.Popen(
            command_line(root, source, options, timeout, work, cache,
                         machine),
            cwd=root / "proof", text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True,
            env=dict(os.environ, WHY3CONFIG=f"{work}/why3.conf",
                     PWD=str(root / "proof"), OCAMLRUNPARAM=HEAP)) as run:
        RUNNING.add(run.pid)
        try:
            for line in run.stdout:
                output.append(line)
                match = GOAL.match(line)
                if match:
                    goals[match[1]] = bool(re.match(" : (Valid|trivial)", match[2]))
                    if first and not goals[match[1]]:
                        os.killpg(run.pid, signal.SIGTERM)
                        return goals
            _, status, usage = os.wait4(run.pid, 0)
            run.returncode = os.waitstatus_to_exitcode(status)
        except BaseException:
            # Frama-C is no member of our process group, which a signal goes to.
            os.killpg(run.pid, signal.SIGKILL)
            raise
        finally:
            RUNNING.discard(run.pid)
    output = "".join(output)
    if said is not None:
        said += [output, usage.ru_utime + usage.ru_stime]
    total = re.search(r"^\[wp\] Proved goals:\s*(\d+) / (\d+)", output, re.M)
    if "none" in options and not run.returncode:
        return goals
    if run.returncode or not total:
        raise Broken(f"prove: frama-c failed on part {part}\n{output}")
    if int(total[1]) != int(total[2]) and all(goals.values()):
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
            pass	# another run has removed the file


def owner(goal):
    """The function, or the lemma, that a goal is about."""
    name = re.sub(r"^typed(_cast)?_", "", goal)
    if name.startswith("lemma_"):
        return name
    match = re.match(r"(.+?)_(ensures|assigns|loop|call|assert|requires|"
                     r"terminates|exits|complete|disjoint|variant)", name)
    return match[1] if match else name


class Run:
    """The results of parts: proved, with one size of the types of C, or by smoke
    tests."""

    def __init__(self, arguments, work, machine=MACHINE, smoke=False):
        self.arguments, self.work = arguments, work
        self.machine, self.smokes = machine, smoke
        self.counts = collections.Counter()
        self.failed, self.warned = [], set()

    def part(self, name):
        """Do all that is to be done about a part."""
        source, options = settings()[name]
        (self.smoke if self.smokes else self.prove)(name, source, options)

    def frama_c(self, part, source, options, timeout):
        """The goals of a part, and all messages of Frama-C."""
        said = []
        goals = wp(self.arguments.root, part, source, options, timeout, self.work,
                   self.arguments.cache, machine=self.machine, said=said)
        kind = ", smoke tests" if self.smokes else "" \
            if self.machine == MACHINE else f", {self.machine}"
        print(f"{part}{kind}: {len(goals)} goals, {said[1]:.0f} s of a processor",
              file=sys.stderr, flush=True)
        return goals, said[0]

    def prove(self, part, source, options):
        """Prove a part, or only count its goals."""
        if self.arguments.count:
            options = provers.without_provers(options)
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
        _, said = self.frama_c(part, source, [*provers.without_provers(options)[:-2], *SMOKE], 1)
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


def canary(root, work, cache, options):
    """What canary.c shows to be wrong with the provers: a false statement that they
    prove, or a true one that they do not."""
    goals = wp(root, "canary", "canary", ["-wp-prop=@ensures", *options], TIMEOUT, work,
               cache)
    names = re.findall(r"^static .*?\b((?:true|false)_\w+)\(",
                       sources.place(root, "canary").read_text(), re.M)
    proved = {owner(goal): holds for goal, holds in goals.items()}
    return [f"canary: {name} is {'proved' if proved[name] else 'not proved'}"
            if name in proved else f"canary: no goal of {name}"
            for name in names
            if proved.get(name) != name.startswith("true")]


def with_code(part):
    """Is a part about functions, not lemmas alone?"""
    return not any(re.match("-wp-prop=[^-]", option) for option in settings()[part][1])


def cost(run, part):
    """How long a part takes beside others, roughly: its goals, and their effort."""
    if run.smokes:
        return 4 * len(sources.counts(1, [part]))
    options = provers.expanded(settings()[part][1])
    effort = max([10] + [int(word) for before, word in zip(["", *options], options)
                         if before == "-wp-timeout"])
    return effort / 10 * sum(sources.counts(0, [part]).values())


def do_all(work, jobs):
    """Do the jobs (run, part), the longest first, on all processors; one more than
    there are, since Frama-C sometimes waits for nothing."""
    jobs = sorted(jobs, key=lambda job: -cost(*job))
    since = time.time()
    pool = concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0)) + 1)
    try:
        for task in [pool.submit(run.part, part) for run, part in jobs]:
            task.result()
    except Broken as error:
        raise SystemExit(error) from error
    finally:
        # Only after an error or a signal something is left to stop.
        pool.shutdown(wait=False, cancel_futures=True)
        for group in list(RUNNING):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        for cache in {run.arguments.cache for run, _ in jobs}:
            forget(cache, since)
    faults = work / "faults"
    if faults.exists():
        # A message that is no answer passes no test: neither a goal nor a smoke test.
        text = "what a prover said: " + " ".join(faults.read_text().split())[:1000]
        run = jobs[0][0]
        if run.smokes:
            run.failed.append(text)
        else:
            run.warned.add(text)


def few(run, chosen):
    """How many goals these parts' functions have at least, and those that have fewer."""
    kind = "smoke tests" if run.smokes else "goals"
    wanted = {" ".join(key): number
              for key, number in sources.counts(run.smokes, chosen).items()}
    missing = [f"{name}: {run.counts[name]} {kind}, at least {number} expected"
               for name, number in wanted.items() if run.counts[name] < number]
    missing += [f"{name}: not in goals.txt" for name in run.counts if name not in wanted]
    return wanted, missing + [f"{part}: no {kind}" for part in chosen if not any(
        name.startswith(f"{part} ") for name in run.counts)]


def report(run, chosen, tap):
    """Print what was found, beside what goals.txt wants; is all well?"""
    wanted, missing = few(run, chosen)
    warned = [f"not in warnings.txt: {text}" for text in sorted(run.warned)]
    if tap:
        names = sorted({*wanted, *run.counts})
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
    total = sum(run.counts.values())
    proved = ("counted only" if run.arguments.count else
              f"{total - len(run.failed)} proved")
    machine = "" if run.machine == MACHINE else f", {run.machine}"
    print(f"{'# ' if tap else ''}{total} goals, {proved}{machine}")
    return not (run.failed or missing or warned)


def smoke_report(run, chosen):
    """Print what the smoke tests found, beside what goals.txt wants; is all well?"""
    bad = run.failed + few(run, chosen)[1]
    for text in bad:
        print(text)
    print(f"{sum(run.counts.values())} smoke tests, {len(bad)} functions fail")
    return not bad


def update(run, chosen):
    """Write how many goals, or smoke tests, these parts have."""
    kinds = [{key: number for key, number in sources.counts(kind).items()
              if kind != run.smokes or key[0] not in chosen} for kind in (False, True)]
    kinds[run.smokes] |= {tuple(name.split()): number
                          for name, number in run.counts.items()}
    lines = collections.defaultdict(list)
    for part, name in sorted({key for kind in kinds for key in kind}):
        goals, tests = (kind.get((part, name), 0) for kind in kinds)
        lines[part].append(f"{name}={goals}" + (f"+{tests}" if tests else ""))
    (PARTS / "goals.txt").write_text(COUNTS_HEAD + "".join(
        f"{part} {' '.join(words)}\n" for part, words in lines.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tap", action="store_true")
    parser.add_argument("--update", action="store_true",
                        help="write the counts of goals.txt anew, if all is proved")
    parser.add_argument("--smoke", action="store_true",
                        help="look for what contradicts itself instead")
    parser.add_argument("--whole", action="store_true",
                        help="prove all parts, those named here with 32 bits, too, "
                        "and make all smoke tests")
    parser.add_argument("--learn", action="store_true",
                        help="write first.txt anew; with --whole, which then proves "
                        "everything afresh")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT,
                        help="where the sources are")
    parser.add_argument("--timeout", type=int,
                        help="units of steps a prover has for one goal, whatever its part "
                        f"says; else {TIMEOUT}, if that says nothing")
    parser.add_argument("--cache", type=pathlib.Path, default=CACHE,
                        help="directory of goals that provers proved before")
    parser.add_argument("--count", action="store_true",
                        help="only count the goals, prove nothing")
    parser.add_argument("--machdep", default=MACHINE, metavar="NAME",
                        help="widths of C's types, as Frama-C names them")
    parser.add_argument("parts", nargs="*")
    arguments = parser.parse_args()
    if arguments.update and (arguments.count or arguments.whole):
        parser.error("--update writes what is proved by one run, on one machine")
    if arguments.learn and (not arguments.whole or arguments.count or
                            arguments.timeout or arguments.root != ROOT):
        parser.error("--learn goes with --whole, and the proof as it is")
    parts = settings()
    unknown = [name for name in arguments.parts if name not in parts]
    if unknown:
        parser.error(f"no such part: {' '.join(unknown)}; parts are {' '.join(parts)}")

    versions.need("prove", arguments.tap, versions.WP)
    chosen = arguments.parts or list(parts)
    with scratch.place() as work:
        trusted = [] if arguments.update else trust.on_trust(arguments.root)
        if trusted:
            raise SystemExit("prove: nothing proves: " + ", ".join(trusted))
        provers.prepare(work)
        if arguments.learn:
            arguments.cache = pathlib.Path(work) / "cache"
        arguments.cache.mkdir(parents=True, exist_ok=True)
        try:
            sick = canary(arguments.root, work, arguments.cache, CANARY[arguments.whole])
        except Broken as error:
            raise SystemExit(error) from error
        if sick:
            raise SystemExit("prove: " + "\nprove: ".join(sick))
        if arguments.whole:
            planned = [(Run(arguments, work), list(parts)),
                       (Run(arguments, work, MACHINE_32), arguments.parts),
                       (Run(arguments, work, smoke=True),
                        list(filter(with_code, parts)))]
        elif arguments.smoke:
            planned = [(Run(arguments, work, smoke=True),
                        list(filter(with_code, chosen)))]
        else:
            planned = [(Run(arguments, work, arguments.machdep), chosen)]
        do_all(pathlib.Path(work),
               [(run, part) for run, names in planned for part in names])
        if arguments.update and not planned[0][0].failed:
            update(planned[0][0], planned[0][1])
        good = [(smoke_report(run, names) if run.smokes
                 else report(run, names, arguments.tap))
                for run, names in planned if names]
        # A run with any fault teaches nothing.
        if arguments.learn and all(good):
            provers.learn(work)
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
