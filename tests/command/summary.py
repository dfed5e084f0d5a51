#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""utf8val summary: parts of a tree, scanned one by one, against one scan of all.
The suite command-summary runs this."""

import base64
import json
import os
import random
import signal
import subprocess

from harness import (BINARY, equal, main, make, nest, not_emulated, run, test, true, value,
                     write)

RULES = ("--mojibake", "--portable", "--unsafe", "--damaged", "--normalization=nfc")
# names of one directory, in one charset each, and good ones
NAMES = [("latin-1", "Straße Müller Grüße Übung Köln Käse Jäger Höhe Äpfel Vögel"),
         ("cp850", "Straße Müller Grüße Übung Köln Käse Jäger Höhe Äpfel Vögel"),
         ("koi8-r", "привет письмо документ фотографии отчёт счёт музыка"),
         ("cp1251", "привет письмо документ фотографии отчёт счёт музыка"),
         ("shift-jis", "日本語 写真 音楽 東京 会議資料 報告書"),
         ("cp1250", "příliš žluťoučký kůň úpěl ďábelské ódy"),
         ("utf-8", "Märchen Füße žlutý łódź ελληνικά café fünf"),
         ("utf-8", "MÃ¼ller StraÃŸe CON aux.txt a?b dé zero\u200bwidth ??x")]


def grow(rng, path, levels):
    """Directories that mix charsets, a few names in each, good ones too."""
    for charset, words in rng.choices(NAMES, k=rng.randrange(1, 4)):
        names = {word.encode(charset) for word in
                 rng.sample(words.split(), rng.randrange(1, 6))}
        make(path, *(name for name in names
                     if not os.path.lexists(path / name) and b"/" not in name))
    for number in range(rng.randrange(3) if levels else 0):
        name = (rng.choice([b"d%d", b"\xfcb%d", b"\x8f%d", b"d\n%d", b" %d"]) % number)
        grow(rng, path / name, levels - 1)


def parts_of(root, operands, *args, **kwargs):
    """A file for each operand, or for some together, as scan --json prints them."""
    files = []
    for number, paths in enumerate(operands):
        files.append(root / (b"part%d" % number))
        write(files[-1], run("scan", "--json", *args, *paths, **kwargs).stdout)
    return files


def text(got):
    """The output of a run, without how long it took."""
    return (got.returncode, got.stdout,
            [line for line in got.stderr.splitlines() if b" entries in " not in line])


@test("parts make the same table, commands and totals as one scan, on trees at random")
def _(root):
    beside_good = 0
    for seed in range(25):
        rng = random.Random(seed)
        top = root / (b"%d" % seed)
        grow(rng, top, 3)
        os.symlink(b"to\xff", top / b"link")
        below = sorted(top / name for name in os.listdir(top))
        # own names of files are below a directory that no part has scanned
        operands = [below[i:i + 2] for i in range(0, len(below), 2)]
        args = rng.sample(RULES, rng.randrange(3)) + rng.choice(
            [[], ["--no-guess"], ["--exclude=d*"], ["--max-depth=2", "--exclude=\xe9"],
             ["--cross-devices"]])
        depth = rng.choice([[], ["--depth=1"]])
        files = parts_of(root, operands, *args)
        beside_good += sum(b'"good":true' in open(file, "rb").read() for file in files)
        for extra in ([], ["--json"]):
            equal(text(run("summary", *extra, *depth, *files)),
                  text(run("scan", "--summary", *extra, *depth, *args, *below)),
                  (seed, args, depth))
        # one file may hold several, and standard input one
        joined = b"".join(open(file, "rb").read() for file in files)
        equal(text(run("summary", "-", input=joined)), text(run("summary", *files)))
    true(beside_good)


@test("evidence of good names, and of other parts, decides as in one scan")
def _(root):
    # beside good names, one of which other charsets make something else too is not sure
    make(root / b"a", "Łódź".encode(), "žlutý".encode(), "ćma".encode(),
         "Voilà la crème".encode("latin-1"))
    make(root / b"b", *(b"Stra\xdfe M\xfcller %d" % i for i in range(40)))
    files = parts_of(root, [[root / b"a"], [root / b"b"]])
    lines = list(map(json.loads, open(files[0], "rb")))
    equal([value(line["directory"]) for line in lines if "directory" in line], [root / b"a"])
    true(lines[1]["good"], lines[1])
    for part, sure in ((b"part0", b"possible"), (b"part2", b"likely")):
        got = run("summary", root / part, files[1], status=1)
        true(sure in [line.split()[2] for line in got.stdout.splitlines()
                      if line.endswith(b"/a")], got.stdout)
        equal(text(got), text(run("scan", "--summary", root / b"a", root / b"b")))
        if part == b"part0":
            for name in ("Łódź", "žlutý", "ćma"):
                os.unlink(root / b"a" / name.encode())
            write(root / b"part2", run("scan", "--json", root / b"a").stdout)
    write(root / b"part0", b"\n".join(
        [b'{"directory":{"text":"/"},"good":true}' if "directory" in line else
         json.dumps(line).encode() for line in lines]) + b"\n")
    run("summary", *files, status=2, says=b"part0: line 2: ")


@test("a part that is cut, interrupted, short, of other options or overlapping is rejected")
def _(root):
    make(root / b"a", b"x\xff", b"y\xff")
    make(root / b"b", b"z\xff")
    one, two = parts_of(root, [[root / b"a"], [root / b"b"]])
    good = open(one, "rb").read()
    lines = good.splitlines(keepends=True)
    for data, why in (
            (b"".join(lines[:-1]), b"its last line is missing"),
            (lines[0], b"its last line is missing"),
            (b"", b"its last line is missing"),
            (good[:-20], b"not a JSON object"),
            (b"".join(lines[:-1]) + good, b"it was cut"),
            (lines[0] + lines[1] + lines[3], b"lines are missing before it"),
            (b"".join(lines[1:]), b"the first line of a scan is missing"),
            (good.replace(b'"complete":true', b'"complete":false'), b"was interrupted"),
            (good.replace(b'"errors":0', b'"errors":3'), b"the scan reports errors"),
            (good.replace(b'"options":[]', b'"options":[{"text":"--portable"}]'),
             b"other options"),
            (good.replace(lines[1], open(two, "rb").read().splitlines(True)[1]),
             b"its path is below none"),
            (good.replace(lines[1], b'{"path":{"text":"/nowhere"}}\n'),
             b"its path is below none"),
            (good.replace(lines[1], lines[1].replace(b'"bytes"', b'"text"')),
             b"its path is below none"),
            (good.replace(lines[1], b'{"path":{"text":"a\\u0000b"}}\n'), b"it has no path"),
            (good.replace(lines[1], json.dumps(
                {"path": {"text": os.fsdecode(root / b"a/good")}}).encode() + b"\n"),
             b"its name is a good one"),
            (run("scan", "--summary", "--json", root / b"a").stdout,
             b"it is no output of scan --json"),
            (run("scan", "--names", "--json", input=b"\xff\n").stdout, b"with --names"),
            (run("fix", "--json", root / b"a").stdout, b"it is no output of scan --json"),
            (run("scan", root / b"a").stdout, b"not a JSON object"),
            (run("scan", "--json", root).stdout, b"would count twice"),
            (run("scan", "--json", root / b"b/.").stdout, b"would count twice")):
        write(one, data)
        got = run("summary", two, one, status=2, says=why)
        equal(got.stdout, b"", why)
        true(got.stderr.startswith(b"utf8val: " + root + b"/part"), got.stderr)
    write(one, good.replace(b'"options":[]', b'"options":[{"text":"--help"}]'))
    run("summary", one, status=2, says=b"an option that is not known")
    operands = json.dumps({"text": "/" + "a/" * 3000}).encode() + b","
    write(one, good.replace(b'"operands":[', b'"operands":[' + operands))
    run("summary", one, status=2, says=b"longer than any that can be scanned")
    write(one, good.replace(b'"errors":0', b'"errors":3'))
    got = run("summary", "--json", "--accept-errors", one, two, status=2)
    end = json.loads(got.stdout.splitlines()[-1])
    equal((end["bad"], end["errors"], end["complete"]), (3, 3, True))
    run("summary", status=2, says=b"no FILE is given")
    run("summary", root / b"none", status=2, says=b"No such file")
    run("summary", root, status=2, says=b"Is a directory")


@test("a part with a path of 30,000 directories takes little memory and time")
def _(root):
    not_emulated("the emulator itself needs more address space")
    deep = "/t/" + "a/" * 30000
    lines = [{"begin": "scan", "operands": [{"text": "/t"}], "options": []}]
    lines += [{"path": {"bytes": base64.b64encode(b"%s%d\xff" % (deep.encode(), i)).decode()}}
              for i in range(20)]
    lines.append({"end": "scan", "entries": 20, "bad": 20, "errors": 0, "complete": True})
    write(root / b"part", b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    got = run("summary", root / b"part", status=1, wrap=["prlimit", "--as=400000000"])
    true(b"20 ill-formed" in got.stderr, got.stderr)


@test("the last line of fix --json tells whether all was done; a cut plan is rejected")
def _(root):
    make(root / b"t", b"Stra\xdfe", b"M\xfcller Gr\xfc\xdfe", b"\xff")
    for args, applied, status in ((["--from=latin1"], False, 1),
                                  (["--from=latin1", "--apply"], True, 0)):
        got = run("fix", "--json", *args, root / b"t", status=status,
                  env={"XDG_STATE_HOME": os.fsdecode(root)})
        lines = got.stdout.splitlines()
        equal(json.loads(lines[0]), {"begin": "fix"})
        equal(json.loads(lines[-1]), {"end": "fix", "entries": 3, "applied": applied,
                                      "renamed": 3, "left": 0, "errors": 0,
                                      "complete": True})
        if not applied:
            run("fix", "--plan", "-", root / b"t", status=2, says=b"its last line is missing",
                input=b"\n".join(lines[:-1]))
            run("fix", "--plan", "-", root / b"t", status=1, input=got.stdout)


@test("killed and interrupted scans leave parts that are rejected")
def _(root):
    nest(root / b"t", b"\xffd", 300)
    for number in (signal.SIGKILL, signal.SIGTERM):
        with open(root / b"part", "wb") as part, subprocess.Popen(
                [BINARY, "scan", "--json", "--no-guess", "--names"], stdin=subprocess.PIPE,
                stdout=part, stderr=subprocess.DEVNULL) as scan:
            scan.stdin.write(b"\xff\n" * 200000)
            scan.send_signal(number)
            scan.stdin.close()
            scan.wait()
        run("summary", root / b"part", status=2, says=b"part: ")
    with open("/dev/full", "wb") as full:
        run("scan", "--json", root / b"t", status=2, stdout=full)
        write(root / b"part", run("scan", "--json", root / b"t", status=1).stdout)
        run("summary", root / b"part", status=2, stdout=full)


main()
