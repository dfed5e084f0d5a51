# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""The C files that provers read: by hand in proof/parts, or from one table.

A source of proof/parts/sources.txt defines an engine and includes headers of
proof/spec and proof/lemmas, then code that ships. "kernel/module.c" is a path.
"""
import contextlib
import hashlib
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROOF = ROOT / "proof"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or
                     pathlib.Path.home() / ".cache") / "utf8val" / "proof"
PARTS = PROOF / "parts"
ROOMS = ("spec", "lemmas")
LEMMA = re.compile(r"\blemma\s+(\w+)\s*[{:<]")


def lines(name):
    """What a file of proof/ lists."""
    return [line for line in (PROOF / name).read_text().splitlines()
            if line and not line.startswith("#")]


def rewrite(name, new):
    """Write these lines into a file of proof/, after the comment that it begins with."""
    path = PROOF / name
    head = itertools.takewhile(lambda line: line.startswith("#"),
                               path.read_text().splitlines())
    path.write_text("".join(f"{line}\n" for line in [*head, *new]))


def changes(name):
    """The fields of each line of a list of mutants."""
    return [[field.strip().replace("\\n", "\n").replace("\\t", "\t").replace("\\|", "|")
             for field in line.split(" | ")] for line in lines(name)]


def stale():
    """The mutants whose text is gone from its file: file, text."""
    # The number of the field of a line that is the file; the next field is the text.
    for name, at in (("bits", 1), ("core", 0), ("checks", 3)):
        for fields in changes(f"mutants/{name}.txt"):
            path, old = fields[at:at + 2]
            file = ROOT / path
            if not file.is_file() or old not in file.read_text():
                yield path, old


def copy(place):
    """A copy of all that is proved, below a directory."""
    root = pathlib.Path(place) / "copy"
    root.mkdir()
    for path in ROOT.glob("*.[ch]"):
        shutil.copy(path, root)
    for room in ("proof", "engine", "forms", "kernel", "bpf"):
        shutil.copytree(ROOT / room, root / room)
    return root


@contextlib.contextmanager
def changed(path, old, new):
    """A copy of all that is proved, with the first old of a file made new."""
    with tempfile.TemporaryDirectory() as place:
        root = copy(place)
        text = (root / path).read_text()
        if old not in text:
            raise SystemExit(f"mutants: {path} has no '{old}'")
        (root / path).write_text(text.replace(old, new, 1))
        yield root


def rows(name):
    """The lines of a file of proof/, each split into words."""
    return [line.split() for line in lines(name)]


def counts(smoke, parts=None):
    """The numbers of goals, or of smoke tests, in goals.txt, by "part function"."""
    found = {f"{part} {name}": int(f"{numbers}+0".split("+")[smoke])
             for part, *words in rows("parts/goals.txt") if parts is None or part in parts
             for name, numbers in (word.split("=") for word in words)}
    return {key: number for key, number in found.items() if number}


def table():
    """Engine and includes by name of the source."""
    return {name: (None if engine == "-" else engine.upper(), included)
            for name, engine, *included in rows("parts/sources.txt")}


def engine(name):
    """A source's engine, or None."""
    return table().get(name, (None,))[0]


def text(root, name, code=True):
    """A source that the table makes; without code, its contracts only."""
    kind, included = table()[name]
    lines_of = [f"#define UTF8VAL_ENGINE_{kind} 1"] if kind else []
    for each in included:
        header = next((path for path in headers(root) if path.name == each), None)
        if header or code:
            lines_of.append(f'#include "{header or root / each}"')
    return "".join(f"{line}\n" for line in lines_of)


def place(root, name):
    """The C file of a source, for the sources below root."""
    if "/" in name:
        return root / name
    by_hand = root / "proof" / "parts" / f"{name}.c"
    if by_hand.is_file():
        return by_hand
    key = hashlib.sha256(str(root).encode()).hexdigest()[:16]
    path = pathlib.Path(tempfile.gettempdir()) / f"sources-{key}" / f"{name}.c"
    if not path.is_file():
        save(path, text(root, name))
    return path


def save(path, contents):
    """Write a file whole or not at all, as another process may write the same one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as new:
        new.write(contents)
    os.replace(new.name, path)


def headers(root):
    """Headers that state contracts and lemmas."""
    return sorted(path for each in ROOMS for path in (root / "proof" / each).glob("*.h"))


def settings():
    """What is proved: source, options, by name of the part."""
    return {name: (source, [named(option) for option in options if option != "NARROW"])
            for name, source, *options in rows("parts/parts.txt")}


def named(option):
    """LEMMAS=runs.h,-one: the names that stand there."""
    if not option.startswith("LEMMAS="):
        return option
    names = []
    for word in option.split("=")[1].split(","):
        if word.startswith("-"):
            names.remove(word[1:])
        elif "." in word:
            path = next(path for path in [*headers(ROOT), *PARTS.glob("*.c")]
                        if path.name == word)
            names += LEMMA.findall(path.read_text())
        else:
            names.append(word)
    return "-wp-prop=" + ",".join(names)


def functions(option_list):
    """What a part proves, when it names functions."""
    return next((option.split("=")[1].split(",") for option in option_list
                 if option.startswith("-wp-fct=")), [])


def compiler(root, source, options, *wanted):
    """What gcc's preprocessor says of a part."""
    include = [word for option in options if option.startswith("-cpp-extra-args=")
               for word in option.split("=", 1)[1].split(",")]
    return subprocess.run(
        ["gcc", "-E", *wanted, *include, place(root, source)], check=True, text=True,
        cwd=root / "proof", capture_output=True).stdout


def files(root, source, options):
    """The files that a part reads."""
    names = compiler(root, source, options, "-M").replace("\\\n", " ").split()[1:]
    return {(root / "proof" / name).resolve() for name in names}
