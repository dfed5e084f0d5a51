#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The runner of all suites, on suites that go wrong in each way there is. TAP on
# standard output.
set -u
check=$(realpath "$(dirname "$0")/check.pl")
root=${check%/tests/*}
. "$(dirname "$0")/lib/tap.sh"
cd "$tmp" || exit 1

# What this rests on as all suites in shell do, told without its help: which points
# pass, and what the script's status is then.
cat >points <<EOF
. "${check%/*}/lib/tap.sh"
point "well" true
[ "\$1" = well ] || {
	point "not well" sh -c "echo why; false"
	point "killed" sh -c 'kill -9 \$\$'
	point "silent, but it fails" silent false
	point "silent, but it says something" silent echo loud
	point "silent, but on standard error" silent sh -c "echo loud >&2"
	point "another status, less" ends 2 "" sh -c "exit 1"
	point "another status, more" ends 1 "" sh -c "exit 2"
	point "another text" ends 0 "text" echo tex
	point "no text" ends 0 "text" true
	point "another status, but the text" ends 1 "text" echo text
}
skip "skipped" "no disk"
point "silent" silent true
point "status and text" ends 3 "a text" sh -c "echo a text; exit 3"
point "a text by its letters" ends 0 "-a [" echo "it is -a [ here"
point "no standard input" sh -c "! read line"
tap_end
EOF
cat >points.want <<'EOF'
ok 1 - well
ok 2 - skipped # SKIP no disk
ok 3 - silent
ok 4 - status and text
ok 5 - a text by its letters
ok 6 - no standard input
1..6
status 0
ok 1 - well
not ok 2 - not well
not ok 3 - killed
not ok 4 - silent, but it fails
not ok 5 - silent, but it says something
not ok 6 - silent, but on standard error
not ok 7 - another status, less
not ok 8 - another status, more
not ok 9 - another text
not ok 10 - no text
not ok 11 - another status, but the text
ok 12 - skipped # SKIP no disk
ok 13 - silent
ok 14 - status and text
ok 15 - a text by its letters
ok 16 - no standard input
1..16
status 1
EOF
{
	sh points well
	echo "status $?"
	sh points otherwise 2>points.killed
	echo "status $?"
} >points.got
if ! grep -v '^#' points.got | diff points.want - >points.differ ||
   ! grep -qx '# why' points.got || ! grep -qx '# loud' points.got; then
	sed 's/^/# /' points.differ
	echo "Bail out! tests/lib/tap.sh does not say what is"
	exit 1
fi

cat >Makefile <<'EOF'
suite-good: shared ; @echo "ok 1 - one"; echo "ok 2 - two"; echo 1..2
suite-good-too: shared ; @cat shared; echo "ok 1 - three"; echo 1..1
suite-failing: ; @echo "not ok 1 - bad"; echo "# because"; echo 1..1
suite-dying: ; @echo "ok 1 - one"; echo 1..1; exit 3
suite-killed: ; @echo "ok 1 - one"; echo 1..2; kill -9 $$$$
suite-planless: ; @echo "ok 1 - one"
suite-long: ; @echo "ok 1 - one"; echo "ok 2 - two"; echo 1..1
suite-short: ; @echo "ok 1 - one"; echo 1..2
suite-empty: ; @echo 1..0
suite-silent: ; @:
suite-bailing: ; @echo "ok 1 - one"; echo 1..1; echo "Bail out! lost"
suite-skipping: ; @echo "ok 1 - one # SKIP no disk"; echo 1..1
suite-bytes: ; @printf '# \377\033[0m\nnot ok 1 - \377\001 <&>\n1..1\n'
suite-vectors-1: ; @echo "# vectors: 5"; echo "ok 1 - one"; echo 1..1
suite-vectors-2: ; @echo "# vectors: 6"; echo "ok 1 - one"; echo 1..1
suite-progress: ; @echo "half way" >&2; echo "ok 1 - one"; echo 1..1
suite-meets-1: ; @mkfifo fifo 2>/dev/null; echo >fifo; echo "ok 1 - met"; echo 1..1
suite-meets-2: ; @mkfifo fifo 2>/dev/null; cat fifo; echo "ok 1 - met"; echo 1..1
suite-needs: nothing ; @echo "ok 1 - one"; echo 1..1
suite-lonely-1 suite-lonely-2 suite-beside: ; @mkdir busy && sleep 1 && rmdir busy && \
	echo "ok 1 - nobody else is there"; echo 1..1
suite-waiting: ; @echo $$$$ >waiting; sleep 600
suite-slow: ; @for i in 1 2 3 4; do sleep 3; echo "$$i" >&2; done; \
	echo "ok 1 - one"; echo 1..1
suite-twice: ; @echo 1..3; echo "ok 1 - one"; echo 1..1
suite-numbers: ; @echo "ok 1 - one"; echo "ok 1 - two"; echo "10:2 bytes"; \
	echo "okay, so far"; echo 1..2
suite-removing: ; @rm -r removed; echo "ok 1 - one"; echo 1..1
suite-late: ; @sleep 1 & echo "ok 1 - one"; echo 1..1
suite-tried: ; @echo "not ok 1 - skip # SKIP list"; echo 1..1
suite-later: ; @echo "not ok 1 - one # TODO later"; echo 1..1
suite-dots: ; @for i in 1 2 3 4; do printf .; sleep 3; done; echo; echo "ok 1 - one"; \
	printf 1..1
suite-talking: ; @until [ -e heard ]; do sleep 1; echo "# talk"; done; \
	echo "ok 1 - one"; echo 1..1
# Processes that a suite leaves: in the same group, in another group, in another
# session, and one that ignores SIGTERM.
suite-leaving: ; @sleep 600 & echo $$! >waiting; echo "ok 1 - one"; echo 1..1
suite-quiet: ; @sleep 600 >/dev/null 2>&1 & echo $$! >waiting; echo "ok 1 - one"; echo 1..1
suite-group: ; @timeout 600 sh -c 'echo $$$$ >waiting; sleep 600'
suite-session: ; @setsid sh -c 'trap "" TERM; echo $$$$ >waiting; while :; do sleep 1; done' & \
	wait
suite-deaf: ; @trap "" TERM; echo $$$$ >waiting; while :; do sleep 1; done
suite-clearing: ; @trap "sleep 2; echo cleared >cleared; exit" TERM; echo $$$$ >waiting; \
	while :; do sleep 1; done
suite-slow-need: slow-need ; @echo "ok 1 - one"; echo 1..1
slow-need: ; @sleep 600
$(patsubst %,needs-%,good good-too): shared
needs-needs: nothing
needs-slow-need: slow-need
needs-%: ;
suite-input: ; @grep . && echo "ok 1 - one"; echo 1..1
suite-deps: ; @test "$$DEPS" = no && echo "ok 1 - one"; echo 1..1
shared: ; @echo built >>log; touch shared
EOF

# checked "PASSED FAILED SKIPPED" TEXT ARGUMENT...: succeeds when the runner counts so, ends
# with the status that follows, and prints TEXT
checked() {
	# shellcheck disable=SC2086 # three numbers
	last=$(printf '%s passed, %s failed, %s skipped' $1)
	text=$2
	shift 2
	case $last in *", 0 failed"*) status=0 ;; *) status=1 ;; esac
	ends $status "$text" "$check" "$@" || return
	[ "$(tail -n 1 "$tmp/ends")" = "$last" ] || {
		echo "the last line is not: $last"
		cat "$tmp/ends"
		return 1
	}
}

junit() {
	"$check" --junit results/all.xml good failing dying skipping bytes \
		planless >/dev/null
	/usr/bin/python3 - <<-EOF
		import xml.etree.ElementTree
		root = xml.etree.ElementTree.parse("results/all.xml").getroot()
		found = {s.get("name"): [int(s.get(n)) for n in ("failures", "errors")]
		         for s in root}
		assert found == {"good": [0, 0], "failing": [1, 0], "dying": [0, 1],
		                 "skipping": [0, 0], "bytes": [1, 0],
		                 "planless": [0, 1]}, found
		bad, = (c for s in root if s.get("name") == "failing" for c in s
		        if c.tag == "testcase" and "bad" in c.get("name"))
		assert "because" in bad.find("failure").text
		skipped, = (c for s in root if s.get("name") == "skipping" for c in s
		            if "one" in c.get("name", ""))
	EOF
}

point "all is well" checked "3 0 0" "" good good-too
point "what two suites need is built once" test "$(cat log)" = built
point "a point fails" checked "2 1 0" "because" good failing
point "a suite ends with a status" checked "1 1 0" "ended with status" dying
point "a suite is killed" checked "1 1 0" "ended with" killed
point "a suite prints no plan" checked "1 1 0" "No plan found" planless
point "a suite prints less than planned" checked "1 1 0" "planned 2 tests but ran 1" short
point "a suite prints more than planned" checked "2 1 0" "planned 1 tests but ran 2" long
point "a suite plans nothing" checked "0 1 0" "ran no test" empty
point "a suite says nothing" checked "0 1 0" "No plan found" silent
point "a suite bails out" checked "1 1 0" "bailed out: lost" bailing
point "a suite that is none" checked "0 1 0" "ended with" none
point "a suite's need cannot be built" checked "2 1 0" "nothing" good needs
point "a skipped point is told with its reason" checked "0 0 1" "one # SKIP no disk" skipping
point "any byte may come" checked "0 1 0" '\xff' bytes
point "what suites tell must agree" \
	checked "2 1 0" "vectors: 5" --agree vectors: vectors-1 vectors-2
point "and is not asked of those that tell nothing" \
	checked "3 0 0" "" --agree vectors: vectors-1 good
point "progress is shown with the suite's name" checked "1 0 0" "progress: half way" progress
# shellcheck disable=SC2016 # for the shell inside
point "and kept in its log, as what it prints is" sh -c '
	grep -qx "# stderr: half way" build/logs/progress.log &&
	grep -qx "ok 1 - one" build/logs/progress.log'
# from a pipe that would give it some
fed() {
	echo text | checked "0 1 0" "planned 1 tests but ran 0" input
}
point "a suite has no standard input" fed
point "suites run side by side" timeout 600 "$check" --jobs 2 meets-1 meets-2
point "but not with those that want to be alone" \
	checked "4 0 0" "good-too" --jobs 2 progress -- good good-too
point "which have no neighbour" checked "3 0 0" "" --jobs 3 beside -- lonely-1 lonely-2
printf 'good no disk here\n' >skips
point "what cannot run here is one skipped point" \
	checked "1 0 1" "no disk here" --skips skips good progress
point "suites install nothing" checked "1 0 0" "" deps
point "JUnit XML, as another program reads it" junit
point "a suite that hangs is ended, and has failed" \
	checked "2 1 0" "said nothing for too long" --silence 2 waiting good
# Succeeds when the process of that number does not run; a zombie may wait for its
# parent, whoever that is now.
ended() {
	[ -s waiting ] || return
	status=/proc/$(cat waiting)/status
	rm waiting
	! grep -s '^State:[[:space:]]*[^ZX[:space:]]' "$status"
}
point "with all that it started" ended
point "whatever group or session it made" checked "0 1 0" \
	"said nothing for too long" --silence 2 group
point "which ends, too" ended
point "or session" checked "0 1 0" "said nothing for too long" --silence 2 --farewell 1 session
point "which ends, as well" ended
point "one that says something now and then is not, and be it no line" \
	checked "4 0 0" "" --silence 10 --jobs 3 slow dots good
point "what it needs is ended, too" checked "0 1 0" "too long" --silence 2 slow-need
# stopped for longer than a suite may be silent, which it was not
paused() {
	rm -f heard
	"$check" --silence 10 talking >paused &
	timeout 600 sh -c "until grep -qs talk build/logs/talking.log; do sleep 0.1; done"
	kill -STOP $!
	sleep 12
	kill -CONT $!
	# The runner has read more output.
	lines=$(wc -l <build/logs/talking.log)
	timeout 600 sh -c "until [ \$(wc -l <build/logs/talking.log) -gt $lines ]; do
		sleep 0.1; done"
	: >heard
	wait $! && [ "$(tail -n 1 paused)" = "1 passed, 0 failed, 0 skipped" ]
}
point "one that was not listened to is not, either" paused
for suite in leaving quiet; do
	point "a suite leaves a process running: $suite" checked "1 1 0" \
		"left 1 of its processes running" --farewell 1 $suite
	point "which is ended: $suite" ended
done
point "a suite has two plans" checked "1 1 0" "More than one plan" twice
point "two of its points have one number, and what looks like TAP is none" \
	checked "2 1 0" "out of sequence" numbers
point "a point that fails is not a skipped one" checked "0 1 0" "not ok 1 - skip" tried
point "nor one that may fail" checked "0 1 0" "not ok 1 - one" later
mkdir full
ln -s /dev/full full/failing.log
point "a log cannot be written" checked "3 2 0" "No space left" \
	--logs full --jobs 1 failing good progress
point "a suite removes the directory of logs" checked "1 0 0" "" --logs removed removing
# A process that a suite leaves ends in time, but the runner looks late.
late() {
	"$check" --farewell 2 late >late.out &
	timeout 600 sh -c "until grep -qs one build/logs/late.log; do sleep 0.1; done"
	kill -STOP $!
	sleep 4
	kill -CONT $!
	wait $! && [ "$(tail -n 1 late.out)" = "1 passed, 0 failed, 0 skipped" ]
}
point "what was left, but not for long, may be looked at late" late
point "a limit of 0 seconds is refused" ends 2 "0 is not above 0" "$check" --silence 0 good
point "running 0 suites at a time, too" ends 2 "0 is not above 0" "$check" --jobs 0 good
# The reader of the pipe ends before the runner.
unread() {
	{ timeout 600 "$check" --jobs 1 slow waiting; echo $? >unread; } | true
	[ "$(cat unread)" = 1 ] && [ ! -e waiting ]
}
point "nobody reads what it says" unread
# stopped SIGNAL STATUS GROUP [SUITE]: succeeds when all that the runner has started ends
# with the runner; with GROUP "-" the signal goes to all its processes, as from a terminal
stopped() {
	/usr/bin/python3 -c '
import os, signal, sys
for each in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
    signal.signal(each, signal.SIG_DFL)
os.setsid()
os.execv(sys.argv[1], sys.argv[1:])' "$check" --junit results/stopped.xml \
		--farewell 4 "${4-waiting}" &
	group=$!
	timeout 600 sh -c "until [ -s waiting ]; do sleep 0.1; done"
	kill "-$1" "$3$group"
	# Send the signal a second time, as make and timeout do.
	kill "-$1" "$3$group"
	wait $group
	[ $? -eq "$2" ] && ended
}
point "interrupted, it says so by its status" stopped INT 130 -
# Some of these signals arrive while the runner starts the suite.
again() {
	for _ in 1 2 3 4 5; do
		stopped "$@" || return
	done
}
point "terminated by itself, too" again TERM 143 ""
point "its terminal is closed" stopped HUP 129 ""
point "its terminal's other key" stopped QUIT 131 ""
for suite in group session deaf; do
	point "with what ends late, or is elsewhere: $suite" stopped TERM 143 "" $suite
done
cleared() {
	stopped TERM 143 "" clearing && [ "$(cat cleared)" = cleared ]
}
point "with what has to be cleared away first" cleared
# shellcheck disable=SC2016 # make's
echo 'X := $(shell echo $$$$ >waiting; sleep 600)' >asking.mk
asking() {
	export MAKEFILES="$PWD/asking.mk"
	stopped TERM 143 "" good
}
echo old >results/stopped.xml
point "or while make is asked what it needs" asking
point "no results are told then, nor old ones" test ! -s results/stopped.xml
# A load that ends when it is told to, and prints that.
mkdir bin
cat >bin/stress-ng <<EOF
#!/bin/sh
cd "$PWD" || exit
trap 'echo ended >load; exit' TERM
: >ready
while :; do sleep 1; done
EOF
chmod +x bin/stress-ng
cat >round <<END
cd "$PWD" || exit
until [ -e ready ]; do sleep 0.1; done
echo x >>rounds
[ \$((\$(wc -l <rounds) % 2)) -eq 0 ]
END
repeated() {
	PATH=$PWD/bin:$PATH ends 2 "4 rounds, 2 failed" make -s -C "$root" check-repeat \
		DEPS=no TIMES=4 "AGAIN=sh '$PWD/round'" &&
	timeout 600 sh -c 'until [ -s load ]; do sleep 0.1; done'
}
point "rounds on a busy machine are counted, and the load ends" repeated

# what the command's suites rest on, with a command that fails
cat >harness_test.py <<'EOF'
import os
import sys

sys.path.insert(0, os.environ["HARNESS"])
from harness import Skip, equal, main, run, test, true


def point(name, action):
    test(name)(lambda root: action())


def skip():
    raise Skip("no disk")


point("good", lambda: equal((1, b"x"), (1, b"x")))
point("good status", lambda: run("x", status=1))
point("any status", lambda: run("x"))
point("true", lambda: true([0]))
point("skipped", skip)
if len(sys.argv) < 2:
    point("bad value", lambda: equal(2, 1))
    point("bad, nothing got", lambda: equal(b"", b"x"))
    point("bad, nothing wanted", lambda: equal(b"x", b""))
    point("bad status, 0 wanted", lambda: run("x", status=0))
    point("bad status", lambda: run("x", status=2))
    point("bad, not said", lambda: run("x", says=b"x"))
    point("bad, not printed", lambda: run("x", prints=b"x"))
    point("bad, not true", lambda: true(set()))
    point("bad, an error", lambda: 1 // 0)
main()
EOF
cat >harness.want <<'EOF'
1..14
ok 1 - good
ok 2 - good status
ok 3 - any status
ok 4 - true
ok 5 - skipped # SKIP no disk
not ok 6 - bad value
not ok 7 - bad, nothing got
not ok 8 - bad, nothing wanted
not ok 9 - bad status, 0 wanted
not ok 10 - bad status
not ok 11 - bad, not said
not ok 12 - bad, not printed
not ok 13 - bad, not true
not ok 14 - bad, an error
status 1
EOF
harness() {
	export HARNESS="${check%/*}/command"
	{
		UTF8VAL=/bin/false /usr/bin/python3 harness_test.py
		echo "status $?"
	} >harness.got
	grep -v '^#' harness.got | diff harness.want - &&
		grep -q '^# AssertionError: got 2, want 1' harness.got &&
		ends 0 "1..5" env UTF8VAL=/bin/false /usr/bin/python3 harness_test.py \
			good true skip any
}
point "the command's tests say what is" harness

# The cases of KUnit as points: our kunit.py beside a stand-in for the kernel's,
# which prints what it is told to.
mkdir -p project/kunit project/vm project/tree/tools/testing/kunit
cp "$root/kunit/kunit.py" project/kunit/
ln -s . project/tree/source
# shellcheck disable=SC2016 # the argument is that script's
printf '#!/bin/sh\n[ "$1" != 9.9 ] || exit 3\necho "%s"\n' "$PWD/project/tree" \
	>project/vm/kernel.sh
chmod +x project/vm/kernel.sh
cat >project/tree/tools/testing/kunit/kunit.py <<'EOF'
import json
import os
import pathlib
import sys

report = [a.split("=")[1] for a in sys.argv if a.startswith("--json=")]
cases = [dict(zip(("name", "status"), case.split("=")))
         for case in os.environ["CASES"].split()]
if report and cases:
    pathlib.Path(report[0]).write_text(json.dumps(
        {"sub_groups": [{"name": "utf8val", "test_cases": cases}]}))
print("what it says")
sys.exit(int(os.environ["PARSE" if report else "EXEC"]))
EOF
# kunit STATUS TEXT EXEC PARSE CASE=STATUS...: succeeds when kunit.py ends with the
# status and prints TEXT
kunit() {
	wanted=$1 text=$2
	export EXEC="$3" PARSE="$4"
	shift 4
	export CASES="$*"
	ends "$wanted" "$text" project/kunit/kunit.py --tap 6.12
}
point "KUnit: all pass" kunit 0 "ok 2 - utf8val b" 0 0 a=PASS b=PASS
point "KUnit: the plan" kunit 0 "1..2" 0 0 a=PASS b=PASS
point "KUnit: a skipped case" kunit 0 "ok 1 - utf8val a # SKIP" 0 0 a=SKIP
for word in FAIL ERROR; do
	point "KUnit: a case ends with $word" \
		kunit 1 "not ok 2 - utf8val b" 0 1 a=PASS b=$word
done
point "KUnit: all cases pass that there were, then the kernel crashes" \
	kunit 1 "what it says" 0 1 a=PASS
point "KUnit: QEMU ends with a status" kunit 2 "ok 1" 2 0 a=PASS
point "KUnit: no case, no report" kunit 1 "1..0" 0 1
point "KUnit: a kernel that cannot be built" ends 3 "" project/kunit/kunit.py --tap 9.9
for times in 2O 0 -1 ""; do
	point "rounds that are none: '$times'" \
		ends 2 "is no number of rounds" make -s -C "$root" check-repeat \
		DEPS=no "TIMES=$times"
done
point "a JUnit file that cannot be written is told of first" \
	ends 2 "--junit: " "$check" --junit /proc/none/junit.xml good
point "no suite at all" ends 2 "usage: " "$check"
point "a name in ONLY that is no suite's" ends 2 "no suite hots-* in it" \
	make -s -C "$root" check ONLY='dist hots-*'
tap_end
