#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""The extra checks of names that are UTF-8: scan and fix with --portable, --mojibake,
--unsafe and --damaged. guess.py tests --normalization. tests/check.py runs this."""

import itertools
import os
import pathlib
import random
import subprocess
import unicodedata

from harness import (equal, fix, inodes, main, make, records, run, test, tree, true,
                     undo_all, value)

SEED = 3629
FORBIDDEN = '<>:"\\|?*'
HERE = pathlib.Path(__file__).parent


def is_portable(name):
    """Is a name portable, by CPython's list of devices and Microsoft's page on names?"""
    return (not pathlib.PureWindowsPath(name).is_reserved() and
            not set(name) & set(FORBIDDEN) and name[-1] not in ". " and
            not any(unicodedata.category(c) == "Cc" or "\uf000" < c < "\uf080"
                    for c in name) and len(name.encode("utf-16-le")) <= 510)


def listed(top, *args, status=1):
    """The names that scan finds, with their lines of JSON."""
    return {line["name"]["text"]: line
            for line in records("scan", *args, top, status=status)}


def listed_bytes(top, *args):
    """The same, as bytes, with their reasons."""
    return {value(line["name"]): line["reason"]
            for line in records("scan", *args, top, status=1)}


PLAIN = ("con", "CON", "Con.txt", "nul.tar.gz", "aux ", "prn .c", "com1",
         "COM9.x", "lpt1", "COM¹", "lpt³.txt", "conin$", "CONOUT$", "com0",
         "com10", "console", "xcon", "con-1", ".con", "nul_", "a:b", "a*b?",
         "<>", '"', "a|b", "a\\b", "tab\there", "bell\a", "line\n", "del\x7f",
         "c1\x85", "dot.", "dots...", "...", "sp ", " sp", ". .", "x. ",
         "12\uf02230", "\uf001", "\uf07f", "a\uf000", "\uf080b",
         "good", "été", "a.b.c", ".hidden", "日本", "com²x", "com٣")


@test("--portable: names listed, with CPython's devices; the reason; the fix")
def _(root, top):
    rng = random.Random(SEED)
    names = set(PLAIN)
    pieces = ["CON", "lpt", "com", "1", "²", " ", ".", "é", "?", "x", "\x1f",
              "nul", "$", "conin", "😀"]
    while len(names) < 400:
        names.add("".join(rng.choices(pieces, k=rng.randrange(1, 6))))
    names -= {".", ".."}
    make(top, *(n.encode() for n in names))
    before = inodes(top)
    found = listed(top, "--portable")
    equal(set(found), {n for n in names if not is_portable(n)})
    for name, why in (("con", "names the device con"), ("dots...", "ends with a dot"),
                      ("sp ", "ends with a space"), ("a:b", "has ':'"),
                      ("a*b?", "has '*', has '?'"),
                      ("del\x7f", "has a control character"),
                      ("prn .c", "names the device prn"),
                      ("COM¹", "names the device COM¹")):
        equal(found[name]["reason"], "not portable: " + why)
    text = run("scan", "--portable", top, status=1)
    true(b"/x. : not portable: ends with a space: x__\n" in text.stdout, text.stdout)
    true(b"utf8val fix --portable " + top in text.stderr, text.stderr)
    run("scan", top, status=0)

    got = fix(root, "--portable", status=0)
    after = {n.decode() for n in tree(top)}
    true(all(map(is_portable, after)), after)
    equal(sorted(inodes(top).values()), sorted(before.values()))
    true({n for n in names if is_portable(n)} <= after)
    for name, want in (("con", "con_"), ("Con.txt", "Con_.txt"),
                       ("nul.tar.gz", "nul_.tar.gz"), ("a:b", "a_b"),
                       ("bell\a", "bell_"), ("prn .c", "prn_ .c")):
        true(want in after, name)
    true(b"/con -> con_ (not portable: names the device con)\n" in got.stdout, got.stdout)
    run("scan", "--portable", top, status=0)
    undo_all(root)
    equal(inodes(top), before)


@test("--portable: what a character of the private use area stands for")
def _(root):
    make(root, *(name.encode() for name in ("1\uf022", "2\uf00d", "3\uf02a\uf02a")))
    found = {name[0]: line["reason"] for name, line in listed(root, "--portable").items()}
    equal(found, {number: f"not portable: has U+{char}, which stands for another character"
                  for number, char in (("1", "F022"), ("2", "F00D"), ("3", "F02A"))})


# one for each way in which a character is not seen, and some that are or are blanks
UNSEEN = {"\u202e": "which turns text around", "\u2066": "which turns text around",
          "\u200f": "which turns text around", "\u061c": "which turns text around",
          "\x01": "a control character", "\x7f": "a control character",
          "\x85": "a control character", "\u2028": "which ends a line",
          "\ufe0f": "which selects a variant of what is before it",
          "\U000e0100": "which selects a variant of what is before it",
          "\u180b": "which selects a variant of what is before it",
          "\u200b": "which has no width", "\u200d": "which has no width",
          "\ufeff": "which has no width", "\u00ad": "which has no width",
          "\u034f": "which has no width", "\u3164": "which has no width",
          "\U000e0041": "which has no width"}
SEEN = " a\xa0\u3000é日́\u2009\ufffd😀"


@test("--unsafe and --damaged: what is listed, and why; nothing is renamed")
def _(top):
    make(top, *(f"{c}x{c}".encode() for c in UNSEEN), *(f"{c}x".encode() for c in SEEN),
         "both\u202e\u200b\ufffd".encode(), b"bad\xff")
    found = listed_bytes(top, "--unsafe")
    equal(found.pop(b"bad\xff"), "bad lead")
    equal(found.pop("both\u202e\u200b\ufffd".encode()),
          "unsafe: has U+202E, which turns text around, U+200B, which has no width")
    equal(found, {f"{c}x{c}".encode(): f"unsafe: has U+{ord(c):04X}, {why}"
                  for c, why in UNSEEN.items()})
    make(top, *(name.encode() for name in (
        "Gr\ufffd\ufffde", "one\ufffd", "????.txt", "a??b???", "who?", "w?h?o?")))
    found = listed_bytes(top, "--damaged")
    del found[b"bad\xff"]
    equal(found, {name.encode(): f"damaged: {why}" for name, why in {
        "both\u202e\u200b\ufffd": "1 character is lost, U+FFFD in its place",
        "\ufffdx": "1 character is lost, U+FFFD in its place",
        "one\ufffd": "1 character is lost, U+FFFD in its place",
        "Gr\ufffd\ufffde": "2 characters are lost, U+FFFD in their place",
        "????.txt": "4 characters may be lost, '?' in their place",
        "a??b???": "5 characters may be lost, '?' in their place"}.items()})
    os.unlink(top / b"bad\xff")
    before = inodes(top)
    run("fix", "--unsafe", top, status=2)
    got = run("scan", "--unsafe", "--summary", top, status=1)
    true(b" unsafe " in got.stdout and b"fix" not in got.stderr, got)
    got = run("scan", "--unsafe", top, status=1)
    true(b"\x1b" not in got.stdout and "\u202e".encode() not in got.stdout)
    equal(inodes(top), before)


@test("--portable of what --normalization makes")
def _(root, top):
    make(top, unicodedata.normalize("NFD", "é?").encode())
    fix(root, "--normalization", "nfc", "--portable", status=0)
    equal(tree(top), {"é_".encode()})
    undo_all(root)
    equal(tree(top), {unicodedata.normalize("NFD", "é?").encode()})


@test("--portable: what becomes one name is numbered, told, and undone")
def _(root, top):
    make(top, b"a?", b"a*", b"a_", b"a:", b"x.y?", b"x.y_")
    os.mkdir(top / b"d ")
    make(top / b"d ", b"nul")
    os.symlink(b"d /nul", top / b"link")
    before = inodes(top, b"link")
    got = fix(root, "--portable", status=0)
    equal(tree(top), {b"a_", b"a_-2", b"a_-3", b"a_-4", b"x.y_", b"x-2.y_",
                      b"d_", b"d_/nul_", b"link"})
    equal(os.readlink(top / b"link"), b"d_/nul_")
    equal(got.stdout.count(b"numbered: there is a_)"), 3)
    undo_all(root)
    equal(inodes(top, b"link"), before)
    equal(os.readlink(top / b"link"), b"d /nul")


@test("--portable with a charset, a plan, and a name that is cut")
def _(root, top, journal):
    make(top, b"caf\xe9?", b"good")
    line, = records("scan", "--portable", top, status=1)
    equal(line["guess"]["name"], "café_")
    make(top, b"\x85\xe9")
    fix(root, "--portable", "--from", "latin1", status=1)
    # A control that the charset would give is no reason to write a low line.
    equal(tree(top), {"café_".encode(), b"\x85\xe9", b"good"})
    undo_all(root)
    os.unlink(top / b"\x85\xe9")
    make(top, b"zwj \xe2\x80\x8d.")
    plan = run("scan", "--portable", "--json", top, status=1).stdout
    run("fix", "--plan", "-", "--apply", "--journal", journal, input=plan, status=0)
    equal(tree(top), {"café_".encode(), b"good", b"zwj \xe2\x80\x8d_"})
    # A long name is cut at a blank.
    make(top, b"x" * 200 + b"\xe9" * 27 + b" yyy")
    os.unlink(journal)
    fix(root, "--portable", "--shorten", "--from", "latin1", status=0)
    true(("x" * 200 + "é" * 27).encode() in tree(top), tree(top))
    run("scan", "--portable", top, status=0)
    for other in ("--portable", "--mojibake"):
        run("fix", "--plan", "-", other, status=2)
        run("undo", journal, other, status=2)


@test("--portable: names of more than 255 UTF-16 units, as functions")
def _(root):
    program = root / b"portable"
    subprocess.run(["gcc", "-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Wextra",
                    "-Werror", "-fsanitize=address,undefined", "-I.",
                    "-Itools/command", "-o", program, HERE / "portable.c",
                    "tools/command/scan/portable.c", "tools/command/base/output.c",
                    "tools/command/base/newname.c",
                    "utf8val.c", "-lunistring"], check=True, cwd=HERE.parent.parent)
    rng = random.Random(SEED)
    names = ["x" * 255, "x" * 256, "é" * 256, "😀" * 127, "😀" * 128,
             "a" * 300 + ".txt", "a" * 250 + "   " + "b" * 9 + ". ?",
             "a" * 254 + " b", "a" * 254 + ".b", "con." + "x" * 251,
             "con." + "x" * 252, "." + "x" * 300, "x" * 300 + "." + "y" * 20]
    for _name in range(300):
        names.append("".join(rng.choices(
            ["a", ".", " ", "?", "😀", "é", "nul", "中"],
            k=rng.randrange(1, 400))))
    got = subprocess.run([program], input="\n".join(names + [""]).encode(),
                         stdout=subprocess.PIPE, check=True).stdout.decode()
    lines = [line.split("\t") for line in got.split("\n")[:-1]]
    equal(len(lines), len(names))
    for name, (made, why) in zip(names, lines):
        true(is_portable(made), (name, made))
        equal(bool(why), not is_portable(name), name)
        equal(why == "", made == name, name)
        units = len(name.encode("utf-16-le")) // 2
        equal(f"has {units} UTF-16 units" in why, units > 255, (name, why))
    made = dict(zip(names, lines))
    equal(made["a" * 300 + ".txt"][0], "a" * 251 + ".txt")
    equal(made["😀" * 128][0], "😀" * 127)


def twice(text, charset="cp1252"):
    """The result of a program that takes UTF-8 for this charset."""
    return "".join(
        chr(b) if charset == "latin-1" or b in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
        else bytes([b]).decode(charset) for b in text.encode())


REAL = ("ä", "Käse.txt", "Привет мир", "日本語", "naïve café", "modalità",
        "“quotes” – dash", "smile 😀", "Łódź", "Ελλάδα", "ğüş", "한국어",
        "Île d’Orléans", "ÅNGSTRÖM", "décembre 2005.mp3", "Český", "שלום",
        "Tiếng Việt", "ภาษาไทย", "CAFÉ", "poziționare", "ŠKODA", "HRVAŠKA")
# each of them is well-formed when it is taken for Windows-1252 and decoded
LOOKS_LIKE = ("CAFÉ…", "CITÉ™", "CAFÉ’s", "IRMÃ’", "Café…»",
              "ROMÂ®", "Ö–", "É”", "PERÒ’", "IRMÃ¡", "Café§«", "É©")


@test("--mojibake: UTF-8 taken for Windows-1252, ISO 8859-1, or both in turn")
def _(top):
    want = {}
    for text, charset in itertools.product(REAL, ("cp1252", "latin-1")):
        want[twice(text, charset)] = text
    want[twice(twice("für"))] = "für"
    # Windows-1252 has signs for these bytes, ISO 8859-1 has controls
    want |= {twice(text, "latin-1"): text for text in ("PÅ", "ÖL", "10×15")}
    make(top, *(n.encode() for n in want))
    make(top, *(n.encode() for n in REAL))
    found = listed(top, "--mojibake")
    equal({n: line["guess"]["name"] for n, line in found.items()}, want)
    equal({line["guess"]["sure"] for line in found.values()}, {"likely"})
    got = run("scan", "--mojibake", top, status=1)
    true("/Ã¤: double-encoded UTF-8: ä\n".encode() in got.stdout, got.stdout)
    true(b"utf8val fix --mojibake " in got.stderr, got.stderr)
    run("scan", top, status=0)


@test("--mojibake: letters that unzip has written as numbers")
def _(root):
    right = {b"#U4f60#U597d.txt": "你好.txt", b"#U4f60": "你", b"M#U00fcller 1.txt": "Müller 1.txt",
             b"#U0437#U0430#U043c": "зам", b"#L02a6b2 x": "\U0002a6b2 x",
             "ü#U4f60".encode(): "ü你"}
    make(root, *right, b"Ticket #U1234", b"#Ud800#Ud801", b"#U0041", b"#U202e#U202d", b"a#U4f6",
         b"#U", b"#", b"#U4F60", b"#L4f60", b"x#Uffff")
    got = records("scan", "--mojibake", root, status=1)
    equal({value(item["name"]): item["guess"]["name"] for item in got}, right)
    run("scan", root, status=0)
    got = run("scan", "--mojibake", b"#U4f60", cwd=root, status=1).stdout
    equal(got, "#U4f60: decoded wrongly: Unicode, taken for ASCII by unzip, which wrote #UXXXX: "
               "你\n".encode())
    run("fix", "--mojibake", "--apply", "--journal", root / b"j", root, status=0)
    true({name.encode() for name in right.values()} <= tree(root))


@test("--mojibake: names that only look like it are left alone")
def _(root):
    for name in LOOKS_LIKE:
        # Without this property the test would check nothing.
        name.encode("cp1252").decode("utf-8")
    # what would come of these is invisible or a control, or begins or ends so
    hidden = [twice(n, charset) for charset in ("cp1252", "latin-1") for n in (
        "a\u200bé", "é\u200b", "\u00adé", "\x9b1mé", "é\x85", "é\ue000",
        "\ufdd0é", "\xa0é", "é\u3000", "\u202eé", "é\U000e0041")]
    good = ("Ångström ±5°", "Łódź", "└── café", "№ 5 «Родина»", "œuvre", "Ti: 5 µm",
            "Київ", "Ünïcödé", "ªº", "Ω = 5", "Это ё", "Её", "Ті", "naïve ½", "skañ",
            "IRMĂ’", "ŝanĝo", "ĉiuĵaŭde", "qızıl", "gʻoʻza", "æøå", "ÞÐ", "§ 5 ¶", "ÇA VA")
    names = [*LOOKS_LIKE, *hidden, *REAL, *good, "Ã", "Ã¤\u0100", "Â", "Ã\x80â‚¬", "Ã¤é"]
    make(root, *{n.encode() for n in names})
    equal(listed(root, "--mojibake", status=0), {})


# They read well in a language, and the bytes that some charset has for them are other text.
READS_WELL = ("MÝŠ", "VÝŠKA", "VÝŠIVKA 2003", "NASTAVÍŠ.txt", "BLÍŽENCI", "KRÍŽ", "NÍŽINA",
              "NÜŠU", "Havalimanı sınıfı", "Yapı araçlarını", "ünvanını kazandı",
              "щелчок.wav", "хаашаа", "LÍŠT KALIFOV")


@test("--mojibake: names that read well stay, capitals included")
def _(root):
    make(root, *(name.encode() for name in READS_WELL))
    equal(listed(root, "--mojibake", status=0), {})


# As macOS writes names, and signs of its screenshots and of word processors.
SIGNS = ("Müller.txt", "Čeština", "Việt Nam", "한국어.doc")
BLANKS = ("Screenshot 9.41.00\u202fAM.png", "Bild 9.41.00\xa0PM.png", "Bob’s file.doc",
          "SOLLBESTÄNDE 5.xls", "a – b.doc")


@test("--mojibake: decomposed names, no-break blanks, quotes, capitals, in each charset")
def _(top):
    for charset in ("cp1252", "latin-1", "cp437", "cp850", "mac-roman", "koi8-r"):
        want = {}
        for text in (*(unicodedata.normalize("NFD", name) for name in SIGNS), *BLANKS):
            try:
                wrong = twice(text, charset)
            except UnicodeDecodeError:
                continue
            want[wrong] = text
        make(top, *(name.encode() for name in want))
        found = listed(top, "--mojibake")
        equal({n: line["guess"]["name"] for n, line in found.items()}, want, charset)
        for name in tree(top):
            os.unlink(top / name)


@test("--mojibake=CHARSET: a name that would hide something is told as left")
def _(root, top):
    make(top, "A\xadB".encode().decode("cp437").encode())
    equal(len(listed(top, "--mojibake=cp437")), 1)
    got = fix(root, "--mojibake=cp437", status=1)
    true(b"left as it is: the new name would have a control or an invisible" in got.stdout,
         got.stdout)


# Names in the first charset were taken for the second one, which makes signs of their
# letters, or letters of several alphabets.
MISREAD = {
    ("cp866", "cp437"): ("Новая папка", "Документы.doc", "фотографии", "вазы и картины 5.jpg",
                         "отчёт за год"),
    ("cp932", "cp437"): ("新しいフォルダ", "日本語の資料.txt", "報告書 2005"),
    ("gbk", "cp437"): ("新建文件夹", "我的照片.jpg", "中国电影"),
    ("cp1251", "cp437"): ("Документы (2)", "фотографии с юга", "отчёт за год"),
    ("euc_kr", "cp437"): ("새로운 폴더", "한국어 자료.txt"),
    ("cp850", "cp437"): ("ação e emoção", "informações da ação"),
    **{("utf-8", charset): ("Größe", "Привет мир", "日本語 2005", "été à la mer")
       for charset in ("cp437", "cp850", "mac-roman", "cp1250", "cp1251", "cp866",
                       "koi8-r")}}


def iconv_name(codec):
    """The name that glibc has for a codec of CPython's."""
    return {"mac-roman": "macintosh"}.get(codec, codec.replace("_", "-"))


