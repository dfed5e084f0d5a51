#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Change what nobody has chosen: mutants drawn by chance, which the proof must kill.

Every operator and every number in a function that is proved is a place, and every
number that a macro of these files stands for; those that the other lists change are
none. --draw shuffles them by a seed, takes the first that compile and reach what is
proved, and writes proof/mutants/chance.txt. Without it the lines there are tried,
each in a copy: the proof of the function that a line names must fail. One that ends
in "same" changes nothing that can be seen, for the reason that stands there; its
proof must succeed.

usage: proof/tools/chance.py [--draw NUMBER [--seed NUMBER]] | [LINE...]
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import by_cbmc
import mutants
import prove
import provers
import scratch
import sources
import versions
from sources import PROOF, ROOT

LIST = PROOF / "mutants" / "chance.txt"
SEED = 24
HEAD = """# SPDX-License-Identifier: GPL-2.0-only OR MIT
# What proof/tools/chance.py changes, drawn by it with the seed {seed} out of {places}
# places: the function that must fail | file | text, first occurrence | instead;
# with a fifth field the change means nothing, why, and the proof must succeed
"""
# The code that is proved: files, and the engines that each file is part of.
FILES = {
    "utf8val.c": ["compact", "fast"], "engine/compact.h": ["compact"],
    "engine/engine.h": ["compact", "fast"], "engine/prefix_only.h": ["compact"],
    "engine/tables.h": ["compact", "word"], "engine/word.h": ["word"],
    "engine/fast.h": ["fast"], "engine/fast_dfa.h": ["fast"],
    "engine/fast_name.h": ["fast"], "engine/fast_text.h": ["fast"],
    "engine/fast_rows.h": ["fast"], "engine/fast_tables.h": ["fast"],
    "kernel/module.c": ["-"], "kernel/lsm/options.c": ["-"],
}
# In this code such an operator has a space on both sides, and the * of a pointer has
# not.
OTHER = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "<<": ">>", ">>": "<<",
         "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
         "&&": "||", "||": "&&", "&": "|", "|": "&", "^": "|", "+=": "-=",
         "-=": "+=", "*=": "+=", "/=": "*=", "%=": "/=", "&=": "|=", "|=": "&=",
         "<<=": ">>=", ">>=": "<<="}
NO_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'
                     r"'(?:\\.|[^'\\\n])'|^#(?!define \w+ )(?:[^\n\\]|\\.)*",
                     re.S | re.M)
OPERATOR = re.compile(r"(?<=\s)(?:[<>]{2}=?|[-+*/%&|^]=|[<>=!]=|&&|\|\||"
                      r"[-+*/%&|^<>])(?=\s)|\+\+|--|!(?!=)")
NUMBER = re.compile(r"\b(0x[0-9A-Fa-f]+|\d+)([uUlL]*)\b")
FUNCTION = re.compile(r"^[^\n;{}/*# ][^;{}]*?\b(\w+)\([^;{}]*?\)\n\{.*?^\}", re.S | re.M)
MACRO = re.compile(r"^#define (\w+) ([^\n\\]*)$", re.M)


def proved():
    """The functions that some tool proves."""
    names = {name for _, options in sources.settings().values()
             for name in sources.functions(options)}
    return names | set(by_cbmc.settings())


def code(text):
    """The text, with blanks in the place of comments and strings."""
    return NO_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def listed(path, text):
    """Places that another list changes."""
    for name, at in (("bits", 1), ("core", 0)):
        for fields in sources.changes(f"mutants/{name}.txt"):
            if fields[at] == path and fields[at + 1] in text:
                old, new = fields[at + 1:at + 3]
                same = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b),
                            min(len(old), len(new)))
                yield text.index(old) + same


def places():
    """All places: file, from where to where, the functions, None for a macro's."""
    names, found = proved(), []
    for path in FILES:
        whole = (ROOT / path).read_text()
        text = code(whole)
        taken = set(listed(path, whole))
        spans = [(match.start(), match.end(), match[1])
                 for match in FUNCTION.finditer(text) if match[1] in names]
        spans += [(*match.span(2), None) for match in MACRO.finditer(text)]
        for begin, end, name in spans:
            body = text.index("{", begin) if name else begin
            for match in (*OPERATOR.finditer(text, body, end),
                          *NUMBER.finditer(text, body, end)):
                if not taken & set(range(match.start(), match.end())):
                    found.append((path, *match.span(), name))
    return sorted(found, key=lambda place: (place[0], place[1]))


def instead(token, chance):
    """The text that takes the place of a token."""
    if match := NUMBER.fullmatch(token):
        value = int(match[1], 0)
        value += 1 if value == 0 else chance.choice((-1, 1))
        digits = f"0x{value:0{len(match[1]) - 2}X}" if match[1].startswith("0x") \
            else str(value)
        return digits + match[2]
    return {"++": "--", "--": "++", "!": ""}.get(token) if token in ("++", "--", "!") \
        else OTHER[token]


def around(text, begin, end):
    """The fewest lines around a place whose text occurs there first; from where to
    where."""
    low = text.rfind("\n", 0, begin) + 1
    high = text.index("\n", end)
    while True:
        skip = len(text[low:high]) - len(text[low:high].lstrip())
        if text.index(text[low + skip:high]) == low + skip:
            return low + skip, high
        low = text.rfind("\n", 0, low - 1) + 1


