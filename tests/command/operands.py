#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""The operands and exclusions of scan, fix and check.
The suite command-operands runs this."""

import os
import pty
import signal
import subprocess

from harness import (BINARY, equal, fix_named as fix, inodes, main, make, nest, records,
                     run, scan0, test, tree, true, undo, undo_all, value, write)


@test("an operand's own name, directory or file, is looked at and fixed")
def _(root, journal):
    top = root / b"t\xe9"
    make(top / b"s\xe9", b"n\xe9", b"good")
    file = top / b"s\xe9/n\xe9"
    os.symlink(b"nowhere", root / b"l\xe9")
    equal(scan0(file, status=1), [file])
    equal(scan0(top / b"s\xe9/good", status=0), [])
    equal(scan0(top + b"//", status=1), [top, top + b"/s\xe9", top + b"/s\xe9/n\xe9"])
    equal(scan0(b"t\xe9", b"l\xe9", cwd=root, status=1),
          [b"l\xe9", b"t\xe9", b"t\xe9/s\xe9", b"t\xe9/s\xe9/n\xe9"])
    equal(scan0(b".", cwd=top, status=1), [b"./s\xe9", b"./s\xe9/n\xe9"])
    equal(scan0(b"s\xe9/..", b"s\xe9/.", cwd=top, status=1),
          [b"s\xe9/../s\xe9", b"s\xe9/../s\xe9/n\xe9"])
    equal(scan0(b"/", "--max-depth", "0", status=0), [])
    run("scan", root / b"missing\xe9", status=2)
    before = inodes(root)
    fix(root, b"t\xe9", b"l\xe9", cwd=root)
    equal(tree(root), {"té".encode(), "té/sé".encode(), "té/sé/né".encode(),
                       "té/sé/good".encode(), "lé".encode(), b"journal"})
    got = run("undo", journal, "-n", status=0)
    equal(got.stdout.count(b" -> "), 4)
    undo_all(root)
    equal(inodes(root), before)
    # fix renames the one file of the operand, and nothing else.
    fix(root, file)
    equal(tree(top), {b"s\xe9", b"s\xe9/" + "né".encode(), b"s\xe9/good"})
    undo_all(root)
    equal(inodes(root), before)


@test("files of one directory: a dry run foresees their numbers")
def _(root, top):
    make(top, b"\xfd", b"\xfe", b"\xff")
    files = [top / name for name in sorted(os.listdir(top))]
    dry = run("fix", "--rest=replace", "-0", *files, status=1).stdout
    done = run("fix", "--apply", "--rest=replace", "-0", "--journal", root / b"journal", *files,
               status=0).stdout
    equal(dry, done)
    equal(len(set(dry.split(b"\0")[1::2])), 3)


@test("paths from a list", )
def _(root):
    make(root / b"d", b"a\xe9", b"b\nb\xe9", b"c")
    names = [b"d/a\xe9", b"d/b\nb\xe9", b"d/c"]
    text = b"\0".join(names) + b"\0"
    equal(scan0("--files0-from=-", cwd=root, input=text, status=1), names[:2])
    # A list without a NUL at its end, from a file.
    write(root / b"list", text[:-1])
    equal(scan0("--files0-from", "list", cwd=root, status=1), names[:2])
    equal(run("scan", "--files0-from=-", input=b"", cwd=root, status=0).stdout, b"")
    run("scan", "--files0-from=list", "d", cwd=root, status=2)
    run("scan", "--files0-from=missing", cwd=root, status=2)
    got = run("check", "--files0-from=-", "-l", cwd=root, input=text, status=0)
    fix(root, "--files0-from=-", cwd=root, input=text)
    equal(tree(root / b"d"), {"aé".encode(), "b\nbé".encode(), b"c"})
    undo(root, status=0)
    equal(scan0("d", cwd=root, status=1), names[:2])
    true(got.stdout == b"")


@test("standard input is one thing at a time")
def _(root):
    for args in (["--plan", "-", "--files0-from=-"], ["--plan=-", "--apply", "-i"],
                 ["--files0-from=-", "--apply", "--interactive"]):
        run("fix", *args, cwd=root, status=2, says=b"one of")


@test("a list of hostile paths: each is one path, whatever it looks like")
def _(root):
    for path in (b"--apply", b"-d", b"n\new", b"sub/x"):
        make(root / path, b"n\xe9")
    os.symlink(b"/", root / b"root")
    paths = [b"", b"--apply", b"-d/", b"n\new//", b"sub/../sub/x", b"sub/x/.",
             b"x" * 5000, b"x/" * 3000, b"root/proc/nowhere", b"--", b"\xff"]
    got = run("fix", "--from=latin1", "--files0-from=-", "-0", cwd=root,
              input=b"\0".join(paths), status=2)
    equal(sorted(got.stdout.split(b"\0")[:-1:2]),
          [b"--apply/n\xe9", b"-d/n\xe9", b"n\new/n\xe9", b"sub/../sub/x/n\xe9"])
    equal(got.stderr.count(b"\n"), 7, got.stderr)
    equal(len([p for p in tree(root) if p.endswith(b"\xe9")]), 4)


@test("below a working directory with too long a path: it is told what to do")
def _(root):
    deep = nest(root, 200 * b"x", 21)
    os.mkdir(b"sub", dir_fd=deep)
    os.close(os.open(b"sub/n\xe9", os.O_CREAT, dir_fd=deep))
    got = fix(root, "sub", status=2, preexec_fn=lambda: os.fchdir(deep))
    true(b"sub/n\\xE9: the path of its tree from / is too long for the journal; "
         b"change to that directory and name .\n" in got.stderr, got.stderr)
    deep = os.open(b"sub", os.O_RDONLY, dir_fd=deep)
    fix(root, ".", preexec_fn=lambda: os.fchdir(deep))
    equal(os.listdir(deep), ["né"])
    undo(root, ".", status=0, preexec_fn=lambda: os.fchdir(deep))
    equal(os.listdir(deep), ["n\udce9"])


@test("200,000 paths from a list, with few descriptors")
def _(root):
    make(root, b"first")
    fd = os.open(root, os.O_RDONLY)
    os.mkdir(b"many", dir_fd=fd)
    names = [b"many/%06d%s" % (n, b"\xe9" if n % 1000 == 0 else b"")
             for n in range(200_000)]
    for name in names:
        os.link(b"first", name, src_dir_fd=fd, dst_dir_fd=fd)
    os.close(fd)
    text = b"\0".join(names)
    equal(len(scan0("--files0-from=-", cwd=root, input=text, status=1,
                    wrap=["prlimit", "--nofile=100"])), 200)
    fix(root, "--files0-from=-", "-q", cwd=root, input=text,
        wrap=["prlimit", "--nofile=100"])
    run("scan", "-q", root, status=0)
    undo(root, status=0, wrap=["prlimit", "--nofile=50"])
    run("scan", "-q", root, status=1)


@test("roots in each other, in whatever order and spelling, are done once")
def _(root, top):
    make(top / b"sub", b"\xe9", b"x\xe9")
    os.symlink(b"tree", root / b"link")
    sub, link = top / b"sub", root / b"link"
    for number, roots in enumerate((
            [top, sub], [sub, top], [sub, sub], [sub + b"/", link],
            [sub / b"\xe9", top],
            [top, sub / b".."])):
        got = run("scan", "-0", *roots, status=1)
        equal(got.stdout.count(b"\0"), 2, roots)
        true(b"inside another" in got.stderr, got.stderr)
        got = fix(root, *roots)
        true(b"2 renamed, 0 skipped, 0 failed" in got.stderr,
             (roots, got.stderr))
        undo_all(root)
        equal(tree(top), {b"sub", b"sub/\xe9", b"sub/x\xe9"}, number)
    # A path that is too deep below one operand, or excluded, can be named beside that
    # operand.
    equal(scan0("--max-depth", "1", top, sub, status=1),
          [sub + b"/x\xe9", sub + b"/\xe9"])
    got = fix(root, "--exclude", "sub", sub, top, sub)
    true(b"2 renamed" in got.stderr and b"0 failed" in got.stderr, got.stderr)


@test("--exclude: names, paths, directories with all below")
def _(root, top):
    for path in (b"a/b", b"a/c", b"b/c", b"x\xe9"):
        make(top / path, b"n\xe9", b"n\xe9.bak")
    def left(*globs):
        args = [arg for glob in globs for arg in ("--exclude", glob)]
        return [os.path.relpath(path, top) for path in scan0(*args, top)]
    equal(len(left()), 9)
    equal(left("*.bak"), [b"a/b/n\xe9", b"a/c/n\xe9", b"b/c/n\xe9", b"x\xe9",
                          b"x\xe9/n\xe9"])
    equal(left("b", "*.bak"), [b"a/c/n\xe9", b"x\xe9", b"x\xe9/n\xe9"])
    equal(left("a/b", "*.bak"), [b"a/c/n\xe9", b"b/c/n\xe9", b"x\xe9", b"x\xe9/n\xe9"])
    equal(left("/*/c", "*.bak"), [b"a/b/n\xe9", b"x\xe9", b"x\xe9/n\xe9"])
    # A byte that is no character of the locale counts as one character.
    equal(left("?\udce9", "*.bak"), [])
    equal(left("n*"), [b"x\xe9"])
    # A star does not match a slash.
    make(top / b"a/b/c", b"n\xe9")
    equal(left("*/c", "*.bak"), [b"a/b/c/n\xe9", b"a/b/n\xe9", b"x\xe9", b"x\xe9/n\xe9"])
    os.unlink(top / b"a/b/c/n\xe9")
    os.rmdir(top / b"a/b/c")
    fix(root, "--exclude", "*.bak", "--exclude", "x*", top, says=b"3 renamed")
    write(top / b"a/b/text", b"\xff")
    run("check", "-r", top, status=1)
    run("check", "-r", "--exclude", "te?t", top, status=0)


@test("--exclude: a program's own data is told also by what is excluded")
def _(root):
    own = {b"data/eve/n\xe9", b"mail/cur/n\xe9", b"sync/n\xe9", b"bare/n\xe9"}
    for path in own:
        make(root / os.path.dirname(path), os.path.basename(path))
    for path in (b"mail/new", b"mail/tmp", b"sync/.stfolder", b"bare/objects", b"bare/refs"):
        make(root / path)
    make(root / b"data", b".ncdata")
    make(root / b"bare", b"HEAD")
    for glob in (".*", "tmp", "objects", "HEAD"):
        items = records("fix", "--from", "latin1", "--exclude", glob, root, status=1)
        equal({os.path.relpath(value(item["path"]), root) for item in items
               if "left" in item}, own, glob)
        equal(len(items), len(own), (glob, items))


@test("--max-depth, as find counts")
def _(root):
    top = root / b"t\xe9"
    make(top / b"a\xe9/b\xe9", b"c\xe9")
    write(top / b"a\xe9/b\xe9/c\xe9", b"\xff")
    for depth in range(6):
        equal(len(scan0("--max-depth", str(depth), top, status=1)),
              min(depth + 1, 4), depth)
        run("check", "-r", "--max-depth", str(depth), top, status=1 if depth >= 3 else 0)
    run("scan", "--max-depth", "-1", top, status=2)
    run("scan", "--max-depth", "x", top, status=2)
    fix(root, "--max-depth", "1", top, says=b"2 renamed")


@test("fix --interactive asks before each rename")
def _(root, top, journal):
    names = [b"%d\xe9" % n for n in range(6)]
    make(top, *names)

    def answer(text, status, *args):
        got = fix(root, "-i", *args, top, input=text, status=status)
        done = sorted(n for n in tree(top) if b"\xc3" in n)
        if os.path.exists(journal):
            undo_all(root)
        equal(tree(top), set(names))
        return got, [n[:1] for n in done]
    got, done = answer(b"y\nn\ny\nx\n\nn\n", 1)
    equal(done, [b"0", b"2"])
    true(b"rename " + top + b"/0\\xE9 to 0\xc3\xa9? " in got.stderr)
    true(b"2 renamed, 4 skipped" in got.stderr, got.stderr)
    equal(answer(b"n\na\n", 1)[1], [b"1", b"2", b"3", b"4", b"5"])
    # Input after the answer "q" is no answer any more.
    equal(answer(b"y\nq\ny\na\n", 1)[1], [b"0"])
    equal(answer(b"y\n", 1)[1], [b"0"])
    equal(answer(b"a\n", 0)[1], [b"%d" % n for n in range(6)])
    run("fix", "-i", top, status=2)


@test("fix --interactive: a signal at a question ends the run, not what it has begun")
def _(root, top, journal):
    make(top, b"a\xe9", b"b\xe9")
    os.symlink(b"a\xe9", top / b"link")
    leader, terminal = pty.openpty()
    with subprocess.Popen(
            [BINARY, "fix", "--apply", "-i", "--from", "latin1", "--journal", journal, top],
            stdin=terminal, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        os.close(terminal)
        os.write(leader, b"y\n")
        said = b""
        while said.count(b"[q]uit: ") < 2:
            said += os.read(process.stderr.fileno(), 4096)
        process.send_signal(signal.SIGINT)
        try:
            equal(process.wait(60), -signal.SIGINT)
        finally:
            process.kill()
        said += process.stderr.read()
    os.close(leader)
    true(b"1 renamed, 1 skipped, 0 failed, 1 link changed" in said, said)
    equal(tree(top), {"aé".encode(), b"b\xe9", b"link"})
    equal(os.readlink(top / b"link"), "aé".encode())
    undo(root, status=0)
    equal(tree(top), {b"a\xe9", b"b\xe9", b"link"})


@test("--json of an operand that is a file")
def _(root):
    make(root, b"n\xe9")
    line, = records("scan", b"n\xe9", cwd=root, status=1)
    equal(line["path"], line["name"])


main()
