#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The project's files, each followed by a NUL: what git has, or, in an unpacked
# archive without git's records, what git would take.
#
# Usage: tools/files.sh [PATTERN...]   patterns as for git ls-files
set -eu
cd "$(dirname "$0")/.."
. tools/git.sh
trap 'rm -rf "$git_made"' EXIT
trap 'exit 130' HUP INT TERM
git ls-files -z -- "$@"
