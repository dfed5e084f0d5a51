#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""utf8val trace and show, and the common options of all commands.
The suite command-explain runs this."""

import json
import os
import pathlib
import re
import subprocess

from harness import (BINARY, call, equal, main, make, not_emulated, read, run, test, tree,
                     true, write)


def trace(*args, status, **kwargs):
    """(byte, class, before, after, code point) of each step; and errors."""
    steps, errors = [], []
    lines = run("trace", *args, status=status, **kwargs).stdout.decode().splitlines()
    true(lines.pop(0).startswith("offset"))
    for line in lines:
        if line.startswith("        "):
            errors.append(line.strip())
        else:
            steps.append(tuple(re.split(r"  +", line.strip())[1:]))
    return steps, errors


@test("trace: the worked case E4 B8 96, in every notation")
def _():
    want = [("E4", "E1..EC", "start", "2 tails due, 80..BF next", "0x4"),
            ("B8", "A0..BF", "2 tails due, 80..BF next",
             "1 tail due, 80..BF next", "0x138"),
            ("96", "90..9F", "1 tail due, 80..BF next", "accept", "U+4E16")]
    for args in (["E4", "B8", "96"], ["E4 B8 96"], ["e4,b8,96"],
                 ["0xE4 0xB8 0x96"], [r"\xE4\xB8\x96"], ["世"],
                 ["-x", "E4B896"], ["-t", "世"]):
        equal(trace(*args, status=0), (want, []), args)
    equal(trace("-", input="世".encode(), status=0), (want, []))
    equal(trace(input="世".encode(), status=0), (want, []))


@test("trace: the code point grows, F0 9F 98 80")
def _():
    steps, _errors = trace("F0 9F 98 80", status=0)
    equal([s[-1] for s in steps], ["0x0", "0x1F", "0x7D8", "U+1F600"])


@test("trace: the byte that breaks a sequence is read again")
def _():
    steps, errors = trace("C2 41", status=1)
    equal([s[0] for s in steps], ["C2", "41", "41"])
    equal([s[3] for s in steps][1:], ["reject", "accept"])
    equal(errors, ["missing tail: C2 at byte 0, worth one U+FFFD; the byte "
                   "that broke it is read again"])
    equal(trace("E4 BD", status=1)[1], ["truncated: E4 BD at byte 0, worth one U+FFFD"])
    equal(trace("FF", status=1)[1], ["bad lead: FF at byte 0, worth one U+FFFD"])
    run("trace", "-x", "E4B", status=2)
    run("trace", "-x", "xyz", status=2)
    equal([s[-1] for s in trace("-t", "FF", status=0)[0]], ["U+0046", "U+0046"])


@test("trace: the classes and states are those of RFC 3629")
def _():
    want = set(("00..7F 80..8F 90..9F A0..BF C0..C1 C2..DF E0 E1..EC ED "
                "EE..EF F0 F1..F3 F4 F5..FF").split())
    steps, _errors = trace("-", input=bytes(range(256)), status=1)
    equal({s[1] for s in steps}, want)
    # These bytes lead to the other states.
    steps, _errors = trace("-", input=bytes(range(0xC2, 0xF5)), status=1)
    equal({s[3] for s in steps} - {"reject"}, {"1 tail due, 80..BF next"} |
          {f"2 tails due, {r} next" for r in ("A0..BF", "80..BF", "80..9F")} |
          {f"3 tails due, {r} next" for r in ("90..BF", "80..BF", "80..8F")})


@test("show: the forms, as CPython's surrogatepass and Java's rule have them")
def _():
    for text in ("A", "é", "世", "😀", "\U0010ffff"):
        point, *forms = run("show", f"U+{ord(text):X}",
                            status=0).stdout.decode().splitlines()
        true(point.startswith(f"U+{ord(text):04X}  "), point)
        pairs = text.encode("utf-16-be").decode("utf-16-be") \
            if ord(text) < 0x10000 else "".join(
                map(chr, memoryview(text.encode("utf-16")[2:]).cast("H")))
        cesu = pairs.encode("utf-8", "surrogatepass").hex(" ").upper()
        equal([f.split(maxsplit=1)[-1].removeprefix("UTF-8").strip() for f in forms],
              [text.encode().hex(" ").upper(), cesu, cesu])
    nul = run("show", "U+0", status=0).stdout.decode().splitlines()
    equal(nul, ["U+0000  \\x00", "        UTF-8           00",
                "        CESU-8          00", "        Modified UTF-8  C0 80"])


@test("show: text, bytes and the other forms")
def _():
    text = run("show", "a世", status=0).stdout
    equal(re.findall(rb"^U\+\w+", text, re.M), [b"U+0061", b"U+4E16"])
    equal(run("show", "61 E4 B8 96", status=0).stdout, text)
    equal(run("show", r"a\xE4\xB8\x96", status=0).stdout, text)
    equal(run("show", "-", input="a世".encode(), status=0).stdout, text)
    cesu = run("show", "ED A0 BD ED B8 80", status=1).stdout
    true(cesu.startswith(b"ill-formed UTF-8, but well-formed CESU-8:\nU+1F6"), cesu)
    run("show", "C0 80", status=1, prints=b"Modified UTF-8:\nU+0000")
    equal(run("show", "-x", "41ff", status=1).stdout.splitlines()[-1],
          b"ill-formed: FF: bad lead")
    for value in ("U+D800", "U+DFFF", "U+110000", "U+FFFFFFFFFFFFFFFFFFFFF"):
        run("show", value, status=1)
    # whichever of them it is
    run("show", "U+D800", "U+41", status=1)
    run("show", "U+41", "U+D800", status=1)
    directory = os.open("/", os.O_RDONLY)
    for command in ("show", "trace"):
        got = run(command, "-", stdin=directory, status=2)
        true(b"standard input: Is a directory" in got.stderr, got.stderr)
    os.close(directory)
    equal(run("show", "U+XYZ", status=0).stdout.count(b"U+"), 5)
    control = run("show", r"\x1b\xc2\x9b", status=0).stdout
    true(b"\x1b" not in control and "\u009b".encode() not in control, control)


COMMANDS = ("check", "scan", "summary", "fix", "undo", "journal", "trace", "show")


@test("--help, --version, usage errors")
def _():
    whole = run("--help", status=0).stdout
    for name in COMMANDS:
        true(b"  %-7s" % name.encode() in whole, name)
        got = run(name, "--help", status=0)
        equal(run("help", name, status=0).stdout, got.stdout)
        true(got.stdout.startswith(b"Usage: utf8val " + name.encode()), got.stdout)
        true(b"Exit status:" in got.stdout and not got.stderr)
        true(max(map(len, got.stdout.splitlines())) < 80)
        got = run(name, "--no-such-option", status=2)
        true(got.stderr and not got.stdout)
        run(name, "--version", status=0, prints=b"utf8val ")
    true(re.fullmatch(rb"utf8val \d+\.\d+\.\d+\n", run("--version", status=0).stdout))
    run(status=2)
    got = run("no\x1b[msuch", status=2)
    true(b"\x1b" not in got.stderr, got.stderr)
    for number in ("0", "-1", "x", "", "99999999999999999999"):
        run("scan", f"-j{number}", "/dev/null", status=2)
        run("fix", f"--batch={number}", "/dev/null", status=2)


@test("a file's name that looks like an option is not printed raw")
def _():
    for argument in ("--\x1b[31m", "-\x1b", "--json=\x1b[31m", "--th\x9b",
                     b"--\xff", b"-\xe9", "--threads=\x1b[m", "-j\x1b[m", "--cross\n"):
        for name in COMMANDS:
            got = run(name, argument, status=2)
            true(re.fullmatch(r"utf8val: [ -~é]+\. Run: utf8val \w+ --help\n"
                              r"Usage: utf8val \w+ .*\n( +or: .*\n)?",
                              got.stderr.decode("utf-8")), got.stderr)


@test("options: abbreviated, with what they lack and what they do not take")
def _(root):
    make(root, b"\xff")
    equal(run("scan", "--nu", root, status=1).stdout, root + b"/\xff\0")
    for argument, text in (("--n", b"--n: ambiguous option"),
                           ("--nosuch", b"--nosuch: unknown option"),
                           ("-y", b"-y: unknown option"), ("-j", b"needs an arg"),
                           ("--threads", b"needs an arg"), ("--null=1", b"takes no arg"),
                           ("--", b"0 entries")):
        run("scan", "/missing", argument, status=2, says=text)
    # after --, what looks like an option is a name
    make(root, b"--quiet")
    run("check", "--", "--quiet", status=0, cwd=root)
    equal(run("check", "--usage", status=0).stdout,
          b"Usage: utf8val check [OPTION...] [FILE...]\n")
    run("fix", "--apply", "--dry-run", root, status=2)
    run("undo", "x", root, root, status=2)
    equal(tree(root), {b"\xff", b"--quiet"})


def long_options(name):
    """The long options that --help of a subcommand names."""
    text = run(*name.split(), "--help", status=0).stdout.decode()
    return set(re.findall(r"^ .{5}(--[a-z0-9-]+)", text, re.M))


HERE = os.path.dirname(os.path.abspath(__file__))
ROOM = os.path.join(HERE, "../../tools/command")
PAGE = os.path.join(ROOM, "utf8val.1")


@test("the manual page knows every option")
def _():
    text = re.sub(".\x08", "", call("mandoc", "-Tutf8", PAGE))
    parts = re.split(r"^ {0,3}(\S.*)\n", text, flags=re.M)
    sections = dict(zip(parts[1::2], parts[2::2]))
    shared = sections["Options of check, scan and fix"]
    for command in COMMANDS:
        options = long_options(command)
        true(len(options) >= 3, command)
        text = sections["utf8val " + command] + (
            shared if command in ("check", "scan", "fix") else
            shared[shared.index("Every command accepts"):])
        if command == "show":
            true("The options are those of utf8val trace." in text)
            text += sections["utf8val trace"]
        for option in options:
            true(re.search(rf"(?<![\w-]){option}(?![\w-])", text), (command, option))
    # and no other one, nor another letter for it
    helped = {section: set(re.findall(r"^ {2}(?:(-\w), | {4})(--[a-z0-9-]+)",
                                      run(*section.split()[1:], "--help").stdout.decode(), re.M))
              for section in ["utf8val " + name for name in [*COMMANDS, "guard enforce"]]}
    for section, text in sections.items():
        told = set(re.findall(r"^ {5}(?:(-\w), )?(--[a-z0-9-]+)", text, re.M))
        equal(told - helped.get(section, set().union(*helped.values())), set(), section)


@test("the manual page is well-formed")
def _():
    equal(call("mandoc", "-Tlint", "-Wwarning", PAGE), "")


def completed(shell, script, *words):
    """The lines of a script of a shell that reads this shell's completion as $file, and
    finds the command as utf8val."""
    not_emulated("what runs there is a script")
    file = {"bash": "utf8val.bash", "zsh": "_utf8val", "fish": "utf8val.fish"}[shell]
    path = os.path.dirname(BINARY) + ":" + os.environ["PATH"]
    got = subprocess.run(
        [shell, *(["--no-config"] if shell == "fish" else []), "-c", script, *words],
        stdout=subprocess.PIPE, check=True, env=dict(
            os.environ, HOME="/nonexistent", PATH=path,
            file=os.path.join(ROOM, "completion", file)))
    return got.stdout.decode().splitlines()


def bash_complete(*words):
    """The completions of bash for the last word."""
    return completed(
        "bash", '. "$file"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
        '_utf8val; printf "%s\\n" "${COMPREPLY[@]}"', "bash", *words)


@test("completion: bash")
def _(root):
    equal(sorted(bash_complete("utf8val", "")), sorted(COMMANDS))
    equal(bash_complete("utf8val", "sc"), ["scan"])
    for command in COMMANDS:
        equal(set(bash_complete("utf8val", command, "--")),
              long_options(command), command)
    for words in (["fix", "--sure", "l"], ["fix", "--sure", "=", "l"]):
        equal(bash_complete("utf8val", *words), ["likely"])
    equal(bash_complete("utf8val", "check", "--form", "ce"), ["cesu-8"])
    equal(bash_complete("utf8val", "scan", "-j", ""), [""])
    equal(bash_complete("utf8val", "fix", "--from", "KOI8-RU"), ["KOI8-RU"])
    make(root / b"dir", b"file")
    here = os.fsdecode(root)
    equal(bash_complete("utf8val", "scan", here + "/d"), [here + "/dir"])
    equal(bash_complete("utf8val", "fix", "--plan", here + "/d"), [here + "/dir"])


@test("completion: fish")
def _():
    def fish(line):
        return {line.split("\t")[0] for line in completed(
            "fish", f"source $file; complete -C '{line}'")}
    true(set(COMMANDS) <= fish("utf8val "))
    for command in COMMANDS:
        equal({word for word in fish(f"utf8val {command} --") if "=" not in word},
              long_options(command), command)
    true("-i" in fish("utf8val fix -"))
    true("--sure=likely" in fish("utf8val fix --sure=l"))
    true("likely" in fish("utf8val fix --sure l"))


@test("completion: zsh")
def _():
    # In place of zsh's own functions, which need a terminal: what they are given.
    script = """
        _call_program() { shift; eval "$@"; }
        _describe() { print -l -- "${(@P)2}"; }
        _arguments() {
            [[ $1 == -C ]] && { state=%s words=($asked); return; }
            print -l -- "$@"
        }
        words=(utf8val) asked=$1
        . $file"""
    equal(sorted(line.split(":")[0] for line in
                 completed("zsh", script % "command", "zsh", "")),
          sorted(COMMANDS))
    for command in COMMANDS:
        lines = completed("zsh", script % "argument", "zsh", command)
        found = [re.match(r"(?:\([^)]*\))?(--[a-z0-9]+(?:-[a-z0-9]+)*)", line)
                 for line in lines]
        equal({match[1] for match in found if match}, long_options(command), command)
        if command == "fix":
            true("--sure=[Use guesses that are at least so sure]"
                 ":value:(possible likely certain)" in lines, lines)
            true("(-i --interactive)-i[Ask before each rename; needs --apply]" in lines)
            true(any(line.startswith("--mojibake=-[") for line in lines), lines)


@test("the binary asks for nothing but libc and its two libraries")
def _():
    not_emulated("what runs there is a script")
    equal(set(re.findall(r"NEEDED.*\[(.*?)\.so", call("readelf", "-d", BINARY))),
          {"libc", "libm", "libjansson", "libunistring"})


main()
