#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Make sure that the Debian packages a job needs are installed.

tools/packages lists them by job, in groups. What is missing is installed with
apt-get as root, or through sudo, and what is run is said first; at a terminal sudo
may ask for a password. Without either, the line to run is printed. With DEPS=no in
the environment nothing is installed.

A package that this release lacks is an error for a group that is named; "all",
which is every group but bench and vm-full, and --suites name it and go on.

Exit status: 0 when everything is there, 1 when not, 2 for unusable arguments.
"""

import argparse
import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import sys

LIST = pathlib.Path(__file__).parent / "packages"
RELEASES = {"bookworm": "Debian 12", "trixie": "Debian 13",
            "noble": "Ubuntu 24.04, not tried"}
LISTS = ("Groups", "Packages", "Lacks")
# not for `make check`: hours of tests, and what only measures
APART = ("bench", "vm-full")


class Group:
    """A paragraph of the list: its fields in lower case, lists split."""

    def __init__(self, fields):
        self.name = fields["Group"]
        self.purpose = fields.get("For", "")
        self.instead = fields.get("Instead", "")
        self.groups, self.packages, self.lacks = (
            fields.get(name, "").split() for name in LISTS)


def read(path=LIST):
    """{name: Group} of the list, in its order."""
    groups = {}
    fields, last = {}, None
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        if line.startswith("#"):
            continue
        if line.startswith(" "):
            fields[last] += line
        elif line:
            last, value = line.split(":", 1)
            fields[last] = value.strip()
        elif fields:
            group = Group(fields)
            groups[group.name] = group
            fields = {}
    return groups


def suites():
    """{suite: its group}, as tests/suites has them."""
    rows = subprocess.run([LIST.parent.parent / "tests/suite", "--table"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return {row.split()[0]: row.split()[2] for row in rows}


def words(groups, names):
    """What the named groups list, groups that belong to them included."""
    found = []
    for name in names:
        group = groups[name]
        found += words(groups, group.groups) + group.packages
    return list(dict.fromkeys(found))


def names_of(word):
    """The packages of a word of the list, the preferred one first."""
    return word.rstrip("?").split("|")


def installed(names):
    """Those of the names that are installed."""
    query = subprocess.run(
        ["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package}\n", *names],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        check=False)
    return {line.split()[1] for line in query.stdout.splitlines()
            if line.startswith("installed ")}


def available(names):
    """Those of the names that apt's lists have. apt-cache takes a name that it
    does not know for a pattern: its answers are compared."""
    query = subprocess.run(
        ["apt-cache", "--no-all-versions", "show", *names],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        check=False)
    return {line.split()[1] for line in query.stdout.splitlines()
            if line.startswith("Package: ")} & set(names)


def plan(wanted):
    """({word: package to install}, [words this release has nothing for])"""
    have = installed([name for word in wanted for name in names_of(word)])
    missing = [word for word in wanted if names_of(word)[0] not in have]
    if not missing:
        return {}, []
    can = have | available([n for word in missing for n in names_of(word)])
    first = {word: next((n for n in names_of(word) if n in can), None)
             for word in missing}
    return ({word: name for word, name in first.items()
             if name and name not in have},
            [word for word, name in first.items()
             if not name and not word.endswith("?")])


def release():
    """What this system calls itself."""
    try:
        system = platform.freedesktop_os_release()
    except OSError:
        return "this system"
    return f"{system.get('NAME')} {system.get('VERSION_ID', '')}".rstrip()


def skips(groups):
    """Lines "SUITE REASON": suites that lack a package on this system."""
    of = suites()
    install, lacks = plan(words(groups, groups))
    for group in groups.values():
        need = words(groups, [group.name])
        gone = [word for word in lacks if word in need]
        absent = [name for word, name in install.items() if word in need]
        if gone:
            why = (f"{release()} has no {' '.join(gone)}; instead:"
                   f" {group.instead or 'a release that has it'}")
        elif absent:
            why = (f"{' '.join(absent)} not installed; first:"
                   f" make deps-{group.name}")
        else:
            continue
        for suite in of:
            if of[suite] == group.name:
                yield f"{suite} {why}"


def lacks_stated(groups, name, codename):
    """What the list says that a release lacks for a group."""
    group = groups[name]
    found = [word.split("/")[1] for word in group.lacks
             if word.startswith(codename + "/")]
    for other in group.groups:
        found += lacks_stated(groups, other, codename)
    return list(dict.fromkeys(found))


def table(groups):
    """What runs where, as Markdown."""
    yield f"| group | what for | {' | '.join(RELEASES.values())} |"
    yield "|---|---|" + "---|" * len(RELEASES)
    for group in groups.values():
        cells = [lacks_stated(groups, group.name, codename)
                 for codename in RELEASES]
        yield (f"| {group.name} | {group.purpose} | " + " | ".join(
            f"no {', '.join(cell)}" if cell else "yes" for cell in cells)
            + " |")


def wrong(groups):
    """What is wrong with the list: suites of a group that there is not, and what it
    says of this release."""
    for suite, group in suites().items():
        if group not in groups:
            yield f"the group of suite {suite} is none: {group}"
    codename = platform.freedesktop_os_release().get("VERSION_CODENAME")
    if codename in RELEASES:
        _, lacks = plan(words(groups, groups))
        for word in lacks:
            if not any(f"{codename}/{word}" in g.lacks
                       for g in groups.values()):
                yield f"{codename} lacks {word}, which no group says"
        for word in {w for g in groups.values() for w in g.lacks}:
            if (word.split("/")[0] == codename
                    and word.split("/")[1] not in lacks):
                yield f"{word.split('/')[1]} is no lack of {codename}"


def sizes(groups, names):
    """What the groups' packages, and those that they need, take on a Debian with
    nothing but its required packages, apt, git and make: (count, bytes fetched,
    bytes installed)."""
    records = subprocess.run(["apt-cache", "dumpavail"],
                             stdout=subprocess.PIPE, text=True,
                             check=True).stdout.split("\n\n")
    required = [record.split("\n", 1)[0].removeprefix("Package: ")
                for record in records if "\nPriority: required\n" in record]
    bare = [*required, "apt", "ca-certificates", "git", "make"]
    named = [names_of(word) for word in words(groups, names)]
    have = available([*bare, *(name for some in named for name in some)])

    def installs(*more):
        # as on a system that has nothing
        listing = subprocess.run(
            ["apt-get", "-s", "-o", "Dir::State::status=/dev/null",
             "--no-install-recommends", "install", *bare, *more],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            check=True).stdout
        return {line.split()[1] for line in listing.splitlines()
                if line.startswith("Inst ")}

    bare = [name for name in bare if name in have]
    first = [next((n for n in some if n in have), None) for some in named]
    added = installs(*filter(None, first)) - installs()
    found = subprocess.run(
        ["apt-cache", "--no-all-versions", "show", *added],
        stdout=subprocess.PIPE, text=True, check=True).stdout
    fetched = sum(map(int, re.findall(r"^Size: (\d+)$", found, re.M)))
    on_disk = sum(map(int, re.findall(r"^Installed-Size: (\d+)$", found, re.M)))
    return len(added), fetched, 1024 * on_disk


def say(text):
    print(f"deps: {text}", file=sys.stderr, flush=True)


def apt_get(as_root, *args):
    """Run apt-get, saying so first; True when it succeeded."""
    say(" ".join([*as_root, "apt-get", *args])
        + "   (DEPS=no prevents this)")
    # a new machine may be busy with its own updates; without a network an update
    # fails, which is no error by default
    return subprocess.run(
        [*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq",
         "-o", "DPkg::Lock::Timeout=600", "-o", "APT::Update::Error-Mode=any",
         *args], stdout=sys.stderr, check=False).returncode == 0


def become_root():
    """What to put before a command, or None."""
    if os.getuid() == 0:
        return []
    # it asks for a password where somebody can answer
    if shutil.which("sudo") and (os.isatty(0) or subprocess.run(
            ["sudo", "-n", "true"], stderr=subprocess.DEVNULL,
            check=False).returncode == 0):
        return ["sudo"]
    return None


def ask(names):
    """Say what somebody else has to run."""
    say("packages are missing; as root, run:")
    print("  apt-get update && apt-get install -y --no-install-recommends",
          *names, file=sys.stderr)
    say("or go on without them, with DEPS=no")


def install_groups(groups, names, everything):
    """Install what the groups need; the exit status."""
    if not (shutil.which("dpkg-query") and shutil.which("apt-get")):
        say("this is no Debian system, see to it yourself that there is what"
            f" 'tools/deps.sh --list {' '.join(names)}' prints")
        return 0
    wanted = words(groups, names)
    install, lacks = plan(wanted)
    if not install and not lacks or not install and everything:
        return 0
    missing = [*install.values(), *(names_of(word)[0] for word in lacks)]
    as_root = become_root()
    if as_root is None:
        ask(missing)
        return 1
    updated = apt_get(as_root, "update")
    install, lacks = plan(wanted)
    if lacks and not updated:
        say("apt-get update failed; its own message stands above. Is there a network?")
        if as_root:
            ask(missing)
        return 1
    if lacks:
        say(f"{release()} has no {' '.join(lacks)}")
        if not everything:
            for name in names:
                say(f"instead: {groups[name].instead or 'another release'}")
            return 1
    if install and not apt_get(as_root, "install", "-y",
                               "--no-install-recommends", *install.values()):
        say("apt-get failed; its own message stands above. Nothing else was"
            " done.")
        if as_root:
            ask(missing)
        return 1
    return 0


def main():
    parser = argparse.ArgumentParser(
        prog="tools/deps.sh",
        description="Make sure that the packages of a group are installed.")
    parser.add_argument("groups", nargs="*", metavar="GROUP",
                        help="a group of tools/packages, or 'all'")
    parser.add_argument("--list", action="store_true",
                        help="only print what the groups list")
    parser.add_argument("--skips", action="store_true",
                        help="only print the test suites that lack a package"
                             " here, a pattern a line, each with the reason")
    parser.add_argument("--table", action="store_true",
                        help="only print what runs on which release")
    parser.add_argument("--check", action="store_true",
                        help="only print what is wrong with tools/packages")
    parser.add_argument("--size", action="store_true",
                        help="only print what the groups' packages take on a"
                             " Debian that has nothing but git and make")
    parser.add_argument("--suites", action="store_true",
                        help="GROUP is the name of a test suite: what it needs")
    args = parser.parse_args()
    groups = read()
    if args.check:
        faults = list(wrong(groups))
        for fault in faults:
            print(fault)
        return 1 if faults else 0
    if args.table:
        print(*table(groups), sep="\n")
        return 0
    everything = args.groups == ["all"] or args.suites
    if args.suites:
        names = ["check"] + [
            group for suite, group in suites().items() if suite in args.groups]
    elif everything:
        names = [name for name in groups if name not in APART]
    else:
        names = args.groups
    unknown = [name for name in names if name not in groups]
    if unknown or not (names or args.skips):
        parser.error(f"groups are: all {' '.join(groups)}")
    if args.list:
        print("\n".join(words(groups, names)))
        return 0
    if args.size:
        count, fetched, on_disk = sizes(groups, names)
        print(f"{' '.join(names)}: {count} packages,"
              f" {fetched / 1e6:.0f} MB to fetch, {on_disk / 1e6:.0f} MB installed")
        return 0
    if args.skips:
        if shutil.which("dpkg-query") and shutil.which("apt-cache"):
            for line in skips(groups):
                print(line)
        return 0
    answer = os.environ.get("DEPS", "")
    if answer not in ("", "no"):
        parser.error(f"DEPS={answer}: there is only DEPS=no, which installs nothing")
    if answer:
        return 0
    return install_groups(groups, names, everything)


if __name__ == "__main__":
    # as any tool whose output goes to head(1)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
