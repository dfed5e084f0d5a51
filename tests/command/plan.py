#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""utf8val fix --plan: the edited output of scan --json.
The suite command-plan runs this."""

import base64
import json
import os
import re

from harness import (equal, inject, inodes, main, make, records, rmtree, run, test, tree,
                     true, undo_all, write)


def json_of(data):
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
    return run("fix", "--apply", "--plan", "-", "--journal", root / b"journal", *args,
               input=lines if isinstance(lines, bytes) else plan_of(lines), **kwargs)


@test("scan --json, edited: some names, some deleted lines, one own choice")
def _(root, journal):
    top = root / b"t"
    make(top / b"d\xe9", b"n\xe9", b"m\xe9", b"good")
    os.symlink(b"d\xe9/good", top / b"link")
    before = inodes(top, b"link")
    lines = records("scan", top, status=1)
    equal(len(lines), 4)
    lines = [line for line in lines if line["path"] != json_of(top + b"/d\xe9/m\xe9")]
    for line in lines:
        if line.get("name") == json_of(b"n\xe9"):
            line["to"] = "chosen ☕"
        elif "guess" in line:
            line["guess"]["name"] = "dir"
    lines.append({"path": json_of(top + b"/d\xe9/good"), "to": {"text": "ok"}})
    got = fix(root, lines)
    equal(tree(top), {b"dir", "dir/chosen ☕".encode(), b"dir/m\xe9", b"dir/ok", b"link"})
    equal(os.readlink(top / b"link"), b"dir/ok")
    true(b"(as planned)" in got.stdout, got.stdout)
    run("undo", journal, status=0)
    equal(inodes(top, b"link"), before)
    equal(os.readlink(top / b"link"), b"d\xe9/good")


@test("fix --json is a plan, too; a dry run says what it would do")
def _(root):
    make(root, b"n\xe9", b"m\xe9")
    # A line about a link is no line of a plan, because links follow by themselves.
    os.symlink(b"n\xe9", root / b"link")
    plan = run("fix", "--from", "latin1", "--json", cwd=root, status=1).stdout
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
    write(root / b"p", plan)
    run("fix", "--plan", "p", "--apply", "--journal", "j", cwd=root, status=0)
    equal(tree(root), {"né".encode(), "mé".encode(), b"p", b"j", b"link"})
    equal(os.readlink(root / b"link"), "né".encode())


@test("a plan that cannot be carried out is not begun")
def _(root):
    make(root, b"n\xe9")
    good = {"path": json_of(root / b"n\xe9"), "to": "n"}
    bad = [b"junk\n", b"[]\n", b'{"path":1,"to":"x"}\n',
           b'{"to":"x"}\n', b'{"path":{"bytes":"!"},"to":"x"}\n',
           b'{"path":{"bytes":"YQ="},"to":"x"}\n',
           b'{"path":{"text":""},"to":"x"}\n',
           b'{"path":{"text":"a\\u0000"},"to":"x"}\n', b"\xff\n", b"{\n",
           # It is not clear which of the two new names is meant.
           b'{"path":"a","to":"x","to":"y"}\n']
    bad += [plan_of([{"path": json_of(b"a"), "to": to}]) for to in (
        "", ".", "..", "a/b", "a\0b", 1, None, {"bytes": "/w=="})]
    bad += [plan_of([good]), plan_of([dict(good, to="m")])]
    for line in bad:
        got = fix(root, plan_of([good]) + line, root, status=2)
        true(b"nothing was changed" in got.stderr, (line, got.stderr))
        equal(tree(root), {b"n\xe9"}, line)
    run("fix", "--plan", "missing", status=2)
    run("fix", "--plan", "-", "--from", "latin1", status=2)
    # A plan may give a file the name that it has. This name is not that of another
    # file, for which it would get a number.
    make(root, b"same")
    got = fix(root, [{"path": json_of(root / b"same"), "to": "same"}], root)
    equal(got.stdout, b"")
    equal(tree(root), {b"n\xe9", b"same"})
    # A file without a new name keeps its name.
    run("fix", "--plan", "-", root, status=0, input=b"\n" + plan_of(
        [{"path": json_of(root / b"n\xe9")}]))


def permute(root, moves, *args, **kwargs):
    """Carry out a plan that gives files of one directory each other's names."""
    return fix(root, [{"path": json_of(root / b"t" / old), "to": new.decode()}
                      for old, new in moves.items()], *args, **kwargs)


