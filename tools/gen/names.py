#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Write the tables by which the command tells in which charset a name was
written: how often which letter follows which in a language, how frequent East
Asian characters are, and which byte is which letter in an older charset.

The letters are counted here in the Unicode Common Locale Data Repository, in
Debian's package unicode-cldr-core: words for countries, languages, places,
things and feelings. The frequencies of East Asian characters come from there
and from the Unihan database in Debian's unicode-data. Both are under Unicode's
licence, which allows that. The charsets are CPython's.
"""

import bz2
import collections
import functools
import math
import pathlib
import re
import subprocess
import unicodedata
import xml.etree.ElementTree

import output

UNICODE = pathlib.Path("/usr/share/unicode")
CLDR = UNICODE / "cldr/common"
KINDS = ("main", "annotations", "annotationsDerived", "subdivisions")

# A cost is -ln of a probability, in eighths; one printable character each, none
# that a C string has to escape or that could begin a trigraph.
DIGITS = "".join(chr(c) for c in range(0x23, 0x7E) if chr(c) not in "?\\")
STEPS = 8

WEST = ("ISO-8859-1", "WINDOWS-1252", "ISO-8859-15", "CP437", "CP850", "CP858",
        "MACINTOSH")
NORDIC = WEST + ("CP865",)
CENTRAL = ("WINDOWS-1250", "ISO-8859-2", "CP852", "MAC-CENTRALEUROPE")
BALTIC = ("WINDOWS-1257", "ISO-8859-13", "CP775")
TURKISH = ("WINDOWS-1254", "ISO-8859-9", "CP857")
CYRILLIC = ("WINDOWS-1251", "KOI8-R", "KOI8-U", "CP866", "ISO-8859-5",
            "MAC-CYRILLIC", "CP855")
GREEK = ("WINDOWS-1253", "ISO-8859-7", "CP737", "CP869")
HEBREW = ("WINDOWS-1255", "ISO-8859-8", "CP862")
ARABIC = ("WINDOWS-1256", "ISO-8859-6")
THAI = ("CP874", "TIS-620")

# iconv's name, CPython's, and how rare it is among names (in nats)
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
    ("CP855", "cp855", 3), ("WINDOWS-1253", "cp1253", 0),
    ("ISO-8859-7", "iso8859-7", 0.3), ("CP737", "cp737", 1),
    ("CP869", "cp869", 4), ("WINDOWS-1255", "cp1255", 0),
    ("ISO-8859-8", "iso8859-8", 0.7), ("CP862", "cp862", 1.2),
    ("WINDOWS-1256", "cp1256", 0), ("ISO-8859-6", "iso8859-6", 1),
    ("CP874", "cp874", 0), ("TIS-620", "tis-620", 0.3),
    ("CP860", "cp860", 2), ("CP861", "cp861", 2), ("CP863", "cp863", 4))

# CLDR's name, the charsets it was written in, how rare it is
LANGUAGES = (
    ("en", WEST, 0.7), ("de", WEST, 0), ("fr", WEST + ("CP863",), 0), ("es", WEST, 0),
    ("pt", WEST + ("CP860",), 0), ("it", WEST, 0.3), ("nl", WEST, 0.7), ("sv", WEST, 0.3),
    ("da", NORDIC, 0.5), ("no", NORDIC, 0.7), ("fi", WEST, 0.5), ("is", WEST + ("CP861",), 1),
    ("ca", WEST, 0.7), ("gl", WEST, 1.5), ("eu", WEST, 1.5),
    ("ga", WEST, 2), ("sq", WEST + CENTRAL, 1.5),
    ("pl", CENTRAL, 0), ("cs", CENTRAL, 0.3), ("sk", CENTRAL, 0.7),
    ("hu", CENTRAL, 0.3), ("ro", CENTRAL, 0.7), ("hr", CENTRAL, 0.7),
    ("sl", CENTRAL, 1), ("lt", BALTIC, 0.7), ("lv", BALTIC, 0.7),
    ("et", BALTIC + ("ISO-8859-15", "WINDOWS-1252"), 1), ("tr", TURKISH, 0),
    ("ru", CYRILLIC, 0), ("uk", CYRILLIC, 0.3), ("be", CYRILLIC, 1),
    ("bg", CYRILLIC, 0.7), ("sr", CYRILLIC, 1), ("mk", CYRILLIC, 1.5),
    ("el", GREEK, 0), ("he", HEBREW, 0), ("ar", ARABIC, 0),
    ("fa", ("WINDOWS-1256",), 0.7), ("th", THAI, 0))

# what a language has been written with where its own letter was missing
STAND_INS = {"ro": str.maketrans("șțȘȚ", "şţŞŢ")}
# words that make up much of any text and little of that data
SMALL_WORDS = {"it": "è più perché può già così città né ciò", "fr": "à où", "pt": "à é às não", "ca": "és",
               "sv": "å ö på för är och", "da": "å på", "no": "å på",
               "is": "á í", "hu": "ő és", "es": "más qué año", "de": "für über",
               "ga": "á é í ó", "gl": "á é", "ro": "și în",
               "pl": "są się", "cs": "že", "sk": "že", "sl": "še če",
               "hr": "što", "et": "või", "fi": "että", "tr": "için"}
# letters in a language's charsets are about so many
MOST_LETTERS = 46
# signs that names have, by where they stand: before a word, after one, alone,
# and the blank; every other sign is rare
SIGNS = {"(": "«„“‚‘¡¿§©№€£", ")": "»”’…°®™ª²³º", ",": "–—·´½×•+־׳״",
         "_": "\u00a0"}


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


def words(language):
    """A language's words with their weights: frequent ones count for more."""
    counts = collections.Counter()
    pattern = re.compile("[\u0e00-\u0e7f]+" if language == "th" else
                         r"[^\W\d_²³¹ªº¼½¾]+")
    for text in texts(language):
        counts.update(pattern.findall(
            text.translate(STAND_INS.get(language, {}))))
    folded = collections.Counter()
    for word, count in counts.items():
        word = word.lower() if language != "tr" else \
            word.replace("I", "ı").replace("İ", "i").lower()
        folded[word] += min(count, 8)
    weighted = {word: 1 + math.log2(count) for word, count in folded.items()}
    whole = sum(weighted.values())
    # Italian's commonest accents are in forms that data have no use for
    if language == "it":
        for stem in ("sar", "potr", "dovr", "far", "user", "verr"):
            weighted[stem + "à"] = weighted[stem + "ò"] = whole / 3000
        for stem in ("modal", "un", "qual", "attiv", "libert", "societ"):
            weighted[stem + "ità"] = whole / 3000
    for word in SMALL_WORDS.get(language, "").translate(
            STAND_INS.get(language, {})).split():
        weighted[word] = whole / 600
    return weighted


