#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""utf8val fix, through the binary: no name may ever be lost.
The suite command-fix runs this."""

import os
import re
import subprocess

from harness import (BINARY, BOTH, Skip, as_nobody, equal, fix, found, inject, inodes, is_utf8,
                     journal_names, main, make, nest, rmtree, run, sample_tree, test,
                     tree, true, undo, undo_all)


@test("a dry run renames nothing and says what would be", BOTH)
def _(root):
    sample_tree(root)
    before = inodes(root)
    got = run("fix", "--from", "ISO-8859-1", root, status=1)
    equal(inodes(root), before)
    bad = sum(not is_utf8(os.path.basename(p)) for p in before)
    equal(len(got.stdout.splitlines()), bad)
    true(b"%d would be renamed (run with --apply), 0 skipped" % bad in got.stderr, got.stderr)
    true(b"new\\nline\\xE9 -> new\\nline\xc3\xa9 (ISO-8859-1)\n"
         in got.stdout, got.stdout)


@test("--from: as CPython decodes it, and undone to the byte", BOTH)
def _(root, top):
    sample_tree(root / b"tree")
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
        if want.endswith("café.txt") and not is_utf8(os.path.basename(path)):
            want = want.replace("café.txt", "café-2.txt")
        equal(at[inode].decode(), want)
    undo(root, status=0)
    equal(inodes(top), before)
    # A second undo has nothing left to do.
    undo(root, status=0)
    equal(inodes(top), before)


@test("charsets, as iconv knows them")
def _(root, top):
    for number, (charset, text) in enumerate((
            ("SHIFT_JIS", "日本語"), ("EUC-JP", "漢字かな"),
            ("GB18030", "中文文件"), ("BIG5", "繁體中文"),
            ("EUC-KR", "한국어"), ("KOI8-R", "Привет"),
            ("WINDOWS-1251", "Привет"), ("WINDOWS-1252", "“naïve” €"),
            # glibc has other characters here than Apple and CPython
            ("MACINTOSH", "∆t"), ("mac", "∆t"), ("MAC-CYRILLIC", "5 €"), ("MACCYRILLIC", "5 €"))):
        codec = {"GB18030": "gb18030", "mac": "macintosh", "MAC-CYRILLIC": "mac_cyrillic",
                 "MACCYRILLIC": "mac_cyrillic"}.get(charset, charset)
        name = text.encode(codec)
        make(top, name)
        journal = root / (b"j%d" % number)
        run("fix", "--apply", "--from", charset, "--journal", journal, top, status=0)
        equal(tree(top), {text.encode()})
        run("undo", journal, status=0)
        equal(tree(top), {name})
        rmtree(top)
    # iconv knows the second one: it accepts what a terminal would obey
    for charset in "no-such-charset", "latin1\x1b":
        run("fix", "--from", charset, root, status=2, says=b"iconv knows no such charset")


@test("--replace and --escape")
def _(root, top):
    names = [b"a\xf0\x9f\x98b", b"\xed\xa0\x80", b"end\xe4\xbd", b"%\xff"]
    make(top, *names)
    fix(root, "--rest=replace", status=0)
    equal(tree(top), {n.decode("utf-8", "replace").encode() for n in names})
    undo_all(root)
    equal(tree(top), set(names))
    fix(root, "--rest=escape", status=0)
    equal(tree(top), {b"a%F0%9F%98b", b"%ED%A0%80", b"end%E4%BD", b"%%FF"})
    undo(root, status=0)
    equal(tree(top), set(names))


@test("what --from cannot read is left to --guess, --replace or --escape")
def _(root, top):
    names = {b"\x93\xfa": "日".encode(), b"a\xff": b"a%FF",
             b"s\xed\xa0\xbd\xed\xb8\x80": "s😀".encode()}
    make(top, *names)
    fix(root, "--from", "SHIFT_JIS", "--guess", "--rest=escape", status=0)
    equal(tree(top), set(names.values()))
    undo(root, status=0)
    equal(tree(top), set(names))


@test("the guess: certain ones are converted, possible ones left")
def _(root, top):
    make(top, b"smile\xed\xa0\xbd\xed\xb8\x80", b"\xff\xfe\xfd")
    got = fix(root, status=1)
    equal(tree(top), {"smile😀".encode(), b"\xff\xfe\xfd"})
    true(b"1 skipped" in got.stderr, got.stderr)
    run("fix", "--sure", "surely", top, status=2)


@test("nothing is overwritten; what is taken gets a number, and is told", BOTH)
def _(root, top):
    # All of these names would get the same new name.
    make(top, b"\xff.txt", b"\xfe.txt", b"\xfd.txt", b"%FF.txt",
         "\ufffd.txt".encode(), "\ufffd-3.txt".encode())
    os.mkdir(top / "\ufffd-4.txt".encode())
    before = inodes(top)
    got = fix(root, "--rest=replace", status=0)
    after = inodes(top)
    equal(sorted(before.values()), sorted(after.values()))
    equal(set(after), {n.encode() for n in (
        "\ufffd.txt", "\ufffd-2.txt", "\ufffd-3.txt", "\ufffd-4.txt",
        "\ufffd-5.txt", "\ufffd-6.txt", "%FF.txt")})
    equal(got.stdout.count(b"numbered: there is"), 3)
    undo(root, status=0)
    equal(inodes(top), before)


@test("names that are a program's own are left, with the reason, unless told")
def _(root, top, journal):
    bad, good = b"n\xe9", "né".encode()
    # where each application's names are, the entries that show whose they are, and its name
    data = {b"a/.git/refs/heads": ((), b"Git"), b"b/.hg/store": ((), b"Mercurial"),
            b"c/.svn": ((), b"Subversion"), b"lost+found/1": ((), b"check"),
            b"bare/refs": ((b"bare/HEAD", b"bare/objects/"), b"Git"),
            b"mail/cur": ((b"mail/new/", b"mail/tmp/"), b"maildir"),
            b"sync/x": ((b"sync/.stfolder/",), b"Syncthing"),
            b"cloud/eve/files": ((b"cloud/.ncdata",), b"Nextcloud"),
            b"old/eve": ((b"old/.ocdata",), b"Nextcloud"),
            b"docker/overlay2/1f/diff": ((b"docker/overlay2/l/",), b"Docker"),
            b"storage/overlay/2e/diff": ((b"storage/overlay/l/",), b"Podman"),
            b"root/vfs/dir/3d": ((), b"containers"),
            b"io.containerd.snapshotter.v1.overlayfs/snapshots/4/fs": ((), b"containerd"),
            b"io.containerd.snapshotter.v1.native/snapshots/5": ((), b"containerd")}
    free = [b"a", b"b", b"work/new", b"work/cur", b"HEAD", b"a/.github", b"storage/volumes",
            b"overlay", b"x/l", b"vfs"]
    for path, (markers, _) in data.items():
        make(top / path, bad)
        for marker in markers:
            path = top / marker
            if marker.endswith(b"/"):
                os.makedirs(path)
            else:
                make(os.path.dirname(path), os.path.basename(path))
    for path in free:
        make(top / path, bad)
    got = fix(root, "--from", "latin1", status=1)
    names = tree(top)
    for path, (_, owner) in data.items():
        true(os.path.join(path, bad) in names, path)
        true(re.search(re.escape(path) + (b"/n.xE9: left as it is: this is [^;]*") + owner +
                       rb".*; --app-data renames it\n", got.stdout), (path, got.stdout))
    for path in free:
        true(os.path.join(path, good) in names, path)
    # and also where the walk begins inside
    for path in data:
        run("fix", "--apply", "--from", "latin1", top / path, status=1)
        run("fix", "--apply", "--from", "latin1", top / path / bad, status=1)
        run("fix", "--apply", "--from", "latin1", ".", cwd=top / path, status=1)
    equal(tree(top), names)
    # or so deep inside that no system call takes the path
    fd = nest(top / b"a/.git", b"d" * 200, 30)
    os.close(os.open(bad, os.O_CREAT, dir_fd=fd))
    got = run("fix", "--from", "latin1", ".", preexec_fn=lambda: os.fchdir(fd), status=1)
    true(b"left as it is: this is Git's own" in got.stdout, got.stdout)
    rmtree(top / b"a/.git" / (b"d" * 200))
    os.close(fd)
    os.unlink(journal)
    fix(root, "--from", "latin1", "--app-data", status=0)
    names = tree(top)
    true(all(os.path.join(path, good) in names for path in data), names)


@test("a scan's hint counts no names that fix leaves as a program's own")
def _(top):
    for path in (b"a/.git/refs", b"mail/cur", b"work"):
        make(top / path, b"\xed\xa0\xbd\xed\xb8\x80")
    make(top / b"mail", b"new", b"tmp")
    run("scan", top, status=1, says=b"to preview 1 of the renames")
    got = run("scan", top / b"a", status=1)
    true(b"to see" not in got.stderr, got.stderr)


@test("two runs in one tree: the second is told, and does nothing", BOTH)
def _(root, top):
    for path in (b"", b"a/b", b"c"):
        make(top / path, b"n\xe9")
    before = tree(top)

    def busy(path, *args, status=2):
        """A fix while another run, which waits for an answer, is in top/a."""
        got = run("fix", "--apply", "--from", "latin1", *args, path, status=status)
        equal(b"another run renames in this tree" in got.stderr, status == 2)

    with subprocess.Popen([BINARY, "fix", "--apply", "-i", "--from", "latin1", "--journal",
                           root / b"j", top / b"a"],
                          stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE) as first:
        while first.stderr.read(1) not in (b"?", b""):
            pass
        for path in (b"", b"a", b"a/b", b"a/b/n\xe9"):
            busy(top / path)
        run("fix", "--from", "latin1", top, status=1)
        equal(tree(top), before)
        busy(top / b"c", status=0)
        busy(top / b"a/b", "--no-lock", status=0)
        first.communicate(b"n")
    busy(top, status=0)
    true(all(is_utf8(name) for name in tree(top)))


@test("where a directory's times cannot be kept, that is told once")
def _(root, top):
    for number in range(3):
        make(top / (b"%d" % number), b"a\xe9")
        os.chmod(top / (b"%d" % number), 0o777)
    nobody = as_nobody(root)
    if not nobody:
        raise Skip("only root can make directories of another user")
    os.mkdir(root / b"state")
    os.chmod(root / b"state", 0o777)
    got = run("fix", "--apply", "--from", "latin1", top, status=0, **nobody,
              env={"XDG_STATE_HOME": os.fsdecode(root / b"state")})
    equal(got.stderr.count(b"the times of this directory were not kept, because this user "
                           b"does not own it"), 1, got.stderr)
    true(b"the times of 2 other directories were not kept either" in got.stderr, got.stderr)
    got = run("fix", "--apply", "--from", "latin1", "--touch", top / b"0", status=0, **nobody,
              env={"XDG_STATE_HOME": os.fsdecode(root / b"state")})
    true(b"were not kept" not in got.stderr, got.stderr)


@test("directories keep their times, unless --touch")
def _(root, top, journal):
    for arguments, kept in ((), True), (("--touch",), False):
        make(top, b"n\xe9")
        os.utime(top, (1, 1))
        fix(root, "--from", "latin1", *arguments, status=0)
        equal(os.stat(top).st_mtime == 1, kept)
        rmtree(top)
        os.unlink(journal)


@test("of many names in one directory, the dry run tells what apply does", BOTH)
def _(root, top):
    # so many that the directory is read, and not asked for each name
    make(top, *(b"%04d\xe9" % n for n in range(1200)),
         *(f"{n:04}é".encode() for n in range(0, 1200, 100)), "0100é-2".encode())
    want = {f"{n:04}é{'' if n % 100 else '-3' if n == 100 else '-2'}".encode()
            for n in range(1200)}
    args = ("--from", "latin1", "-0")
    dry = run("fix", *args, top, status=1).stdout.split(b"\0")[1::2]
    equal(set(dry), want)
    before = inodes(top)
    done = fix(root, *args, status=0).stdout.split(b"\0")[1::2]
    equal(dry, done)
    true(want <= set(inodes(top)))
    undo(root, status=0)
    equal(inodes(top), before)


@test("a number goes before an extension, and after a hidden name")
def _(root, top):
    make(top, b".%FF", b".\xff", b"a%FF.tar", b"a\xff.tar", b"b%FF", b"b\xff",
         b".c%FF.d", b".c\xff.d")
    fix(root, "--rest=escape", status=0)
    equal(tree(top), {b".%FF", b".%FF-2", b"a%FF.tar", b"a%FF-2.tar", b"b%FF",
                      b"b%FF-2", b".c%FF.d", b".c%FF-2.d"})


@test("a dry run foresees the same numbers")
def _(root, top):
    make(top, *(b"%c" % n for n in range(0x80, 0x100)))
    dry = run("fix", "--rest=replace", "-0", top, status=1).stdout
    done = fix(root, "--rest=replace", "-0", "--batch", "7", status=0).stdout
    equal(done, dry)
    equal(len(tree(top)), 128)


@test("a name that is taken between plan and rename gets the next number")
def _(root, top):
    make(top, b"\xff")
    got = fix(root, "--rest=escape", status=0, wrap=inject("renameat2:error=EEXIST:when=1"))
    equal(tree(top), {b"%FF-2"}, got.stdout)
    # The journal has the new name that the file got, and no other.
    equal(run("journal", "show", "-0", root / b"journal",
              status=0).stdout, top + b"/\xff\0%FF-2\0")
    undo(root, status=0)
    equal(tree(top), {b"\xff"})


@test("no rename without replacing: a directory that keeps its name leaves none behind")
def _(root, top):
    make(top / b"d\xe9")
    got = fix(root, "--from", "latin1", status=2,
              wrap=inject("renameat2:error=EINVAL", "renameat:error=EACCES"))
    true(b"Permission denied" in got.stderr, got.stderr)
    equal(tree(top), {b"d\xe9"})


@test("a name that would be too long: told, or shortened")
def _(root, top, journal):
    name = b"\xe9" * 240 + b".longtext"
    make(top, name)
    fix(root, "--from", "latin1", status=2, says=b"too long")
    equal(tree(top), {name})
    true(not os.path.exists(journal))
    fix(root, "--from", "latin1", "--shorten", status=0)
    equal(tree(top), {("é" * 123 + ".longtext").encode()})
    undo(root, status=0)
    equal(tree(top), {name})


@test("a tree 300 levels deep, bad names all the way", BOTH)
def _(root, top):
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
def _(root, top):
    # The paths are too long for CPython: find lists what is there.
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
    equal(listing(), {path.replace(b"\xe9", "é".encode()) for path in before})
    undo(root, status=0)
    equal(listing(), before)


@test("many that wish for one name get their numbers without a search")
def _(top):
    # A command that tries each number from the first one on does not end in time.
    names = (bytes(0x80 + (n >> shift & 0x3F) for shift in (12, 6, 0))
             for n in range(65536))
    make(top, *names)
    got = run("fix", "--rest=replace", "-0", top, status=1)
    to = got.stdout.split(b"\0")[1::2]
    equal(set(to), {"\ufffd\ufffd\ufffd".encode() +
                    (b"-%d" % n if n > 1 else b"") for n in range(1, 65537)})


@test("a journal is never written over another, and is a private file")
def _(root, top):
    make(top, b"\xff")
    make(root, b"journal")
    fix(root, "--rest=escape", status=2, says=b"File exists")
    equal(tree(top), {b"\xff"})
    state = {"XDG_STATE_HOME": os.fsdecode(root) + "/state"}
    got = run("fix", "--apply", "--rest=escape", top, env=state, status=0)
    path = got.stderr.splitlines()[-1].split(b"utf8val undo ")[1]
    true(path.startswith(root + b"/state/utf8val/fix-"), path)
    equal(os.stat(path).st_mode & 0o777, 0o600)
    for made in (root + b"/state", root + b"/state/utf8val"):
        equal(os.stat(made).st_mode & 0o777, 0o700, made)
    run("undo", path, status=0)
    equal(tree(top), {b"\xff"})
    # a path that is not absolute is ignored, as its specification says
    for state in ("", "state"):
        env = {"XDG_STATE_HOME": state, "HOME": os.fsdecode(root) + "/home"}
        got = run("fix", "--apply", "--rest=escape", top, env=env, cwd=root, status=0)
        path = got.stderr.splitlines()[-1].split(b"utf8val undo ")[1]
        true(path.startswith(root + b"/home/.local/state/utf8val/fix-"), path)
        run("undo", path, status=0)
    env = {"XDG_STATE_HOME": "", "HOME": ""}
    run("fix", "--apply", "--rest=escape", top, env=env, status=2)
    equal(tree(top), {b"\xff"})


@test("undo: another place, a dry run, what stands in the way")
def _(root):
    sample_tree(root / b"tree", width=2)
    before = inodes(root / b"tree")
    fix(root, "--from", "latin1", status=0)
    journal, moved = root / b"journal", root / b"moved"
    os.rename(root / b"tree", moved)
    undo(root, status=2)
    after = inodes(moved)
    got = run("undo", journal, "--dry-run", moved, status=0)
    equal(inodes(moved), after)
    equal(len(got.stdout.splitlines()), len(journal_names(journal)))
    # Another user has made a file of the old name.
    make(moved, b"new\nline\xe9")
    run("undo", journal, moved, status=2, says=b"the old name also exists")
    os.unlink(moved / b"new\nline\xe9")
    run("undo", journal, moved, status=0)
    equal(inodes(moved), before)


@test("undo takes no journal that others could have written")
def _(root, top, journal):
    make(top, b"\xff")
    fix(root, "--rest=escape", status=0)
    for mode in (0o620, 0o602):
        os.chmod(journal, mode)
        undo(root, status=2, says=b"somebody else's")
    os.chmod(journal, 0o600)
    if not os.getuid():
        os.chown(journal, 65534, 0)
        undo(root, status=2, says=b"somebody else's")
        os.chown(journal, 0, 0)
    equal(tree(top), {b"%FF"})
    undo_all(root)
    os.mkfifo(journal)
    undo(root, status=2, says=b"not a regular file")


@test("no permission: told, status 2, the rest is renamed")
def _(root, top):
    make(top / b"closed", b"\xff")
    make(top / b"open", b"\xff")
    nobody = as_nobody(root)
    for path in (root, top, top / b"open"):
        os.chmod(path, 0o777)
    os.chmod(top / b"closed", 0o555)
    fix(root, "--rest=escape", status=2, **nobody, says=b"Permission denied")
    equal(tree(top), {b"closed", b"closed/\xff", b"open", b"open/%FF"})
    undo(root, status=0, **nobody)
    equal(tree(top), {b"closed", b"closed/\xff", b"open", b"open/\xff"})


@test("--json: every rename, what it was, whether it was done")
def _(root, top):
    make(top, b"a\xff", b"b\xe9")
    got = fix(root, "--from", "latin1", "--json", status=0)
    items = found("fix", got.stdout)
    equal(sorted(i["to"]["text"] for i in items), ["aÿ", "bé"])
    true(all(i["done"] is True and i["as"] == "latin1" for i in items))


main()
