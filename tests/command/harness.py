# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""The common part of the command's tests: TAP, scratch directories, the binary, and trees
with bad names that fix renames and undoes. All other programs of this directory import it."""

import base64
import functools
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
    """Register a test. It gets the arguments that its parameters name: root, an empty
    directory, and paths in it that do not exist yet. These are top, for a tree, and
    journal."""
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


def run(*args, status=None, says=b"", prints=b"", **kwargs):
    """Run the command: its finished process, with bytes in stdout, stderr. It has to end
    with the status, say the one text as an error, and print the other."""
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
    # where a test has them go elsewhere, there is nothing to look at
    true(says in (process.stderr or b""), (args, process.stderr))
    true(prints in (process.stdout or b""), (args, process.stdout))
    return process


def value(item):
    """The bytes that a JSON value of the command stands for."""
    return (item["text"].encode() if "text" in item else
            base64.b64decode(item["bytes"], validate=True))


def records(subcommand, *args, **kwargs):
    """Run the command with --json: its output, line by line. scan and fix must print a
    first and a last line, which are left out."""
    return found("summary" if "--summary" in args else subcommand,
                 run(subcommand, "--json", *args, **kwargs).stdout)


def found(subcommand, output):
    """The lines of --json without those that scan and fix put before and after them."""
    lines = list(map(json.loads, output.splitlines()))
    if subcommand not in ("scan", "summary", "fix"):
        return lines
    equal((lines[0]["begin"], lines[-1]["end"], lines[-1]["complete"]),
          (subcommand, subcommand, True))
    return [line for line in lines[1:-1] if "directory" not in line]


def scan0(*args, **kwargs):
    """The exact paths that scan -0 lists, each once, sorted."""
    got = run("scan", "-0", *args, **kwargs).stdout.split(b"\0")
    equal(got.pop(), b"")
    equal(len(got), len(set(got)))
    return sorted(got)


def inject(*faults):
    """Have strace make system calls fail, or send a signal, as its manual says."""
    return ["strace", "-f", "-qq", "-o", "/dev/null",
            "-e", "trace=" + ",".join(fault.split(":")[0] for fault in faults),
            *(word for fault in faults for word in ("-e", "inject=" + fault))]


def call(*args, **kwargs):
    """Run another program, which must succeed, and return its output, which is shown when
    the program fails. It is not told of a make that runs the tests."""
    env = {k: v for k, v in kwargs.pop("env", os.environ).items()
           if not k.startswith("MAKE") and k not in ("MFLAGS", "UTF8VAL")}
    got = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         env=env, check=False, **kwargs)
    equal(got.returncode, 0, got.stdout[-2000:].decode("utf-8", "replace"))
    return got.stdout.decode("utf-8", "replace")


def shell_words(line):
    """The words that a shell takes a line for."""
    return subprocess.run(["bash", "-c", b"printf '%s\\0' " + line], check=True,
                          stdout=subprocess.PIPE).stdout.split(b"\0")[:-1]


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
    the last. fill is called with a descriptor of each other one, and its level."""
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
    """The result of CPython's strict decoder, the oracle here."""
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def journal_names(path):
    """(directory, old, new) of each name in a journal, read as its
    description says; a cut last line is not one."""
    found, at = [], {}
    for line in read(path).split(b"\n")[:-1]:
        word, *rest = map(urllib.parse.unquote_to_bytes, line.split(b" "))
        if word == b"root":
            at[rest[0]] = rest[1]
        elif word == b"dir":
            at[rest[0]] = os.path.join(at[rest[1]], rest[2])
        elif word == b"name":
            found.append((at[rest[0]], rest[4], rest[5]))
    return found


def inodes(root, *but):
    """Every path below root but these, with its inode number."""
    return {path: os.lstat(os.path.join(root, path)).st_ino
            for path in tree(root).difference(but)}


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


def sample_tree(root, width=40):
    """Bad names on three levels, directories among them; some collide."""
    for top in (b"d\xe9j\xe0", b"plain", b"\xff"):
        for sub in (b"caf\xe9", b"x"):
            path = root / top / sub
            make(path, "café.txt".encode(), b"caf\xe9.txt")
            make(path, *(b"n\xe9_%03d" % n for n in range(width)))
    make(root, b"good", b"new\nline\xe9", b"per%25cent\xe9", b"sp ace\xe9")


def fix(root, *args, at=None, **kwargs):
    """Run fix --apply with its journal at root/journal, on root/tree or what at names."""
    return run("fix", "--apply", "--journal", root / b"journal",
               *args, *([root / b"tree"] if at is None else at), **kwargs)


def fix_latin1(root, *args, **kwargs):
    """Run fix() on names in ISO-8859-1, and require that it succeeds."""
    kwargs.setdefault("status", 0)
    return fix(root, "--from", "latin1", *args, **kwargs)


# the same, on what the arguments name
fix_named = functools.partial(fix_latin1, at=())


def undo(root, *args, **kwargs):
    """Undo the fix of root/tree."""
    return run("undo", root / b"journal", *args, **kwargs)


def undo_all(root):
    """Undo the fix, and remove its journal."""
    undo(root, status=0)
    os.unlink(root / b"journal")
