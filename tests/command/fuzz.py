#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Arguments, trees, journals and plans at random, for the command built with
AddressSanitizer and UndefinedBehaviorSanitizer. Each run ends with one of the command's
statuses, and no file is lost. The suite command-fuzz runs this.

FUZZ_SECONDS (default: 10) are for each kind; FUZZ_SEED repeats a run.
"""

import os
import random
import time

from harness import (equal, inodes, main, make, remove, rmtree, run, test, tree, true,
                     write)

SEED = int(os.environ.get("FUZZ_SEED", "3629"))
SECONDS = float(os.environ.get("FUZZ_SECONDS", "10"))

WORDS = [b"--apply", b"--from", b"latin1", b"KOI8-R", b"cp437", b"--guess",
         b"--guessed", b"--summary", b"--depth", b"--accept-errors",
         b"--rest=replace", b"--rest=escape", b"--shorten", b"-n", b"-0", b"--json",
         b"-q", b"-j1", b"-j", b"3", b"0", b"journal", b"--last",
         b"--plan", b"-", b"plan", b"--exclude", b"*\xe9*", b"a/[", b"t",
         b"t/..", b"t/", b"/dev/null", b".", b"", b"--max-depth", b"1",
         b"--files0-from", b"--files0-from=-", b"list", b"show", b"prune",
         b"--days", b"--undone", b"-r", b"-l", b"-i", b"-a", b"-w",
         b"--skip-binary", b"--form", b"mutf-8", b"-L", b"--sure",
         b"possible", b"--batch", b"--trust-names", b"--cross-devices",
         b"--no-guess", b"--journal", b"j2", b"\xff", b"--", b"-x", b"t\xe9",
         b"--portable", b"--mojibake", b"--unsafe", b"--damaged", b"--tabs",
         b"--names", b"--app-data", b"--no-lock", b"--touch", b"--normalization",
         b"nfd", b"--help", b"--usage", b"-V", b"U+20AC", b"C0 AF", b"--interactive"]
COMMANDS = [b"check", b"scan", b"summary", b"fix", b"fix", b"undo", b"journal", b"trace", b"show"]
PIECES = [b"a", b".", b"-", b" ", b"\n", b"\x1b", b"'", b"%", b"\\", b"\xff",
          b"\xe9", b"\xc3\xa9", b"\xc0\xae", b"\xc0\xaf", b"\xed\xa0\xbd",
          b"\xed\xb8\x80", b"\xe4\xb8", b"\x80", b"\xf4\x90\x80\x80",
          b"\x8f\xd2", b"?", b"CON", "Ã¤".encode(), "â€œ".encode(), b".txt",
          b"\xe3\x85\xa4", b"x" * 100]


def rounds(kind, enough=lambda: True):
    """Random generators, until the time is over, and enough() or after 5,000."""
    number, end = 0, time.monotonic() + SECONDS
    while time.monotonic() < end or number < 20 or (number < 5000 and not enough()):
        yield random.Random(f"{SEED} {kind} {number}")
        number += 1
    print(f"# {kind}: {number} rounds")


# The statuses that the command ended with: a command that refuses everything would be
# noticed by them.
statuses = set()


def try_command(root, args, data=b""):
    """Run the command: no signal may end it, and no sanitizer may complain."""
    got = run(*args, cwd=root, input=data, timeout=600, env={
        "XDG_STATE_HOME": os.fsdecode(root) + "/state",
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1"})
    true(got.returncode in (0, 1, 2) and b"Sanitizer" not in got.stderr and
         b"runtime error" not in got.stderr, (args, data, got))
    statuses.add(got.returncode)
    return got


def make_tree(rng, root):
    """Directories, files and links with names and targets at random."""
    top = os.path.join(root, b"t")
    rmtree(top)
    places = [top]
    os.mkdir(top)
    for _entry in range(rng.randrange(25)):
        name = b"".join(rng.choices(PIECES, k=rng.randrange(1, 5)))[:255]
        path = os.path.join(rng.choice(places), name)
        if name in (b".", b"..") or os.path.lexists(path):
            continue
        kind = rng.randrange(4)
        if kind == 0:
            os.mkdir(path)
            places.append(path)
        elif kind == 1:
            other = rng.choice(places + [path, b"/", b"t"])
            os.symlink(rng.choice([other, os.path.relpath(other, top), name,
                                   b"../" + name + b"//./.."]), path)
        else:
            make(os.path.dirname(path), name)
    return top


def files(top):
    """The inodes of all files but links, because fix re-creates a link."""
    return sorted(inode for path, inode in inodes(top).items()
                  if not os.path.islink(os.path.join(top, path)))


@test("arguments")
def _(root):
    for rng in rounds("arguments"):
        top = make_tree(rng, root)
        before = files(top)
        args = [rng.choice(COMMANDS)] + rng.choices(WORDS, k=rng.randrange(9))
        try_command(root, args, rng.choice([b"", b"t\0t\xe9\0", b"y\n"]))
        equal(files(top), before, args)
    true(len(statuses) > 1, statuses)


@test("trees: fixed, and undone to the byte")
def _(root):
    undone = 0
    journal = os.path.join(root, b"journal")
    for rng in rounds("trees"):
        top = make_tree(rng, root)
        before, names = files(top), tree(top)
        links = {p: os.readlink(os.path.join(top, p)) for p in names
                 if os.path.islink(os.path.join(top, p))}
        args = rng.choice([["--from", "latin1"], ["--from", "KOI8-R"],
                           ["--rest=replace"], ["--rest=escape"], ["--guess"],
                           ["--sure", "possible", "--rest=escape"],
                           ["--portable"], ["--mojibake", "--rest=replace"],
                           ["--mojibake", "--portable", "--from", "cp437",
                            "--normalization", "nfd", "--shorten"]])
        try_command(root, ["fix", "--apply", "--journal", journal, *args,
                           "--batch", str(rng.randrange(1, 9)), b"t"])
        equal(files(top), before, args)
        if os.path.exists(journal):
            got = try_command(root, ["undo", journal])
            equal(got.returncode, 0, got.stderr)
            undone += got.stdout.count(b"\n")
            os.unlink(journal)
        equal(tree(top), names, args)
        equal({p: os.readlink(os.path.join(top, p)) for p in links}, links)
    true(undone > 10, undone)


def change(rng, data):
    """A file's bytes with some of them changed, moved, cut or doubled."""
    data = bytearray(data)
    for _change in range(rng.randrange(1, 4)):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.randrange(20))
        what = rng.randrange(5)
        if what == 0:
            data[at:end] = b""
        elif what == 1:
            data[at:at] = rng.choice([b"%2F", b"..", b" ", b"\n", b"\0", b"9",
                                      b"dir 2 1 ", b"name 1 f 0 0 a b\n",
                                      b'"', b"{", b"\\u0000", b"%00"])
        elif what == 2:
            data[at:at + 1] = bytes([rng.randrange(256)])
        elif what == 3:
            data[at:at] = data[at:end]
        else:
            lines = bytes(data).splitlines(True)
            rng.shuffle(lines)
            data = bytearray(b"".join(lines))
    return bytes(data)


