#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Write the series of patches that bring the project into a kernel, for git am.

Usage: tools/patches.py [--author "NAME <ADDRESS>"] VERSION DEST
       tools/patches.py --files   list the project's files that go into a kernel
  VERSION   the kernel's, one of vm/kernels
  DEST      a directory, made if need be; its *.patch files are replaced
  --author  who sends it: signs each patch, and maintains it in MAINTAINERS

The changes of the kernel's own files are kernel/patches/common/ and the directory
beside it that vm/kernels names, in the order of their names; of two with one name
the latter's counts. With some of them come new files: the project's, in a kernel's
form, changed by the directory's sources.diff where they are not the newest kernel's.
That is the mount option's series. The others, of kernel/patches/NAME/, are made likewise
and go into DEST/NAME/; cover-letter.txt, where there is one, goes ahead of a series'
patches, which have numbers then. DEST/series lists the patches in the order in which a
tree takes them; those of extras/, for whoever wants them, are not in it. The option's
cover letter speaks of DEST/sketch-vfs-flag.txt.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "tools/gen"))

import output  # noqa: E402 pylint: disable=wrong-import-position
import vectors  # noqa: E402 pylint: disable=wrong-import-position

PATCHES = PROJECT / "kernel/patches"
# The series, in the order in which a tree takes them; "." is the mount option's.
SERIES = ["alone", "framework", ".", "machine", "attribute", "extras"]
NOBODY = "utf8val <utf8val@example.invalid>"

# Which files go there, and where; a directory's name ends with /.
HOME = "security/utf8val/"
PLACES = [
    ("Kconfig", HOME),
    ("kernel/core.c", HOME),
    ("engine/fast_rows.h", HOME),
    ("kernel/include/linux/utf8val.h", "include/linux/"),
    ("kernel/module.c", HOME + "qstr.c"),
    ("kernel/lsm/*", HOME),
    ("kunit/suite.c", HOME + "tests/utf8val_kunit.c"),
    ("kunit/differs.h", HOME + "tests/"),
    ("kunit/Makefile", HOME + "tests/"),
    ("kunit/.kunitconfig", HOME + "tests/"),
    ("tests/vectors.h", HOME + "tests/"),
    ("tests/oracle.[ch]", HOME + "tests/"),
    ("tools/gen/vectors.py", HOME + "tests/vectors.c"),
    ("kernel/selftests/*", "tools/testing/selftests/utf8val/"),
    ("kernel/Documentation/*", "Documentation/admin-guide/LSM/"),
    ("kernel/Documentation/ABI/*", "Documentation/ABI/testing/"),
    ("Documentation/filesystems/utf8val.rst", "Documentation/filesystems/"),
]
# The patches that new files come with, and patterns of the files' paths in the
# kernel's tree. A file that matches twice changes.
STEPS = [
    ("security-check-names-for-UTF-8.patch",
     r"include/.*|security/utf8val/((core|qstr)\.c|fast_rows\.h|tests/.*|Kconfig|Makefile)"),
    ("security-add-the-mount-option-utf8val.patch", r"security/(?!utf8val/(marked|default|remov|attribute)).*"),
    ("Documentation-describe-utf8val.patch", r"Documentation/admin-guide/.*"),
    ("selftests-test-the-mount-option-utf8val.patch", r"tools/.*/(?!attribute_|removed_)[^/]*"),
    ("security-utf8val-list-the-file-systems-with-a-mode.patch",
     r"security/utf8val/marked\.c"),
    ("security-utf8val-set-a-mode-for-mounts-without-the-o.patch",
     r"security/utf8val/default\.c"),
    ("security-utf8val-let-a-removed-name-come-back.patch", r"security/utf8val/remov.*"),
    ("selftests-test-that-a-removed-name-comes-back.patch", r"tools/.*/removed_[^/]*"),
    ("security-utf8val-keep-modes-in-an-extended-attribute.patch",
     r"security/utf8val/attribute\..*"),
    ("Documentation-describe-security.utf8val.patch", r"Documentation/ABI/.*"),
    ("selftests-test-security.utf8val.patch", r"tools/.*/attribute_[^/]*"),
    ("Documentation-describe-UTF-8-checks-to-file-systems.patch",
     r"Documentation/filesystems/.*"),
]


