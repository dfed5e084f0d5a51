#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""utf8val fix, through the binary: no name may ever be lost."""

import json
import os
import random
import resource
import subprocess
import time

from harness import (BINARY, BOTH, as_nobody, equal, inodes, is_utf8,
                     journal_names, main, make, rmtree, run, test, tree, true)

SEED = 3629
# a journal that others may write to is refused
os.umask(0o022)


def sample_tree(root, width=40):
    """Bad names on three levels, directories among them; some collide."""
    for top in (b"d\xe9j\xe0", b"plain", b"\xff"):
        for sub in (b"caf\xe9", b"x"):
            path = os.path.join(root, top, sub)
            make(path, "café.txt".encode(), b"caf\xe9.txt")
            make(path, *(b"n\xe9_%03d" % n for n in range(width)))
    make(root, b"good", b"new\nline\xe9", b"per%25cent\xe9", b"sp ace\xe9")


def fix(root, *args, **kwargs):
    """Run fix --apply on root/tree with its journal at root/journal."""
    return run("fix", "--apply", "--journal", os.path.join(root, b"journal"),
               *args, os.path.join(root, b"tree"), **kwargs)


def undo(root, **kwargs):
    """Undo that."""
    return run("fix", "--undo", os.path.join(root, b"journal"), **kwargs)


@test("a dry run renames nothing and says what would be", BOTH)
def _(root):
    sample_tree(root)
    before = inodes(root)
    got = run("fix", "--from", "ISO-8859-1", root, status=1)
    equal(inodes(root), before)
    bad = sum(not is_utf8(os.path.basename(p)) for p in before)
    equal(len(got.stdout.splitlines()), bad)
    true(b"%d to rename" % bad in got.stderr, got.stderr)
    true(b"new\\nline\\xE9 -> new\\nline\xc3\xa9 (ISO-8859-1)\n"
         in got.stdout, got.stdout)


@test("--from: as CPython decodes it, and undone to the byte", BOTH)
def _(root):
    sample_tree(os.path.join(root, b"tree"))
    top = os.path.join(root, b"tree")
    before = inodes(top)
    fix(root, "--from", "ISO-8859-1", status=0)
    after = inodes(top)
    true(all(is_utf8(p) for p in after))
    equal(sorted(before.values()), sorted(after.values()))
    at = {inode: path for path, inode in after.items()}
    for path, inode in before.items():
        want = "/".join(
            c.decode() if is_utf8(c) else c.decode("latin-1")
            for c in path.split(b"/"))
        if want.endswith("café.txt") and not is_utf8(
                os.path.basename(path)):
            want = want.replace("café.txt", "café-2.txt")
        equal(at[inode].decode(), want)
    undo(root, status=0)
    equal(inodes(top), before)
    # once more: nothing is left to do
    undo(root, status=0)
    equal(inodes(top), before)


@test("charsets, as iconv knows them")
def _(root):
    top = os.path.join(root, b"tree")
    for number, (charset, text) in enumerate((
            ("SHIFT_JIS", "日本語"), ("EUC-JP", "漢字かな"),
            ("GB18030", "中文文件"), ("BIG5", "繁體中文"),
            ("EUC-KR", "한국어"), ("KOI8-R", "Привет"),
            ("WINDOWS-1251", "Привет"), ("WINDOWS-1252", "“naïve” €"))):
        name = text.encode({"GB18030": "gb18030"}.get(charset, charset))
        make(top, name)
        journal = os.path.join(root, b"j%d" % number)
        run("fix", "--apply", "--from", charset, "--journal", journal, top,
            status=0)
        equal(tree(top), {text.encode()})
        run("fix", "--undo", journal, status=0)
        equal(tree(top), {name})
        rmtree(top)
    run("fix", "--from", "no-such-charset", root, status=2)


@test("--replace and --escape")
def _(root):
    top = os.path.join(root, b"tree")
    names = [b"a\xf0\x9f\x98b", b"\xed\xa0\x80", b"end\xe4\xbd", b"%\xff"]
    make(top, *names)
    fix(root, "--replace", status=0)
    equal(tree(top), {n.decode("utf-8", "replace").encode() for n in names})
    undo(root, status=0)
    equal(tree(top), set(names))
    os.unlink(os.path.join(root, b"journal"))
    fix(root, "--escape", status=0)
    equal(tree(top), {b"a%F0%9F%98b", b"%ED%A0%80", b"end%E4%BD", b"%%FF"})
    undo(root, status=0)
    equal(tree(top), set(names))


