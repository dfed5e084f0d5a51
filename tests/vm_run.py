#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Test what vm/run.py promises to the owner of a program. Its arguments, files and exit
status go through the virtual machine unchanged, a shell script runs, and the result is
there as JUnit XML. The suite vm-run calls this. Debian's own kernel runs the programs.
TAP on standard output.

Usage: tests/vm_run.py KERNEL_VERSION
"""

import pathlib
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

from lib.tap import tap

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHOW = r"""#!/bin/sh
# print each argument as hexadecimal bytes
for word; do printf '[%s]' "$word" | od -An -tx1 | tr -d ' \n'; echo; done
"""


def run(work, kernel, *words):
    """Run vm/boot.sh in a directory, as a user who names files there does."""
    return subprocess.run(
        [ROOT / "vm/boot.sh", "--stock", kernel, "--mode", "none", *words], cwd=work,
        check=False, text=True, errors="backslashreplace", capture_output=True)


def script(work, name, text):
    (work / name).write_text(text, encoding="utf-8")
    return name


def results(kernel, work):
    """(name, what is wrong) of each point."""
    words = ["--option", "-x", "", "two words", "\"'", "caf\udce9"]
    done = run(work, kernel, script(work, "show", SHOW), *words)
    wanted = ["[%s]" % word for word in words]
    got = [bytes.fromhex(line).decode(errors="surrogateescape")
           for line in done.stdout.split()]
    yield "arguments arrive as they are", "" if got == wanted else f"{got} {done.stderr}"

    (work / "data").write_text("42\n", encoding="ascii")
    done = run(work, kernel, "--file", "data",
               script(work, "cat", f"#!/bin/sh\ncat {work}/data\n"))
    yield "a file is at its own path", "" if done.stdout == "42\n" else \
        done.stdout + done.stderr

    # tests/cli-errors.sh has the statuses of other programs, and of guests that fail
    for status, line in ((0, "true"), (143, "kill $$")):
        done = run(work, kernel, script(work, "end", f"#!/bin/sh\n{line}\n"))
        yield f"exit status {status}", "" if done.returncode == status else \
            f"{done.returncode} {done.stderr}"

    done = run(work, kernel, script(work, "other", "#!/usr/bin/perl\n"))
    yield "a script for another interpreter is refused", "" if done.returncode == 2 and \
        "the guest has /bin/sh only" in done.stderr else f"{done.returncode} {done.stderr}"
    done = run(work, kernel, "--junit", "none/junit.xml", "end")
    yield "JUnit: a missing directory is named", "" if done.returncode == 2 and \
        "none: no such directory" in done.stderr else f"{done.returncode} {done.stderr}"

    points = "ok 1 - one\nnot ok 2 - two\nok 3 - three # SKIP no disk\n\x1b<&>"
    done = run(work, kernel, "--junit", "junit.xml",
               script(work, "points", f"#!/bin/sh\necho '{points}'\nexit 3\n"))
    suite = ElementTree.parse(work / "junit.xml").getroot()
    got = [(case.get("name"), [child.tag for child in case]) for case in suite.iter("testcase")]
    wanted = [("one", []), ("two", ["failure"]), ("three", ["skipped"]),
              ("exit status", ["failure"])]
    yield "JUnit: each point, and the exit status", "" if got == wanted else str(got)
    counts = [suite.get(name) for name in ("tests", "failures", "skipped")]
    yield "JUnit: counts", "" if counts == ["4", "2", "1"] else str(counts)
    text = suite.findtext("system-out").replace("\r", "")
    yield "JUnit: the output, with control characters escaped", \
        "" if "\\x1b<&>" in text else repr(text)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="utf8val-vm-run-") as work:
        return tap((name, fault.splitlines()) for name, fault in
                   results(sys.argv[1], pathlib.Path(work)))


if __name__ == "__main__":
    sys.exit(main())
