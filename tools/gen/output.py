# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""What our programs write: a file whole or not at all; where that cannot be, as on a
full disk, they end with a sentence. And the option -o of generators."""

import argparse
import os
import pathlib
import sys


def arguments(description):
    """A parser that has -o."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("-o", "--output", metavar="FILE",
                        help="write FILE instead of standard output")
    return parser


def fail(what, error):
    """End the program with the message that something could not be written."""
    sys.exit(f"{pathlib.Path(sys.argv[0]).stem}: {what}: {error.strerror}")


def save(path, data):
    """Write a file of these bytes, and make the directories that it lies in."""
    path = pathlib.Path(path)
    new = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            path.write_bytes(data)	# a device
            return
        try:
            new.write_bytes(data)
            os.replace(new, path)
        except OSError:
            new.unlink(missing_ok=True)
            raise
    except OSError as error:
        fail(path, error)


def write(text, output, encoding="ascii"):
    """Write to the file that -o named, or to standard output."""
    if output:
        save(output, text.encode(encoding))
        return
    try:
        sys.stdout.write(text)
        # Write the rest of the output now, and not at the exit, when nobody can report
        # an error.
        sys.stdout.close()
    except OSError as error:
        fail("standard output", error)
