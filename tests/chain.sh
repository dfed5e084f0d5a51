#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The turns of the proof's provers (proof/tools/chain.sh), with two that only write
# down that they were asked: whatever first.txt says, a goal is proved exactly if a
# prover of its part proves it. And that what was proved is kept under another key as
# soon as one of the programs, or what they read, is another one, and that what was not is
# not kept. TAP on standard output.
set -u
. "$(dirname "$0")/lib/tap.sh"
chain=$PWD/proof/tools/chain.sh
mkdir "$tmp/bin"
# Each prover answers what the file of its name says: an answer for each number of steps.
for prover in z3 cvc4; do
	cat >"$tmp/bin/$prover" <<-'END'
		#!/bin/sh
		name=$(basename "$0")
		steps=$(printf '%s\n' "$@" | sed -n 's/.*rlimit=//p')
		echo "$name $steps" >>"$WORK/asked"
		sed -n "s/^$steps //p" "$WORK/$name" | grep . || echo unknown
	END
	chmod +x "$tmp/bin/$prover"
done
export WORK="$tmp/work" PATH="$tmp/bin:$PATH"

seconds=240	# four units of steps for each prover
# turns HINT Z3 CVC4 PROVER...: ask about a goal; what the chain says, and who was asked,
# each in a line
turns() {
	rm -rf "$WORK"
	mkdir -p "$WORK/first"
	echo "a goal" >"$WORK/goal"
	key=$(sha256sum <"$WORK/goal" | cut -c1-16)
	echo "$1" >"$WORK/first/$key"
	echo "$2" >"$WORK/z3"
	echo "$3" >"$WORK/cvc4"
	shift 3
	echo "$("$chain" "$WORK" 60 "$seconds" "$WORK/goal" "$@"):" \
		"$(paste -sd, "$WORK/asked")" "$(sed "s/^$key/found/" "$WORK/found" \
			2>"$tmp/none")" "$(cat "$WORK/faults" 2>"$tmp/none")"
}

point "without a hint all take turns, with few steps first" ends 0 \
	"unknown: z3 1000000,cvc4 100000,z3 4000000,cvc4 400000" \
	turns "" "" "" plain cvc4
point "what is found late is written down" ends 0 \
	"cvc4 400000 found cvc4 4" turns "" "" "400000 unsat" plain cvc4
point "a hint is tried first, and alone if it holds" ends 0 \
	"unsat: cvc4 400000 found" turns "cvc4 4" "" "400000 unsat" plain cvc4
point "after one that does not hold all are asked" ends 0 \
	"unsat: cvc4 400000,z3 1000000 " \
	turns "cvc4 4" "1000000 unsat" "" plain cvc4
point "a prover that the part does not have proves nothing" ends 0 \
	"unknown: z3 1000000,z3 4000000" turns "cvc4 4" "" "400000 unsat" plain
point "nor does one with more steps than the part allows" ends 0 \
	"unknown: z3 1000000,cvc4 100000,z3 4000000,cvc4 400000" \
	turns "cvc4 16" "" "1600000 unsat" plain cvc4
for hint in "cvc4 0" "cvc4 -1" "cvc4 99999999999999999999" "cvc4 x" "cvc4 4 4" \
		"plain cvc4 4" "* 4" "cvc4" ""; do
	point "a hint that is none: '$hint'" ends 0 \
		"unknown: z3 1000000,cvc4 100000,z3 4000000,cvc4 400000 " \
		turns "$hint" "" "0 unsat" plain cvc4
done
point "what is no answer is a fault, of one with a hint, too" ends 0 \
	"cvc4: (error" turns "cvc4 4" "1000000 unsat" "400000 (error )" plain cvc4
point "nobody looked: the only prover ran out of memory" ends 0 "out of memory" \
	turns "" "" "100000 (error \"out of memory\")" cvc4
point "with another one that is no fault" ends 0 "unsat: cvc4 100000,z3 1000000 found" \
	turns "" "1000000 unsat" "100000 (error \"out of memory\")" cvc4 plain
seconds=30
point "less than a unit is a smoke test: by cvc4, whoever proves the part" ends 0 \
	"unknown: cvc4 50000" turns "plain 1" "" "" plain
point "what it proves is false" ends 0 "unsat: cvc4 50000" \
	turns "" "" "50000 unsat" plain cvc4

for program in frama-c why3; do
	printf '#!/bin/sh\necho "%s"\n' "$tmp" >"$tmp/bin/$program"
	chmod +x "$tmp/bin/$program"
