#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Write the tables by which the command finds the charset of a name. tools/tools.mk and
tests/lint.sh call this.

The tables have the frequency of each pair of letters in a language and of East Asian
characters, and the letter of each byte in an older charset.

The letters are counted here in the Unicode Common Locale Data Repository, in Debian's
package unicode-cldr-core: words for countries, languages, places, things and feelings.
The frequencies of East Asian characters come from there and from the Unihan database in
Debian's unicode-data. Both are under Unicode's licence, which allows that. The charsets
are CPython's, or glibc's iconv's where CPython has none.

Writes two files into a directory: letter_tables.h, and sizes.h, the sizes of the command's
tables. To add a language or a charset, add a row here.
"""

import argparse
import bz2
import collections
import functools
import math
import pathlib
import re
import subprocess
import sys
import textwrap
import unicodedata
import xml.etree.ElementTree

import output

UNICODE = pathlib.Path("/usr/share/unicode")
CLDR = UNICODE / "cldr/common"
KINDS = ("main", "annotations", "annotationsDerived", "subdivisions")

# A cost is -ln of a probability, in eighths. It is written as one printable character
# that a C string need not escape, and that cannot begin a trigraph.
DIGITS = "".join(chr(c) for c in range(0x23, 0x7E) if chr(c) not in "?\\")
STEPS = 8
# The command stores numbers of letters in bytes, of which three values mean something
# else.
MOST_LETTERS = 253
# The number of letters of most languages, with the letters of the words that they borrow.
USUAL_LETTERS = 46
# The command's arrays have a multiple of so many readings, so that loops over them become
# vector instructions alone.
LANES = 16

WEST = ("ISO-8859-1", "WINDOWS-1252", "ISO-8859-15", "CP437", "CP850", "CP858",
        "MACINTOSH")
NORDIC = WEST + ("CP865",)
CENTRAL = ("WINDOWS-1250", "ISO-8859-2", "CP852", "MAC-CENTRALEUROPE", "unzip:CP852")
BALTIC = ("WINDOWS-1257", "ISO-8859-13", "CP775")
TURKISH = ("WINDOWS-1254", "ISO-8859-9", "CP857")
CYRILLIC = ("WINDOWS-1251", "KOI8-R", "KOI8-U", "CP866", "ISO-8859-5",
            "MAC-CYRILLIC", "CP855", "unzip:CP866")
UKRAINIAN = CYRILLIC + ("CP1125",)
GREEK = ("WINDOWS-1253", "ISO-8859-7", "CP737", "CP869")
HEBREW = ("WINDOWS-1255", "ISO-8859-8", "CP862")
ARABIC = ("WINDOWS-1256", "ISO-8859-6")
THAI = ("CP874", "TIS-620")
CELTIC = WEST + ("ISO-8859-14",)
# Charsets with letters without tones, and with the tones as characters of their own.
VIETNAMESE_TONES = ("WINDOWS-1258",)

# The name that iconv has for a charset, the name that CPython has or None, and how rare
# the charset is among names (in nats).
CHARSETS = (
    ("ISO-8859-1", "latin-1", 0), ("WINDOWS-1252", "cp1252", 0.1),
    ("ISO-8859-15", "iso8859-15", 1.5), ("CP437", "cp437", 1.5),
    ("CP850", "cp850", 1.2), ("CP858", "cp858", 1.7), ("CP865", "cp865", 3),
    ("MACINTOSH", "mac-roman", 2), ("WINDOWS-1250", "cp1250", 0),
    ("ISO-8859-2", "iso8859-2", 0.3), ("CP852", "cp852", 1.2),
    ("MAC-CENTRALEUROPE", "mac-latin2", 3), ("WINDOWS-1257", "cp1257", 0),
    ("ISO-8859-13", "iso8859-13", 1), ("CP775", "cp775", 2),
    ("WINDOWS-1254", "cp1254", 0), ("ISO-8859-9", "iso8859-9", 0.3),
    ("CP857", "cp857", 1.5), ("WINDOWS-1251", "cp1251", 0),
    ("KOI8-R", "koi8-r", 0.7), ("KOI8-U", "koi8-u", 1), ("CP866", "cp866", 0.8),
    ("ISO-8859-5", "iso8859-5", 2.5), ("MAC-CYRILLIC", "mac-cyrillic", 2.5),
    ("CP855", "cp855", 3), ("CP1125", "cp1125", 2), ("WINDOWS-1253", "cp1253", 0),
    ("ISO-8859-7", "iso8859-7", 0.3), ("CP737", "cp737", 1),
    ("CP869", "cp869", 4), ("WINDOWS-1255", "cp1255", 0),
    ("ISO-8859-8", "iso8859-8", 0.7), ("CP862", "cp862", 1.2),
    ("WINDOWS-1256", "cp1256", 0), ("ISO-8859-6", "iso8859-6", 1),
    ("CP874", "cp874", 0), ("TIS-620", "tis-620", 0.3),
    ("CP860", "cp860", 2), ("CP861", "cp861", 2), ("CP863", "cp863", 4),
    ("WINDOWS-1258", "cp1258", 0), ("VISCII", None, 1), ("TCVN", None, 1),
    ("GEORGIAN-PS", None, 0.5), ("GEORGIAN-ACADEMY", None, 1),
    ("ARMSCII-8", None, 0.5), ("RK1048", "kz1048", 0.5), ("PT154", "ptcp154", 2),
    ("ISO-8859-14", "iso8859-14", 3), ("ISO-8859-3", "iso8859-3", 1),
    ("unzip:CP866", None, 4), ("unzip:CP852", None, 5))
# The changes by Info-ZIP's unzip to names of archives that were made under DOS. It takes
# them for CP850 and writes ISO-8859-1, except for one character that is not in this.
UNZIP = "unzip:"
UNZIP_ALSO = {"\u0192": 0x83}
# The charsets in which two bytes can join to one character.
JOINING = ("WINDOWS-1255", "WINDOWS-1258", "VISCII", "TCVN")

# The name that CLDR has for a language, the charsets it was written in, and how rare it
# is.
LANGUAGES = [
    ("en", WEST, 0.7), ("de", WEST, 0), ("fr", WEST + ("CP863",), 0), ("es", WEST, 0),
    ("pt", WEST + ("CP860",), 0), ("it", WEST, 0.3), ("nl", WEST, 0.7), ("sv", WEST, 0.3),
    ("da", NORDIC, 0.5), ("no", NORDIC, 0.7), ("fi", WEST, 0.5), ("is", WEST + ("CP861",), 1),
    ("ca", WEST, 0.7), ("gl", WEST, 1.5), ("eu", WEST, 1.5),
    ("ga", CELTIC, 2), ("br", CELTIC, 2), ("cy", CELTIC, 2), ("gd", CELTIC, 2),
    ("lb", WEST, 2), ("af", WEST, 2), ("sc", WEST, 3), ("fur", WEST, 3), ("fo", WEST, 2),
    ("mt", ("ISO-8859-3",), 2),
    ("sq", WEST + CENTRAL, 1.5), ("eo", ("ISO-8859-3",), 2),
    ("pl", CENTRAL, 0), ("cs", CENTRAL, 0.3), ("sk", CENTRAL, 0.7),
    ("hu", CENTRAL, 0.3), ("ro", CENTRAL, 0.7), ("hr", CENTRAL, 0.7),
    ("sl", CENTRAL, 1), ("lt", BALTIC, 0.7), ("lv", BALTIC, 0.7),
    ("et", BALTIC + ("ISO-8859-15", "WINDOWS-1252"), 1), ("tr", TURKISH, 0),
    ("ku", ("WINDOWS-1254", "ISO-8859-9"), 2), ("vi", ("VISCII", "TCVN"), 0.7),
    ("vi", VIETNAMESE_TONES, 0.7),
    ("ka", ("GEORGIAN-PS", "GEORGIAN-ACADEMY"), 1), ("hy", ("ARMSCII-8",), 1),
    ("kk", ("RK1048", "PT154"), 1),
    ("ru", CYRILLIC, 0), ("uk", UKRAINIAN, 0.3), ("be", CYRILLIC, 1),
    ("bg", CYRILLIC, 0.7), ("sr", CYRILLIC, 1), ("mk", CYRILLIC, 1.5),
    ("el", GREEK, 0), ("he", HEBREW, 0), ("ar", ARABIC, 0),
    ("fa", ("WINDOWS-1256",), 0.7), ("th", THAI, 0)]

# A language that is not above, of a script. Its words are like those of all languages
# above that were written in these charsets. Each letter beyond the common ones is as
# probable as any other. The charsets, the common letters, and the number of others that
# such a language may have.
FOREIGN = ((NORDIC + CENTRAL + BALTIC + TURKISH, "abcdefghijklmnopqrstuvwxyz", 40),
           (CYRILLIC, "абвгдежзийклмнопрстуфхцчшщьюя", 20))

# Letters that a language was written with where its own letters were missing.
STAND_INS = {"ro": str.maketrans("șțȘȚ", "şţŞŢ")}
# Words that make up much of any text and little of the data of CLDR.
SMALL_WORDS = {
    "it": "è più perché può già così città né ciò là sì", "fr": "à où été très là même être",
    "pt": "à é às não são até já está", "ca": "és més què", "nl": "één", "cy": "â tŷ",
    "gd": "à mòr às dè", "mt": "ħafna", "af": "sê", "eo": "ĉi ĝi ŝi aŭ",
    "sv": "å ö på för är och från när", "da": "å på være når får", "no": "å på være når får så",
    "is": "á í", "fo": "á í", "hu": "ő és még", "es": "más qué año", "de": "für über",
    "ga": "á é í ó", "gl": "á é", "ro": "și în să", "pl": "są się", "cs": "že jsem při",
    "sk": "že", "sl": "še če", "hr": "što", "et": "või", "fi": "että", "tr": "için çok"}


def texts(language):
    """Every text of a language in CLDR."""
    for kind in KINDS:
        path = CLDR / kind / f"{language}.xml"
        if not path.exists():
            continue
        for element in xml.etree.ElementTree.parse(path).iter():
            # descriptions of sets of characters are not language
            if element.text and element.tag not in (
                    "exemplarCharacters", "parseLenient", "pattern", "cr"):
                yield unicodedata.normalize("NFC", element.text)


def words(language, charsets):
    """A language's words with their weights: frequent ones count for more."""
    counts = collections.Counter()
    pattern = re.compile("[\u0e00-\u0e7f]+" if language == "th" else r"[^\W\d_²³¹ªº¼½¾]+")
    for text in texts(language):
        counts.update(pattern.findall(text.translate(STAND_INS.get(language, {}))))
    folded = collections.Counter()
    for word, count in counts.items():
        word = word.lower() if language != "tr" else \
            word.replace("I", "ı").replace("İ", "i").lower()
        folded[word] += min(count, 8)
    weighted = {word: 1 + math.log2(count) for word, count in folded.items()}
    whole = sum(weighted.values())
    # The commonest accents of Italian are in forms that data has no use for.
    if language == "it":
        for stem in ("sar", "potr", "dovr", "far", "user", "verr"):
            weighted[stem + "à"] = weighted[stem + "ò"] = whole / 3000
        for stem in ("modal", "un", "qual", "attiv", "libert", "societ"):
            weighted[stem + "ità"] = whole / 3000
    for word in SMALL_WORDS.get(language, "").translate(
            STAND_INS.get(language, {})).split():
        weighted[word] = whole / 600
    if charsets == VIETNAMESE_TONES:
        # Keyboards write all tones apart, converters only the tones that have no letter.
        both = collections.Counter()
        for kept in "", decoded(charsets[0]):
            for word, weight in weighted.items():
                both[with_tones(word, kept)] += weight
        weighted = both
    return weighted


