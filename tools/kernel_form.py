#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Print one of the project's files as it is in a kernel of its own.

Usage: tools/kernel_form.py VERSION FILE
       tools/kernel_form.py --place FILE
       tools/kernel_form.py --prelude
  VERSION  the kernel's, such as 7.3
  FILE     as tools/kernel-tree.sh --files and kernel/series/ have it, from the
           project's directory
  --place  print the path that it gets in the kernel's tree instead
  --prelude  print what a compiler must be told that has no kernel's headers

What is left out is what only others than a kernel need, or many kernels: the
prover's comments, C99's names of types, C++, other versions of Linux, exports
without users. The code that is left compiles to the same (vm/patches.sh and
vm/steps.sh compare).
"""
import os
import re
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
HOME = "security/utf8val"
COMPAT = "kernel/compat.h"

# Where a file goes; none: it is not in a kernel. The first that matches.
PLACES = [
    (r"utf8val\.h", "include/linux/utf8val_core.h"),
    (r"kernel/include/linux/utf8val\.h", "include/linux/utf8val.h"),
    (r"utf8val\.c", HOME + "/core.c"),
    (r"kernel/module\.c", HOME + "/qstr.c"),
    (r"kernel/lsm/([^/]*\.[ch])", HOME + r"/\1"),
    (r"kunit/suite\.c", HOME + "/tests/utf8val_kunit.c"),
    (r"kunit/(\.kunitconfig)", HOME + r"/tests/\1"),
    (r"tests/([^/]*\.[ch])", HOME + r"/tests/\1"),
    # for 32-bit processors without an operating system
    (r"engine/(word|mve|mve_tables)\.h", None),
    (r"engine/([^/]*\.h)", HOME + r"/engine/\1"),
    # becomes part of what includes it
    (r"kernel/compat\.h", None),
    # the header under the name that it has there
    (r"kernel/include/linux/utf8val_core\.h", None),
    # what a module outside of a kernel's tree is made of
    (r"Kbuild|kernel/Kbuild|kernel/lsm/Kbuild|kunit/Kbuild|Kconfig", None),
    (r"kernel/core\.c|kunit/(checks|oracle|vectors)\.c", None),
    (r"kernel/series/(.*)", r"\1"),
    (r"kernel/selftests/(.*)", r"tools/testing/selftests/utf8val/\1"),
    (r"(Documentation/filesystems/.*)", r"\1"),
    (r"Documentation/admin-guide/.*", None),
]

# Conditions of #if that are known in a kernel
KNOWN = {
    "ifdef __KERNEL__": True,
    "ifdef __cplusplus": False,
    "if defined(UTF8VAL_ENGINE_WORD) && UTF8VAL_ENGINE_WORD": False,
    "if defined(UTF8VAL_ENGINE_MVE) && UTF8VAL_ENGINE_MVE": False,
}
AT_LEAST = r"if LINUX_VERSION_CODE >= KERNEL_VERSION\((\d+), (\d+), \d+\)"

ASSERT = {"_Static_assert": "static_assert"}
TYPES = {"uint8_t": "u8", "uint16_t": "u16", "uint32_t": "u32",
         "uint64_t": "u64", "int32_t": "s32", "int64_t": "s64"}

# What a kernel has names for, its headers that declare them included everywhere
ATTRIBUTES = [
    ("__attribute__((__always_inline__))", "__always_inline"),
    ("__attribute__((__noinline__))", "noinline"),
    ("__attribute__((__aligned__(64)))", "__aligned(64)"),
    ("__attribute__((__packed__, __may_alias__))",
     "__packed __attribute__((__may_alias__))"),
]
ARRAY_SIZE = r"\bsizeof\((\w+)\) / sizeof\(\1\[0\]\)"
# and the headers of those that are not
HEADERS = {"ARRAY_SIZE": "linux/kernel.h", "static_assert": "linux/build_bug.h"}

# Texts that must be there, once, and what stands in their place: a module's
# exports and version, which have no user in a kernel's tree.
EDITS = {
    "utf8val.h": [('#define UTF8VAL_VERSION "', None)],
    "kernel/module.c": [
        ("#include <linux/export.h>\n", ""),
        ("#include <linux/module.h>\n", ""),
        (" * utf8val for the kernel: what it exports.\n",
         " * The check of a name, as dentries have it.\n"),
        (r"(?m)^EXPORT_SYMBOL_GPL\(.*\);\n(\n(?=EXPORT))?", ""),
        (r'(?m)\n*^MODULE_[A-Z]*\(.*\);\n', ""),
    ],
    "engine/engine.h": [
        (r"(?s)Which engine looks(?!.*Which engine).*?All give the same results; only",
         "Which engine looks for the end of the well-formed prefix: the fast one"
         "\n * with 64 bits, the compact one elsewhere. Both give the same "
         "results;\n * only"),
        (r"(?s)if \(defined\(UTF8VAL_ENGINE_FAST\).*?WORD\)\)",
         "ifdef CONFIG_64BIT"),
    ],
    "Documentation/filesystems/utf8val.rst": [
        (r"(?s)In a kernel tree, ``select UTF8VAL``.*?shows the include path\.\n",
         "``select UTF8VAL`` in the Kconfig entry of what calls it. There are no "
         "stubs:\nwithout ``CONFIG_UTF8VAL`` the header declares the functions "
         "and the link fails.\nNothing is exported to modules yet, as no module "
         "calls it: whoever adds the\nfirst one adds the export.\n"),
        ("security/utf8val/kernel/module.c", "security/utf8val/qstr.c"),
        ("security/utf8val/utf8val.h", "include/linux/utf8val_core.h"),
    ],
    "kernel/lsm/trace.h": [
        ("../../security/utf8val/kernel/lsm", "../../security/utf8val")],
    "kernel/lsm/securityfs.c": [
        ("utf8val/: version, stats,", "utf8val/: stats,"),
        (r"static int version_show(?s:.*?)DEFINE_SHOW_ATTRIBUTE\(version\);"
         r"\n\n", ""),
        ('\t{ "version", &version_fops },\n', ""),
    ],
}


def place(name):
    """The path in a kernel's tree, or None"""
    for pattern, path in PLACES:
        match = re.fullmatch(pattern, name)
        if match:
            return path and match.expand(path)
    raise LookupError(f"kernel_form: no place is known for {name}")


