# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck shell=sh
# To be sourced in the project's directory: afterwards git knows the project's files. An
# unpacked archive has no history. There, a temporary repository in $git_made gets one
# commit of the files that git would track. The user's settings, and a repository in
# which the archive was unpacked, have no effect.
git_made=
# The hook of another repository hands these variables down, for example to a submodule.
# shellcheck disable=SC2046 # names
unset $(git rev-parse --local-env-vars)
if [ -e .git ]; then
	# For root in a container: a user who runs programs of the tree trusts its owner.
	GIT_CONFIG_VALUE_0=$(pwd -P)
	export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0
	# git prints what is wrong.
	git rev-parse --show-toplevel >/dev/null || exit
else
	git_made=$(mktemp -d)
	export GIT_DIR="$git_made" GIT_WORK_TREE="$PWD"
	if ! { git -c init.defaultBranch=main init -q --template= &&
		git -c core.autocrlf=false -c core.safecrlf=false \
			-c core.excludesFile=/dev/null add -A &&
		git -c user.name=utf8val -c user.email= -c commit.gpgsign=false \
			-c core.hooksPath=/dev/null commit -q --no-verify \
			-m "As unpacked"; }; then
		rm -rf "$git_made"
		exit 1
	fi
fi
