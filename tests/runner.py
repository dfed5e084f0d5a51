#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Tests of the runner of all suites, with suites that fail in each way, and of what suites
rest on: tests/lib/tap.sh, tests/command/harness.py, and kunit.py's TAP. The suite runner
calls this. TAP on standard output."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

from lib.tap import tap

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOOD = 'echo "ok 1 - one"; echo 1..1'
SLEEP = "sleep 600"
# {suite: (command, other arguments of the list)}
SUITES = {
    "needs": (GOOD, {"needs": "nothing"}),
    "good": ('echo "ok 1 - one"; echo "ok 2 - two"; echo 1..2', {"needs": "shared"}),
    "good-too": ("cat build/shared; " + GOOD, {"needs": "shared"}),
    "failing": ('echo "not ok 1 - bad"; echo "# because"; echo "ok 2"; echo "# no"; echo 1..2', {}),
    "dying": (GOOD + "; exit 3", {}),
    "killed": ('echo "ok 1 - one"; echo 1..2; kill -9 $$', {}),
    "planless": ('echo "ok 1 - one"', {}),
    "short": ('echo "ok 1 - one"; echo 1..2', {}),
    "empty": ("echo 1..0", {}),
    "silent": (":", {}),
    "bailing": (GOOD + '; echo "Bail out! lost"', {}),
    "skipping": ('echo "ok 1 - one # SKIP no disk"; echo 1..1', {}),
    "tried": ('echo "not ok 1 - try # SKIP list"; echo 1..1', {}),
    "later": ('echo "not ok 1 - one # TODO later"; echo 1..1', {}),
    "bytes": (r"printf '# \377\033[0m\nnot ok 1 - \377\001 <&>\n1..1\n'", {}),
    "strange": ('echo "okay, so far"; echo "10:2 bytes"; ' + GOOD, {}),
    "vectors-1": ('echo "# vectors: 5"; ' + GOOD, {}),
    "vectors-2": ('echo "# vectors: 6"; ' + GOOD, {}),
    "progress": ('printf "half\\nway" >&2; ' + GOOD, {}),
    "reading": ("if read line; then exit 1; fi; " + GOOD, {}),
    "deps": ('[ "$DEPS" = no ] && ' + GOOD, {}),
    "lacking": (GOOD, {}),
    "tests": (GOOD, {}),  # also the name of a directory
    # each waits until the other is there
    "meets-1": ("mkfifo fifo 2>/dev/null; echo >fifo; " + GOOD, {}),
    "meets-2": ("mkfifo fifo 2>/dev/null; cat fifo; " + GOOD, {}),
    "alone-1": ("mkdir busy && sleep 1 && rmdir busy && " + GOOD, {"schedule": "alone"}),
    "alone-2": ("mkdir busy && sleep 1 && rmdir busy && " + GOOD, {"schedule": "alone"}),
    "beside": ("mkdir busy && sleep 1 && rmdir busy && " + GOOD, {}),
    # processes that do not end: in the suite's group, in another group or session, one
    # that ignores SIGTERM, and two that the suite leaves
    "hanging": ("echo $$ >pid; " + SLEEP, {}),
    "group": (f"timeout 600 sh -c 'echo $$ >pid; {SLEEP}'", {}),
    "session": ("setsid sh -c 'echo $$ >pid; sleep 600' & wait", {}),
    "deaf": ('trap "" TERM; echo $$ >pid; while :; do sleep 1; done', {}),
    "leaving": (f"{SLEEP} & echo $! >pid; " + GOOD, {}),
    "quiet": (f"{SLEEP} >/dev/null 2>&1 & echo $! >pid; " + GOOD, {}),
    "clearing": ('trap "sleep 0.5; echo cleared >cleared; exit" TERM; echo $$ >pid; '
                 "while :; do sleep 0.1; done", {}),
}
# as many as run side by side, which wait for one that is last in the list
WAITING = [f"waiting-{number}" for number in range(len(os.sched_getaffinity(0)) + 1)]
SUITES |= dict.fromkeys(WAITING, ("until [ -e begun ]; do sleep 0.1; done; " + GOOD, {}))
SUITES["early"] = ("touch begun; " + GOOD, {"schedule": "first"})
# what the runner prints in the end, the text that must be there, and the suites
RUNS = [
    ("a suite's need cannot be built", "3 1 0", "nothing", "needs good good-too"),
    ("a point fails", "3 1 0", "     # because", "good failing"),
    ("a suite ends with a status", "1 1 0", "ended with status 3", "dying"),
    ("a suite is killed", "1 1 0", "ended with status 137", "killed"),
    ("a suite prints no plan", "1 1 0", "No plan found", "planless"),
    ("a suite prints less than planned", "1 1 0", "planned 2 tests but ran 1", "short"),
    ("a suite plans nothing", "0 1 0", "ran no test", "empty"),
    ("a suite prints nothing", "0 1 0", "No plan found", "silent"),
    ("a suite bails out, and the others run", "3 1 0", "bailed out: lost", "bailing good"),
    ("a skipped point has its reason", "0 0 1", "one # SKIP no disk", "skipping"),
    ("a suite that lacks a package is one skipped point", "2 0 1",
     "the whole suite # SKIP first: make deps-there", "good lacking"),
    ("a failed point is not a skipped one", "0 1 0", "not ok 1 - try", "tried"),
    ("nor one that may fail", "0 1 0", "not ok 1 - one", "later"),
    ("any byte may come", "0 1 0", r"not ok 1 - \xff\x01 <&>", "bytes"),
    ("what resembles TAP is not TAP", "1 0 0", "", "strange"),
    ("suites agree on a number", "2 1 0", "vectors: 5", "vectors-1 vectors-2"),
    ("standard error is shown with the suite's name", "1 0 0", "   progress: way", "progress"),
    ("a suite has no standard input", "1 0 0", "", "reading"),
    ("a suite installs nothing", "1 0 0", "", "deps"),
    ("a suite may be named like a directory", "1 0 0", "", "tests"),
    ("suites run side by side", "2 0 0", "", "meets-1 meets-2"),
    ("suites that take long begin first", f"{len(WAITING) + 1} 0 0", "",
     " ".join([*WAITING, "early"])),
    ("except those that are alone", "3 0 0", "", "beside alone-1 alone-2"),
    ("a suite hangs", "2 1 0", "ended after 3s", "hanging good"),
    ("in another group", "0 1 0", "ended after 3s", "group"),
    ("in another session", "0 1 0", "ended after 3s", "session"),
    ("and ignores the signal", "0 1 0", "ended after 3s", "deaf"),
    ("a suite leaves a process", "1 1 0", "left 1 of its processes running", "leaving"),
    ("which closed its output", "1 1 0", "left 1 of its processes running", "quiet"),
]
KUNIT = [  # (name, status, text, statuses of kunit.py exec and parse, cases)
    ("all pass", 0, "ok 2 - utf8val b", "0 0", "a=PASS b=PASS"),
    ("a skipped case", 0, "ok 1 - utf8val a # SKIP", "0 0", "a=SKIP"),
    ("a case fails", 1, "not ok 2 - utf8val b", "0 1", "a=PASS b=FAIL"),
    ("the kernel crashes after a case", 1, "what it says", "0 1", "a=PASS"),
    ("QEMU ends with a status", 2, "ok 1", "2 0", "a=PASS"),
    ("no case, no report", 1, "1..0", "0 1", ""),
]
POINTS = [  # calls of tests/lib/tap.sh, and the line that must come of each
    ("point well true", "ok"), ("point fails false", "not ok"),
    ("point killed sh -c 'kill -9 $$'", "not ok"), ("point silent silent true", "ok"),
    ("point loud silent sh -c 'echo loud >&2'", "not ok"),
    ("point status ends 3 'a text' sh -c 'echo a text; exit 3'", "ok"),
    ("point less ends 2 '' sh -c 'exit 1'", "not ok"),
    ("point other ends 0 text echo tex", "not ok"),
    ("point letters ends 0 '-a [' echo 'it is -a [ here'", "ok"),
    ("point input sh -c '! read line'", "ok"),
]
HARNESS = r"""
import sys
sys.path.insert(0, sys.argv.pop())
from harness import Skip, equal, main, run, test, true
def skip():
    raise Skip("no disk")
for name, action in {
        "good": lambda: equal((1, b"x"), (1, b"x")), "good status": lambda: run("x", status=1),
        "good true": lambda: true([0]), "skip": skip, "bad value": lambda: equal(2, 1),
        "bad, nothing got": lambda: equal(b"", b"x"), "bad status": lambda: run("x", status=0),
        "bad, not said": lambda: run("x", says=b"x"), "bad, not true": lambda: true(set()),
        "bad, not printed": lambda: run("x", prints=b"x"), "bad, error": lambda: 1 // 0}.items():
    test(name)(lambda root, action=action: action())
main()
"""


