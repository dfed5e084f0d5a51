# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""The provers of WP's goals, the scripts for its tactics, and what is put right in WP.

The provers of a part take turns (chain.sh); to why3 such a chain is one prover.
One after another they take half of the processor time that they take at once:
WP need not write a goal down for each, and those that would never end are not begun.
"""
import collections
import hashlib
import json
import pathlib
import shutil
import subprocess

from sources import rewrite, rows, settings

CHAIN = pathlib.Path(__file__).resolve().parent / "chain.sh"
SHIFTS = CHAIN.with_name("shifts.ml")
# The seconds that why3 gives a chain for each unit of steps, which a chain never needs.
PATIENCE = 60
PROVER = """
[prover]
name = "%s"
version = "%s"
command = "%s %s %s %%t %%f %s"
driver = "z3_471"
editor = ""
in_place = false
interactive = false
"""
PROVERS = "plain,cvc4"
# For goals about recursive definitions, of which one prover proves a goal at once where
# another never ends. Lemmas are mostly proved by one of the first three, functions by
# the lazy one.
INDUCTION = ["-wp-timeout", "20", "-wp-prover", "script,cvc4,plain,lazy,eager"]
RECURSION = ["-wp-timeout", "20", "-wp-prover", "script,lazy,cvc4,plain"]
# Lemmas about bits are proved value by value: the range tactic makes the cases. The
# provers prove the lemmas that they can in no time.
RANGE = ["-wp-timeout", "1", "-wp-prover", "tip,cvc4", "-wp-auto",
         "wp:range", "-wp-auto-width", "300", "-wp-auto-depth", "3"]
MACROS = {"RANGE": RANGE, "INDUCTION": INDUCTION, "RECURSION": RECURSION}
# These names are no provers: they make goals of a goal.
TACTICS = ("script", "tip")
# The seconds that why3 gives a chain for a smoke test: half a unit of steps (chain.sh).
# Of the contradictions in mutants/checks.txt, a fifth of a unit finds one, half both.
SMOKE = 30


def expanded(options):
    """The words that the names of MACROS stand for in their places."""
    return [word for option in options for word in MACROS.get(option, [option])]


def without_provers(options):
    """The options that make the same goals, without a prover."""
    words = expanded(options)
    # Frama-C joins the names of several -wp-prover.
    return [word for before, word in zip(["", *words], words)
            if "-wp-prover" not in (before, word)] + ["-wp-prover", "none"]


def chain(names):
    """The name of a chain of provers for why3."""
    return "chain_" + "_".join(names)


def for_wp(options):
    """Options for Frama-C: macros expanded, a chain in the place of provers, and
    why3's seconds in that of units of steps."""
    words = expanded(options)
    if "-wp-prover" not in words:
        words += ["-wp-prover", PROVERS]
    for at, (before, word) in enumerate(zip(["", *words], words)):
        if before == "-wp-prover" and word not in ("none", "qed"):
            names = word.split(",")
            words[at] = ",".join(
                [name for name in names if name in TACTICS] +
                [chain([name for name in names if name not in TACTICS])])
        elif before == "-wp-timeout":
            words[at] = str(PATIENCE * int(word))
    return words


def chains():
    """The chains that some part needs."""
    wanted = {PROVERS}
    for _, options in settings().values():
        words = expanded(options)
        wanted |= {word for before, word in zip(words, words[1:])
                   if before == "-wp-prover"}
    return {tuple(name for name in names.split(",") if name not in TACTICS)
            for names in wanted}


def prepare(work):
    """Make what Frama-C loads, shifts.cmxs, and why3's configuration, why3.conf, in the
    directory of which chain.sh tells what else will be there."""
    load_shifts(pathlib.Path(work))
    path = pathlib.Path(work) / "why3.conf"
    subprocess.run(["why3", "-C", path, "config", "detect"], check=True,
                   capture_output=True)
    # why3 splits its command at spaces
    link = path.with_name(CHAIN.name)
    link.symlink_to(CHAIN)
    first = path.with_name("first")
    first.mkdir()
    for prover, units, *keys in rows("parts/first.txt"):
        for key in keys:
            (first / key).write_text(f"{prover} {units}\n")
    with open(path, "a", encoding="ascii") as config:
        key = version()
        for names in sorted(chains()):
            config.write(PROVER % (chain(names), key, link, work, PATIENCE,
                                   " ".join(names)))


def said(*command):
    """What a program prints, without the end of the line."""
    return subprocess.run(command, check=True, text=True,
                          capture_output=True).stdout.strip()


def programs():
    """The files whose code makes a goal or proves it."""
    yield from (shutil.which(name) for name in ("frama-c", "why3", "z3", "cvc4"))
    yield f"{said('frama-c', '-print-plugin-path')}/top/Wp.cmxs"
    yield from sorted(pathlib.Path(said("frama-c", "-print-share-path"), "wp").rglob("*.*"))


def version():
    """The version of a prover to why3: the result of another build of a program, or of
    another chain, is no result of this one."""
    contents = hashlib.sha256()
    for program in (*programs(), CHAIN, SHIFTS):
        contents.update(pathlib.Path(program).read_bytes())
    return contents.hexdigest()[:16]


def load_shifts(work):
    """Compile shifts.ml against this Frama-C."""
    shutil.copy(SHIFTS, work)
    ocaml = said("ocamlopt", "-where")
    folders = [said("frama-c", "-print-lib-path"), said("frama-c", "-print-plugin-path"),
               f"{ocaml}/zarith", f"{ocaml}/ocamlgraph", f"{ocaml}/why3"]
    run = subprocess.run(
        ["ocamlopt", "-shared", *(word for each in folders for word in ("-I", each)),
         SHIFTS.name, "-o", "shifts.cmxs"], cwd=work, text=True, capture_output=True,
        check=False)
    if run.returncode:
        raise SystemExit(f"prove: this Frama-C cannot be put right by {SHIFTS.name}\n"
                         f"{run.stderr}")


def learn(work):
    """Write first.txt anew, from what the provers of a run have found."""
    lines = collections.defaultdict(list)
    for line in sorted(set((pathlib.Path(work) / "found").read_text().splitlines())):
        key, prover, units = line.split()
        lines[prover, int(units)].append(key)
    rewrite("parts/first.txt", (f"{prover} {units} {' '.join(keys)}"
                                for (prover, units), keys in sorted(lines.items())))


def variable(name):
    """An integer of a lemma as the scripts of WP name it; or a number."""
    if name.isdigit():
        return {"select": "kint", "val": name}
    return {"select": "inside-goal", "occur": 0, "target": f"{name}_0",
            "pattern": f"${name}"}


def write_scripts(folder):
    """WP's scripts for the lemmas of proof/parts/tactics.txt."""
    folder.mkdir()
    for lemmas, tactic, *words in rows("parts/tactics.txt"):
        if tactic == "induction":
            script = {"header": "Induction", "tactic": "Wp.induction",
                      "params": {"base": variable(words[1])},
                      "select": variable(words[0])}
        else:
            script = {"header": "Definition", "tactic": "Wp.unfold", "params": {},
                      "select": {"select": "inside-goal", "occur": 0,
                                 "target": f"(L_{' '.join(words)})",
                                 "pattern": f"L_{''.join(words)}"}}
        for lemma in lemmas.split(","):
            (folder / f"lemma_{lemma}.json").write_text(
                json.dumps([script | {"children": {}}]))
