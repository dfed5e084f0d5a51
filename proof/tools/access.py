#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Check what CBMC does not: aliasing, alignment, addresses as numbers.

For all code that ships, by clang's intermediate code, unoptimised but with the type
that it takes each access to have. There

- an access through a pointer that is not to the type that its object was declared
  with is one as characters (may_alias makes it so), or C forbids it;
- such an access, as the object may begin anywhere, wants no alignment, but in the
  functions of ALIGNED, whose contracts require it;
- no pointer becomes a number, but in the functions of ADDRESSES, so that nothing
  else can depend on where an object lies;
- no variable outlives a call, as CBMC begins each question with the first values;
- only what a function was given, or its own variables, are written, and what it was
  given as const is not: clang warns of no pointer that loses its const.

Where an object's type is plain to see: a variable, a member of a structure, what a
parameter points to that is no byte. A pointer that is kept in a variable of another
type than its parameter's is not plain.
"""
import re
import subprocess

import sources

# Each engine, the other code that WP proves, and the kernel's own core.
SOURCES = ("core", "word", "fast", "forms", "kernel/module.c", "kernel/core.c", "options")
INCLUDE = (".", "proof/spec", "kernel/include")
ALIGNED = {"utf8val_ascii_8"}
ADDRESSES = {"utf8val_to_aligned"}
# seen to be right by hand: a variable that points to a structure, and was set in the
# same function to a table's, or to the one that opts_pointer() gives; and that this is
# one that no contract lets anybody write
SEEN = {"forms character: an access as a pointer to who knows what",
        "forms character: an access of type long to who knows what",
        "forms character: an access that wants 8 bytes' alignment",
        "options add_option: an access of type _Bool to who knows what",
        "options code: cast from 'const struct utf8val_mnt_opts *' to 'void *' drops "
        "const qualifier"}
CHARACTERS = "omnipotent char"
POINTER = "any pointer"


class Code:
    """Functions of clang's intermediate code, line by line."""

    def __init__(self, root, source):
        folders = [f"-I{root / each}" for each in INCLUDE]
        run = subprocess.run(
            ["clang", "-std=gnu11", "-O1", "-Xclang", "-disable-llvm-passes",
             "-fno-discard-value-names", "-ffreestanding", "-S", "-emit-llvm",
             "-Wcast-qual", *folders, "-o", "-", sources.place(root, source)],
            check=True, capture_output=True, text=True)
        text = run.stdout
        self.casts = re.findall(r"warning: (.* (?:drops|discards) .*) \[", run.stderr)
        self.names = dict(re.findall(r'^!(\d+) = !\{!"([^"]+)"', text, re.M))
        self.kept = re.findall(r"^@(\S+) = (?:\w+ )*global ", text, re.M)
        self.tags = dict(re.findall(r"^!(\d+) = !\{!\d+, !(\d+), i64", text, re.M))
        self.globals = dict(re.findall(r"^@(\S+) = .*?align (\d+)$", text, re.M))
        self.functions = {
            name: (dict(re.findall(r"(\S+\*+) [^,]*?(%[\w.]+)", given)),
                   body.splitlines())
            for name, given, body in re.findall(
                r"^define [^@]*@(\w+)\((.*?)\)[^{\n]*\{\n(.*?)^\}", text, re.S | re.M)}

    def type(self, line):
        """The type that clang takes an access to have."""
        found = re.search(r"!tbaa !(\d+)", line)
        return self.names.get(self.tags.get(found[1])) if found else None


class Function:
    def __init__(self, code, name):
        self.code, self.name = code, name
        self.lines = code.functions[name][1]
        self.made = {}
        for line in self.lines:
            if match := re.match(r"\s*(%[\w.]+) = (.*)", line):
                self.made[match[1]] = match[2]

    def root(self, value):
        """Where a pointer comes from: a variable or a table ("own", "table"), the
        object that a parameter points to ("given"), or elsewhere ("other"); and whether
        its type was changed on the way."""
        changed = False
        while True:
            if value.startswith("@"):
                return "table", changed
            text = self.made.get(value, "")
            if text.startswith("alloca"):
                return "own", changed
            if text.startswith(("getelementptr", "bitcast")):
                changed |= text.startswith("bitcast")
                if "@" in text:
                    # clang makes a structure of a table whose end is zeros, so the type
                    # of the access is the type of the array.
                    kind = re.search(r"to (\[\d+ x \S+\])\*\)|"
                                     r"^getelementptr inbounds \[", text)
                    return "table", changed or not kind
                value = re.search(r"\* (%[\w.]+)", text)[1]
            elif match := re.match(r"load \S+\*, \S+\*\* (%[\w.]+)\.addr,", text):
                return "given", changed
            elif re.match(r"load (\S+), \S+ (%[\w.]+),", text):
                return "other", changed
            else:
                return "other", True

    def wrong(self):
        text = "\n".join(self.lines)
        if text.count(" = ptrtoint") != 2 * len(re.findall(r"= sub i64 %sub\.ptr\.lhs", text)) \
                and self.name not in ADDRESSES:
            yield "an address less something else than one"
        for line in self.lines:
            # The difference of two pointers makes no number of one: CBMC checks that
            # both point into one object.
            if "ptrtoint" in line and self.name not in ADDRESSES and \
                    not re.match(r"\s*%sub\.ptr\.[lr]hs\.cast\d* = ", line):
                yield "makes a number of an address"
            if "inttoptr" in line or "addrspacecast" in line:
                yield "makes an address of a number"
            match = re.search(r"\b(load|store) (?:volatile )?(.*?), (\S+\*+|"
                              r"\{[^}]*\}\*) (.*?), align (\d+)", line)
            if not match:
                # A structure is copied from one variable to another, or begins as zeros.
                copied = re.search(r"@llvm\.mem(?:cpy\S*\(i8\* align \d+ (%[\w.]+), "
                                   r"|set\S*\()i8\* align \d+ (%[\w.]+),", line)
                if copied and all(self.root(each)[0] == "own"
                                  for each in copied.groups() if each):
                    continue
                if re.search(r"= load |^\s*store |@llvm\.mem|= cmpxchg |= atomicrmw ",
                             line):
                    yield f"an access that is not understood: {line.strip()}"
                continue
            what, _, kind, value, align = match.groups()
            value = value if re.match(r"[%@][\w.]+$", value) else "other"
            root, changed = self.root(value)
            tag = self.code.type(line)
            if what == "store" and root == "table":
                yield "writes a table"
            if tag is None and root == "own":
                continue	# clang's, as it returns a structure in registers
            plain = root in ("own", "given", "table") and not changed
            if tag not in (CHARACTERS, POINTER) and not plain:
                yield f"an access of type {tag or kind} to who knows what"
            if int(align) > 1 and not plain and self.name not in ALIGNED:
                yield f"an access that wants {align} bytes' alignment"
            if tag == POINTER and not plain:
                yield "an access as a pointer to who knows what"


def wrong(root, source):
    """What breaks the rules in a source."""
    code = Code(root, source)
    found = {f"{name}: {text}" for name in code.functions
             for text in Function(code, name).wrong()} | \
        {f"code: {text}" for text in code.casts} | \
        {f"code: {name}, which outlives a call" for name in code.kept}
    return sorted(text for text in found if f"{source} {text}" not in SEEN)
