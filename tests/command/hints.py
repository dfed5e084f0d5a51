#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""The commands that scan and fix suggest, run as they are printed: each renames the names
of its line, and hardly one wrongly. The names are those of countries, regions and
languages (iso-codes) as each user's language has them; CPython's codecs wrote them. The
suite command-hints runs this."""

import gettext
import glob
import os
import random
import re
import shlex

from harness import equal, is_utf8, main, make, records, run, test, tree, true, value

# names renamed wrongly, of all
MOST_WRONG = 0.001
USERS = (
    ("fr", "latin-1"), ("de", "cp850"), ("es", "cp1252"), ("sv", "cp850"),
    ("da", "cp865"), ("pl", "cp1250"), ("pl", "iso8859-2"), ("cs", "cp852"),
    ("hu", "cp1250"), ("ja", "cp932"), ("ja", "euc_jp"), ("zh_CN", "gbk"),
    ("zh_TW", "big5"), ("ko", "euc_kr"), ("ru", "koi8-r"), ("ru", "cp866"),
    ("uk", "cp1251"), ("el", "iso8859-7"), ("tr", "iso8859-9"),
    ("ar", "cp1256"), ("he", "cp1255"), ("th", "tis_620"))
ARCHIVES = (
    ("de", "cp437"), ("ru", "cp1251"), ("ja", "cp932"), ("zh_CN", "gbk"),
    ("pt_BR", "mac-roman"), ("it", "cp850"), ("lt", "cp1257"), ("bg", "cp1251"),
    ("fi", "latin-1"), ("ro", "iso8859-2"))
ENDINGS = ("", ".txt", ".mp3", " 2005.doc")


def words(language, codec):
    """Names that this charset has and that are not UTF-8 in it: {bytes: text}."""
    found = {}
    for path in sorted(glob.glob(
            f"/usr/share/locale/{language}/LC_MESSAGES/iso_[36]*.mo")):
        with open(path, "rb") as file:
            # pylint: disable=protected-access
            texts = gettext.GNUTranslations(file)._catalog.values()
        for text in texts:
            if not isinstance(text, str) or re.search(r"[/\n%]", text):
                continue
            try:
                name = text.encode(codec)
                if name.decode(codec) != text or len(name) > 80:
                    continue
            except UnicodeError:
                continue
            if not text.isascii():
                found[name] = text
    true(len(found) > 40, f"{language} in {codec}: is iso-codes installed?")
    return found


def many_users(root):
    """A tree of users with a charset each, and of what they have unpacked; by
    path, what each bad name is."""
    rng, right = random.Random(3629), {}
    places = [(b"home/%d-%s" % (n, c.encode()), lang, c, 2 * (1, 2, 3, 5, 8, 12, 30, 60))
              for n, (lang, c) in enumerate(USERS)]
    places += [(b"archives/%d" % n, lang, c, 2 * (1, 3, 8, 20))
               for n, (lang, c) in enumerate(ARCHIVES)]
    for place, language, codec, sizes in places:
        known = words(language, codec)
        for number, size in enumerate(sizes):
            top = os.path.join(place, b"%d" % number)
            names = {}
            for name in rng.sample(sorted(known), min(size, len(known))):
                end = rng.choice(ENDINGS)
                names[name + end.encode()] = known[name] + end
            names = {n: t for n, t in names.items() if not is_utf8(n)}
            make(root / top, *names)
            right.update((os.path.join(top, n), t) for n, t in names.items())
    return right


def commands(stderr, root):
    """The arguments of each fix that was printed to be run next, here or by the
    scan that was printed."""
    found = []
    for line in re.findall(rb"^(?:utf8val: next, .*: )?utf8val ((?:fix|scan) .*)$",
                           stderr, re.M):
        word, *args = shlex.split(line.decode())
        if word == "scan":
            found += commands(run(word, *args, cwd=root).stderr, root)
        else:
            found.append(args)
    return found


def follow(root, right, *ask, first=()):
    """Ask for commands, run each with --apply, until none changes a name: how many
    names are right, wrong, as they were."""
    count, journal, before = 0, root + b".journal", None
    if first:
        run(*first, cwd=root)
    while before != tree(root):
        before = tree(root)
        for args in commands(run(*ask, cwd=root).stderr, root):
            true("possible" not in args, args)
            run("fix", "--apply", "-q", "--journal", b"%s%d" % (journal, count),
                *args, cwd=root)
            count += 1
    left = tree(root)
    good = len(left & {os.path.join(os.path.dirname(path), text.encode())
                       for path, text in right.items()})
    bad = len(left & set(right))
    return good, len(right) - good - bad, bad


SURE = ("fix", "--apply", "-q", "--journal", "../journal", ".")


for _first, _ask in (((), ("scan", ".")), ((), ("fix", ".")),
                     ((), ("scan", "--summary", ".")), (SURE, ("fix", "."))):
    @test(f"{' '.join(_ask)}: its commands, one after the other" +
          (", when sure names have been renamed" if _first else ""))
    def _(root, first=_first, ask=_ask):
        top = root / b"tree"
        right = many_users(top)
        good, wrong, left = follow(top, right, *ask, first=first)
        print(f"# {len(right)} names: {good} right, {wrong} wrong, {left} left")
        true(wrong <= MOST_WRONG * len(right), wrong)
        true(good >= 0.9 * len(right), good)


@test("a summary prints at most eight commands, and how many more there are")
def _(root):
    for number, (language, codec) in enumerate(USERS[:12]):
        names = sorted(n for n in words(language, codec) if not is_utf8(n))
        make(root / (b"%d" % number), *names[:40])
        lines = run("scan", "--summary", ".", cwd=root).stderr.splitlines()
        found = [line for line in lines if line.startswith(b"utf8val fix ")]
        more = re.findall(rb"^and (\d+) more: see the table$", lines[-1])
        equal((len(found), more), (min(number + 1, 8), [b"%d" % (number - 7)]
                                   if number >= 8 else []), lines)


@test("what was left out is left out by the next command, too")
def _(root):
    names = sorted(n for n in words("ru", "cp1251") if not is_utf8(n))[:12]
    left = (b"a/b/skip it", b"a/b/c1", b"a/b/d/e")
    given = ("--exclude", "skip it", "--exclude", "/a/*/c?", "--exclude", "x/y/z",
             "--max-depth", "4")
    for number, ask in enumerate((("scan",), ("scan", "--summary"),
                                  ("fix", "--guessed", "KOI8-R"))):
        top = root / (b"%d" % number)
        for path in (b"a/b", b"a/b/d", *left):
            make(top / path, *names)
        for path in left:
            os.rename(top / path / names[0], top / path / b"x\xff")
        before = {path: os.listdir(top / path) for path in left}
        args, = commands(run(*ask, *given, ".", cwd=top, status=1).stderr, top)
        run("fix", "--apply", "-q", "--journal", root / b"journal", *args, cwd=top)
        os.unlink(root / b"journal")
        equal({path: os.listdir(top / path) for path in left}, before, args)
        for path in (b"a/b", b"a/b/d"):
            true(all(map(is_utf8, os.listdir(top / path))), args)
    top = root / b"few"
    make(top / b"e", "Löß".encode("latin-1"))
    make(top / b"d", *(name.encode("latin-1") for name in (
        "Übersicht.doc", "Größe", "Straße 5.jpg", "Männer.txt", "Köln", "Fußball")))
    given = ("--app-data", "--shorten", "--cross-devices")
    args, = commands(run("fix", "--sure", "certain", *given, top / b"d",
                         status=1).stderr, root)
    equal(sorted(args[:-1]), sorted(given), args)
    # the paths of standard input are read, and cannot be read again
    got = run("scan", "--files0-from=-", input=top, status=1).stderr
    true(got.endswith(b"fix --guessed ISO-8859-1 PATH...\n"), got)


@test("Friulian, Sardinian, Afrikaans, Indonesian, not known: nothing becomes wrong")
def _(root):
    rng = random.Random(3629)
    # the last in a charset that none of the languages like it was written in
    for language, codec in (("fur", "latin-1"), ("sc", "latin-1"), ("af", "latin-1"),
                            ("id", "cp860")):
        top, right = root / f"{language} {codec}".encode(), {}
        known = {n: t for n, t in words(language, codec).items() if not is_utf8(n)}
        for number in range(20):
            place = b"%d" % number
            names = rng.sample(sorted(known), (5, 25)[number % 2])
            make(top / place, *names)
            right.update((os.path.join(place, n), known[n]) for n in names)
        good, wrong, left = follow(top, right, "scan", ".")
        print(f"# {language} in {codec}: {good} right, {wrong} wrong, {left} left")
        equal(wrong, 0, language)


# where iconv knows a codec by another name only
ICONV = {"euc_jp": "EUC-JP", "euc_kr": "EUC-KR", "tis_620": "TIS-620",
         "mac-roman": "MACINTOSH"}


def converted(root, codec, names):
    """The new names by fix --from for these names, None where it leaves one."""
    make(root, *names)
    return {os.path.basename(value(item["path"])): item.get("to", {}).get("text") for item in
            records("fix", "--from", ICONV.get(codec, codec), root, status=1)}


@test("--from: names that are in the charset are, whatever is UTF-8 by chance")
def _(root):
    for number, (language, codec) in enumerate(USERS + (
            ("ru", "cp1251"), ("uk", "koi8-u"), ("ru", "mac-cyrillic"),
            ("el", "cp737"), ("fr", "mac-roman"), ("he", "cp862"))):
        # the two know one character of Big5 by another; what nobody sees fix leaves
        names = {name: text for name, text in words(language, codec).items()
                 if not is_utf8(name) and not re.search("[／\xad\u200e\u200f]", text)}
        got = converted(root / (b"%d" % number), codec, names)
        equal({name: got[name] for name in names if got[name] != names[name]}, {}, codec)


@test("--from: a name that is UTF-8 in part is not encoded again without a word")
def _(root):
    rng = random.Random(3629)
    for number, (language, codec, right) in enumerate((
            ("fr", "latin-1", 0.9), ("es", "cp1252", 0.9), ("de", "cp850", 0.9),
            ("tr", "iso8859-9", 0.9), ("pl", "iso8859-2", 0.8),
            ("ru", "koi8-r", 0.5), ("ru", "cp1251", 0), ("ar", "cp1256", 0))):
        known, names = words(language, codec), {}
        bad = sorted(n for n in known if not is_utf8(n))
        for _number in range(400):
            one, two = rng.sample(bad, 2)
            text = known[one].encode()[:100].decode("utf-8", "ignore")
            names[text.encode() + b" - " + two] = f"{text} - {known[two]}"
        got = converted(root / (b"%d" % number), codec, names)
        good = sum(got[name] == text for name, text in names.items())
        wrong = sum(got[name] not in (None, text) for name, text in names.items())
        true(good >= right * len(names), (codec, good))
        true(wrong <= 0.05 * len(names), (codec, wrong))


@test("a name of UTF-8 and another charset: what is kept, and what is left")
def _(root):
    names = {"Müller - ".encode() + b"Stra\xdfe": "Müller - Straße",
             "città ".encode() + b"perch\xe9": "città perché",
             "€ 5 ".encode() + b"f\xfcr": "€ 5 für",
             # a quotation mark that ends after a capital
             b"\xabCAF\xc9\xbb \xe9t\xe9": "«CAFÉ» été",
             # a letter and a blank that breaks no line, which nobody writes
             "à la ".encode() + b"m\xe8re": "à la mère",
             # two letters, or one
             "ß ".encode() + b"f\xfcr": None}
    equal(converted(root, "latin-1", names), names)
    got = run("fix", "--from", "latin-1", root, status=1).stdout
    true("Müller - Straße (UTF-8 kept, and the rest latin-1)".encode() in got, got)
    true(b"may be UTF-8 already, which would be encoded again" in got, got)
    # a character of two bytes between letters of ASCII is Chinese by chance only
    mixed = "Müller - ".encode() + b"Stra\xdfe"
    got = run("fix", "--from", "GBK", root / mixed, status=1).stdout
    true(b"may be UTF-8 already" in got, got)
    # scan shows what a guess at this charset would make of a name
    shown = {value(item["name"]): item["guess"].get("name")
             for item in records("scan", root, status=1)
             if item["guess"]["as"] in ("ISO-8859-1", "WINDOWS-1252")}
    true(len(shown) >= 2, shown)
    equal(shown, {name: names[name] for name in shown})


main()