@test("the guess: certain ones are converted, possible ones left")
def _(root):
    top = os.path.join(root, b"tree")
    make(top, b"smile\xed\xa0\xbd\xed\xb8\x80", b"\xff\xfe\xfd")
    got = fix(root, status=1)
    equal(tree(top), {"smile😀".encode(), b"\xff\xfe\xfd"})
    true(b"1 left as they are" in got.stderr, got.stderr)
    run("fix", "--sure", "surely", top, status=2)


@test("nothing is overwritten; what is taken gets a number, and is told",
      BOTH)
def _(root):
    top = os.path.join(root, b"tree")
    # all wish to be called the same
    make(top, b"\xff.txt", b"\xfe.txt", b"\xfd.txt", b"%FF.txt",
         "\ufffd.txt".encode(), "\ufffd-3.txt".encode())
    os.mkdir(os.path.join(top, "\ufffd-4.txt".encode()))
    before = inodes(top)
    got = fix(root, "--replace", status=0)
    after = inodes(top)
    equal(sorted(before.values()), sorted(after.values()))
    equal(set(after), {n.encode() for n in (
        "\ufffd.txt", "\ufffd-2.txt", "\ufffd-3.txt", "\ufffd-4.txt",
        "\ufffd-5.txt", "\ufffd-6.txt", "%FF.txt")})
    equal(got.stdout.count(b"numbered: there is"), 3)
    undo(root, status=0)
    equal(inodes(top), before)


@test("a dry run foresees the same numbers")
def _(root):
    top = os.path.join(root, b"tree")
    make(top, *(b"%c" % n for n in range(0x80, 0x100)))
    dry = run("fix", "--replace", "-0", top, status=1).stdout
    done = fix(root, "--replace", "-0", "--batch", "7", status=0).stdout
    equal(done, dry)
    equal(len(tree(top)), 128)


@test("a name that is taken between plan and rename gets the next number")
def _(root):
    top = os.path.join(root, b"tree")
    make(top, b"\xff")
    got = fix(root, "--escape", status=0, wrap=[
        "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=renameat2",
        "-e", "inject=renameat2:error=EEXIST:when=1"])
    equal(tree(top), {b"%FF-2"}, got.stdout)
    undo(root, status=0)
    equal(tree(top), {b"\xff"})


@test("a name that would be too long: told, or shortened")
def _(root):
    top = os.path.join(root, b"tree")
    name = b"\xe9" * 240 + b".longtext"
    make(top, name)
    got = fix(root, "--from", "latin1", status=2)
    true(b"too long" in got.stderr, got.stderr)
    equal(tree(top), {name})
    true(not os.path.exists(os.path.join(root, b"journal")))
    fix(root, "--from", "latin1", "--shorten", status=0)
    equal(tree(top), {("é" * 123 + ".longtext").encode()})
    undo(root, status=0)
    equal(tree(top), {name})


@test("a tree 300 levels deep, bad names all the way", BOTH)
def _(root):
    top = os.path.join(root, b"tree")
    os.mkdir(top)
    path = top
    for _level in range(300):
        make(path, b"f\xe9")
        path = os.path.join(path, b"\xe9")
        os.mkdir(path)
    before = inodes(top)
    fix(root, "--from", "latin1", "--batch", "13", status=0)
    true(all(is_utf8(p) for p in tree(top)))
    undo(root, status=0)
    equal(inodes(top), before)