@functools.cache
def decoded(codec):
    """What the bytes from 0x80 on are; U+FFFD where nothing is."""
    chars = bytes(range(0x80, 0x100)).decode(codec, "replace") \
        if codec not in ("cp1255", "cp1253", "cp1256", "cp874", "tis-620") \
        else "".join(bytes([b]).decode(codec, "replace")
                     for b in range(0x80, 0x100))
    return "".join("\ufffd" if unicodedata.category(c) in ("Cc", "Co", "Cn")
                   else c for c in chars)


def alphabet(language, charsets, weighted):
    """The letters a language has in its charsets, a to z first."""
    within = set()
    for name, codec, _rare in CHARSETS:
        if name in charsets:
            within.update(decoded(codec).lower())
    counts = collections.Counter()
    for word, weight in weighted.items():
        for letter in word:
            counts[letter] += weight
    latin = [chr(c) for c in range(ord("a"), ord("z") + 1)] \
        if "ISO-8859-1" in charsets or charsets in (CENTRAL, TURKISH) or \
        "CP775" in charsets else []
    total = sum(counts.values())
    own = [letter for letter, count in counts.most_common()
           if letter in within and letter > "\x7f" and
           len(letter.upper()) <= 2 and
           (count > total / 50000 or not latin)]
    return latin + own[:MOST_LETTERS - len(latin) if latin else 90]


def upper(letter, language):
    """Its capital, or itself."""
    if language == "tr" and letter == "i":
        return "İ"
    return letter.upper() if len(letter.upper()) == 1 else letter


def encode_cost(probability):
    """One printable character, neither a quote nor a backslash."""
    level = max(0, round(-math.log(probability) * STEPS))
    return DIGITS[min(level, len(DIGITS) - 1)]


def costs(letters, weighted):
    """Rows of what it costs that one class follows another: 0 is no letter, 1
    a letter of another language."""
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
    # strangers are rare in a name that is in its own language
    floor = [(count + 0.5) / (total + 0.5 * size) for count in single]
    floor[1] = 1e-5
    rows = []
    for before in range(size):
        row = pairs[before]
        kinds = sum(count > 0 for count in row) + 1
        whole = sum(row) + kinds
        line = "".join(
            encode_cost(max((row[after] + kinds * floor[after]) / whole, 1e-5)
                        if after != 1 and before != 1 else 2e-5)
            for after in range(size))
        rows.append(line)
    return rows


