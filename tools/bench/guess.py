#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Measure how good scan's guesses are. `make bench-guess` calls this.

Names in many languages are written in the charsets that were in use for them, also
those of archives, DOS and the Mac. They are put into three kinds of directories:

- of 1, 5 and 25 names, each a separate tree, so that nothing is learnt from elsewhere;
- of 25 names in which two languages, two charsets or both meet;
- in one tree with all of them.

A last part has charsets of which the command knows nothing, and names in double-encoded
UTF-8.

The results of scan are compared with the original names. For each charset and size, the
program prints the number of right guesses, of names that fix would rename by itself
(sure), and of wrong names among these. The names are not in the data from which the
command's tables were made, or by which its costs were chosen
(tools/bench/guess_names.py). --tuned takes the names by which the costs were chosen
instead, --names your own.

With --without, only the names of some languages, one after the other, as a command
guesses them that has never heard of this language. With --own, only directories of one
language, on a system of that language; with --single, only names alone in a directory.
"""

import argparse
import base64
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import guess_names

sys.path.append(os.path.join(os.path.dirname(__file__), "../gen"))
from names import CHARSETS as GUESSED  # pylint: disable=wrong-import-position

BINARY = os.environ.get("UTF8VAL", "build/utf8val")
SEED = 3629
# The number of names in a directory, and how many directories each row has with --scale
# 1.
SIZES = ((1, 24), (5, 16), (25, 8))
CHARSETS = (
    ("fr", "latin-1"), ("fr", "cp850"), ("fr", "mac-roman"),
    ("de", "latin-1"), ("de", "cp437"), ("de", "cp850"), ("de", "mac-roman"),
    ("es", "cp1252"), ("es", "cp437"), ("es", "cp858"), ("es", "mac-roman"),
    ("pt", "latin-1"), ("pt", "cp850"), ("sv", "cp1252"), ("sv", "cp850"),
    ("it", "latin-1"), ("it", "cp850"), ("da", "cp865"),
    ("pl", "iso8859-2"), ("pl", "cp1250"), ("pl", "cp852"),
    ("cs", "cp1250"), ("cs", "iso8859-2"), ("cs", "cp852"),
    ("hu", "iso8859-2"), ("hu", "cp852"), ("lt", "cp1257"),
    ("ja", "cp932"), ("ja", "euc_jp"), ("zh_CN", "gbk"), ("zh_TW", "big5"),
    ("ko", "euc_kr"), ("ru", "koi8-r"), ("ru", "cp1251"), ("ru", "cp866"),
    ("ru", "iso8859-5"), ("ru", "mac-cyrillic"), ("uk", "cp1251"),
    ("uk", "koi8-u"), ("uk", "cp1125"), ("bg", "cp1251"), ("el", "iso8859-7"), ("el", "cp1253"),
    ("el", "cp737"), ("tr", "iso8859-9"), ("tr", "cp857"), ("he", "cp1255"),
    ("he", "cp862"), ("ar", "cp1256"), ("th", "tis_620"), ("vi", "WINDOWS-1258"), ("vi", "VISCII"),
    ("ka", "GEORGIAN-PS"), ("hy", "ARMSCII-8"), ("br", "latin-1"),
    ("cy", "iso8859-14"), ("ga", "latin-1"), ("eo", "iso8859-3"),
    ("kk", "kz1048"), ("ku", "iso8859-9"), ("fr", "cp863"), ("pt", "cp860"),
    ("ru", "cp855"), ("ru", "unzip:cp866"), ("uk", "unzip:cp866"), ("ja", "unzip:cp932"),
    ("pl", "unzip:cp852"), ("cs", "unzip:cp852"))
# In none of these does the command look for a name: one that names.py lists is left out.
UNKNOWN = tuple(row for row in (
    ("tr", "mac-turkish"), ("el", "mac-greek"), ("ro", "iso8859-16"),
    ("et", "iso8859-4"), ("hr", "mac-croatian"), ("fr", "hp-roman8"),
    ("de", "cp1140"), ("ja", "iso2022_jp"), ("ar", "cp864"), ("ko", "johab"))
    if row[1] not in {codec for _name, codec, _rare in GUESSED})
# The charsets of names, the charsets that they were taken for, and their languages.
MISREAD = (
    ("cp866", "cp437", ("ru", "uk", "bg")), ("cp1251", "cp437", ("ru", "uk", "bg")),
    ("cp932", "cp437", ("ja",)), ("gbk", "cp437", ("zh_CN",)),
    ("euc_kr", "cp437", ("ko",)), ("cp850", "cp437", ("de", "fr", "es", "pt", "sv")),
    *(("utf-8", taken, ("de", "fr", "es", "pl", "cs", "ru", "el", "ja"))
      for taken in ("cp437", "cp850", "mac-roman", "cp1250", "cp1251", "cp866",
                    "koi8-r")))
ENDINGS = (b"", b".txt", b".mp3", b" 2005.doc")

# With --languages: the charsets of each, and the sizes of directories.
WEST = ("latin-1", "cp850", "cp437", "mac-roman")
EVERY = {
    **dict.fromkeys("it fr es pt pt_BR de nl sv da nb nn fi is ca gl ga gd cy eu oc fo lb af "
                    "sq br ast fur wa kab id ms".split(), WEST),
    **dict.fromkeys("pl cs sk hu ro hr sl bs hsb".split(), ("iso8859-2", "cp1250", "cp852")),
    **dict.fromkeys("be bg mk sr".split(), ("cp1251", "iso8859-5", "cp855")),
    **dict.fromkeys(("lt", "lv"), ("cp1257", "iso8859-13", "cp775")),
    **dict.fromkeys(("mt", "eo"), ("iso8859-3",)), **dict.fromkeys(("ar", "fa"), ("cp1256",)),
    "et": ("cp1257", "latin-1", "cp775"), "tr": ("iso8859-9", "cp857"), "az": ("cp1254",),
    "ku": ("iso8859-9",), "crh": ("iso8859-9",), "he": ("cp1255", "cp862"),
    "ru": ("cp1251", "koi8-r", "cp866", "iso8859-5", "cp855", "mac-cyrillic"),
    "uk": ("cp1251", "koi8-u", "cp1125", "iso8859-5"), "th": ("tis_620",),
    "el": ("iso8859-7", "cp1253", "cp737"), "vi": ("WINDOWS-1258", "VISCII"),
    "ja": ("cp932", "euc_jp"), "zh_CN": ("gbk",), "zh_TW": ("big5",), "ko": ("euc_kr",),
    "ka": ("GEORGIAN-PS",), "hy": ("ARMSCII-8",), "kk": ("kz1048",)}
EVERY_SIZES = ((3, 133), (10, 48), (60, 8))
WAYS = (lambda text, number: text + ".doc", lambda text, number: f"{number:02d} - {text}.txt",
        lambda text, number: f"{text} {number}", lambda text, number: text.upper() + ".DOC",
        lambda text, number: text.lower(), lambda text, number: text.replace(" ", "_") + ".jpg",
        lambda text, number: f"{text} - {text.split()[0]}.mp3", lambda text, number: text)


def value(item):
    """The bytes of what scan --json says."""
    if "text" in item:
        return item["text"].encode()
    return base64.b64decode(item["bytes"])


# Languages whose letters other languages of their charsets have, too, or most of them.
LEFT_OUT = ("ga", "ku", "br", "sv", "hu", "da", "cs", "uk", "pt", "bg")


def ignorant(language, root):
    """Build a command without a language: its path."""
    tables = os.path.join(root, language, "guess")
    os.makedirs(tables)
    subprocess.run([sys.executable, "tools/gen/names.py", "--without", language, tables],
                   check=True)
    build = os.path.join(root, language, "build")
    subprocess.run(["make", "-s", "DEPS=no", f"B={build}", f"{build}/utf8val",
                    f"CPPFLAGS=-I{root}/{language}"], check=True)
    return os.path.join(build, "utf8val")


class Bench:
    """The counts, by row and column."""

    def __init__(self, args, root):
        self.args, self.root = args, root
        self.rng = random.Random(SEED)
        self.count = collections.defaultdict(collections.Counter)
        self.kept = []  # for the mixed tree
        self.pools = {}
        self.wrong = []
        self.binary, self.locale = BINARY, "C"

    def pool(self, source, language, charset):
        """A source's names, kept."""
        key = source, language, charset
        if key not in self.pools:
            self.pools[key] = guess_names.names(*key, SEED)
        return self.pools[key]

    def choose(self, pool, size):
        """Some names, as {bytes: text}, with endings."""
        chosen = self.rng.sample(pool, min(size, len(pool)))
        found = {}
        for name, text in chosen:
            end = self.rng.choice(ENDINGS)
            found[name + end] = text + end.decode()
        return found

    def judge(self, rows, column, dirs, *options):
        """Scan a tree of directories, each {bytes: text}, and count."""
        with tempfile.TemporaryDirectory(dir=self.root) as top:
            for number, names in enumerate(dirs):
                path = os.path.join(os.fsencode(top), b"%d" % number)
                os.mkdir(path)
                for name in names:
                    os.close(os.open(os.path.join(path, name), os.O_CREAT))
            got = subprocess.run(
                [self.binary, "scan", "--json", *options, top], check=False,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env=dict(os.environ, LC_ALL=self.locale + ".UTF-8")).stdout
        count = collections.Counter()
        # the first and the last line are about the scan
        for line in got.splitlines()[1:-1]:
            item = json.loads(line)
            name, path = map(value, (item["name"], item["path"]))
            number = path.split(b"/")[-2]
            text = dirs[int(number)][name]
            guess = item.get("guess", {})
            right = guess.get("name") == text
            sure = guess.get("sure") != "possible" and "name" in guess
            count.update(names=1, right=right, sure=sure, wrong=sure and not right)
            if sure and not right:
                self.wrong.append((rows[0], column, text, guess["name"], guess["as"]))
        for row in rows:
            self.count[row, column].update(count)

    def homogeneous(self):
        """Directories in one language and charset."""
        for language, charset in CHARSETS:
            self.locale = language if self.args.own else "C"
            for source in self.args.sources:
                pool = self.pool(source, language, charset)
                if len(pool) < 30:
                    continue
                rows = [f"{language} {charset}", source.__name__, "all"]
                for size, number in SIZES[:1] if self.args.single else SIZES:
                    for _ in range(round(number * self.args.scale)):
                        names = self.choose(pool, size)
                        self.judge(rows + [beyond(names)][:self.args.single],
                                   str(size), [names])
                self.kept += [self.choose(pool, size) for size in (1, 1, 5, 25)]

    def left_out(self):
        """Directories in a language that the command has no model of."""
        for left in self.args.without:
            self.binary = ignorant(left, self.root)
            for language, charset in CHARSETS:
                for source in self.args.sources if language == left else ():
                    pool = self.pool(source, language, charset)
                    if len(pool) < 30:
                        continue
                    for size, number in SIZES:
                        for _ in range(round(number * self.args.scale)):
                            self.judge([f"{language} {charset}", "without"], str(size),
                                       [self.choose(pool, size)])

    def mixed(self):
        """Directories in which two languages or charsets meet, and a tree of all
        directories."""
        pairs = [(source, *pair) for pair in CHARSETS for source in self.args.sources
                 if len(self.pool(source, *pair)) >= 30]
        for _ in range(round(200 * self.args.scale)):
            names = {}
            for size in (15, 10):
                names |= self.choose(self.pool(*self.rng.choice(pairs)), size)
            self.judge(["two meet", "all"], "25", [names])
        self.rng.shuffle(self.kept)
        self.judge(["one tree", "all"], "mixed", self.kept)

    def every(self):
        """Directories of any language that has names here, each named in one way."""
        for language, charsets in EVERY.items():
            texts = sorted({text for source in (guess_names.iso_codes, guess_names.messages)
                            for text in guess_names.texts(source, language, SEED)
                            if len(text) < 50 and not text.isascii() and text.split()})
            if len(texts) < 40:
                continue
            for charset in charsets:
                for size, number in EVERY_SIZES:
                    for _ in range(round(number * self.args.scale)):
                        way = self.rng.choice(WAYS)
                        chosen = [way(text, self.rng.randrange(1, 99)) for text in
                                  self.rng.sample(texts, min(3 * size, len(texts)))]
                        names = [pair for pair in guess_names.encoded(chosen, charset)
                                 if not guess_names.is_utf8(pair[0])][:size]
                        if len(names) >= min(3, size):
                            self.judge([language, "every language"], str(size), [dict(names)])

    def events(self):
        """Directories in which names differ only in a number."""
        for language, charset in CHARSETS:
            for source in self.args.sources:
                pool = self.pool(source, language, charset)
                for name, text in self.rng.sample(pool, min(len(pool), round(
                        8 * self.args.scale))):
                    self.judge(["one event"], "30", [{
                        name + b" %03d.jpg" % n: text + f" {n:03d}.jpg" for n in range(30)}])

    def forms(self):
        """UTF-8 that was cut at the longest name, that wget has written, that is CESU-8."""
        for language in ("fr", "de", "cs", "ru", "el", "ja"):
            texts = [text for source in self.args.sources
                     for text in guess_names.texts(source, language, SEED)
                     if not text.isascii()][:300]
            long = [(text + " " + " ".join(self.rng.sample(texts, 20))).encode()
                    for text in texts]
            for row, names in (
                    ("UTF-8, cut", {n[:255]: n[:255].decode("utf-8", "ignore")
                                    for n in long}),
                    ("UTF-8, by wget", {re.sub(rb"[\x80-\x9f]", lambda byte: b"%%%02X" %
                                               byte[0][0], t.encode()): t for t in texts}),
                    ("CESU-8", {t.encode() + b"\xed\xa0\xbd\xed\xb8\x80": t + "\U0001F600"
                                for t in texts})):
                names = {n: t for n, t in names.items()
                         if not guess_names.is_utf8(n) and len(n) < 256}
                if names:
                    self.judge([row], "any", [names])

    def unknown(self):
        """Names in charsets that the command does not know."""
        for language, charset in UNKNOWN:
            for source in self.args.sources:
                try:
                    pool = self.pool(source, language, charset)
                except LookupError:
                    continue
                if len(pool) < 30:
                    continue
                for size, number in SIZES:
                    for _ in range(round(number * self.args.scale)):
                        self.judge([f"{language} {charset}", "unknown"],
                                   str(size), [self.choose(pool, size)])

    def misread(self):
        """Names that were taken for a charset that they are not in."""
        for was, taken, languages in MISREAD:
            for language in languages:
                names = {}
                texts = [text for source in self.args.sources
                         for text in guess_names.texts(source, language, SEED)]
                for text in texts[:2000]:
                    try:
                        name = text.encode(was).decode(taken)
                    except UnicodeError:
                        continue
                    if name != text and name.isprintable() and len(name.encode()) < 256:
                        names[name.encode()] = text
                if names:
                    names = dict(list(names.items())[:300])
                    row = f"{was} as {taken}", "any"
                    seen = self.count[row]["names"]
                    self.judge([row[0]], "any", [names], "--mojibake")
                    self.count[row]["names"] = seen + len(names)

    def double(self):
        """Names in double-encoded UTF-8, and the same names once."""
        for language in sorted({language for language, _ in CHARSETS}):
            for source in self.args.sources:
                texts = [text for _, text in self.pool(source, language,
                                                       "utf-16-le")[:2000]]
                for row, names in (
                        ("UTF-8 twice", {twice(t).encode(): t for t in texts}),
                        ("UTF-8 once", {t.encode(): None for t in texts})):
                    names = {n: t for n, t in names.items() if len(n) < 256}
                    if names:
                        # Names that scan does not list count, too.
                        seen = self.count[row, "any"]["names"]
                        self.judge([row], "any", [names], "--mojibake")
                        self.count[row, "any"]["names"] = seen + len(names)


