#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# One goal, one prover after another: says "unsat" as soon as one of them does, else
# "unknown".
#
# They are stopped after so many of their own steps, not seconds: whether a goal is
# proved does not depend on what else the machine does. Each tries with few steps
# first, since what a prover finds it mostly finds at once, and another might. The
# one that has proved the goal before comes before all.
#
# usage: chain.sh WORK PATIENCE SECONDS GOAL PROVER...
#	WORK	a directory: anything else that a prover says is added to its file
#		faults; first/KEY says who has proved the goal of that key before, and
#		to found is added what was not proved by the first prover with the
#		fewest steps
#	SECONDS	what why3 would wait, PATIENCE for each unit of steps; a unit takes
#		about a second of an idle processor. Less than PATIENCE is a smoke test:
#		by cvc4, which best finds what follows from false, with that share of
#		its steps
set -u
work=$1
effort=$(($3 / $2))
steps=100000		# a unit of cvc4
goal=$4
if [ "$effort" -eq 0 ]; then
	effort=1
	steps=$((steps * $3 / $2))
	set -- "$1" "$2" "$3" "$4" cvc4
fi
shift 4

# why3 kills this program only, and its provers shall end with it
alone="setpriv --pdeathsig KILL"
# half the time of a short proof is a prover's first touch of its memory, page by page
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=33554432

# As much as why3 says of its ways to call z3; "lazy" looks for equal numbers before
# it unfolds a recursion far, "eager" follows a chain of lemmas at once.
ask() {
	case $1 in
	cvc4)
		exec $alone cvc4 --lang=smt2 --force-logic=ALL_SUPPORTED \
			--rlimit=$((steps * $2)) "$goal" ;;
	plain) set -- "$2" smt.auto_config=false ;;
	lazy) set -- "$2" smt.auto_config=false smt.qi.eager_threshold=0 smt.mbqi=false ;;
	eager) set -- "$2" smt.auto_config=false smt.qi.eager_threshold=100 ;;
	auto) set -- "$2" sat.random_seed=42 nlsat.randomize=false smt.random_seed=42 ;;
	*) echo "no prover is called $1"; return ;;
	esac
	units=$1
	shift
	exec $alone z3 -smt2 "$@" rlimit=$((1000000 * units)) "$goal"
}

order=$*
key=$(sha256sum <"$goal")
key=${key%"${key#????????????????}"}

# attempt PROVER UNITS: ends with the answer if the prover has one
attempt() {
	said=$(ask "$1" "$2" 2>&1)
	case "
$said
" in
	*"out of memory"* | *"std::bad_alloc"*)
		# another may have more luck; if there is none, nobody has looked
		[ "$order" != "$1" ] || echo "$1: out of memory" >>"$work/faults" ;;
	*"(error"*) echo "$1: $said" >>"$work/faults" ;;
	*"
unsat
"*)
		[ "$1 $2" = "${order%% *} 1" ] || echo "$key $1 $2" >>"$work/found"
		echo unsat
		exit ;;
	*"
unknown"* | *"
sat
"*) ;;
	*) echo "$1: $said" >>"$work/faults" ;;
	esac
}

if [ -f "$work/first/$key" ]; then
	read -r prover units <"$work/first/$key"
	# it gives nobody more than the part does
	case " $order , 1 4 16 $effort " in
	*" $prover "*,*" $units "*)
		[ "$units" -gt "$effort" ] || attempt "$prover" "$units" ;;
	esac
fi

last=0
turns=$order
for units in 1 4 16 "$effort"; do
	if [ "$units" -le "$last" ] || [ "$units" -gt "$effort" ]; then
		continue
	fi
	last=$units
	# sixteen units of cvc4 can be five minutes, and of "eager" more
	[ "$units" -lt 16 ] ||
		turns=$(printf '%s\n' lazy plain auto cvc4 eager | grep -xF "$(printf '%s\n' "$@")")
	for prover in $turns; do
		attempt "$prover" "$units"
	done
done
echo unknown
