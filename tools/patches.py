#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Write the series of patches that brings the project into a kernel, for git am.

Usage: tools/patches.py [--author "NAME <ADDRESS>"] VERSION DEST
  VERSION   the kernel's, one of kernel/patches/
  DEST      a directory, made if need be; its *.patch files are replaced
  --author  who sends it: signs each patch, and maintains it in MAINTAINERS

The changes of the kernel's own files are kernel/patches/VERSION/, in an order in
which each step builds. With some of them come new files: the project's, in the
form that tools/kernel_form.py gives them. DEST/cover-letter.txt goes ahead of
the patches; the text is kernel/patches/cover-letter.txt. Beside it comes the
sketch that it speaks of.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from kernel_form import PROJECT, form, place

sys.path.insert(0, str(PROJECT / "tools/gen"))

import output  # noqa: E402 pylint: disable=wrong-import-position

SKETCH = PROJECT / "kernel/patches/sketch-vfs-flag.txt"
NOBODY = "utf8val <utf8val@example.invalid>"

# The patches that new files come with, by how their names end, and patterns of
# the files' paths in the kernel's tree. One that matches twice changes.
STEPS = [
    ("security-check-names-for-UTF-8.patch",
     r"include/.*|security/utf8val/((core|qstr)\.c|engine/.*|tests/.*"
     r"|Kconfig|Makefile)"),
    ("security-add-the-mount-option-utf8val.patch", r"security/.*"),
    ("Documentation-describe-utf8val.patch", r"Documentation/.*"),
    ("selftests-test-the-mount-option-utf8val.patch",
     r"tools/testing/selftests/.*"),
]


def run(*command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          encoding="utf-8", **more).stdout


def files_in(directory):
    return [str(path.relative_to(PROJECT))
            for path in sorted((PROJECT / directory).rglob("*"))
            if path.is_file()]


def new_files(version):
    """The new files: their paths in the kernel's tree, and their texts"""
    names = run(PROJECT / "tools/kernel-tree.sh", "--files").split("\n")[:-1]
    files = {}
    for directory in "Documentation", "kernel/series", "kernel/selftests":
        names += files_in(directory)
    for name in names:
        path = place(name)
        if path:
            if path in files:
                sys.exit(f"patches: two files would be {path}")
            files[path] = form(name, version)
    return files


def without_option(text):
    """Kconfig or Makefile before there is CONFIG_SECURITY_UTF8VAL"""
    text = re.sub(r"(?ms)\n^config SECURITY_UTF8VAL\n.*?(?=\nconfig |\Z)", "",
                  text)
    return re.sub(r"(?m)^obj-\$\(CONFIG_SECURITY_UTF8VAL\).*\n", "", text)


def diffs(files):
    """The diff of new files that goes with each of the steps, by its name"""
    result = {}
    with tempfile.TemporaryDirectory() as tmp:
        def git(*arguments):
            return run("git", "-c", "core.autocrlf=false",
                       "-c", "core.abbrev=12", "-C", tmp, *arguments,
                       env={**os.environ, "GIT_DIR": tmp + "/.git"})

        git("-c", "init.defaultBranch=main", "init", "-q")
        for name, pattern in STEPS:
            last = name == STEPS[0][0]
            for path, text in files.items():
                if not re.fullmatch(pattern, path):
                    continue
                target = Path(tmp, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(without_option(text) if last else text,
                                  "utf-8")
            git("add", "-A", "-f", ".")
            result[name] = git("diff-index", "-p", "--cached",
                               result and tree or git("hash-object", "-t",
                                                      "tree", "-w",
                                                      "/dev/null").strip())
            tree = git("write-tree").strip()
        left = [path for path in files if not Path(tmp, path).exists()]
    if left:
        sys.exit("patches: no step adds " + " ".join(left))
    return result


def stat(diff):
    return run("git", "apply", "--stat", "--summary", input=diff)


def cover_letter(version, patches, author):
    """The text, then what git's own cover letters end with"""
    subject, text = (PROJECT / "kernel/patches/cover-letter.txt").read_text(
        "utf-8").split("\n\n", 1)
    subjects = [re.search(r"^Subject: \[PATCH\] (.*(?:\n .*)*)", patch,
                          re.M)[1].replace("\n", "") for patch, _ in patches]
    return (f"From: {author}\n"
            f"Subject: [PATCH 00/{len(patches):02}] {subject}\n\n"
            f"{text.rstrip()}\n\nFor Linux {version}.\n\n"
            + "".join(f"  {each}\n" for each in subjects) + "\n"
            + stat("".join(diff for _, diff in patches)))


def main(arguments):
    source = PROJECT / "kernel/patches" / arguments.version
    series = sorted(source.glob("[0-9]*.patch"))
    if not series:
        sys.exit(f"patches: there is no kernel/patches/{arguments.version}/")
    author = arguments.author or NOBODY
    if not re.fullmatch(r"[^<>\n]+ <[^<>@\s]+@[^<>@\s]+>", author):
        sys.exit('patches: --author is to be "NAME <ADDRESS>"')
    added = diffs(new_files(arguments.version))
    patches = []
    for patch in series:
        text = patch.read_text("utf-8").replace(NOBODY, author)
        head, rest = text.split("\n---\n", 1)
        diff = rest[rest.index("diff --git"):]
        for name in added:
            if patch.name.endswith(name):
                diff += added.pop(name)
                break
        # after the links, if there are any, or after an empty line
        if arguments.author:
            head = head.rstrip("\n")
            last = head.rsplit("\n", 1)[1]
            head += ("\n" if re.match(r"[A-Z][A-Za-z-]*: ", last) else "\n\n")
            head += f"Signed-off-by: {author}"
        patches.append((head, diff))
    if added:
        sys.exit("patches: no patch to go with " + " ".join(added))
    arguments.dest.mkdir(parents=True, exist_ok=True)
    for old in arguments.dest.glob("*.patch"):
        old.unlink()
    for number, (head, diff) in enumerate(patches, 1):
        head = head.replace("[PATCH]", f"[PATCH {number:02}/{len(patches):02}]",
                            1)
        target = arguments.dest / series[number - 1].name
        output.save(target, f"{head}\n---\n{stat(diff)}\n{diff}".encode())
    output.save(arguments.dest / "cover-letter.txt",
                cover_letter(arguments.version, patches, author).encode())
    output.save(arguments.dest / SKETCH.name,
                SKETCH.read_text("utf-8").replace(NOBODY, author).encode())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        usage=__doc__.split("Usage: ")[1].split("\n")[0])
    parser.add_argument("--author")
    parser.add_argument("version")
    parser.add_argument("dest", type=Path)
    main(parser.parse_args())
