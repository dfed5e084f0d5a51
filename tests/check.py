#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Run the suites of tests/suites.py with prove, and count their points.
`make check` and the other checks call this.

Usage: tests/check.py CHECK...       run a check, or several with one count: check,
                                     check-all, check-rest, check-vm-full,
                                     check-exhaustive; with ONLY='NAME PATTERN...' in the
                                     environment only these suites of check-all, with
                                     JUNIT=FILE the results also as JUnit XML
       tests/check.py suite NAME     build what one suite needs, and run it
       tests/check.py list [CHECK...]  print the names of all suites, or of these checks'
       tests/check.py watch NAME     what prove runs for each suite

prove decides how many suites run at a time, and which suites have failed. A suite has
failed with a failed point, without a plan, without a point, or with an exit status other
than 0. A suite has also failed if it prints "Bail out!", takes longer than tests/suites.py
allows, or leaves processes behind, which are ended. build/logs/NAME.log has all that the suite NAME printed.

The last line is "N passed, N failed, N skipped". Exit status: 0 if nothing failed; 1 if
something failed; 2 for unusable arguments; 128 and the signal's number after a signal.
"""

import ctypes
import fnmatch
import glob
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools")]
import deps  # noqa: E402  pylint: disable=wrong-import-position
import suites  # noqa: E402  pylint: disable=wrong-import-position

LOGS = pathlib.Path("build/logs")
SKIPS = pathlib.Path("build/skips")
MAKE = ["make", "-s", "--no-print-directory"]
# Most suites wait now and then, so one more runs than there are processors.
JOBS = len(os.sched_getaffinity(0)) + 1
# seconds for the processes of a suite to end: by themselves, then after each signal
PATIENCE = 10
# A diagnostic that begins so must be the same in all suites that print one.
AGREE = "# vectors:"
CHECKS = {"check": ("check",), "check-all": ("check", "all"), "check-rest": ("all",),
          "check-vm-full": ("full",), "check-exhaustive": ("exhaustive",)}
POINT = re.compile(r"(not )?ok\b")
DIRECTIVE = re.compile(r"(?<!\\)#(\s*(skip|todo)\b)", re.I)


def fail(message):
    """End with a message about unusable arguments."""
    print(f"check: {message}", file=sys.stderr)
    sys.exit(2)


def clean(line):
    """A line of any bytes as text that a terminal and XML accept."""
    return "".join(chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}"
                   for byte in line.rstrip(b"\n"))


def adopt():
    """Become the parent of all descendants that lose theirs, whatever their session."""
    set_child_subreaper = 36
    if ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0) != 0:
        raise OSError("prctl")


def descendants():
    """The processes below this process, except zombies."""
    parents = {}
    for name in glob.glob("/proc/[0-9]*/stat"):
        try:
            state, parent = pathlib.Path(name).read_text("latin-1").rpartition(")")[2].split()[:2]
        except (OSError, ValueError):
            continue
        parents[int(name.split("/")[2])] = int(parent), state
    found = [os.getpid()]
    for process in found:
        found += [child for child, (parent, _) in parents.items() if parent == process]
    return [process for process in found[1:] if parents[process][1] not in "ZX"]


def wait_for_descendants():
    """Give all descendants PATIENCE seconds to end. Returns: those that have not."""
    deadline = time.monotonic() + PATIENCE
    while descendants() and time.monotonic() < deadline:
        time.sleep(0.05)
    return descendants()


def end_descendants():
    """End all processes below this process, and let them clear away their things first."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        for process in descendants():
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass
        if not wait_for_descendants():
            return


def guarded(action, *arguments):
    """Do the action; a signal ends it, and all descendants with it."""
    def end(number, _):
        for each in numbers:
            signal.signal(each, signal.SIG_IGN)
        sys.exit(128 + number)

    numbers = [number for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)
               if signal.getsignal(number) != signal.SIG_IGN]
    for number in numbers:
        signal.signal(number, end)
    adopt()
    try:
        return action(*arguments)
    finally:
        end_descendants()


