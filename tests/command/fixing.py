# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""What the tests of fix share: a tree with bad names, fixed and undone."""

import os

from harness import make, run

# a journal that others may write to is refused
os.umask(0o022)


def sample_tree(root, width=40):
    """Bad names on three levels, directories among them; some collide."""
    for top in (b"d\xe9j\xe0", b"plain", b"\xff"):
        for sub in (b"caf\xe9", b"x"):
            path = os.path.join(root, top, sub)
            make(path, "café.txt".encode(), b"caf\xe9.txt")
            make(path, *(b"n\xe9_%03d" % n for n in range(width)))
    make(root, b"good", b"new\nline\xe9", b"per%25cent\xe9", b"sp ace\xe9")


def fix(root, *args, **kwargs):
    """Run fix --apply on root/tree with its journal at root/journal."""
    return run("fix", "--apply", "--journal", os.path.join(root, b"journal"),
               *args, os.path.join(root, b"tree"), **kwargs)


def undo(root, **kwargs):
    """Undo that."""
    return run("fix", "--undo", os.path.join(root, b"journal"), **kwargs)