def with_tones(word, kept):
    """As Vietnamese is written in WINDOWS-1258: letters, each before its tone, except for
    those that are kept as one."""
    def apart(char):
        # the mark that makes a letter stands next to it, whatever Unicode's order is
        parts = re.sub("([\u0300\u0301\u0303\u0309\u0323])([\u0302\u0306\u031b])",
                       r"\2\1", unicodedata.normalize("NFD", char))
        return re.sub(".[\u0302\u0306\u031b]", lambda match:
                      unicodedata.normalize("NFC", match[0]), parts)
    return "".join(char if char in kept else apart(char) for char in word)


def by_iconv(name):
    """The character of each byte from 0x80 on, by glibc."""
    lines = b"".join(bytes([b, 10]) for b in range(0x80, 0x100))
    done = subprocess.run(["iconv", "-c", "-f", name, "-t", "UTF-8"],
                          input=lines, stdout=subprocess.PIPE, check=False)
    chars = done.stdout.decode().split("\n")[:-1]
    if len(chars) != 128:
        sys.exit(f"names: iconv does not convert from {name}")
    return "".join(char or "\ufffd" for char in chars)


def need_iconv():
    """The command converts with iconv(3) alone, for every source of the bytes."""
    known = subprocess.run(["iconv", "-l"], stdout=subprocess.PIPE, check=True)
    for name, _codec, _rare in CHARSETS:
        if name.removeprefix(UNZIP) not in re.findall(r"[^\s/]+", known.stdout.decode()):
            sys.exit(f"names: iconv does not know {name}, so that the command could not"
                     " convert from it")


