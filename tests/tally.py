#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Run test suites that print TAP, count their points, and say so in one line.

Each SUITE is the make goal suite-SUITE. What a suite prints is kept in
DIR/SUITE.log; failing points, skipped ones with their reasons, and a line of
counts are shown. A suite that ends with another status than 0, without a plan
or short of it, without a single point, or by "Bail out!" has failed, whatever
it counted.

Diagnostics that begin with AGREE must be the same in all suites that print one:
runners of the same tests say so how many they found.

Exit status: 0 when nothing failed, 1 otherwise, 130 when interrupted.
"""

import argparse
import pathlib
import subprocess
import sys
import time

from tap.parser import Parser


def run(suite, log_path, agree, told):
    """Run one suite: (passed, failed, skipped); told: diagnostics by text."""
    passed = failed = skipped = 0
    planned = None
    command = ["make", "--no-print-directory", "-s", f"suite-{suite}"]
    begin = time.monotonic()
    print(f"== {suite}", flush=True)
    # errors="backslashreplace": test output may hold any byte
    with open(log_path, "w", encoding="utf-8") as log, subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            encoding="utf-8", errors="backslashreplace") as process:

        def bad(text):
            nonlocal failed
            failed += 1
            print(f"   {text}", flush=True)

        tap, in_failure = Parser(), False
        for text in process.stdout:
            log.write(text)
            log.flush()
            line = tap.parse_line(text.rstrip())
            if line.category == "test":
                in_failure = not line.ok
                if line.skip:
                    skipped += 1
                    print(f"   skipped: {line.description}"
                          f" ({line.directive.text})", flush=True)
                elif line.ok:
                    passed += 1
                else:
                    bad(f"not ok {line.number or ''} {line.description}")
            elif line.category == "diagnostic":
                if in_failure:
                    print(f"     {line.text}", flush=True)
                if agree and line.text.startswith(f"# {agree}"):
                    told.setdefault(line.text, []).append(suite)
            elif line.category == "bail":
                bad(f"bailed out: {line.reason}")
            elif line.category == "plan":
                planned = line.expected_tests
        status = process.wait()
        if status and not failed:
            bad(f"ended with status {status}")
        if planned is None:
            bad("no TAP plan")
        elif planned != passed + failed + skipped and not failed:
            bad(f"{planned} points planned,"
                f" {passed + failed + skipped} seen")
        elif planned == 0:
            bad("ran no test")
    seconds = time.monotonic() - begin
    print(f"   {passed} passed, {failed} failed, {skipped} skipped"
          f" in {seconds:.0f} s", flush=True)
    if failed:
        print(f"   the whole output: {log_path}", flush=True)
    return passed, failed, skipped


def main():
    parser = argparse.ArgumentParser(
        description="Run suites that print TAP and count their points.")
    parser.add_argument("suites", nargs="+", metavar="SUITE")
    parser.add_argument("--logs", metavar="DIR", type=pathlib.Path,
                        default=pathlib.Path("build/logs"))
    parser.add_argument("--agree", metavar="AGREE", default="")
    args = parser.parse_args()
    args.logs.mkdir(parents=True, exist_ok=True)
    told = {}
    counts = [run(suite, args.logs / f"{suite}.log", args.agree, told)
              for suite in args.suites]
    passed, failed, skipped = map(sum, zip(*counts))
    if told:
        passed, failed = passed + (len(told) == 1), failed + (len(told) > 1)
        print("== agreement")
        for text, suites in told.items():
            print(f"   {text}: {len(suites)} suites", *(
                suites if len(told) > 1 else []))
    tail = f", {skipped} skipped" if skipped else ""
    print(f"{passed} passed, {failed} failed{tail}")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
