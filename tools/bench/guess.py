#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""How good are scan's guesses? Real names in many languages, from the iso-codes
package (countries and languages), are encoded in the charsets that were in use
for them and put into directories of 1, 3, 10 and 40 names; what scan makes of
them is compared with what they were. Prints, for each charset and size, how many
were right, how many were said to be likely, and how many of those were wrong.
"""

import base64
import collections
import gettext
import json
import os
import random
import subprocess
import tempfile

BINARY = os.environ.get("UTF8VAL", "build/utf8val")
SEED = 3629
SIZES = (1, 3, 10, 40)
DIRECTORIES = 60
CHARSETS = (
    ("fr", "latin-1"), ("de", "latin-1"), ("es", "cp1252"), ("pt", "latin-1"),
    ("sv", "cp1252"), ("it", "latin-1"), ("pl", "iso8859-2"),
    ("cs", "cp1250"), ("hu", "iso8859-2"), ("ja", "shift_jis"),
    ("ja", "euc_jp"), ("zh_CN", "gbk"), ("zh_TW", "big5"), ("ko", "euc_kr"),
    ("ru", "koi8-r"), ("ru", "cp1251"), ("uk", "cp1251"), ("ru", "cp866"),
    ("el", "iso8859-7"), ("tr", "iso8859-9"), ("he", "cp1255"),
    ("th", "tis_620"))
ENDINGS = (b"", b".txt", b".mp3", b" 2005.doc")


def is_utf8(name):
    """Then scan would not list it."""
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True


def names(language, charset):
    """Every translated name that is not ASCII, encoded."""
    found = set()
    for domain in ("iso_3166-1", "iso_639-2"):
        table = gettext.translation(domain, languages=[language])
        # pylint: disable=protected-access
        for text in table._catalog.values():
            if isinstance(text, str) and 0 < len(text) < 60 \
                    and "\n" not in text:
                found.add(text.replace("/", "_"))
    encoded = (text.encode(charset, "ignore") for text in found)
    return sorted(name for name in encoded if name and not is_utf8(name))


def measure(pool, charset, size, rng):
    """(right, likely, likely but wrong) of all."""
    count = collections.Counter()
    with tempfile.TemporaryDirectory(dir="/dev/shm") as root:
        for number in range(DIRECTORIES):
            path = os.path.join(os.fsencode(root), b"%d" % number)
            os.mkdir(path)
            for name in rng.sample(pool, min(size, len(pool))):
                name = os.path.join(path, name + rng.choice(ENDINGS))
                os.close(os.open(name, os.O_CREAT))
        got = subprocess.run([BINARY, "scan", "--json", root], check=False,
                             stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL).stdout
    for line in got.splitlines():
        item = json.loads(line)
        name = base64.b64decode(item["name"]["bytes"])
        guess = item.get("guess", {})
        right = guess.get("name") == name.decode(charset)
        count["all"] += 1
        count["right"] += right
        if guess.get("sure") != "possible":
            count["likely"] += "sure" in guess
            count["wrong"] += "sure" in guess and not right
    return count


def main():
    """The whole table."""
    rng = random.Random(SEED)
    total = {size: collections.Counter() for size in SIZES}
    print("charset             names  right  likely  likely, but wrong")
    for language, charset in CHARSETS:
        pool = names(language, charset)
        for size in SIZES:
            count = measure(pool, charset, size, rng)
            total[size].update(count)
            print_row(f"{language} {charset}", size, count)
    for size in SIZES:
        print_row("all", size, total[size])


def print_row(label, size, count):
    """One line of the table."""
    whole = count["all"]
    print(f"{label:20s}{size:5d}{100 * count['right'] / whole:6.1f}%"
          f"{100 * count['likely'] / whole:7.1f}%"
          f"{100 * count['wrong'] / max(1, count['likely']):8.2f}%"
          f"  ({count['wrong']} of {count['likely']})", flush=True)


main()
