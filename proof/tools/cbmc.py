# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Call CBMC: installed, or Debian 13's from the cache, with its own libraries."""
import collections
import functools
import hashlib
import json
import pathlib
import re
import shutil
import subprocess

from sources import CACHE, ROOT, save

FETCH = ROOT / "tools" / "fetch.sh"
RELEASE = "trixie"		# the first Debian that has a CBMC of today
VERSION = 6			# its checks are by default others before
# Each names the machine for CBMC and for clang, which preprocesses for it.
MACHINES = {
    "x86_64": (["--arch", "x86_64"], "x86_64-linux-gnu"),
    "i386": (["--arch", "i386"], "i386-linux-gnu"),
    "arm": (["--arch", "arm"], "arm-none-eabi"),
    "s390x": (["--arch", "s390x"], "s390x-linux-gnu"),
    "powerpc": (["--arch", "powerpc"], "powerpc-linux-gnu"),
}
BIG_ENDIAN = ("s390x", "powerpc")
WIDE = ("x86_64", "s390x")	# the rest has 32 bits
# This file as it is now, not as it may be when a question is asked.
ME = pathlib.Path(__file__).read_bytes()
POINTERS = "--pointer-overflow-check"
CHECKS = ["--no-standard-checks", "--bounds-check", "--pointer-check",
          POINTERS, "--signed-overflow-check",
          "--undefined-shift-check", "--div-by-zero-check",
          "--pointer-primitive-check", "--unwinding-assertions"]


def fetched():
    """Debian's CBMC with its own libraries."""
    try:
        places = subprocess.run(
            [FETCH, "--follow", "minisat|^libc6$|stdc|gcc-s1|zlib1g", RELEASE,
             "cbmc"], check=True, capture_output=True, text=True).stdout.split()
    except (OSError, subprocess.CalledProcessError) as error:
        said = (getattr(error, "stderr", "") or str(error)).strip()
        raise SystemExit(f"by_cbmc: no CBMC: {said.splitlines()[-1]}") from error
    loader, binary, *libraries = (
        [path for place in places for path in sorted(pathlib.Path(place).rglob(name))]
        for name in ("ld-linux-x86-64.so.2", "bin/cbmc", "libc.so.6", "lib*.so.*"))
    if not (loader and binary and libraries[0]):
        raise SystemExit("by_cbmc: no CBMC: its packages lack it, or its C library")
    folders = {str(path.parent) for each in libraries for path in each}
    return [str(loader[0]), "--library-path", ":".join(sorted(folders)), str(binary[0])]


@functools.cache
def program():
    """The command that runs CBMC."""
    command = ["cbmc"] if shutil.which("cbmc") else fetched()
    said = subprocess.run([*command, "--version"], capture_output=True, text=True,
                          check=False).stdout
    if not re.match(rf"{VERSION}\.", said):
        raise SystemExit(f"by_cbmc: CBMC {VERSION} is wanted, this is {said.split()[:1]}")
    return command


@functools.cache
def build():
    """What tells these builds of CBMC, and of z3, which some questions go to, from others."""
    return hashlib.sha256(repr(program()).encode() + b"".join(
        pathlib.Path(each).read_bytes()
        for each in map(shutil.which, (program()[-1], "z3")) if each)).digest()


def preprocess(source, target, machine, options=()):
    """Preprocess a source as the compiler of the machine does, without the headers of
    the host, and without the places of lines, which are others in each run."""
    subprocess.run(["clang", "--target=" + MACHINES[machine][1], "-std=gnu11",
                    "-ffreestanding", "-E", "-P", *options, "-o", target, source],
                   check=True, capture_output=True)


def wrong(path, function, machine, unwind, timeout, reached, options=(), without=(),
          but=None):
    """What does not hold of one function, but for one property that CBMC is wrong about,
    as FUNCTION:DIFFERENCE; reached is an assertion that must fail, else nothing has been
    looked at. And the kinds of properties that CBMC was asked about, with the number of
    the question's own assertions. An answer in which nothing is wrong is kept, by the text
    of the question and of this file, and the build of CBMC."""
    command = [*program(), str(path), "--function", function, "--unwind", str(unwind),
               "--json-ui", *(each for each in CHECKS if each not in without),
               *MACHINES[machine][0], *options]
    key = hashlib.sha256(build() + repr((command[len(program()) + 1:], reached, but)).encode() +
                         ME + path.read_bytes())
    kept = CACHE / f"{key.hexdigest()[:32]}.cbmc"
    if kept.is_file():
        return [], collections.Counter(json.loads(kept.read_text()))
    # The limit counts time of the processor, so a busy machine changes no answer.
    run = subprocess.run(["prlimit", f"--cpu={timeout}", *command],
                         capture_output=True, text=True, check=False)
    kinds = collections.Counter()
    if run.returncode < 0:
        return [f"no answer in {timeout} s of processor time"], kinds
    try:
        said = json.loads(run.stdout)
    except ValueError:
        return [(run.stdout + run.stderr).strip()[-400:] or "no answer"], kinds
    properties = {each["property"]: (each["description"], each["status"])
                  for part in said for each in part.get("result", [])}
    if not properties:
        return ["; ".join(part["messageText"] for part in said if part.get("messageType")
                          in ("ERROR", "WARNING")) or "no answer"], kinds
    found, lives = [], False
    caller, _, difference = (but or "").partition(":")
    let_pass = {name for name, (text, _) in properties.items()
                if but and name.startswith(f"{caller}.overflow.") and
                "".join(text.split()).endswith(f"onsigned-in{difference}")}
    if but and len(let_pass) != 1:
        found.append(f"never: {but}")
    for name, (text, status) in properties.items():
        if text == reached:
            # A file may hold several questions, of which one is asked.
            lives |= status == "FAILURE"
        elif name not in let_pass:
            owner, kind, _ = name.rsplit(".", 2)
            if kind == "assertion":
                kinds[kind] += owner == function
            elif not kind.startswith("precondition"):
                # The properties of CBMC's own library have other names in another
                # version.
                kinds[kind] = 1
            if status != "SUCCESS":
                found.append(f"{name}: {text}: {status}")
    found += [] if lives else [f"never: {reached}"]
    if not found:
        save(kept, json.dumps(kinds))
    return found, kinds