@functools.cache
def unzipped():
    """The bytes for which unzip writes each byte from 0x80 on; 0 where it writes none."""
    written = {UNZIP_ALSO.get(char, ord(char)): b
               for b, char in enumerate(decoded("CP850"), 0x80)}
    return [written.get(b, 0) for b in range(0x80, 0x100)]


@functools.cache
def decoded(name):
    """The characters of the bytes from 0x80 on; U+FFFD where there is none."""
    if name.startswith(UNZIP):
        known = decoded(name.removeprefix(UNZIP))
        return "".join(known[b - 0x80] if b else "\ufffd" for b in unzipped())
    codec = {known: codec for known, codec, _rare in CHARSETS}[name]
    chars = by_iconv(name) if codec is None else "".join(
        bytes([b]).decode(codec, "replace") for b in range(0x80, 0x100))
    return "".join("\ufffd" if unicodedata.category(c) in ("Cc", "Co", "Cn")
                   else c for c in chars)


def alphabet(language, charsets, weighted):
    """The letters a language has in its charsets, a to z first: its own, and as many
    foreign ones as come to USUAL_LETTERS with these."""
    within = set()
    for name in charsets:
        within.update(decoded(name).lower())
    counts = collections.Counter()
    for word, weight in weighted.items():
        for letter in word:
            counts[letter] += weight
    latin = [chr(c) for c in range(ord("a"), ord("z") + 1)]
    total = sum(counts.values())
    if sum(counts[letter] for letter in latin) < total / 2:
        latin = []
    own = [letter for letter, count in counts.most_common()
           if letter in within and letter > "\x7f" and len(letter.upper()) <= 2 and
           (count > total / 50000 or not latin)]
    standard = exemplars(language)
    return latin + [letter for number, letter in enumerate(own)
                    if not latin or number < USUAL_LETTERS - len(latin)
                    or letter in standard]


