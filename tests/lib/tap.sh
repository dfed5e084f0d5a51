# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck shell=sh
# TAP for shell scripts, to be sourced: points, then tap_end. Also a directory of its
# own, $tmp, which goes with the script. All files that are made can be read by all.
umask 022
tap_count=0
tap_failed=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' HUP INT TERM

# point NAME COMMAND...: passed when the command, run in a subshell, succeeds;
# what it prints are diagnostics when it does not
point() {
	tap_name=$1
	shift
	tap_count=$((tap_count + 1))
	if ("$@") >"$tmp/tap" 2>&1 </dev/null; then
		echo "ok $tap_count - $tap_name"
	else
		echo "not ok $tap_count - $tap_name"
		sed 's/^/# /' "$tmp/tap"
		tap_failed=$((tap_failed + 1))
	fi
}

# skip NAME WHY: a point that cannot be tried here
skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

# silent COMMAND...: succeeds when the command does and prints nothing
silent() {
	"$@" >"$tmp/silent" 2>&1
	set -- $?
	cat "$tmp/silent"
	[ ! -s "$tmp/silent" ] || return 1
	[ "$1" -eq 0 ] || { echo "status $1"; return 1; }
}

# ends STATUS TEXT COMMAND...: succeeds when the command ends with that status
# and says that text, if any
ends() {
	tap_want=$1 tap_text=$2
	shift 2
	"$@" >"$tmp/ends" 2>&1
	tap_got=$?
	if [ "$tap_got" -eq "$tap_want" ] &&
	   { [ -z "$tap_text" ] || grep -qF -- "$tap_text" "$tmp/ends"; }; then
		return 0
	fi
	echo "status $tap_got, want $tap_want, and a message with: $tap_text"
	cat "$tmp/ends"
	return 1
}

# the plan, and the script's status
tap_end() {
	echo "1..$tap_count"
	[ "$tap_failed" -eq 0 ]
}
