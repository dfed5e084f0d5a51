#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""The journals of utf8val fix, through the binary: those that are cut, wrong or of
another version, where they are kept, and utf8val journal. The suite command-journal
runs this."""

import json
import os
import re
import resource
import shlex
import subprocess
import time

from harness import (BINARY, Skip, equal, fix_latin1 as fix, journal_names, main, make,
                     read, records, rmtree, run, shell_words, test, tree, true, undo,
                     write)


def state(root):
    """The directory in which journals are kept by default."""
    return {"XDG_STATE_HOME": os.fsdecode(root) + "/state"}


@test("a journal that is empty, cut or zeroed is told")
def _(root, top, journal):
    make(top, *(b"%d\xe9" % n for n in range(20)))
    fix(root, "--batch", "7")
    whole = read(journal)
    after = tree(top)
    first = whole.index(b"\n") + 1
    for text in (b"", b"\0" * 4096, whole[:first] + b"\0" * 100,
                 whole[:first], whole[:first - 1], whole[:first - 5]):
        write(journal, text)
        got = undo(root, status=2)
        true(got.stderr.startswith(b"utf8val: " + journal), got.stderr)
        equal(tree(top), after, text)
    # A journal may be cut anywhere but at the ends of what was written in one piece.
    ends = {len(b"".join(whole.splitlines(True)[:i + 1]))
            for i, line in enumerate(whole.splitlines())
            if line.split(b" ")[0] in (b"commit", b"end")}
    for size in range(len(whole)):
        write(journal, whole[:size])
        got = undo(root, "--dry-run")
        equal(got.returncode, 0 if size in ends else 2, size)
        true(size not in ends or b"was stopped" in got.stderr, got.stderr)
    for size, state, status in ((max(ends) - 1, b"(cut)", 2),
                                (max(ends), b"(complete)", 0),
                                (max(ends - {max(ends)}), b"(stopped)", 0)):
        write(journal, whole[:size])
        got = run("journal", "show", journal, status=status)
        true(state in got.stdout.splitlines()[0], (size, got.stdout))
    write(journal, whole)
    undo(root, status=0)


@test("a journal that it does not understand is refused")
def _(root, top, journal):
    make(top, b"new")
    make(root, b"outside")
    st = os.stat(top)
    two = b"utf8val journal 2\n"
    run_line = b"run 1 0 me\n"
    at = two + run_line + b"root 1 %s %d 0 %d 0\n" % (top, st.st_dev, st.st_ino)
    bad = [b"\n", b"utf8val journal 3\n", two + b"run 1\n",
           two + run_line * 2, two + b"root 1 tree 1 0 1 0\n",
           two + b"root 2 /tree 1 0 1 0\n", two + b"root 1 /tree 1 0 x 0\n",
           two + b"root 1 /tree 1 0 1 99999999999999999999999\n",
           two + b"name 1 f 1 0 a b\n", at + b"dir 2 3 a 1 1 0\n",
           at + b"dir 2 2 a 1 1 0\n", at + b"dir 2 1 .. 1 1 0\n",
           at + b"dir 2 1 a%2Fb 1 1 0\n", at + b"name 1 f 1 0 %FF\n",
           at + b"name 1 f 1 0 %FF new x\n", at + b"name 1 x 1 0 %FF new\n",
           at + b"name 1 f 1 0 .. new\n", at + b"name 1 f 1 0 %FF ..\n",
           at + b"name 1 f 1 0 %FF%2Fb new\n", at + b"name 1 f 1 0 %FF %FE\n",
           at + b"name 1 f 1 0 %F new\n", at + b"name 1 f 1 0 %00 new\n",
           at + b"name 1 f 1 0 a a\n", at + b"name 1 f 1 0 %FF n\0ew\n",
           at + b"name 0 f 1 0 %FF new\n", at + b"commit 1\n",
           at + b"link 1 a b\n", at + b"link 1 a b c ../d\n",
           at + b"failed 1\n", at + b"end 7\n", at + b"undone\n",
           at + b"undone x\n", at + b"junk\n", at + b" \n",
           b"utf8val journal 1\nroot " + top + b"\n"]
    for text in bad:
        write(journal, text)
        got = undo(root, "--trust-names")
        equal(got.returncode, 2, text)
        true(b"is not a line of a utf8val journal" in got.stderr, text)
        equal(b"of this version. Run undo of the version that wrote it" in got.stderr,
              text[:17] in (b"utf8val journal 1", b"utf8val journal 3"), text)
    # This journal can be read, but leads out of the tree.
    os.symlink(b"..", top / b"up")
    write(journal, at + b"dir 2 1 up %d 0 0\nname 2 f 0 0 %%FF outside\n" % st.st_dev)
    equal(undo(root, "--trust-names").returncode, 2)
    equal(tree(root), {b"tree", b"tree/new", b"tree/up", b"outside", b"journal"})


@test("a disk that is full at the journal's end: all of it can be undone")
def _(root, top, journal):
    make(top, b"n\xe9")
    fix(root)
    whole = read(journal)
    undo(root, status=0)
    for size in range(whole.index(b"end "), len(whole)):
        os.unlink(journal)
        fix(root, preexec_fn=lambda limit=size: resource.setrlimit(
            resource.RLIMIT_FSIZE, (limit, limit)))
        equal(tree(top), {"né".encode()}, size)
        undo(root, status=0, says=b"was stopped")
        equal(tree(top), {b"n\xe9"}, size)
    # half a note that all was undone would look like a journal that was cut
    os.unlink(journal)
    fix(root)
    whole = read(journal)
    undo(root, status=0, preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_FSIZE, (len(whole) + 5, len(whole) + 5)))
    equal((tree(top), read(journal)), ({b"n\xe9"}, whole))


@test("a journal below a directory that is renamed: its new path is told")
def _(root):
    home = root / b"jos\xe9"
    make(home, b"n\xe9")
    got = run("fix", "--apply", "--from", "latin1", root, status=0,
              env={"HOME": os.fsdecode(home), "XDG_STATE_HOME": ""})
    command = got.stderr.split(b"utf8val ")[-1].decode()
    run(*shlex.split(command), status=0)
    equal(os.listdir(root), [b"jos\xe9"])
    true(b"n\xe9" in os.listdir(home))


@test("what takes a journal's place while it is undone is not written to")
def _(root, top, journal):
    make(top, *(b"%d\xe9" % n for n in range(3000)))
    fix(root, "-q")
    # The command cannot end before all that it prints has been read.
    with subprocess.Popen([BINARY, "undo", journal], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as process:
        process.stdout.read(1)
        os.unlink(journal)
        write(journal, b"other\n")
        process.stdout.read()
        equal(process.wait(), 0)
    equal(read(journal), b"other\n")


@test("undo without a journal says which there are; --last")
def _(root):
    env = dict(state(root), SUDO_USER="eve")
    run("undo", env=env, status=2, says=b"there is none")
    run("undo", "--last", env=env, status=2, says=b"no journal")
    tops = [root / (b"%d" % n) for n in range(3)]
    for number, top in enumerate(tops):
        make(top, b"n\xe9")
        run("fix", "--apply", "--from", "latin1", top, status=0,
            env=dict(env, SUDO_USER="adam" if number == 2 else "eve"))
        time.sleep(1.1)
    got = run("undo", env=env, status=2)
    for number, top in enumerate(reversed(tops)):
        line = got.stderr.splitlines()[number + 1]
        true(top in line and (b"eve" in line) == (number > 0), line)
    # The newest journal belongs to another user, who became the same user by sudo.
    run("undo", "--last", env=env, status=2, says=b"another user's")
    equal(tree(tops[1]), {"né".encode()})
    adam = dict(env, SUDO_USER="adam")
    run("undo", "--last", env=adam, status=0, says=tops[2])
    # --last skips a journal that has been undone.
    for number in (1, 0):
        equal(tree(tops[number]), {"né".encode()})
        run("undo", "--last", env=env, status=0)
        equal(tree(tops[number]), {b"n\xe9"})
    run("undo", "--last", env=env, status=2)


@test("servers that share the directory: names have host and random bits; --last is this one's")
def _(root, top):
    env, host = state(root), os.uname().nodename
    make(top, b"n\xe9")
    got = run("fix", "--apply", "--from", "latin1", top, env=env, status=0)
    path = shell_words(got.stderr.splitlines()[-1])[-1]
    true(re.fullmatch(rb"fix-\d{8}T\d{6}Z-[A-Za-z0-9._-]+-[0-9a-f]{16}\.journal",
                      os.path.basename(path)), path)
    lines = read(path).splitlines(True)
    equal(lines[1].split()[-1].decode(), host)
    equal(json.loads(run("journal", "list", "--json", env=env, status=0).stdout)["host"],
          {"text": host})
    os.unlink(path)
    for name, status in (("elsewhere", 2), (None, 0)):
        fields = [*lines[1].split()[:-1], *([name.encode()] if name else [])]
        with open(path, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(b"".join([lines[0], b" ".join(fields) + b"\n", *lines[2:]]))
        run("undo", "--last", env=env, status=status,
            says=b"no journal of this host" if status else b"")
    equal(tree(top), {b"n\xe9"})


@test("undo --last of two runs in one second is of the later one", ("disk",))
def _(root):
    env, tops = state(root), (root / b"first", root / b"second")
    kept = root / b"state/utf8val"
    # whatever the journals are called: their names hold the numbers of processes
    for names in ((b"1.journal", b"2.journal"), (b"2.journal", b"1.journal")):
        for top, name in zip(tops, names):
            make(top, b"n\xe9")
            run("fix", "--apply", "--from", "latin1", top, env=env, status=0)
            path, = (kept / n for n in os.listdir(kept) if n.startswith(b"fix-"))
            write(path, re.sub(rb"(?m)^run \d+ ", b"run 1700000000 ", read(path)))
            if subprocess.check_output(["stat", "-c", "%W", path]) == b"0\n":
                raise Skip("this file system does not tell the time of birth")
            os.rename(path, kept / name)
        run("undo", "--last", env=env, status=0)
        equal([os.listdir(top) for top in tops], [["né".encode()], [b"n\xe9"]])
        rmtree(kept)
        for top in tops:
            rmtree(top)


@test("journal list, show and prune")
def _(root):
    env = state(root)
    equal(run("journal", "list", env=env, status=0).stdout, b"")
    top = root / b"t\nree"
    make(top, b"n\xe9", b"m\xe9")
    for _round in range(2):
        run("fix", "--apply", "--from", "latin1", top, env=env, status=0)
        if not _round:
            run("undo", "--last", env=env, status=0)
    lines = run("journal", "list", env=env, status=0).stdout.splitlines()
    equal(len(lines), 2)
    true(all(b"2 names below " in l and b"t\\nree" in l for l in lines))
    items = records("journal", "list", env=env, status=0)
    equal(sorted(i["state"] for i in items), ["complete", "undone"])
    equal(items[0]["trees"], [{"text": os.fsdecode(top)}])
    paths = run("journal", "list", "-0", env=env, status=0).stdout
    equal({i["journal"]["text"] for i in items}, set(os.fsdecode(paths).split("\0")[:-1]))
    path = next(i["journal"]["text"] for i in items if i["state"] == "complete")
    got = run("journal", "show", "-0", path, env=env, status=0).stdout
    equal(set(got.split(b"\0")), {top / b"n\xe9", top / b"m\xe9",
                                  "né".encode(), "mé".encode(), b""})
    equal(len(journal_names(path)), 2)
    run("journal", "prune", env=env, status=2)
    got = run("journal", "prune", "--days", "1", env=env, status=0)
    equal(got.stdout, b"")
    got = run("journal", "prune", "--undone", "-n", env=env, status=0)
    equal(got.stdout.count(b"\n"), 1)
    equal(len(os.listdir(root + b"/state/utf8val")), 2)
    run("journal", "prune", "--undone", env=env, status=0)
    equal(run("journal", "list", "-0", env=env, status=0).stdout,
          os.fsencode(path) + b"\0")
    # one that is as old as that; what is no journal is told, and kept
    lines = read(path).splitlines(True)
    word, when, *rest = lines[1].split(b" ")
    write(path, b"".join([lines[0], b" ".join(
        [word, b"%d" % (int(when) - 10 * 24 * 60 * 60), *rest]), *lines[2:]]))
    got = run("journal", "prune", "--days", "11", env=env, status=0)
    equal(got.stdout, b"")
    write(root / b"state/utf8val/other.journal", b"junk\n")
    for args in (["list", "-0"], ["prune", "--days", "10", "-0"]):
        got = run("journal", *args, env=env, status=2)
        equal(got.stdout, os.fsencode(path) + b"\0")
        true(b"other.journal: line 1 is not a line" in got.stderr, got.stderr)
    equal(os.listdir(root + b"/state/utf8val"), [b"other.journal"])
    for args in ([], ["show"], ["list", "x"], ["other"]):
        run("journal", *args, env=env, status=2)
    # options of prune alone are not ignored elsewhere
    for args in (["list", "--days", "1"], ["list", "--undone"], ["show", path, "-n"]):
        got = run("journal", *args, env=env, status=2)
        true(b"are for prune" in got.stderr and not got.stdout, got)


main()
