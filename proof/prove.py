#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Run Frama-C/WP on the contracts and count the goals.

Fails when a goal is unproved, and when a function has fewer goals than
proof/goals.txt says: a contract that has been removed cannot fail otherwise.

usage: proof/prove.py [--tap | --update] [--root DIR]
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

HERE = pathlib.Path(__file__).resolve().parent
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
# goals, or provers of one, at once: a goal shall not wait for those that never end
WP = ["-c11", "-wp", "-wp-rte", "-wp-model", "Typed+Cast",
      "-wp-par", "4", "-wp-cache", "none", "-kernel-warn-key",
      "annot-error=abort"]
# lemmas about bits are shown value by value: the range tactic makes the cases;
# what a prover can do of them at all takes it no time
RANGE = ["-wp-timeout", "5", "-wp-prover", f"tip,{PROVERS}", "-wp-auto",
         "wp:range", "-wp-auto-width", "300", "-wp-auto-depth", "3"]
MACROS = {"RANGE": RANGE, "INDUCTION": INDUCTION, "RECURSION": RECURSION}
GOALS_HEAD = """# SPDX-License-Identifier: GPL-2.0-only OR MIT
# How many goals there are, by part and function: proof/prove.py --update PART
"""
# a declaration and the contract before it
CONTRACT = re.compile(r"/\*@(?:(?!\*/).)*?\*/\n(?=[^;/]*?\b(\w+)\([^;]*;)", re.S)
GOAL = re.compile(r"^\[wp\] (?:\[.+?\] )?Goal (\S+)(.*)")


class Broken(Exception):
    """Frama-C could not read the sources."""


def rows(path):
    """What a file lists, in words."""
    lines = (line.split("#")[0].split() for line in
             path.read_text().splitlines())
    return [line for line in lines if line]


def settings():
    """What is proved: file, options, by name of the part."""
    return {name: (source, options)
            for name, source, *options in rows(HERE / "parts.txt")}


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


def write_scripts(listed, folder):
    """WP's scripts for the lemmas of proof/tactics.txt."""
    folder.mkdir()
    for lemma, tactic, *words in rows(listed):
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
    write_scripts(root / "proof" / "tactics.txt", session / "script")
    return ["frama-c", *WP, "-machdep", machine, "-wp-session", str(session),
            "-wp-timeout", str(timeout), *options, source]


def wp(root, part, source, options, timeout, work, cache=None, first=False,
       machine=MACHINE):
    """Goals of one run, as name: proved; with first, up to one unproved."""
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
    total = re.search(r"^\[wp\] Proved goals:\s*(\d+) / (\d+)", output, re.M)
    if "none" in options and not run.returncode:
        return goals
    if run.returncode or not total:
        raise Broken(f"prove: frama-c failed on part {part}\n{output}")
    if int(total[1]) != int(total[2]):
        goals.setdefault(f"{part}: some goal", False)
    return goals


def owner(goal):
    """The function, or the lemma, that a goal is about."""
    name = re.sub(r"^typed(_cast)?_", "", goal)
    if name.startswith("lemma_"):
        return name
    match = re.match(r"(.+?)_(ensures|assigns|loop|call|assert|requires|"
                     r"terminates|exits|complete|disjoint|variant)", name)
    return match[1] if match else name


def functions(option_list):
    """What a part proves, when it names functions."""
    for option in option_list:
        if option.startswith("-wp-fct="):
            return option.split("=")[1].split(",")
    return []


