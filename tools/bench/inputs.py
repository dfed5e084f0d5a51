#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Make the benchmark's inputs out of real names and text in Debian packages.
run.py calls this.

  ascii, half, multi          .names   one a line, at most 60000
      file names from dpkg's lists; names of countries, languages, currencies
      and scripts in the translations of iso-codes, those beyond ASCII, as many
      of each language; half and half of both
  lines                       .names   lines of manual pages in de, ja, ru and zh,
      65 to 255 bytes, as many of each length as there are, to 314
  latin cyrillic chinese      .names   phrases of one script, out of the pages in de,
  pictures                             ru and zh, and emoji: from a random word on, as
                                       long as a random file name
  bad                         .names   multi with one byte of each changed so
      that Python's decoder refuses the name
  en de ru ja zh              .text    manual pages, their markup included
  ko hi                       .text    iso-codes in that language
  emoji                       .text    all of Unicode's emoji-test.txt
  spoilt                      .text    zh with a wrong byte in its middle

If an input's source is missing, this fails: tools/packages names the packages.

Usage: tools/bench/inputs.py DIRECTORY
"""

import gettext
import gzip
import itertools
import pathlib
import random
import re
import sys

NAMES = 60000
TEXT = 1 << 18
EMOJI = pathlib.Path("/usr/share/unicode/emoji/emoji-test.txt")


def file_names():
    names = set()
    for path in pathlib.Path("/var/lib/dpkg/info").glob("*.list"):
        for line in path.read_bytes().splitlines():
            name = line.rpartition(b"/")[2]
            if name.isascii() and 0 < len(name) < 256:
                names.add(name)
    return sorted(names)


def translations(language):
    """The strings of iso-codes in that language."""
    texts = set()
    for path in pathlib.Path("/usr/share/locale", language,
                             "LC_MESSAGES").glob("iso_*.mo"):
        with path.open("rb") as file:
            catalog = gettext.GNUTranslations(file)
        # The only public access is by the untranslated string.
        texts.update(text for key, text in catalog._catalog.items()
                     if key and isinstance(text, str) and "\n" not in text)
    return sorted(texts)


def fair(groups, count):
    """Take one of each group in turn until there are enough."""
    turns = itertools.zip_longest(*groups)
    found = [x for turn in turns for x in turn if x is not None]
    return list(dict.fromkeys(found))[:count]


def spoil(name, rng):
    """Change one byte so that the name is ill-formed."""
    while True:
        at = rng.randrange(len(name))
        byte = rng.choice((name[at] ^ 0x80, name[at] ^ 0x40, 0xC0, 0xED, 0xFF))
        bad = name[:at] + bytes([byte]) + name[at + 1:]
        try:
            bad.decode()
        except UnicodeDecodeError:
            if b"\n" not in bad and b"\0" not in bad:
                return bad


def pages(language):
    """Manual pages in that language, one after the other."""
    folder = pathlib.Path("/usr/share/man", language)
    for path in sorted(folder.glob("man*/*.gz")):
        try:
            yield gzip.decompress(path.read_bytes()).decode()
        except UnicodeDecodeError:
            continue    # an old page in another encoding


def manual(language):
    text = ""
    for page in pages(language):
        text += page
        if len(text) > TEXT:
            break
    return text


def prose(language, rng):
    """Lines of manual pages beyond ASCII, without markup, in random order."""
    lines = (re.sub(r"\\f[BIPR]", "", line) for page in pages(language)
             for line in page.splitlines() if line[:1] not in (".", "'"))
    found = sorted({line.strip() for line in lines
                    if not line.isascii() and "\\" not in line})
    rng.shuffle(found)
    return [line for line in found if line]


def phrase(line, size, rng):
    """A line from a random word on, to at most that many bytes and a character."""
    words = line.split()
    text = " ".join(words[rng.randrange(len(words)):])
    return (text.encode()[:size].decode(errors="ignore") or text[0]).encode()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.rstrip().rpartition("\n")[2])
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(3629)

    files = file_names()
    rng.shuffle(files)
    groups = []
    for path in sorted(pathlib.Path("/usr/share/locale").iterdir()):
        group = [name.encode() for name in translations(path.name)
                 if not name.isascii() and len(name.encode()) < 256]
        rng.shuffle(group)
        groups.append(group)
    multi = fair(groups, NAMES)
    half = files[:NAMES // 2] + fair(groups, NAMES // 2)
    languages = [prose(language, rng) for language in ("de", "ja", "ru", "zh_CN")]
    by_language = [[found for found in (
        phrase(line, len(rng.choice(files)), rng) for line in lines)
        if not found.isascii() and len(found) < 256] for lines in languages]
    scripts = {"latin": by_language[0], "cyrillic": by_language[2],
               "chinese": by_language[3]}
    emoji = "".join(re.findall(r"# (\S+) E", EMOJI.read_text("utf-8")))
    scripts["pictures"] = [phrase(emoji[rng.randrange(len(emoji)):][:256],
                                  len(rng.choice(files)), rng) for _ in range(NAMES)]
    scripts = {script: found[:NAMES] for script, found in scripts.items()}
    lengths = [[line.encode() for line in lines] for lines in languages]
    lengths = [fair([[line for line in lines if len(line) == size]
                     for lines in lengths], None) for size in range(65, 256)]
    names = {
        "ascii": files[:NAMES],
        "half": half,
        "multi": multi,
        "lines": [line for lines in lengths for line in
                  lines[:NAMES // len(lengths)]],
        **scripts,
        "bad": [spoil(name, rng) for name in multi],
    }
    for kind, items in names.items():
        if not items:
            sys.exit(f"inputs: no names for {kind}")
        (folder / f"{kind}.names").write_bytes(b"\n".join(items) + b"\n")

    texts = {language: manual(folder_name) for language, folder_name in
             (("de", "de"), ("ru", "ru"), ("ja", "ja"), ("zh", "zh_CN"))}
    texts["en"] = "".join(c for c in manual("") if c < "\x80")
    for language in "ko", "hi":
        texts[language] = "\n".join(translations(language))
    texts["emoji"] = emoji
    for language, text in texts.items():
        data = text.encode()[:TEXT].decode(errors="ignore").encode()
        if len(data) < 4096:
            sys.exit(f"inputs: too little text for {language}")
        (folder / f"{language}.text").write_bytes(data)
        if language == "zh":
            middle = len(data) // 2
            (folder / "spoilt.text").write_bytes(
                data[:middle] + b"\xff" + data[middle + 1:])


if __name__ == "__main__":
    main()