def unihan(file, field):
    """A field of the Unihan database."""
    found = {}
    with bz2.open(UNICODE / f"Unihan_{file}.txt.bz2", "rt",
                  encoding="utf-8") as lines:
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
    """How probable each character is."""
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


# language, CPython's codec for two bytes from A1 on, and how the rows look
GRIDS = (("ja", "euc_jp"), ("zh", "gb2312"), ("ko", "euc_kr"),
         ("zh_Hant", "big5"))


def grid(language, codec):
    """What each character of a charset's grid costs, row by row."""
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
            # one of some thousand that are not counted in a corpus so small
            if unicodedata.category(char) == "Lo":
                known = 0.97 * known + 0.01 / 6000
            else:
                known = min(0.97 * known + 1e-6, 2e-3)
            row += encode_cost(known)
        rows.append(row)
    return rows


def kinds(codec):
    """For each byte: a letter (u, l, o without case), one of SIGNS, r for a
    rare sign, ! for nothing."""
    def kind(char):
        if char == "\ufffd":
            return "!"
        category = unicodedata.category(char)
        for sign, chars in SIGNS.items():
            if char in chars:
                return sign
        # signs, although Unicode counts them as letters
        if category in ("Ll", "Lu") and char not in "ƒµ":
            return category[1]
        if category in ("Lo", "Mn", "Lm", "Mc") and char not in "ˆ˜ˇ":
            return "o"
        return "r"
    return "".join(map(kind, decoded(codec)))


def quoted(rows, end=""):
    """C strings, each over as many lines as it takes."""
    out = []
    for row in rows:
        for begin in range(0, len(row), 72):
            out.append(f'\t"{row[begin:begin + 72]}"')
        out[-1] += end
    return "\n".join(out)


def escaped(text):
    """In a char16_t string: hexadecimal where an editor might stumble."""
    return "".join(
        c if unicodedata.category(c) in ("Ll", "Lu") else f"\\u{ord(c):04x}"
        for c in text)


def char16(text):
    """A char16_t string literal."""
    return "\n".join(f'\tu"{escaped(text[begin:begin + 12])}"'
                     for begin in range(0, len(text), 12))


def version(package):
    """Of an installed Debian package."""
    return subprocess.run(["dpkg-query", "-Wf", "${Version}", package],
                          check=True, stdout=subprocess.PIPE,
                          encoding="ascii").stdout


HEAD = """\
/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Generated by: tools/gen/names.py, from Debian's unicode-cldr-core {cldr}
 * and unicode-data {data}.
 *
 * How often which letter follows which, how frequent East Asian characters are,
 * what bytes are in older charsets. A cost is -ln of a probability in eighths,
 * written as one character: '#' is 0, '$' 1, and so on without '?' and '\\'.
 * Counted in data that is copyright 1991-2022 Unicode, Inc. and may be used by
 * https://www.unicode.org/license.txt.
 */
"""


def main():
    """Write them all."""
    args = output.arguments(__doc__).parse_args()
    out = [HEAD.format(cldr=version("unicode-cldr-core"),
                       data=version("unicode-data"))]
    out.append("static const struct charset_data charset_data[] = {")
    for name, codec, rare in CHARSETS:
        out.append(f'{{ "{name}", {round(rare * STEPS)},\n'
                   f"{char16(decoded(codec))},\n"
                   f"{quoted([kinds(codec)])} }},")
    out.append("};\n\nstatic const struct language_data language_data[] = {")
    numbers = {name: number
               for number, (name, _codec, _rare) in enumerate(CHARSETS)}
    for language, charsets, rare in LANGUAGES:
        weighted = words(language)
        letters = alphabet(language, charsets, weighted)
        mask = sum(1 << numbers[name] for name in charsets)
        capitals = "".join(upper(letter, language) for letter in letters)
        out.append(f'{{ "{language}", {round(rare * STEPS)}, '
                   f"0x{mask:x}, {len(letters) + 2},\n"
                   f"{char16(''.join(letters))},\n{char16(capitals)},\n"
                   "\t(const char *const[]){\n"
                   f"{quoted(costs(letters, weighted), ',')} }} }},")
    out.append("};")
    for language, codec in GRIDS:
        rows = grid(language, codec)
        out.append(f"\nstatic const char *const {language.lower()}_grid"
                   f"[{len(rows)}] = {{\n{quoted(rows, ',')}\n}};")
    output.write("\n".join(out) + "\n", args.output, "utf-8")


if __name__ == "__main__":
    main()