def beyond(names):
    """The row of a single name by how much of it is not ASCII."""
    count = sum(byte >= 0x80 for name in names for byte in name)
    return f"{min(count, 5)}{'+' * (count > 4)} beyond ASCII"


def twice(text):
    """UTF-8 taken for Windows-1252, and encoded again."""
    return "".join(bytes([b]).decode("cp1252", "ignore") or chr(b) for b in text.encode())


def main():
    """The whole table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1,
                        help="so many times as many directories")
    names = parser.add_mutually_exclusive_group()
    names.add_argument("--tuned", action="store_true")
    names.add_argument("--names", metavar="FOLDER",
                       help="names from FOLDER/LANGUAGE.txt, one a line, in "
                       "UTF-8; LANGUAGE as in the table: fr, zh_CN")
    parser.add_argument("--without", metavar="LANGUAGE", nargs="*",
                        help="names of languages that are left out of the tables: of "
                        f"these, or {' '.join(LEFT_OUT)}")
    parser.add_argument("--own", action="store_true",
                        help="only directories of one language, which is the system's")
    parser.add_argument("--single", action="store_true",
                        help="only names alone in a directory, also by how many of their "
                        "bytes are not ASCII")
    parser.add_argument("--mojibake", action="store_true",
                        help="only names that were decoded in a wrong charset")
    parser.add_argument("--languages", action="store_true",
                        help="only names of all languages that iso-codes and the programs "
                        "installed here have, by language")
    parser.add_argument("--wrong", action="store_true",
                        help="write every wrong one to standard error")
    args = parser.parse_args()
    args.sources = guess_names.TUNED if args.tuned else guess_names.HELD_OUT
    args.without = LEFT_OUT if args.without == [] else args.without
    if args.names:
        languages = {language for language, _ in CHARSETS + UNKNOWN}
        if not any(os.path.exists(os.path.join(args.names, f"{one}.txt"))
                   for one in languages):
            parser.error(f"{args.names} has no file LANGUAGE.txt, where LANGUAGE "
                         f"is one of {' '.join(sorted(languages))}")
        args.sources = [guess_names.from_folder(args.names)]
    with tempfile.TemporaryDirectory(dir="/dev/shm") as root:
        bench = Bench(args, root)
        parts = (bench.homogeneous, bench.mixed, bench.events, bench.forms, bench.unknown,
                 bench.misread, bench.double)
        if args.mojibake:
            parts = bench.misread, bench.double
        if args.languages:
            parts = (bench.every,)
        if args.own or args.without or args.single:
            parts = (bench.left_out if args.without else bench.homogeneous,)
        for part in parts:
            part()
    print(f"{'':20s}{'in one':>7s}{'names':>8s}{'right':>9s}{'sure':>9s}"
          f"{'of these wrong':>18s}")
    for (row, size), count in bench.count.items():
        whole, sure = max(1, count["names"]), count["sure"]
        print(f"{row:20s}{size:>7s}{count['names']:8d}"
              f"{100 * count['right'] / whole:8.1f}%{100 * sure / whole:8.1f}%"
              f"{100 * count['wrong'] / max(1, sure):8.3f}%"
              f"  {count['wrong']} of {sure}")
    for item in bench.wrong if args.wrong else ():
        print(*item, sep="\t", file=sys.stderr)


if __name__ == "__main__":
    main()
