#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Run the commands of the pages as they stand there; TAP on standard output.
The suite pages-run calls this.

A block of Markdown that is marked `console` is a transcript. Each line after "$ " is
run, and its output must be what stands there, in any order, because a directory has no
order. How long a scan took, a journal's name and the
home directory may be others, and where "..." stands there may be more. Any other
command of a page, in a block or between backticks, is either run or in NOT_RUN. It must
end with 0, or with 1 where a program says "no" by that. NOT_RUN has the reason, and the
suite that runs the same if there is one. A command that is neither is a failed point;
so is a reason that no page needs. C is compiled where no other suite does it:
README.md's is suite-examples', docs/ci.md's suite-ci-trixie's; the kernel's is not.

Each page's commands have a separate directory, with a tree like the one that pages call
/srv, whose path replaces /srv. make and the project's tools run in the project's own
directory.

Usage: tests/pages_run.py PROGRAMS
  PROGRAMS  the directory with utf8val and utf8val-guard
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pages
from lib.tap import tap

ROOT = pages.ROOT
# Pages of which another suite runs the commands, and the name of the suite.
WHOLE = {"docs/ci.md": "ci-trixie", "docs/rehearse.md": "rehearse-trixie",
         "docs/break-glass.md": "break-glass-trixie",
         "docs/monitoring.md": "monitoring-trixie",
         "docs/fleet.md": "fleet", "docs/many-machines.md": "many-machines"}
# A command is known by its first word and one word after it.
WORDS = (r"\./\S+|utf8val(?:-guard)?|make|(?:tools|vm|kunit|proof|tests)/\S+|cc|mount|"
         r"apt|cat|cd|cp|dmesg|dpkg-buildpackage|echo|editor|find|git|grep|"
         r"journalctl|man|mv|nsenter|pkg-config|printf|scripts/config|systemctl|"
         r"touch|vim|west|cmake|detox|convmv|fdfind")
COMMAND = re.compile(rf"(?:[#$] )?((?:sudo )?(?:[A-Z_]+=\S+ )*(?:{WORDS}) +[^ =:].*)")
# These lines are not commands, but directories in a picture, output of programs, or
# words of a recipe.
NO_COMMAND = re.compile(r"\S+/ {4}|\S+: |utf8val = ")

# These commands are run in the project's directory.
HERE = re.compile(r"make (help|suites)\b|tools/deps\.py --(list|check)\b")
# These commands are run in the page's own directory. utf8val may say by status 1 that
# there are bad names, and grep that there is no such line.
SCRATCH = re.compile(r"utf8val (check|scan|fix|undo|journal|trace|show|--version)\b(?!.*/unpack)|"
                     r"(grep|find|printf) (?!.*make)|mv \$|cc -o t ")