@test("a tree 2,000 levels deep, bad names on the way and at its end")
def _(root):
    # paths are too long for CPython: find tells what is there
    top = os.path.join(root, b"tree")
    os.mkdir(top)
    fd = os.open(top, os.O_RDONLY)
    for level in range(2000):
        name = b"deep" if level % 200 else b"d\xe9ep"
        os.mkdir(name, dir_fd=fd)
        below = os.open(name, os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = below
    os.close(os.open(b"f\xe9", os.O_CREAT, dir_fd=fd))
    os.close(fd)

    def listing():
        got = subprocess.run(["find", top, "-printf", "%P %i\\0"],
                             stdout=subprocess.PIPE, check=True)
        return set(got.stdout.split(b"\0"))
    before = listing()
    fix(root, "--from", "latin1", "-q", status=0)
    equal(listing(), {path.replace(b"\xe9", "é".encode())
                      for path in before})
    undo(root, status=0)
    equal(listing(), before)


@test("many that wish for one name get their numbers without a search")
def _(root):
    # one that tries each number from the first does not end in time
    top = os.path.join(root, b"tree")
    names = (bytes(0x80 + (n >> shift & 0x3F) for shift in (12, 6, 0))
             for n in range(65536))
    make(top, *names)
    got = run("fix", "--replace", "-0", top, status=1)
    to = got.stdout.split(b"\0")[1::2]
    equal(set(to), {"\ufffd\ufffd\ufffd".encode() +
                    (b"-%d" % n if n > 1 else b"") for n in range(1, 65537)})


def undo_after_kill(root):
    """Undo. A journal that was being written when the kill came looks like one
    that somebody has cut: that is told, and all that was done is undone."""
    with open(os.path.join(root, b"journal"), "rb") as file:
        lines = [line for line in file
                 if not line.startswith((b"failed ", b"undone "))]
    whole = (lines[-1].startswith((b"commit ", b"end ")) and
             lines[-1].endswith(b"\n"))
    got = undo(root, status=0 if whole else 2)
    true(whole or (b"is missing" in got.stderr and
                   b", 1 troubles" in got.stderr), got.stderr)


def verify_after_kill(root, before):
    """Each name is old or new, no file is lost, the journal is true."""
    top = os.path.join(root, b"tree")
    journal = os.path.join(root, b"journal")
    after = inodes(top)
    equal(sorted(after.values()), sorted(before.values()))
    planned = {}
    if os.path.exists(journal):
        for at, old, new in journal_names(journal):
            planned[os.path.relpath(os.path.join(at, old), top)] = new
    old_path = {inode: path for path, inode in before.items()}
    renamed = 0
    for path, inode in after.items():
        was, name = old_path[inode], os.path.basename(path)
        if name == os.path.basename(was):
            continue
        equal(planned.get(was), name, was)
        renamed += 1
    if os.path.exists(journal) and os.path.getsize(journal):
        undo_after_kill(root)
    equal(inodes(top), before)
    return renamed


def killed_at(root, call, when, *args):
    """Run fix until its when-th call of one kind: True when killed there."""
    process = run(
        "fix", "--apply", "--journal", os.path.join(root, b"journal"),
        "--from", "latin1", *args, "-q", "-j1", os.path.join(root, b"tree"),
        wrap=["strace", "-f", "-qq", "-o", "/dev/null", "-e",
              "trace=" + call, "-e",
              f"inject={call}:signal=KILL:when={when}"])
    return process.returncode == -9 or process.returncode == 137


@test("killed before each of its renames, writes and synchronisations")
def _(root):
    # the disk changes in system calls only: dying before each one of them,
    # and after the last, is dying everywhere
    top = os.path.join(root, b"tree")
    sample_tree(top, width=24)
    before = inodes(top)
    bad = sum(not is_utf8(os.path.basename(p)) for p in before)
    kills, halfway = 0, 0
    for call in ("renameat2", "write", "fsync"):
        for when in range(1, 1000):
            if not killed_at(root, call, when, "--batch", "5"):
                break
            kills += 1
            halfway += 0 < verify_after_kill(root, before) < bad
            journal = os.path.join(root, b"journal")
            if os.path.exists(journal):
                os.unlink(journal)
        # it came to its end, which is one more place
        verify_after_kill(root, before)
        os.unlink(os.path.join(root, b"journal"))
    true(kills >= 200 and halfway > 100, (kills, halfway))


@test("killed at 200 random moments", BOTH)
def _(root):
    top = os.path.join(root, b"tree")
    sample_tree(top, width=60)
    before = inodes(top)
    rng = random.Random(SEED)
    journal = os.path.join(root, b"journal")
    args = [BINARY, "fix", "--apply", "--journal", journal, "--from",
            "latin1", "--batch", "3", "-q", top]
    begin = time.monotonic()
    subprocess.run(args, check=True, stderr=subprocess.DEVNULL)
    whole = time.monotonic() - begin
    for _attempt in range(200):
        verify_after_kill(root, before)
        if os.path.exists(journal):
            os.unlink(journal)
        with subprocess.Popen(args, stderr=subprocess.DEVNULL) as process:
            time.sleep(rng.random() * whole)
            process.kill()
    verify_after_kill(root, before)


@test("undo, killed before each of its renames, and repeated")
def _(root):
    top = os.path.join(root, b"tree")
    sample_tree(top, width=3)
    before = inodes(top)
    fix(root, "--from", "latin1", status=0)
    after = inodes(top)
    for when in range(1, 1000):
        process = undo(root, wrap=[
            "strace", "-f", "-qq", "-o", "/dev/null", "-e",
            "trace=renameat2", "-e",
            f"inject=renameat2:signal=KILL:when={when}"])
        equal(sorted(inodes(top).values()), sorted(before.values()))
        if process.returncode == 0:
            break
        undo(root, status=0)
        equal(inodes(top), before)
        os.unlink(os.path.join(root, b"journal"))
        fix(root, "--from", "latin1", status=0)
        equal(inodes(top), after)
    true(when > 20, when)
    equal(inodes(top), before)


def system_calls(root, *args):
    """The calls of one run that touch names or the journal, in order."""
    log = os.path.join(root, b"log")
    got = run(*args, wrap=["strace", "-f", "-qq", "-y", "-o", log, "-e",
                           "trace=openat,write,fsync,fdatasync,/rename"])
    equal(got.returncode, 0, got.stderr)
    calls = []
    with open(log, "rb") as file:
        for line in file:
            call = line.split(b" ", 1)[1].strip()
            if call.startswith(b"rename"):
                true(b"renameat2(" in call and b"RENAME_NOREPLACE" in call,
                     call)
                calls.append("rename")
            elif b"/journal>" in call and call.startswith(b"write"):
                calls.append("write")
            elif b"/journal>" in call and call.startswith(b"fsync"):
                calls.append("sync")
            elif b"O_EXCL" in call and b"journal" in call:
                calls.append("create")
            elif call.startswith(b"fsync(") and root + b">" in call:
                calls.append("sync directory")
    return calls


@test("the journal is on the disk before what it holds is done", BOTH)
def _(root):
    top = os.path.join(root, b"tree")
    make(top, *(b"%d\xff" % n for n in range(25)))
    journal = os.path.join(root, b"journal")
    calls = system_calls(root, "fix", "--apply", "--escape", "--batch", "10",
                         "--journal", journal, "-q", top)
    equal(calls, ["create", "sync directory",
                  "write", "sync", *["rename"] * 10,
                  "write", "sync", *["rename"] * 10,
                  "write", "sync", *["rename"] * 5, "write"])
    calls = system_calls(root, "fix", "--undo", journal, "-q")
    equal(calls, ["rename"] * 25 + ["write", "sync"])


@test("a file that appears while fix is at work is not replaced")
def _(root):
    top = os.path.join(root, b"tree")
    make(top, b"\xff", b"other")
    journal = os.path.join(root, b"journal")
    with subprocess.Popen(
            ["strace", "-f", "-qq", "-o", "/dev/null", "-e",
             "trace=renameat2", "-e",
             "inject=renameat2:delay_enter=2000000:when=1", BINARY, "fix",
             "--apply", "--escape", "-q", "--journal", journal, top],
            stderr=subprocess.DEVNULL) as process:
        # once the plan is written, its name is free no more
        while not os.path.exists(journal) or not os.path.getsize(journal):
            time.sleep(0.01)
        os.link(os.path.join(top, b"other"), os.path.join(top, b"%FF"))
        equal(process.wait(), 0)
    after = inodes(top)
    equal(set(after), {b"other", b"%FF", b"%FF-2"})
    equal(after[b"%FF"], after[b"other"])
    undo(root, status=0)
    equal(set(inodes(top)), {b"other", b"%FF", b"\xff"})


@test("a disk that fills up while the journal is written")
def _(root):
    top = os.path.join(root, b"tree")
    sample_tree(top)
    before = inodes(top)
    bad = sum(not is_utf8(os.path.basename(p)) for p in before)
    counts = set()
    for limit in list(range(0, 300, 17)) + [1000, 2500, 4000, 6001]:
        got = fix(root, "--from", "latin1", "--batch", "10", "-q", status=2,
                  preexec_fn=lambda size=limit: resource.setrlimit(
                      resource.RLIMIT_FSIZE, (size, size)))
        true(b"File too large" in got.stderr, got.stderr)
        # a journal stays when something was renamed, and only then
        journal = os.path.join(root, b"journal")
        kept = os.path.exists(journal)
        counts.add(renamed := verify_after_kill(root, before))
        equal(kept, renamed > 0)
        if kept:
            os.unlink(journal)
    true(0 in counts and len(counts) > 2 and max(counts) < bad, counts)
    # the same with the error that a full disk gives, at a write and a sync
    for call in ("write", "fsync"):
        for when in (1, 2, 3):
            got = fix(root, "--from", "latin1", "--batch", "10", "-q",
                      wrap=["strace", "-f", "-qq", "-o", "/dev/null", "-e",
                            "trace=" + call, "-e",
                            f"inject={call}:error=ENOSPC:when={when}+"])
            equal(got.returncode, 2, (call, when))
            verify_after_kill(root, before)
            journal = os.path.join(root, b"journal")
            if os.path.exists(journal):
                os.unlink(journal)


@test("a disk that is full for a moment: the journal counts what it holds")
def _(root):
    top, journal = os.path.join(root, b"tree"), os.path.join(root, b"journal")
    for number in range(4):
        make(os.path.join(top, b"%d" % number), b"n\xe9", b"m\xe9")
    os.symlink(b"0/n\xe9", os.path.join(top, b"link"))
    before, renamed = inodes(top), set()
    # at the second batch of names, the third, the fourth, and at the links
    for call, first in (("write", 2), ("fsync", 3)):
        for when in range(first, first + 4):
            got = fix(root, "--from", "latin1", "--batch", "2", "-q", status=2,
                      wrap=["strace", "-f", "-qq", "-o", "/dev/null", "-e",
                            "trace=" + call, "-e",
                            f"inject={call}:error=ENOSPC:when={when}"])
            true(b"No space left" in got.stderr, got.stderr)
            renamed.add(sum(map(is_utf8, map(os.path.basename, tree(top)))))
            # what points to a file that was renamed still does, or is told of
            dangles = not os.path.exists(os.path.join(top, b"link"))
            equal(dangles, when == first + 3)
            equal(dangles, b"/link: what it points to has been renamed"
                  in got.stderr, got.stderr)
            undo(root, status=0)
            equal({path: inode for path, inode in inodes(top).items()
                   if path != b"link"},
                  {path: inode for path, inode in before.items()
                   if path != b"link"}, (call, when))
            equal(os.readlink(os.path.join(top, b"link")), b"0/n\xe9")
            os.unlink(journal)
    true(len(renamed) > 2, renamed)


@test("a tree that is replaced after it was read: the other is not touched")
def _(root):
    top, other = os.path.join(root, b"tree"), os.path.join(root, b"other")
    moved = os.path.join(root, b"moved")
    make(top, b"\xff")
    make(other, b"\xff")
    journal = os.path.join(root, b"journal")
    with subprocess.Popen(
            ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync",
             "-e", "inject=fsync:delay_enter=2000000:when=1", BINARY, "fix",
             "--apply", "--escape", "-q", "--journal", journal, top],
            stderr=subprocess.DEVNULL) as process:
        while not os.path.exists(journal):
            time.sleep(0.01)
        os.rename(top, moved)
        os.symlink(other, top)
        equal(process.wait(), 0)
    equal((tree(other), tree(moved)), ({b"\xff"}, {b"%FF"}))


