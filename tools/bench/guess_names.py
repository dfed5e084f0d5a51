# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Names in many languages, for tools/bench/guess.py.
guess.py and tests/command/guess.py import this.

None is of what tools/gen/names.py counts. The costs in tools/command/guess/model.c were
chosen with the sources of TUNED. Those of HELD_OUT were used for nothing that was
counted or chosen, so their results are those of unknown names. Each source is what is
installed of a Debian package, and empty where it is not.
"""

import functools
import gettext
import glob
import gzip
import itertools
import os
import random
import re
import subprocess
import tempfile
import unicodedata
import zipfile

try:
    import faker.config
except ImportError:
    faker = None

# The name of a language in the installed catalogues, where that differs.
LOCALES = {"pt": "pt_BR"}


def catalogue(path):
    """The messages of a translation, their first lines without formats."""
    with open(path, "rb") as file:
        try:
            # pylint: disable=protected-access
            table = gettext.GNUTranslations(file)._catalog
        except (IndexError, UnicodeDecodeError, ValueError, OSError):
            return
    for text in table.values():
        if isinstance(text, str):
            yield re.sub(r"%\S+|[<>{}].*", "", text.split("\n")[0])


def iso_codes(language, _rng):
    """Countries, regions, currencies and languages: iso-codes."""
    language = LOCALES.get(language, language)
    for path in glob.glob(f"/usr/share/locale/{language}/LC_MESSAGES/iso_*"):
        yield from catalogue(path)


def messages(language, _rng):
    """The texts of the programs that are installed here."""
    language = LOCALES.get(language, language)
    for path in glob.glob(f"/usr/share/locale/{language}/LC_MESSAGES/*.mo"):
        if not os.path.basename(path).startswith("iso_"):
            yield from catalogue(path)


def manuals(language, _rng):
    """Lines of manual pages, four words of each: manpages-*."""
    language = LOCALES.get(language, language)
    for path in glob.glob(f"/usr/share/man/{language}/man*/*.gz"):
        with gzip.open(path, "rt", encoding="utf-8", errors="ignore") as file:
            for line in file:
                if line.startswith((".SH", ".SS")) or line[0] not in ".'":
                    line = re.sub(r"^\.S[HS]|\\f.|\\\S+|\"", "", line)
                    yield " ".join(line.split()[:4])


def combine(words, rng):
    """One to four words, one of them with more than ASCII."""
    marked = [w for w in words if not w.isascii()]
    for _ in range(3000 if marked else 0):
        name = rng.choices(words, k=rng.randrange(4)) + [rng.choice(marked)]
        rng.shuffle(name)
        if rng.random() < 0.5:
            name[0] = name[0].capitalize()
        yield " ".join(name)


def dictionary(language, rng):
    """One to four words, one of them with more than ASCII: hunspell-*."""
    for path in glob.glob(f"/usr/share/hunspell/{language}_??.dic")[:1]:
        with open(path[:-3] + "aff", "rb") as file:
            codec = re.search(rb"SET\s+(\S+)", file.read())
        with open(path, "rb") as file:
            text = file.read().decode(
                codec[1].decode().replace("microsoft-", "") if codec
                else "utf-8", "ignore")
        words = [w.split("/")[0] for w in text.split("\n")[1:]]
        words = [w for w in words if re.fullmatch(r"[^\W\d_]{3,}", w)]
        yield from combine(words, rng)


FAKER = {"fr": "fr_FR", "de": "de_DE", "es": "es_ES", "pt": "pt_BR",
         "sv": "sv_SE", "it": "it_IT", "da": "dk_DK", "pl": "pl_PL",
         "cs": "cs_CZ", "hu": "hu_HU", "lt": "lt_LT", "ja": "ja_JP",
         "zh_CN": "zh_CN", "zh_TW": "zh_TW", "ko": "ko_KR", "ru": "ru_RU",
         "uk": "uk_UA", "el": "el_GR", "tr": "tr_TR", "he": "he_IL",
         "ar": "ar_SA", "th": "th_TH", "bg": "bg_BG", "ro": "ro_RO",
         "hr": "hr_HR", "fi": "fi_FI", "no": "no_NO", "et": "et_EE",
         "lv": "lv_LV", "fa": "fa_IR", "nl": "nl_NL", "sl": "sl_SI",
         "ka": "ka_GE", "hy": "hy_AM", "vi": "vi_VN", "ga": "ga_IE"}
MADE_UP = ("name", "last_name", "first_name", "city", "company", "job", "word",
           "street_name")


def people(language, rng):
    """Persons, places, firms, trades: python3-fake-factory."""
    if faker is None or FAKER.get(language) not in faker.config.AVAILABLE_LOCALES:
        return
    source = faker.Faker(FAKER[language])
    source.seed(rng.randrange(1 << 30))
    for number in range(6000):
        name = getattr(source, MADE_UP[number % len(MADE_UP)])()
        # Leave out the English that this package puts beside the names.
        if not re.match(r"(New|Old|Lake|Port|North|South|East|West) ", name):
            yield name


FORTUNES = {"ru": "ru/*.u8", "cs": "cs/*.u8", "de": "de/*.u8", "es": "es/*.u8",
            "it": "it/*.u8", "pl": "pl/*.u8", "bg": "bg/*.u8", "pt": "brasil",
            "zh_CN": "*.u8"}


def with_accents(text):
    """Italian as it is meant where accents are written as apostrophes."""
    text = re.sub(r"che'(?!\w)", "ché", text)
    return re.sub(r"(?<!\b[pm])([aeiou])'(?!\w)", lambda match:
                  "àèìòù"["aeiou".index(match[1])], text)


def sayings(language, rng):
    """One to five words of a line: fortunes-*."""
    for path in sorted(glob.glob("/usr/share/games/fortunes/" +
                                 FORTUNES.get(language, "none"))):
        if os.path.isdir(path):
            continue
        with open(path, "rb") as file:
            text = file.read(100000)
        try:
            text = text.decode()
        except UnicodeDecodeError:
            text = text.decode("cp1252", "ignore")
        if language == "it":
            text = with_accents(text)
        for line in text.split("\n"):
            words = re.sub(r"\s+", " ", line).split(" ")
            while words:
                count = rng.randrange(1, 6)
                yield " ".join(words[:count])[:60]
                words = words[count:]


# The languages of which no other source has names.
ASPELL = ("br", "cy", "ga", "eo", "kk", "ku", "hy")


def spelled(language, rng):
    """Words of a spelling checker: aspell-*; Vietnamese is in hunspell-vi."""
    if language == "vi":
        yield from dictionary(language, rng)
    if language not in ASPELL:
        return
    options = ["aspell", "--lang", language, "--encoding", "utf-8"]
    try:
        words = subprocess.run([*options, "dump", "master"],
                               stdout=subprocess.PIPE, check=True).stdout
        words = subprocess.run([*options, "expand"], input=words,
                               stdout=subprocess.PIPE, check=True).stdout
    except (FileNotFoundError, subprocess.CalledProcessError):
        return
    words = unicodedata.normalize("NFC", words.decode()).split()
    words = [w for w in words if re.fullmatch(r"[^\W\d_]{3,}", w)]
    yield from combine(rng.sample(words, min(20000, len(words))), rng)


def from_folder(folder):
    """A source of somebody's own names: FOLDER/LANGUAGE.txt has one a line."""
    def own(language, _rng):
        path = os.path.join(folder, language + ".txt")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                yield from file.read().split("\n")
    return own


