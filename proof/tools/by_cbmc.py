#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Prove by CBMC what is about bits, or bounded.

It proves the contracts of the functions of bits.txt on the source that ships: for
all inputs, as every loop and every length of these functions is bounded. A question
is written here: inputs of any value, objects as large as the contract states and not
a byte larger, what the contract requires as assumptions, the call, and what it
ensures as assertions, translated from the same text that WP reads (translate.py).
The questions of asked.txt are written in C. "rules" are those of what CBMC does not
check, aliasing and alignment, for all code (access.py), and that recursive definitions
end (measures.py).

Fails when something is unproved, when a function has no contract, when a contract
allows no input, and when CBMC was asked anything but what proof/parts/answers.txt says. With
--mutants it makes the changes of proof/mutants/bits.txt instead, one at a time, each
in a copy: the proof of the function that a line names must fail.
"""
import argparse
import collections
import concurrent.futures
import functools
import itertools
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import access
import acsl
import cbmc
import measures
import scratch
import sources
import versions
from sources import ROOT, rows
from translate import Translator, is_pointer

TIMEOUT = 300			# seconds of processor time for one question
REACHED = "an input that the contract allows returns"
VALID = re.compile(r"\\valid(_read)?\(\s*(?:\(uint8_t \*\))?(\w+)\s*\+\s*"
                   r"\(0\s*\.\.\s*(.*?)\)\)$", re.S)
# Where questions written by hand find the headers that they include.
INCLUDE = (".", "proof/spec", "kernel/include", "forms")
# The numbers of questions written by hand; 0 where a line gives no other number.
NUMBERS = ("LEN", "BEFORE", "FIRST", "ROOM", "FROM", "TO")
ENGINES = ("", "compact", "word", "fast", "kernel")
# What lines of asked.txt and bits.txt may say.
OPTION = re.compile(r"little|wide|orders|moved|solver=z3|unwind=\d+|before=\w+|loop=\S+:\d+|"
                    rf"but=\S+|(?:len|{'|'.join(NUMBERS)})=\d+\.\.\d+")
# Changes to a source, by the file of questions that includes it as changed.c: one turn
# of a loop, whose end has to stay, from any state; others' calls apart from them.
CHANGED = {
    "convert": ("forms/utf8val_forms.c", [
        ("\tsize_t need = 0;\n\tsize_t at = 0;\n", ""),
        ("\twhile (at < len) {\n\t\tuint8_t out[6];",
         "\tif (at < len) {\n\t\tuint8_t out[6];"),
        ("\t\tat += size;\n\t}\n\treturn need;", "\t\tat += size;\n\t}\n\treturn need;"),
        ("size_t need = convert(", "size_t need = ask("),
        ("\t\tconvert(from, to, dst", "\t\task(from, to, dst"),
    ]),
    "kernel": ("kernel/core.c", [
        ('#include "../', '#include "'),
        ("\t\t\treturn is_text(", "\t\t\treturn ask("),
        ("return true;\n\treturn is_text(", "return true;\n\treturn ask("),
    ]),
}
MACHINE = "x86_64"
OTHER_ORDER = "s390x"
HEAD = """
typedef __int128 Z;
void *malloc(__SIZE_TYPE__);
Z nondet_Z(void);
"""


@functools.cache
def questions():
    """What CBMC is asked, by function: by a contract, of a source that sources.py
    makes, or in C, which is a path; and options by their names."""
    found = {}
    for file, place in (("bits", "{}"), ("asked", "proof/parts/{}.c")):
        for row in rows(f"parts/{file}.txt"):
            names = row[1].split(",")
            if row[0] == "loop":
                continue
            if not all(map(OPTION.fullmatch, row[2:])) or \
                    any(name.partition("/")[2] not in ENGINES for name in names):
                raise SystemExit(f"by_cbmc: {file}.txt: what does '{' '.join(row)}' say?")
            for name in names:
                if name in found:
                    raise SystemExit(f"by_cbmc: {file}.txt has another line about {name}")
                found[name] = (place.format(row[0]),
                               dict(option.partition("=")[::2] for option in row[2:]))
                cases(found[name][1])		# which complains of none
    return found


def in_c(name):
    """Is the question about a function written in C?"""
    return questions()[name][0].endswith(".c")


def left_out(names, machine):
    """The functions of these names that are not asked about on a machine, and why."""
    found = {}
    for name in names:
        if "little" in questions()[name][1] and machine in cbmc.BIG_ENDIAN:
            found[name] = "little-endian only"
        if "wide" in questions()[name][1] and machine not in cbmc.WIDE:
            found[name] = "64 bits only"
    return found


def cases(options):
    """Numbers that are taken one by one: "len=0..7" gives eight cases."""
    ranges = {name: [int(end) for end in text.split("..")]
              for name, text in options.items() if re.fullmatch(r"\d+\.\.\d+", text)}
    if any(low > high for low, high in ranges.values()):
        raise SystemExit(f"by_cbmc: no number is in {options}")
    return [dict(zip(ranges, ((value, low, high) for value, (low, high)
                              in zip(values, ranges.values()))))
            for values in itertools.product(*(range(low, high + 1)
                                              for low, high in ranges.values()))]


class Question:
    """What CBMC is asked of one function, as a C function of its own."""

    def __init__(self, contracts, name, options, case):
        self.contract = contracts.contract(name)
        if not self.contract["ensures"]:
            raise acsl.Unsupported("a contract that ensures nothing")
        self.name = name
        self.parameters = contracts.parameters[name]
        self.result = contracts.results[name]
        self.translator = Translator(contracts)
        self.names = {}
        self.body = []
        # How far from the beginning of its memory an object may lie, for functions that
        # look at addresses.
        self.before = options.get("before", "0")
        self.case = case
        self.write()

    def put(self, *text):
        self.body += text

    def value(self, kind, name):
        self.put(f"{kind} {name};")		# any: CBMC initialises no local

    def expression(self, text):
        """An expression of the contract, as one in C."""
        chosen, condition = self.translator.clause(text, self.names)
        for each in chosen:
            self.value("Z", each)
        return condition

    def write(self):
        for kind, name in self.parameters:
            if name in self.case:
                self.put(f"const {kind} {name} = {self.case[name][0]};")
            elif not is_pointer(kind):
                self.value(kind, name)
            if not is_pointer(kind):
                self.names[name] = f"(Z){name}"
        requires = [each for text in self.contract["requires"]
                    for each in re.split(r"\s*&&\s*(?=\\valid)", text)]
        sized = {match[2]: match for match in map(VALID.match, requires) if match}
        pointers = [name for kind, name in self.parameters if is_pointer(kind)]
        for name in pointers:
            self.names[name] = {"Here": name, "Old": f"{name}_old"}
        for name, (_, low, high) in self.case.items():
            self.no_other(name, requires, low, high)
        after = []
        for text in requires:
            if VALID.match(text) or text.startswith("\\separated"):
                continue
            if "\\valid" in text:
                raise acsl.Unsupported(text)
            # Assumptions about memory stand after the objects.
            (after if any(re.search(rf"\b{p}\b", text) for p in pointers)
             else self.body).append(f"__CPROVER_assume({self.expression(text)});")
        if len(pointers) > 1 and not any(text.startswith("\\separated")
                                         for text in requires):
            raise acsl.Unsupported("pointers that may overlap")
        for name in pointers:
            size = self.expression(sized[name][3]) + " + 1" if name in sized else "0"
            self.memory(name, size)
        self.put(*after)
        for name in pointers:
            self.put(f"for (Z i = 0; i < size_{name}; i++) "
                     f"{name}_old[i] = {name}[i];")
        call = f"{self.name}({', '.join(name for _, name in self.parameters)})"
        if self.result == "void":
            self.put(call + ";")
        else:
            self.put(f"{self.result} result = {call};")
            self.names["\\result"] = "(Z)result"
        written = " ".join(self.contract["assigns"])
        for name in pointers:
            if name not in re.findall(r"\w+", written):
                self.put(f"for (Z i = 0; i < size_{name}; i++) __CPROVER_assert("
                         f'{name}[i] == {name}_old[i], "writes {name}");')
        for text in self.contract["ensures"]:
            condition = self.expression(text)
            label = re.sub(r"\s+", " ", text).replace("\\", "").replace('"', "")
            self.put(f'__CPROVER_assert({condition}, "ensures {label}");')
        self.put(f'__CPROVER_assert(0, "{REACHED}");')

    def no_other(self, name, requires, low, high):
        """Ask whether the contract allows no length beside the cases."""
        mine, self.names[name] = self.names[name], f"(Z)any_{name}"
        wanted = [self.expression(text) for text in requires
                  if re.search(rf"\b{name}\b", text) and "\\" not in text]
        self.names[name] = mine
        self.put(f"__SIZE_TYPE__ any_{name};",
                 f"__CPROVER_assert(!({' && '.join(wanted) or 1}) || "
                 f"({low} <= any_{name} && any_{name} <= {high}), "
                 f'"a case for every {name}");')

    def memory(self, name, size):
        """Make an object of size bytes, and a copy of what it held before the call."""
        self.put(f"const Z size_{name} = {size};")
        start = f"(__SIZE_TYPE__)size_{name}"
        if self.before != "0":
            self.put(f"__SIZE_TYPE__ before_{name};",
                     f"__CPROVER_assume(before_{name} <= {self.before});")
            start += f" + before_{name}"
        # If only a length makes the size, and the length is a case, CBMC knows the
        # place of each byte; otherwise CBMC has to find the place among all.
        self.put(f"uint8_t *{name} = malloc({start});", f"__CPROVER_assume({name});")
        if self.before != "0":
            self.put(f"{name} += before_{name};")
        self.put(f"uint8_t *{name}_old = malloc((__SIZE_TYPE__)size_{name});",
                 f"__CPROVER_assume({name}_old);")

    def text(self):
        functions = "".join(self.translator.functions.values())
        body = "".join(f"\t{line}\n" for line in self.body)
        return f"{HEAD}{functions}void prove_{self.name}(void)\n{{\n{body}}}\n"


def pose(root, ready, name, machine, case, path):
    """Write the question about a function in one case; returns how often a loop may go
    on, and options for CBMC."""
    source, options = questions()[name]
    unwind = options.get("unwind", 10)
    if not in_c(name):
        question = Question(ready[source], name, options, case)
        ask = path.with_suffix(".c")
        ask.write_text(sources.text(root, source) + question.text())
        cbmc.preprocess(ask, path, machine)
        return unwind, ["--z3"] if options.get("solver") == "z3" else []
    if change := CHANGED.get(pathlib.Path(source).stem):
        path.with_name("changed.c").write_text(
            changed((root / change[0]).read_text(), change[1]))
    engine = name.partition("/")[2]
    cbmc.preprocess(root / source, path, machine, [
        *(f"-I{root / each}" for each in INCLUDE), f"-I{path.parent}",
        f'-DREACHED="{REACHED}"',
        *([f"-DUTF8VAL_ENGINE_{engine.upper()}=1"] if engine else []),
        *(f"-D{number}={case.get(number, [0])[0]}" for number in NUMBERS)])
    # Of two bounds for one loop, CBMC takes the last.
    loops = [row[1] for row in rows("parts/asked.txt") if row[0] == "loop"]
    return unwind, ["--slice-formula", "--unwindset",
                    ",".join([*loops, *options.get("loop", "").split()])]


def prove(root, ready, name, machine):
    """What is wrong with one function, and how often CBMC was asked each kind of
    question; ready has the contracts of its source, if it is proved by one."""
    options = questions()[name][1]
    asked = collections.Counter()
    if machine == MACHINE and "orders" in options:
        wrong, asked = prove(root, ready, name, OTHER_ORDER)
        if wrong:
            return [f"{OTHER_ORDER}: {each}" for each in wrong], asked
    for case in cases(options):
        with tempfile.TemporaryDirectory() as work:
            path = pathlib.Path(work) / "ask.i"
            try:
                unwind, more = pose(root, ready, name, machine, case, path)
            except acsl.Unsupported as error:
                return [str(error)], asked
            except subprocess.CalledProcessError as error:
                return [error.stderr.decode()], asked
            found, kinds = cbmc.wrong(
                path, f"prove_{name.partition('/')[0]}", machine, unwind, TIMEOUT, REACHED,
                more, [cbmc.POINTERS] if "moved" in options else [], options.get("but"))
        if found:
            numbers = [f"{number}={value}" for number, (value, *_) in case.items()]
            return [" ".join([each, *numbers]) for each in found], asked
        asked.update(kinds)
    return [], asked


def answers():
    """What answers.txt has for each function."""
    return {name: line for names, *line in rows("parts/answers.txt")
            for name in names.split(",")}


def answer(name, asked):
    """As answers.txt has it: the options by which CBMC is asked about a function, the
    number of assertions in all its questions together, and what else CBMC looked at."""
    said = [f"{key}={value}" if value else key
            for key, value in sorted(questions()[name][1].items())]
    return [*said, str(asked["assertion"]),
            *sorted(kind for kind in asked if kind != "assertion")]


def otherwise(name, asked):
    """What was asked about a function, if that is not what answers.txt says: other
    options, another number, or not each of its kinds."""
    now, pinned = answer(name, asked), answers().get(name, ["nothing"])
    options = now[:len(questions()[name][1]) + 1]
    return [] if pinned[:len(options)] == options and {*pinned} <= {*now} else [
        f"asked '{' '.join(now)}', where answers.txt has '{' '.join(pinned)}'"]


def update(new):
    """Write answers.txt anew, with the answers about these functions."""
    lines = answers() | {name: answer(name, asked) for name, asked in new.items()}
    groups = {}
    for name in filter(lines.get, questions()):
        groups.setdefault(" ".join(lines[name]), []).append(name)
    sources.rewrite("parts/answers.txt", (f"{','.join(names)} {line}"
                                          for line, names in groups.items()))


def changed(text, changes):
    """A file with changes: each of these texts has to stand there exactly once."""
    for old, new in changes:
        if text.count(old) != 1:
            raise acsl.Unsupported(f"'{old}' stands there {text.count(old)} times")
        text = text.replace(old, new)
    return text


def contracts_of(root, names, work, machine):
    """The contracts that each source includes, as they are on a machine."""
    found = {}
    for name in names:
        place = pathlib.Path(work) / name
        place.mkdir()
        found[name] = acsl.Contracts(root, name, place, cbmc.MACHINES[machine][1])
    return found


def rules(tap):
    """What breaks the rules about all code and all definitions, by rule."""
    yield "that recursive definitions end", measures.endless(ROOT)
    other = versions.complaint(versions.BITS)
    for source in access.SOURCES:
        yield (f"of accesses in {source}{f' # SKIP {other}' if other and tap else ''}",
               [other] if other and not tap else access.wrong(ROOT, source) if not other
               else [])


def prove_all(names, machine, tap, with_rules=False, renew=False):
    """Prove these functions, and with_rules the rules; is all proved? With renew,
    answers.txt is written anew if it is."""
    points = itertools.count(1)

    def point(name, wrong, took=""):
        state = "not ok" if wrong else "ok"
        print(f"{state} {next(points)} - proof {name}" if tap else
              f"{name.removeprefix('of ')}: {'UNPROVED' if wrong else 'proved'}{took}",
              flush=True)
        for text in wrong:
            print(f"# {text}", flush=True)
        return bool(wrong)
    with tempfile.TemporaryDirectory() as work, \
            concurrent.futures.ThreadPoolExecutor(2) as pool:
        ready = contracts_of(ROOT, {questions()[name][0] for name in names if not in_c(name)},
                             work, machine)

        def one(name):
            start = time.monotonic()
            wrong, asked = prove(ROOT, ready, name, machine)
            # Other machines have other loops, and so other answers.
            if not wrong and machine == MACHINE and not renew:
                wrong = otherwise(name, asked)
            return wrong, asked, time.monotonic() - start
        if tap:
            print(f"1..{len(names) + with_rules * (1 + len(access.SOURCES))}")
        bad, new = 0, {}
        for name, (wrong, asked, took) in zip(names, pool.map(one, names)):
            new[name] = asked
            bad += point(f"of {name}", wrong, f", {took:.1f} s")
    print(f"{'# ' if tap else ''}{len(names)} functions, {len(names) - bad} proved")
    if renew and not bad:
        update(new)
    return not bad + sum(point(*each) for each in (rules(tap) if with_rules else ()))


def survives(name, path, old, new, machine):
    """Does the proof of a function succeed with the first old made new?"""
    used = set() if in_c(name) else {questions()[name][0]}
    with sources.changed(path, old, new) as root, tempfile.TemporaryDirectory() as work:
        return not any(access.wrong(root, source) for source in used) and not prove(
            root, contracts_of(root, used, work, machine), name, machine)[0]


def try_mutants(names, machine):
    """Try the lines of mutants/bits.txt about these functions: do all fail?"""
    lines = [line for line in sources.changes("mutants/bits.txt") if line[0] in names]
    alive = 0
    for name, path, old, new in lines:
        lives = survives(name, path, old, new, machine)
        alive += lives
        print(f"{'SURVIVES' if lives else 'fails'}: {name}: {path}: {old} -> {new}",
              flush=True)
    print(f"{len(lines)} mutants, {len(lines) - alive} fail")
    return not alive


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tap", action="store_true")
    parser.add_argument("--mutants", action="store_true")
    parser.add_argument("--update", action="store_true",
                        help="write answers.txt anew, if all is proved")
    parser.add_argument("--machine", choices=cbmc.MACHINES, default=MACHINE)
    parser.add_argument("functions", nargs="*", help="\"bits\" stands for all of "
                        "bits.txt and the rules, \"rules\" for these alone")
    arguments = parser.parse_args()
    for name in answers().keys() - questions().keys():
        raise SystemExit(f"by_cbmc: {name}, which answers.txt has, is not asked")
    bits = [name for name in questions() if not in_c(name)]
    chosen = arguments.functions or ["rules", *questions()]
    with_rules = not {"bits", "rules"}.isdisjoint(chosen)
    names = [each for name in chosen if name != "rules"
             for each in (bits if name == "bits" else [name])]
    unknown = set(names) - questions().keys()
    if unknown:
        parser.error(f"no such function: {' '.join(sorted(unknown))}")
    for name, why in left_out(names, arguments.machine).items():
        print(f"{'# ' if arguments.tap else ''}{name}: left out, {why}")
        names.remove(name)
    if not names and not with_rules:
        raise SystemExit("by_cbmc: nothing is asked")
    cbmc.program()		# which complains if there is none
    with scratch.place():
        good = try_mutants(names, arguments.machine) if arguments.mutants \
            else prove_all(names, arguments.machine, arguments.tap, with_rules,
                           arguments.update)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
