#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""How good are scan's guesses? Names in many languages are encoded in the
charsets that were in use for them, those of archives, DOS and the Mac among
them, and put into directories of 1, 5 and 25 names, each a tree of its own, so
that nothing is learnt from elsewhere; then into one tree with all of them. What
scan makes of them is compared with what they were. Prints, for each charset and
size, how many were right, how many fix would rename by itself, and how many of
those wrongly.

The names are none that the tables were counted in: countries and languages from
iso-codes, and where they are installed words from hunspell's dictionaries,
headings of manual pages, and messages of whatever has translations here.
"""

import argparse
import base64
import collections
import gettext
import glob
import gzip
import json
import os
import random
import re
import subprocess
import tempfile

BINARY = os.environ.get("UTF8VAL", "build/utf8val")
SEED = 3629
SIZES = (1, 5, 25)
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
    ("uk", "koi8-u"), ("el", "iso8859-7"), ("el", "cp1253"), ("el", "cp737"),
    ("tr", "iso8859-9"), ("tr", "cp857"), ("he", "cp1255"), ("he", "cp862"),
    ("ar", "cp1256"), ("th", "tis_620"))
ENDINGS = (b"", b".txt", b".mp3", b" 2005.doc")


def catalog(path):
    """The messages of a translation, their first lines without formats."""
    with open(path, "rb") as file:
        # pylint: disable=protected-access
        table = gettext.GNUTranslations(file)._catalog
    for text in table.values():
        if isinstance(text, str):
            yield re.sub(r"%\S+|[<>{}].*", "", text.split("\n")[0])


def iso_codes(language):
    """Countries, regions, currencies and languages."""
    language = {"pt": "pt_BR"}.get(language, language)
    for path in glob.glob(f"/usr/share/locale/{language}/LC_MESSAGES/iso_*"):
        yield from catalog(path)


def messages(language):
    """What the programs installed here say."""
    language = {"pt": "pt_BR"}.get(language, language)
    for path in glob.glob(f"/usr/share/locale/{language}/LC_MESSAGES/*.mo"):
        if not os.path.basename(path).startswith("iso_"):
            yield from catalog(path)


def manuals(language):
    """Lines of manual pages, four words of each."""
    language = {"pt": "pt_BR"}.get(language, language)
    for path in glob.glob(f"/usr/share/man/{language}/man*/*.gz"):
        with gzip.open(path, "rt", encoding="utf-8", errors="ignore") as file:
            for line in file:
                if line.startswith((".SH", ".SS")) or line[0] not in ".'":
                    line = re.sub(r"^\.S[HS]|\\f.|\\\S+|\"", "", line)
                    yield " ".join(line.split()[:4])


def dictionary(language):
    """One to four words of a dictionary, one of them with more than ASCII."""
    rng = random.Random(SEED)
    for path in glob.glob(f"/usr/share/hunspell/{language}_??.dic")[:1]:
        with open(path[:-3] + "aff", "rb") as file:
            codec = re.search(rb"SET\s+(\S+)", file.read(4000))
        with open(path, "rb") as file:
            text = file.read().decode(codec[1].decode().replace(
                "microsoft-", ""), "ignore")
        words = [w.split("/")[0] for w in text.split("\n")[1:]]
        words = [w for w in words if re.fullmatch(r"[^\W\d_]{3,}", w)]
        marked = [w for w in words if not w.isascii()]
        for _ in range(3000 if marked else 0):
            name = rng.choices(words, k=rng.randrange(4)) + [
                rng.choice(marked)]
            rng.shuffle(name)
            if rng.random() < 0.5:
                name[0] = name[0].capitalize()
            yield " ".join(name)


SOURCES = {"iso-codes": iso_codes, "messages": messages, "manuals": manuals,
           "dictionary": dictionary}


def is_utf8(name):
    """Then scan would not list it."""
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True


def names(source, language, charset):
    """Every name of a source that is not ASCII, encoded."""
    found = set()
    for text in SOURCES[source](language):
        text = text.replace("/", "_").replace("’", "'").strip(" .:-")
        if 1 < len(text) < 60 and text.isprintable():
            try:
                found.add(text.encode(charset))
            except UnicodeEncodeError:
                pass
    return sorted(name for name in found if not is_utf8(name))


def fill(path, pool, size, rng):
    """Make a directory of some of the names."""
    os.mkdir(path)
    for name in rng.sample(pool, min(size, len(pool))):
        name = os.path.join(path, name + rng.choice(ENDINGS))
        os.close(os.open(name, os.O_CREAT))


def judge(path, charset_of):
    """(right, decided, decided but wrong) of all below a path."""
    count = collections.Counter()
    got = subprocess.run([BINARY, "scan", "--json", path], check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         env=dict(os.environ, LC_ALL="C.UTF-8")).stdout
    for line in got.splitlines():
        item = json.loads(line)
        name = base64.b64decode(item["name"]["bytes"])
        guess = item.get("guess", {})
        right = guess.get("name") == name.decode(charset_of(item))
        count["all"] += 1
        count["right"] += right
        if guess.get("sure") != "possible" and "name" in guess:
            count["decided"] += 1
            count["wrong"] += not right
    return count


def of_directory(item):
    """The charset that a directory of the mixed tree is named after."""
    path = base64.b64decode(item["path"]["bytes"])
    return path.split(b"/")[-2].split(b",")[0].decode()


def measure(args, rng):
    """Everything, into a counter for each row."""
    total = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as root:
        root = os.fsencode(root)
        mixed = os.path.join(root, b"mixed")
        os.mkdir(mixed)
        for language, charset in CHARSETS:
            for source in args.sources:
                pool = names(source, language, charset)
                if len(pool) < 30:
                    continue
                for size in SIZES:
                    for number in range(max(1, args.names // size)):
                        path = os.path.join(root, b"one")
                        fill(path, pool, size, rng)
                        count = judge(path, lambda _item, c=charset: c)
                        for row in (f"{language} {charset}", source, "all"):
                            total[row, str(size)].update(count)
                        if number == 0:
                            os.rename(path, os.path.join(
                                mixed, b"%s,%s,%s,%d" % (
                                    charset.encode(), language.encode(),
                                    source.encode(), size)))
                        else:
                            subprocess.run(["rm", "-r", path], check=True)
        total["all", "mixed"].update(judge(mixed, of_directory))
    return total


def main():
    """The whole table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--names", type=int, default=100,
                        help="of each source, charset and size")
    parser.add_argument("--sources", nargs="*", default=list(SOURCES))
    args = parser.parse_args()
    total = measure(args, random.Random(SEED))
    print("                     names    right  decided  decided, but wrong")
    for (row, size), count in total.items():
        whole, decided = count["all"], count["decided"]
        print(f"{row:20s}{size:>6s}{100 * count['right'] / whole:8.1f}%"
              f"{100 * decided / whole:8.1f}%"
              f"{100 * count['wrong'] / max(1, decided):8.3f}%"
              f"  ({count['wrong']} of {decided})")


if __name__ == "__main__":
    main()
