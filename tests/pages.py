#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Everything that the pages name exists: targets of the Makefile, files, other pages
and their headings, and the commands' subcommands and options. Pages in reStructuredText
parse. TAP on standard output. The suite pages calls this.

Usage: tests/pages.py PROGRAMS
  PROGRAMS  the directory with utf8val and utf8val-guard
"""

import fnmatch
import io
import pathlib
import re
import shlex
import subprocess
import sys

import check
import docutils.core
import docutils.parsers.rst.directives

from lib.tap import tap

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Paths of other trees and machines that the pages name.
FOREIGN = re.compile(r"/|fs/|include/linux/|tools/testing/|security/|build/|\.cache/|utf8val/|"
                     r"lib/crypto/|lib/scanner/|scripts/|subprojects/|fleet/|out/")
# Targets of the kernel's own Makefile.
KERNEL_TARGETS = {"bindeb-pkg", "localmodconfig", "mrproper", "olddefconfig"}
# The words of a make command, those after ONLY= names of suites; with -C or -f they are targets of another Makefile.
MAKE = re.compile(r"(?:^|&& |; |sudo |# |=\S* )make((?: +(?:[A-Za-z0-9_.*%=/$(){}:-]|'[^']*'|\"[^\"]*\")+)+)")


def output(*command):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False,
                          stderr=subprocess.DEVNULL, text=True).stdout


def pages():
    listed = output("tools/files.sh").split("\0")
    return sorted(ROOT / name for name in listed
                  if name.endswith((".md", ".rst")) and name != "CHANGELOG.md")


def code(page, text):
    """The page's code: its blocks, and what stands in backticks."""
    quote = "``" if page.suffix == ".rst" else "`"
    if page.suffix == ".rst":
        blocks = re.findall(r"(?:::|code-block:: sh)\n\n((?:    .*\n|\n)+)", text)
    else:
        blocks = re.findall(r"^```[a-z]*\n(.*?)^```", text, re.M | re.S)
        text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
        blocks += re.findall(r"\n\n((?:    .*\n|\n)+)", text)
    inline = re.findall(f"{quote}([^`]+){quote}", text)
    return [re.sub(r"\s+", " ", word) for word in inline], \
        [line.strip() for part in blocks
         for line in part.replace("\\\n", " ").splitlines()]


def targets_in(line):
    for words in MAKE.findall(line):
        try:
            words = shlex.split(words, comments=True)
        except ValueError:
            continue
        if any(word in ("-C", "-f") or word.startswith("-C") for word in words):
            continue
        for word in words:
            if re.fullmatch(r"[a-z][a-z0-9.-]*", word):
                yield word
            elif word.startswith("ONLY="):
                yield from ("suite-" + name for name in word[5:].split()
                            if name != "NAME")
            elif word.startswith("TARGETS="):
                yield from re.findall(r"(?<![\w=])[a-z][a-z0-9.-]*", word.partition("=")[2])
            elif "=" not in word and not word.startswith("-"):
                break


def make_targets():
    database = output("make", "-pRrq", "DEPS=no", "help")
    # Pattern rules make these.
    found = [f"suite-{name}" for name in check.list_of()] + \
        [f"deps-{name}" for name in check.deps.GROUPS]
    # A name that only .PHONY has is listed, too, with nothing to do.
    found += re.findall(r"^([A-Za-z0-9_.-]+):(?: .*\n|\n(?:#.*\n)*#  recipe to execute)",
                        database, re.M)
    return KERNEL_TARGETS | set(found)


def missing_targets(page, text, known):
    inline, block = code(page, text)
    named = [target for line in inline + block for target in targets_in(line)]
    # A page says which of the guard's suites has seen something.
    named += ["suite-" + word for word in inline if re.fullmatch("guard-[a-z0-9.-]+", word)]
    return [target for target in named if not fnmatch.filter(known, target)]


def missing_variables(page, text, makefiles):
    """Variables that a page gives make, which takes any, and that neither a makefile nor
    the suites' programs use."""
    inline, block = code(page, text)
    return [name for line in inline + block for words in MAKE.findall(line)
            if " -C" not in words for name in re.findall(r"(?:^| )([A-Z_]+)=", words)
            if not re.search(rf"[({{\"]{name}\b", makefiles)]


def expand(word):
    """Expand a{b,c} as a shell does."""
    match = re.search(r"\{([^{}]*,[^{}]*)\}", word)
    if not match:
        return [word]
    return [each for part in match[1].split(",")
            for each in expand(word[:match.start()] + part + word[match.end():])]


def missing_files(page, text):
    inline, _ = code(page, text)
    wrong = []
    for word in inline:
        word = word.split(" ")[0].rstrip(",;:")
        if not re.fullmatch(r"[A-Za-z0-9_./{},*+-]+", word) or \
                "/" not in word.rstrip("/") or FOREIGN.match(word):
            continue
        for each in expand(word):
            if not any(list(place.glob(each.rstrip("/")))
                       for place in (ROOT, page.parent)):
                wrong.append(each)
    return wrong


