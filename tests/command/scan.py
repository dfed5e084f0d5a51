#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""utf8val scan, through the binary; CPython's decoder is the oracle.
The suite command-scan runs this."""

import itertools
import json
import os
import pathlib
import pty
import random
import re
import resource
import signal
import subprocess
import time
import unicodedata

from harness import (BINARY, BOTH, Skip, as_nobody, equal, found, inject, is_utf8, main, make,
                     nest, records, run, scan0, test, tree, true, value, write)

SEED = 3629
# One byte of each class that the grammar tells apart, and the bytes at the edges of the
# class.
EDGES = bytes([0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1,
               0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1,
               0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFF])

# the controls that turn text round
BIDI = ("LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI")


def bad_paths(root):
    """The paths that a scan must list: every path whose last component is not UTF-8."""
    return {root / p for p in tree(root) if not is_utf8(os.path.basename(p))}


def unescape(text):
    """Undo the escaping, as bash's printf %b does."""
    short = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"\\": b"\\"}
    return re.sub(rb"\\(?:x([0-9A-F]{2})|(.?))", lambda match: bytes.fromhex(
        match[1].decode()) if match[1] else short[match[2]], text)


def harmless(output):
    """Is the output UTF-8, with no control but newlines that a terminal obeys?"""
    return not any(
        unicodedata.category(char) in ("Cc", "Zl", "Zp") or
        unicodedata.bidirectional(char) in BIDI or char in "\u200e\u200f"
        for char in output.decode("utf-8").replace("\n", ""))


@test("every kind of ill-formed name, where and how long", BOTH)
def _(root):
    names = [bytes([a]) for a in range(1, 256) if a not in b"/."]
    for length in (2, 3):
        names += [bytes(n) for n in itertools.product(EDGES, repeat=length)]
    rng = random.Random(SEED)
    names += [bytes(rng.choice(EDGES) for _ in range(rng.randrange(4, 9)))
              for _ in range(2000)]
    make(root, *set(names))
    equal({*scan0(root, status=1)}, bad_paths(root))
    seen = 0
    for item in records("scan", root, status=1):
        name = value(item["name"])
        equal(value(item["path"]), root / name)
        try:
            name.decode("utf-8")
        except UnicodeDecodeError as error:
            equal((item["offset"], item["length"]),
                  (error.start, error.end - error.start), name)
            seen += 1
    equal(seen, len(bad_paths(root)))


@test("hostile names: nothing raw is printed, exact bytes come back", BOTH)
def _(root):
    names = [b"new\nline\xff", b"esc\x1b[2J\x80", b"del\x7f\xc0", b"\xe9",
             b"c1" + "\u009b31m".encode() + b"\xff", b"tab\t\xfe",
             "bidi\u202egpj".encode() + b"\xff", b"back\\slash\xff",
             "zero\u200bwidth\ufeff".encode() + b"\xff", b"\\xFF\xff",
             "tag\U000e0041".encode() + b"\xff", b"cr\r\xff", b"quote\"\xff",
             b"x" * 254 + b"\xff", b"-rf\xff", b" \xff "]
    make(root / b"\xff", *names)
    want = bad_paths(root)
    equal({*scan0(root, status=1)}, want)
    got = run("scan", "--no-guess", root, status=1).stdout
    lines = got.decode("utf-8").splitlines()
    true(harmless(got), got)
    equal({unescape(line.split(": byte ")[0].encode()) for line in lines}, want)
    for extra in ([], ["--no-guess"]):
        got = run("scan", "--json", *extra, root, status=1).stdout
        true(harmless(got), got)
        equal({value(line["path"]) for line in found("scan", got)}, want)


@test("the last line of --json: totals, errors, and whether it is the whole")
def _(root):
    make(root / b"a\xff", b"b\xff", b"good")
    os.mkdir(root / b"shut")
    nobody = as_nobody(root / b"shut")
    os.chmod(root / b"a\xff", 0o755)
    os.chmod(root, 0o755)
    entries = 4 + bool(nobody)
    for errors, mode, who in ((0, 0o755, {}), (1, 0o311, nobody)):
        os.chmod(root / b"shut", mode)
        for args in ((), ("--summary",)):
            got = run("scan", "--json", *args, root, status=2 if errors else 1, **who)
            lines = list(map(json.loads, got.stdout.splitlines()))
            what = "summary" if args else "scan"
            equal(lines[0]["begin"], what)
            equal(lines[-1], {"end": what, "entries": entries - (errors and bool(nobody)),
                              "bad": 2, "errors": errors, "complete": True})
    equal(run("scan", "--json", "-q", root, status=1).stdout, b"")
    equal(records("scan", b"good", cwd=root / b"a\xff", status=0), [])


