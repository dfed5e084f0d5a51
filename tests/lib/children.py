# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Programs run side by side: their lines as they come, and an end for all that they
started, by whichever signal or exception the one who started them ends, but SIGKILL."""

import contextlib
import math
import os
import selectors
import signal
import subprocess
import time

# seconds between two looks at what is about to end
TICK = 0.1
# seconds that epoll can wait for, and more than enough
LONGEST_WAIT = 3600
# one that prints more without an end of line does not print lines
LONGEST_LINE = 1 << 24
# proc(5), stat: numbers of the fields after the program's name
STATE, PARENT, SESSION, START = 0, 1, 3, 19

# what becomes of a program, in this order
RUNS, LEAVES, TERMINATED, KILLED = range(4)


class Stopped(Exception):
    """A signal came, and all programs have ended; its number is the argument."""


def processes():
    """{process number: fields of its stat} of all but zombies."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        # it may have ended meanwhile
        with contextlib.suppress(OSError), \
                open(f"/proc/{name}/stat", "rb") as file:
            # the program's name, which can hold any byte, is in parentheses
            fields = file.read().rpartition(b")")[2].split()
            if fields and fields[STATE] not in (b"Z", b"X"):
                found[int(name)] = fields
    return found


class Child:
    """A program in a session of its own, without standard input. Subclasses take
    its LINES and are told when it is DONE."""

    def __init__(self, command, env=None):
        self.command, self.env = command, env
        self.process = None
        self.stage = RUNS
        self.exited = False     # the process itself, whose number is kept till the end
        self.heard = 0.0        # when it last printed something
        self.silent = False     # ended as it printed nothing for too long
        self.due = math.inf     # when its stage is to end
        self.seconds = 0.0
        self.known = set()      # (process number, start) of all that are left
        self.rest = {}          # file: what came of a line so far

    def line(self, text, error):
        """A line, without its end, from standard output or ERROR."""

    def done(self, status):
        """It has ended with STATUS, and with all that it started."""

    def fault(self, text):
        """Something is wrong with it as a whole."""

    def start(self):
        self.process = subprocess.Popen(
            self.command, env=self.env, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True)
        self.heard = time.monotonic()
        self.seconds = -self.heard
        self.rest = {self.process.stdout: bytearray(),
                     self.process.stderr: bytearray()}

    def read(self, file):
        """Take what there is to read; whether that was not the end."""
        data = os.read(file.fileno(), 1 << 16)
        self.heard = time.monotonic()
        rest = self.rest[file]
        rest += data
        lines = []
        if b"\n" in data or not data:
            *lines, rest = rest.split(b"\n")
        if not data and rest:
            lines, rest = [rest], bytearray()
        for each in lines:
            self.line(each.decode("utf-8", "backslashreplace"),
                      file is self.process.stderr)
        if len(rest) > LONGEST_LINE:
            self.fault(f"printed more than {LONGEST_LINE} bytes without a line's end")
            rest = bytearray()
        self.rest[file] = rest
        return bool(data)

    def left(self):
        """Those of its processes that still run: of its session, and what any of
        them started, even in another session, as long as that could be seen."""
        stats = processes()
        found = {pid for pid, start in self.known
                 if pid in stats and stats[pid][START] == start}
        found |= {pid for pid, stat in stats.items()
                  if int(stat[SESSION]) == self.process.pid}
        more = found
        while more:
            more = {pid for pid, stat in stats.items()
                    if int(stat[PARENT]) in found} - found
            found |= more
        self.known = {(pid, stats[pid][START]) for pid in found}
        return found

    def end(self, stage, farewell):
        """Send all of it the signal of a stage."""
        self.stage = stage
        self.due = time.monotonic() + farewell
        number = signal.SIGTERM if stage == TERMINATED else signal.SIGKILL
        for pid in self.left():
            # another user's, by sudo, is left for good
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)

    def tend(self, moment, silence, farewell):
        """Look after it; whether it is over. All that it printed before MOMENT has
        been read."""
        if self.stage == RUNS and self.exited:
            self.stage, self.due = LEAVES, time.monotonic() + farewell
        if self.stage == RUNS:
            if moment > self.heard + silence:
                self.silent = True
                self.end(TERMINATED, farewell)
            return False
        left = self.left()
        if not left and not self.rest:
            return True
        if moment < self.due:
            return False
        if self.stage == LEAVES:
            self.fault(f"left {len(left)} of its processes running" if left else
                       "left its output open")
        if not left or self.stage == KILLED:
            return True
        self.end(self.stage + 1, farewell)
        return False