def without_annotations(text):
    """C source without annotations for provers"""
    # a comment that has its lines to itself goes with them
    text = re.sub(r"^[ \t]*/\*@.*?\*/[ \t]*\n", "", text, flags=re.S | re.M)
    text = re.sub(r"^[ \t]*//@.*\n", "", text, flags=re.M)
    return re.sub(r"[ \t]*/\*@.*?\*/|[ \t]*//@[^\n]*", "", text, flags=re.S)


def known(condition, version):
    """Whether a condition holds: True, False, or None for unknown"""
    match = re.fullmatch(AT_LEAST, condition)
    if match:
        return version >= (int(match[1]), int(match[2]))
    return KNOWN.get(condition)


def with_known_conditions(text, version):
    """Without the lines that a known condition leaves out, nor itself"""
    lines = []
    stack = []  # of each #if: what is known of its condition
    for line in text.splitlines(keepends=True):
        directive = re.match(r"#\s*(if.*|else|endif)", line)
        word = directive[1].split(" ")[0].strip() if directive else ""
        if word.startswith("if"):
            stack.append(known(directive[1].rstrip(), version))
            if stack[-1] is not None:
                continue
        elif word == "else" and stack[-1] is not None:
            stack[-1] = not stack[-1]
            continue
        elif word == "endif" and stack.pop() is not None:
            continue
        if False not in stack:
            lines.append(line)
    return re.sub(r"\n{3,}", "\n\n", "".join(lines))


def read(name):
    return (PROJECT / name).read_text("utf-8")


def compat(version):
    """compat.h for one version: its macros, and what it declares besides"""
    text = with_known_conditions(read(COMPAT), version)
    text = re.sub(r"(?s)/\*.*?\*/", "", text).replace("\\\n", "")
    macros = re.findall(r"(?m)^#define (\w+)(?:\((\w+)\))?[ \t]+(.*)$", text)
    macros = [(name, parameter, re.sub(r"^\(([&!][^()]*)\)$", r"\1", body))
              for name, parameter, body in macros]
    text = re.sub(r"(?m)^#.*\n", "", text).replace(" __maybe_unused", "")
    return macros, text.strip()


def with_macros(text, macros):
    """With compat.h's macros replaced by what they stand for"""
    for name, parameter, body in reversed(macros):
        if not parameter:
            text = re.sub(rf"\b{name}\b", lambda _, body=body: body, text)
            continue
        text = re.sub(rf"\b{name}\((\w+)\)", lambda match, body=body,
                      parameter=parameter:
                      re.sub(rf"\b{parameter}\b", match[1], body), text)
    return text


