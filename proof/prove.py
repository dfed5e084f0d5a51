#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Prove the rows of proof/README.md's table with CBMC, for `make proof` and the suite proof.

A row is a function prove_ROW() in a file of proof/. rows.txt has that file, the engines,
for each of which the row is proved (engines=), functions whose contract the row proves
(proves=) or relies on (uses=), and the loops that have no contract because they are short,
with a bound on their rounds (loops=FUNCTION.NUMBER:ROUNDS,...), a difference of pointers
that may be negative, which CBMC takes for an overflow (but=), and kinds of properties,
each of which CBMC is to prove by itself, where all at once take too long (alone=).
Compilers order null pointers, which C does not: a row may do without that (nulls=ordered).

A row is proved if CBMC finds that every assertion and every check of memory, pointers,
arithmetic and shifts holds, except for those that stand behind each assertion, in loops,
and at the row's end, which must fail: where no input gets there, nothing was shown.
"""
import argparse
import concurrent.futures
import functools
import graphlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROOF = ROOT / "proof"
VERSION = 6			# before, checks had other defaults
RELEASE = "trixie"		# the first Debian that has this version
TIMEOUT = 200			# seconds of processor time for one row
MEMORY = 6 << 30
CHECKS = ["--no-standard-checks", "--bounds-check", "--pointer-check",
          "--pointer-overflow-check", "--pointer-primitive-check",
          "--signed-overflow-check", "--undefined-shift-check", "--div-by-zero-check",
          "--unwinding-assertions"]
HARNESS_LOOPS = ("know_run.0:17", "know_steps.0:17", "know_order.0:4", "rfc_unit.0:5",
                 "know_owner.0:5")
HARNESS_ROUNDS = 17		# of loops in proof/, which CBMC checks to be enough
OPTIONS = ("engines", "proves", "uses", "loops", "but", "alone", "nulls")
# kernel/core.c stands here as a kernel has it, without names for its loops
KERNEL_LOOPS = {
    "for (; len - at >= 8; at += 8)": "text_eight",
    "for (; at < len; at++)": "text_byte",
    "for (at = 0; len - at >= 16; at += 16)": "valid_ascii",
    "for (at = 0; at < len; at++)": "check",
}
REACHED, ASSERTED = "reached", "asserted"	# by REACHED(), and behind each PROVED()
MOST_LINES = 12			# of the properties that fail
# what only CBMC sees, or what it does not see: assembly that has instructions
UNSEEN = re.compile(r'CPROVER|PROOF_|def.*UTF8VAL_(LOOP|FUNCTION)\b|asm(__)?\b(?!( volatile)?\("" *:)')
# functions that may see where text lies, since their rows have it at each place
SEE_PLACE = ("utf8val_to_aligned", "entry_is_bad")
HOLDERS = ("pointer", "struct_tag", "union_tag")	# types that may have a pointer's bytes
PASSED = ("tag-bytes", "tag-name", "tag-dentry")	# what the guard passes on as a whole
NO_CONTRACT = re.compile(r"^loop (\S+?)(?:_wrapped_for_contract_checking)?(\.\d+) does not "
                         r"have a contract", re.M)


class Refused(Exception):
    """A row that is not proved, and why."""


class NoAnswer(Refused):
    """A row of which CBMC says nothing: of a mutant that shows nothing."""


def fetched():
    """The folder of Debian's CBMC, and what runs programs with its own libraries."""
    places = subprocess.run(
        [ROOT / "tools/fetch.sh", "--follow", "minisat|^libc6$|stdc|gcc-s1|zlib1g",
         RELEASE, "cbmc"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    loader, binary, libraries = (
        [path for place in places for path in sorted(pathlib.Path(place).rglob(name))]
        for name in ("ld-linux-x86-64.so.2", "bin/cbmc", "lib*.so.*"))
    if not loader or not binary or not libraries:
        raise SystemExit("prove: the packages of CBMC that tools/fetch.sh unpacked lack it")
    return binary[0].parent, [str(loader[0]), "--library-path",
                              ":".join(sorted({str(path.parent) for path in libraries}))]


@functools.cache
def programs():
    """CBMC's programs: those of the system if they are new enough, or Debian 13's."""
    if found := shutil.which("cbmc"):
        said = subprocess.check_output([found, "--version"], text=True)
        if said.startswith(f"{VERSION}."):
            return pathlib.Path(found).parent, []
    return fetched()


limits = {"cpu": TIMEOUT, "verbose": False}


def run(name, *arguments, want=0):
    """Run one of CBMC's programs; its standard output."""
    folder, loader = programs()
    if limits["verbose"]:
        print("#", *loader, folder / name, *arguments, file=sys.stderr, flush=True)
    done = subprocess.run(["prlimit", f"--cpu={limits['cpu']}", f"--as={MEMORY}", *loader,
                           folder / name, *map(str, arguments)],
                          capture_output=True, text=True, check=False)
    if done.returncode < 0:
        raise NoAnswer(f"{name}: no answer in {limits['cpu']} s of processor time")
    if done.returncode not in (want, 0):
        raise NoAnswer(f"{name}: {(done.stderr + done.stdout).strip()[-800:]}")
    return done.stdout + ("" if "--json-ui" in arguments else done.stderr)


def table():
    """The rows of the page's table and of rows.txt, by name."""
    rows = {}
    for line in (PROOF / "README.md").read_text().splitlines():
        cells = [each.strip() for each in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 4:
            for name in cells[0].split():
                rows[name.strip("`")] = {"row": name.strip("`"), "seconds": float(cells[-1])}
    listed = [line.split() for line in (PROOF / "rows.txt").read_text().splitlines()
              if line and not line.startswith("#")]
    if sorted(rows) != sorted(name for name, *_ in listed):
        raise SystemExit("prove: README.md and rows.txt have different rows")
    for name, file, *options in listed:
        rows[name].update({option: [] for option in OPTIONS}, file=file)
        for each in options:
            option, equals, text = each.partition("=")
            if not equals or option not in OPTIONS:
                raise SystemExit(f"prove: rows.txt: row {name}: unknown option '{each}'")
            rows[name][option] = text.split(",")
    return rows


def contracts(rows, option):
    """The contracts that rows prove or use: for which row, file, engine and function."""
    for row in rows.values():
        for engine in row["engines"] or [""]:
            for function in row[option]:
                yield row["row"], (row["file"], engine, function)


def check_contracts(rows):
    """Refuse contracts that a row uses and no row of its file and engine proves first."""
    proved = {contract for _, contract in contracts(rows, "proves")}
    order = graphlib.TopologicalSorter()
    for name, (file, engine, function) in contracts(rows, "uses"):
        if (file, engine, function) not in proved:
            raise SystemExit(f"prove: row {name} uses the contract of {function} in {file}"
                             f"{' with the engine ' * bool(engine)}{engine}, which no row proves")
        for each in rows[name]["proves"]:
            order.add((file, engine, each), (file, engine, function))
    try:
        order.prepare()
    except graphlib.CycleError as circle:
        raise SystemExit(f"prove: rows prove contracts by each other: {circle}") from circle


def name_kernel_loops(root, work):
    """Write a copy of kernel/core.c whose loops have the names of their contracts."""
    text = (root / "kernel/core.c").read_text()
    for head, name in KERNEL_LOOPS.items():
        if text.count(head) != 1:
            raise SystemExit(f"prove: kernel/core.c must have '{head}' once")
        text = text.replace(head, f"{head} UTF8VAL_LOOP({name})")
    (work / "kernel").mkdir()
    (work / "kernel/core.c").write_text(text)


def build(root, row, engine, work):
    """The program of a row, with the contracts of loops and functions applied."""
    name = "prove_" + row["row"]
    for path in (root / "utf8val.c", root / "kernel/core.c", *root.glob("[ef]*/*.[ch]")):
        if path.name != "loop.h" and (unseen := UNSEEN.search(path.read_text())):
            raise Refused(f"{path}: CBMC does not see what programs do at '{unseen[0]}'")
    name_kernel_loops(root, work)
    run("goto-cc", "-std=gnu11", f"-I{work}", f"-I{root}", f"-I{root}/proof",
        f"-I{root}/tests/kernel", f"-I{root}/kernel", f"-I{root}/kernel/include",
        *([f"-DUTF8VAL_ENGINE_{engine.upper()}=1"] if engine else []),
        "--function", name, "-o", work / "a", root / "proof" / row["file"])
    run("goto-instrument", "--add-library", work / "a", work / "b")
    run("goto-instrument", "--drop-unused-functions", work / "b", work / "c")
    check_places(root, run("goto-instrument", "--show-goto-functions", "--json-ui", work / "c"))
    # contracts take loops that have none only when these are unrolled before
    run("goto-instrument", "--unwindset", ",".join([*row["loops"], *HARNESS_LOOPS]),
        "--unwinding-assertions", work / "c", work / "u")
    said = run("goto-instrument", "--dfcc", name,
               *(each for f in row["proves"] for each in ("--enforce-contract", f)),
               *(each for f in row["uses"] for each in ("--replace-call-with-contract", f)),
               "--apply-loop-contracts", "--loop-contracts-no-unwind", work / "u", work / "d")
    check_loops(root, row, {"".join(each) for each in NO_CONTRACT.findall(said)},
                run("goto-instrument", "--show-loops", "--json-ui", work / "c"))
    return work / "d"


def check_loops(root, row, without, loops):
    """Refuse loops of shipped sources that have neither a contract nor a bound."""
    listed = {each.rpartition(":")[0] for each in row["loops"]}
    for loop in parsed(loops, "loops"):
        place = loop["sourceLocation"]
        file = root / place.get("file", "proof")
        if loop["name"] in without - listed and root / "proof" not in (file, *file.parents):
            raise Refused(f"loop {loop['name']} ({file}:{place['line']}) has neither a "
                          "contract nor a bound")


def shows_place(node):
    """Does an expression make a number of a pointer, or of a pointer's bytes in memory?"""
    name, parts = node.get("id"), node.get("sub", [])
    types = [each["namedSub"]["type"] for each in (*parts[:1], node)
             if name in ("member", "union", "typecast")]
    old, new = [each["id"] for each in types] or (None, None)
    if name == "typecast" and old == new == "pointer":
        old, new = (each["sub"][0] for each in types)
        shows = old["id"] == "pointer" or (old["id"] in HOLDERS and new["id"] not in HOLDERS and
                                           old["namedSub"]["identifier"]["id"] not in PASSED)
    elif name == "typecast":
        shows = "pointer" in (old, new) and new != "c_bool" and parts[0]["id"] != "constant"
    else:
        shows = "union_tag" == (new if name == "union" else old) and {old, new} & {*HOLDERS[:2]}
    return bool(shows) or any(map(shows_place, parts))


def check_places(root, functions):
    """Refuse code that sees where a text lies: a row's program has it at one place of many."""
    for function in parsed(functions, "functions"):
        for step in function.get("instructions", []):
            place = re.search(r" file ([^<]\S*) line (\d+)", step["instruction"])
            if place and root / "proof" not in pathlib.Path(place[1]).parents and \
                    function["name"] not in SEE_PLACE and shows_place(
                        {"sub": [step.get("guard", {}), *step.get("operands", [])]}):
                raise Refused(f"{place[1]}:{place[2]}: {function['name']}() makes a number of "
                              "a pointer, which may be another one in another place")


def parsed(said, key):
    """What CBMC's JSON has of one key."""
    return [each for part in json.loads(said) for each in part.get(key, [])]


def parts(names, alone, some):
    """Options for each run of CBMC: one for each property of these kinds, and the rest."""
    found = [name for name in names if name.split(".")[-2] in alone]
    rest = [name for name in names if (found or some) and name not in found]
    return [[each for name in part for each in ("--property", name)]
            for part in (rest, *([name] for name in found))]


def prove(root, row, engine):
    """Prove a row for an engine, or raise Refused, which says why it is not proved."""
    name = "prove_" + row["row"]
    with tempfile.TemporaryDirectory() as place:
        work = pathlib.Path(place)
        program = build(root, row, engine, work)
        command = [program, "--json-ui", *CHECKS, "--slice-formula", "--object-bits", 8,
                   "--unwind", HARNESS_ROUNDS,
                   *(["--unwindset", ",".join(row["loops"])] if row["loops"] else [])]
        listed = parsed(run("cbmc", *command, "--show-properties"), "properties")
        names = {each["name"] for each in listed
                 if not row["nulls"] or not each["description"].startswith("pointer relation: ")}
        results = [each for part in parts(sorted(names), row["alone"], row["nulls"])
                   for each in parsed(run("cbmc", *command, *part, want=10), "result")]
    if unknown := sorted(names - {each["property"] for each in results}):
        raise NoAnswer(f"CBMC says nothing of {', '.join(unknown[:MOST_LINES])}")
    fails = [each for each in results if each["description"] in (REACHED, ASSERTED)]
    wrong = [each for each in results if each not in fails and each["status"] != "SUCCESS"]
    for text in row["but"]:
        let_pass = [each for each in wrong if each["description"].replace(" ", "").endswith(
            f"overflowonsigned-in{text}")]
        if len(let_pass) != 1:
            raise Refused(f"not one false overflow in {text}, but {len(let_pass)}")
        wrong.remove(let_pass[0])
    if wrong:
        # after an error in the solver, as without memory, nothing is known of anything
        shown = [each for each in wrong if each["status"] == "FAILURE"]
        raise (Refused if shown else NoAnswer)("\n".join(
            [f"{each['sourceLocation'].get('file', '?')}:"
             f"{each['sourceLocation'].get('line', '?')}: {each['description']}: "
             f"{each['status'].lower()}" for each in (shown or wrong)[:MOST_LINES]] +
            [f"{len(wrong)} properties in all"]))
    row_s = [each for each in fails if each["sourceLocation"].get("function") == name]
    if sum(each["description"] == REACHED for each in row_s) != 1:
        raise Refused(f"{name}() must have REACHED() once, at its end")
    for each in fails:
        # models of helpers have assertions that only some of their rows reach
        is_needed = each["description"] == REACHED or each in row_s
        if is_needed and each["status"] != "FAILURE":
            raise Refused(f"{each['sourceLocation']['file']}:{each['sourceLocation']['line']}: "
                          "no input reaches this: nothing is shown")


def judge(root, row):
    """What happened to a row: None if it is proved, or why not; and how long it took."""
    start = time.monotonic()
    for engine in row["engines"] or [""]:
        try:
            prove(root, row, engine)
        except Refused as why:
            return why, time.monotonic() - start
    return None, time.monotonic() - start


def mutants():
    """The changes of mutants.txt: row, path, old, new."""
    found = []
    for line in (PROOF / "mutants.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            row, path, change = line.split(None, 2)
            old, arrow, new = change.partition(" -> ")
            if not arrow:
                raise SystemExit(f"prove: mutants.txt: no ' -> ' in '{line}'")
            found.append((row, path, *(each.replace("\\n", "\n").replace("\\t", "\t")
                                       for each in (old, new))))
    return found


def stale(rows):
    """What is wrong with mutants.txt: text that is not there, or a row without two."""
    changes = mutants()
    for row, path, old, new in changes:
        if old == new or old not in (ROOT / path).read_text():
            yield f"{path} has no '{old}' to change"
        if row not in rows:
            yield f"README.md has no row {row}"
    for row in rows:
        if sum(change[0] == row for change in changes) < 2:
            yield f"row {row} has less than two mutants"


def copy_of(path, old, new, place):
    """A copy of the sources in which the first @old of a file is @new."""
    for folder in ("engine", "forms", "kernel", "bpf", "proof", "tests/kernel"):
        shutil.copytree(ROOT / folder, place / folder, symlinks=True)
    for file in ROOT.glob("utf8val.[ch]"):
        shutil.copy(file, place)
    text = (place / path).read_text()
    if old not in text:
        raise SystemExit(f"prove: mutants.txt: {path} has no '{old}'")
    (place / path).write_text(text.replace(old, new, 1))


def caught(rows, change):
    """Is a row refused when its sources are broken, and what for?"""
    row, path, old, new = change
    with tempfile.TemporaryDirectory() as place:
        copy_of(path, old, new, pathlib.Path(place))
        why, _ = judge(pathlib.Path(place), rows[row])
    return why is not None and not isinstance(why, NoAnswer), \
        str(why or "it is proved").splitlines()[0]


def tap(ok, number, name, why):
    print(f"{'ok' if ok else 'not ok'} {number} - {name}",
          *(f"# {line}" for line in str(why or "").splitlines()), sep="\n", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutants", action="store_true",
                        help="make the changes of mutants.txt, one at a time")
    parser.add_argument("--stale", action="store_true",
                        help="only check that mutants.txt fits the sources and the table")
    parser.add_argument("--verbose", action="store_true", help="print CBMC's commands")
    parser.add_argument("--timeout", type=int, default=TIMEOUT,
                        help="seconds of processor time for one program of a row")
    parser.add_argument("rows", nargs="*", help="all without any")
    arguments = parser.parse_args()
    limits.update(cpu=arguments.timeout, verbose=arguments.verbose)
    rows = table()
    check_contracts(rows)
    if arguments.stale:
        return "\n".join(f"prove: mutants.txt: {line}" for line in stale(rows)) or 0
    if unknown := set(arguments.rows) - rows.keys():
        parser.error(f"proof/README.md has no row {' '.join(sorted(unknown))}")
    programs()			# which complains if there are none
    names, failed = arguments.rows or list(rows), 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        if arguments.mutants:
            changes = [each for each in mutants() if each[0] in names]
            print(f"1..{len(changes)}")
            judged = pool.map(functools.partial(caught, rows), changes)
            for number, (change, (good, why)) in enumerate(zip(changes, judged), 1):
                row, path, old, new = change
                tap(good, number, f"{row} fails with {path}: {old!r} -> {new!r}", why)
                failed += not good
        else:
            print(f"1..{len(names)}")
            # the longest first, so that none is left over at the end
            judged = {pool.submit(judge, ROOT, rows[name]): name for name in
                      sorted(names, key=lambda name: -rows[name]["seconds"])}
            for number, done in enumerate(concurrent.futures.as_completed(judged), 1):
                name, (why, took) = judged[done], done.result()
                tap(why is None, number, f"proof {name} ({took:.1f} s)", why)
                failed += why is not None
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
