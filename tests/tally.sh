#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The runner of all suites, on suites that go wrong in each way there is. TAP on
# standard output.
set -u
tally=$(realpath "$(dirname "$0")/tally.py")
repeat=$(realpath "$(dirname "$0")/repeat.sh")
. "$(dirname "$0")/lib/tap.sh"
cd "$tmp" || exit 1

cat >Makefile <<'EOF'
suite-good: shared ; @echo "ok 1 - one"; echo "ok 2 - two"; echo 1..2
suite-good-too: shared ; @cat shared; echo "ok 1 - three"; echo 1..1
suite-failing: ; @echo "not ok 1 - bad"; echo "# because"; echo 1..1
suite-dying: ; @echo "ok 1 - one"; echo 1..1; exit 3
suite-killed: ; @echo "ok 1 - one"; echo 1..2; kill -9 $$$$
suite-planless: ; @echo "ok 1 - one"
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
point "suites run side by side" timeout 600 \
	"$tally" --jobs 2 meets-1 meets-2
point "but not with those that want to be alone" tallied 0 \
	"4 passed, 0 failed" "good-too" --jobs 2 --alone 'good*' good good-too progress
printf 'go* no disk here\n' >skips
point "what cannot run here is one skipped point" tallied 0 \
	"1 passed, 0 failed, 1 skipped" "no disk here" --skips skips good progress
point "suites install nothing" tallied 0 "1 passed, 0 failed" "" deps
point "JUnit XML, as another program reads it" junit
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
point "no suite at all" ends 2 "usage: " "$tally"
point "a name in ONLY that is no suite's" ends 2 "no suite hots-* in it" \
	make -s -C "${tally%/tests/*}" check ONLY='dist hots-*'
tap_end
