#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The runner of all suites, on suites that go wrong in each way there is. TAP on
# standard output.
set -u
tally=$(realpath "$(dirname "$0")/tally.py")
repeat=$(realpath "$(dirname "$0")/repeat.sh")
. "$(dirname "$0")/lib/tap.sh"
cd "$tmp" || exit 1

# What this rests on as all suites in shell do, told without its help: which points
# pass, and what the script's status is then.
cat >points <<EOF
. "${tally%/*}/lib/tap.sh"
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
suite-count: ; @echo "ok $$(printf %05000d 1) - one"; echo 1..1
suite-removing: ; @rm -r removed; echo "ok 1 - one"; echo 1..1
suite-late: ; @sleep 1 & echo "ok 1 - one"; echo 1..1
suite-tried: ; @echo "not ok 1 - skip # SKIP list"; echo 1..1
suite-dots: ; @for i in 1 2 3 4; do printf .; sleep 3; done; echo; echo "ok 1 - one"; \
	printf 1..1
suite-talking: ; @until [ -e heard ]; do sleep 1; echo "# talk"; done; \
	echo "ok 1 - one"; echo 1..1
# what is left: in the same group, in another one, in another session, deaf to TERM
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
suite-input: ; @grep . && echo "ok 1 - one"; echo 1..1
earlier: ; @echo built >>earlier
suite-deps: ; @test "$$DEPS" = no && echo "ok 1 - one"; echo 1..1
shared: ; @echo built >>log; touch shared
EOF

# tallied STATUS LAST-LINE TEXT ARGUMENT...: how it ends, and that it says TEXT
tallied() {
	status=$1 last=$2 text=$3
	shift 3
	ends "$status" "$text" "$tally" "$@" || return
	[ "$(tail -n 1 "$tmp/ends")" = "$last" ] || {
		echo "the last line is not: $last"
		cat "$tmp/ends"
		return 1
	}
}

junit() {
	"$tally" --junit results/all.xml good failing dying skipping bytes \
		planless >/dev/null
	/usr/bin/python3 - <<-EOF
		from junitparser import JUnitXml
		xml = JUnitXml.fromfile("results/all.xml")
		found = {s.name: (s.tests, s.failures, s.errors, s.skipped) for s in xml}
		assert found == {"good": (2, 0, 0, 0), "failing": (1, 1, 0, 0),
		                 "dying": (2, 0, 1, 0), "skipping": (1, 0, 0, 1),
		                 "bytes": (1, 1, 0, 0), "planless": (2, 0, 1, 0)}, found
		case, = (c for s in xml if s.name == "failing" for c in s)
		assert case.name == "bad" and "because" in case.result[0].text
	EOF
}

point "all is well" tallied 0 "3 passed, 0 failed" "" good good-too
point "what two suites need is built once" test "$(cat log)" = built
point "a point fails" tallied 1 "2 passed, 1 failed" "because" good failing
point "a suite ends with a status" \
	tallied 1 "1 passed, 1 failed" "ended with status" dying
point "a suite is killed" tallied 1 "1 passed, 1 failed" "ended with" killed
point "a suite prints no plan" tallied 1 "1 passed, 1 failed" "no TAP plan" planless
point "a suite prints less than planned" \
	tallied 1 "1 passed, 1 failed" "2 points planned, 1 seen" short
point "a suite prints more than planned" \
	tallied 1 "2 passed, 1 failed" "1 points planned, 2 seen" long
point "a suite plans nothing" tallied 1 "0 passed, 1 failed" "ran no test" empty
point "a suite says nothing" tallied 1 "0 passed, 1 failed" "no TAP plan" silent
point "a suite bails out" tallied 1 "1 passed, 1 failed" "bailed out: lost" bailing
point "a suite that is none" tallied 1 "0 passed, 2 failed" "ended with" none
point "a suite's need cannot be built" tallied 1 "2 passed, 2 failed" "nothing" good needs
point "a skipped point is told with its reason" \
	tallied 0 "0 passed, 0 failed, 1 skipped" "one (no disk)" skipping