def encode_cost(probability):
    """The cost of a probability as one printable character, neither a quote nor a
    backslash."""
    level = max(0, round(-math.log(probability) * STEPS))
    return DIGITS[min(level, len(DIGITS) - 1)]


def together(counted, charsets):
    """The words of all languages that were written in any of these charsets; all
    languages have the same weight. A word that many languages have, like the name of a
    place, counts once. counted has those of each."""
    both = collections.Counter()
    for (_name, own, _rare), weighted in zip(LANGUAGES, counted):
        whole = sum(weighted.values())
        for word, weight in weighted.items() if set(own) & set(charsets) else ():
            both[word] = max(both[word], 1e5 * weight / whole)
    return both


def costs(letters, weighted, others=0):
    """Rows of the costs of one class after another. Class 0 is no letter, 1 a letter of
    another language, or any one of so many others."""
    size = len(letters) + 2
    index = {letter: number for number, letter in enumerate(letters, 2)}
    pairs = [[0.0] * size for _ in range(size)]
    single = [0.0] * size
    for word, weight in weighted.items():
        classes = [0] + [index.get(letter, 1) for letter in word] + [0]
        for before, after in zip(classes, classes[1:]):
            pairs[before][after] += weight
            single[after] += weight
    total = sum(single)
    # Letters of other languages are rare in a name.
    floor = [(count + 0.5) / (total + 0.5 * size) for count in single]
    floor[1] = floor[1] if others else 1e-5
    rows = []
    for before in range(size):
        row = pairs[before]
        kinds = sum(count > 0 for count in row) + 1
        whole = sum(row) + kinds
        chance = [max((row[after] + kinds * floor[after]) / whole, 1e-5)
                  for after in range(size)]
        if others:
            chance[1] /= others
        elif before == 1:
            chance = [2e-5] * size
        else:
            chance[1] = 2e-5
        rows.append("".join(map(encode_cost, chance)))
    return rows