def changed_files(root, kind, make_file, read, good=0):
    """Give to read() the files that make_file() makes, changed at random. Some have to be
    refused, and some to end with the status for good ones."""
    outside = os.path.join(root, b"outside")
    make(outside, b"a", b"b", "né".encode())
    tried, ended = 0, {}

    def enough():
        return all({good, 2} <= each for each in ended.values())

    for rng in rounds(kind, enough):
        top = make_tree(rng, root)
        path = os.path.join(root, b"file")
        remove(path)
        make_file(path)
        if not os.path.exists(path) or not os.path.getsize(path):
            continue
        before = files(top)
        with open(path, "rb") as file:
            data = change(rng, file.read())
        write(path, data)
        got = read(rng, path)
        ended.setdefault(tuple(got.args[1:3]), set()).add(got.returncode)
        if os.path.isdir(top):
            equal(files(top), before, data)
        else:  # a plan has given the tree itself another name
            true(set(before) <= set(files(root)), data)
        equal(tree(outside), {b"a", b"b", "né".encode()}, data)
        tried += 1
    true(tried > 5 and enough(), (tried, ended))


@test("journals")
def _(root):
    changed_files(
        root, "journals",
        lambda path: try_command(root, ["fix", "--apply", "--rest=escape", "-q",
                                        "--journal", path, b"t"]),
        lambda rng, path: try_command(root, rng.choice([
            ["undo", path], ["undo", path, "--trust-names"],
            ["undo", path, "-n", "--json"],
            ["undo", path, "--trust-names", b"t"],
            ["journal", "show", path]])))


@test("plans")
def _(root):
    changed_files(
        root, "plans",
        lambda path: write(path, try_command(root, ["fix", "--json", "--rest=escape",
                                                    b"t"]).stdout),
        lambda rng, path: try_command(root, [
            "fix", "--plan", path, rng.choice(["-n", "--apply"]),
            *rng.choice([[], [b"t"]])]))


@test("parts of a summary")
def _(root):
    changed_files(
        root, "parts",
        lambda path: write(path, try_command(root, [
            "scan", "--json", "--mojibake", b"--exclude=*\n\xff", "--max-depth=3", "t"]).stdout),
        lambda rng, path: try_command(root, [
            "summary", rng.choice([b"--json", b"--depth=1", b"--accept-errors"]), path]),
        good=1)


@test("files to be checked")
def _(root):
    for rng in rounds("files"):
        data = b"".join(rng.choices(PIECES, k=rng.randrange(50)))
        data *= rng.choice([1, 1, 1, 3000, 60000])
        write(os.path.join(root, b"f"), data[:4 << 20])
        args = rng.sample(["-a", "-w", "--json", "--form=mutf-8",
                           "--skip-binary"], k=rng.randrange(3))
        if len(data) < 100000 or "-a" not in args:
            try_command(root, ["check", *args, rng.choice([b"f", b"-"])], data[:100000])


main()