@test("swaps, chains and circles are done as asked, also by a dry run, and undone")
def _(root, journal):
    top = root / b"t"
    for moves, others in (
            ({b"a": b"b", b"b": b"a"}, {}),
            ({b"a": b"b", b"b": b"c"}, {}),
            ({b"c": b"b", b"b": b"a"}, {}),
            ({b"a": b"b", b"b": b"c", b"c": b"d", b"d": b"a"}, {}),
            ({b"a": b"b", b"b": b"a", b"x": b"a"}, {b"x": b"a-2"}),
            ({b"0": b"a", b"a": b"b", b"b": b"a"}, {b"b": b"a-2"}),
            ({b"a": b"b", b"b": b"kept"}, {b"b": b"kept-2"}),
            ({b"a": b"b", b"b": b"c", b"c": b"a", b"d": b"e", b"e": b"d"}, {})):
        make(top, *moves, b"kept")
        os.makedirs(top / (sorted(moves)[0] + b"-dir"))
        os.symlink(b"../" + sorted(moves)[0],
                   top / (sorted(moves)[0] + b"-dir") / b"link")
        before = inodes(top)
        want = {**moves, **others}
        for args in (["--dry-run"], []):
            if args:
                plan = plan_of({"path": json_of(top / old), "to": new.decode()}
                               for old, new in moves.items())
                got = run("fix", "--plan", "-", "--json", input=plan, status=1)
            else:
                got = permute(root, moves, "--json")
            lines = [json.loads(line) for line in got.stdout.splitlines()]
            equal({line["name"]["text"].encode(): line["to"]["text"].encode()
                   for line in lines if "name" in line}, want)
        after = inodes(top)
        for old, new in want.items():
            equal(after[new], before[old], (old, new))
        equal(len(after), len(before), after)
        link = os.path.join(sorted(moves)[0] + b"-dir", b"link")
        equal(os.readlink(top / link), b"../" + want[sorted(moves)[0]])
        for args in (["--dry-run"], []):
            got = run("undo", journal, *args, status=0)
        del before[link]
        equal(inodes(top, link), before)
        os.unlink(journal)
        rmtree(top)


@test("a circle of directories, and of a link: what is in them is found by undo")
def _(root, journal):
    top = root / b"t"
    make(top / b"a", b"x")
    make(top / b"b", b"y")
    os.symlink(b"../a", top / b"a/l")
    os.symlink(b"../b/y", top / b"b/m")
    os.symlink(b"c", top / b"d")
    os.symlink(b"d", top / b"c")
    links = [b"a/l", b"b/m", b"c", b"d"]
    before = inodes(top, *links)
    moves = {b"a": b"b", b"b": b"a", b"c": b"d", b"d": b"c", b"a/x": b"z", b"b/y": b"z"}
    permute(root, moves)
    equal([os.readlink(top / link) for link in
           (b"b/l", b"a/m", b"c", b"d")], [b"../b", b"../a/z", b"d", b"c"])
    for args in (["-n"], [], []):
        got = run("undo", journal, *args, status=0)
    true(b" 0 restored, 0 failed" in got.stderr, got.stderr)
    equal(inodes(top, *links), before)
    equal([os.readlink(top / link) for link in links], [b"../a", b"../b/y", b"d", b"c"])


@test("a circle that somebody says no to half way leaves no name between")
def _(root, journal):
    for answers in (b"n", b"y\nn", b"q", b"y\nq"):
        make(root / b"t", b"a", b"b")
        write(root / b"plan", plan_of({"path": json_of(root / b"t" / old), "to": new}
                                      for old, new in ((b"a", "b"), (b"b", "a"))))
        run("fix", "--apply", "-i", "--plan", root / b"plan",
            "--journal", journal, input=answers + b"\n" * 9)
        if os.path.exists(journal):
            run("undo", journal)
            os.unlink(journal)
        equal({*tree(root / b"t")} - {b"a-2", b"b-2"}, {b"a", b"b"}, answers)
        rmtree(root / b"t")