@test("a log gets a line after some seconds, and none with --quiet")
def _():
    for args, want in (([], True), (["-q"], False)):
        with subprocess.Popen([BINARY, "scan", "--names", *args], stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as scan:
            os.set_blocking(scan.stderr.fileno(), False)
            said, begin = b"", time.monotonic()
            # the line is written while something is read
            while not said and (want or time.monotonic() < begin + 12):
                scan.stdin.write(b"good\n" * 2000)
                scan.stdin.flush()
                time.sleep(0.05)  # leaves the processor to the other suites
                said = scan.stderr.read() or b""
            scan.stdin.close()
            equal(re.fullmatch(rb"utf8val: so far \d+ entries in 1\d.\d s \(\d+/s\), "
                               rb"0 ill-formed\n", said) is not None, want, said)
            os.set_blocking(scan.stderr.fileno(), True)


@test("no control character of Unicode reaches the output")
def _(root):
    make(root, *(b"\xff" + "".join(map(chr, range(first, first + 50)))
                 .replace("/", "").encode("utf-8", "replace")
                 for first in [*range(1, 0x3000, 50), 0xFE00, 0xFEF0, 0xFFE0,
                               *range(0xE0000, 0xE1000, 50)]))
    want = bad_paths(root)
    for args in (["--no-guess"], ["--json"], []):
        true(harmless(run("scan", *args, root, status=1).stdout), args)
    equal({*scan0(root, status=1)}, want)


@test("a clean tree: nothing on standard output, status 0", BOTH)
def _(root):
    make(root / "dir é".encode(), b"plain", "世界".encode())
    got = run("scan", root, status=0)
    equal(got.stdout, b"")
    true(b"3 entries" in got.stderr, got.stderr)
    equal(run("scan", "-q", root, status=0).stderr, b"")


@test("several trees, and the working directory without any")
def _(root):
    for name in (b"a", b"b"):
        make(root / name, b"\xff" + name)
    one, two = root / b"a", root / b"b/"
    equal(scan0(one, two, status=1), [one + b"/\xffa", two + b"\xffb"])
    equal(scan0(cwd=one, status=1), [b"./\xffa"])


def deep_tree(root, levels):
    """A bad file and two directories, in each of many levels."""
    def fill(fd, level):
        os.mkdir(b"side", dir_fd=fd)
        os.close(os.open(b"\xff%d" % level, os.O_CREAT, dir_fd=fd))
    os.close(nest(root, b"d\xe9ep", levels, fill))


@test("a tree 2,000 levels deep", BOTH)
def _(root):
    deep_tree(root, 2000)
    got = scan0(root, status=1)
    equal(len(got), 4000)
    true(root + b"/d\xe9ep" * 1999 + b"/\xff1999" in got)


@test("a tree 2,000 levels deep, with 80 descriptors")
def _(root):
    deep_tree(root, 2000)
    limit = (80, 80)
    got = scan0("-j2", root, status=1, preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_NOFILE, limit))
    equal(len(got), 4000)


@test("a directory with 1,000,000 entries")
def _(root):
    make(root, b"first")
    fd = os.open(root, os.O_RDONLY)
    # Links give as many names, without as many inodes.
    for number in range(999_999):
        os.link(b"first", (b"%07d\xe9" if number % 1000 == 0 else b"%07d")
                % number, src_dir_fd=fd, dst_dir_fd=fd)
    os.close(fd)
    got = run("scan", "-0", root, status=1)
    equal(got.stdout.count(b"\0"), 1000)
    true(b"1000000 entries" in got.stderr, got.stderr)


@test("no permission: told, status 2, the rest is listed")
def _(root):
    make(root / b"closed\xff", b"\xff")
    make(root / b"open", b"\xff")
    nobody = as_nobody(root)
    os.chmod(root / b"closed\xff", 0)
    got = run("scan", "-0", root, status=2, **nobody)
    equal(set(got.stdout.split(b"\0")), {root / b"closed\xff", root / b"open/\xff", b""})
    true(b"closed\\xFF: Permission denied" in got.stderr, got.stderr)
    run("scan", root / b"missing", status=2)