point "any byte may come" tallied 1 "0 passed, 1 failed" '\xff' bytes
point "what suites tell must agree" \
	tallied 1 "2 passed, 1 failed" "vectors: 5" --agree vectors: vectors-1 vectors-2
point "and is not asked of those that tell nothing" \
	tallied 0 "4 passed, 0 failed" "" --agree vectors: vectors-1 good
point "progress is shown with the suite's name" \
	tallied 0 "1 passed, 0 failed" "progress: half way" progress
# shellcheck disable=SC2016 # for the shell inside
point "and kept in its log, as what it prints is" sh -c '
	grep -qx "# stderr: half way" build/logs/progress.log &&
	grep -qx "ok 1 - one" build/logs/progress.log'
# from a pipe that would give it some
fed() {
	echo text | tallied 1 "0 passed, 1 failed" "1 points planned, 0 seen" input
}
point "a suite has no standard input" fed
earlier() {
	tallied 0 "2 passed, 0 failed" "" --first nothing --first earlier good &&
		[ "$(cat earlier)" = built ]
}
point "what is to be built first is, though something else cannot be" earlier
point "suites run side by side" timeout 600 \
	"$tally" --jobs 2 meets-1 meets-2
point "but not with those that want to be alone" tallied 0 \
	"4 passed, 0 failed" "good-too" --jobs 2 --alone 'good*' good good-too progress
point "which have no neighbour" tallied 0 "3 passed, 0 failed" "" \
	--jobs 3 --alone 'lonely-*' lonely-1 lonely-2 beside
printf 'go* no disk here\n' >skips
point "what cannot run here is one skipped point" tallied 0 \
	"1 passed, 0 failed, 1 skipped" "no disk here" --skips skips good progress
point "suites install nothing" tallied 0 "1 passed, 0 failed" "" deps
point "JUnit XML, as another program reads it" junit
point "a suite that hangs is ended, and has failed" tallied 1 \
	"2 passed, 1 failed" "said nothing for too long" --silence 2 waiting good
# its process does not run; it may wait for its parent's, whoever that is now
ended() {
	status=/proc/$(cat waiting)/status
	rm waiting
	! grep -s '^State:[[:space:]]*[^ZX[:space:]]' "$status"
}
point "with all that it started" ended
point "whatever group or session it made" tallied 1 "0 passed, 1 failed" \
	"said nothing for too long" --silence 2 group
point "which ends, too" ended
point "or session" tallied 1 "0 passed, 1 failed" \
	"said nothing for too long" --silence 2 --farewell 1 session
point "which ends, as well" ended
point "one that says something now and then is not, and be it no line" tallied 0 \
	"4 passed, 0 failed" "" --silence 10 --jobs 3 slow dots good
point "what it needs is ended, too" tallied 1 "0 passed, 1 failed" \
	"too long" --silence 2 slow-need
# stopped for longer than a suite may be silent, which it was not
paused() {
	rm -f heard
	"$tally" --silence 10 talking >paused &
	timeout 600 sh -c "until grep -qs talk build/logs/talking.log; do sleep 0.1; done"
	kill -STOP $!
	sleep 12
	kill -CONT $!
	# it has read something again
	lines=$(wc -l <build/logs/talking.log)
	timeout 600 sh -c "until [ \$(wc -l <build/logs/talking.log) -gt $lines ]; do
		sleep 0.1; done"
	: >heard
	wait $! && [ "$(tail -n 1 paused)" = "1 passed, 0 failed" ]
}
point "one that was not listened to is not, either" paused
for suite in leaving quiet; do
	point "a suite leaves a process running: $suite" tallied 1 \
		"1 passed, 1 failed" "left 1 of its processes running" --farewell 1 $suite
	point "which is ended: $suite" ended
done
point "a suite has two plans" tallied 1 "1 passed, 1 failed" "second TAP plan" twice
point "two of its points have one number, and what looks like TAP is none" tallied 1 \
	"2 passed, 1 failed" "point 1 came where 2 was due" numbers
point "a point that fails is not a skipped one" tallied 1 "0 passed, 1 failed" \
	"not ok 1 - skip" tried
