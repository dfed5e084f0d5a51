#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Run test suites that print TAP, count their points, and say so in one line.

Each SUITE is the make goal suite-SUITE. What suites need to have built is built
first, by one make, so that suites can run side by side; those that keep all
processors busy themselves (--alone) run by themselves, last. What a suite prints is
kept in DIR/SUITE.log; failing points and skipped ones with their reasons are shown.
A suite that ends with another status than 0, without a plan or short of it, without
a single point, or by "Bail out!" has failed, whatever it counted. So has one that
leaves processes behind, and one that says nothing for as long as --silence allows;
these are ended.

Diagnostics that begin with AGREE must be the same in all suites that print one:
runners of the same tests say so how many they found.

Exit status: 0 when nothing failed, 1 otherwise, and 128 and its number after a signal;
the suites that run are ended first.
"""

import argparse
import fnmatch
import importlib.util
import math
import os
import pathlib
import re
import sys
import time

from tap.parser import Parser

from lib.children import Child, Children, Stopped

SLOWEST = 10
# what the parser is to look at: it takes more than the specification for TAP
TAP = re.compile(r"(not )?ok(\s|$)|1\.\.\d{1,9}\s*(#|$)|#|Bail out!")
# suites install nothing: what they lack was named before
ENVIRONMENT = {**os.environ, "DEPS": "no"}
MAKE = ["make", "--no-print-directory", "-s"]


class Suite:
    """A suite and what came of it."""

    def __init__(self, name):
        self.name = name
        self.seconds = 0.0
        self.points = []        # (description, kind, detail), in order
        self.faults = []        # what is wrong with the suite as a whole
        self.told = []          # diagnostics that must agree
        self.planned = None
        self.in_order = True    # by the points' numbers

    def count(self, kind):
        return sum(point[1] == kind for point in self.points)

    @property
    def passed(self):
        return self.count("passed")

    @property
    def skipped(self):
        return self.count("skipped")

    @property
    def failed(self):
        return self.count("failed") + len(self.faults)

    def skip(self, why):
        self.points.append(("the whole suite", "skipped", why))
        self.planned = 1

    def take(self, line, agree):
        """Count one line of TAP."""
        if line.category == "test":
            name = line.description.removeprefix("- ")
            # TAP leaves the number to whoever prints it
            if self.in_order and line.number not in (None, len(self.points) + 1):
                self.in_order = False
                self.faults.append(f"point {line.number} came where"
                                   f" {len(self.points) + 1} was due")
            # what has failed was tried, whatever its directive says
            if line.skip and line.ok:
                self.points.append((name, "skipped", line.directive.reason))
            else:
                self.points.append((name, "passed" if line.ok else "failed",
                                    ""))
        elif line.category == "diagnostic":
            if self.points and self.points[-1][1] == "failed":
                name, kind, detail = self.points[-1]
                self.points[-1] = (name, kind, f"{detail}{line.text}\n")
            if agree and line.text.startswith(f"# {agree}"):
                self.told.append(line.text)
        elif line.category == "bail":
            self.faults.append(f"bailed out: {line.reason}")
        elif line.category == "plan":
            if self.planned is not None:
                self.faults.append("a second TAP plan")
            self.planned = line.expected_tests

    def judge(self, status, silent):
        """What is wrong besides its points; SILENT when it was ended, as it had said
        nothing for too long."""
        if silent:
            self.faults.append("ended, having said nothing for too long")
            return
        if status and not self.failed:
            self.faults.append(f"ended with status {status}")
        if self.planned is None:
            self.faults.append("no TAP plan")
        elif self.planned == 0:
            self.faults.append("ran no test")
        elif self.planned != len(self.points) and not self.failed:
            self.faults.append(f"{self.planned} points planned,"
                               f" {len(self.points)} seen")

    def show(self, log_path):
        print(f"== {self.name}: {self.passed} passed, {self.failed} failed,"
              f" {self.skipped} skipped in {self.seconds:.0f} s")
        for number, (name, kind, detail) in enumerate(self.points, 1):
            if kind == "failed":
                print(f"   not ok {number} - {name}")
                for text in detail.splitlines():
                    print(f"     {text}")
            elif kind == "skipped":
                print(f"   skipped: {name} ({detail})")
        for fault in self.faults:
            print(f"   {fault}")
        if self.failed:
            print(f"   the whole output: {log_path}")
        sys.stdout.flush()


class Run(Child):
    """A suite that runs, and its log. Its progress, on standard error, is passed on
    as it comes, with the suite's name."""

    def __init__(self, suite, args):
        super().__init__([*MAKE, f"suite-{suite.name}"], ENVIRONMENT)
        self.suite, self.agree = suite, args.agree
        self.log_path = args.logs / f"{suite.name}.log"
        self.log = None
        self.tap = Parser()

    def logged(self, action):
        """Do something with the log; without one, the suite goes on."""
        try:
            return action()
        except OSError as error:
            self.fault(f"{self.log_path} cannot be written: {error.strerror}")
            return None

    def start(self):
        # a line at a time, so that what is wrong is known at once
        self.log = self.logged(lambda: open(self.log_path, "w", buffering=1,
                                            encoding="utf-8"))
        super().start()

    def line(self, text, error):
        if self.log and self.logged(lambda: self.log.write(
                f"# stderr: {text}\n" if error else f"{text}\n")) is None:
            self.log = None
        if error:
            print(f"   {self.suite.name}: {text.rstrip()}", flush=True)
        elif TAP.match(text):
            try:
                self.suite.take(self.tap.parse_line(text.rstrip()), self.agree)
            except ValueError as why:
                # a number of thousands of digits
                self.fault(f"a line that is no TAP: {why}")

    def fault(self, text):
        self.suite.faults.append(text)

    def done(self, status):
        if self.log:
            self.logged(self.log.close)
        self.suite.seconds = self.seconds
        self.suite.judge(status, self.silent)
        self.suite.show(self.log_path)