def files():
    """The files that go into a kernel: {path in the project: path there}"""
    found = {}
    for pattern, place in PLACES:
        names = [path.relative_to(PROJECT).as_posix()
                 for path in sorted(PROJECT.glob(pattern)) if path.is_file()]
        if not names:
            sys.exit(f"patches: the project has no {pattern}")
        found.update((name, place + os.path.basename(name)
                      if place.endswith("/") else place) for name in names)
    return found


def form(name, places):
    """The text of one of files() as it is in a kernel. What stands in kernel/ and kunit/
    has that form already. What other homes share with it loses what is theirs: comments
    for provers, the branches that no kernel takes, and C99's names of types."""
    if (PROJECT / name).samefile(vectors.__file__):
        text = vectors.source_file(kernel=True)
    else:
        text = (PROJECT / name).read_text("utf-8")
    if not places[name].endswith((".c", ".h")):
        return text

    def include(match):
        there = places.get(os.path.normpath(
            os.path.join(os.path.dirname(name), match[1])))
        if not there:  # the kernel's own
            return match[0]
        if there.startswith("include/"):
            return f"#include <{there[len('include/'):]}>"
        here = os.path.dirname(places[name])
        return f'#include "{os.path.relpath(there, here)}"'

    for pattern, new in (
            # comments for provers; one that has its lines to itself goes with them
            (r"^[ \t]*(/\*@(?s:.*?)\*/|//@.*)[ \t]*\n|[ \t]*(/\*@(?s:.*?)\*/|//@.*)", ""),
            (r"(?s)^#ifdef __KERNEL__\n(.*?)^#else\n.*?^#endif\n", r"\1"),
            (r"(?s)(^\n)?^#ifndef __KERNEL__\n.*?^#endif\n", ""),
            (r"\b(u?)int(\d+)_t\b", lambda match: (match[1] or "s") + match[2]),
            (r'^#include "(.*)"$', include),
            # the licence in the first line, in the form of its kind of file
            (r"\A(/\* Generated by: )(.*\n)(.*SPDX.*\n)", r"\3\1utf8val's \2"),
            (r"\A/\* (SPDX.*) \*/$", r"// \1" if places[name].endswith(".c") else r"\g<0>")):
        text = re.sub(pattern, new, text, flags=re.M)
    return text


def patches_of(root, own, author):
    """The kernel's own changes, as {name: [head, diff]}, in their order. Without a head
    of its own, a kernel's patch has the common one's."""
    found = {}
    for path in (*(root / "common").glob("*.patch"), *(root / own).glob("*.patch")):
        text = path.read_text("utf-8").replace(NOBODY, author)
        head, diff = re.split(r"^---\n", text, maxsplit=1, flags=re.M)
        found[path.name] = [head.rstrip("\n") or found[path.name][0], diff]
    return dict(sorted(found.items()))


def without_option(text):
    """Kconfig or Makefile before there is CONFIG_SECURITY_UTF8VAL"""
    text = re.sub(r"(?ms)\n^config SECURITY_UTF8VAL\n.*?(?=\nconfig |\Z)", "", text)
    return re.sub(r"(?m)^obj-\$\(CONFIG_SECURITY_UTF8VAL\).*\n", "", text)


def git(tree, *arguments, **more):
    return subprocess.run(
        ["git", "-c", "core.autocrlf=false", "-c", "core.abbrev=12",
         "-c", "init.defaultBranch=main", "-C", tree, *arguments],
        check=True, stdout=subprocess.PIPE, encoding="utf-8", **more).stdout.strip("\n")


def added_files(own):
    """The diff of new files that goes with each of the steps, by its name"""
    result = {}
    with tempfile.TemporaryDirectory() as tree:
        git(tree, "init", "-q")
        places = files()
        left = {path: Path(tree, path) for path in places.values()}
        for name, path in places.items():
            output.save(left[path], form(name, places).encode())
        if (changes := PATCHES / own / "sources.diff").exists():
            git(tree, "apply", str(changes))
        texts = {path: file.read_text("utf-8") for path, file in left.items()}
        before = git(tree, "mktree", input="")
        for name, pattern in STEPS:
            added = [path for path in texts if re.fullmatch(pattern, path)]
            for path in added:
                left.pop(path, None)
                Path(tree, path).write_text(
                    texts[path] if result else without_option(texts[path]), "utf-8")
            git(tree, "add", "-f", "--", *added)
            result[name] = git(tree, "diff-index", "-p", "--cached", before) + "\n"
            before = git(tree, "write-tree")
    if left:
        sys.exit("patches: no step adds " + " ".join(left))
    return result