mkdir full
ln -s /dev/full full/failing.log
point "a log cannot be written" tallied 1 "3 passed, 2 failed" "No space left" \
	--logs full --jobs 1 failing good progress
printf 'good 1.0\nfail' >full/seconds
point "a suite removes the directory of logs" tallied 0 "1 passed, 0 failed" "another order" \
	--logs removed removing
point "a point with a number of 5000 digits" tallied 1 "0 passed, 1 failed" \
	"no TAP: " count
# what a suite leaves ends in time, but is looked at late
late() {
	"$tally" --farewell 2 late >late.out &
	timeout 600 sh -c "until grep -qs one build/logs/late.log; do sleep 0.1; done"
	kill -STOP $!
	sleep 4
	kill -CONT $!
	wait $! && [ "$(tail -n 1 late.out)" = "1 passed, 0 failed" ]
}
point "what was left, but not for long, may be looked at late" late
point "the times of the last run are cut off" tallied 0 "2 passed, 0 failed" "" \
	--logs full good
point "a limit of 0 seconds is refused" ends 2 "0 is not above 0" "$tally" --silence 0 good
point "running 0 suites at a time, too" ends 2 "0 is not above 0" "$tally" --jobs 0 good
# the pipe's reader ends first
unread() {
	{ timeout 600 "$tally" --jobs 1 slow waiting; echo $? >unread; } | true
	[ "$(cat unread)" = 1 ] && [ ! -e waiting ]
}
point "nobody reads what it says" unread
# stopped SIGNAL STATUS GROUP [SUITE]: what it runs ends with it; GROUP is "-" for all
# processes of it, as a terminal does it
stopped() {
	/usr/bin/python3 -c '
import os, signal, sys
for each in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
    signal.signal(each, signal.SIG_DFL)
os.setsid()
os.execv(sys.argv[1], sys.argv[1:])' "$tally" --junit results/stopped.xml \
		--farewell 4 "${4-waiting}" &
	group=$!
	timeout 600 sh -c "until [ -s waiting ]; do sleep 0.1; done"
	kill "-$1" "$3$group"
	# once more, as make and timeout do
	kill "-$1" "$3$group"
	wait $group
	[ $? -eq "$2" ] && ended
}
point "interrupted, it says so by its status" stopped INT 130 -
# some of these meet it while it starts the suite
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
point "or while make is asked what it needs" asking
point "no results are told then, nor old ones" test ! -s results/stopped.xml
# a load that ends when it is told to, and says so
mkdir bin
cat >bin/stress-ng <<'EOF'
#!/bin/sh
trap 'echo ended >load; exit' TERM
: >ready
while :; do sleep 1; done
EOF
chmod +x bin/stress-ng
repeated() {
	# shellcheck disable=SC2016 # the inner shell's
	PATH=$PWD/bin:$PATH ends 1 "4 rounds, 2 failed" "$repeat" 4 sh -c '
		until [ -e ready ]; do sleep 0.1; done
		echo x >>rounds; [ $(($(wc -l <rounds) % 2)) -eq 0 ]' &&
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
    point("bad, not true", lambda: true(set()))
    point("bad, an error", lambda: 1 // 0)
main()
EOF
cat >harness.want <<'EOF'
1..12
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
not ok 11 - bad, not true
not ok 12 - bad, an error
status 1
EOF
harness() {
	export HARNESS="${tally%/*}/command"
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

# KUnit's cases as points: kunit.py beside a kernel's, which says what it is told to
mkdir -p project/kunit project/vm project/tree/tools/testing/kunit
cp "${tally%/tests/*}/kunit/kunit.py" project/kunit/
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
# kunit STATUS TEXT EXEC PARSE CASE=STATUS...: how it ends, and what it says
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
		ends 2 "is no number of rounds" "$repeat" "$times" true
done
point "a JUnit file that cannot be written is told of first" \
	ends 2 "--junit: " "$tally" --junit /proc/none/junit.xml good
point "no suite at all" ends 2 "usage: " "$tally"
point "a name in ONLY that is no suite's" ends 2 "no suite hots-* in it" \
	make -s -C "${tally%/tests/*}" check ONLY='dist hots-*'
tap_end