@test("nobody reads what was renamed: all of it is, and the journal is told")
def _(root):
    top = os.path.join(root, b"tree")
    make(top, *(b"%d\xff" % n + b"x" * 200 for n in range(500)))
    reader, writer = os.pipe()
    os.close(reader)
    got = fix(root, "--escape", stdout=writer, status=2)
    os.close(writer)
    true(b"--undo " in got.stderr, got.stderr)
    true(all(is_utf8(name) for name in tree(top)))
    undo(root, status=0)
    # closed: the journal must not take its place
    os.unlink(os.path.join(root, b"journal"))
    got = fix(root, "--escape", status=2,
              wrap=["sh", "-c", 'exec "$0" "$@" <&- >&-'])
    true(all(is_utf8(name) for name in tree(top)))
    equal(len(journal_names(os.path.join(root, b"journal"))), 500)
    undo(root, status=0)
    equal(sum(not is_utf8(name) for name in tree(top)), 500)


@test("a journal is never written over another, and is a private file")
def _(root):
    top = os.path.join(root, b"tree")
    make(top, b"\xff")
    make(root, b"journal")
    got = fix(root, "--escape", status=2)
    true(b"File exists" in got.stderr, got.stderr)
    equal(tree(top), {b"\xff"})
    state = {"XDG_STATE_HOME": os.fsdecode(root) + "/state"}
    got = run("fix", "--apply", "--escape", top, env=state, status=0)
    path = got.stderr.splitlines()[-1].split(b"--undo ")[1]
    true(path.startswith(root + b"/state/utf8val/fix-"), path)
    equal(os.stat(path).st_mode & 0o777, 0o600)
    run("fix", "--undo", path, status=0)
    equal(tree(top), {b"\xff"})
    env = {"XDG_STATE_HOME": "", "HOME": ""}
    run("fix", "--apply", "--escape", top, env=env, status=2)
    equal(tree(top), {b"\xff"})


