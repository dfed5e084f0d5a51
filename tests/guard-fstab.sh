#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# What guard-fstab makes of fstab's lines, with programs in the place of findmnt and
# utf8val-guard: nothing is mounted or guarded here. TAP on standard output. A whole
# Debian does it in make suite-guard-system-bookworm.
set -u
cd "$(dirname "$0")/.." || exit
. tests/lib/tap.sh
work=$tmp/work
script=${1-$PWD/bpf/systemd/guard-fstab}
mkdir "$work"

# FSTAB is the output of findmnt --fstab, MOUNTED the list of mount points.
cat >"$work/findmnt" <<'END'
#!/bin/bash
if [[ $1 = --fstab ]]; then
	[[ -s $WORK/fstab ]] || exit "${FINDMNT_STATUS:-1}"
	cat "$WORK/fstab"
	exit "${FINDMNT_STATUS:-0}"
fi
grep -qxF "${!#}" "$WORK/mounted" && echo "${TYPES:-tmpfs}"
END
cat >"$work/utf8val-guard" <<'END'
#!/bin/bash
printf '%s|' "$@" >>"$WORK/said"
echo >>"$WORK/said"
[[ $3 != maybe ]]
END
chmod +x "$work/findmnt" "$work/utf8val-guard"
export WORK=$work

# run FSTAB MOUNTED [ARGUMENT]: status in $status, what was set in $said
run() {
	printf '%b' "$1" >"$work/fstab"
	printf '%b' "$2" >"$work/mounted"
	: >"$work/said"
	shift 2
	# Run it in a directory with names that an unquoted pattern would find.
	errors=$(cd "$work" && PATH=$work:$PATH bash "$script" "$@" 2>&1)
	status=$?
	said=$(cat "$work/said")
}

# gives STATUS SAID
gives() {
	if [ "$status" != "$1" ] || [ "$said" != "$2" ]; then
		echo "status $status, set: $said; $errors"
		return 1
	fi
}

has() {
	[[ $errors == *"$1"* ]] || { echo "said: $errors"; return 1; }
}

run '/a rw,x-utf8val=enforce,noatime\n/b rw\n' '/a\n/b\n'
point "a mounted line's mode is set, and no other" gives 0 'set|--mountpoint|enforce|/a|'
run '/a utf8val=audit\n' '/a\n'
point "so is that of utf8val=" gives 0 'set|--mountpoint|audit|/a|'
run '/two\\x20words x-utf8val=audit\n' '/two words\n'
point "a path with a space" gives 0 'set|--mountpoint|audit|/two words|'
touch "$work/x-utf8val=audit"
run '/a rw,x-utf8val=*\n' '/a\n'
point "options are no patterns" gives 0 'set|--mountpoint|*|/a|'
run '/a x-utf8val=maybe\n/b x-utf8val=audit\n' '/a\n/b\n'
point "one that fails keeps no other from its mode" \
	gives 1 $'set|--mountpoint|maybe|/a|\nset|--mountpoint|audit|/b|'
point "and is named" has '/a did not get'
run '/a x-utf8val\n' '/a\n'
point "an option without a mode is set, and refused by that" gives 0 'set|--mountpoint||/a|'
run '/a x-utf8val=audit\n' ''
point "one that is not mounted is an error" gives 1 ''
point "and named" has '/a is not mounted yet'
run '/a x-utf8val=audit\n' '' --early
point "not so early" gives 0 ''
run '/a x-utf8val=audit,noauto\n' ''
point "nor with noauto" gives 0 ''
run '/a utf8val=audit\n' ''
point "nor with utf8val=, which mounted it guarded" gives 0 ''
# findmnt prints the mounts at one point in their order, one a line.
TYPES=autofs run '/a x-utf8val=audit\n' '/a\n'
point "an automount point is not what will be mounted there" gives 1 ''
point "which is said" has '/a is not mounted yet'
TYPES=$'autofs\next4' run '/a x-utf8val=audit\n' '/a\n'
point "what has been mounted on one is" gives 0 'set|--mountpoint|audit|/a|'
run '' ''
point "no lines at all are no error" gives 0 ''
FINDMNT_STATUS=127 run '' ''
point "findmnt that cannot run is" gives 1 ''
point "and is said" has 'findmnt failed'
FINDMNT_STATUS=137 run '/a x-utf8val=audit\n' '/a\n'
point "findmnt that was killed, too: its lines may not be all" gives 1 ''
tap_end
