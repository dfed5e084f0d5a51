#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""The tables of README.md and docs/firmware.md: flash, stack and instructions of the
library by function, core and compiler. freestanding.mk calls this.

Usage: freestanding/table.py [--write] BUILD
       freestanding/table.py --others

Sizes and stacks are taken as size.py does, instructions from what bench/ printed
in QEMU. Without --write, the text between the pages' marks must be the same. --others
prints the compilers here that are not those of the pages and so give other figures.
"""

import difflib
import pathlib
import re
import sys
import textwrap

from size import ENGINES, Library, cores, run, runs_on

PAGES = [pathlib.Path(__file__).parents[1] / name
         for name in ("freestanding/README.md", "docs/firmware.md")]
SHOWN = ("cortex-m0", "cortex-m4")
PEERS = {"if/else": "peer_if_else", "textbook": "peer_textbook",
         "by leads": "peer_textbook_leads"}
TEXTS = ("ASCII", "2-byte", "3-byte", "4-byte", "mixed")
STREAM = ("utf8val_stream_init", "utf8val_stream_feed", "utf8val_stream_finish")
FUNCTIONS = (
    ("is it UTF-8, and up to where?", "utf8val_prefix"),
    ("is it UTF-8?", "utf8val_valid"),
    ("why it is not, and the length of the ill-formed part", "utf8val_check"),
    ("the reason as a word, for a log", "utf8val_reason_name"),
    ("one code point after another", "utf8val_next"),
    ("the same, backwards", "utf8val_prev"),
    ("the number of code points", "utf8val_count"),
    ("truncate without splitting a character", "utf8val_floor"),
    ("drop an incomplete last character", "utf8val_trim"),
    ("replace ill-formed sequences with U+FFFD", "utf8val_replace"),
    ("the size after that replacement", "utf8val_replaced_size"),
    ("encode a code point", "utf8val_encode"),
    ("check chunks, with one word of state", "utf8val_feed"),
    ("the same, byte by byte, with the code point", "utf8val_step"),
    ("check chunks: where and why", *STREAM),
)


class ClangLibrary(Library):
    """Clang says what a function's own frame is, not what it calls."""

    def graph(self, directory):
        frame = {name: int(size) for name, size in re.findall(
            r":(\w+)\t(\d+)\t", (directory / "utf8val.su").read_text())}
        calls, caller = [], None
        for line in run(self.prefix + "objdump", "-dr",
                        directory / "utf8val.o").splitlines():
            label = re.match(r"[0-9a-f]+ <(\w+)>:$", line)
            call = re.search(r"R_\w*(?:CALL|JUMP24)\w*\s+(\w+)", line)
            if label and not label[1].startswith("OUTLINED"):
                caller = label[1]
            elif call:
                calls.append((caller, call[1]))
        return frame, calls


class Compiler:
    """The libraries that one compiler made, and their figures."""

    def __init__(self, build, kind, directory, option, version):
        self.build, self.kind, self.directory = build, kind, directory
        self.named = f"{version} {option}"
        self.texts = "clang " if directory else ""

    def built(self, engine, core):
        return self.kind(self.build / (self.directory + engine), core)

    def cost(self, engine, core, *functions):
        library = self.built(engine, core)
        sizes = library.linked(*functions)
        return (sizes["text"] + sizes["rodata"],
                max(map(library.stack, functions)), sizes["ram"])

    def instructions(self, engine, core):
        return instructions(self.build, core)[self.texts + engine]

    def code(self, engine, core):
        """The instructions themselves."""
        library = self.built(engine, core)
        return run(library.prefix + "objdump", "-d",
                   library.archive).split("file format")[1]


def short(core):
    return core.removeprefix("cortex-")


def instructions(build, core):
    """Instructions per byte of each text, by engine."""
    text = (build / "bench" / f"{core}.txt").read_text()
    return {name.strip(): figures.split() for name, figures in re.findall(
        r"^(\S.*?)((?:\s+\d+\.\d\d){5})$", text, re.MULTILINE)}


def measured_as(compiler, engine, core):
    """The core that ran the code: QEMU has no M0+, but its code is an M0's."""
    if core != "cortex-m0plus":
        return core
    if compiler.code(engine, core) != compiler.code(engine, "cortex-m0"):
        sys.exit(f"{core} has other code than an M0: nothing ran it")
    return "cortex-m0"


def line(*cells):
    return "| " + " | ".join(map(str, cells)) + " |"


def functions_table(compilers):
    yield line("you want", "call", *(f"{compiler.named}: flash / stack"
                                     for compiler in compilers))
    yield line(*["---"] * (2 + len(compilers))).replace(" ", "")
    for wanted, *names in FUNCTIONS:
        call = "`" + names[0] + "()`" + (", `_feed()`, `_finish()`" if names[1:] else "")
        costs = [compiler.cost("compact", "cortex-m0", *names) for compiler in compilers]
        yield line(wanted, call, *(f"{flash} / {stack}" for flash, stack, _ in costs))