def unihan(file, field):
    """A field of the Unihan database."""
    found = {}
    with bz2.open(UNICODE / f"Unihan_{file}.txt.bz2", "rt", encoding="utf-8") as lines:
        for line in lines:
            part = line.rstrip("\n").split("\t")
            if len(part) == 3 and part[1] == field:
                found[chr(int(part[0][2:], 16))] = part[2]
    return found


def exemplars(language):
    """The characters that CLDR calls standard for a language."""
    tree = xml.etree.ElementTree.parse(CLDR / "main" / f"{language}.xml")
    text = "".join(e.text or "" for e in tree.iter("exemplarCharacters")
                   if not e.get("type"))
    return {c for c in text if ord(c) >= 0x80}


def east_asian(language):
    """The probability of each character."""
    weight = collections.Counter()
    for text in texts(language):
        weight.update(c for c in text if ord(c) >= 0x80)
    total = sum(weight.values())
    for char in exemplars(language):
        weight[char] += total / 20000
    if language == "zh":
        spoken = {char: sum(map(int, re.findall(r"\((\d+)\)", text)))
                  for char, text in unihan("Readings", "kHanyuPinlu").items()}
        whole = sum(spoken.values())
        for char, count in spoken.items():
            weight[char] += 2 * total * count / whole
    if language == "zh_Hant":
        # five levels, each of about a tenth of the one before
        for char, level in unihan("DictionaryLikeData", "kFrequency").items():
            weight[char] += total / 150 / 3 ** int(level)
    whole = sum(weight.values())
    return {char: count / whole for char, count in weight.items()}


# The columns are the command's number, iconv's name, that of a wider variant, whose
# language it is, and how rare it is. CLDR's name of the language follows, and CPython's
# codec for two bytes from A1 on. Names that unzip has changed are read by the rules of
# their charset before.
EAST_ASIAN = (
    ("CP932", "SHIFT_JIS", "CP932", "ja", 0, "ja", "euc_jp"),
    ("EUC_JP", "EUC-JP", "EUC-JP-MS", "ja", 1, "ja", "euc_jp"),
    ("GB18030", "GBK", "GB18030", "zh", 0, "zh", "gb2312"),
    ("CP949", "EUC-KR", "CP949", "ko", 0.25, "ko", "euc_kr"),
    ("CP950", "BIG5", "BIG5-HKSCS", "zh", 0.25, "zh_Hant", "big5"),
    ("UNZIPPED_CP932", "unzip:SHIFT_JIS", "unzip:CP932", "ja", 4, "ja", "euc_jp"))