def on_trust():
    """Lemmas and contracts that nothing proves, axioms: they'd pass for true."""
    lemmas = {row[1] for row in rows(HERE / "goals.txt")}
    names = {row[1] for row in rows(HERE / "bits.txt")}
    for _, options in settings().values():
        names.update(functions(options))
    found = set()
    for path in [*HERE.glob("*.[ch]"), *HERE.parent.glob("*.[ch]"),
                 *HERE.parent.glob("engine/*.h")]:
        text = path.read_text()
        found.update(f"lemma {name}" for name in
                     re.findall(r"\blemma (\w+)[{:]", text)
                     if f"lemma_{name}" not in lemmas)
        if path.suffix == ".h":
            found.update(f"contract of {match[1]}" for match in
                         CONTRACT.finditer(text) if match[1] not in names)
        found.update(f"{word} in {path.name}" for word in
                     re.findall(r"\b(?:axiom|admit)\w*", text))
    return sorted(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tap", action="store_true")
    parser.add_argument("--update", action="store_true",
                        help="write goals.txt anew, if all is proved")
    parser.add_argument("--root", type=pathlib.Path, default=HERE.parent,
                        help="where the sources are")
    parser.add_argument("--timeout", type=int, default=60,
                        help="seconds a prover has for one goal, where its "
                        "part does not say")
    parser.add_argument("--cache", type=pathlib.Path,
                        help="directory of what provers said before")
    parser.add_argument("--count", action="store_true",
                        help="only count the goals, prove nothing")
    parser.add_argument("--machdep", default=MACHINE, metavar="NAME",
                        help="widths of C's types, as Frama-C names them")
    parser.add_argument("parts", nargs="*")
    arguments = parser.parse_args()
    if arguments.update and arguments.count:
        parser.error("--update writes what is proved, --count proves nothing")

    if not arguments.update and on_trust():
        raise SystemExit("prove: nothing proves: " + ", ".join(on_trust()))
    parts = settings()
    chosen = arguments.parts or list(parts)
    counts = collections.Counter()
    failed = []
    with scratch.place() as work:
        why3_config(f"{work}/why3.conf")
        for part in chosen:
            source, options = parts[part]
            start = time.monotonic()
            if arguments.count:
                options = without_provers(options)
            try:
                goals = wp(arguments.root, part, source, options,
                           arguments.timeout, work, arguments.cache,
                           machine=arguments.machdep)
            except Broken as error:
                raise SystemExit(error) from error
            print(f"{part}: {len(goals)} goals, "
                  f"{time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
            for goal, proved in goals.items():
                counts[f"{part} {owner(goal)}"] += 1
                if not proved and not arguments.count:
                    failed.append(goal)

    wanted = {}
    if not arguments.update:
        for part, name, number in rows(HERE / "goals.txt"):
            if part in chosen:
                wanted[f"{part} {name}"] = int(number)
    elif failed:
        # a count with a gap in it would pass for a proof later
        print("goals.txt stays as it is: not every goal is proved",
              file=sys.stderr)
    else:
        lines = {" ".join(row) for row in rows(HERE / "goals.txt")
                 if row[0] not in chosen}
        lines |= {f"{name} {number}" for name, number in counts.items()}
        (HERE / "goals.txt").write_text(GOALS_HEAD + "".join(
            f"{line}\n" for line in sorted(lines)))
    missing = [f"{name}: {counts[name]} goals, expected {number}"
               for name, number in wanted.items() if counts[name] != number]
    missing += [f"{name}: not in goals.txt" for name in counts
                if wanted and name not in wanted]

    if arguments.tap:
        names = sorted(wanted)
        print(f"1..{len(names)}")
        for number, name in enumerate(names, 1):
            bad = [goal for goal in failed
                   if owner(goal) == name.split()[1]]
            bad += [text for text in missing if text.startswith(name + ":")]
            print(f"{'not ok' if bad else 'ok'} {number} - proof of {name}, "
                  f"{counts[name]} goals")
            for text in bad:
                print(f"# {text}")
    else:
        for goal in failed:
            print(f"unproved: {goal}")
        for text in missing:
            print(text)
    total = sum(counts.values())
    proved = ("counted only" if arguments.count else
              f"{total - len(failed)} proved")
    print(f"{'# ' if arguments.tap else ''}{total} goals, "
          f"{proved}")
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
