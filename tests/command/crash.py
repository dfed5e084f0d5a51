#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""utf8val fix, killed, out of room, or in a tree that changes meanwhile: no name is
lost, and the journal is true. The suite command-crash runs this."""

import contextlib
import os
import random
import resource
import signal
import subprocess
import time

from harness import (BINARY, BOTH, equal, fix, inject, inodes, is_utf8, journal_names,
                     main, make, read, remove, rmtree, run, sample_tree, test, tree, true,
                     undo, undo_all)

SEED = 3629


def undo_after_kill(root):
    """Undo. A journal that was being written when the kill came looks like one that
    somebody has cut. A message reports it, and all that was done is undone."""
    lines = [line for line in read(root / b"journal").splitlines(True)
             if not line.startswith((b"failed ", b"undone "))]
    whole = (lines[-1].startswith((b"commit ", b"end ")) and lines[-1].endswith(b"\n"))
    got = undo(root, status=0 if whole else 2)
    true(whole or (b"is missing" in got.stderr and
                   b", 1 failed" in got.stderr), got.stderr)


def verify_after_kill(root, before):
    """Each name is old or new, no file is lost, the journal is true."""
    top = root / b"tree"
    journal = root / b"journal"
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


@test("killed before each of its renames, writes and synchronisations")
def _(root, top, journal):
    # The disk changes in system calls only: dying before each of these calls, and after
    # the last one, is dying everywhere.
    sample_tree(top, width=24)
    before = inodes(top)
    bad = sum(not is_utf8(os.path.basename(p)) for p in before)
    kills, halfway = 0, 0
    for call in ("renameat2", "write", "fsync"):
        for when in range(1, 1000):
            got = fix(root, "--from", "latin1", "--batch", "5", "-qj1",
                      wrap=inject(f"{call}:signal=KILL:when={when}"))
            if got.returncode not in (-9, 137):
                break
            kills += 1
            halfway += 0 < verify_after_kill(root, before) < bad
            remove(journal)
        # The run came to its end, which is one more place to die at.
        verify_after_kill(root, before)
        os.unlink(journal)
    true(kills >= 200 and halfway > 100, (kills, halfway))


@test("killed at 200 random moments", BOTH)
def _(root, top, journal):
    sample_tree(top, width=60)
    before = inodes(top)
    rng = random.Random(SEED)
    args = [BINARY, "fix", "--apply", "--journal", journal, "--from",
            "latin1", "--batch", "3", "-q", top]
    begin = time.monotonic()
    subprocess.run(args, check=True, stderr=subprocess.DEVNULL)
    whole = time.monotonic() - begin
    bad = sum(not is_utf8(os.path.basename(p)) for p in before)
    kills, halfway = 0, 0
    for _attempt in range(200):
        halfway += 0 < verify_after_kill(root, before) < bad
        remove(journal)
        with subprocess.Popen(args, stderr=subprocess.DEVNULL) as process:
            time.sleep(rng.random() * whole)
            process.kill()
        kills += process.returncode == -signal.SIGKILL
    verify_after_kill(root, before)
    true(kills > 20 and halfway > 5, (kills, halfway))


@test("undo, killed before each of its renames, and repeated")
def _(root, top):
    sample_tree(top, width=3)
    before = inodes(top)
    fix(root, "--from", "latin1", status=0)
    after = inodes(top)
    for when in range(1, 1000):
        process = undo(root, wrap=inject(f"renameat2:signal=KILL:when={when}"))
        equal(sorted(inodes(top).values()), sorted(before.values()))
        if process.returncode == 0:
            break
        undo_all(root)
        equal(inodes(top), before)
        fix(root, "--from", "latin1", status=0)
        equal(inodes(top), after)
    true(when > 20, when)
    equal(inodes(top), before)


def system_calls(root, *args, **kwargs):
    """The calls of one run that touch names or the journal, in order."""
    log = root / b"log"
    got = run(*args, **kwargs, wrap=[
        "strace", "-f", "-qq", "-y", "-o", log, "-e",
        "trace=openat,write,fsync,fdatasync,syncfs,/rename,/mkdir"])
    equal(got.returncode, 0, got.stderr)
    calls = []
    for line in read(log).splitlines():
        call = line.split(b" ", 1)[1].strip()
        if call.startswith(b"rename"):
            true(b"renameat2(" in call and b"RENAME_NOREPLACE" in call, call)
            calls.append("rename")
        elif b"/journal>" in call and call.startswith(b"write"):
            calls.append("write")
        elif b"/journal>" in call and call.startswith(b"fsync"):
            calls.append("sync")
        elif b"O_EXCL" in call and b"journal" in call:
            calls.append("create")
        elif call.startswith(b"fsync(") and root in call:
            calls.append("sync directory")
        elif call.startswith(b"syncfs("):
            calls.append("sync tree")
        elif call.startswith(b"mkdir") and call.endswith(b"= 0"):
            calls.append("make directory")
    return calls


@test("the journal is on the disk before what it holds is done", BOTH)
def _(root, top, journal):
    make(top, *(b"%d\xff" % n for n in range(25)))
    calls = system_calls(root, "fix", "--apply", "--rest=escape", "--batch", "10",
                         "--journal", journal, "-q", top)
    equal(calls, ["create", "sync directory", "write", "sync", *["rename"] * 10,
                  "write", "sync", *["rename"] * 10,
                  "write", "sync", *["rename"] * 5, "write"])
    calls = system_calls(root, "undo", journal, "-q")
    equal(calls, ["rename"] * 25 + ["sync tree", "write", "sync"])
    # and each directory that is made for it, before what is made in there
    calls = system_calls(root, "fix", "--apply", "--rest=escape", "-q", top,
                         env={"XDG_STATE_HOME": os.fsdecode(root) + "/a/b"})
    equal(calls[:8], ["make directory", "sync directory"] * 3 + ["create", "sync directory"])
    # what may be lost with the disk is not called undone
    path, = (root / b"a/b/utf8val" / name for name in os.listdir(root / b"a/b/utf8val"))
    for fails, status in ((True, 2), (False, 0)):
        run("undo", path, status=status,
            wrap=inject("syncfs:error=EIO") if fails else [])
        equal(b"\nundone " in read(path), not fails)


@contextlib.contextmanager
def stopped(call, journal, top, reached):
    """Run fix --apply --escape on a tree, and stop it at its first call of that name
    once reached() is true. The process continues when the body ends. The object gets
    the exit status in returncode."""
    with subprocess.Popen(
            [*inject(f"{call}:signal=STOP:when=1"), BINARY, "fix", "--apply", "--rest=escape",
             "-q", "--journal", journal, top],
            stderr=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            end = time.monotonic() + 600
            while not reached():
                true(process.poll() is None and time.monotonic() < end,
                     process.returncode)
                time.sleep(0.01)
            yield process
        finally:
            # Continue the process again and again, because it may be about to stop only.
            while process.poll() is None:
                os.killpg(process.pid, signal.SIGCONT)
                time.sleep(0.01)


@test("a file that appears while fix is at work is not replaced")
def _(root, top, journal):
    make(top, b"\xff", b"other")
    # once the plan is written, its name is free no more
    with stopped("write", journal, top, lambda: os.path.exists(journal) and
                 os.path.getsize(journal)) as process:
        equal(set(os.listdir(top)), {b"\xff", b"other"})
        os.link(top / b"other", top / b"%FF")
    equal(process.returncode, 0)
    after = inodes(top)
    equal(set(after), {b"other", b"%FF", b"%FF-2"})
    equal(after[b"%FF"], after[b"other"])
    undo(root, status=0)
    equal(set(inodes(top)), {b"other", b"%FF", b"\xff"})


@test("a terminal that is closed: what is begun is ended, unless that was ignored")
def _(root, top):
    for ignore, status in ((False, -signal.SIGHUP), (True, 0)):
        make(top, *(b"%d\xff" % n for n in range(30)))
        os.symlink(b"0\xff", top / b"link")
        got = fix(root, "--rest=escape", "--batch", "10", "-q", wrap=[
            # the tests' caller may ignore the signal, too
            *(["nohup"] if ignore else ["env", "--default-signal=HUP"]),
            *inject("renameat2:signal=HUP:when=15")])
        true(got.returncode in (status, 128 - status), got)
        equal(sum(map(is_utf8, tree(top))), 31 if ignore else 16)
        equal(os.readlink(top / b"link"), b"0%FF")
        undo_all(root)
        rmtree(top)


@test("a disk that fills up while the journal is written")
def _(root, top, journal):
    sample_tree(top)
    before = inodes(top)
    bad = sum(not is_utf8(os.path.basename(p)) for p in before)
    counts = set()
    for limit in list(range(0, 300, 17)) + [1000, 2500, 4000, 6001]:
        fix(root, "--from", "latin1", "--batch", "10", "-q", status=2,
            preexec_fn=lambda size=limit: resource.setrlimit(
                resource.RLIMIT_FSIZE, (size, size)), says=b"File too large")
        # a journal stays when something was renamed, and only then
        kept = os.path.exists(journal)
        counts.add(renamed := verify_after_kill(root, before))
        equal(kept, renamed > 0)
        if kept:
            os.unlink(journal)
    true(0 in counts and len(counts) > 2 and max(counts) < bad, counts)
    # The same with the error of a full disk, at a write and at a sync.
    for call in ("write", "fsync"):
        for when in (1, 2, 3):
            got = fix(root, "--from", "latin1", "--batch", "10", "-q",
                      wrap=inject(f"{call}:error=ENOSPC:when={when}+"))
            equal(got.returncode, 2, (call, when))
            verify_after_kill(root, before)
            remove(journal)


@test("a disk that is full for a moment: the journal counts what it holds")
def _(root, top, journal):
    for number in range(4):
        make(top / (b"%d" % number), b"n\xe9", b"m\xe9")
    os.symlink(b"0/n\xe9", top / b"link")
    before, renamed = inodes(top, b"link"), set()
    # The error comes at the second batch of names, the third, the fourth, and at the
    # links.
    for call, first in (("write", 2), ("fsync", 3)):
        for when in range(first, first + 4):
            got = fix(root, "--from", "latin1", "--batch", "2", "-q", status=2,
                      wrap=inject(f"{call}:error=ENOSPC:when={when}"))
            true(b"No space left" in got.stderr, got.stderr)
            renamed.add(sum(map(is_utf8, map(os.path.basename, tree(top)))))
            # A link to a file that was renamed still leads there, or is complained of.
            dangles = not os.path.exists(top / b"link")
            equal(dangles, when == first + 3)
            equal(dangles, b"/link: its target was renamed"
                  in got.stderr, got.stderr)
            undo(root, status=0)
            equal(inodes(top, b"link"), before, (call, when))
            equal(os.readlink(top / b"link"), b"0/n\xe9")
            os.unlink(journal)
    true(len(renamed) > 2, renamed)


@test("a tree that is replaced after it was read: the other is not touched")
def _(root, journal):
    top, other = root / b"tree", root / b"other"
    moved = root / b"moved"
    make(top, b"\xff")
    make(other, b"\xff")
    with stopped("fsync", journal, top, lambda: os.path.exists(journal)) as process:
        equal(tree(top), {b"\xff"})
        os.rename(top, moved)
        os.symlink(other, top)
    equal(process.returncode, 0)
    equal((tree(other), tree(moved)), ({b"\xff"}, {b"%FF"}))


@test("nobody reads what was renamed: all of it is, and the journal is told")
def _(root, top):
    make(top, *(b"%d\xff" % n + b"x" * 200 for n in range(500)))
    reader, writer = os.pipe()
    os.close(reader)
    got = fix(root, "--rest=escape", stdout=writer, status=2)
    os.close(writer)
    true(b"utf8val undo " in got.stderr, got.stderr)
    true(all(is_utf8(name) for name in tree(top)))
    undo(root, status=0)
    # closed: the journal must not take its place
    os.unlink(root / b"journal")
    got = fix(root, "--rest=escape", status=2, wrap=["sh", "-c", 'exec "$0" "$@" <&- >&-'])
    true(all(is_utf8(name) for name in tree(top)))
    equal(len(journal_names(root / b"journal")), 500)
    undo(root, status=0)
    equal(sum(not is_utf8(name) for name in tree(top)), 500)


main()
