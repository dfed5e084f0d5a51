#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""utf8val fix and symbolic links: each link still points to its target.
The suite command-link runs this."""

import os
import re

from harness import (BOTH, equal, fix_latin1 as fix, inject, inodes, main, make, read,
                     records, remove, rmtree, run, test, tree, true, undo, undo_all)


def links(top):
    """Every link below top, with its text."""
    return {top / path: os.readlink(top / path) for path in tree(top)
            if os.path.islink(top / path)}


def leads_to(top):
    """The file to which each link leads, whatever the names of both are."""
    return sorted(os.stat(path).st_ino if os.path.exists(path) else 0
                  for path in links(top))


def many_links(root):
    """Links of all kinds to and through names that will change."""
    top = root / b"tree"
    make(top / b"d\xe9/sub\xe8", b"f\xe9", b"good")
    make(top / b"x", b"n\xe9")
    for name, target in (
            (b"plain", b"x/n\xe9"), (b"bad\xe9", b"d\xe9"),
            (b"deep", b"d\xe9/sub\xe8/f\xe9"),
            (b"dots", b"./x/..//d\xe9/./sub\xe8/"),
            (b"through", b"bad\xe9/sub\xe8/good"),
            (b"absolute", top / b"d\xe9/sub\xe8"),
            (b"x/up", b"../d\xe9/sub\xe8/../sub\xe8/f\xe9"),
            (b"d\xe9/sub\xe8/own", b"f\xe9"),
            (b"d\xe9/sub\xe8/same\xe9", b"../../x/n\xe9"),
            (b"well", b"x")):
        os.symlink(target, top / name)
    return top


@test("links follow what is renamed, and go back", BOTH)
def _(root):
    top = many_links(root)
    # The links belong to another user, where files may be given away.
    owner = (os.getuid() or 12345, os.getgid() or 12346)
    os.lchown(top / b"plain", *owner)
    os.utime(top / b"plain", ns=(10 ** 18, 10 ** 18 + 5), follow_symlinks=False)
    before, led = links(top), leads_to(top)
    names = tree(top)
    true(0 not in led)
    got = fix(root)
    equal(leads_to(top), led)
    for path, target in links(top).items():
        true(target.decode(), path)
    equal(os.readlink(top / b"plain"), "x/né".encode())
    equal(os.readlink(top / b"dots"), "./x/..//dé/./subè/".encode())
    now = os.lstat(top / b"plain")
    equal((now.st_uid, now.st_gid, now.st_mtime_ns), (*owner, 10 ** 18 + 5))
    true(b"/plain: points to x/n\\xE9 -> x/n\xc3\xa9\n" in got.stdout, got.stdout)
    true(b"9 links changed" in got.stderr, got.stderr)
    # nothing is left behind
    equal(len(tree(top)), len(names))
    # The second undo knows a link again whose own name the first undo has given back.
    for _time in range(2):
        undo(root, status=0)
        equal(links(top), before)
        equal(leads_to(top), led)
        equal(tree(top), names)


@test("a dry run and scan tell of them")
def _(root):
    top = many_links(root)
    os.symlink(b"/nowhere/\xff", top / b"out")
    before = links(top)
    got = run("fix", "--from", "latin1", top, status=1)
    true(b"/plain: points to x/n\\xE9 -> x/n\xc3\xa9\n" in got.stdout, got.stdout)
    true(b"/out: points to /nowhere/\\xFF: left as it is" in got.stdout)
    true(b"9 links would change" in got.stderr, got.stderr)
    items = records("fix", "--from", "latin1", top, status=1)
    equal(sum("target" in i and "to" in i for i in items), 9)
    equal([i["target"] for i in items if "left" in i], [{"bytes": "L25vd2hlcmUv/w=="}])
    equal(links(top), before)
    got = run("scan", top, status=1)
    equal(got.stdout.count(b"which is not UTF-8\n"), 10)
    true(b"/out: points to /nowhere/\\xFF, which" in got.stdout, got.stdout)
    items = records("scan", top, status=1)
    equal(sum("target" in i for i in items), 10)
    # The target of a link is no name, so no mount refuses it.
    os.mkdir(root / b"only")
    os.symlink(b"\xff", root / b"only/link")
    got = run("scan", root / b"only", status=0)
    true(b"which is not UTF-8" in got.stdout, got.stdout)


@test("a target with a name that gets a number")
def _(root, top):
    make(top, "é".encode(), b"\xe9")
    os.symlink(b"\xe9", top / b"link")
    fix(root)
    equal(os.readlink(top / b"link"), "é-2".encode())
    # -0 prints paths and names only, and the target of a link is neither.
    equal(undo(root, "-0", status=0).stdout.split(b"\0"),
          [top / "é-2".encode(), b"\xe9", b""])
    equal(os.readlink(top / b"link"), b"\xe9")


@test("a link that is met in two ways follows once")
def _(root, top):
    make(top / b"d", b"n\xe9")
    os.symlink(b"n\xe9", top / b"d/l")
    # With --exclude one operand may lie inside another, as with bind mounts.
    got = fix(root, "--exclude", "x", at=(top, top / b"d"))
    true(b" 1 renamed, " in got.stderr and b", 1 link changed" in got.stderr, got.stderr)
    equal(os.readlink(top / b"d/l"), "né".encode())
    undo(root, status=0)
    equal(os.readlink(top / b"d/l"), b"n\xe9")
    equal(tree(top), {b"d", b"d/l", b"d/n\xe9"})


@test("a link that was changed meanwhile stays as it is")
def _(root, top):
    make(top, b"\xe9", b"other")
    link = top / b"link"
    os.symlink(b"\xe9", link)
    fix(root)
    os.unlink(link)
    os.symlink(b"other", link)
    undo(root, status=2, says=b"not the link that was changed")
    equal(os.readlink(link), b"other")
    equal(tree(top), {b"\xe9", b"other", b"link"})


@test("killed before each of its changes: links are old or new, then undone")
def _(root, journal):
    top = many_links(root)
    before, names, places = links(top), tree(top), inodes(top)
    led, kills = leads_to(top), 0
    files = {p: i for p, i in places.items() if not os.path.islink(top / p)}
    for call in ("renameat2", "symlinkat", "unlinkat", "write"):
        for when in range(1, 100):
            process = fix(root, "--batch", "2", "-qj1", status=None,
                          wrap=inject(f"{call}:signal=KILL:when={when}"))
            kills += process.returncode != 0
            # An empty journal was cut before its first write: nothing has happened yet.
            if os.path.exists(journal) and os.path.getsize(journal):
                undo(root, status=0)
            equal(links(top), before, (call, when))
            equal(tree(top), names, (call, when))
            equal({p: os.lstat(top / p).st_ino for p in files}, files)
            remove(journal)
            if process.returncode == 0:
                break
    true(kills > 25, kills)
    equal(leads_to(top), led)


@test("interrupted: what has been renamed is pointed to")
def _(root, top):
    make(top, *(b"%03d\xe9" % n for n in range(200)))
    for number in range(200):
        os.symlink(b"%03d\xe9" % number, top / (b"link%03d" % number))
    fix(root, "--batch", "5", "-q", status=None, wrap=inject("renameat2:signal=INT:when=7"))
    names = os.listdir(top)
    true(0 < sum(b"\xc3" in name for name in names) < 200)
    for name in names:
        true(os.path.exists(top / name), name)
    undo(root, status=0)
    true(not any(b"\xc3" in name for name in os.listdir(top)))


@test("a link of that name that fix did not make is not undo's to remove")
def _(root, top, journal):
    make(top, b"\xe9")
    os.symlink(b"\xe9", top / b"link")
    fix(root)
    used = re.search(rb"(?m)^link(?: \S+){4} (\S+)", read(journal))[1]
    os.symlink(b"elsewhere", top / used)
    undo(root, status=2, says=b"File exists")
    equal(os.readlink(top / used), b"elsewhere")
    os.unlink(top / used)
    undo(root, status=0)
    equal(os.readlink(top / b"link"), b"\xe9")


@test("links in a program's own data stay, and that is told")
def _(root, top):
    make(top / b".git", b"x")
    make(top, b"n\xe9")
    for link, target in ((b".git/l", b"../n\xe9"), (b"l", b"n\xe9")):
        os.symlink(target, top / link)
    for got in (run("fix", "--from", "latin1", top, status=1), fix(root, status=1)):
        true(b".git/l: points to ../n\\xE9: left as it is: this is Git's own data; "
             b"--app-data renames it\n" in got.stdout, got.stdout)
        true(b" 1 skipped, 0 failed, 1 link " in got.stderr, got.stderr)
    equal(os.readlink(top / b".git/l"), b"../n\xe9")
    equal(os.readlink(top / b"l"), "né".encode())
    undo_all(root)
    fix(root, "--app-data")
    equal(os.readlink(top / b".git/l"), "../né".encode())


@test("a target that would be too long: a dry run tells it, and no way to shorten it")
def _(root, top):
    make(top, b"\xe9" * 100)
    os.symlink(b"./" * 1980 + b"\xe9" * 100, top / b"link")
    for got in (run("fix", "--from", "latin1", top, status=2), fix(root, status=2)):
        true(b"/link: its new target would be too long" in got.stderr, got.stderr)
        true(b" 1 failed\n" in got.stderr and b"shorten" not in got.stderr, got.stderr)
    equal(os.readlink(top / b"link"), b"./" * 1980 + b"\xe9" * 100)
    undo(root, status=0)


@test("no exchange of names: the link is replaced, or it is told, and stays")
def _(root, top):
    make(top, b"\xe9")
    os.symlink(b"\xe9", top / b"link")
    # The second call of that name is for the link.
    fix(root, wrap=inject("renameat2:error=EINVAL:when=2"))
    equal(os.readlink(top / b"link"), "é".encode())
    equal(tree(top), {"é".encode(), b"link"})
    undo_all(root)
    got = fix(root, status=2, wrap=inject("renameat2:error=EIO:when=2"))
    true(b"link: Input/output error" in got.stderr, got.stderr)
    equal(tree(top), {"é".encode(), b"link"})
    undo(root, status=0)
    equal(tree(top), {b"\xe9", b"link"})


@test("a tree whose own name changes: links in it follow, and go back", BOTH)
def _(root, journal):
    top = root / b"tree\xe9"
    for names in ((b"x", b"y\xe9"), (b"x",)):
        make(top, *names)
        os.symlink(b"../tree\xe9/x", top / b"l")
        before = tree(root)
        fix(root, at=[top], says=b", 1 link changed")
        equal(os.readlink(root / "treeé/l".encode()), "../treeé/x".encode())
        for args in (["-n"], []):
            undo(root, *args, status=0)
        os.unlink(journal)
        equal(tree(root), before)
        equal(os.readlink(top / b"l"), b"../tree\xe9/x")
        rmtree(top)


main()