def grid(language, codec):
    """The cost of each character of a charset's grid, row by row."""
    probable = east_asian(language)
    trails = list(range(0xA1, 0xFF))
    leads = range(0xA1, 0xFF)
    if codec == "big5":
        trails = list(range(0x40, 0x7F)) + trails
        leads = range(0xA1, 0xFA)
    rows = []
    for lead in leads:
        row = ""
        for trail in trails:
            try:
                char = bytes([lead, trail]).decode(codec)
            except UnicodeDecodeError:
                row += "~"
                continue
            known = probable.get(char, 0)
            # This is one of some thousand characters that do not occur in so small a
            # corpus.
            if unicodedata.category(char) == "Lo":
                known = 0.97 * known + 0.01 / 6000
            else:
                known = min(0.97 * known + 1e-6, 2e-3)
            row += encode_cost(known)
        rows.append(row)
    return rows


def strings(rows):
    """The rows of a table of costs as C strings."""
    return ", ".join(f'"{row}"' for row in rows)


def escaped(text):
    """A character in a char16_t string: hexadecimal where an editor might stumble."""
    return "".join(
        c if unicodedata.category(c)[0] in "LNPS" and c not in '\ufffd"\\' and
        unicodedata.bidirectional(c) not in ("R", "AL", "AN")
        else f"\\u{ord(c):04x}" for c in text)


def char16(text):
    """A char16_t string literal."""
    return 'u"' + "".join(map(escaped, text)) + '"'


def array(declaration, values):
    """A constant array."""
    lines = textwrap.fill(" ".join(f"{value}," for value in values), 98)
    return f"const {declaration} = {{\n{lines}\n}};\n"


def version(package):
    """The version of an installed Debian package."""
    return subprocess.run(["dpkg-query", "-Wf", "${Version}", package],
                          check=True, stdout=subprocess.PIPE, encoding="ascii").stdout


HEAD = """/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Generated by: tools/gen/names.py, from Debian's unicode-cldr-core {cldr}
 * and unicode-data {data}.
 *
"""

LETTERS = """ * How often which letter follows which, how frequent East Asian characters are, what bytes
 * are in older charsets, and in which languages these were used. A cost is -ln of a
 * probability in eighths, written as one character: '#' is 0, '$' 1, and so on without '?'
 * and '\\'. Counted in data that is copyright 1991-2022 Unicode, Inc. and may be used by
 * https://www.unicode.org/license.txt.
 */
"""


def languages_of(charset):
    """The numbers of the languages that were written in a charset."""
    return [number for number, row in enumerate(LANGUAGES) if charset in row[1]]


def letter_tables(languages, grids):
    """The contents of letter_tables.h: grids of East Asia, charsets, languages."""
    out = [LETTERS]
    for language, rows in grids.items():
        out.append(f"static const char *const {language.lower()}_grid[] = "
                   f"{{ {strings(rows)} }};\n")
    out += [array("uint8_t data_unzipped[128]", unzipped()),
            "const struct east_asian_data data_east_asian[EAST_ASIAN] = {"]
    for number, name, variant, language, rare, counted, _codec in EAST_ASIAN:
        out.append(f'[{number}] = {{ {number.removeprefix("UNZIPPED_")}, '
                   f'"{name}", "{variant}", "{language}", {round(rare * STEPS)}, '
                   f"{counted.lower()}_grid }},")
    out.append("};\n\nstatic const struct charset_data charset_data[] = {")
    for name, _codec, rare in CHARSETS:
        of = languages_of(name)
        # C has no empty array
        out.append(f'{{ "{name}", {str(name in JOINING).lower()}, '
                   f"{round(rare * STEPS)}, {char16(decoded(name))}, {len(of)}, "
                   f"(const uint8_t[]){{ {', '.join(map(str, of or [0]))} }} }},")
    out.append("};\n\nstatic const struct language_data language_data[] = {")
    names = [*LANGUAGES, *(("", (), 0) for _ in FOREIGN)]
    for (name, _charsets, rare), (letters, rows) in zip(names, languages):
        out.append(f'{{ "{name}", {round(rare * STEPS)}, {len(rows)}, {char16(letters)}, '
                   f'(const char *const[]){{ {strings(rows)} }} }},')
    return out + ["};"]