def project(place):
    """A project with the runner, the suites above, and nothing to install."""
    (place / "tests").mkdir(parents=True)
    (place / "tools").mkdir()
    runner = place / "tests/check.py"
    runner.write_text((ROOT / "tests/check.py").read_text("utf-8").replace(
        "PATIENCE = 10", "PATIENCE = 2"), "utf-8")
    runner.chmod(0o755)
    lines = ["import collections", 'SCHEDULES = ("first", "any", "alone")',
             "import os", "LIMITS = {'check': os.environ['LIMIT']}",
             "Suite = collections.namedtuple('Suite', 'check packages command needs schedule')",
             "SUITES = {"]
    for name, (command, more) in SUITES.items():
        needs = [f"build/{each}" for each in more.get("needs", "").split()]
        lines.append(f"    {name!r}: Suite('check', '', {command!r}, {needs}, "
                     f"{more.get('schedule', 'any')!r}),")
    (place / "tests/suites.py").write_text("\n".join([*lines, "}"]), "utf-8")
    (place / "tools/deps.py").write_text(
        'def skips():\n    return {"lacking": "first: make deps-there"}\n'
        "def install(*names):\n    pass\ndef install_for(names, junit):\n    pass\n", "utf-8")
    (place / "Makefile").write_text("build/shared:\n\t@echo built >>log; sleep 0.5; touch $@\n", "utf-8")


