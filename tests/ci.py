#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Run the jobs of docs/ci.md, command by command as they stand there. Each job has a root
directory of a Debian release with only what a container image has. The suites ci-RELEASE
call this.

Each block of YAML must parse and be one of two things: GitHub's jobs with steps, or a
GitLab job with a script. Two jobs of the same commands are run once. A job's directory is
made as the page says: a kernel tree, an unpacked archive of utf8val, or a program beside
one. It takes the place of what `git clone` would fetch. A job's cache is the user's own,
so that kernels are built once; packages are also fetched once. A job that names a cache
runs a second time with nothing but the named paths. TAP on standard output.

Usage: tests/ci.py RELEASE TREE ARCHIVE
  RELEASE  bookworm, trixie, ...
  TREE     a kernel tree with utf8val in it
  ARCHIVE  what make dist makes
"""

import fnmatch
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

from lib.tap import tap

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/ci.md"
SECTIONS = ("kernel tree", "own checks", "under enforce")
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"))
# what builds a kernel, and is not installed where the cache has one
BUILDERS = ("bc", "bison", "flex", "linux-source-*")
# `make check` inside of `make check` runs only a few suites. The timeout is long,
# because a busy machine takes longer than `make vm` waits for a user's program.
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


def cached(block):
    """(path, key) of each cache of a block."""
    for job in (block.get("jobs") or block).values():
        caches = [step["with"] for step in job.get("steps", [])
                  if step.get("uses", "").startswith("actions/cache@")]
        gitlab = job.get("cache")
        yield from ((each["path"], each["key"]) for each in caches)
        yield from ((path, gitlab["key"]) for path in gitlab["paths"]) if gitlab else ()


def not_hashed(key):
    """The files of vm/run's stamp that no pattern of GitHub's key has."""
    patterns = [each.replace("**", "*") for each in re.findall(r"'utf8val/(.*?)'", key)]
    text = (ROOT / "vm/run").read_text("utf-8")
    files = re.search(r'^made_of="(.*?)"', text, re.M | re.S)[1].split()
    return [each for each in files if not any(
        fnmatch.fnmatch(each + "/x" * (ROOT / each).is_dir(), pattern) for pattern in patterns)]


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


def run(job, root, directory, packages, cache):
    """(command, what is wrong) of each command of a job, up to one that fails."""
    for command in job:
        done = subprocess.run(
            [ROOT / "tools/debian-root.sh", "--in", root,
             "--bind", packages, "/var/cache/apt/archives", "--bind", directory, "/job",
             "--bind", cache, "/job/.cache",
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
        read = [yaml.safe_load(block) for block in blocks(text, "yaml")]
        jobs = [commands(block) for block in read]
        caches = [pair for block in read for pair in cached(block)]
        yield f"{heading}: one job for each service", \
            "" if len(jobs) == 2 and all(jobs) else str(jobs)
        clones = [c for job in jobs for c in job if c.startswith("git clone")]
        if clones:
            yield f"{heading}: git clones utf8val", \
                "" if all(c.endswith("/OWNER/utf8val") for c in clones) else str(clones)
        for job in {tuple(c for c in job if c not in clones) for job in jobs}:
            root = work / f"root-{number}"
            for again in (False, True) if caches else (False,):
                subprocess.run(["cp", "-a", "--reflink=auto", work / "root", root],
                               check=True)
                cache = work / "kept" if again else CACHE
                how = " with the service's cache" if again else ""
                if again:
                    shutil.rmtree(directory)
                    place(number, text, work, tree, archive)
                for path, _ in caches if again else ():
                    kept = pathlib.Path(path).relative_to(".cache")
                    shutil.copytree(CACHE / kept, cache / kept, dirs_exist_ok=True)
                for command, fault in run(job, root, directory, packages, cache):
                    yield f"{heading}: {command}{how}", fault
                there = re.findall(r"^Package: (.*)",
                                   (root / "var/lib/dpkg/status").read_text("utf-8"), re.M)
                if again:
                    built = sorted(name for name in there if any(
                        fnmatch.fnmatch(name, builder) for builder in BUILDERS))
                    yield f"{heading}: nothing is installed for a kernel's build", str(built or "")
                subprocess.run(["rm", "-rf", "--one-file-system", root], check=True)
        if caches:
            yield f"{heading}: both services cache one path", \
                "" if len(caches) == 2 and caches[0][0] == caches[1][0] else str(caches)
            yield f"{heading}: the key has all that the kernel is made of", \
                str(not_hashed(caches[0][1]) or "")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    tree, archive = (pathlib.Path(arg).resolve() for arg in sys.argv[2:])
    with tempfile.TemporaryDirectory(prefix="utf8val-ci-") as work:
        return tap((name, fault.splitlines()) for name, fault in
                   results(sys.argv[1], tree, archive, pathlib.Path(work)))


if __name__ == "__main__":
    sys.exit(main())
