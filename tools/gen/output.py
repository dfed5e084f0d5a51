# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""What every generator of tables takes and does: its text goes to a file, or
to standard output."""

import argparse
import sys


def arguments(description):
    """A parser that has -o."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("-o", "--output", metavar="FILE",
                        help="write FILE instead of standard output")
    return parser


def write(text, output, encoding="ascii"):
    """To the file that -o named, or to standard output."""
    if not output:
        sys.stdout.write(text)
        return
    with open(output, "w", encoding=encoding) as file:
        file.write(text)
