#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Write the series of patches that brings the project into a kernel, for git am.

Usage: tools/patches.py VERSION DEST
  VERSION  the kernel's, one of kernel/patches/
  DEST     a directory, made if need be; its *.patch files are replaced

The changes of the kernel's own files are kernel/patches/VERSION/. Before the
one that adds security/utf8val/ to the build come the files of that directory,
in steps that each build. They are in the kernel's form: without the prover's
comments, and with u8 for uint8_t and the like.

        tools/patches.py --kernel-form FILE
prints a file in that form.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
GLUE = "security-add-utf8val.patch"
WHERE = "security/utf8val/"

# what each step adds: a subject and a text, and patterns of the files
STEPS = [
    ("security: check names for UTF-8", """\
A name that is not well-formed UTF-8 breaks programs that take names for
text. Add the check, as functions that any kernel code can call: a DFA made
of the grammar in RFC 3629, which also says where and why a string is
ill-formed. fs/unicode's utf8_validate() rejects unassigned code points as
well, says neither, and needs the tables of a Unicode version.

Nothing builds it yet.
""", r"Kbuild|Kconfig|engine/.*|utf8val\.[ch]|kernel/(Kbuild|[^/]*\.[ch]|include/.*)"),
    ("security: test the UTF-8 checks by KUnit", """\
Vectors from the Unicode Standard and RFC 3629, all short strings against an
independent decoder, and lengths and positions around each engine's limits.
""", r"kunit/.*|tests/.*"),
    ("security: utf8val= as a mount option", """\
A security module that gives every file system the mount option
utf8val=off|audit|enforce. Names that are there already stay usable.
""", r"kernel/lsm/.*"),
]
KERNEL_TYPES = {"uint8_t": "u8", "uint16_t": "u16", "uint32_t": "u32",
                "uint64_t": "u64", "int32_t": "s32", "int64_t": "s64"}


def kernel_form(text):
    """C source without annotations for provers, with the kernel's types"""
    # a comment that has its lines to itself goes with them
    text = re.sub(r"^[ \t]*/\*@.*?\*/[ \t]*\n", "", text, flags=re.S | re.M)
    text = re.sub(r"^[ \t]*//@.*\n", "", text, flags=re.M)
    text = re.sub(r"[ \t]*/\*@.*?\*/|[ \t]*//@.*", "", text, flags=re.S)
    return re.sub(r"\b(%s)\b" % "|".join(KERNEL_TYPES),
                  lambda match: KERNEL_TYPES[match[0]], text)


def run(*command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          encoding="utf-8", **more).stdout


def put(name, target):
    """One of the project's files, as it is in a kernel"""
    source = PROJECT / name
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_symlink():
        target.symlink_to(os.readlink(source))
    elif source.suffix in (".c", ".h"):
        target.write_text(kernel_form(source.read_text("utf-8")), "utf-8")
    else:
        shutil.copyfile(source, target)


def new_files(tree, author):
    """A commit for each step, in an empty repository at tree"""
    def git(*arguments):
        return run("git", "-c", "core.autocrlf=false", "-C", tree, *arguments,
                   env={**os.environ, **author, "GIT_DIR": str(tree / ".git")})

    def commit(subject, text):
        git("add", "-A")
        git("-c", "commit.gpgsign=false", "commit", "-q", "--no-verify",
            "--allow-empty", "-m", subject + "\n\n" + text)

    git("-c", "init.defaultBranch=main", "init", "-q")
    commit("base", "")
    left = run(PROJECT / "tools/kernel-tree.sh", "--files").split("\n")[:-1]
    for subject, text, pattern in STEPS:
        here = [name for name in left if re.fullmatch(pattern, name)]
        left = [name for name in left if name not in here]
        for name in here:
            put(name, tree / WHERE / name)
        if subject == STEPS[0][0]:
            for header in (PROJECT / "kernel/include/linux").iterdir():
                (tree / "include/linux").mkdir(parents=True, exist_ok=True)
                (tree / "include/linux" / header.name).write_text(
                    kernel_form(header.read_text("utf-8")), "utf-8")
        if subject == STEPS[-1][0]:
            shutil.copytree(PROJECT / "Documentation", tree / "Documentation")
        commit(subject, text)
    if left:
        sys.exit("patches: no step adds " + " ".join(left))
    git("format-patch", "-q", "-N", "--zero-commit", "--no-signature",
        "-o", "out", "HEAD~%d" % len(STEPS))
    return sorted((tree / "out").iterdir())


def main(version, dest):
    series = sorted((PROJECT / "kernel/patches" / version).glob("*.patch"))
    if not series:
        sys.exit(f"patches: there is no kernel/patches/{version}/")
    glue = next(i for i, patch in enumerate(series)
                if patch.name.endswith(GLUE))
    head = series[glue].read_text("utf-8")
    name, email = re.search(r"^From: (.*) <(.*)>$", head, re.M).groups()
    date = re.search(r"^Date: (.*)$", head, re.M)[1]
    author = {f"GIT_{role}_{key}": value
              for role in ("AUTHOR", "COMMITTER")
              for key, value in (("NAME", name), ("EMAIL", email),
                                 ("DATE", date))}
    dest.mkdir(parents=True, exist_ok=True)
    for old in dest.glob("*.patch"):
        old.unlink()
    with tempfile.TemporaryDirectory() as tmp:
        series[glue:glue] = new_files(Path(tmp), author)
        for number, patch in enumerate(series, 1):
            text = patch.read_text("utf-8").replace(
                "[PATCH]", f"[PATCH {number:02}/{len(series):02}]", 1)
            (dest / f"{number:04}{patch.name[4:]}").write_text(text, "utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if sys.argv[1] == "--kernel-form":
        sys.stdout.write(kernel_form(Path(sys.argv[2]).read_text("utf-8")))
    else:
        main(sys.argv[1], Path(sys.argv[2]))