def cores_table(compilers):
    yield line("engine", "core", *(
        cell for compiler in compilers for cell in (
            f"{compiler.named}: flash / stack / RAM", "ASCII / mixed")))
    yield line(*["---"] * (2 + 2 * len(compilers))).replace(" ", "")
    for engine in ENGINES:
        rows = {}
        for core in cores(compilers[0].build):
            if not runs_on(engine, core):
                continue
            cells = []
            for compiler in compilers:
                speed = compiler.instructions(engine, measured_as(compiler, engine, core))
                cells += [" / ".join(map(str, compiler.cost(
                    engine, core, "utf8val_prefix"))),
                          f"{speed[0]} / {speed[-1]}"]
            rows.setdefault(tuple(cells), []).append(short(core))
        for cells, names in rows.items():
            yield line(engine, ", ".join(names), *cells)
    size = (compilers[0].build / "utf8val.wasm").stat().st_size
    yield line("compact", "wasm32, a module with prefix and check", "", "",
               f"{size}, all of it", "not counted")


def peers_table(compilers, core):
    yield line(core.replace("cortex-m", "Cortex-M"),
               *(f"{compiler.named}" for compiler in compilers), *TEXTS)
    yield line(*["---"] * (3 + len(TEXTS))).replace(" ", "")
    speeds = instructions(compilers[0].build, core)
    rows = [(engine, engine, "utf8val_prefix") for engine in ENGINES
            if runs_on(engine, core)]
    rows += [(peer, "peers", function) for peer, function in PEERS.items()]
    for name, directory, function in rows:
        yield line(name, *(compiler.cost(directory, core, function)[0]
                           for compiler in compilers), *speeds[name])
    # no engine for firmware, and linked with libgcc: only its instructions count
    yield line("fast", *["not counted"] * len(compilers), *speeds["fast"])


def smallest(compilers):
    """A sentence: where is the compact engine the smallest of these?"""
    lost, columns = [], [(core, compiler) for core in SHOWN for compiler in compilers]
    for core, compiler in columns:
        ours = compiler.cost("compact", core, "utf8val_prefix")[0]
        size, peer = min((compiler.cost("peers", core, function)[0], peer)
                         for peer, function in PEERS.items())
        if size < ours:
            lost.append(f"with {compiler.named} on {core.replace('cortex-m', 'Cortex-M')}"
                        f" ({size} against {ours}: {peer})")
    return (f"compact is the smallest in {len(columns) - len(lost)} of these"
            f" {len(columns)} columns of flash" + ", except " * bool(lost)
            + " and ".join(lost) + ".")


def names():
    """The compilers that are here, as the page names them."""
    gcc = run("arm-none-eabi-gcc", "-dumpfullversion").strip()
    clang = run("clang", "-dumpversion").strip()
    return "GCC " + gcc.rpartition(".")[0], "Clang " + clang.partition(".")[0]


def others(text):
    """Why the page's figures cannot be measured here; empty if they can."""
    here = [name for name in names() if name not in text]
    return f"the figures are other compilers', here is {', '.join(here)}" \
        if here else ""


def tables(build):
    """The text between the marks, by name."""
    gcc, clang = names()
    compilers = (Compiler(build, Library, "", "-Os", gcc),
                 Compiler(build, ClangLibrary, "clang-", "-Oz", clang))
    costs = [compiler.cost("compact", "cortex-m0", "utf8val_prefix")
             for compiler in compilers]
    yield "claim", [
        f"A UTF-8 check in {costs[0][0]} bytes of flash and {costs[0][1]} of stack on "
        f"Cortex-M0 ({gcc.partition('.')[0]} -Os; {costs[1][0]} and {costs[1][1]}",
        f"with {compilers[1].named}), with no RAM, no C library and no libgcc."]
    yield "functions", functions_table(compilers)
    yield "cores", cores_table(compilers)
    peers = [[*peers_table(compilers, core), ""] for core in SHOWN]
    yield "peers", [*sum(peers, []), *textwrap.wrap(smallest(compilers), 88)]


def filled(texts, build):
    """The pages' texts with all tables as measured now."""
    for name, lines in tables(build):
        marks = re.compile(rf"(<!-- size-table: {name} -->\n).*?(<!-- end -->\n)", re.DOTALL)
        found = sum(len(marks.findall(text)) for text in texts)
        if found != 1:
            sys.exit(f"{found} marks for the table {name}")
        new = "\n".join(lines) + "\n"
        texts = [marks.sub(lambda mark, new=new: mark[1] + new + mark[2], text)
                 for text in texts]
    return texts


def main():
    arguments = sys.argv[1:]
    old = [page.read_text(encoding="utf-8") for page in PAGES]
    if arguments == ["--others"]:
        print(others(old[0]))
        return
    write = arguments[:1] == ["--write"]
    if len(arguments) - write != 1 or arguments[write].startswith("-"):
        sys.exit(__doc__)
    new = filled(old, pathlib.Path(arguments[write]))
    if write:
        for page, text in zip(PAGES, new):
            page.write_text(text, encoding="utf-8")
    elif new != old:
        sys.exit("make size-table would change:\n" + "\n".join(difflib.unified_diff(
            "".join(old).splitlines(), "".join(new).splitlines(), lineterm="", n=0)))


if __name__ == "__main__":
    main()