def alive(place):
    """Whether the process runs that a suite has noted."""
    noted = place / "pid"
    try:
        status = pathlib.Path("/proc", noted.read_text().strip(), "status").read_text()
    except OSError:
        return False
    return not re.search(r"^State:\s*[ZX]", status, re.M)


def start(place, names, **more):
    (place / "pid").unlink(missing_ok=True)
    with open(place / "Makefile", "rb") as text:
        return subprocess.Popen(
            [place / "tests/check.py", "check"], cwd=place, stdin=text, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "ONLY": names, "JUNIT": "", "DEPS": "", "LIMIT": "3s", **more})


def finish(runner, place):
    """The output of the runner. A runner that does not end, or a process that keeps its
    output open, is ended, and the status is SIGKILL's."""
    try:
        return runner.communicate(timeout=90)[0]
    except subprocess.TimeoutExpired as expired:
        runner.kill()
        runner.wait()
        runner.stdout.close()
        if alive(place):
            os.kill(int((place / "pid").read_text()), signal.SIGKILL)
        runner.returncode = -signal.SIGKILL
        return (expired.stdout or b"").decode("latin-1")


def run(place, names, counts, text="", **more):
    """Run the suites; what is wrong with the closing line, the status, or the output."""
    with start(place, names, **more) as runner:
        printed = finish(runner, place)
    last = "{} passed, {} failed, {} skipped".format(*counts.split())
    status = 0 if counts.split()[1] == "0" else 1
    wrong = [] if printed.splitlines()[-1:] == [last] else [f"the last line is not: {last}"]
    wrong += [] if text in printed else [f"there is no: {text}"]
    wrong += [] if runner.returncode == status else [f"status {runner.returncode}"]
    wrong += ["a process still runs"] if alive(place) else []
    return wrong + printed.splitlines() if wrong else []


