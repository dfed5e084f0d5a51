#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Make sure that the Debian packages that a job needs are installed.
The Makefile calls this before it builds a target.

tools/packages lists the packages by job, in groups. As root, missing packages are
installed with apt-get satisfy. Other users need sudo, which may ask for a password at a
terminal; the command is printed first. Without root and sudo, the command to run is
printed. With DEPS=no in the environment nothing is installed. A package that this
release lacks is an error for a group that is named. "all" (all groups except for the
separate ones) and --suites report the package and continue.

Usage: tools/deps.py [--list] GROUP... | all | --suites SUITE...
         --list    only print the packages
         --suites  the groups of these suites
       tools/deps.py --skips | --check
         --skips   print the suites that lack a package here, one a line, with the reason
         --check   print what is wrong with tools/packages

Exit status: 0 if everything is installed, 1 if not, 2 for unusable arguments.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Groups that `make check-all` does not need: hours of tests, and jobs that only measure.
APART = ("bench", "vm-full", "recording")
RELEASES = {"bookworm": "Debian 12", "trixie": "Debian 13"}


def read_groups():
    """The paragraphs of tools/packages: {group: {field: text}}."""
    lines = (ROOT / "tools/packages").read_text("utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#"))
    fields = [dict(re.findall(r"^(\w+): (.*)$", part.replace("\n ", " "), re.M))
              for part in re.split(r"\n\n+", text.strip())]
    return {each["Group"]: each for each in fields}


GROUPS = read_groups()
OS = dict(re.findall(r'^(\w+)="?(.*?)"?$', pathlib.Path("/etc/os-release").read_text("utf-8"), re.M)
          if os.path.exists("/etc/os-release") else ())
SYSTEM = " ".join([OS.get("NAME", "this system"), OS.get("VERSION_ID", "")]).strip()


def say(text):
    print(f"deps: {text}", file=sys.stderr, flush=True)


def output(*command):
    """A program's output; nothing where there is no such program."""
    if not shutil.which(command[0]):
        return ""
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
                          encoding="utf-8", errors="replace").stdout


def values(field, *names):
    """The words of a field of these groups and of all groups that belong to them."""
    found = {}
    for name in names:
        group = GROUPS[name]
        found |= dict.fromkeys(values(field, *group.get("Groups", "").split()))
        found |= dict.fromkeys(group.get(field, "").split())
    return list(found)


def alternatives(word):
    return word.rstrip("?").split("|")


def needed(packages):
    return [word for word in packages if not word.endswith("?")]


def without(there, packages):
    """The words of which no alternative is among the packages that are there."""
    return [word for word in packages if not set(alternatives(word)) & set(there)]


def missing(packages):
    listed = output("dpkg-query", "-W", "-f", "${db:Status-Status} ${Package}\n")
    return without(re.findall(r"^installed (.*)", listed, re.M), packages)


def lacking(packages):
    """The words that this release has no package for."""
    names = [name for word in packages for name in alternatives(word)]
    shown = output("apt-cache", "show", "--no-all-versions", *names) if names else ""
    return without(re.findall(r"^Package: (.*)", shown, re.M), packages)


def dependency(packages):
    return ", ".join(word.rstrip("?").replace("|", " | ") for word in packages)


def instead(default, names):
    return "\n".join(GROUPS[n]["Instead"] for n in names if "Instead" in GROUPS[n]) or default


def suites():
    """{suite: group} of tests/suites.py."""
    sys.path.append(str(ROOT / "tests"))
    import suites as listed  # pylint: disable=import-outside-toplevel
    return {name: suite.packages for name, suite in listed.SUITES.items()}


def skips():
    """{suite: why} of the suites that lack a package here."""
    absent = set(missing(needed(values("Packages", *GROUPS))))
    gone = set(lacking(sorted(absent)))
    found = {}
    for name in GROUPS:
        here = [word for word in values("Packages", name) if word in absent]
        lacks = [word for word in here if word in gone]
        if not here:
            continue
        why = f"{' '.join(here)} not installed; first: make deps-{name}"
        if lacks:
            why = f"{SYSTEM} has no {' '.join(lacks)}; instead: " + \
                instead("a release that has it", [name])
        found |= {suite: why for suite, group in suites().items() if group == name}
    return found


