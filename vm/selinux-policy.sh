#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Make the smallest SELinux policy: the kernel's own mdp writes it (it allows
# everything to one type), checkpolicy compiles it.
#
# Usage: vm/selinux-policy.sh BUILD OUT
#   BUILD  a kernel's build directory, with SELinux configured
#   OUT    the policy, for /sys/fs/selinux/load
set -eu
[ $# -eq 2 ] || { echo "usage: vm/selinux-policy.sh BUILD OUT" >&2; exit 2; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$1/scripts/selinux/mdp/mdp" -m "$tmp/all" "$tmp/contexts"
# without capabilities that checkpolicy may be too old to know, which change nothing here
grep -v '^policycap ' "$tmp/all" >"$tmp/policy.conf"
mkdir -p "$(dirname "$2")"
# renamed into place, as another test may be reading the old policy
checkpolicy -M -o "$2.$$" "$tmp/policy.conf" >&2
mv "$2.$$" "$2"