def missing_links(page, text):
    wrong = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        if "://" in target:
            continue
        other = page.parent / path if path else page
        if not other.exists():
            wrong.append(target)
        elif anchor and other.suffix == ".md":
            heads = re.findall(r"^#+ (.*)$", other.read_text("utf-8"), re.M)
            if anchor not in [re.sub(r"[^a-z0-9 -]", "", head.lower())
                              .replace(" ", "-") for head in heads]:
                wrong.append(target)
    return wrong


class KernelDoc(docutils.parsers.rst.Directive):
    """The kernel's own directive, which Sphinx fills from a source file."""

    required_arguments = 1

    def run(self):
        return []


def rst_faults(text):
    """The faults of a page's tables, headings, references and marks."""
    docutils.parsers.rst.directives.register_directive("kernel-doc", KernelDoc)
    said = io.StringIO()
    docutils.core.publish_string(
        text, writer_name="null",
        settings_overrides={"report_level": 1, "halt_level": 5,
                            "file_insertion_enabled": False,
                            "syntax_highlight": "none",
                            "warning_stream": said})
    return said.getvalue().splitlines()


class Commands:
    """The subcommands and options that the help of the built programs names."""

    def __init__(self, programs):
        self.programs = programs
        self.helps = {}

    def help(self, *words):
        if words not in self.helps:
            self.helps[words] = output(self.programs / words[0], *words[1:], "--help")
        return self.helps[words]

    def wrong(self, line):
        for name in ("utf8val-guard", "utf8val"):
            for match in re.finditer(
                    rf"(?:^|[|#] |sudo ){name} ([a-z]+)((?: +[^|;&#]+)?)", line):
                sub, rest = match[1], match[2].split()
                if name == "utf8val-guard":
                    # set and enforce also have the options of apply
                    lines = f"{sub}|apply" if sub in ("set", "enforce") else sub
                    text = "".join(re.findall(rf"^  (?:{lines}) .*", self.help(name), re.M))
                else:
                    text = self.help(name, sub)
                if sub.isalpha() and not re.search(rf"^  {sub} ", self.help(name), re.M):
                    yield f"{name} {sub}"
                    continue
                for option in rest:
                    option = option.split("=")[0].strip("`.,")
                    if re.fullmatch(r"--[a-z0-9-]+", option) and \
                            not re.search(rf"{option}\b", text):
                        yield f"{name} {sub} {option}"


def absent(names):
    return [f"there is no {each}" for each in dict.fromkeys(names)]


def results(programs):
    """(name, [what is wrong]) of each point."""
    known = make_targets()
    makefiles = "".join((ROOT / name).read_text("utf-8")
                        for name in output("tools/files.sh").split("\0")
                        if name.endswith((".mk", "Makefile", "tests/check.py", "tests/suites.py",
                                          "tools/bench/run.py")))
    commands = Commands(programs)
    for page in pages():
        text = page.read_text("utf-8")
        name = page.relative_to(ROOT)
        yield f"{name}: targets and variables of the Makefile", \
            absent(missing_targets(page, text, known) +
                   missing_variables(page, text, makefiles))
        yield f"{name}: files", absent(missing_files(page, text))
        yield f"{name}: links", absent(missing_links(page, text))
        inline, block = code(page, text)
        yield f"{name}: commands and options", \
            absent(each for line in inline + block
                   for each in commands.wrong(line))
        if page.suffix == ".rst":
            yield f"{name}: parses", rst_faults(text)
    yield "tools/packages: targets", absent(
        target for line in (ROOT / "tools/packages").read_text("utf-8").splitlines()
        for target in targets_in(line.replace("Instead: ", "# "))
        if not fnmatch.filter(known, target))
    yield "units: commands and options", absent(
        each for unit in (ROOT / "bpf/systemd").glob("*.service")
        for line in unit.read_text("utf-8").splitlines()
        for each in commands.wrong(re.sub(r"^Exec\w+=\S*/(?=utf8val)", "", line)))
    text = (ROOT / "bpf/utf8val-guard.8").read_text("utf-8")
    synopsis = text[text.index(".Sh SYNOPSIS"):text.index(".Sh DESCRIPTION")]
    yield "bpf/utf8val-guard.8: the commands and options of --help", absent(
        {*re.findall(r"^\.Cm (\w+)", synopsis, re.M), *re.findall(r"(?:Fl|\|) (-\w+)", text)} ^
        {*re.findall(r"(?:(?<=^  )[a-z]+(?= )|(?<=[\[|]-)-\w+)",
                     commands.help("utf8val-guard"), re.M), "-help", "-version"})


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    return tap(results(pathlib.Path(sys.argv[1]).resolve()))


if __name__ == "__main__":
    sys.exit(main())
