#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Write the two series of patches that bring the project into a kernel, for git am.

Usage: tools/patches.py [--author "NAME <ADDRESS>"] VERSION DEST
  VERSION   the kernel's, one of vm/kernels
  DEST      a directory, made if need be; its *.patch files are replaced
  --author  who sends it: signs each patch, and maintains it in MAINTAINERS

The changes of the kernel's own files are kernel/patches/common/ and the directory
beside it that vm/kernels names, in the order of their names; of two with one name
the latter's counts. With some of them come new files: the project's, in the form
that tools/kernel_form.py gives them, changed by the directory's sources.diff where
they are not the newest kernel's. That series is complete in itself. The second one,
of kernel/patches/attribute/, is made likewise, for a tree that has the first, and
goes into DEST/attribute/.
In each directory cover-letter.txt goes ahead of the patches. DEST/extras/ has patches
of their own, of kernel/patches/extras/, and DEST/sketch-vfs-flag.txt is what the first
letter speaks of.
"""
import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from kernel_form import PROJECT, files, form

sys.path.insert(0, str(PROJECT / "tools/gen"))

import output  # noqa: E402 pylint: disable=wrong-import-position

PATCHES = PROJECT / "kernel/patches"
SERIES = [".", "attribute"]
SKETCH = PATCHES / "sketch-vfs-flag.txt"
NOBODY = "utf8val <utf8val@example.invalid>"

# The patches that new files come with, and patterns of the files' paths in the
# kernel's tree. A file that matches twice changes.
STEPS = [
    ("security-check-names-for-UTF-8.patch",
     r"include/.*|security/utf8val/((core|qstr)\.c|fast_rows\.h|tests/.*"
     r"|Kconfig|Makefile)"),
    ("security-add-the-mount-option-utf8val.patch",
     r"security/(?!utf8val/attribute\.).*"),
    ("Documentation-describe-utf8val.patch", r"Documentation/(?!ABI/).*"),
    ("selftests-test-the-mount-option-utf8val.patch",
     r"tools/testing/selftests/(?!utf8val/attribute_).*"),
    ("security-utf8val-keep-modes-in-an-extended-attribute.patch",
     r"security/utf8val/attribute\..*"),
    ("Documentation-describe-security.utf8val.patch", r"Documentation/ABI/.*"),
    ("selftests-test-security.utf8val.patch",
     r"tools/testing/selftests/utf8val/attribute_.*"),
]


def patches_of(root, own):
    """The kernel's own changes, as {name: text}, in their order"""
    found = {path.name: path.read_text("utf-8") for name in ("common", own)
             for path in (root / name).glob("[0-9]*.patch")}
    return dict(sorted(found.items()))


def without_option(text):
    """Kconfig or Makefile before there is CONFIG_SECURITY_UTF8VAL"""
    text = re.sub(r"(?ms)\n^config SECURITY_UTF8VAL\n.*?(?=\nconfig |\Z)", "",
                  text)
    return re.sub(r"(?m)^obj-\$\(CONFIG_SECURITY_UTF8VAL\).*\n", "", text)


def git(tree, *arguments, **more):
    return subprocess.run(
        ["git", "-c", "core.autocrlf=false", "-c", "core.abbrev=12", "-C", tree,
         *arguments], check=True, stdout=subprocess.PIPE, encoding="utf-8",
        **more).stdout.strip("\n")


