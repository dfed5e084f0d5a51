#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Run the commands of docs/ci.md as they stand there.

Each block of YAML must parse and say one of two things: GitHub's jobs with steps,
or a GitLab job with a script. A command that begins with apt-get must name
packages of tools/packages, git clone an address of utf8val; all others are run
by a shell, once each, in a directory made as the page says: a kernel tree, an
unpacked archive of utf8val, or a program beside one. Where a command sets
XDG_CACHE_HOME to a cache of the job's, that name leads to the user's own, so that
kernels are built once. TAP on standard output.

Usage: tests/ci.py TREE ARCHIVE
  TREE     a kernel tree with utf8val in it
  ARCHIVE  what make dist makes
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/ci.md"
SECTIONS = ("kernel tree", "own checks", "under enforce")
# Packages that the recipes install for git, not for utf8val: certificates.
NOT_OURS = {"ca-certificates"}
# These variables let `make check` inside of `make check` run a little of it only.
LESS = {"ONLY": "rules", "DEPS": "no"}


def commands(block):
    """The commands of a block, in the block's order; None when the block is no job."""
    found = []
    for job in (block.get("jobs") or block).values():
        if not isinstance(job, dict):
            continue
        found += [step["run"] for step in job.get("steps", [])
                  if "run" in step]
        found += job.get("before_script", []) + job.get("script", [])
    return found or None


def sections():
    """[(heading, text)] of the page's recipes."""
    parts = re.split(r"^## (.*)\n", PAGE.read_text(encoding="utf-8"),
                     flags=re.M)[1:]
    return list(zip(parts[::2], parts[1::2]))


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def packages_known(command):
    """What is wrong with an apt-get command."""
    listed = subprocess.run(
        [ROOT / "tools/deps.sh", "--list", "all"], check=True, text=True,
        stdout=subprocess.PIPE).stdout.split()
    named = {word for word in shlex.split(command.split("&&")[-1])
             if re.fullmatch(r"[a-z0-9.+-]+", word)
             and not word.startswith("-")} - {"apt-get", "install"}
    unknown = named - set(listed) - NOT_OURS
    return f"not in tools/packages: {unknown}" if unknown or not named else ""


def run(command, directory, environment):
    """Run a command of the page; what is wrong."""
    cache = directory / ".cache"
    if not cache.exists():
        cache.symlink_to(os.environ.get(
            "XDG_CACHE_HOME", pathlib.Path.home() / ".cache"))
    done = subprocess.run(
        ["sh", "-e", "-c", command], cwd=directory, stdin=subprocess.DEVNULL,
        # a busy machine takes longer than `make vm` waits for a user's program
        env={"TIMEOUT": "1800", **environment, "MAKEFLAGS": "", "MFLAGS": ""},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        encoding="utf-8", errors="backslashreplace")
    return "" if done.returncode == 0 else \
        f"ended with {done.returncode}\n{done.stdout[-4000:]}"


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


def results(tree, archive, work):
    """(name, what is wrong) of each point."""
    found = sections()
    wrong = [heading for (heading, _), part in zip(found, SECTIONS)
             if part not in heading]
    yield "the page has its three recipes", \
        str(wrong) if wrong or len(found) != len(SECTIONS) else ""
    for number, (heading, text) in enumerate(found):
        directory = place(number, text, work, tree, archive)
        environment = {**os.environ, **(LESS if number == 1 else {})}
        jobs = [commands(yaml.safe_load(b)) for b in blocks(text, "yaml")]
        yield f"{heading}: one job for each service", \
            "" if len(jobs) == 2 and all(jobs) else str(jobs)
        for command in dict.fromkeys(c for job in jobs for c in job or []):
            short = " ".join(command.split())
            if command.startswith("apt-get"):
                fault = packages_known(command)
            elif command.startswith("git clone"):
                fault = "" if command.endswith("/OWNER/utf8val") else command
            else:
                fault = run(command, directory, environment)
            yield f"{heading}: {short}", fault


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tree, archive = (pathlib.Path(arg).resolve() for arg in sys.argv[1:])
    failed = count = 0
    with tempfile.TemporaryDirectory(prefix="utf8val-ci-") as work:
        for name, fault in results(tree, archive, pathlib.Path(work)):
            count += 1
            print(f"{'not ok' if fault else 'ok'} {count} -",
                  name.replace("#", r"\#"), flush=True)
            for line in fault.splitlines():
                print(f"# {line}")
            failed += bool(fault)
    print(f"1..{count}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