class Children:
    """All that run now. Within `with`, SIGINT, SIGTERM, SIGHUP and SIGQUIT end them;
    those of the four that were ignored, as under nohup, still are."""

    def __init__(self, silence, farewell):
        """SILENCE is for how many seconds one may print nothing, FAREWELL how many
        it gets to clear away what it made."""
        self.silence, self.farewell = silence, farewell
        self.selector = selectors.DefaultSelector()
        self.running = []
        self.stopped = None     # number of the signal
        self.handlers = {}      # that were there before
        self.wake = self.waker = None

    def __enter__(self):
        # A signal makes a note and wakes who waits, it interrupts nothing. Two are
        # usual: timeout(1) sends one to make, which passes it on, and one to all.
        def note(number, _frame):
            self.stopped = self.stopped or number

        self.wake, waker = os.pipe()
        os.set_blocking(self.wake, False)
        os.set_blocking(waker, False)
        self.selector.register(self.wake, selectors.EVENT_READ)
        self.waker = signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            if signal.getsignal(each) != signal.SIG_IGN:
                self.handlers[each] = signal.signal(each, note)
        return self

    def __exit__(self, *_):
        # after an exception: nobody is to hear of them any more
        for child in self.running:
            child.line = child.done = child.fault = lambda *_: None
        self.stopped = self.stopped or signal.SIGTERM
        while self.running:
            self.look()
        for each, handler in self.handlers.items():
            signal.signal(each, handler)
        os.close(signal.set_wakeup_fd(self.waker))
        os.close(self.wake)
        self.selector.close()

    def run(self, children, most):
        """Run CHILDREN, at most so many at a time, in this order."""
        waiting = list(children)
        while self.running or (waiting and not self.stopped):
            while waiting and len(self.running) < most and not self.stopped:
                self.start(waiting.pop(0))
            self.look()
        if self.stopped:
            raise Stopped(self.stopped)

    def start(self, child):
        child.start()
        self.running.append(child)
        for file in child.rest:
            self.selector.register(file, selectors.EVENT_READ, child)
        # can be read once it has exited
        self.selector.register(os.pidfd_open(child.process.pid),
                               selectors.EVENT_READ, child)

    def look(self):
        """Wait until something happens, and see to it."""
        # what was printed before this moment is read before anybody is judged by it,
        # even if this process was stopped in between
        moment = time.monotonic()
        wait = TICK
        if not self.stopped and all(child.stage == RUNS for child in self.running):
            wait = self.silence + min(child.heard for child in self.running) - moment
        wait = max(0, min(wait, LONGEST_WAIT))
        ready = self.selector.select(wait)
        # who slept that much longer was stopped, maybe with those that it listens to
        if time.monotonic() > moment + wait + 1:
            for child in self.running:
                child.heard = time.monotonic()
        for key, _events in ready:
            if key.fd == self.wake:
                os.read(self.wake, 1 << 12)
            elif key.fileobj not in key.data.rest:
                key.data.exited = True
                self.selector.unregister(key.fd)
                os.close(key.fd)
            elif not key.data.read(key.fileobj):
                self.close(key.data, key.fileobj)
        for child in list(self.running):
            if self.stopped and child.stage < TERMINATED:
                child.end(TERMINATED, self.farewell)
            if child.tend(moment, self.silence, self.farewell):
                for file in list(child.rest):
                    self.close(child, file)
                self.running.remove(child)
                child.seconds += time.monotonic()
                if not self.stopped:
                    child.done(child.process.poll())

    def close(self, child, file):
        self.selector.unregister(file)
        file.close()
        del child.rest[file]