@test("undo: another place, a dry run, what stands in the way")
def _(root):
    sample_tree(os.path.join(root, b"tree"), width=2)
    before = inodes(os.path.join(root, b"tree"))
    fix(root, "--from", "latin1", status=0)
    journal, moved = os.path.join(root, b"journal"), os.path.join(
        root, b"moved")
    os.rename(os.path.join(root, b"tree"), moved)
    undo(root, status=2)
    after = inodes(moved)
    got = run("fix", "--undo", journal, "--dry-run", moved, status=0)
    equal(inodes(moved), after)
    equal(len(got.stdout.splitlines()), len(journal_names(journal)))
    # somebody has made a file of the old name
    make(moved, b"new\nline\xe9")
    got = run("fix", "--undo", journal, moved, status=2)
    true(b"the old name is there too" in got.stderr, got.stderr)
    os.unlink(os.path.join(moved, b"new\nline\xe9"))
    run("fix", "--undo", journal, moved, status=0)
    equal(inodes(moved), before)


@test("undo takes no journal that others could have written")
def _(root):
    top, journal = os.path.join(root, b"tree"), os.path.join(root, b"journal")
    make(top, b"\xff")
    fix(root, "--escape", status=0)
    for mode in (0o620, 0o602):
        os.chmod(journal, mode)
        true(b"somebody else's" in undo(root, status=2).stderr)
    os.chmod(journal, 0o600)
    if not os.getuid():
        os.chown(journal, 65534, 0)
        true(b"somebody else's" in undo(root, status=2).stderr)
        os.chown(journal, 0, 0)
    equal(tree(top), {b"%FF"})
    undo(root, status=0)
    os.unlink(journal)
    os.mkfifo(journal)
    true(b"no file" in undo(root, status=2).stderr)


