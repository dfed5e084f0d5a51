#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Run Frama-C/WP on the contracts and count the goals.

Fails when a goal is unproved, when a smoke test proves false, and when a function has
another number of goals or smoke tests than proof/parts/goals.txt says: a contract that
has been removed cannot fail otherwise.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import functools
import hashlib
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
from sources import CACHE, ROOT, rows, settings

MACHINE = "x86_64"
MACHINE_32 = "gcc_x86_32"
TIMEOUT = 60			# units of steps that a prover has for a goal, see chain.sh
# Frama-C prepares a goal while a prover has another
WP = ["-c11", "-wp", "-wp-rte", "-wp-model", "Typed+Cast",
      "-wp-par", "2", "-wp-cache", "none", "-kernel-warn-key", "annot-error=abort"]
# The size of OCaml's young generation, in words: Frama-C takes a sixth less time than
# with the usual 256k.
HEAP = "s=4M"
# Smoke tests try to prove false from each precondition, in each loop, and after each
# call: a contract that contradicts itself would prove anything.
SMOKE = ["-wp-smoke-tests", "-wp-no-smoke-dead-code", "-wp-smoke-timeout",
         str(provers.SMOKE)]
# What looks at canary.c: always the simplifier of WP, with --whole the provers, too.
CANARY = {False: ["-wp-prover", "qed"], True: ["-wp-timeout", "1"]}
KINDS = ("goals", "smoke tests")
GOAL = re.compile(r"^\[wp\] (?:\[.+?\] )?Goal (\S+)(.*)")
SMOKED = re.compile(r"^\[wp\] \[(\w+)\] Smoke-test (\S+)", re.M)
version = functools.cache(provers.version)
share = functools.cache(lambda: provers.said("frama-c", "-print-share-path"))
# As they are now, not as they may be when a part is proved.
TOOLS = [pathlib.Path(each).read_bytes() for each in (__file__, provers.__file__)]
# Frama-C's processes: each leads a group of its own
RUNNING = set()


class Broken(SystemExit):
    """Frama-C could not read the sources."""


def command_line(root, source, options, timeout, work, cache, machine):
    """How Frama-C is called for one part."""
    options = provers.for_wp(["-wp-timeout", str(timeout), *options])
    if cache:
        options += ["-wp-cache", "update", "-wp-cache-dir", str(cache)]
    session = pathlib.Path(tempfile.mkdtemp(dir=work))
    provers.write_scripts(session / "script")
    return ["frama-c", "-load-module", f"{work}/shifts.cmxs", *WP, "-machdep", machine,
            "-wp-session", str(session), *options, str(sources.place(root, source))]