def check():
    """The faults of the groups: suites without a group, kernels of an unknown release,
    and differences between the groups and the release's packages."""
    import table as tables  # pylint: disable=import-outside-toplevel
    yield from (f"suite {name} is of no group: {group}" for name, group in suites().items()
                if group not in GROUPS)
    for release, in tables.select(ROOT / "vm/kernels", ["release"]):
        if release.split("-")[0] not in RELEASES:
            yield f"vm/kernels: {release} is no release of tools/deps.py: add it to RELEASES there"
    codename = OS.get("VERSION_CODENAME")
    if codename in RELEASES:
        lacks = lacking(missing(needed(values("Packages", *GROUPS))))
        stated = [word.split("/")[1] for word in values("Lacks", *GROUPS)
                  if word.startswith(f"{codename}/")]
        yield from (f"{codename} lacks, as no group states: {each}"
                    for each in without(stated, lacks))
        yield from (f"{codename} has, against its group: {each}" for each in without(lacks, stated))


def apt_get(sudo, *arguments):
    """Run apt-get. A new machine may be busy with its own updates; without a network an
    update fails, which is no error by default."""
    say(" ".join([*sudo, "apt-get", *arguments]) + "   (DEPS=no prevents this)")
    return subprocess.call(
        [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o",
         "DPkg::Lock::Timeout=600", "-o", "APT::Update::Error-Mode=any", *arguments],
        stdout=2) == 0


def may_use_sudo():
    terminal = sys.stdin is not None and sys.stdin.isatty()
    return shutil.which("sudo") and (terminal or subprocess.call(
        ["sudo", "-n", "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0)


def install(*names, go_on=False):
    """Install what the groups lack, or end with what has to be done; with GO_ON a package
    that the release lacks is only reported."""
    answer = os.environ.get("DEPS", "")
    if answer not in ("", "no"):
        say(f"DEPS={answer}: there is only DEPS=no, which installs nothing")
        sys.exit(2)
    if answer == "no":
        return
    if not shutil.which("dpkg-query") or not shutil.which("apt-get"):
        say("this is no Debian system; install what this command prints: tools/deps.py --list "
            + " ".join(names))
        return
    absent = missing(values("Packages", *names))
    if not needed(absent):
        return
    sudo = ["sudo"] if os.geteuid() else []

    def fail(packages, *why):
        for line in why:
            say(line)
        if sudo:
            say("packages are missing; as root, run:")
            print("  apt-get update && apt-get satisfy -y --no-install-recommends "
                  f"'{dependency(packages)}'", file=sys.stderr)
            say("or continue without them, with DEPS=no")
        sys.exit(1)

    if sudo and not may_use_sudo():
        fail(absent)
    updated = apt_get(sudo, "update")
    lacks = lacking(absent)
    gone = needed(lacks)
    if gone and not updated:
        fail(absent, "apt-get update failed; its own message stands above. Is there a network?")
    if gone:
        say(f"{SYSTEM} has no {' '.join(gone)}")
        if not go_on:
            say("instead: " + instead("another release", names))
            sys.exit(1)
    had = [word for word in absent if word not in lacks]
    if had and not apt_get(sudo, "satisfy", "-y", "--no-install-recommends", dependency(had)):
        fail(had, "apt-get failed; its own message stands above. Nothing else was done.")


def groups_of(names):
    """The groups of these suites, and that of what counts them."""
    known = suites()
    return list(dict.fromkeys(["check", *(known[name] for name in names if name in known)]))


def install_for(names, junit=False):
    """Install what these suites need, as far as the release has it."""
    install(*groups_of(names), go_on=True)
    if junit:
        install("junit")


def main():
    arguments = sys.argv[1:]
    listing = arguments[:1] == ["--list"]
    del arguments[:listing]
    first = arguments[0] if arguments else ""
    if first == "--skips":
        print(*(f"{name} {why}\n" for name, why in skips().items()), sep="", end="")
        return 0
    if first == "--check":
        print(*(f"{line}\n" for line in check()), sep="", end="")
        return 0
    names, go_on = arguments, first in ("--suites", "all")
    if first == "--suites":
        names = groups_of(arguments[1:])
    elif first == "all":
        names = [name for name in GROUPS if name not in APART]
    elif first.startswith("-"):
        print(__doc__.split("\n\n")[2], file=sys.stderr)
        return 2
    if not names or any(name not in GROUPS for name in names):
        say(f"groups are: all {' '.join(GROUPS)}")
        return 2
    if listing:
        print(*values("Packages", *names), sep="\n")
    else:
        install(*names, go_on=go_on)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
