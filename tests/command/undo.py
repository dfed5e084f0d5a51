#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""utf8val undo, through the binary: renamed files get their names back, and no other
file is renamed. tests/command/journal.py tests the journals. The suite command-undo
runs this."""

import json
import os
import subprocess

from harness import (BOTH, Skip, as_nobody, equal, fix_latin1 as fix, inject, inodes,
                     main, make, nest, read, rmtree, run, shell_words, test, tree, true,
                     undo, write)


@test("a root that has become a symbolic link is not followed", BOTH)
def _(root):
    top, other = root / b"tree", root / b"other"
    make(top / b"d", b"n\xe9")
    fix(root)
    # The owner of the tree has set this trap up for the user of undo.
    make(other / b"d", "né".encode())
    os.rename(top, root / b"away")
    os.symlink(other, top)
    got = undo(root, status=2)
    true(b"a symbolic link is in the way" in got.stderr, got.stderr)
    equal(tree(other), {b"d", "d/né".encode()})
    # No link on the way to the tree, or below it, is followed, either.
    os.unlink(top)
    os.mkdir(top)
    os.symlink(b"../other/d", top / b"d")
    undo(root, status=2, says=b"not the directory that fix changed")
    rmtree(top)
    os.rename(root / b"away", top)
    os.rename(top / b"d", root / b"d")
    os.symlink(b"../other/d", top / b"d")
    undo(root, status=2)
    equal(tree(other), {b"d", "d/né".encode()})
    os.unlink(top / b"d")
    os.rename(root / b"d", top / b"d")
    undo(root, status=0)
    equal(tree(top), {b"d", b"d/n\xe9"})


@test("device numbers may change, if the file system's own does not", BOTH)
def _(root, top, journal):
    make(top, b"n\xe9")
    fix(root)
    lines = read(journal).splitlines(True)
    at = next(i for i, line in enumerate(lines) if line.startswith(b"root "))
    fields = lines[at].split(b" ")
    if fields[4] == b"0":
        raise Skip("this file system has no number of its own")
    for changed, status in (((3, 4), 2), ((3,), 0)):
        other = [b"%d" % (int(field) ^ 1) if i in changed else field
                 for i, field in enumerate(fields)]
        write(journal, b"".join([*lines[:at], b" ".join(other), *lines[at + 1:]]))
        undo(root, status=status)
    equal(tree(top), {b"n\xe9"})


@test("a directory or file that took another's place keeps its name", BOTH)
def _(root, top):
    make(top / b"d", b"n\xe9", b"m\xe9")
    fix(root)
    new = top / "d/né".encode()
    # The old file is not removed first, because its inode number must not come back.
    os.rename(new, root / b"old")
    write(new, b"new")
    undo(root, status=2, says=b"not the file that was renamed")
    equal(tree(top), {b"d", "d/né".encode(), b"d/m\xe9"})
    # A journal of which something is left to undo is not called undone.
    run("journal", "show", root / b"journal", status=0, prints=b"(complete)")
    os.rename(root / b"old", new)
    undo(root, status=0)
    equal(tree(top), {b"d", b"d/n\xe9", b"d/m\xe9"})
    # A file of another type, in a journal that knows no inode.
    os.unlink(root / b"journal")
    fix(root)
    os.unlink(new)
    os.mkdir(new)
    got = undo(root, "--trust-names", status=2)
    equal(tree(top), {b"d", "d/né".encode(), b"d/m\xe9"})


@test("an inode number that was used again: the time of birth tells", ("disk",))
def _(root, top):
    make(top, b"n\xe9")
    fix(root)
    path = top / "né".encode()
    before = os.stat(path).st_ino
    os.unlink(path)
    for number in range(1000):
        write(path, b"new")
        if os.stat(path).st_ino == before:
            break
        os.rename(path, b"%s%d" % (path, number))
    else:
        raise Skip("this file system has used none again")
    undo(root, status=2)
    true(os.path.exists(path))


@test("what cannot be looked at is not said to be gone")
def _(root, top, journal):
    who = as_nobody(root)
    make(top / b"d", b"n\xe9")
    os.symlink(b"n\xe9", top / b"d/l")
    if not os.getuid():
        subprocess.run(["chown", "-R", "65534:65534", root], check=True)
    fix(root, **who)
    after = tree(top)
    os.chmod(top / b"d", 0o600)
    got = undo(root, status=2, **who)
    os.chmod(top / b"d", 0o755)
    equal(tree(top), after)
    equal(got.stderr.count(b": Permission denied\n"), 2, got.stderr)
    undo(root, status=0, **who)
    equal(tree(top), {b"d", b"d/l", b"d/n\xe9"})
    # No journal stays where its directory cannot be synchronised.
    os.unlink(journal)
    os.chmod(root, 0o300)
    got = fix(root, status=2, **who)
    os.chmod(root, 0o755)
    true(b"journal: Permission denied" in got.stderr, got.stderr)
    true(not os.path.exists(journal))
    equal(tree(top), {b"d", b"d/l", b"d/n\xe9"})


@test("interrupted: the rest can be undone, and is not called undone")
def _(root, top, journal):
    make(top, *(b"%d\xe9" % n for n in range(20)))
    before = tree(top)
    fix(root)
    got = undo(root, "-q", wrap=inject("renameat2:signal=INT:when=7"))
    true(got.returncode != 0, got.stderr)
    true(0 < len(tree(top) & before) < 20)
    run("journal", "show", journal, status=0, prints=b"(complete)")
    undo(root, status=0)
    equal(tree(top), before)
    run("journal", "show", journal, status=0, prints=b"(undone)")


@test("two trees in one journal are two trees")
def _(root):
    one, two = root / b"one", root / b"two"
    for top in (one, two):
        make(top, b"n\xe9")
    fix(root, at=(one, two))
    moved, wrong = root / b"moved", root / b"wrong"
    os.rename(two, moved)
    make(wrong, "né".encode())
    undo(root, wrong, status=2, says=b"nothing at or below")
    undo(root, "--trust-names", wrong, status=2, says=b"nothing at or below")
    equal(tree(wrong), {"né".encode()})
    equal(tree(one), {"né".encode()})
    undo(root, moved, status=0)
    equal((tree(one), tree(moved)), ({"né".encode()}, {b"n\xe9"}))
    undo(root, one, status=0)
    equal(tree(one), {b"n\xe9"})


@test("paths choose a part of a run")
def _(root, top):
    make(top / b"d\xe9" / b"e\xe9", b"n\xe9", b"m\xe9")
    make(top / b"o\xe9", b"n\xe9")
    make(top, b"f\xe9", b"g\xe9")
    before = tree(top)
    fix(root)
    after = tree(top)
    # a file, by its new name; a directory that has one; and nothing else
    undo(root, top / "fé".encode(), status=0)
    equal(tree(top) ^ after, {b"f\xe9", "fé".encode()})
    undo(root, top / "fé".encode(), status=0)
    undo(root, top / "dé/eé".encode(), status=0)
    equal(tree(top / "dé".encode()), {b"e\xe9", b"e\xe9/n\xe9", b"e\xe9/m\xe9"})
    # a part is no whole: the journal is not called undone
    run("journal", "show", root / b"journal", status=0, prints=b"(complete)")
    got = undo(root, "-n", top / "oé/".encode(), status=0)
    equal(got.stdout.count(b" -> "), 2, got.stdout)
    undo(root, top / "dé".encode(), root, status=0)
    equal(tree(top), before)
    undo(root, top / b"d\xe9", status=0)
    # what the journal does not know
    make(root, b"other")
    for path in (root / b"other", b"/proc/self", top / b"d\xe9/missing/x"):
        undo(root, path, status=2, says=b"nothing at or below this path")
    equal(tree(top), before)
    undo(root, status=0)
    run("journal", "show", root / b"journal", status=0, prints=b"(undone)")


@test("what was undone is done again, by the journal as a plan")
def _(root, top):
    make(top / b"d\xe9", b"n\xe9")
    fix(root)
    after = inodes(top)
    undo(root, status=0)
    plan = run("journal", "show", "--json", root / b"journal", status=0).stdout
    run("fix", "--plan", "-", "--apply", "--journal", root / b"again", input=plan, status=0)
    equal(inodes(top), after)


@test("a copy of the tree: by names, when told")
def _(root):
    top, copy = root / b"tree", root / b"copy"
    make(top / b"d\xe9", b"n\xe9")
    fix(root)
    subprocess.run(["cp", "-a", top, copy], check=True)
    undo(root, copy, status=2, says=b"nothing at or below")
    undo(root, "--trust-names", copy, status=0)
    equal(tree(copy), {b"d\xe9", b"d\xe9/n\xe9"})
    equal(tree(top), {"dé".encode(), "dé/né".encode()})


@test("--json and -0; a dry run says it without doing it")
def _(root, top):
    make(top / b"d\xe9", b"n\xe9")
    fix(root)
    after = inodes(top)
    journal = read(root / b"journal")
    got = undo(root, "--json", "--dry-run", status=0)
    equal(read(root / b"journal"), journal)
    items = [json.loads(line) for line in got.stdout.splitlines()]
    equal([i["done"] for i in items], [False, False])
    equal(items[0]["name"], {"text": "dé"})
    equal(items[0]["to"], {"bytes": "ZOk="})
    equal(inodes(top), after)
    got = undo(root, "-0", status=0)
    equal(got.stdout.split(b"\0"),
          [top + "/dé".encode(), b"d\xe9", top + b"/d\xe9/" + "né".encode(),
           b"n\xe9", b""])
    os.unlink(root / b"journal")
    fix(root)
    got = undo(root, "-q", status=0)
    equal((got.stdout, got.stderr), (b"", b""))


@test("options that undo does not have, or that contradict, are refused")
def _(root):
    make(root, b"journal")
    for args in (["--from", "latin1"], ["--apply"], ["--rest=replace"],
                 ["--rest=escape"], ["--sure", "likely"], ["--guess"], ["--guessed", "CP850"],
                 ["--journal", "x"], ["--batch", "3"], ["--cross-devices"],
                 ["-j2"], ["--exclude", "x"], ["--shorten"]):
        undo(root, *args, status=2, says=b"unknown option")
    for args in (["--rest=replace", "--rest=escape"], ["--json", "-0"],
                 ["--apply", "-n"], ["--from", "latin1", "--from", "cp437"],
                 ["-j1", "-j2"], ["--last"], ["--trust-names"], ["-i"],
                 ["--undo", "journal"], ["--rest=other"]):
        got = run("fix", *args, root, status=2)
        equal(got.stdout, b"", args)
    run("scan", "--json", "--null", root, status=2)
    run("scan", "-j2", "-j2", root, status=0)


@test("the hint can be pasted into a shell")
def _(root):
    for number, name in enumerate((b"plain", b"sp ace", b"it's",
                                   b"new\nline", b"caf\xe9 'x'", b"$HOME",
                                   b"back\\slash", b"-dash")):
        top = root / (b"%d" % number)
        make(top, b"n\xe9")
        # A path relative to this directory, where it may be taken for an option.
        path = name if name[:1] == b"-" else root / name
        got = run("fix", "--apply", "--from", "latin1", b"--journal=" + path,
                  top, cwd=root, status=0)
        hint = got.stderr.splitlines()[-1].split(b"to undo it: utf8val ")[1]
        said = shell_words(hint)
        equal((said[0], said[-1]), (b"undo", path))
        run(*said, cwd=root, status=0)
        equal(os.listdir(top), [b"n\xe9"])


@test("times: directories keep theirs", BOTH)
def _(root, top):
    make(top / b"d\xe9" / b"sub", b"n\xe9", b"m\xe9")
    os.symlink(b"d\xe9", top / b"link")

    def times():
        return sorted((os.lstat(p).st_ino, os.lstat(p).st_mtime_ns)
                      for p in (top / q for q in tree(top) | {b"."})
                      if not os.path.islink(p))
    for path in sorted(tree(top), reverse=True) + [b"."]:
        if not os.path.islink(top / path):
            os.utime(top / path, ns=(10 ** 18 + 1, 10 ** 18 + 7))
    before = times()
    fix(root, "--batch", "1")
    equal(times(), before)
    undo(root, status=0)
    equal(times(), before)


def costs(root, levels):
    """The cost of a fix and its undo: bytes of journal, and calls that find or change a
    name."""
    top, log = root / b"tree", root / b"log"
    journal, found = root / b"journal", []
    wrap = ["strace", "-f", "-qq", "-o", log, "-e",
            "trace=/^(open|stat|newfstat|fstat|rename|utime|readlink)"]
    os.close(nest(top, b"d\xe9", levels))
    for step in (fix, undo):
        step(root, "-q", wrap=wrap, status=0)
        found.append(read(log).count(b"\n"))
        names = subprocess.run(["find", top, "-printf", "%f\n"], check=True,
                               stdout=subprocess.PIPE, env={"LC_ALL": "C"})
        equal(set(names.stdout.splitlines()[1:]),
              {"dé".encode() if step == fix else b"d\xe9"})
    found.append(os.path.getsize(journal))
    os.unlink(journal)
    rmtree(top)
    return found


@test("ten times as deep a tree: ten times the journal and the system calls")
def _(root):
    few, many = costs(root, 300), costs(root, 3000)
    # Only the numbers get longer. If every step began at the root, it would be a
    # hundred times as much.
    for less, more in zip(few, many):
        true(300 < less and more < 12 * less, (few, many))
    true(few[2] < 300 * 200, few)


main()