class Listing(Child):
    """What a program prints, in lines."""

    def __init__(self, command):
        super().__init__(command, ENVIRONMENT)
        self.lines = []

    def line(self, text, error):
        if not error:
            self.lines.append(text)


class Build(Child):
    """What suites need to have built; what it says is passed on."""

    def line(self, text, error):
        if error:
            print(text, file=sys.stderr, flush=True)

    def done(self, status):
        print(f"   built in {self.seconds:.0f} s" if not self.silent else
              "   ended, having said nothing for too long", flush=True)


def run_all(suites, args):
    """Build what suites need and run them all, side by side and then those that
    want to be alone."""
    def alone(suite):
        return any(fnmatch.fnmatchcase(suite.name, pattern)
                   for pattern in args.alone)

    def started(some):
        return (Run(suite, args) for suite in some)

    # the longest first, as they were last time
    times = args.logs / "seconds"
    last = {}
    if times.exists():
        last = dict(re.findall(r"^(\S+) (\d+\.\d)$", times.read_text(), re.M))
    together = sorted((s for s in suites if not alone(s)),
                      key=lambda s: -float(last.get(s.name, 0)))
    with Children(args.silence, args.farewell) as children:
        build_first(children, suites, args)
        children.run(started(together), args.jobs)
        children.run(started(filter(alone, suites)), 1)
    last.update((s.name, f"{s.seconds:.1f}") for s in suites)
    try:
        times.write_text("".join(f"{name} {s}\n" for name, s in last.items()))
    except OSError as error:
        print(f"tally: {error}; the next run will be in another order",
              file=sys.stderr)


def build_first(children, suites, args):
    """Build what the suites' goals depend on, which several may share. What
    cannot be built is told again, by the suite that needs it."""
    listing = Listing([*MAKE, "-pnq", ".DEFAULT"])
    children.run([listing], 1)
    goals = {f"suite-{suite.name}" for suite in suites}
    needed = list(args.first)
    for goal, files in re.findall(r"^([\w.+-]+):([^:=|\n]*)",
                                  "\n".join(listing.lines), re.M):
        if goal in goals:
            needed += files.split()
    if needed:
        print("== building what the suites need", flush=True)
        children.run([Build([*MAKE, "-k", f"-j{args.jobs}",
                             *dict.fromkeys(needed)], ENVIRONMENT)], 1)


def leave_out(suites, path):
    """Those of the suites that can run here. PATH has lines "PATTERN REASON" of
    those that cannot: each of them is one skipped point."""
    reasons = [line.split(None, 1) for line in path.read_text().splitlines()
               if line] if path else []
    for suite in suites:
        for pattern, reason in reasons:
            if fnmatch.fnmatchcase(suite.name, pattern):
                suite.skip(reason)
                suite.show("")
                break
        else:
            yield suite


