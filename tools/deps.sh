#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Make sure that the Debian packages a job needs are installed: deps.py says how.
# This only gets Python for it.
#
# Usage: tools/deps.sh GROUP... | all
#        tools/deps.sh --help	what it can print instead
set -eu
here=$(dirname "$0")
# python3-minimal has the command, but not what deps.py imports
if ! python3 -c 'import argparse, shutil, subprocess' 2>/dev/null; then
	case ${DEPS-} in
	'' | no) ;;
	*)
		echo "deps: DEPS=$DEPS: there is only DEPS=no, which installs nothing" >&2
		exit 2 ;;
	esac
	if [ "${DEPS-}" = no ]; then
		case ${1-} in
		-*)
			echo "deps: python3 is missing" >&2
			exit 1 ;;
		esac
		exit 0
	elif [ "$(id -u)" = 0 ]; then
		sudo=
	elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
		sudo=sudo
	else
		echo "deps: python3 is missing; as root, run:" >&2
		echo "  apt-get update && apt-get install -y python3" >&2
		exit 1
	fi
	echo "deps: ${sudo:+$sudo }apt-get install python3 (DEPS=no prevents it)" >&2
	# that it fails is seen by what comes after it
	$sudo apt-get -qq update >&2 || :
	$sudo env DEBIAN_FRONTEND=noninteractive \
		apt-get -qq -o DPkg::Lock::Timeout=600 install -y \
			--no-install-recommends python3 >&2 || {
		echo "deps: python3 cannot be installed; apt-get's own message" \
			"stands above. Is there a network?" >&2
		exit 1
	}
fi
exec python3 "$here/deps.py" "$@"