def stopped(place, number, suite):
    """Send the runner a signal while a suite runs; what is wrong."""
    with start(place, suite, LIMIT="10m") as runner:
        while not (place / "pid").exists() or not alive(place):
            time.sleep(0.02)
        runner.send_signal(number)
        runner.send_signal(number)  # make and timeout send it again
        printed = finish(runner, place)
    wrong = [] if runner.returncode == 128 + number else [f"status {runner.returncode}"]
    wrong += ["a process still runs"] if alive(place) else []
    wrong += ["it counted"] if " passed," in printed.splitlines()[-1:] else []
    return wrong + printed.splitlines() if wrong else []


def junit(place):
    """The results as another program reads them; what is wrong."""
    names = ["good", "failing", "dying", "skipping", "bytes", "planless", "later"]
    wrong = run(place, " ".join(names), "5 5 1", JUNIT="results/all.xml")
    if wrong:
        return wrong
    root = xml.etree.ElementTree.parse(place / "results/all.xml").getroot()
    found = {suite.get("name"): (suite.get("failures"), suite.get("errors")) for suite in root}
    expected = {name: ("0", "0") for name in names} | {
        "failing": ("1", "0"), "bytes": ("1", "0"), "dying": ("0", "1"), "planless": ("0", "1"),
        "later": ("1", "0")}
    text = xml.etree.ElementTree.tostring(root, "unicode")
    return [f"{found}, want {expected}"] * (found != expected) + \
        [f"there is no {word}" for word in ("because", "no disk") if word not in text]


def unread(place):
    """The reader of the runner's output ends first; what is wrong."""
    with start(place, "hanging good") as runner:
        runner.stdout.close()
        status = runner.wait(timeout=300)
    return [f"status {status}"] * (status == 0) + ["a process still runs"] * alive(place)


def full(place):
    """A log cannot be written; what is wrong."""
    log = place / "build/logs/good.log"
    log.unlink(missing_ok=True)
    log.symlink_to("/dev/full")
    wrong = run(place, "good good-too", "3 1 0", "No space left")
    log.unlink()
    return wrong


def refused(text, *arguments, **more):
    """Arguments that the runner does not accept; what is wrong."""
    done = subprocess.run([ROOT / "tests/check.py", *arguments], stderr=subprocess.PIPE, text=True,
                          stdout=subprocess.PIPE, check=False, env={**os.environ, "DEPS": "no", **more})
    return [] if done.returncode == 2 and text in done.stderr else [str(done)]


def shell_points():
    """The output of tests/lib/tap.sh, and how it ends; returns the faults."""
    text = f". {ROOT}/tests/lib/tap.sh\n" + "\n".join(call for call, _ in POINTS) + \
        '\nskip "skipped" "no disk"\ntap_end'
    done = subprocess.run(["sh", "-c", text], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=False)
    got = [line for line in done.stdout.splitlines() if not line.startswith("#")]
    want = [f"{word} {number} - {call.split()[1]}" for number, (call, word) in enumerate(POINTS, 1)]
    want += [f"ok {len(POINTS) + 1} - skipped # SKIP no disk", f"1..{len(POINTS) + 1}"]
    return [] if got == want and done.returncode == 1 and "# loud" in done.stdout else \
        [done.stdout, str(done.returncode)]


