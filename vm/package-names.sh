#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Print file names of installed Debian packages, one a line, each once: up to
# COUNT, those with bytes beyond ASCII first, then an even sample of the rest.
# The names of files in packages are well-formed UTF-8 (Debian Policy, 10.10).
#
# Usage: vm/package-names.sh COUNT
set -eu
[ $# -eq 1 ] || { echo "usage: vm/package-names.sh COUNT" >&2; exit 2; }
export LC_ALL=C
cat /var/lib/dpkg/info/*.list | sed 's:.*/::' | grep -v -e '^#' -e '^\.' | grep . |
	sort -u | awk -v want="$1" '
	/[\200-\377]/ { if (shown < want / 2) { print; shown++ }; next }
	{ plain[n++] = $0 }
	END {
		step = n / (want - shown)
		for (i = 0; i < want - shown && i < n; i++)
			print plain[int(step < 1 ? i : i * step)]
	}'