def wp(root, part, source, options, timeout, work, cache=None, first=False,
       machine=MACHINE, said=None):
    """Goals of one run, as name: proved; with first, up to one unproved. To said are
    added all that Frama-C says, and its processor time with that of provers."""
    goals = {}
    output = []
    with subprocess.Popen(
            command_line(root, source, options, timeout, work, cache, machine),
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
        said += [output, f"{usage.ru_utime + usage.ru_stime:.0f} s of a processor"]
    total = re.search(r"^\[wp\] Proved goals:\s*(\d+) / (\d+)", output, re.M)
    if "none" in options and not run.returncode:
        return goals
    if run.returncode or not total:
        raise Broken(f"prove: frama-c failed on part {part}\n{output}")
    dead = sum(verdict != "Passed" for verdict, _ in SMOKED.findall(output))
    if int(total[1]) + dead != int(total[2]) and all(goals.values()):
        goals.setdefault(f"{part}: some goal", False)
    return goals


def valid(known, other):
    """Copy what one cache has proved into another: a prover that was stopped or had no
    time, as under load, says nothing about a goal, nor does it to another run."""
    for path in known.glob("*.json"):
        text = path.read_text()
        if '"verdict": "valid"' in text and not (other / path.name).exists():
            sources.save(other / path.name, text)


def kept(folder, source, options, machine):
    """Where what Frama-C says of a part is kept, if all is well with it: by the text that
    it makes of the sources, by these tools, and by the programs."""
    text = sources.compiler(ROOT, source, options, "-C", "-P", "-dD", "-I.",
                            f"-I{share()}/libc", "-D__FRAMAC__", "-nostdinc",
                            f"-D__FC_MACHDEP_{machine.upper()}", f"-m{machine[-2:]}")
    key = repr((version(), options, machine, TOOLS, rows("parts/tactics.txt"), text))
    return folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.said"


def owner(goal):
    """The function, or the lemma, that a goal is about."""
    name = re.sub(r"^typed(_cast)?_", "", goal)
    if name.startswith("lemma_"):
        return name
    match = re.match(r"(.+?)_(ensures|assigns|loop|call|assert|requires|wp_smoke|"
                     r"terminates|exits|complete|disjoint|variant)", name)
    return match[1] if match else name


class Run:
    """The results of parts with one size of the types of C."""

    def __init__(self, arguments, work, machine=MACHINE):
        self.arguments, self.work, self.machine = arguments, work, machine
        self.other = "" if machine == MACHINE else f", {machine}"
        # What a test tells of contracts does not depend on the machine.
        self.smokes = machine == MACHINE
        self.counts = {kind: collections.Counter() for kind in KINDS[:1 + self.smokes]}
        self.failed, self.warned = [], set()

    def part(self, part):
        """Prove a part, and make its smoke tests."""
        source, options = settings()[part]
        if self.arguments.timeout:
            options = [*options, "-wp-timeout", str(self.arguments.timeout)]
        options = [*options, *(SMOKE if self.smokes else [])]
        place = functools.partial(kept, self.arguments.kept, source, options, self.machine)
        file, since = place(), time.time()
        output = [file.read_text(), "kept"] if file.is_file() else []
        goals = {match[1]: True for match in map(GOAL.match, output[0].splitlines())
                 if match} if output else \
            wp(ROOT, part, source, options, TIMEOUT, self.work,
               pathlib.Path(self.work, "cache"), machine=self.machine, said=output)
        said, took = output
        print(f"{part}{self.other}: {len(goals)} goals, {took}", file=sys.stderr, flush=True)
        self.warned.update(trust.unexpected(ROOT, said))
        self.counts["goals"].update(f"{part} {owner(goal)}" for goal in goals)
        bad = [goal for goal, proved in goals.items() if not proved]
        if self.smokes:
            bad += self.smoke(part, said)
        self.failed += bad
        # Who changed a file meanwhile may have had another text proved.
        if not bad and not self.warned and file == place() and \
                not pathlib.Path(self.work, "faults").exists() and \
                all(path.stat().st_ctime < since
                    for path in sources.files(ROOT, source, options)):
            sources.save(file, said.replace(f"{ROOT}/", "../"))

    def smoke(self, part, said):
        """What is wrong with the smoke tests. What of false can be proved is dead; what
        proof/parts/dead.txt lists is dead by design."""
        dead = {(row[0], row[1]): int(row[2]) for row in rows("parts/dead.txt")}
        found = collections.Counter()
        for verdict, name in SMOKED.findall(said):
            function = owner(name)
            self.counts["smoke tests"][f"{part} {function}"] += 1
            found[function] += verdict != "Passed"
        return [f"{function}_wp_smoke, part {part}: {number} places that nothing "
                "reaches, or all can be proved of"
                for function, number in found.items()
                if number > dead.get((part, function), 0)]


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


def do_all(work, jobs):
    """Do the jobs (run, part), those with most goals first, on all processors; one more
    than there are, since Frama-C sometimes waits for nothing. Those with 32 bits come
    last: what they have in common with the others is proved by then."""
    jobs = sorted(jobs, key=lambda job: (job[0].machine != MACHINE,
                                         -sum(sources.counts(0, [job[1]]).values())))
    pool = concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0)) + 1)
    try:
        for task in [pool.submit(run.part, part) for run, part in jobs]:
            task.result()
    finally:
        # Only after an error or a signal something is left to stop.
        pool.shutdown(wait=False, cancel_futures=True)
        for group in list(RUNNING):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        valid(work / "cache", jobs[0][0].arguments.kept)
    faults = work / "faults"
    if faults.exists():
        # A message that is no answer passes no test: neither a goal nor a smoke test.
        text = "what a prover said: " + " ".join(faults.read_text().split())[:1000]
        jobs[0][0].warned.add(text)


def miscounted(run, chosen):
    """What functions of these parts have another number of than goals.txt says."""
    return [f"{name}: {counts[name]} {kind}, {wanted[name]} expected"
            for kind, counts in run.counts.items()
            for wanted in [collections.Counter(sources.counts(KINDS.index(kind), chosen))]
            for name in sorted({*counts, *wanted}) if counts[name] != wanted[name]]