ROOT_ONLY = "it changes the machine it runs on"
# (pattern of commands, why this test does not run them, suite that runs the same, on
# any {kernel} of vm/kernels)
NOT_RUN = [
    (r"vim -q", "an editor", ""),
    (r".*\bxargs -0 isutf8|fdfind|detox|convmv", "a peer's, that"
     " make bench installs", ""),
    (r"(sudo )?utf8val-guard|(sudo )?mount -[ot]|cat /sys/kernel/security|"
     r"nsenter|systemctl|journalctl|touch (\$')?/srv", "needs the guard or the module in"
     " the running kernel, and root", "guard-mount-{kernel}"),
    (r"utf8val (fix --apply|scan -q) /mnt/", "restores a backup", ""),
    (r"make rehearse", "a virtual machine with a terminal", "rehearse-trixie"),
    (r"apt (install (\.\./|\./)|remove )utf8val|make (guard (tools )?&& sudo make )?install-guard|"
     r"sudo systemctl (enable|disable|daemon-reload)", ROOT_ONLY, "guard-system-bookworm"),
    (r"sudo make uninstall-guard", ROOT_ONLY, "targets"),
    (r"sudo apt update", ROOT_ONLY, ""),
    (r"echo .*>>/etc/", ROOT_ONLY, ""),
    (r"utf8val journal show --json JOURNAL", "needs the journal of a run that was undone",
     "command-undo"),
    (r"utf8val summary parts/", "needs the parts of a large tree", "command-summary"),
    (r"cc -O2 program\.c", "a program of the reader's", "examples"),
    (r"git tag", "writes to the repository", ""),
    (r"make tools && sudo make install|(sudo )?make install$", ROOT_ONLY,
     "command-install"),
    (r"make deps-packaging && dpkg-buildpackage", "minutes", "command-package"),
    (r"make (demo|vm|demo-builtin)\b|cc -o t t.c && make vm", "a virtual machine",
     "demo"),
    (r"make check(?!-)|make check-all|\.ci/run|make suite-NAME", "make check itself", ""),
    (r"make suite-host-\S+", "minutes", "coverage"),
    (r"make (suite-firmware-)?wasm|make suite-firmware-library", "runs beside this",
     "firmware-wasm"),
    (r"tools/gen/clauses.py", "lint runs it, for the whole table", "lint"),
    (r"make lint", "runs beside this", "lint"),
    (r"make suite-examples", "runs beside this", "examples"),
    (r"make (kunit|module)\b|kunit/kunit.py", "builds a kernel",
     "kunit-{kernel}"),
    (r"make (check-exhaustive|check-vm-full)\b", "hours", ""),
    (r"make (suite-)?proof|proof/prove", "minutes to hours", "proof"),
    (r"make (deps-vm-full )?suite-(guard|rehearse|break-glass|monitoring)", "full Debian systems, or another architecture", ""),
    (r"(sudo )?make check-release", "another release, as root", ""),
    (r"make (dist|generated)\b", "runs beside this", "dist"),
    (r"make (package|amalgamation)\b", "runs beside this", "firmware-package"),
    (r"make (firmware|size|suite-firmware-misra)\b", "runs beside this",
     "firmware-size"),
    (r"make (run-example|suite-firmware-example)|printf .*make", "an emulator",
     "firmware-example"),
    (r"west|cmake|pkg-config", "installed by its users", "firmware-package"),
    (r"make (bench\S*|generated-names|recording)\b|tools/bench/", "measures, on an"
     " idle machine", ""),
    (r"make (tools|guard)$", "done already: this suite's programs", ""),
    (r"make patches", "unpacks a kernel", "patches-{kernel}"),
    (r"(sudo )?make -C /lib/modules|sudo depmod", "needs a kernel's headers", "module"),
    (r"apt update$|apt install (linux-source|\$\(ls)|tools/kernel-tree|cd ~/linux|cp /boot|scripts/config|"
     r"make (bindeb-pkg|olddefconfig|localmodconfig|-j)|git am", "a kernel of Debian's size:"
     " hours", ""),
    (r"git (clone|mv)\b|cd utf8val", "needs somebody's repository", ""),
    (r"cat /sys/kernel/tracing|cat /sys/module|echo 1 > /sys|dmesg|echo \"lsm=", "needs the module"
     " in the running kernel, and root", "observe-{kernel}"),
    (r"man utf8val|editor", "read by a person", "command-install"),
]


def man_commands(text):
    """The lines of a manual page's displays, as a terminal shows them."""
    found = re.findall(r"^\.Dl (.*)$", text, re.M)
    for block in re.findall(r"^\.Bd -literal.*\n((?:.*\n)*?)\.Ed$", text, re.M):
        found += block.splitlines()
    return [line.replace(r"\-", "-").replace(r"\e", "\\") for line in found]


def transcripts(text):
    """[(command, [lines it prints])] of a page's console blocks, each a list."""
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.M | re.S):
        steps = []
        for line in block.splitlines():
            if line.startswith("$ "):
                steps.append((line[2:], []))
            else:
                steps[-1][1].append(line)
        yield steps


def commands(page, text):
    """A page's commands but those of transcripts, in its order, each once."""
    if page.suffix in (".1", ".8"):
        lines = man_commands(text)
    else:
        text = re.sub(r"^```(?:console|c|yaml|mermaid)\n.*?^```$", "", text,
                      flags=re.M | re.S)
        text = re.sub(r"code-block:: c\n\n(?:    .*\n|\n)+", "\n", text)
        inline, block = pages.code(page, text)
        lines = block + inline
    for line in dict.fromkeys(lines):
        match = COMMAND.match(line)
        if match and not NO_COMMAND.match(line):
            # In a table a bar stands after a backslash.
            yield re.sub(r"  +#.*", "", match[1]).replace(r"\|", "|").strip()


class Place:
    """The directory of a page, with the tree that the page calls /srv."""

    def __init__(self, directory, programs):
        self.home = directory
        self.env = {**os.environ, "HOME": str(directory), "LC_ALL": "C.UTF-8",
                    "PATH": f"{programs}:{os.environ['PATH']}", "DEPS": "no",
                    "MAKEFLAGS": "", "MFLAGS": ""}
        for name in ("XDG_STATE_HOME", "NO_COLOR"):
            self.env.pop(name, None)
        # No command of a page writes to this place.
        self.tree = directory / "a" / "srv"
        self.texts = directory / "texts"
        self.texts.mkdir(parents=True)
        (self.tree / "photos").mkdir(parents=True)
        for name in (b"good.txt", b"caf\xe9.txt", b"photos/\xfcbung.jpg"):
            with open(os.fsencode(self.tree) + b"/" + name, "wb"):
                pass
        for name, text in (("good.txt", b"caf\xc3\xa9\n"), ("bad.txt", b"caf\xe9\n"),
                           ("t.c", b"int main(void) { return 0; }\n")):
            (self.texts / name).write_bytes(text)
        with open(os.fsencode(self.texts) + b"/caf\xe9", "wb"):
            pass
        (self.texts / "src").mkdir()

    def run(self, command, directory):
        command = re.sub(r"(?<![\w.])/srv\b", str(self.tree), command)
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=directory, env=self.env, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
            timeout=1800)
        return done.returncode, done.stdout.decode("utf-8", "backslashreplace")

    def shown(self, text):
        """Output without the parts that differ from run to run."""
        text = text.replace(str(self.home), "~")
        text = re.sub(r"/home/\w+/", "~/", text)
        text = re.sub(r"\d+\.\d s( \(\d+/s\))?", "0.0 s", text)
        text = re.sub(r"fix-\d+T\d+Z-\d+\.journal", "fix-0.journal", text)
        return sorted(text.splitlines())


