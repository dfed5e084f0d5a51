#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Write the series of patches that bring the project into a kernel, for git am.
`make patches`, vm/patches.sh and vm/kernel.sh call this.

A series changes the kernel's own files by the patches of common/, and by those of the
directory beside it that vm/kernels names. Two with one name are one patch. The mount
option's series is in kernel/patches/; the patches in alone/ there stand alone, and go
into DEST/alone/. Where there is a cover-letter.txt, the patches have numbers.

Between its message and its diff, a patch lists the project's files that come with it, as
"PLACE: FILE ...". PLACE is in the kernel's tree, and ends with / where it is a directory.
There the files are, byte for byte, what they are here. A patch can list a file of which
later patches bring the rest. Below the file, "- TEXT" leaves out each line that is TEXT,
or else each top-level block of C that contains TEXT. DEST/series lists the patches in the
order in which a tree takes them.
"""
import argparse
import collections
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "tools/gen"))

import output  # noqa: E402 pylint: disable=wrong-import-position

PATCHES = PROJECT / "kernel/patches"
# The series, in the order in which a tree takes them; "." is the mount option's.
SERIES = ["alone", "."]
NOBODY = "utf8val <utf8val@example.invalid>"


def run(*command, **more):
    """The output of a program. Where it fails, it has said why."""
    done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=False,
                          **more)
    return done.stdout if done.returncode == 0 else sys.exit(done.returncode)


def git(tree, *arguments, **more):
    return run("git", "-c", "core.autocrlf=false", "-c", "core.abbrev=12", "-C", tree,
               *arguments, **more)


class Patch:
    """A message, new files, a diff; what a kernel's own patch lacks is as in the common
    one, if any."""

    def __init__(self, text, common):
        head, rest = re.split(r"^---\n", text, maxsplit=1, flags=re.M)
        new, self.diff = re.split(r"^(?=diff )|\Z", rest, maxsplit=1, flags=re.M)
        self.head = head.rstrip("\n") or common.head
        self.diff = (common.diff if common else "") + self.diff
        self.new = {}   # {path in the kernel's tree: (file in the project, left out)}
        for line in new.splitlines():
            if line.startswith("- "):
                left_out.append(line[2:])
            elif line:
                place, names = line.split(": ")
                left_out = []
                for name in names.split():
                    path = place + Path(name).name if place.endswith("/") else place
                    self.new[path] = name, left_out
        self.new = self.new or (common.new if common else {})

    def text(self, mark, signer):
        """The patch with a mark like [PATCH 01/05], and with a signer signed"""
        head = self.head.replace("[PATCH]", mark, 1) + "\n"
        if signer:
            head = git(".", "interpret-trailers", "--trailer",
                       f"Signed-off-by: {signer}", input=head)
        stat = git(".", "apply", "--stat", "--summary", input=self.diff)
        return f"{head}---\n{stat}\n{self.diff}"


def without(name, text, left_out):
    """The C of a file without lines and blocks."""
    for part in left_out:
        lines = text.splitlines(keepends=True)
        blocks = re.split(r"(?<=\n)\n(?=\S)", text)
        kept = "".join(line for line in lines if line.strip() != part)
        if kept == text:
            kept = "\n".join(block for block in blocks if part not in block)
        if kept == text:
            sys.exit(f"patches: there is no {part!r} in {name} to leave out")
        text = kept.rstrip("\n") + "\n"
    return text


def add_new_files(patches):
    """Add the new files to the diffs of their patches."""
    with tempfile.TemporaryDirectory() as tree:
        git(tree, "init", "-q")
        for patch in patches:
            for path, (name, left_out) in patch.new.items():
                if not (PROJECT / name).is_file():
                    sys.exit(f"patches: there is no {name}, which a patch of "
                             "kernel/patches lists")
                text = (PROJECT / name).read_text("utf-8")
                output.save(Path(tree, path), without(name, text, left_out).encode())
            if patch.new:
                git(tree, "add", "-fN", "--", *patch.new)
                patch.diff += git(tree, "diff-files", "-p", "--", *patch.new)
                git(tree, "add", "-f", "--", *patch.new)


def patches_of(series, own):
    """The patches of a series for a kernel, in their order: {name: patch}"""
    found = {}
    for directory in "common", own:
        for path in (PATCHES / series / directory).glob("*.patch"):
            found[path.name] = Patch(path.read_text("utf-8"), found.get(path.name))
    return dict(sorted(found.items()))


def cover_letter(letter, version, patches):
    """The text, then the patches, and each file with the lines that change"""
    subject, text = letter.split("\n\n", 1)
    placeholder = re.search(r"^[A-Z]{2,}$", text, re.M)
    if placeholder:
        sys.exit(f"patches: cover-letter.txt has the placeholder {placeholder[0]}; "
                 "write the text that belongs there")
    changed = collections.Counter()
    for row in git(".", "apply", "--numstat",
                   input="".join(patch.diff for patch in patches)).splitlines():
        added, removed, path = row.split()
        changed[path] += int(added) + int(removed)
    subjects = re.findall(r"^Subject: \[PATCH\](.*\n)",
                          "\n".join(patch.head for patch in patches), re.M)
    return (f"From: {NOBODY}\nSubject: [PATCH 00/{len(patches):02}] {subject}\n\n"
            f"{text.rstrip()}\n\nThe patches:\n\n {' '.join(subjects)}\n"
            f"Lines that change in Linux {version}, {changed.total()} in all, of which "
            f"{sum(changed[path] for path in changed if 'tests/' in path)} are tests':\n\n"
            + "".join(f"{count:7}  {path}\n" for path, count in sorted(changed.items())))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--author", metavar='"NAME <ADDRESS>"', help=
                        "who signs each patch, and maintains the project in MAINTAINERS")
    parser.add_argument("version", help="the kernel's, one of vm/kernels")
    parser.add_argument("dest", type=Path, help=
                        "a directory, made if need be; its *.patch files are replaced")
    given = parser.parse_args()
    author = given.author or NOBODY
    if not re.fullmatch(r"[^<>\n]+ <[^<>@\s]+@[^<>@\s]+>", author):
        parser.error('--author is to be "NAME <ADDRESS>"')
    own = run(PROJECT / "tools/table.py", PROJECT / "vm/kernels", "patches",
              given.version).strip()

    series = {name: patches_of(name, own) for name in SERIES}
    add_new_files([patch for each in series.values() for patch in each.values()])
    texts = {}
    for name, patches in series.items():
        for old in (given.dest / name).glob("*.patch"):
            old.unlink()
        letter = PATCHES / name / "cover-letter.txt"
        for number, (title, patch) in enumerate(patches.items(), 1):
            path = Path(name, f"{number:04}-{title.split('-', 1)[1]}")
            mark = f" {number:02}/{len(patches):02}" if letter.exists() else ""
            texts[path] = patch.text(f"[PATCH{mark}]", given.author)
        if letter.exists():
            texts[Path(name, letter.name)] = cover_letter(
                letter.read_text("utf-8"), given.version, patches.values())
    texts[Path("series")] = "".join(f"{path}\n" for path in texts
                                    if path.match("*.patch"))
    for path, text in texts.items():
        output.save(given.dest / path, text.replace(NOBODY, author).encode())


if __name__ == "__main__":
    main()
