#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Run Frama-C/WP on the contracts and count the goals.

Fails when a goal is unproved, and when a function has fewer goals than
proof/goals.txt says: a contract that has been removed cannot fail otherwise.

usage: proof/prove.py [--tap | --update] [--root DIR]
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROVERS = "z3,cvc4"
WP = ["-c11", "-machdep", "x86_64", "-wp", "-wp-rte", "-wp-model", "Typed+Cast",
      "-wp-par", "2", "-wp-cache", "none", "-kernel-warn-key",
      "annot-error=abort"]
# lemmas about bits are shown value by value: the range tactic makes the cases
RANGE = ["-wp-prover", f"tip,{PROVERS}", "-wp-auto", "wp:range",
         "-wp-auto-width", "300", "-wp-auto-depth", "3"]
GOAL = re.compile(r"^\[wp\] \[.+?\] Goal (\S+)(.*)")


def settings():
    """What is proved: file, options, by name of the part."""
    parts = {}
    for line in (HERE / "parts.txt").read_text().splitlines():
        line = line.split("#")[0].split()
        if line:
            parts[line[0]] = (line[1], line[2:])
    return parts


def wp(root, part, source, options, timeout, work):
    """Goals of one run, as name: proved."""
    session = tempfile.mkdtemp(dir=work)
    options = [word for option in options
               for word in (RANGE if option == "RANGE" else [option])]
    if "-wp-prover" not in options:
        options += ["-wp-prover", PROVERS]
    command = ["frama-c", *WP, "-wp-session", session, "-wp-timeout",
               str(timeout), *options, str(root / "proof" / source)]
    run = subprocess.run(command, capture_output=True, text=True,
                         env=dict(os.environ, WHY3CONFIG=f"{work}/why3.conf"))
    goals = {}
    for line in run.stdout.splitlines():
        match = GOAL.match(line)
        if match:
            goals[match[1]] = ": Valid" in match[2]
    total = re.search(r"^\[wp\] Proved goals:\s*(\d+) / (\d+)", run.stdout, re.M)
    if run.returncode or not total:
        print(run.stdout, run.stderr, sep="\n", file=sys.stderr)
        raise SystemExit(f"prove: frama-c failed on part {part}")
    if int(total[1]) != int(total[2]):
        goals.setdefault(f"{part}: some goal", False)
    return goals


def owner(goal):
    """The function, or the lemma, that a goal is about."""
    name = re.sub(r"^typed(_cast)?_", "", goal)
    if name.startswith("lemma_"):
        return name
    match = re.match(r"(.+?)_(ensures|assigns|loop|call|assert|requires|"
                     r"terminates|exits|complete|disjoint|check|variant)", name)
    return match[1] if match else name


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tap", action="store_true")
    parser.add_argument("--update", action="store_true",
                        help="write goals.txt anew")
    parser.add_argument("--root", type=pathlib.Path, default=HERE.parent,
                        help="where the sources are")
    parser.add_argument("--timeout", type=int, default=60,
                        help="seconds a prover has for one goal")
    parser.add_argument("parts", nargs="*")
    arguments = parser.parse_args()

    parts = settings()
    chosen = arguments.parts or list(parts)
    counts = collections.Counter()
    unproved = []
    with tempfile.TemporaryDirectory() as work:
        subprocess.run(["why3", "-C", f"{work}/why3.conf", "config", "detect"],
                       check=True, capture_output=True)
        for part in chosen:
            source, options = parts[part]
            for goal, proved in wp(arguments.root, part, source, options,
                                   arguments.timeout, work).items():
                counts[f"{part} {owner(goal)}"] += 1
                if not proved:
                    unproved.append(goal)

    wanted = {}
    if not arguments.update:
        for line in (HERE / "goals.txt").read_text().splitlines():
            part, name, number = line.split()
            if part in chosen:
                wanted[f"{part} {name}"] = int(number)
    else:
        lines = {line for line in (HERE / "goals.txt").read_text().splitlines()
                 if line.split()[0] not in chosen}
        lines |= {f"{name} {number}" for name, number in counts.items()}
        (HERE / "goals.txt").write_text("".join(
            f"{line}\n" for line in sorted(lines)))
    missing = [f"{name}: {counts[name]} goals, expected {number}"
               for name, number in wanted.items() if counts[name] != number]
    missing += [f"{name}: not in goals.txt" for name in counts
                if wanted and name not in wanted]

    if arguments.tap:
        names = sorted(wanted)
        print(f"1..{len(names)}")
        for number, name in enumerate(names, 1):
            bad = [goal for goal in unproved
                   if owner(goal) == name.split()[1]]
            bad += [text for text in missing if text.startswith(name + ":")]
            print(f"{'not ok' if bad else 'ok'} {number} - proof of {name}, "
                  f"{counts[name]} goals")
            for text in bad:
                print(f"# {text}")
    else:
        for goal in unproved:
            print(f"unproved: {goal}")
        for text in missing:
            print(text)
    total = sum(counts.values())
    print(f"{'# ' if arguments.tap else ''}{total} goals, "
          f"{total - len(unproved)} proved")
    return 1 if unproved or missing else 0


if __name__ == "__main__":
    sys.exit(main())