TUNED = (iso_codes, messages, manuals, dictionary)
HELD_OUT = (people, sayings, spelled)


def is_utf8(name):
    """Is the name UTF-8, so that scan would not list it?"""
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True


@functools.lru_cache(maxsize=None)
def texts(source, language, seed):
    """A source's names in a language, whatever charset they are to be in."""
    rng = random.Random(f"{seed} {source.__name__} {language}")
    found = []
    for text in itertools.islice(source(language, rng), 40000):
        text = text.replace("/", "_").replace("’", "'").strip(" .:-\t*\"")
        if 1 < len(text) < 60 and text.isprintable():
            found.append(text)
    return found


def iconv(lines, *options):
    """Convert text by iconv, line by line."""
    done = subprocess.run(["iconv", "-c", *options], input=b"\n".join(lines),
                          stdout=subprocess.PIPE, check=False)
    return done.stdout.split(b"\n")


class DosEntry(zipfile.ZipInfo):
    """An entry of an archive from DOS, which says nothing of a name's charset."""
    raw = b""

    def _encodeFilenameFlags(self):
        return self.raw, 0


def unzipped(names):
    """The names that Debian's unzip makes of those in an archive from DOS, one by one."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as root:
        path = os.path.join(root, "archive.zip")
        with zipfile.ZipFile(path, "w") as archive:
            for number, name in enumerate(names):
                entry = DosEntry(str(number))
                entry.create_system, entry.raw = 0, b"%d/" % number + name
                archive.writestr(entry, b"")
        subprocess.run(["unzip", "-q", path, "-d", root], check=True)
        for number, _name in enumerate(names):
            yield from os.listdir(os.path.join(os.fsencode(root), b"%d" % number))


def encoded(found, charset):
    """Pairs of bytes and text, for all bytes of a charset. They are by CPython, or by
    glibc for charsets with a name in capitals. After "unzip:" they are what unzip makes
    of the charset."""
    if charset.startswith("unzip:"):
        # A number after a semicolon is a version of VMS, which unzip cuts off.
        pairs = list(encoded([text for text in found if ";" not in text],
                             charset.removeprefix("unzip:")))
        if pairs:
            yield from zip(unzipped([name for name, _text in pairs]),
                           (text for _name, text in pairs))
        return
    if charset.isupper():
        lines = iconv([text.encode() for text in found], "-f", "UTF-8", "-t", charset)
        back = iconv(lines, "-f", charset, "-t", "UTF-8")
        yield from ((name, text) for name, again, text in zip(lines, back, found)
                    if again == text.encode())
        return
    for text in found:
        try:
            name = text.encode(charset)
        except UnicodeEncodeError:
            continue
        # Some codecs write bytes that they do not read back.
        if is_utf8(name) or name.decode(charset) == text:
            yield name, text


def names(source, language, charset, seed):
    """Names of a source that are not ASCII: (bytes, text) of each."""
    found = texts(source, language, seed)
    return sorted({name: text for name, text in encoded(found, charset)
                   if not is_utf8(name)}.items())