def points(run, chosen):
    """What these parts have to prove by function, and what is wrong with each."""
    miscounts = miscounted(run, chosen)
    for name in sorted({name for kind in range(len(run.counts))
                        for name in sources.counts(kind, chosen)}.union(*run.counts.values())):
        yield (f"proof of {name}, " + said((kind, counts[name])
                                           for kind, counts in run.counts.items()) + run.other,
               [f"unproved: {goal}" for goal in run.failed
                if owner(goal) == name.split()[1]] +
               [text for text in miscounts if text.startswith(name + ":")])
    yield (f"no warning beside those that are known{run.other}",
           [f"not in warnings.txt: {text}" for text in sorted(run.warned)])


def said(numbers):
    """Numbers of goals and of smoke tests."""
    return ", ".join(f"{number} {kind}" for kind, number in numbers if number)


def report(planned, tap):
    """Print what was found, beside what goals.txt wants; is all well?"""
    found = [point for run, chosen in planned for point in points(run, chosen)]
    if tap:
        print(f"1..{len(found)}")
    for number, (point, bad) in enumerate(found, 1):
        if tap:
            print(f"{'not ok' if bad else 'ok'} {number} - {point}")
        for text in bad:
            print(f"{'# ' if tap else ''}{text}")
    for run, _ in planned:
        print(f"{'# ' if tap else ''}" + said(
            (kind, sum(counts.values())) for kind, counts in run.counts.items()) +
              f", {len(run.failed)} fail, {run.machine}")
    # A goal that fails may belong to no function that is counted.
    return not any(run.failed for run, _ in planned) and not any(bad for _, bad in found)


def update(run, chosen):
    """Write how many goals and smoke tests these parts have."""
    kinds = [{name: number for name, number in sources.counts(kind).items()
              if name.split()[0] not in chosen} | run.counts[KINDS[kind]]
             for kind in (0, 1)]
    lines = collections.defaultdict(list)
    for name in sorted({*kinds[0], *kinds[1]}):
        part, function = name.split()
        goals, tests = (kind.get(name, 0) for kind in kinds)
        lines[part].append(f"{function}={goals}" + (f"+{tests}" if tests else ""))
    sources.rewrite("parts/goals.txt", (f"{part} {' '.join(words)}"
                                        for part, words in lines.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tap", action="store_true")
    parser.add_argument("--update", action="store_true",
                        help="write the counts of goals.txt anew, if all is proved")
    parser.add_argument("--whole", action="store_true",
                        help="prove all parts, NARROW ones with 32 bits, too")
    parser.add_argument("--learn", action="store_true",
                        help="write first.txt anew; with --whole, which then proves "
                        "everything afresh")
    parser.add_argument("--timeout", type=int,
                        help="units of steps a prover has for one goal, whatever its part "
                        f"says; else {TIMEOUT}, if that says nothing")
    parser.add_argument("--machdep", default=MACHINE, metavar="NAME",
                        help="widths of C's types, as Frama-C names them")
    parser.add_argument("parts", nargs="*")
    arguments = parser.parse_args()
    if (arguments.whole or arguments.update) and arguments.machdep != MACHINE or \
            arguments.whole and (arguments.update or arguments.parts):
        parser.error("--whole goes without parts or --update, neither with --machdep")
    if arguments.learn and (not arguments.whole or arguments.timeout):
        parser.error("--learn goes with --whole, and the proof as it is")
    parts = settings()
    unknown = [name for name in arguments.parts if name not in parts]
    if unknown:
        parser.error(f"no such part: {' '.join(unknown)}; parts are {' '.join(parts)}")

    versions.need("prove", arguments.tap, versions.WP)
    with scratch.place() as work:
        trusted = [] if arguments.update else trust.on_trust(ROOT)
        if trusted:
            raise SystemExit("prove: nothing proves: " + ", ".join(trusted))
        provers.prepare(work)
        (cache := pathlib.Path(work, "cache")).mkdir()
        arguments.kept = pathlib.Path(work) if arguments.learn else CACHE
        valid(arguments.kept, cache)
        if sick := canary(ROOT, work, cache, CANARY[arguments.whole]):
            raise SystemExit("prove: " + "\nprove: ".join(sick))
        planned = [(Run(arguments, work, arguments.machdep),
                    arguments.parts or list(parts))]
        if arguments.whole:
            planned.append((Run(arguments, work, MACHINE_32), [
                row[0] for row in rows("parts/parts.txt") if "NARROW" in row]))
        do_all(pathlib.Path(work),
               [(run, part) for run, names in planned for part in names])
        if arguments.update and not planned[0][0].failed:
            update(planned[0][0], planned[0][1])
        good = report(planned, arguments.tap)
        # A run with any fault teaches nothing.
        if arguments.learn and good:
            provers.learn(work)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