def follow(place, steps):
    """Run one transcript; what is wrong."""
    for command, want in steps:
        status, got = place.run(command, place.home)
        lines, rest = place.shown("\n".join(want)), place.shown(got)
        same = lines == rest
        if "..." in lines:
            same = set(lines) - {"..."} <= set(rest)
        if not same or status > 1:
            return "\n".join([command, "want:", *lines, f"got {status}:", *rest])
    return ""


def try_one(place, command):
    """Run one command; what is wrong."""
    here = HERE.match(command)
    status, said = place.run(command, ROOT if here else place.texts)
    most = 1 if re.match("utf8val |grep |find ", command) else 0
    return "" if status <= most else f"ended with {status}\n{said[-2000:]}"


def reason(command):
    """The row of NOT_RUN for a command, or None."""
    return next((row for row in NOT_RUN if re.match(row[0], command)), None)


def charts(text):
    """The faults of a page's bar charts. Each must have the counts of the summary that
    stands before it, which was compared with a scan's."""
    wrong = ""
    for bars in re.finditer(r"^    bar \[(.*)\]$", text, re.M):
        before = text[:bars.start()].rsplit("```console", 1)[-1]
        counts = re.findall(r"^ +(\d+)  \S+ +(?:possible|likely|certain) ", before, re.M)
        if not counts or bars[1].split(", ") != counts:
            wrong += f"the summary has {counts}, the chart {bars[1]}\n"
    return wrong


def c_blocks(page, text, place):
    """The faults of a page's C, which must compile in a function that has packet and
    len."""
    wrong = ""
    for block in re.findall(r"^```c\n(.*?)^```$", text, re.M | re.S):
        head = "".join(re.findall(r"^#include .*\n", block, re.M))
        (place.texts / "block.c").write_text(
            f"#include <stdio.h>\n{head}void f(const void *packet, size_t len);\n"
            "void f(const void *packet, size_t len)\n{\n"
            f"{block.replace(head, '')}}}\n", "utf-8")
        status, said = place.run("cc -std=c99 -Wall -Wextra -Werror -fsyntax-only "
                                 f"-I{ROOT} block.c", place.texts)
        wrong += f"{page}: {said}" if status else ""
    return wrong


def results(programs, work):
    """(name, what is wrong, [what was not run]) of each point."""
    used, suites = set(), set(pages.output("tests/check.py", "list").split())
    suites |= {re.sub(r"-\d+\.\d+$", "-{kernel}", name) for name in suites}
    manuals = [ROOT / "tools/command/utf8val.1", ROOT / "bpf/utf8val-guard.8"]
    for number, page in enumerate(pages.pages() + manuals):
        name = str(page.relative_to(ROOT))
        if name in WHOLE:
            yield f"{name}: suite-{WHOLE[name]} runs it", \
                "" if WHOLE[name] in suites else "there is no such suite", []
            continue
        text, left = page.read_text("utf-8"), []
        place = Place(work / str(number), programs)
        for steps in transcripts(text):
            yield f"{name}: {steps[0][0]} ...", follow(place, steps), []
        if "\n    bar [" in text:
            yield f"{name}: charts show what a scan counts", charts(text), []
        if name == "freestanding/README.md":
            yield f"{name}: its C compiles", c_blocks(name, text, place), []
        for command in dict.fromkeys(commands(page, text)):
            row = reason(command)
            if row:
                used.add(row)
                where = f"; suite-{row[2]}" if row[2] else ""
                left.append(f"{command} ({row[1]}{where})")
            elif HERE.match(command) or SCRATCH.match(command):
                yield f"{name}: {command}", try_one(place, command), []
            else:
                yield f"{name}: {command}", "neither run nor is there a reason", []
        yield f"{name}: {len(left)} commands are not run here, for a reason", "", left
    yield "each reason is one that a page needs", \
        "\n".join(row[0] for row in NOT_RUN if row not in used), []
    yield "each suite named for it is there", \
        "\n".join(sorted({row[2] for row in NOT_RUN if row[2]} - suites)), []


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="utf8val-pages-") as work:
        return tap((name, wrong.splitlines(), left) for name, wrong, left in
                   results(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(work)))


if __name__ == "__main__":
    sys.exit(main())
