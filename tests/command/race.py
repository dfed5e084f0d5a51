#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""utf8val fix and undo while somebody exchanges directories, files and links of the
tree for others, before each of their system calls. No name may change in a directory
outside of the tree, and no file may lose its name. The suite command-race runs this."""

import os
import pathlib

from harness import (call, equal, fix_latin1 as fix, inject, main, make, remove, rmtree,
                     run, test, true, undo)

SEED = 3629
SEEDS = int(os.environ.get("RACE_SEEDS", "60"))
HERE = pathlib.Path(__file__).parent


def preloaded(root, **settings):
    """Build the library that race.c is: the environment of a command with it, in which
    no names are exchanged before RACE_PAIRS is set, too."""
    path = root / b"race.so"
    call("gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC",
         "-o", path, HERE / "race.c", "-ldl")
    return {"LD_PRELOAD": os.fsdecode(path), "RACE_SEED": "1", "RACE_PAIR": "0",
            "RACE_ARMED": "0", **settings}


def build(root):
    """Make a tree, files outside that must not be touched, and pairs of paths to be
    exchanged."""
    rmtree(root / b"w")
    top, other = root / b"w/tree", root / b"w/other"
    for where in (top, other):
        make(where / b"a", b"n\xe9", b"m\xe9")
        make(where / b"b\xe9/sub", b"x\xe9", b"good")
        make(where, b"f\xe9")
        os.symlink(b"a/n\xe9", where / b"l")
        os.symlink(b"../b\xe9", where / b"a/k\xe9")
    os.symlink(other + b"/a", root / b"w/link")
    pairs = [(top + name, other + name) for name in (
        b"", b"/a", b"/b\xe9", b"/b\xe9/sub", b"/f\xe9", b"/l", b"/a/n\xe9")]
    pairs += [(top + b"/a", root + b"/w/link"), (top, root + b"/w/link"),
              (top + b"/b\xe9", top + b"/a"), (top + b"/f\xe9", top + b"/a"),
              *((top + name.encode(), other + name.encode("latin1")) for name in (
                  "/bé", "/bé/sub", "/fé", "/a/né"))]
    return top, other, pairs


def listing(root):
    """The names in each directory, by inode, and how often each inode of a file is
    found."""
    names, files = {}, {}
    for at, dirs, others in os.walk(root / b"w"):
        names[os.lstat(at).st_ino] = sorted(dirs + others)
        for name in dirs + others:
            st = os.lstat(os.path.join(at, name))
            if not os.path.islink(os.path.join(at, name)):
                files[st.st_ino] = files.get(st.st_ino, 0) + 1
    return names, files


def directories(path):
    """The inodes of a directory and those below."""
    return {os.lstat(at).st_ino for at, _dirs, _files in os.walk(path)}


def race(root, env, *args):
    """Run a command while names are exchanged; returns how often they were, None where
    the call at which they are was not reached."""
    done = root / b"done"
    remove(done)
    got = run(*args, env=dict(env, RACE_DONE=os.fsdecode(done)), timeout=600)
    true(got.returncode in (0, 1, 2), got)
    return os.path.getsize(done) if os.path.exists(done) else None, got


def verify(root, before, others, about):
    """Check that no file is lost, and none renamed outside of the tree."""
    names, files = listing(root)
    equal(files, before[1], about)
    for inode in others:
        equal(names[inode], before[0][inode], about)


def attempt(root, env, undoing):
    """Run one race on a new tree; returns what race() does."""
    top, other, pairs = build(root)
    # A directory that takes a place in the tree before that is read belongs to the tree.
    early = not undoing and env["RACE_ARMED"] == "1"
    others = () if early else directories(other)
    journal = root / b"journal"
    remove(journal)
    args = ("fix", "--apply", "--from", "latin1", "-qj1", "--journal", journal, top)
    if undoing:
        # The files that must not be touched have the names that are looked for, too.
        fix(root, "-q", at=[other])
        pairs = [(ours, theirs.replace(b"\xe9", "é".encode())) for ours, theirs in pairs]
        os.unlink(journal)
        run(*args, status=0)
        args = ("undo", journal, "-q")
    before = listing(root)
    env = dict(env, RACE_PAIRS="\n".join(
        os.fsdecode(path) for pair in pairs for path in pair))
    done, got = race(root, env, *args)
    verify(root, before, others, (env, got.stderr))
    return done


def every_call(root, undoing):
    """Exchange each pair before each call, and then any pair at every call."""
    env = preloaded(root, RACE_ARMED="1" if undoing else "0")
    races = [0] * len(build(root)[2])
    for pair in range(len(races)):
        # The first calls belong to the start of the program.
        for when in range(1, 2000):
            done = attempt(root, dict(env, RACE_AT=str(when),
                                      RACE_PAIR=str(pair)), undoing)
            if done is None:
                break
            races[pair] += done
    for seed in range(1, SEEDS):
        attempt(root, dict(env, RACE_AT="0", RACE_SEED=str(SEED * seed)), undoing)
        attempt(root, dict(env, RACE_AT="0", RACE_SEED=str(SEED * seed),
                           RACE_ARMED="1"), undoing)
    true(sum(races) > 300 and all(races), races)


@test("fix, while directories, files and links are exchanged")
def _(root):
    every_call(root, False)


@test("undo, while directories, files and links are exchanged")
def _(root):
    every_call(root, True)


def taken_out(root, moved, undoing):
    """A directory is taken out of the tree while the command is in it, on a file system
    without lasting inode numbers. The directory above its new place holds the same
    names."""
    env = preloaded(root, RACE_ARMED="1", RACE_FUSE="1")
    top, other = root / b"w/tree/a", root / b"w/other"
    journal = root / b"journal"
    args = ("fix", "--apply", "--from", "latin1", "-qj1", "--journal", journal, top)
    races = 0
    for when in range(1, 500):
        rmtree(root / b"w")
        remove(journal)
        for where in (top, other):
            for name in (b"", b"p", b"q"):
                make(where / name, b"n\xe9")
        if undoing:
            fix(root, "-q", at=[other])
            os.unlink(journal)
            run(*args, status=0)
        before = listing(root)
        others = directories(other) - directories(other / moved)
        done, got = race(
            root, dict(env, RACE_AT=str(when), RACE_PAIRS="\n".join(
                os.fsdecode(where / moved)
                for where in (top, other))),
            *(("undo", journal, "--trust-names", "-q", top)
              if undoing else args))
        if done is None:
            break
        verify(root, before, others, (when, moved, got.stderr))
        races += done
    true(races > 20, races)


@test("fix, while a directory is taken out of a tree without inode numbers")
def _(root):
    taken_out(root, b"p", False)
    taken_out(root, b"q", False)


@test("undo by names alone, while a directory is taken out of the tree")
def _(root):
    taken_out(root, b"p", True)
    taken_out(root, b"q", True)


@test("a file put into the place of a link that is being made stays whose it is")
def _(root):
    env = preloaded(root, RACE_PAIRS="{0}/w/.utf8val-@-0\n{0}/w/secret".format(
        os.fsdecode(root)))
    top, journal = root / b"w", root / b"journal"
    met = set()
    for when in range(1, 500):
        rmtree(top)
        make(top, b"n\xe9", b"secret")
        secret, link = top / b"secret", top / b"l"
        os.utime(secret, ns=(10 ** 18, 10 ** 18))
        inode = os.stat(secret)
        os.symlink(b"n\xe9", link)
        if not os.getuid():
            os.chown(link, 65534, 65534, follow_symlinks=False)
        remove(journal)
        done, got = race(root, dict(env, RACE_AT=str(when)), "fix", "--apply",
                         "--from", "latin1", "-qj1", "--journal", journal, top)
        if done is None:
            break
        found = [os.lstat(top / name) for name in os.listdir(top)]
        found = [st for st in found if st.st_ino == inode.st_ino]
        # No file is found if it took a place that was given up just then. A user who can
        # cause this can remove the file, too.
        true(len(found) < 2 and all(
            (st.st_uid, st.st_mtime_ns) == (inode.st_uid, inode.st_mtime_ns)
            for st in found), (when, found, got.stderr))
        met.add(os.path.islink(secret))
    equal(met, {False, True})


@test("a file system that cannot rename without replacing, or exchange")
def _(root, journal):
    env = preloaded(root, RACE_PLAIN="1")
    top, _other, _pairs = build(root)
    os.mkfifo(top / b"p\xe9")
    os.symlink(b"nowhere", top / b"s\xe9")
    make(top, "fé".encode())
    before, targets = listing(root), (b"a/n\xe9", b"../b\xe9")

    def at_first():
        """All names are as they were, and the links lead where they led."""
        return (listing(root) == before and
                (os.readlink(top / b"l"), os.readlink(top / b"a/k\xe9")) == targets)

    fix(root, at=[top], env=env)
    equal(sorted(os.listdir(top)), [b"a", "bé".encode(), "fé".encode(), "fé-2".encode(),
                                    b"l", "pé".encode(), "sé".encode()])
    equal(listing(root)[1], before[1])
    equal(os.readlink(top / b"l"), "a/né".encode())
    equal(os.readlink(top / "a/ké".encode()), "../bé".encode())
    run("scan", "-q", top, status=0)
    undo(root, env=env, status=0)
    true(at_first())
    # fix is killed after a file has got its second name and before it loses the first.
    os.unlink(journal)
    for which in ("linkat", "unlinkat", "mkdirat", "symlinkat", "renameat", "renameat2"):
        for when in range(1, 20):
            got = fix(root, "-qj1", at=[top], status=None, wrap=[
                *inject(f"{which}:signal=KILL:when={when}"),
                "-E", "LD_PRELOAD=" + env["LD_PRELOAD"], "-E", "RACE_PLAIN=1"])
            if os.path.exists(journal) and os.path.getsize(journal):
                undone = undo(root, env=env)
                # A kill before rename can leave an empty directory.
                true(undone.returncode == 0 or which == "renameat",
                     (which, when, undone.stderr))
                os.unlink(journal)
            for name in os.listdir(top):
                path = top / name
                if (b"\xc3" in name and name != "fé".encode() and os.path.isdir(path)):
                    os.rmdir(path)
            true(at_first(), (which, when))
            if got.returncode == 0:
                break


@test("no rename without replacing: a file put into the new name's place is not lost")
def _(root, journal):
    top = root / b"w"
    env = preloaded(root, RACE_PLAIN="1")
    races, lost = 0, [0, 0]
    for pair in (0, 1):
        for when in range(1, 500):
            rmtree(top)
            make(top, b"n\xe9", b"other")
            before = listing(root)[1]
            remove(journal)
            done, _got = race(root, dict(
                env, RACE_AT=str(when), RACE_PAIR=str(pair), RACE_PAIRS="\n".join(
                    os.fsdecode(top / path) for path in (
                        "n\u00e9".encode(), b"other", b"n\xe9", b"other"))),
                "fix", "--apply", "--from", "latin1", "-qj1", "--journal", journal, top)
            if done is None:
                break
            lost[pair] += set(before) != set(listing(root)[1])
            races += done
    true(races > 20, races)
    # A user who makes another file take the old name just before that is given up could
    # remove the file, too.
    equal(lost, [0, 1])


@test("a file system that ignores case: a new name may be the file's own")
def _(root):
    env = preloaded(root, RACE_FOLD="1")
    top, journal = root / b"w", root / b"journal"
    make(top / b"Dir", b"Photo", b"b", b"one")
    os.symlink(b"Dir/Photo", top / b"l")
    os.link(top / b"Dir/one", top / b"two")
    before = listing(root)
    # a file with two links may have both names, so it gets a number
    plan = b"".join(b"%s/%s\t%s\n" % (top, old, new) for old, new in (
        (b"Dir", b"dir"), (b"Dir/Photo", b"photo"), (b"Dir/b", b"PHOTO"),
        (b"Dir/one", b"One")))
    new = [b"PHOTO-2", b"One-2", b"dir", b"photo"]
    got = run("fix", "--plan", "-", "-0", top, env=env, input=plan, status=1)
    equal(sorted(got.stdout.split(b"\0")[1::2]), sorted(new))
    run("fix", "--plan", "-", "--apply", "--journal", journal, top, env=env,
        input=plan, status=0)
    equal(sorted(os.listdir(top)), [b"dir", b"l", b"two"])
    equal(sorted(os.listdir(top + b"/dir")), [b"One-2", b"PHOTO-2", b"photo"])
    equal(os.readlink(top + b"/l"), b"dir/photo")
    for args in (["--dry-run"], []):
        undo(root, *args, env=env, status=0)
    os.unlink(journal)
    equal(listing(root), before)


@test("a file system with shorter names: --shorten knows how long they may be")
def _(root, top):
    env = preloaded(root, RACE_SHORT="1")
    make(top, b"\xe9" * 100 + b".txt")
    fix(root, "-q", env=env, status=2, says=b"--shorten cuts it")
    fix(root, "-q", "--shorten", env=env)
    equal(os.listdir(top), ["é".encode() * 69 + b".txt"])


@test("a file system that copies what is renamed, with a new time of birth")
def _(root):
    env = preloaded(root, RACE_COPIED="1")
    top, _other, _pairs = build(root)
    before = listing(root)
    fix(root, at=[top], env=env)
    run("scan", "-q", top, status=0)
    undo(root, env=env, status=0)
    equal(listing(root), before)


@test("a file system that cannot rename its directories (EXDEV)")
def _(root, journal):
    env = preloaded(root, RACE_LAYERS="1")
    top, _other, _pairs = build(root)
    before = listing(root)
    sub = top / b"b\xe9/sub"

    def files_only():
        """The files in the directory are renamed, and links lead to them."""
        equal(os.listdir(sub + b"/.."), [b"sub"])
        equal(sorted(os.listdir(sub)), [b"good", "xé".encode()])
        equal(os.readlink(top / b"l"), "a/né".encode())
        equal(os.readlink(top / "a/ké".encode()), b"../b\xe9")

    got = fix(root, at=[top], env=env, status=2)
    files_only()
    true(b"b\\xE9: its file system cannot rename" in got.stderr, got.stderr)
    true(b" 1 failed" in got.stderr, got.stderr)
    # A rename that failed is not looked for.
    undo(root, env=env, status=0)
    equal(listing(root), before)
    # The other way round, the directory was renamed and cannot be given its name back.
    os.unlink(journal)
    fix(root, at=[top])
    undo(root, env=env, status=2, says=b"its file system cannot rename")
    equal(sorted(os.listdir(top)), [b"a", "bé".encode(), b"f\xe9", b"l"])
    # When that can be done later, nothing else is left to do.
    undo(root, status=0)
    equal(listing(root), before)


main()