@test("no permission: told, status 2, the rest is renamed")
def _(root):
    top = os.path.join(root, b"tree")
    make(os.path.join(top, b"closed"), b"\xff")
    make(os.path.join(top, b"open"), b"\xff")
    nobody = as_nobody(root)
    for path in (root, top, os.path.join(top, b"open")):
        os.chmod(path, 0o777)
    os.chmod(os.path.join(top, b"closed"), 0o555)
    got = fix(root, "--escape", status=2, **nobody)
    true(b"Permission denied" in got.stderr, got.stderr)
    equal(tree(top), {b"closed", b"closed/\xff", b"open", b"open/%FF"})
    undo(root, status=0, **nobody)
    equal(tree(top), {b"closed", b"closed/\xff", b"open", b"open/\xff"})


@test("--json: every rename, what it was, whether it was done")
def _(root):
    top = os.path.join(root, b"tree")
    make(top, b"a\xff", b"b\xe9")
    got = fix(root, "--from", "latin1", "--json", status=0)
    items = [json.loads(line) for line in got.stdout.splitlines()]
    equal(sorted(i["to"] for i in items), ["aÿ", "bé"])
    true(all(i["done"] is True and i["as"] == "latin1" for i in items))


@test("roots that lie in each other are done once")
def _(root):
    top = os.path.join(root, b"tree")
    make(os.path.join(top, b"sub"), b"\xff")
    run("fix", "--apply", "--escape", "--journal",
        os.path.join(root, b"journal"), top, os.path.join(top, b"sub"),
        status=0)
    equal(tree(top), {b"sub", b"sub/%FF"})


main()
