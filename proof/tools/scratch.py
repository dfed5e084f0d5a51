# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""One place for all temporary files of a run, which leaves none behind."""
import contextlib
import os
import signal
import tempfile


def stop(number):
    """End the run; raised, it reaches whoever has to end something else."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    raise SystemExit(128 + number)


@contextlib.contextmanager
def place():
    """A directory that every program started here takes for its temporary files, which
    Frama-C, why3 and compilers may leave; it goes away, after a signal, too."""
    with tempfile.TemporaryDirectory() as work:
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, lambda number, frame: stop(number))
        os.environ["TMPDIR"] = tempfile.tempdir = work
        yield work