@test("a circle that stays half done for good keeps the journal that undoes it")
def _(root, journal):
    make(root / b"t", b"a", b"b", b"c")
    before = inodes(root / b"t")
    # From its second call on each of these fails, the way back included; the first
    # fsync(2) is of the journal's directory.
    for call, when in (("fsync", 3), ("renameat2", 2)):
        got = permute(root, {b"a": b"b", b"b": b"c", b"c": b"a"}, status=2,
                      wrap=inject(f"{call}:error=ENOSPC:when={when}+"))
        true(b"c: it could not get its own name back" in got.stderr and
             b"utf8val undo " in got.stderr, got.stderr)
        run("undo", journal, status=0)
        equal(inodes(root / b"t"), before)
        os.unlink(journal)


@test("what a plan does not know is told with its line")
def _(root):
    make(root, b"n\xe9")
    good = plan_of([{"path": json_of(root / b"n\xe9"), "to": "n"}])
    for line, what in (
            (b'{"path":"a","too":"x"}', b"no plan has the key too"),
            ('{"path":"é:\\"b","to\x07":"x"}'.replace("\x07", "\\u0007").encode(),
             b"no plan has the key to\\x07"),
            (b'{"path":{"byte":"YQ=="},"to":"x"}', b"no plan has the key byte"),
            (b'{"path":"a","path to":"x"}', b"no plan has the key path to"),
            (b'{ "path" : "a", "guess" : {"name":"x", "surely":1}}',
             b"no plan has the key surely"),
            (b'{"path":"a" "to":"x"}', b"column 16: not a JSON object"),
            (b"path", b"no tab"), (b"a\\q\tb", b"backslash"),
            ("é\t\\x4".encode(), b"backslash"), (b"a\tb/c", b"cannot be a name"),
            (b"\tb", b"no path")):
        got = fix(root, good + b"\n" + line + b"\n", root, status=2)
        true(b"line 3: " in got.stderr and what in got.stderr, (line, got.stderr))
        equal(tree(root), {b"n\xe9"})


@test("a plan of scan --json that was cut or interrupted is refused; parts are joined")
def _(root):
    top = root / b"t"
    parts = []
    for part in (b"a", b"b"):
        make(top / part, b"n\xe9", b"m\xe9")
        parts.append(run("scan", "--json", top / part, status=1).stdout)
    lines = b"".join(parts).splitlines(keepends=True)
    before = tree(top)
    half = len(lines) // 2
    for plan, says in ((b"".join(lines[:-1]), b"its last line is missing"),
                       (b"".join(lines[:half - 1] + lines[half:]), b"its last line"),
                       (b"".join(lines[1:]), b"the first line is missing"),
                       (b"".join(lines[:-2]) + lines[-1].replace(b"true", b"false"),
                        b"interrupted")):
        fix(root, plan, top, status=2, says=says)
        equal(tree(top), before)
    # Who takes both away, as a filter of lines does, has chosen lines.
    fix(root, b"".join(lines[1:half - 1]), top)
    equal(tree(top), {b"a", b"b", *(n for n in before if n.startswith(b"b/")),
                      "a/né".encode(), "a/mé".encode()})
    undo_all(root)
    equal(tree(top), before)
    fix(root, b"".join(parts), top)
    true(all(b"\xe9" not in name for name in tree(top)), tree(top))


@test("scan --tabs, edited as text")
def _(root):
    top = root / b"t"
    make(top, b"n\xe9", b"smile\xed\xa0\xbd\xed\xb8\x80", b"tab\t\xff\n", b"{\xfe", b"good")
    os.symlink(b"n\xe9", top / b"link")
    for directory, prefix in ((top, top + b"/"), (b".", b"./")):
        lines = run("scan", "--tabs", directory, cwd=top, status=1).stdout.splitlines()
        fields = {line.split(b"\t")[0]: line.split(b"\t")[1:] for line in lines}
        equal({path: len(more) for path, more in fields.items()},
              {path: 2 for path in (prefix + rb"n\xE9", prefix +
                                    rb"smile\xED\xA0\xBD\xED\xB8\x80",
                                    prefix + rb"tab\t\xFF\n", prefix + rb"{\xFE")})
        equal(fields[prefix + rb"smile\xED\xA0\xBD\xED\xB8\x80"],
              ["smile😀".encode(), b"CESU-8, certain"])
    # as an editor may leave it
    got = run("scan", "--tabs", ".", cwd=top, status=1).stdout
    edited = b"\xef\xbb\xbf" + got.replace(b"\n", b"\r\n")
    edited = edited.splitlines(keepends=True)
    edited = [re.sub(rb"(.*n.xE9)\t.*\t.*", rb"\1\tn\\\\e", line) for line in edited]
    edited = [re.sub(rb"(.*FF.n)\t.*", rb"\1\t", line) for line in edited]
    edited = [re.sub(rb"(.*xFE)\t.*", rb"\1\t{new}", line) for line in edited]
    fix(root, b"".join(edited), ".", cwd=top)
    equal(tree(top), {rb"n\e", "smile😀".encode(), b"tab\t\xff\n", b"{new}", b"good",
                      b"link"})
    equal(os.readlink(top / b"link"), rb"n\e")
    got = run("scan", "--names", "--tabs", input=b"{\xfe\0[\xfe\0", status=1).stdout
    equal([line.split(b"\t")[0] for line in got.splitlines()],
          [rb"\x7B\xFE", rb"\x5B\xFE"])