def stat(diff):
    return git(".", "apply", "--stat", "--summary", input=diff) + "\n"


def lines(diffs):
    """How many lines diffs change, by the files' names"""
    changed = collections.Counter()
    for row in git(".", "apply", "--numstat", input=diffs).splitlines():
        added, removed, path = row.split("\t")
        changed[path] += int(added) + int(removed)
    return changed


def cover_letter(root, version, patches, author):
    """The text, then each patch and each file with the lines that change"""
    subject, text = (root / "cover-letter.txt").read_text("utf-8").split("\n\n", 1)
    subjects = [re.search(r"^Subject: \[PATCH\] (.*(?:\n .*)*)", head, re.M)[1]
                .replace("\n", "") for head, _ in patches]
    changed = lines("".join(diff for _, diff in patches))
    tests = sum(count for path, count in changed.items() if "tests/" in path)
    return (f"From: {author}\nSubject: [PATCH 00/{len(patches):02}] {subject}\n\n"
            f"{text.rstrip()}\n\nFor Linux {version}. Lines that each patch changes, "
            f"{changed.total()} in all, of which {tests}\nare tests':\n\n"
            + "".join(f"  {lines(diff).total():5}  {each}\n"
                      for (_, diff), each in zip(patches, subjects)) + "\nand each file:\n\n"
            + "".join(f"  {count:5}  {path}\n" for path, count in sorted(changed.items()))
            ).encode()


def save(target, patches, author, numbered):
    """Write patches, given as {name: [head, diff]}, numbered or each by itself, and with an
    author with a signature after the links or, where there are none, after an empty
    line. Returns: the files."""
    saved = []
    for old in target.glob("*.patch"):
        old.unlink()
    for number, (name, (head, diff)) in enumerate(patches.items(), 1):
        if numbered:
            head = head.replace("[PATCH]", f"[PATCH {number:02}/{len(patches):02}]", 1)
        if author:
            linked = re.match(r"[A-Z][A-Za-z-]*: ", head.rsplit("\n", 1)[1])
            head += ("\n" if linked else "\n\n") + f"Signed-off-by: {author}"
        saved.append(target / f"{number:04}-{name.split('-', 1)[1]}")
        output.save(saved[-1], f"{head}\n---\n{stat(diff)}\n{diff}".encode())
    return saved


def main(arguments):
    if arguments == ["--files"]:
        print("\n".join(files()))
        return
    signer = arguments[1] if arguments[:1] == ["--author"] and arguments[1:] else None
    if len(arguments) != (4 if signer else 2):
        sys.exit(__doc__.split("\n\n")[1])
    version, dest = arguments[-2], Path(arguments[-1])
    row = subprocess.run([PROJECT / "tools/table.sh", PROJECT / "vm/kernels", "patches",
                          version], stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if row.returncode:
        sys.exit(row.returncode)
    own = row.stdout.strip()
    author = signer or NOBODY
    if not re.fullmatch(r"[^<>\n]+ <[^<>@\s]+@[^<>@\s]+>", author):
        sys.exit('patches: --author is to be "NAME <ADDRESS>"')

    added = added_files(own)
    listed = []
    for series in SERIES:
        patches = patches_of(PATCHES / series, own, author)
        for name, patch in patches.items():
            patch[1] += added.pop(re.sub(r"^\d+-", "", name), "")
        has_letter = (PATCHES / series / "cover-letter.txt").exists()
        saved = save(dest / series, patches, signer, has_letter)
        if series != "extras":
            listed.extend(saved)
        if has_letter:
            output.save(dest / series / "cover-letter.txt", cover_letter(
                PATCHES / series, version, patches.values(), author))
    if added:
        sys.exit("patches: no patch to go with " + " ".join(added))
    output.save(dest / "series", "".join(
        f"{path.relative_to(dest)}\n" for path in listed).encode())
    sketch = (PATCHES / "sketch-vfs-flag.txt").read_text("utf-8")
    output.save(dest / "sketch-vfs-flag.txt", sketch.replace(NOBODY, author).encode())


if __name__ == "__main__":
    main(sys.argv[1:])