def field(text):
    """The text as a field of a list, see sources.changes()."""
    return re.sub(r"(?<= )\|(?= |$)", r"\\|",
                  text.replace("\n", "\\n").replace("\t", "\\t"))


def commands(path):
    """How a file is compiled, for each engine that it is part of."""
    for engine in FILES[path]:
        yield ["gcc", "-std=gnu11", "-w", *(
            ["-Iproof/spec", "-Ikernel/include", path] if engine == "-" else
            [f"-DUTF8VAL_ENGINE_{engine.upper()}=1", "utf8val.c"])]


def compiles(root, path):
    """Does the file compile, for each engine?"""
    return not any(subprocess.run([*command, "-fsyntax-only"], cwd=root, check=False,
                                  capture_output=True).returncode
                   for command in commands(path))


def read(root, path):
    """The code that the compiler reads, without code of other machines."""
    return [subprocess.run([*command, "-E", "-P"], cwd=root, check=True,
                           capture_output=True).stdout for command in commands(path)]


def texts(root):
    """The text of each function that is proved, by part, after the preprocessor; also
    of the functions about bits."""
    found = {}
    for part, (source, options) in sources.settings().items():
        if sources.functions(options):
            found[part] = mutants.bodies(root, source, options)
    for source in sorted({row[0] for row in by_cbmc.settings().values()}):
        found[source] = mutants.bodies(root, source, ["-wp-fct=" + ",".join(
            name for name, row in by_cbmc.settings().items() if row[0] == source)])
    return found


def reached(root, before):
    """The first function whose text has changed."""
    now = texts(root)
    changed = [name for part, bodies in before.items()
               for name, text in bodies.items() if now[part][name] != text]
    return next((name for name in changed if name in by_cbmc.settings()),
                changed[0] if changed else None)


def draw(number, seed):
    """Write the list."""
    every = places()
    chance = random.Random(seed)
    chance.shuffle(every)
    lines, before = [], None
    plain = {path: read(ROOT, path) for path in FILES}
    with tempfile.TemporaryDirectory() as work:
        root = sources.copy(work)
        for path, begin, end, name in every:
            if len(lines) == number:
                break
            text = (ROOT / path).read_text()
            new = instead(text[begin:end], chance)
            changed = text[:begin] + new + text[end:]
            (root / path).write_text(changed)
            try:
                if not compiles(root, path) or read(root, path) == plain[path]:
                    continue
                if name is None:
                    before = before or texts(ROOT)
                    name = reached(root, before)
            finally:
                (root / path).write_text(text)
            if name:
                low, high = around(text, begin, end)
                lines.append(" | ".join([name, path, field(text[low:high]), field(
                    changed[low:high + len(new) - (end - begin)])]))
                print(lines[-1], flush=True)
    LIST.write_text(HEAD.format(seed=seed, places=len(every)) +
                    "".join(f"{line}\n" for line in lines))


class Tried:
    """Tries lines, by the tool that proves a line's function."""

    def __init__(self, work, timeout):
        self.trial = mutants.Trial(timeout, prove.CACHE, work)
        self.work = work

    def killed(self, name, path, old, new):
        """The proof that fails, or None."""
        if name in by_cbmc.settings():
            return None if by_cbmc.survives(name, path, old, new, by_cbmc.MACHINE) \
                else "by_cbmc.py"
        with tempfile.TemporaryDirectory(dir=self.work) as place:
            root = sources.copy(place)
            text = (root / path).read_text()
            (root / path).write_text(text.replace(old, new, 1))
            for part, (source, options) in sources.settings().items():
                if name not in sources.functions(options):
                    continue
                options = [f"-wp-fct={name}" if option.startswith("-wp-fct=") else option
                           for option in options]
                goal = self.trial.unproved(
                    root, part, source, options,
                    self.trial.enough(part, source, options))
                if goal:
                    return f"{part}: {goal}"
        return None


def try_lines(numbers, timeout):
    """Try these lines; does each have the result that it should?"""
    lines = sources.changes("mutants/chance.txt")
    alive = 0
    with scratch.place() as work:
        provers.prepare(work)
        tried = Tried(work, timeout)
        for number in numbers or range(1, len(lines) + 1):
            name, path, old, new, *same = lines[number - 1]
            if old not in (ROOT / path).read_text():
                raise SystemExit(f"chance: {path} has no '{old}'")
            try:
                goal = tried.killed(name, path, old, new)
                good = (goal is None) == bool(same)
                said = f"fails at {goal}" if goal else "proved"
            except (mutants.Unfit, prove.Broken) as error:
                good, said = False, str(error)
            alive += not good
            print(f"{'' if good else 'WRONG: '}{number}: {name}: {path}: {old} -> {new}: "
                  f"{said}", flush=True)
    print(f"{len(numbers) or len(lines)} mutants, {alive} wrong")
    return not alive


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draw", type=int, metavar="NUMBER")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--timeout", type=int, default=4)
    parser.add_argument("lines", nargs="*", type=int)
    arguments = parser.parse_args()
    if arguments.draw:
        with scratch.place():
            draw(arguments.draw, arguments.seed)
        return 0
    versions.need("chance", False, versions.WP + versions.BITS)
    prove.CACHE.mkdir(parents=True, exist_ok=True)
    return 0 if try_lines(arguments.lines, arguments.timeout) else 1


if __name__ == "__main__":
    sys.exit(main())
