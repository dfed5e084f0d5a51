#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""The project's files as they are in a kernel of its own.

Usage: tools/kernel_form.py FILE    print one of them, a path from the project's
                                    directory
       tools/kernel_form.py --files list all, a line each: FILE, PATH THERE

What stands in kernel/ and kunit/ has the kernel's form already. What other homes
share with it loses what is theirs: comments for provers, which begin with /*@ or
//@, the branches of #if that no kernel takes (by unifdef), and C99's names of
types.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
HOME = "security/utf8val/"

# Which files go there, and where; a directory's name ends with /.
PLACES = [
    ("Kconfig", HOME),
    ("utf8val.h", "include/linux/utf8val_core.h"),
    ("utf8val.c", HOME + "core.c"),
    ("engine/[!wm]*.h", HOME + "engine/"),  # word and mve: for firmware
    ("kernel/include/linux/utf8val.h", "include/linux/"),
    ("kernel/module.c", HOME + "qstr.c"),
    ("kernel/lsm/*", HOME),
    ("kunit/suite.c", HOME + "tests/utf8val_kunit.c"),
    ("kunit/Makefile", HOME + "tests/"),
    ("kunit/.kunitconfig", HOME + "tests/"),
    ("tests/checks.[ch]", HOME + "tests/"),
    ("tests/oracle.[ch]", HOME + "tests/"),
    ("tests/vectors.c", HOME + "tests/"),
    ("kernel/selftests/*", "tools/testing/selftests/utf8val/"),
    ("kernel/Documentation/*", "Documentation/admin-guide/LSM/"),
    ("Documentation/filesystems/utf8val.rst", "Documentation/filesystems/"),
]

CONDITIONS = ["-D__KERNEL__", "-UMODULE", "-U__cplusplus",
              "-UUTF8VAL_ENGINE_WORD", "-UUTF8VAL_ENGINE_MVE"]

NAMES = {
    "uint8_t": "u8", "uint16_t": "u16", "uint32_t": "u32", "uint64_t": "u64",
    "int32_t": "s32", "int64_t": "s64",
    "_Static_assert": "static_assert",
    "inline FAST_INLINE": "__always_inline",
    "inline UTF8VAL_ENGINE_INLINE": "__always_inline",
    "__attribute__((__noinline__))": "noinline",
    "__attribute__((__aligned__(64)))": "__aligned(64)",
    "__attribute__((__packed__, __may_alias__))":
        "__packed __attribute__((__may_alias__))",
}
NAME = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in NAMES))


def files():
    """The files that go into a kernel: {path in the project: path there}"""
    found = {}
    for pattern, place in PLACES:
        names = [path.relative_to(PROJECT).as_posix()
                 for path in sorted(PROJECT.glob(pattern)) if path.is_file()]
        if not names:
            sys.exit(f"kernel_form: the project has no {pattern}")
        found.update((name, place + os.path.basename(name)
                      if place.endswith("/") else place) for name in names)
    return found


def without_annotations(text):
    """Without comments for provers, and braces around the statement they left"""
    # a comment that has its lines to itself goes with them
    text = re.sub(r"^[ \t]*(/\*@(?s:.*?)\*/|//@.*)[ \t]*\n", "", text, flags=re.M)
    text = re.sub(r"[ \t]*(/\*@(?s:.*?)\*/|//@.*)", "", text)
    return re.sub(r"(?m)^(\t+)((?:if|for|while) \(.*\)) \{\n"
                  r"(\1\t[^\n;{}]+;\n)\1\}\n(?!\t*(?:\} )?else)",
                  r"\1\2\n\3", text)


def with_known_conditions(text):
    """Without the branches of #if that a kernel never takes"""
    done = subprocess.run(["unifdef", "-B", *CONDITIONS], input=text,
                          stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode not in (0, 1):  # 1: something went
        sys.exit("kernel_form: unifdef failed")
    return done.stdout


def with_names(text):
    """With the kernel's names, and lines still aligned with what they continue"""
    lines = []
    columns = {}  # where the last lines had a parenthesis open, and have it now

    def opened(line):
        stack = []
        for at, char in enumerate(line.expandtabs(8), 1):
            if char == "(":
                stack.append(at)
            elif char == ")" and stack:
                stack.pop()
        return stack

    for line in text.split("\n"):
        indent = re.match(r"[\t ]*", line)[0]
        width = len(indent.expandtabs(8))
        new = columns.get(width, width)
        if new != width:
            line = "\t" * (new // 8) + " " * (new % 8) + line[len(indent):]
        changed = NAME.sub(lambda match: NAMES[match[0]], line)
        moved = dict(zip(opened(indent + line.lstrip()), opened(changed)))
        columns = {**(columns if new != width else {}), **moved}
        lines.append(changed)
    return "\n".join(lines)


def form(name):
    """The text of one of files() as it is in a kernel"""
    text = (PROJECT / name).read_text("utf-8")
    if not name.endswith((".c", ".h")):
        return text
    places = files()

    def include(match):
        there = places.get(os.path.normpath(
            os.path.join(os.path.dirname(name), match[1])))
        if not there:  # the kernel's own
            return match[0]
        if there.startswith("include/"):
            return "#include <%s>" % there[len("include/"):]
        return '#include "%s"' % os.path.relpath(
            there, os.path.dirname(places[name]))

    text = with_names(with_known_conditions(without_annotations(text)))
    text = re.sub(r'(?m)^#include "(.*)"$', include, text)
    if "static_assert(" in text:
        text = re.sub(r"(?m)^#include ", "#include <linux/build_bug.h>\n#include ",
                      text, count=1)
    # the licence in the first line, in the form of its kind of file
    text = re.sub(r"\A(/\* Generated by: .*\n)(.*SPDX.*\n)", r"\2\1", text)
    if name.endswith(".c"):
        text = re.sub(r"\A/\* (SPDX.*) \*/\n", r"// \1\n", text)
    return text


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--files":
        print("\n".join(map(" ".join, files().items())))
    elif sys.argv[1] in files():
        sys.stdout.write(form(sys.argv[1]))
    else:
        sys.exit(f"kernel_form: {sys.argv[1]} does not go into a kernel")