@test("fix --tabs: a report with escaped names, which is also a plan")
def _(root):
    top = root / b"t"
    make(top, b"{\xe9\t\n", b"n\xe9\\x", b"cesu\xed\xa0\xbd\xed\xb8\x80", b"\xff\xfe")
    os.symlink(b"n\xe9\\x", top / b"link")
    before = inodes(top, b"link")
    args = ("--tabs", "--from", "latin1")
    got = run("fix", *args, ".", cwd=top, status=1).stdout
    equal(dict(line.split(b"\t", 1) for line in got.splitlines()), {
        rb"./{\xE9\t\n": "{é\\t\\n\tlatin1".encode(),
        rb"./n\xE9\\x": "né\\\\x\tlatin1".encode(),
        rb"./\xFF\xFE": "ÿþ\tlatin1".encode(),
        rb"./cesu\xED\xA0\xBD\xED\xB8\x80":
            b"\tthe new name would have a control or an invisible character"})
    fix(root, got, ".", cwd=top)
    equal(tree(top), {"{é\t\n".encode(), "né\\x".encode(), "ÿþ".encode(), b"link",
                      b"cesu\xed\xa0\xbd\xed\xb8\x80"})
    run("undo", root / b"journal", status=0)
    equal(inodes(top, b"link"), before)
    run("fix", "--tabs", "--json", status=2)
    make(root / b"t2", b"{\xfe")
    got = run("fix", "--tabs", "--rest=escape", b"{\xfe", cwd=root / b"t2", status=1).stdout
    equal(got, b"\\x7B\\xFE\t{%FE\tescaped\n")


@test("the plan's directory is found through no link, unless it is named")
def _(root, journal):
    make(root / b"pl/eve/d", b"n\xe9")
    make(root / b"pl/bob", b"n\xe9")
    plan = run("scan", "--tabs", b"pl/eve", cwd=root, status=1).stdout
    rmtree(root / b"pl/eve/d")
    for link, target in ((b"pl/eve/d", b"../bob"), (b"pl/eve", b"bob")):
        os.symlink(target, root / link)
        if link == b"pl/eve":
            make(root / b"pl/bob/d", b"n\xe9")
        before = tree(root)
        got = fix(root, plan, cwd=root, status=2)
        true(b"eve/d: a symbolic link is in the way" in got.stderr, got.stderr)
        equal(tree(root), before)
        os.unlink(root / link)
        rmtree(root / b"pl/eve")
    os.symlink(b"bob", root / b"pl/eve")
    fix(root, plan, b"pl/eve/d", cwd=root)
    equal(os.listdir(root / b"pl/bob/d"), ["n\u00e9".encode()])
    run("undo", journal, status=0)


@test("the plan's directories: of one, of several, from the root")
def _(root):
    for path in (b"a/b", b"a/c", b"ab"):
        make(root / path, b"n\xe9")
    for names, cwd in (([b"a/b/n\xe9", b"a/c/n\xe9"], root),
                       ([b".//./a/b/n\xe9//", b"ab//n\xe9/"], root),
                       ([root + b"/a/b/n\xe9", root + b"/ab/n\xe9"], b"/")):
        fix(root, [{"path": json_of(n), "to": "x"} for n in names], cwd=cwd)
        for name in names:
            true(os.path.exists(root / os.path.dirname(name.rstrip(b"/")) / b"x"), name)
        undo_all(root)


main()