SIZES = """ * How many charsets, languages and readings the guesser knows.
 */
#ifndef UTF8VAL_GUESS_SIZES_H
#define UTF8VAL_GUESS_SIZES_H

/* none, single-byte ones, and those of East Asia; each has a bit in 64 */
#define MODEL_CHARSETS {charsets}
#define MODEL_SINGLE {single}
#define MODEL_LANGUAGES {languages}
/* from this number on: any other language, in Latin letters and in Cyrillic ones */
#define MODEL_FOREIGN {foreign}
/* a charset and a language that was written in it, or neither; the last ones are none */
#define MODEL_READINGS {readings}

/* no language's letter is beyond */
#define DATA_ALPHABETS 0x{alphabets:04X}

enum east_asian {{ {east_asian}, EAST_ASIAN }};

#endif /* UTF8VAL_GUESS_SIZES_H */"""


def sizes(languages, last):
    """The contents of sizes.h. Ends where the command's types are too small."""
    # charset 0 is none, and so is reading 0
    charsets = 1 + len(CHARSETS) + len(EAST_ASIAN)
    readings = 1 + sum(len(languages_of(row[0])) for row in CHARSETS) + len(EAST_ASIAN)
    for count, most, of in (
            (charsets, 64, "charsets, of which each has a bit in 64"),
            (languages, 250, "languages, whose numbers are bytes")):
        if count > most:
            sys.exit(f"names: {count} are more than {most} {of}")
    return SIZES.format(
        charsets=charsets, single=len(CHARSETS), languages=languages,
        foreign=len(LANGUAGES), readings=-(-readings // LANES) * LANES,
        alphabets=last + 1, east_asian=", ".join(row[0] for row in EAST_ASIAN))


def main():
    """Write both files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("directory", help="of the two files")
    parser.add_argument("--without", metavar="LANGUAGE", default="",
                        help="leave a language out, to see what comes of its names")
    args = parser.parse_args()
    directory = pathlib.Path(args.directory)
    LANGUAGES[:] = [row for row in LANGUAGES if row[0] != args.without]
    need_iconv()
    languages, last = [], 0
    counted = [words(name, charsets) for name, charsets, _rare in LANGUAGES]
    for (name, charsets, _rare), weighted in zip(LANGUAGES, counted):
        letters = alphabet(name, charsets, weighted)
        if len(letters) > MOST_LETTERS:
            sys.exit(f"names: {name} has {len(letters)} letters; their numbers "
                     f"have room for {MOST_LETTERS}")
        text = "".join(letters)
        last = max(last, *map(ord, text + text.upper()))
        languages.append((letters, costs(letters, weighted)))
    for charsets, letters, others in FOREIGN:
        languages.append((letters, costs(letters, together(counted, charsets), others)))
    grids = {row[5]: grid(*row[5:]) for row in EAST_ASIAN}
    head = HEAD.format(cldr=version("unicode-cldr-core"), data=version("unicode-data"))
    for file, lines in (("letter_tables.h", letter_tables(languages, grids)),
                        ("sizes.h", [sizes(len(languages), last)])):
        output.save(directory / file, (head + "\n".join(lines) + "\n").encode())


if __name__ == "__main__":
    main()
