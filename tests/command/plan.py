#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""utf8val fix --plan: what scan --json has printed, edited."""

import base64
import json
import os

from harness import equal, inodes, main, make, run, test, tree, true


def value(data):
    """Bytes as a JSON value of scan --json."""
    try:
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"bytes": base64.b64encode(data).decode()}


def plan_of(lines):
    """The bytes of a plan with these lines."""
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def fix(root, lines, *args, **kwargs):
    """Carry a plan out, read from standard input."""
    kwargs.setdefault("status", 0)
    return run("fix", "--apply", "--plan", "-", "--journal",
               os.path.join(root, b"journal"), *args,
               input=lines if isinstance(lines, bytes) else plan_of(lines),
               **kwargs)


@test("scan --json, edited: some names, some deleted lines, one own choice")
def _(root):
    top = os.path.join(root, b"t")
    make(os.path.join(top, b"d\xe9"), b"n\xe9", b"m\xe9", b"good")
    os.symlink(b"d\xe9/good", os.path.join(top, b"link"))
    before = inodes(top)
    lines = [json.loads(line) for line in run(
        "scan", "--json", top, status=1).stdout.splitlines()]
    equal(len(lines), 4)
    lines = [line for line in lines
             if line["path"] != value(top + b"/d\xe9/m\xe9")]
    for line in lines:
        if line.get("name") == value(b"n\xe9"):
            line["to"] = "chosen ☕"
        elif "guess" in line:
            line["guess"]["name"] = "dir"
    lines.append({"path": value(top + b"/d\xe9/good"), "to": {"text": "ok"}})
    got = fix(root, lines)
    equal(tree(top), {b"dir", "dir/chosen ☕".encode(), b"dir/m\xe9",
                      b"dir/ok", b"link"})
    equal(os.readlink(os.path.join(top, b"link")), b"dir/ok")
    true(b"(as planned)" in got.stdout, got.stdout)
    run("fix", "--undo", os.path.join(root, b"journal"), status=0)
    equal({p: i for p, i in inodes(top).items() if p != b"link"},
          {p: i for p, i in before.items() if p != b"link"})
    equal(os.readlink(os.path.join(top, b"link")), b"d\xe9/good")


@test("fix --json is a plan, too; a dry run says what it would do")
def _(root):
    make(root, b"n\xe9", b"m\xe9")
    # A line about a link is no line of a plan, because links follow by themselves.
    os.symlink(b"n\xe9", os.path.join(root, b"link"))
    plan = run("fix", "--from", "latin1", "--json", cwd=root,
               status=1).stdout
    for args, cwd in (([], root), ([root], root), ([b"."], root)):
        got = run("fix", "--plan", "-", *args, cwd=cwd, input=plan)
        if args == [root]:
            # These paths are not those that were printed.
            equal(got.returncode, 2)
            true(b"was not met" in got.stderr, got.stderr)
        else:
            equal(got.returncode, 1, got.stderr)
            equal(got.stdout.count(b"as planned"), 2)
    equal(tree(root), {b"n\xe9", b"m\xe9", b"link"})
    with open(os.path.join(root, b"p"), "wb") as file:
        file.write(plan)
    run("fix", "--plan", "p", "--apply", "--journal", "j", cwd=root, status=0)
    equal(tree(root), {"né".encode(), "mé".encode(), b"p", b"j", b"link"})
    equal(os.readlink(os.path.join(root, b"link")), "né".encode())


@test("a plan that cannot be carried out is not begun")
def _(root):
    make(root, b"n\xe9")
    good = {"path": value(os.path.join(root, b"n\xe9")), "to": "n"}
    bad = [b"junk\n", b"[]\n", b'{"path":1,"to":"x"}\n',
           b'{"to":"x"}\n', b'{"path":{"bytes":"!"},"to":"x"}\n',
           b'{"path":{"bytes":"YQ="},"to":"x"}\n',
           b'{"path":{"text":""},"to":"x"}\n',
           b'{"path":{"text":"a\\u0000"},"to":"x"}\n', b"\xff\n", b"{\n",
           # It is not clear which of the two new names is meant.
           b'{"path":"a","to":"x","to":"y"}\n']
    bad += [plan_of([{"path": value(b"a"), "to": to}]) for to in (
        "", ".", "..", "a/b", "a\0b", 1, None, {"bytes": "/w=="})]
    bad += [plan_of([good]), plan_of([dict(good, to="m")])]
    for line in bad:
        got = fix(root, plan_of([good]) + line, root, status=2)
        true(b"nothing is done" in got.stderr, (line, got.stderr))
        equal(tree(root), {b"n\xe9"}, line)
    run("fix", "--plan", "missing", status=2)
    run("fix", "--plan", "-", "--from", "latin1", status=2)
    # A plan may give a file the name that it has: that is not the name of another file,
    # for which it would get a number.
    make(root, b"same")
    got = fix(root, [{"path": value(os.path.join(root, b"same")),
                      "to": "same"}], root)
    equal(got.stdout, b"")
    equal(tree(root), {b"n\xe9", b"same"})
    # A file without a new name keeps its name.
    run("fix", "--plan", "-", root, status=0, input=b"\n" + plan_of(
        [{"path": value(os.path.join(root, b"n\xe9"))}]))


@test("the plan's directories: of one, of several, from the root")
def _(root):
    for path in (b"a/b", b"a/c", b"ab"):
        make(os.path.join(root, path), b"n\xe9")
    for names, cwd in (([b"a/b/n\xe9", b"a/c/n\xe9"], root),
                       ([b".//./a/b/n\xe9", b"ab//n\xe9"], root),
                       ([root + b"/a/b/n\xe9", root + b"/ab/n\xe9"], b"/")):
        fix(root, [{"path": value(n), "to": "x"} for n in names], cwd=cwd)
        for name in names:
            true(os.path.exists(os.path.join(root, os.path.dirname(name),
                                             b"x")), name)
        run("fix", "--undo", os.path.join(root, b"journal"), status=0)
        os.unlink(os.path.join(root, b"journal"))


main()
