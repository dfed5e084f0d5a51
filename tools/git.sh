# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck shell=sh
# To be sourced in the project's directory: afterwards git knows the project's
# files. An unpacked archive has no records: there, a temporary repository in
# $git_made gets one commit of what git would take.
git_made=
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" != "$(pwd -P)" ]; then
	git_made=$(mktemp -d)
	export GIT_DIR="$git_made" GIT_WORK_TREE="$PWD"
	git -c init.defaultBranch=main init -q
	git -c core.autocrlf=false -c core.safecrlf=false add -A
	git -c user.name=utf8val -c user.email= -c commit.gpgsign=false \
		commit -q --no-verify -m "As unpacked"
fi
