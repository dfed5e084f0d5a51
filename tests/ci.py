#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Run the jobs of docs/ci.md, command by command as they stand there, each in a root
directory of a Debian release that has nothing but what a container image has.

Each block of YAML must parse and be one of two things: GitHub's jobs with steps, or a
GitLab job with a script. Two jobs of the same commands are run once. A job's directory
is made as the page says: a kernel tree, an unpacked archive of utf8val, or a program
beside one, in the place of what `git clone` would fetch. Where a command sets
XDG_CACHE_HOME to a cache of the job's, that name leads to the user's own, so that
kernels are built once; packages are fetched once, too. TAP on standard output.

Usage: tests/ci.py RELEASE TREE ARCHIVE
  RELEASE  bookworm, trixie, ...
  TREE     a kernel tree with utf8val in it
  ARCHIVE  what make dist makes
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

from lib.tap import tap

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/ci.md"
SECTIONS = ("kernel tree", "own checks", "under enforce")
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"))
# `make check` inside of `make check` runs a little of it only; and a busy machine takes
# longer than `make vm` waits for a user's program.
ENVIRONMENT = ["env", "ONLY=rules", "TIMEOUT=1800"]


def commands(block):
    """The commands of a block, in the block's order."""
    found = []
    for job in (block.get("jobs") or block).values():
        if not isinstance(job, dict):
            continue
        found += [step["run"] for step in job.get("steps", []) if "run" in step]
        found += job.get("before_script", []) + job.get("script", [])
    return [" ".join(command.split()) for command in found]


def sections():
    """[(heading, text)] of the page's recipes."""
    parts = re.split(r"^## (.*)\n", PAGE.read_text(encoding="utf-8"), flags=re.M)[1:]
    return list(zip(parts[::2], parts[1::2]))


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def unpack(archive, directory):
    directory.mkdir()
    subprocess.run(["tar", "-xf", archive, "-C", directory,
                    "--strip-components=1"], check=True)


def place(number, text, work, tree, archive):
    """The directory that a section's commands run in."""
    if number == 0:
        return tree
    directory = work / str(number)
    if number == 1:
        unpack(archive, directory)
    else:
        directory.mkdir()
        unpack(archive, directory / "utf8val")
        (program,) = blocks(text, "c")
        (directory / "mytest.c").write_text(program, encoding="utf-8")
    return directory


def run(job, root, directory, packages):
    """(command, what is wrong) of each command of a job, up to one that fails."""
    for command in job:
        done = subprocess.run(
            [ROOT / "tools/debian-root.sh", "--in", root,
             "--bind", packages, "/var/cache/apt/archives", "--bind", directory, "/job",
             "--bind", CACHE, "/job/.cache",
             *ENVIRONMENT, "sh", "-e", "-c", f"cd /job\n{command}"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
            encoding="utf-8", errors="backslashreplace")
        yield command, "" if done.returncode == 0 else \
            f"ended with {done.returncode}\n{done.stdout[-4000:]}"
        if done.returncode:
            return


def results(release, tree, archive, work):
    """(name, what is wrong) of each point."""
    packages = CACHE / "utf8val/ci" / release
    (packages / "partial").mkdir(parents=True, exist_ok=True)
    subprocess.run([ROOT / "tools/debian-root.sh", release, work / "root", "minbase"],
                   check=True)
    found = sections()
    wrong = [heading for (heading, _), part in zip(found, SECTIONS)
             if part not in heading]
    yield "the page has its three recipes", \
        str(wrong) if wrong or len(found) != len(SECTIONS) else ""
    for number, (heading, text) in enumerate(found):
        directory = place(number, text, work, tree, archive)
        jobs = [commands(yaml.safe_load(block)) for block in blocks(text, "yaml")]
        yield f"{heading}: one job for each service", \
            "" if len(jobs) == 2 and all(jobs) else str(jobs)
        clones = [c for job in jobs for c in job if c.startswith("git clone")]
        if clones:
            yield f"{heading}: git clones utf8val", \
                "" if all(c.endswith("/OWNER/utf8val") for c in clones) else str(clones)
        for job in {tuple(c for c in job if c not in clones) for job in jobs}:
            root = work / f"root-{number}"
            subprocess.run(["cp", "-a", "--reflink=auto", work / "root", root],
                           check=True)
            for command, fault in run(job, root, directory, packages):
                yield f"{heading}: {command}", fault
            subprocess.run(["rm", "-rf", "--one-file-system", root], check=True)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    tree, archive = (pathlib.Path(arg).resolve() for arg in sys.argv[2:])
    with tempfile.TemporaryDirectory(prefix="utf8val-ci-") as work:
        return tap((name, fault.splitlines()) for name, fault in
                   results(sys.argv[1], tree, archive, pathlib.Path(work)))


if __name__ == "__main__":
    sys.exit(main())