def keep(name, command, limit, take):
    """Run a command without standard input, until it and all its processes have ended. Each line of its output goes to TAKE, all output to its log.
    Returns: the exit status, [what was wrong]."""
    faults = []

    def listen(stream, prefix, pass_on):
        for line in stream:
            try:
                log.write(prefix + line)
            except OSError as error:
                faults[:] = [f"{log.name} cannot be written: {error.strerror}"]
            pass_on(clean(line))

    def progress(line):
        print(f"   {name}: {line}", file=sys.stderr, flush=True)

    LOGS.mkdir(parents=True, exist_ok=True)
    with open(LOGS / f"{name}.log", "wb", buffering=0) as log, subprocess.Popen(
            ["timeout", limit, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE) as process:
        listeners = [threading.Thread(target=listen, args=arguments) for arguments in
                     ((process.stdout, b"", take), (process.stderr, b"# stderr: ", progress))]
        for each in listeners:
            each.start()
        status = process.wait()
        if status == 124:
            faults.append(f"ended after {limit}")
        left = wait_for_descendants()
        if left:
            faults.append(f"left {len(left)} of its processes running")
            end_descendants()
        for each in listeners:
            each.join()
    return status if status >= 0 else 128 - status, faults


def watch(name):
    """Run a suite for prove, which gets plain text: points, their plan, and what a failed
    point's diagnostics are. Returns: an exit status."""
    counts, shown, faults = [0, 0, 0], [], []

    def take(line):
        point = POINT.match(line)
        if re.match(r"\s*Bail out!", line):
            # The words themselves would make prove end all suites.
            faults.append(f"bailed out: {line.split('!', 1)[1].strip()}")
            return
        if point:
            # A failed point was run, whatever its directive says.
            directive = DIRECTIVE.search(line)
            kind = 1 if point[1] else 2 if directive and directive[2].lower() == "skip" else 0
            counts[kind] += 1
            take.failing = kind == 1
            if kind == 1:
                line = DIRECTIVE.sub(r"\\#\1", line)
            if kind:
                shown.append(line)
        elif line.startswith("#"):
            if not take.failing:
                return
            shown.append(f"  {line}")
        print(line, flush=True)

    take.failing = False
    begin = time.monotonic()
    reason = dict(line.split(" ", 1) for line in SKIPS.read_text("utf-8").splitlines()).get(name)
    if reason:
        take(f"ok 1 - the whole suite # SKIP {reason}")
        take("1..1")
        status, wrong = 0, []
    else:
        command = [sys.executable, __file__, "suite", name]
        status, wrong = keep(name, command, suites.LIMITS[suites.SUITES[name].check], take)
    faults += wrong
    if status and not counts[1] and not faults:
        faults.append(f"ended with status {status}")
    (LOGS / f"{name}.count").write_text(" ".join(map(str, counts)))
    lines = [f"== {name}: {told(counts)} in {time.monotonic() - begin:.0f} s", *shown, *faults]
    if counts[1] or faults:
        lines.append(f"the whole output: {LOGS}/{name}.log")
    sys.stdout.flush()
    sys.stderr.write("\n   ".join(lines) + "\n")
    return 1 if faults else 0


def told(counts):
    """The counts of points as the closing line has them."""
    return "{} passed, {} failed, {} skipped".format(*counts)


def judged(state):
    """{suite: whether it failed}, from the file of prove's --state=save."""
    name, found = None, {}
    for line in state.read_text("utf-8").splitlines() if state.exists() else []:
        key, _, value = line.partition(": ")
        if re.match(r"  \S", line):
            name = line.strip().rstrip(":").strip("'\"")
        elif key.strip() == "last_result":
            found[name] = value.strip() != "0"
    return found


def count(names, failed):
    """The sum of the suites' points; a suite that prove calls failed has failed once at
    least, as has one that prints no point."""
    total, said = [0, 0, 0], None
    for name in names:
        try:
            counts = [int(word) for word in (LOGS / f"{name}.count").read_text().split()]
        except OSError:
            counts = [0, 0, 0]
        if not counts[1] and (failed.get(name, True) or not any(counts)):
            counts[1] = 1
            print(f"== {name}: failed: {LOGS}/{name}.log" +
                  ("" if any(counts[::2]) else "; it ran no test"))
        log = LOGS / f"{name}.log"
        for line in log.read_text("latin-1").splitlines() if log.is_file() else []:
            if line.startswith(AGREE):
                said = said or line
                if line != said:
                    counts[1] += 1
                    print(f"== {name}: {clean(line.encode('latin-1'))}; another suite has: {said}")
        total = [a + b for a, b in zip(total, counts)]
    return total


def run(names, junit):
    """Run the suites with prove. Returns: the sums of points (passed, failed, skipped)."""
    LOGS.mkdir(parents=True, exist_ok=True)
    skips = deps.skips()
    SKIPS.write_text("".join(f"{name} {why}\n" for name, why in skips.items()), "utf-8")
    needs = dict.fromkeys(need for name in names if name not in skips
                          for need in suites.SUITES[name].needs)
    if needs:
        # A suite reports again what cannot be built for it.
        print("== building what the suites need", flush=True)
        keep("needs", [*MAKE, "-k", f"-j{JOBS}", *needs], suites.LIMITS["check"], lambda line: None)
    state = pathlib.Path("build/prove")
    for path in [state, *(LOGS / f"{name}.count" for name in names)]:
        path.unlink(missing_ok=True)
    schedule = {name: suites.SUITES[name].schedule for name in names}
    order = [name for when in suites.SCHEDULES for name in names if schedule[name] == when]
    beside = [name for name in order if schedule[name] != "alone"]
    # prove runs those of no rule at the end, one after the other. It takes a directory's
    # name for that of the files in it, so it is started where no directory is.
    rules = f"par={{{','.join(beside)}}}" if beside else "seq=**"
    subprocess.run(["prove", "--norc", f"-j{JOBS}", f"--rules={rules}", "--timer", "-Q",
                    "--state=save", f"--statefile={state.resolve()}",
                    f"--formatter=TAP::Formatter::{'JUnit' if junit else 'File'}",
                    "--exec", "../../tests/check.py watch", *order],
                   cwd=LOGS, stdout=junit, check=False)
    return count(order, judged(state))


def selected(check, only):
    """The names of the check's suites, or of those that ONLY's patterns select."""
    if not only:
        names = list_of(*CHECKS[check])
        if check == "check-exhaustive":
            names = [n for n in list_of("check", "all") if n.startswith("host-")] + names
        return names
    known = list_of("check", "all")
    strange = [each for each in only if not fnmatch.filter(known, each)]
    if strange:
        fail(f"there is no suite {' '.join(strange)} in it; 'make suites' lists them")
    return [name for name in known if any(fnmatch.fnmatchcase(name, each) for each in only)]


def list_of(*checks):
    """The names of the suites of these checks, or of all, in the list's order."""
    return [name for name, suite in suites.SUITES.items() if not checks or suite.check in checks]


def check(names, junit_path):
    """Install what the suites need, run them, and print the closing line."""
    begin = time.monotonic()
    os.environ["DEPS"] = os.environ.get("DEPS", "")
    if not names[0]:
        fail("there is no suite in it")
    deps.install_for([name for some in names for name in some], junit_path)
    # Suites install no packages, because this did before.
    os.environ["DEPS"] = "no"
    total, junit = [0, 0, 0], None
    if junit_path:
        try:
            pathlib.Path(junit_path).parent.mkdir(parents=True, exist_ok=True)
            junit = open(junit_path, "wb")
        except OSError as error:
            fail(f"JUNIT={junit_path}: {error.strerror}")
    for some in names:
        total = [a + b for a, b in zip(total, run(some, junit))]
    print(f"== {time.monotonic() - begin:.0f} s in all\n{told(total)}", flush=True)
    return 1 if total[1] else 0


def suite_alone(name):
    """Build what the suite needs, and run it. Returns: its exit status."""
    suite = suites.SUITES.get(name)
    if not suite:
        fail(f"there is no suite {name}; 'make suites' lists them")
    status = 0
    if suite.needs:
        status = subprocess.call([*MAKE, *suite.needs], env={**os.environ, "DEPS": "no"})
    status = status or subprocess.call(["sh", "-c", suite.command])
    why = deps.skips().get(name) if status else None
    if why:
        print(f"suite-{name}: {why}", file=sys.stderr)
    return status if status >= 0 else 128 - status


def main():
    first, *rest = sys.argv[1:] or [""]
    os.chdir(ROOT)
    if first == "list":
        print(*sorted(list_of(*rest)), sep="\n")
        return 0
    if first == "watch":
        return guarded(watch, *rest)
    if first == "suite" and len(rest) == 1:
        return suite_alone(*rest)
    if first not in CHECKS or not set(rest) < set(CHECKS):
        fail(__doc__.split("\n\n")[1])
    only = os.environ.get("ONLY", "").split()
    names = [selected(each, only) for each in ([first] if only else [first, *rest])]
    return guarded(check, names, os.environ.get("JUNIT", ""))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
