#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""utf8val fix --undo and utf8val journal, through the binary: what was renamed
gets its name back, and nothing else gets another."""

import json
import os
import resource
import subprocess
import time

from harness import (BINARY, BOTH, Skip, as_nobody, equal, inodes,
                     journal_names, main, make, rmtree, run, test, tree, true)

# a journal that others may write to is refused
os.umask(0o022)


def fix(root, *args, **kwargs):
    """Run fix --apply on root/tree with its journal at root/journal."""
    kwargs.setdefault("status", 0)
    return run("fix", "--apply", "--from", "latin1", "--journal",
               os.path.join(root, b"journal"), *args,
               os.path.join(root, b"tree"), **kwargs)


def undo(root, *args, **kwargs):
    """Undo that."""
    return run("fix", "--undo", os.path.join(root, b"journal"), *args,
               **kwargs)


def write(path, data):
    """Make or replace a file."""
    with open(path, "wb") as file:
        file.write(data)


@test("a root that has become a symbolic link is not followed", BOTH)
def _(root):
    top, other = os.path.join(root, b"tree"), os.path.join(root, b"other")
    make(os.path.join(top, b"d"), b"n\xe9")
    fix(root)
    # what its owner has set up for whoever undoes
    make(os.path.join(other, b"d"), "né".encode())
    os.rename(top, os.path.join(root, b"away"))
    os.symlink(other, top)
    got = undo(root, status=2)
    true(b"a symbolic link stands in the way" in got.stderr, got.stderr)
    equal(tree(other), {b"d", "d/né".encode()})
    # nor is one on the way to it, or below it
    os.unlink(top)
    os.mkdir(top)
    os.symlink(b"../other/d", os.path.join(top, b"d"))
    true(b"not the directory that was worked on" in
         undo(root, status=2).stderr)
    rmtree(top)
    os.rename(os.path.join(root, b"away"), top)
    os.rename(os.path.join(top, b"d"), os.path.join(root, b"d"))
    os.symlink(b"../other/d", os.path.join(top, b"d"))
    undo(root, status=2)
    equal(tree(other), {b"d", "d/né".encode()})
    os.unlink(os.path.join(top, b"d"))
    os.rename(os.path.join(root, b"d"), os.path.join(top, b"d"))
    undo(root, status=0)
    equal(tree(top), {b"d", b"d/n\xe9"})


@test("a directory or file that took another's place keeps its name", BOTH)
def _(root):
    top = os.path.join(root, b"tree")
    make(os.path.join(top, b"d"), b"n\xe9", b"m\xe9")
    fix(root)
    new = os.path.join(top, "d/né".encode())
    # not removed first: its inode number must not come back
    os.rename(new, os.path.join(root, b"old"))
    write(new, b"new")
    got = undo(root, status=2)
    true(b"another file than the one that was renamed" in got.stderr,
         got.stderr)
    equal(tree(top), {b"d", "d/né".encode(), b"d/m\xe9"})
    os.rename(os.path.join(root, b"old"), new)
    undo(root, status=0)
    equal(tree(top), {b"d", b"d/n\xe9", b"d/m\xe9"})
    # of another type, in a journal that knows no inode
    os.unlink(os.path.join(root, b"journal"))
    fix(root)
    os.unlink(new)
    os.mkdir(new)
    got = undo(root, "--trust-names", status=2)
    equal(tree(top), {b"d", "d/né".encode(), b"d/m\xe9"})


@test("an inode number that was used again: the time of birth tells",
      ("disk",))
def _(root):
    top = os.path.join(root, b"tree")
    make(top, b"n\xe9")
    fix(root)
    path = os.path.join(top, "né".encode())
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


@test("a journal that is empty, cut or zeroed is told")
def _(root):
    top, journal = os.path.join(root, b"tree"), os.path.join(root, b"journal")
    make(top, *(b"%d\xe9" % n for n in range(20)))
    fix(root, "--batch", "7")
    with open(journal, "rb") as file:
        whole = file.read()
    after = tree(top)
    first = whole.index(b"\n") + 1
    for text in (b"", b"\0" * 4096, whole[:first] + b"\0" * 100,
                 whole[:first], whole[:first - 1], whole[:first - 5]):
        write(journal, text)
        got = undo(root, status=2)
        true(got.stderr.startswith(b"utf8val: " + journal), got.stderr)
        equal(tree(top), after, text)
    # wherever it is cut, but right after what was written in one piece
    ends = {len(b"".join(whole.splitlines(True)[:i + 1]))
            for i, line in enumerate(whole.splitlines())
            if line.split(b" ")[0] in (b"commit", b"end")}
    for size in range(len(whole)):
        write(journal, whole[:size])
        got = undo(root, "--dry-run")
        equal(got.returncode, 0 if size in ends else 2, size)
        true(size not in ends or b"was stopped" in got.stderr, got.stderr)
    write(journal, whole)
    undo(root, status=0)


@test("a journal that it does not understand is refused")
def _(root):
    top, journal = os.path.join(root, b"tree"), os.path.join(root, b"journal")
    make(top, b"new")
    make(root, b"outside")
    st = os.stat(top)
    two = b"utf8val journal 2\n"
    run_line = b"run 1 0 me\n"
    at = two + run_line + b"root 1 %s %d 0 %d 0\n" % (top, st.st_dev,
                                                      st.st_ino)
    one = b"utf8val journal 1\n"
    at_1 = one + b"root " + top + b"\n"
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
           one + b"root tree\n", one + b"dir .\nname %FF new\n",
           at_1 + b"name %FF new\n", at_1 + b"dir .\nname %FF\n",
           at_1 + b"dir .\nname %FF new x\n",
           at_1 + b"dir .\nname %FF%2Fb new\n",
           at_1 + b"dir .\nname .. new\n", at_1 + b"dir ..\nname %FF new\n",
           at_1 + b"dir x/..\nname %FF new\n",
           at_1 + b"dir .\nname %FF new\nfailed 2\n",
           # no fix has ever done that
           at_1 + b"dir .\nname a new\n", at_1 + b"dir .\nname %FF %FE\n"]
    for text in bad:
        write(journal, text)
        got = undo(root, "--trust-names")
        equal(got.returncode, 2, text)
        true(b"is no line of a utf8val journal" in got.stderr, text)
    # understood, but it leads out of the tree
    os.symlink(b"..", os.path.join(top, b"up"))
    write(journal, at_1 + b"dir up\nname %FF outside\n")
    equal(undo(root, "--trust-names").returncode, 2)
    equal(tree(root), {b"tree", b"tree/new", b"tree/up", b"outside",
                       b"journal"})


@test("a journal of version 1: refused, or undone by names alone")
def _(root):
    top, journal = os.path.join(root, b"tree"), os.path.join(root, b"journal")
    make(os.path.join(top, "dé/sub".encode()), "né".encode())
    write(journal, b"utf8val journal 1\nroot " + top + b"\ndir d%E9/sub\n"
          b"name n%E9 n%C3%A9\ndir .\nname d%E9 d%C3%A9\nname x%E9 x\n"
          b"failed 3\n")
    got = undo(root, status=2)
    true(b"older version" in got.stderr and b"--trust-names" in got.stderr)
    undo(root, "--trust-names", status=0)
    equal(tree(top), {b"d\xe9", b"d\xe9/sub", b"d\xe9/sub/n\xe9"})
    true(b"undone" in run("journal", "show", journal, status=0).stdout)


@test("what cannot be looked at is not said to be gone")
def _(root):
    who = as_nobody(root)
    top, journal = os.path.join(root, b"tree"), os.path.join(root, b"journal")
    make(os.path.join(top, b"d"), b"n\xe9")
    os.symlink(b"n\xe9", os.path.join(top, b"d/l"))
    if not os.getuid():
        subprocess.run(["chown", "-R", "65534:65534", root], check=True)
    fix(root, **who)
    after = tree(top)
    os.chmod(os.path.join(top, b"d"), 0o600)
    got = undo(root, status=2, **who)
    os.chmod(os.path.join(top, b"d"), 0o755)
    equal(tree(top), after)
    equal(got.stderr.count(b": Permission denied\n"), 2, got.stderr)
    undo(root, status=0, **who)
    equal(tree(top), {b"d", b"d/l", b"d/n\xe9"})
    # nor does a journal stay where its directory cannot be synchronised
    os.unlink(journal)
    os.chmod(root, 0o300)
    got = fix(root, status=2, **who)
    os.chmod(root, 0o755)
    true(b"journal: Permission denied" in got.stderr, got.stderr)
    true(not os.path.exists(journal))
    equal(tree(top), {b"d", b"d/l", b"d/n\xe9"})


@test("a disk that is full at the journal's end: all of it can be undone")
def _(root):
    top, journal = os.path.join(root, b"tree"), os.path.join(root, b"journal")
    make(top, b"n\xe9")
    fix(root)
    with open(journal, "rb") as file:
        whole = file.read()
    undo(root, status=0)
    for size in range(whole.index(b"end "), len(whole)):
        os.unlink(journal)
        fix(root, preexec_fn=lambda limit=size: resource.setrlimit(
            resource.RLIMIT_FSIZE, (limit, limit)))
        equal(tree(top), {"né".encode()}, size)
        true(b"was stopped" in undo(root, status=0).stderr, size)
        equal(tree(top), {b"n\xe9"}, size)


@test("what takes a journal's place while it is undone is not written to")
def _(root):
    top, journal = os.path.join(root, b"tree"), os.path.join(root, b"journal")
    make(top, *(b"%d\xe9" % n for n in range(3000)))
    fix(root, "-q")
    # it cannot end before all that it prints has been read
    with subprocess.Popen([BINARY, "fix", "--undo", journal],
                          stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as process:
        process.stdout.read(1)
        os.unlink(journal)
        write(journal, b"other\n")
        process.stdout.read()
        equal(process.wait(), 0)
    with open(journal, "rb") as file:
        equal(file.read(), b"other\n")


@test("two trees in one journal are two trees")
def _(root):
    one, two = os.path.join(root, b"one"), os.path.join(root, b"two")
    for top in (one, two):
        make(top, b"n\xe9")
    journal = os.path.join(root, b"journal")
    run("fix", "--apply", "--from", "latin1", "--journal", journal, one, two,
        status=0)
    moved, wrong = os.path.join(root, b"moved"), os.path.join(root, b"wrong")
    os.rename(two, moved)
    make(wrong, "né".encode())
    got = undo(root, wrong, status=2)
    true(b"about another tree" in got.stderr, got.stderr)
    got = undo(root, "--trust-names", wrong, status=2)
    true(b"more than one tree" in got.stderr, got.stderr)
    equal(tree(wrong), {"né".encode()})
    equal(tree(one), {"né".encode()})
    undo(root, moved, status=0)
    equal((tree(one), tree(moved)), ({b"n\xe9"}, {b"n\xe9"}))


@test("a copy of the tree: by names, when told")
def _(root):
    top, copy = os.path.join(root, b"tree"), os.path.join(root, b"copy")
    make(os.path.join(top, b"d\xe9"), b"n\xe9")
    fix(root)
    subprocess.run(["cp", "-a", top, copy], check=True)
    true(b"another tree" in undo(root, copy, status=2).stderr)
    undo(root, "--trust-names", copy, status=0)
    equal(tree(copy), {b"d\xe9", b"d\xe9/n\xe9"})
    equal(tree(top), {"dé".encode(), "dé/né".encode()})


@test("--json and -0; a dry run says it without doing it")
def _(root):
    top = os.path.join(root, b"tree")
    make(os.path.join(top, b"d\xe9"), b"n\xe9")
    fix(root)
    after = inodes(top)
    got = undo(root, "--json", "--dry-run", status=0)
    items = [json.loads(line) for line in got.stdout.splitlines()]
    equal([i["done"] for i in items], [False, False])
    equal(items[0]["name"], {"text": "dé"})
    equal(items[0]["to"], {"bytes": "ZOk="})
    equal(inodes(top), after)
    got = undo(root, "-0", status=0)
    equal(got.stdout.split(b"\0"),
          [top + "/dé".encode(), b"d\xe9", top + b"/d\xe9/" + "né".encode(),
           b"n\xe9", b""])
    os.unlink(os.path.join(root, b"journal"))
    fix(root)
    got = undo(root, "-q", status=0)
    equal((got.stdout, got.stderr), (b"", b""))


@test("options that mean nothing to --undo, or contradict, are refused")
def _(root):
    make(root, b"journal")
    for args in (["--from", "latin1"], ["--apply"], ["--replace"],
                 ["--escape"], ["--sure", "likely"], ["--guess"],
                 ["--journal", "x"], ["--batch", "3"], ["--cross-devices"],
                 ["-j2"], ["--exclude", "x"], ["--shorten"]):
        got = undo(root, *args, status=2)
        true(b"not both" in got.stderr, (args, got.stderr))
    for args in (["--replace", "--escape"], ["--json", "-0"],
                 ["--apply", "-n"], ["--from", "latin1", "--from", "cp437"],
                 ["-j1", "-j2"], ["--last"], ["--trust-names"], ["-i"],
                 ["--undo=x", "--last"]):
        got = run("fix", *args, root, status=2)
        equal(got.stdout, b"", args)
    run("scan", "--json", "--null", root, status=2)
    run("scan", "-j2", "-j2", root, status=0)


@test("the hint can be pasted into a shell")
def _(root):
    for number, name in enumerate((b"plain", b"sp ace", b"it's",
                                   b"new\nline", b"caf\xe9 'x'", b"$HOME",
                                   b"back\\slash", b"-dash")):
        top = os.path.join(root, b"%d" % number)
        make(top, b"n\xe9")
        # a path from here, where that may be taken for an option
        path = name if name[:1] == b"-" else os.path.join(root, name)
        got = run("fix", "--apply", "--from", "latin1", b"--journal=" + path,
                  top, cwd=root, status=0)
        hint = got.stderr.splitlines()[-1].split(b"to undo it: utf8val ")[1]
        said = subprocess.run(
            ["bash", "-c", b"printf '%s\\0' " + hint], check=True,
            stdout=subprocess.PIPE).stdout
        said = said.split(b"\0")[:-1]
        equal((said[:2], said[-1]), ([b"fix", b"--undo"], path))
        run(*said, cwd=root, status=0)
        equal(os.listdir(top), [b"n\xe9"])


@test("times: directories keep theirs", BOTH)
def _(root):
    top = os.path.join(root, b"tree")
    make(os.path.join(top, b"d\xe9", b"sub"), b"n\xe9", b"m\xe9")
    os.symlink(b"d\xe9", os.path.join(top, b"link"))

    def times():
        return sorted((os.lstat(p).st_ino, os.lstat(p).st_mtime_ns)
                      for p in (os.path.join(top, q)
                                for q in tree(top) | {b"."})
                      if not os.path.islink(p))
    for path in sorted(tree(top), reverse=True) + [b"."]:
        if not os.path.islink(os.path.join(top, path)):
            os.utime(os.path.join(top, path), ns=(10 ** 18 + 1, 10 ** 18 + 7))
    before = times()
    fix(root, "--batch", "1")
    equal(times(), before)
    undo(root, status=0)
    equal(times(), before)


def nest(path, levels):
    """Directories with a bad name, each in the one before."""
    os.mkdir(path)
    fd = os.open(path, os.O_RDONLY)
    for _level in range(levels):
        os.mkdir(b"d\xe9", dir_fd=fd)
        below = os.open(b"d\xe9", os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = below
    os.close(fd)


def costs(root, levels):
    """What a fix and its undo take: bytes of journal, calls that find or change
    a name."""
    top, log = os.path.join(root, b"tree"), os.path.join(root, b"log")
    journal, found = os.path.join(root, b"journal"), []
    wrap = ["strace", "-f", "-qq", "-o", log, "-e",
            "trace=/^(open|stat|newfstat|fstat|rename|utime|readlink)"]
    nest(top, levels)
    for step in (fix, undo):
        step(root, "-q", wrap=wrap, status=0)
        with open(log, "rb") as file:
            found.append(len(file.readlines()))
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
    # numbers get longer; by steps from the root it would be a hundred times
    for less, more in zip(few, many):
        true(300 < less and more < 12 * less, (few, many))
    true(few[2] < 300 * 200, few)


def state(root):
    """Where journals are kept unless told."""
    return {"XDG_STATE_HOME": os.fsdecode(root) + "/state"}


@test("--undo without a journal says which there are; --last")
def _(root):
    env = dict(state(root), SUDO_USER="eve")
    got = run("fix", "--undo", env=env, status=2)
    true(b"there is none" in got.stderr, got.stderr)
    true(b"no journal" in run("fix", "--undo", "--last", env=env,
                              status=2).stderr)
    tops = [os.path.join(root, b"%d" % n) for n in range(3)]
    for number, top in enumerate(tops):
        make(top, b"n\xe9")
        run("fix", "--apply", "--from", "latin1", top, status=0,
            env=dict(env, SUDO_USER="adam" if number == 2 else "eve"))
        time.sleep(1.1)
    got = run("fix", "--undo", env=env, status=2)
    for number, top in enumerate(reversed(tops)):
        line = got.stderr.splitlines()[number + 1]
        true(top in line and (b"eve" in line) == (number > 0), line)
    # the newest is somebody else's, by sudo as the same user
    got = run("fix", "--undo", "--last", env=env, status=2)
    true(b"another user's" in got.stderr, got.stderr)
    equal(tree(tops[1]), {"né".encode()})
    adam = dict(env, SUDO_USER="adam")
    got = run("fix", "--undo", "--last", env=adam, status=0)
    true(tops[2] in got.stderr, got.stderr)
    # what is undone is not meant any more
    for number in (1, 0):
        equal(tree(tops[number]), {"né".encode()})
        run("fix", "--undo", "--last", env=env, status=0)
        equal(tree(tops[number]), {b"n\xe9"})
    run("fix", "--undo", "--last", env=env, status=2)


@test("journal list, show and prune")
def _(root):
    env = state(root)
    equal(run("journal", "list", env=env, status=0).stdout, b"")
    top = os.path.join(root, b"t\nree")
    make(top, b"n\xe9", b"m\xe9")
    for _round in range(2):
        run("fix", "--apply", "--from", "latin1", top, env=env, status=0)
        if not _round:
            run("fix", "--undo", "--last", env=env, status=0)
    lines = run("journal", "list", env=env, status=0).stdout.splitlines()
    equal(len(lines), 2)
    true(all(b"2 names below " in l and b"t\\nree" in l for l in lines))
    items = [json.loads(l) for l in run("journal", "list", "--json", env=env,
                                        status=0).stdout.splitlines()]
    equal(sorted(i["state"] for i in items), ["complete", "undone"])
    equal(items[0]["trees"], [{"text": os.fsdecode(top)}])
    paths = run("journal", "list", "-0", env=env, status=0).stdout
    equal({i["journal"]["text"] for i in items},
          set(os.fsdecode(paths).split("\0")[:-1]))
    path = next(i["journal"]["text"] for i in items
                if i["state"] == "complete")
    got = run("journal", "show", "-0", path, env=env, status=0).stdout
    equal(set(got.split(b"\0")), {os.path.join(top, b"n\xe9"),
                                  os.path.join(top, b"m\xe9"),
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
    for args in ([], ["show"], ["list", "x"], ["other"]):
        run("journal", *args, env=env, status=2)


main()
