# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""What the command's tests share: TAP, scratch directories, the binary."""

import base64
import inspect
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
import urllib.parse

BINARY = pathlib.Path(os.environ.get("UTF8VAL", "build/utf8val")).resolve()
# Tests run on tmpfs, and on whatever file system the build directory is on.
PLACES = {"tmpfs": "/dev/shm", "disk": str(BINARY.parent)}

# Other users may read what the tests make, but not write to it: fix refuses a journal
# that others may write to.
os.umask(0o022)

_tests = []


class Place(bytes):
    """A path; / joins, as pathlib's does, which has no paths of bytes."""

    def __truediv__(self, name):
        return Place(os.path.join(self, name))


class Skip(Exception):
    """Raised by a test that cannot run here; the reason is its argument."""


def not_emulated(why):
    """Skip what a program cannot show under an emulator, which UTF8VAL_EMULATED names."""
    emulator = os.environ.get("UTF8VAL_EMULATED")
    if emulator:
        raise Skip(f"{emulator}: {why}")


def test(name, places=("tmpfs",)):
    """Register a test: it gets what it names of an empty directory of its own, root, and
    of the paths of a tree, top, and of a journal in there, which are not made."""
    def register(function):
        for place in places:
            label = f"{name} ({place})" if len(places) > 1 else name
            _tests.append((label, place, function))
        return function
    return register


BOTH = ("tmpfs", "disk")


def rmtree(path):
    """Remove a tree of any depth, whatever its modes."""
    try:
        shutil.rmtree(path)
    except (OSError, RecursionError):
        subprocess.run(["rm", "-rf", path], check=False)


def main():
    """Run every registered test, or those whose names hold an argument."""
    chosen = [t for t in _tests
              if not sys.argv[1:] or any(a in t[0] for a in sys.argv[1:])]
    failed = 0
    # A shell has its background ignore this signal, which tests send to the command.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if not BINARY.exists():
        sys.exit(f"Bail out! {BINARY} has not been built")
    print(f"1..{len(chosen)}", flush=True)
    for number, (name, place, function) in enumerate(chosen, 1):
        root = Place(os.fsencode(tempfile.mkdtemp(prefix="utf8val-test-",
                                                  dir=PLACES[place])))
        given = {"root": root, "top": root / b"tree", "journal": root / b"journal"}
        try:
            function(**{name: given[name] for name in inspect.signature(
                function).parameters if name in given})
            print(f"ok {number} - {name}", flush=True)
        except Skip as reason:
            print(f"ok {number} - {name} # SKIP {reason}", flush=True)
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print(f"not ok {number} - {name}")
            for line in traceback.format_exc().splitlines()[-9:]:
                print(f"# {line[:500]}", flush=True)
        finally:
            rmtree(root)
    sys.exit(1 if failed else 0)


def run(*args, status=None, **kwargs):
    """Run the command: its finished process, with bytes in stdout, stderr."""
    kwargs.setdefault("stdin", subprocess.DEVNULL)
    if "input" in kwargs:
        del kwargs["stdin"]
    # A command that hangs must fail, but not a slow one on the slowest machine.
    kwargs.setdefault("timeout", 1800)
    env = dict(os.environ, LC_ALL="C.UTF-8")
    env.update(kwargs.pop("env", {}))
    process = subprocess.run(
        kwargs.pop("wrap", []) + [kwargs.pop("binary", BINARY), *args],
        stdout=kwargs.pop("stdout", subprocess.PIPE),
        stderr=kwargs.pop("stderr", subprocess.PIPE), env=env, check=False,
        **kwargs)
    if status is not None:
        equal(process.returncode, status, process.stderr)
    return process


def value(item):
    """The bytes that a JSON value of the command stands for."""
    return (item["text"].encode() if "text" in item else
            base64.b64decode(item["bytes"], validate=True))


def records(*args, **kwargs):
    """Run the command with --json: what it prints, line by line."""
    return list(map(json.loads, run(*args, "--json", **kwargs).stdout.splitlines()))


def inject(what):
    """Have strace make a system call fail, or send a signal, as its manual says."""
    return ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" +
            what.split(":", maxsplit=1)[0], "-e", "inject=" + what]


def read(path):
    """The bytes of a file."""
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    """Make or replace a file."""
    with open(path, "wb") as file:
        file.write(data)


def remove(path):
    """Remove a file, if there is one."""
    if os.path.lexists(path):
        os.unlink(path)


def equal(got, want, about=""):
    """Fail with both values when they differ."""
    if got != want:
        raise AssertionError(f"got {got!r}, want {want!r} {about!r}")


def true(value, about=""):
    """Fail when value is false."""
    if not value:
        raise AssertionError(repr(about))


def make(path, *names):
    """Make empty files in a directory, which is made too."""
    os.makedirs(path, exist_ok=True)
    for name in names:
        os.close(os.open(os.path.join(path, name),
                         os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o644))


def nest(path, name, levels, fill=lambda fd, level: None):
    """Make directories of a name, each inside the one before, and return a descriptor of
    the last; fill is called with one of each other, and its level."""
    os.makedirs(path, exist_ok=True)
    fd = os.open(path, os.O_RDONLY)
    for level in range(levels):
        fill(fd, level)
        os.mkdir(name, dir_fd=fd)
        below = os.open(name, os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = below
    return fd


def tree(path):
    """Every path below path, relative, as a set."""
    found = set()
    for at, dirs, files in os.walk(path):
        for name in dirs + files:
            found.add(os.path.relpath(os.path.join(at, name), path))
    return found


def is_utf8(name):
    """What CPython's strict decoder, the oracle here, says."""
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def journal_names(path):
    """(directory, old, new) of each name in a journal, read as its
    description says; a cut last line is not one."""
    found, at = [], {}
    with open(path, "rb") as file:
        for line in file:
            if not line.endswith(b"\n"):
                break
            word, *rest = map(urllib.parse.unquote_to_bytes,
                              line.rstrip(b"\n").split(b" "))
            if word == b"root":
                at[rest[0]] = rest[1]
            elif word == b"dir":
                at[rest[0]] = os.path.join(at[rest[1]], rest[2])
            elif word == b"name":
                found.append((at[rest[0]], rest[4], rest[5]))
    return found


def inodes(root):
    """Every path below root, with its inode number."""
    return {path: os.lstat(os.path.join(root, path)).st_ino for path in tree(root)}


def as_nobody(root):
    """Arguments for run() by which permissions count even for root."""
    if os.getuid():
        return {}
    # The build directory may be closed to other users, for example by the umask.
    copy = os.path.join(root, b"utf8val")
    shutil.copyfile(BINARY, copy)
    for path in (root, copy):
        os.chmod(path, 0o755)
    return {"binary": copy, "user": 65534, "group": 65534, "extra_groups": []}