@test("--mojibake: what was decoded in a wrong charset; CPython's codecs are the oracle")
def _(root, top):
    for (was, taken), texts in MISREAD.items():
        want = {}
        for text in texts:
            try:
                wrong = text.encode(was).decode(taken)
            except UnicodeDecodeError:
                continue
            if wrong.isprintable():
                want[wrong] = text
        true(want, (was, taken))
        make(top, *(n.encode() for n in want))
        found = listed(top, "--mojibake")
        equal({n: line["guess"]["name"] for n, line in found.items()}, want, (was, taken))
        equal({line["guess"]["sure"] for line in found.values()}, {"likely"})
        # by name, as it was done
        pair = f"--mojibake={iconv_name(taken)}:{iconv_name(was)}"
        equal({n: line["guess"]["name"] for n, line in listed(top, pair).items()}, want)
        run("scan", pair, top, status=1, says=f"utf8val fix {pair} ".encode())
        before = inodes(top)
        fix(root, "--mojibake", status=0)
        equal(tree(top), {n.encode() for n in want.values()})
        undo_all(root)
        equal(inodes(top), before)
        for name in tree(top):
            os.unlink(top / name)


@test("--mojibake=CHARSET: short names, too, and UTF-8; what is no such name stays")
def _(root):
    make(root, "óáº.txt".encode(), "日本".encode(), "plain".encode())
    equal({n: line["guess"]["name"] for n, line in
           listed(root, "--mojibake=cp437:cp866").items()}, {"óáº.txt": "ваз.txt"})
    make(root, "é".encode().decode("gbk").encode())
    equal({n: line["guess"]["name"] for n, line in
           listed(root, "--mojibake=gbk").items()}, {"é".encode().decode("gbk"): "é"})
    for charsets in ("", ":", "cp437:", ":cp437", "nothing", "cp437:nothing",
                     "cp437//IGNORE", "cp437; true"):
        run("scan", f"--mojibake={charsets}", root, status=2, says=b"iconv -l")


@test("fix --mojibake: by confidence, reported, numbered, undone")
def _(root, top):
    make(top, *(twice(n).encode() for n in REAL), "Käse.txt".encode())
    os.mkdir(top / twice("Größe").encode())
    make(top / twice("Größe").encode(), twice("où?").encode())
    before = inodes(top)
    fix(root, status=0)
    equal(inodes(top), before)
    got = fix(root, "--mojibake", "--sure", "certain", status=1)
    equal(inodes(top), before)
    got = fix(root, "--mojibake", "--portable", status=0)
    true("/Ã¤ -> ä (double-encoded UTF-8)\n".encode() in got.stdout, got.stdout)
    true("où_ (double-encoded UTF-8, not portable: has '?')".encode()
         in got.stdout, got.stdout)
    equal(tree(top), {n.encode() for n in REAL} | {
        n.encode() for n in ("Käse-2.txt", "Größe", "Größe/où_")})
    undo_all(root)
    equal(inodes(top), before)


main()