@test("a directory that vanishes or turns bad while it is read")
def _(root):
    for name in (b"a", b"b", b"c"):
        make(root / name, b"\xff")
    for fault, text, left in (
            ("statx:error=ENOENT:when=5", b"No such file", 2),
            ("getdents64:error=EIO:when=3", b"Input/output error", 2)):
        got = run("scan", "-0j1", root, wrap=inject(fault), status=2, says=text)
        equal(got.stdout.count(b"\0"), left, got.stdout)


# getdents64(2): "all applications must properly handle a return of DT_UNKNOWN"
NO_TYPES = b"""
#define _GNU_SOURCE
#include <dirent.h>
#include <sys/syscall.h>
#include <unistd.h>
ssize_t getdents64(int fd, void *buf, size_t len)
{
	long got = syscall(SYS_getdents64, fd, buf, len);
	for (long at = 0; at < got;) {
		struct dirent64 *entry = (void *)((char *)buf + at);
		entry->d_type = DT_UNKNOWN;
		at += entry->d_reclen;
	}
	return got;
}
"""


def without_types(root):
    """The environment in which no file system says what an entry is."""
    library = root / b"no-types.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, "-xc", "-"],
                   input=NO_TYPES, check=True)
    return {"LD_PRELOAD": library}


@test("a file system that does not say what an entry is")
def _(root):
    top = root / b"top"
    make(top / b"\xffdir/sub", b"\xff", b"good")
    make(root / b"other", b"\xff")
    os.symlink(b"../other", top / b"link")
    os.mkfifo(top / b"fifo")
    write(top / b"text", b"\xff")
    env = without_types(root)
    for args in ([], ["-L"]):
        want = scan0(*args, top, status=1)
        equal(len(want), 3 if args else 2)
        equal(scan0(*args, top, status=1, env=env), want)
    equal(run("check", "-r0", top, status=1, env=env).stdout, top / b"text\0")
    # The names can be read, but not the types of their files: any of them may be a
    # directory.
    nobody = as_nobody(root)
    os.chmod(top / b"\xffdir", 0o444)
    run("scan", "-0", top, status=2, env=env, **nobody, says=b"sub: Permission denied")


@test("links are not followed unless told; loops end")
def _(root):
    make(root / b"top", b"good")
    make(root / b"other", b"\xff")
    os.symlink(b"../other", root / b"top/link")
    os.symlink(b"missing\xff", root / b"top/dangling")
    top = root / b"top"
    equal(scan0(top, status=0), [])
    equal(scan0("-L", top, status=1), [top + b"/link/\xff"])
    os.symlink(b"..", root / b"top/loop")
    got = run("scan", "-L0", top, status=2)
    # The walk notices the loop where it would come to itself, not at the limit of the
    # kernel.
    true(b"/top/loop/top: Too many levels of symbolic links" in got.stderr, got.stderr)
    equal(set(got.stdout.split(b"\0")[:-1]),
          {top + b"/link/\xff", top + b"/loop/other/\xff"})
    # A root that is a link stands for what the link leads to.
    equal(scan0(top / b"link", status=1), [top + b"/link/\xff"])


@test("other file systems are not entered unless told")
def _(root):
    if os.stat("/dev").st_dev == os.stat(root).st_dev:
        raise Skip("/dev/shm is no file system of its own")
    make(root, b"\xff")
    path = root / b"\xff"
    true(path not in run("scan", "-0", "/dev").stdout.split(b"\0"))
    true(path in run("scan", "-0", "--cross-devices", "/dev").stdout.split(b"\0"))