def harness(place):
    """The output of the command's tests; returns the faults."""
    (place / "harness_test.py").write_text(HARNESS)
    done = subprocess.run([sys.executable, place / "harness_test.py", ROOT / "tests/command"],
                          env={**os.environ, "UTF8VAL": "/bin/false"}, stdout=subprocess.PIPE,
                          text=True, check=False)
    points = re.findall(r"^(ok|not ok) \d+ - (\w+)", done.stdout, re.M)
    wrong = [point for point in points if (point[0] == "ok") != (point[1] in ("good", "skip"))]
    fine = len(points) == 11 and not wrong and done.returncode == 1 and \
        "# AssertionError: got 2, want 1" in done.stdout and "# SKIP no disk" in done.stdout
    return [] if fine else done.stdout.splitlines()


def kunit(place, status, text, statuses, cases):
    """kunit.py beside a stand-in for the kernel's own; what is wrong."""
    statuses = statuses.split()
    done = subprocess.run(
        [place / "kunit/kunit.py", "--tap", "6.12"], stdout=subprocess.PIPE, text=True, check=False,
        env={**os.environ, "EXEC": statuses[0], "PARSE": statuses[1], "CASES": cases})
    return [] if done.returncode == status and text in done.stdout else [str(done)]


def kunit_project(place):
    tools = place / "tree/tools/testing/kunit"
    for directory in (tools, place / "kunit", place / "vm", place / "tools"):
        directory.mkdir(parents=True)
    for name in ("kunit/kunit.py", "tools/table.py", "vm/architectures"):
        shutil.copy(ROOT / name, place / name)
    (place / "tree/source").symlink_to(".")
    (place / "vm/kernel.sh").write_text(f"#!/bin/sh\necho '{place}/tree'\n")
    (place / "vm/kernel.sh").chmod(0o755)
    (tools / "kunit.py").write_text("""
import json, os, pathlib, sys
report = [word.split("=")[1] for word in sys.argv if word.startswith("--json=")]
cases = [dict(zip(("name", "status"), case.split("="))) for case in os.environ["CASES"].split()]
if report and cases:
    pathlib.Path(report[0]).write_text(json.dumps(
        {"sub_groups": [{"name": "utf8val", "test_cases": cases}]}))
print("what it says")
sys.exit(int(os.environ["PARSE" if report else "EXEC"]))
""")


def results(work):
    """(name, [what is wrong]) of each point."""
    yield "tests/lib/tap.sh", shell_points()
    yield "tests/command/harness.py", harness(work)
    kunit_project(work / "kernel")
    for name, *more in KUNIT:
        yield f"KUnit: {name}", kunit(work / "kernel", *more)
    place = work / "a project"
    project(place)
    for name, counts, text, names in RUNS:
        yield name, run(place, names, counts, text)
    yield "what two suites need is built once", \
        [] if (place / "log").read_text() == "built\n" else [(place / "log").read_text()]
    log = (place / "build/logs/progress.log").read_text().splitlines()
    yield "the log has all output", log if set(log) != {
        "# stderr: half", "# stderr: way", "ok 1 - one", "1..1"} else []
    yield "JUnit XML", junit(place)
    yield "a log cannot be written", full(place)
    yield "nobody reads the output", unread(place)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        yield f"{number.name} ends the suites", stopped(place, number, "hanging")
    for suite in ("group", "session", "deaf"):
        yield f"and one that is elsewhere: {suite}", stopped(place, signal.SIGTERM, suite)
    yield "and one that clears away its things", stopped(place, signal.SIGTERM, "clearing") or \
        ["nothing was cleared"] * (not (place / "cleared").exists())
    yield "a JUnit file that cannot be written", \
        refused("JUNIT=/proc/none", "check", JUNIT="/proc/none/j.xml", ONLY="rules")
    yield "ONLY= names no suite", refused("no suite hots-* in it", "check", ONLY="dist hots-*")
    yield "no check", refused("Usage: ")


if __name__ == "__main__":
    # A shell has its background ignore these signals.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    with tempfile.TemporaryDirectory(prefix="utf8val-runner-") as scratch:
        sys.exit(tap(results(pathlib.Path(scratch).resolve())))
