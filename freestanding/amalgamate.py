#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Make one header of utf8val.h, utf8val.c and what they include.
freestanding.mk and package/package.py call this.

Define UTF8VAL_IMPLEMENTATION before including the header in one C file. To choose an
engine, also define UTF8VAL_ENGINE_COMPACT, _WORD, _MVE or _FAST as 1 there; engine.h
describes the default.

utf8val.h is in it as it is. The implementation is without comments, which are in the
files that it comes from. All names that the implementation defines begin with utf8val_ or
UTF8VAL_, because it becomes part of a file of the user's. The headers that it includes
declare other names; arm_mve.h, which the MVE engine needs, declares thousands.

Usage: freestanding/amalgamate.py [-o utf8val_single.h]
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools/gen"))

import output  # noqa: E402 pylint: disable=wrong-import-position

WIDTH = 100
STRING_OR_COMMENT = r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|/\*.*?\*/|//[^\n]*'
# what a file defines for all that come after it: macros, structures, functions, data
DEFINITIONS = (r"^#define (\w+)", r"^struct (\w+) \{",
               r"^(?:static|struct|bool|size_t|u?int\d+_t|void|const)\b[^;={}()]*?\b(\w+)"
               r"(?:\(|\[\d*\] =)")


def expand(name, place, guarded=False):
    """The file's lines, with included files in place. An included file stands where it is
    first asked for. If an #if may leave the file out there, it has its guard (guarded),
    and stands again wherever it is asked for. place: files and whether they are under an #if,
    which an include guard is not."""
    path = (ROOT / name).resolve()
    text = path.read_text(encoding="ascii")
    guard = re.search(r"^#ifndef (\w+_H)\n#define \1\n(.*)^#endif[^\n]*\n\Z", text,
                      flags=re.MULTILINE | re.DOTALL)
    if guard and not guarded:
        text = text[:guard.start()] + guard[2]
    conditions = place.setdefault(path, 0)
    for line in text.splitlines():
        conditions += bool(re.match(r"#\s*if", line)) - bool(re.match(r"#\s*endif", line))
        include = re.fullmatch(r'#include "([\w./]+\.h)"', line)
        if not include:
            yield line
            continue
        other = (path.parent / include[1]).resolve()
        # without a guard a file is meant to be included again
        if "#ifndef" not in other.read_text(encoding="ascii"):
            yield from expand(other, {**place, other: 0})
            continue
        if other not in place:
            place[other] = conditions
            yield from expand(other, place, conditions > 0)
        elif place[other]:
            yield from expand(other, place, True)


def without_comments(text):
    """C source without comments and without empty lines"""
    text = re.sub(STRING_OR_COMMENT, lambda match: " " if match[0].startswith("/")
                  else match[0], text, flags=re.DOTALL)
    # a list of numbers, to be packed again
    text = re.sub(r"(?m)^\t0x.*, *$", lambda match: match[0].replace(", ", ",\n\t"), text)
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def filled(lines):
    """Lines of C, those joined that fit and that a parenthesis, a list of numbers or a
    function's beginning holds together"""
    done = []
    depth = 0
    for line in lines:
        together = depth and not done[-1].endswith("\\") or \
            done and all(re.match(r"\t0x.*,$", each) for each in (done[-1], line))
        joined = f"{done[-1]} {line.strip()}".replace("( ", "(") if together else ""
        if line == "{":
            joined = f"{done[-1]} {line}"
        if joined and len(joined.expandtabs(8)) <= WIDTH:
            done[-1] = joined
        else:
            done.append(line)
        depth += line.count("(") - line.count(")")
    return done


def prefixed(text, header):
    """The text with names that all begin with utf8val_ or UTF8VAL_"""
    new = {name: ("UTF8VAL_" if name.isupper() else "utf8val_") + name
           for pattern in DEFINITIONS
           for name in re.findall(pattern, text, flags=re.MULTILINE)
           if not name.lower().startswith("utf8val")}
    for name, other in list(new.items()):
        # a short form of the very name that it gets
        text, aliases = re.subn(rf"^#define {name} {other}\n", "", text,
                                flags=re.MULTILINE)
        if not aliases and re.search(rf"\b{other}\b", header + text):
            sys.exit(f"amalgamate: {name} needs a prefix, but there is {other} already")
    return re.sub(r"\b[A-Za-z]\w*\b", lambda match: new.get(match[0], match[0]), text)


def main():
    args = output.arguments(__doc__.split("\n", maxsplit=1)[0]).parse_args()
    place = {}
    # the licence is named once, at the top
    header = "\n".join(line for line in expand("utf8val.h", place)
                       if "SPDX-License-Identifier" not in line).rstrip()
    code = without_comments("\n".join(expand("utf8val.c", place)))
    code = prefixed("\n".join(filled(code)) + "\n", header)
    output.write(f"""\
/* Generated by: make amalgamation */
/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef UTF8VAL_H
#define UTF8VAL_H
/* Define UTF8VAL_IMPLEMENTATION in one C file that includes this; other files may be C++. */
{header}
#endif /* UTF8VAL_H */

#ifdef UTF8VAL_IMPLEMENTATION
#undef UTF8VAL_IMPLEMENTATION
#ifdef __cplusplus
#error "utf8val's implementation is C: define UTF8VAL_IMPLEMENTATION in a .c file"
#endif
/* The comments are in the files that this comes from: utf8val.c and engine/. */
{code}#endif /* UTF8VAL_IMPLEMENTATION */
""", args.output)


if __name__ == "__main__":
    main()