def new_files(own, tree):
    """The new files, as {path in the kernel's tree: text}"""
    for name, path in files().items():
        target = Path(tree, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(form(name), "utf-8")
    changes = PATCHES / own / "sources.diff"
    if changes.exists():
        git(tree, "apply", str(changes))
    return {path: Path(tree, path).read_text("utf-8")
            for path in files().values()}


def diffs(own):
    """The diff of new files that goes with each of the steps, by its name"""
    result = {}
    with tempfile.TemporaryDirectory() as tree:
        git(tree, "-c", "init.defaultBranch=main", "init", "-q")
        texts = new_files(own, tree)
        left = set(texts)
        before = git(tree, "mktree", input="")
        for name, pattern in STEPS:
            added = [path for path in texts if re.fullmatch(pattern, path)]
            left -= set(added)
            for path in added:
                Path(tree, path).write_text(
                    texts[path] if result else without_option(texts[path]),
                    "utf-8")
            git(tree, "add", "-f", "--", *added)
            result[name] = git(tree, "diff-index", "-p", "--cached", before) + "\n"
            before = git(tree, "write-tree")
    if left:
        sys.exit("patches: no step adds " + " ".join(left))
    return result


def stat(diff):
    return git(".", "apply", "--stat", "--summary", input=diff) + "\n"


def cover_letter(root, version, patches, author):
    """The text, then what git's own cover letters end with"""
    subject, text = (root / "cover-letter.txt").read_text(
        "utf-8").split("\n\n", 1)
    subjects = [re.search(r"^Subject: \[PATCH\] (.*(?:\n .*)*)", head,
                          re.M)[1].replace("\n", "") for head, _ in patches]
    return (f"From: {author}\n"
            f"Subject: [PATCH 00/{len(patches):02}] {subject}\n\n"
            f"{text.rstrip()}\n\nFor Linux {version}.\n\n"
            + "".join(f"  {each}\n" for each in subjects) + "\n"
            + stat("".join(diff for _, diff in patches)))


def save(target, patches, author, signed):
    """Write patches, given as {name: (head, diff)}, with numbers and signature"""
    target.mkdir(parents=True, exist_ok=True)
    for old in target.glob("*.patch"):
        old.unlink()
    for number, (name, (head, diff)) in enumerate(patches.items(), 1):
        head = head.replace("[PATCH]", f"[PATCH {number:02}/{len(patches):02}]",
                            1)
        if signed:
            # after the links, if there are any, or after an empty line
            last = head.rstrip("\n").rsplit("\n", 1)[1]
            head = (head.rstrip("\n")
                    + ("\n" if re.match(r"[A-Z][A-Za-z-]*: ", last) else "\n\n")
                    + f"Signed-off-by: {author}")
        name = f"{number:04}-" + name.split("-", 1)[1]
        output.save(target / name, f"{head}\n---\n{stat(diff)}\n{diff}".encode())


def main(arguments):
    row = subprocess.run([PROJECT / "tools/table.sh", PROJECT / "vm/kernels",
                          "patches", arguments.version],
                         stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if row.returncode:
        sys.exit(row.returncode)
    own = row.stdout.strip()
    author = arguments.author or NOBODY
    if not re.fullmatch(r"[^<>\n]+ <[^<>@\s]+@[^<>@\s]+>", author):
        sys.exit('patches: --author is to be "NAME <ADDRESS>"')

    def split(texts):
        return {name: text.replace(NOBODY, author).split("\n---\n", 1)
                for name, text in texts.items()}

    added = diffs(own)
    for series in SERIES:
        patches = split(patches_of(PATCHES / series, own))
        for name, patch in patches.items():
            patch[1] += added.pop(re.sub(r"^\d+-", "", name), "")
        save(arguments.dest / series, patches, author, arguments.author)
        letter = cover_letter(PATCHES / series, arguments.version,
                              patches.values(), author)
        output.save(arguments.dest / series / "cover-letter.txt",
                    letter.encode())
    if added:
        sys.exit("patches: no patch to go with " + " ".join(added))
    save(arguments.dest / "extras", split(patches_of(PATCHES / "extras", own)),
         author, arguments.author)
    output.save(arguments.dest / SKETCH.name,
                SKETCH.read_text("utf-8").replace(NOBODY, author).encode())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        usage=__doc__.split("Usage: ")[1].split("\n")[0])
    parser.add_argument("--author")
    parser.add_argument("version")
    parser.add_argument("dest", type=Path)
    main(parser.parse_args())