def with_includes(text, name):
    """With #include "..." as the files lie in a kernel"""
    def line(match):
        target = os.path.normpath(os.path.join(os.path.dirname(name), match[1]))
        there = place(target)
        if there.startswith("include/"):
            return "#include <%s>" % there[len("include/"):]
        return '#include "%s"' % os.path.relpath(
            there, os.path.dirname(place(name)))

    return re.sub(r'^#include "(.*)"$', line, text, flags=re.M)


def edited(text, name):
    for old, new in EDITS.get(name, []):
        if new is None:  # the line and the empty one after it
            old, new = rf"(?m)^{re.escape(old)}.*\n\n?", ""
        elif not old.startswith(("(?", "static")):
            old = re.escape(old)
        text, count = re.subn(old, lambda _, new=new: new, text)
        if not count:
            sys.exit(f"kernel_form: {name} has no {old}")
    return text


def licence_first(text, name):
    """The licence in the first line, in the form of its kind of file"""
    text = re.sub(r"\A(/\* Generated by: .*\n)(.*SPDX.*\n)", r"\2\1", text)
    if name.endswith(".c"):
        text = re.sub(r"\A/\* (SPDX.*) \*/\n", r"// \1\n", text)
    return text


def without_spare_braces(text):
    """Without those around one statement, as annotations may have left it"""
    return re.sub(r"(?m)^(\t+)((?:if|for|while) \(.*\)) \{\n"
                  r"(\1\t[^\n;{}]+;\n)\1\}\n(?!\t*(?:\} )?else)",
                  r"\1\2\n\3", text)


def with_words(text, words):
    """With other words, and lines still aligned with what they continue"""
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
        changed = re.sub(r"\b(%s)\b" % "|".join(words),
                         lambda match: words[match[0]], line)
        moved = dict(zip(opened(indent + line.lstrip()), opened(changed)))
        columns = {**(columns if new != width else {}), **moved}
        lines.append(changed)
    return "\n".join(lines)


def with_kernel_names(text):
    """With the kernel's own names for what C or the compiler has"""
    for old, new in ATTRIBUTES:
        text = text.replace(old, new)
    text = with_words(re.sub(ARRAY_SIZE, r"ARRAY_SIZE(\1)", text),
                      {**TYPES, **ASSERT})
    for name, header in HEADERS.items():
        if re.search(rf"\b{name}\(", text):
            text = re.sub(r"(?m)^(#include )", rf"#include <{header}>\n\1",
                          text, count=1)
    return text


def prelude():
    """What a compiler without the kernel's headers must be told"""
    return "".join([
        *(f"#include <std{name}.h>\n" for name in ("bool", "def", "int")),
        *(f"typedef {there} {here};\n" for there, here in TYPES.items()),
        "#define __always_inline inline __attribute__((__always_inline__))\n",
        "#define noinline __attribute__((__noinline__))\n",
        "#define __aligned(size) __attribute__((__aligned__(size)))\n",
        "#define __packed __attribute__((__packed__))\n",
        *(f"#define {there} {here}\n" for here, there in ASSERT.items()),
        "#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))\n"])


def source(name, version):
    """A C file as it is in a kernel of this version"""
    text = without_annotations(read(name))
    text = with_known_conditions(text, version)
    text = edited(text, name)
    if "compat.h" in text or name.startswith("kernel/lsm/"):
        macros, declared = compat(version)
        text = with_macros(text, macros)
        text = re.sub(r'#include ".*compat\.h"\n', "", text)
        text = re.sub(r"\n{3,}", "\n\n", text)
        if declared and "utf8val_lsm_id" in text:
            # after the last #include
            text = re.sub(r"(?s)(.*#include [^\n]*\n)",
                          lambda match: match[1] + "\n" + declared + "\n", text,
                          count=1)
    text = with_kernel_names(without_spare_braces(text))
    return licence_first(with_includes(text, name), name).rstrip("\n") + "\n"


def form(name, version):
    """The text of a file as it is in a kernel of this version, such as 7.3"""
    version = tuple(int(part) for part in version.split("."))
    if re.fullmatch(r"(?!kernel/selftests/).*\.[ch]", name):
        return source(name, version)
    return edited(read(name), name)


if __name__ == "__main__":
    if sys.argv[1:] == ["--prelude"]:
        sys.exit(print(prelude(), end=""))
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if sys.argv[1] == "--place":
        print(place(sys.argv[2]) or "")
    else:
        sys.stdout.write(form(sys.argv[2], sys.argv[1]))
