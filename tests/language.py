#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Check the project's language; print what is wrong.
tests/lint.sh calls this.

Usage: tests/language.py --words    report private words in the project's files
       tests/language.py --commits  report malformed subjects of the commits since the
                                    heading of the last version in CHANGELOG.md

The words are checked in all text files except the licences and this file: pages, manual
pages, messages, comments, names of tests. A reader knows the standard term; a private word
costs a second reading.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# (private word, standard term): regular expressions. A blank also matches the end of a line
# in a comment or a string.
WORDS = [
    ("tells? most", "quick tests"),
    ("others? than root", "non-root users"),
    ("who(so|m)?ever", "any user who, the caller"),
    ("everybody", "every user"),
    ("anew", "again, from scratch"),
    ("likewise", "also, in the same way"),
    ("twice over", "double-encoded"),
    ("in force", "active"),
    ("walk(s|ed|ing)? into", "automount, traverse"),
    ("but for", "except for"),
    ("stranger", "foreign"),
    ("witness(es)?", "evidence"),
    ("what tells", "a noun"),
    ("for ever", "hang, forever"),
    ("comes? up", "boot"),
    ("lies upon", "is stacked on"),
    ("mend(s|ed|ing)?", "fix, repair"),
    ("whole debians?", "full Debian system"),
    ("signs it", "adds Signed-off-by"),
    ("manners", "errors, arguments"),
    ("sureness", "confidence"),
    ("be had", "be available, be reached, be measured"),
    ("had once more", "occur again"),
    ("storage upon", "stacked file system"),
    ("short cut", "fast path"),
    ("too dear", "too expensive"),
    ("has its say", "counts as evidence"),
    ("had its say", "counted as evidence"),
    ("pass(es|ing)? over", "skip"),
    ("heretofore|thereof|therein|herein", "a noun"),
]
# The text that may stand between two words: the end of a line, with the signs of comments
# and strings.
BETWEEN = r'''["\\n]*[\s*#/"']+'''
SUBJECT = re.compile(r"[A-Za-z0-9_.,/*{}-]+(: [\w./*{},-]+)*: (?![A-Z][a-z])\S.*")
LONGEST = 72


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, stdout=subprocess.PIPE, check=True,
                          encoding="utf-8", errors="backslashreplace").stdout


def words():
    """Each private word, as "FILE:LINE: WORD: write TERM"."""
    patterns = [(re.compile(rf"\b({word.replace(' ', BETWEEN)})\b", re.I), term)
                for word, term in WORDS]
    for name in git("ls-files", "-z", ":!LICENSES", ":!tests/language.py").split("\0"):
        path = ROOT / name
        if not name or path.is_symlink() or not path.is_file():
            continue
        data = path.read_bytes()
        if b"\0" in data:
            continue
        text = data.decode("utf-8", "replace")
        for pattern, term in patterns:
            for found in pattern.finditer(text):
                line = text.count("\n", 0, found.start()) + 1
                word = " ".join(found[0].split())
                yield f"{name}:{line}: {word!r}: write: {term}"


def subjects():
    """Each malformed subject, and each commit without a body."""
    heading = re.search(r"^## .*$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)[0]
    since = git("log", "--format=%H", "--reverse", "-S", heading, "--", "CHANGELOG.md")
    log = git("log", "--no-merges", "--format=%h%x00%s%x00%b%x01",
              f"{since.split()[0]}..HEAD")
    for commit in log.split("\1"):
        if not commit.strip():
            continue
        name, subject, body = commit.strip("\n").split("\0")
        if not SUBJECT.fullmatch(subject) or len(subject) > LONGEST:
            yield (f"{name}: {subject!r}: write: 'area: what changes', lower case, "
                   f"at most {LONGEST} characters")
        if not body.strip():
            yield f"{name}: {subject!r}: no body: what was wrong, and why this fixes it"


def main():
    checks = {"--words": words, "--commits": subjects}
    if len(sys.argv) != 2 or sys.argv[1] not in checks:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    wrong = list(checks[sys.argv[1]]())
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