def write_junit(suites, path):
    """JUnit XML: a suite for a suite, a case for a point."""
    # only who wants it needs the library
    # pylint: disable=import-outside-toplevel
    from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, \
        TestSuite

    def clean(text):
        # what XML cannot hold
        return re.sub("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]",
                      "\ufffd", text)

    xml = JUnitXml("utf8val")
    for suite in suites:
        group = TestSuite(suite.name)
        cases = []
        for name, kind, detail in suite.points:
            case = TestCase(clean(name), f"utf8val.{suite.name}")
            if kind == "failed":
                failure = Failure("not ok")
                failure.text = clean(detail)
                case.result = [failure]
            elif kind == "skipped":
                case.result = [Skipped(clean(detail))]
            cases.append(case)
        for fault in suite.faults:
            case = TestCase("the whole suite", f"utf8val.{suite.name}")
            case.result = [Error(clean(fault))]
            cases.append(case)
        # at once: what they are counted into is counted anew by each call
        group.add_testcases(cases)
        # after the cases, which count into it
        group.time = round(suite.seconds, 1)
        xml.append(group)
    xml.write(str(path), pretty=True)


def agreement(suites):
    """Whether all suites that tell a count tell the same, as a point or not."""
    told = {}
    for suite in suites:
        for text in suite.told:
            told.setdefault(text, []).append(suite.name)
    if not told:
        return []
    result = Suite("agreement")
    result.points = [("one count in all suites",
                      "passed" if len(told) == 1 else "failed",
                      "".join(f"{text}: {len(names)} suites"
                              + (f" ({' '.join(names)})" if len(told) > 1
                                 else "") + "\n"
                              for text, names in told.items()))]
    result.show("their own logs")
    return [result]


def positive(kind):
    """For argparse: a number of a kind, above 0."""
    def number(text):
        value = kind(text)
        if not value > 0:
            raise argparse.ArgumentTypeError(f"{text} is not above 0")
        return value
    return number


def main():
    # what suites print may be beyond the terminal's character set
    sys.stdout.reconfigure(errors="backslashreplace")
    parser = argparse.ArgumentParser(
        description="Run suites that print TAP and count their points.")
    parser.add_argument("suites", nargs="+", metavar="SUITE")
    parser.add_argument("--logs", metavar="DIR", type=pathlib.Path,
                        default=pathlib.Path("build/logs"))
    parser.add_argument("--agree", metavar="AGREE", default="")
    parser.add_argument("--jobs", metavar="N", type=positive(int),
                        default=os.cpu_count() + 1,
                        help="suites side by side (default: one more than there are"
                        " processors, as most wait now and then)")
    parser.add_argument("--silence", metavar="SECONDS", type=positive(float),
                        default=math.inf,
                        help="end a suite that says nothing for so long")
    parser.add_argument("--farewell", metavar="SECONDS", type=positive(float),
                        default=10,
                        help="which a suite gets to clear away what it made"
                        " (default: %(default)s)")
    parser.add_argument("--alone", metavar="PATTERN", action="append",
                        default=[], help="suites that run by themselves")
    parser.add_argument("--first", metavar="GOAL", action="append", default=[],
                        help="a make goal to build before")
    parser.add_argument("--skips", metavar="FILE", type=pathlib.Path,
                        help="what cannot run here, as from deps.sh --skips")
    parser.add_argument("--junit", metavar="FILE", type=pathlib.Path,
                        help="write the results there as JUnit XML")
    args = parser.parse_args()
    if args.junit:
        # before half an hour has passed
        if not importlib.util.find_spec("junitparser"):
            parser.error("--junit: python3-junitparser is missing; "
                         "'make deps-check' installs it")
        try:
            args.junit.parent.mkdir(parents=True, exist_ok=True)
            # an earlier run's results are not this one's
            args.junit.write_bytes(b"")
        except OSError as error:
            parser.error(f"--junit: {error}")
    try:
        args.logs.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"--logs: {error}")
    begin = time.monotonic()
    suites = [Suite(name) for name in args.suites]
    able = list(leave_out(suites, args.skips))
    if able:
        run_all(able, args)
    suites += agreement(suites)
    slowest = sorted(able, key=lambda s: -s.seconds)[:SLOWEST]
    print("== slowest: " + ", ".join(f"{s.name} {s.seconds:.0f} s"
                                     for s in slowest))
    print(f"== {time.monotonic() - begin:.0f} s in all")
    passed, failed, skipped = (sum(getattr(s, kind) for s in suites)
                               for kind in ("passed", "failed", "skipped"))
    tail = f", {skipped} skipped" if skipped else ""
    if args.junit:
        try:
            write_junit(suites, args.junit)
        except OSError as error:
            print(f"tally: {args.junit} could not be written: {error}",
                  file=sys.stderr)
            failed += 1
    print(f"{passed} passed, {failed} failed{tail}")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Stopped as stopped:
        sys.exit(128 + stopped.args[0])
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # nobody reads it any more, and Python is not to try once more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
