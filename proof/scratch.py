# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""One place for all temporary files of a run, which leaves none behind."""
import contextlib
import multiprocessing
import os
import signal
import tempfile


def stop(number, frame):
    """End the run: children first, then whatever cleans up."""
    del frame
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    for child in multiprocessing.active_children():
        child.kill()
    raise SystemExit(128 + number)


@contextlib.contextmanager
def place():
    """A directory that every program started here takes for its temporary files.

    Frama-C, why3 and compilers leave some where they are, above all when they
    are stopped. It goes away with all of it, after SIGINT and SIGTERM, too.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    with tempfile.TemporaryDirectory() as work:
        os.environ["TMPDIR"] = tempfile.tempdir = work
        yield work
