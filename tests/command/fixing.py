# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""What the tests of fix share: a tree with bad names, fixed and undone."""


import os

from harness import make, run


def sample_tree(root, width=40):
    """Bad names on three levels, directories among them; some collide."""
    for top in (b"d\xe9j\xe0", b"plain", b"\xff"):
        for sub in (b"caf\xe9", b"x"):
            path = root / top / sub
            make(path, "café.txt".encode(), b"caf\xe9.txt")
            make(path, *(b"n\xe9_%03d" % n for n in range(width)))
    make(root, b"good", b"new\nline\xe9", b"per%25cent\xe9", b"sp ace\xe9")


def fix(root, *args, **kwargs):
    """Run fix --apply on root/tree with its journal at root/journal."""
    return run("fix", "--apply", "--journal", root / b"journal",
               *args, root / b"tree", **kwargs)


def fix_latin1(root, *args, **kwargs):
    """Run fix() on names in ISO-8859-1, and require that it succeeds."""
    kwargs.setdefault("status", 0)
    return fix(root, "--from", "latin1", *args, **kwargs)


def undo(root, *args, **kwargs):
    """Undo the fix of root/tree."""
    return run("fix", "--undo", root / b"journal", *args, **kwargs)


def undo_all(root):
    """Undo the fix, and remove its journal."""
    undo(root, status=0)
    os.unlink(root / b"journal")
