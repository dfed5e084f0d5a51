# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""What clang made of a source: its intermediate code, read."""
import re
import subprocess

from acsl import Unsupported

MASK = {size: (1 << size) - 1 for size in (1, 8, 16, 32, 64)}


class Module:
    """What clang made of a source: functions, types, constants."""

    def __init__(self, source, work):
        path = work / "module.ll"
        # the intermediate code does not tell a signed shift from an unsigned
        # one; the sanitizer asks what C wants of it, in this code
        subprocess.run(["clang", "-std=gnu11", "-O0", "-Xclang",
                        "-disable-llvm-passes", "-ffreestanding", "-S",
                        "-fsanitize=shift", "-fsanitize-trap=shift",
                        "-emit-llvm", "-o", path, source],
                       check=True, capture_output=True)
        self.functions, self.types, self.constants = {}, {}, {}
        self.alignments = {}
        body = None
        for line in path.read_text().splitlines():
            line = re.sub(r"(, !\S+ !\d+| #\d+|;.*)$", "", line.split(", !llvm")[0])
            line = line.strip()
            if match := re.match(r"(%\S+) = type \{(.*)\}", line):
                self.types[match[1]] = split(match[2])
            elif match := re.match(r"(%\S+) = type <\{(.*)\}>", line):
                self.types[match[1]] = split(match[2])
            elif match := re.match(r"(@\S+) = .*?constant (.*?)"
                                   r"(, align \d+)?$", line):
                self.constants[match[1]] = match[2]
                self.alignments[match[1]] = int(match[3][8:]) if match[3] else 1
            elif match := re.match(r"define .*?(@[\w.]+)\((.*)\)", line):
                kinds = [word.split()[0] for word in split(match[2])]
                body = {"": []}
                self.functions[match[1][1:]] = (kinds, body)
                block = ""
            elif match := re.match(r"(\d+|[\w.]+):$", line):
                block = match[1]
                body[block] = []
            elif line == "}":
                body = None
            elif body is not None and line:
                body[block].append(line)

    def size(self, kind):
        """Bytes of a type."""
        if kind.endswith("*"):
            return 8
        if match := re.fullmatch(r"i(\d+)", kind):
            return max(1, int(match[1]) // 8)
        if match := re.fullmatch(r"\[(\d+) x (.*)\]", kind):
            return int(match[1]) * self.size(match[2])
        fields = self.fields(kind)
        end = self.offset(kind, len(fields))
        align = max(map(self.align, fields))
        return -(-end // align) * align

    def fields(self, kind):
        if kind.startswith("<{"):
            return split(kind[2:-2])
        return self.types[kind] if kind in self.types else split(kind[1:-1])

    def align(self, kind):
        if match := re.fullmatch(r"\[(\d+) x (.*)\]", kind):
            return self.align(match[2])
        if kind.endswith("*") or kind.startswith("i"):
            return self.size(kind)
        return max(map(self.align, self.fields(kind)))

    def offset(self, kind, index):
        """Where a structure's member begins."""
        at = 0
        fields = self.fields(kind)
        for i, field in enumerate(fields):
            if not kind.startswith("<{"):
                at = -(-at // self.align(field)) * self.align(field)
            if i == index:
                return at
            at += self.size(field)
        return at

    def initial(self, name):
        """A constant's bytes."""
        out = []

        def put(text):
            text = text.strip()
            if match := re.match(r"i(\d+) (-?\w+)$", text):
                value = {"true": 1, "false": 0}.get(match[2])
                value = int(match[2]) if value is None else value
                size = max(1, int(match[1]) // 8)
                out.extend((value & MASK[8 * size]).to_bytes(size, "little"))
            elif match := re.match(r'\[\d+ x i8\] c"(.*)"$', text):
                # a byte as itself, or a backslash and two digits
                out.extend(int(byte[1:], 16) if byte[1:] else ord(byte)
                           for byte in re.findall(r"\\..|.", match[1]))
            elif text.endswith("zeroinitializer"):
                out.extend(bytes(self.size(text.rsplit(None, 1)[0])))
            elif match := re.match(r"(%\S+|<\{.*?\}>|\[\d+ x [^\]]*\]|\{.*?\}) "
                                   r"([\[{<].*)$", text):
                kind, inner = match.groups()
                inner = re.sub(r"^<?[\[{](.*?)[\]}]>?$", r"\1", inner)
                begin = len(out)
                array = kind.startswith("[")
                for i, item in enumerate(split(inner)):
                    if not array:
                        at = self.offset(kind, i)
                        out.extend(bytes(begin + at - len(out)))
                    put(item)
                out.extend(bytes(begin + self.size(kind) - len(out)))
            else:
                raise Unsupported(f"constant {text[:40]}")
        put(self.constants[name])
        return out


def split(text):
    """At commas that are inside nothing."""
    parts, depth, begin = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "([{<") - (char in ")]}>")
        if char == "," and not depth:
            parts.append(text[begin:at].strip())
            begin = at + 1
    parts.append(text[begin:].strip())
    return [part for part in parts if part]