@test("interrupted before names are decided: the last line counts those that were read")
def _():
    with subprocess.Popen([BINARY, "scan", "--json", "--names"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        # of four times what a pipe holds, some was read when the whole is written
        process.stdin.write(b"".join(b"%07d\xff\n" % n for n in range(30000)))
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        end = json.loads(process.communicate()[0].splitlines()[-1])
    equal(process.returncode, -signal.SIGINT)
    true(end["bad"] > 0 and not end["complete"], end)


@test("interrupted: what is known is printed, then the signal ends it")
def _(root):
    make(root, *(b"%05d" % n + b"\xff" * 200 for n in range(20000)))
    with subprocess.Popen([BINARY, "scan", "-0", root], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        # The pipe is full when nobody reads more, so the command is at work now.
        process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=600)
    equal(process.returncode, -signal.SIGINT)
    true(b"interrupted: " in errors, errors)
    true(rest.endswith(b"\0"), rest[-300:])


def on_terminal(*args, **env):
    """Run the command with standard output and error on a terminal; returns what the
    terminal gets."""
    leader, terminal = pty.openpty()
    environment = dict({"LC_ALL": "C.UTF-8", "TERM": "xterm"}, **env)
    with subprocess.Popen([BINARY, *args], stdout=terminal, stderr=terminal,
                          stdin=subprocess.DEVNULL, env=environment):
        os.close(terminal)
        got = b""
        try:
            while piece := os.read(leader, 65536):
                got += piece
        except OSError:
            pass
    os.close(leader)
    return got


@test("a terminal gets colours and progress, but not against its wish")
def _(root):
    make(root, "é".encode() + b"\xff")
    args = ("scan", "--no-guess", root)
    got = on_terminal(*args)
    true(b"\x1b[35m" in got and b"\r\x1b[K" in got, got)
    true("é\\xFF".encode() in got, got)
    got = on_terminal(*args, NO_COLOR="1")
    true(b"\x1b[35m" not in got, got)
    true(b"\x1b[35m" in on_terminal(*args, NO_COLOR=""))
    true(b"\x1b[35m" not in on_terminal(*args, TERM="dumb"))
    # This terminal does not speak UTF-8.
    got = on_terminal(*args, LC_ALL="C")
    true(b"\\xC3\\xA9\\xFF" in got, got)
    plain = run(*args)
    true(b"\x1b" not in plain.stdout + plain.stderr)


@test("what the names probably are")
def _(root):
    names = {
        "CESU-8": (b"smile\xed\xa0\xbd\xed\xb8\x80", "smile😀"),
        "Modified UTF-8": (b"nul\xc0\x80\xed\xa0\xbd\xed\xb8\x80", None),
        "overlong UTF-8": (b"\xc1\xa1bc", "abc"),
        "cut in mid-character": (("x" * 250 + "é").encode() + b"\xe4\xb8",
                                 "x" * 250 + "é"),
        "RFC 2279 UTF-8 (lone surrogate or above U+10FFFF)":
            (b"half\xed\xa0\xbd", None),
    }
    for number, (name, _text) in enumerate(names.values()):
        make(root / (b"%d" % number), name)
    slash = root / b"slash"
    make(slash, b"..\xc0\xafetc")
    got = {}
    for item in records("scan", root, status=1):
        got[value(item["name"])] = item["guess"]
    for label, (name, text) in names.items():
        equal(got[name]["as"], label)
        equal(got[name].get("name"), text)
    # A slash cannot be in a name, so the text with a slash is no repair.
    equal(got[b"..\xc0\xafetc"].get("name"), None)


def listed(root):
    """Every path below root as scan has them: a directory's entries, then those of its
    subdirectories, all by their names."""
    found = []
    for at, dirs, files in os.walk(root):
        dirs.sort()
        found += [os.path.join(at, name) for name in sorted(dirs + files)]
    return found


@test("--names: of a list it says what it says of the files")
def _(root):
    tops = [root / b"r\xe9pertoire" / sub for sub in (b"1", b"2\xff")]
    for top in tops:
        make(top, *(f"Größe {word}\n.txt".encode("latin-1") for word in
                    ("Übung", "Häuser", "schön", "Fähre", "Öl")), b"good")
    paths = listed(root)
    for ends in (b"\0", b"/\0"):
        names = ends.join(paths) + ends
        for args in ((), ("--json",), ("-0",), ("--no-guess",), ("--portable",)):
            want = run("scan", *args, root, status=1).stdout
            got = run("scan", "--names", *args, input=names, status=1).stdout
            end = b"\0" if "-0" in args else b"\n"
            got, want = (sorted(line for line in text.split(end)
                                if not line.startswith(b'{"begin":"scan"'))
                         for text in (got, want))
            equal(got, want, args)
    # a directory that has no line of its own is a name yet, but one only
    got = run("scan", "--names", "-0", input=b"a\xe9/x\nb\nA/a\xe9/y\na\xe9//z\xe9\n",
              status=1).stdout
    equal(got, b"a\xe9\0A/a\xe9\0a\xe9//z\xe9\0")
    equal(run("scan", "--names", input=b"a/b\n\n/\n.\n..", status=0).stdout, b"")
    equal(run("scan", "--names", input=b"", status=0).stdout, b"")


@test("--names: a list of any length takes the same memory")
def _():
    # two lists, one ten times as long: what each of them needs in the end is the same
    most = []
    for count in (200_000, 2_000_000):
        with subprocess.Popen([BINARY, "scan", "--names", "-q"], stdin=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as process:
            for first in range(0, count, 1000):
                process.stdin.write(b"".join(
                    b"d\xe9%d/caf\xe9 %d\n" % (n // 100, n)
                    for n in range(first, first + 1000)))
            process.stdin.flush()
            status = pathlib.Path(f"/proc/{process.pid}/status")
            most.append(int(re.search(r"VmHWM:\s+(\d+)", status.read_text("ascii"))[1]))
            process.stdin.close()
            equal(process.wait(), 1)
    true(most[1] < 1.5 * most[0], most)
    # nor does one path that is too long
    got = run("scan", "--names", "-0", input=b"x" * (2 << 20) + b"\ny\xe9", status=2)
    equal(got.stdout, b"y\xe9\0")
    true(b"was skipped" in got.stderr, got.stderr)


@test("--names: a name is told of as it is, or left out")
def _():
    longest = b"x" * 65532 + b"caf"
    for name in (longest[3:] + b"\xe9", longest[1:] + b"\xe9"):
        item, = records("scan", "--names", "--no-guess", input=name, status=1)
        equal((value(item["name"]), item["offset"]), (name, len(name) - 1))
    got = run("scan", "--names", input=longest + b"\xe9\n" + b"y\xe9", status=2)
    true(b"longer than 65535 bytes" in got.stderr, got.stderr)
    true(got.stdout.startswith(b"y\\xE9: "), got.stdout)


@test("--names: what does not go with it")
def _(root):
    run("scan", "--names", root, status=2, input=b"a")
    run("scan", "--names", "--summary", status=2, input=b"a")
    run("scan", "--names", status=2, stdin=os.open(root, os.O_RDONLY))


def by_wget(name):
    """A name as wget writes it, by the manual's words on --restrict-file-names."""
    return b"".join(b"%%%02X" % byte if 0x80 <= byte <= 0x9F or byte < 0x20 else
                    bytes([byte]) for byte in name.encode())


@test("names as wget writes them are certain, and others are not taken for them")
def _(root):
    top = root / b"t"
    names = ["L’impennata", "诘棋", "данные", "Ελληνικά", "日本語の本.pdf", "한국어",
             "עברית “א”", "العربية", "ไทย", "हिन्दी", "Grüße À", "ČŘŠ", "😀", "100% ÀÀ"]
    written = [by_wget(name) for name in names]
    true(not any(is_utf8(name) for name in written), written)
    make(top, *written)
    for item in records("scan", top, status=1):
        equal((item["guess"]["as"], item["guess"]["sure"]),
              ("UTF-8 with %XX, by wget", "certain"))
    # what was %80 before cannot be told from what wget wrote, and is not well-formed
    make(top, *(others := [b"caf\xe9 100%80", b"\xe2%80%", b"\xe2%80\x99", b"\xd1%8b",
                           b"\xc2%80x", b"\xe2%80%99\xff", by_wget("100%80 ÀÀ")]))
    run("fix", "--apply", "--sure", "certain", "--journal", root / b"j", top, status=1)
    left = tree(top) - {name.encode() for name in names}
    equal(left, {*others})


@test("the last line: one entry is one, and no rate is told of a moment")
def _(root):
    make(root, b"caf\xe9")
    got = run("scan", root, status=1).stderr
    true(re.match(rb"utf8val: 1 entry in (0\.\d s|\d+\.\d s \(\d+/s\)), "
                  rb"1 ill-formed\n", got), got)
    # a name that Windows does not take is not ill-formed
    make(root, b"a?b")
    got = run("scan", "--portable", root, status=1).stderr
    true(re.match(rb"utf8val: 2 entries in .*, 2 bad\n", got), got)


main()