done
mkdir "$tmp/top"
cp "$chain" proof/tools/shifts.ml "$tmp/top"
: >"$tmp/top/Wp.cmxs"
# key FILE: the key is another one after a change of the file
key() {
	PYTHONPATH=proof/tools python3 -B -c '
import pathlib, provers, sys
top, changed = map(pathlib.Path, sys.argv[1:])
provers.CHAIN, provers.SHIFTS = top / "chain.sh", top / "shifts.ml"
before, again = provers.version(), provers.version()
changed.write_text(changed.read_text() + "\n")
print("the same" if before == again else "never the same",
      "the same" if before == provers.version() else "another")' "$tmp/top" "$1"
}
for file in bin/frama-c bin/why3 bin/z3 bin/cvc4 top/Wp.cmxs top/chain.sh top/shifts.ml; do
	point "what is kept has another key with another ${file#*/}" ends 0 \
		"the same another" key "$tmp/$file"
done

# copied DIRECTORY: all that is proved
copied() {
	mkdir "$1" && cp -r ./*.[ch] proof engine forms kernel bpf "$1"
}
# place DIRECTORY: where a part is kept that is proved in such a copy
place() {
	PYTHONPATH=$1/proof/tools python3 -B -c '
import pathlib, prove
print(prove.kept(pathlib.Path("/"), *prove.settings()["codec"], prove.MACHINE))'
}
# apart FILE TEXT: whether that is another place once the file ends with this text
apart() {
	rm -rf "$tmp/other"
	copied "$tmp/other" && echo "$2" >>"$tmp/other/$1" || return
	[ "$(place "$tmp/one")" = "$(place "$tmp/other")" ] && echo the same || echo another
}
copied "$tmp/one"
# what the stand-in for Frama-C has as its own headers
mkdir "$tmp/libc"
touch "$tmp/libc/stdbool.h" "$tmp/libc/stddef.h" "$tmp/libc/stdint.h"
point "a part that reads no such file is kept at the same place" ends 0 "the same" \
	apart forms/utf8val_forms.c "int another;"
while read -r file text; do
	point "with another ${file##*/} at another" ends 0 another apart "$file" "$text"
done <<-'EOF'
	utf8val.c int another;
	proof/spec/contracts.h /*@ lemma another: 1 == 1; */
	proof/parts/tactics.txt another unfold x
	proof/tools/prove.py # another
	proof/tools/provers.py # another
EOF
mkdir "$tmp/known" "$tmp/new"
echo '{ "verdict": "valid" }' >"$tmp/known/proved.json"
echo '{ "verdict": "unknown" }' >"$tmp/known/left.json"
PYTHONPATH=proof/tools python3 -B -c 'import pathlib, prove, sys
prove.valid(*map(pathlib.Path, sys.argv[1:]))' "$tmp/known" "$tmp/new"
point "what a prover did not know is no answer for another run" test \
	"$(ls "$tmp/new")" = proved.json

# Answers as the question's text says; each time that CBMC is asked, it writes that down.
cat >"$tmp/bin/cbmc" <<-'END'
	#!/bin/sh
	[ "$1" != --version ] || { echo 6.0; exit; }
	echo asked >>"$WORK/cbmc"
	echo "[{\"result\": [{\"property\": \"f.assertion.1\", \"description\": \"end\",
		\"status\": \"FAILURE\"}, {\"property\": \"f.assertion.2\",
		\"description\": \"right\", \"status\": \"$(cat "$1")\"}]}]"
END
chmod +x "$tmp/bin/cbmc"
# asked TEXT FUNCTION...: what is wrong, asking each time the question of this text
asked() {
	rm -f "$WORK/cbmc"
	XDG_CACHE_HOME=$tmp/cache PYTHONPATH=proof/tools python3 -B -c '
import pathlib, sys, cbmc
path = pathlib.Path(sys.argv[1])
path.write_text(sys.argv[2])
for function in sys.argv[3:]:
    found, kinds = cbmc.wrong(path, function, "x86_64", 1, 9, "end")
    print(*found or ["right"], kinds["assertion"], end=" ")' "$tmp/ask" "$@" &&
		wc -l <"$WORK/cbmc"
}
point "CBMC is asked once what it has found right" ends 0 "right 1 right 1 1" \
	asked SUCCESS f f
point "another text, or function, is another question" ends 0 "right 0 1" \
	asked SUCCESS g
point "what is wrong is asked again" ends 0 \
	"f.assertion.2: right: FAILED 1 f.assertion.2: right: FAILED 1 2" asked FAILED f f
tap_end
