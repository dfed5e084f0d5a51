#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Make sure that the Debian packages a job needs are installed.
#
# tools/packages lists them by job, in groups. What is missing is installed by apt-get
# satisfy as root, or through sudo, which may ask for a password at a terminal; what is
# run is said first. Without either, the line to run is printed. With DEPS=no in the
# environment nothing is installed. A package that this release lacks is an error for a
# group that is named; "all", all groups but those apart, and --suites name it and go on.
#
# Usage: tools/deps.sh [--list | --size] GROUP... | all | --suites SUITE...
#   --list    only print the packages
#   --size    only print what they take on a Debian that has nothing but git and make
#   --suites  the groups of these suites
#        tools/deps.sh --skips | --table | --check
#   --skips   print the suites that lack a package here, one a line, with the reason
#   --table   print what runs on which release, as Markdown
#   --check   print what is wrong with tools/packages
# Exit status: 0 when everything is there, 1 when not, 2 for unusable arguments.
set -eu
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
# Groups that `make check-all` does not need: hours of tests, and jobs that only measure.
apart="bench vm-full recording"
releases="bookworm=Debian_12 trixie=Debian_13"

say() {
	echo "deps: $*" >&2
}

# field FIELD [--with] GROUP...: that field's text, a line for each group that has it;
# --with: also of groups that belong to these
field() {
	awk -v asked="$*" '
	function add(group,    count, word, i) {
		if (done[group]++)
			return
		count = inner ? split(text[group, "Groups"], word) : 0
		for (i = 1; i <= count; i++)
			add(word[i])
		if (text[group, name] != "")
			print text[group, name]
	}
	/^#/ || NF == 0 { next }
	/^ / { text[group, last] = text[group, last] $0; next }
	{
		last = substr($1, 1, length($1) - 1)
		value = substr($0, length($1) + 2)
		if (last == "Group")
			group = value
		text[group, last] = value
	}
	END {
		count = split(asked, word)
		name = word[1]
		inner = word[2] == "--with"
		for (i = 2 + inner; i <= count; i++)
			add(word[i])
	}' "$here/packages"
}

words() {
	field Packages --with "$@" | tr ' ' '\n' | awk '$0 != "" && !seen[$0]++'
}

# the words of standard input, written as one dependency
dependency() {
	sed -e 's/?$//' -e 's/|/ | /g' | paste -s -d , -
}

# without FILE: the words of standard input of which FILE has no alternative
without() {
	awk -v have="$1" 'BEGIN { while ((getline line < have) > 0) there[line] }
	{
		count = split(substr($0, 1, length($0) - (/\?$/ ? 1 : 0)), name, "|")
		for (i = 1; i <= count; i++)
			if (name[i] in there)
				next
		print
	}'
}

# the words of standard input of which no alternative is installed
missing() {
	dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null |
		sed -n 's/^installed //p' >"$tmp/installed"
	without "$tmp/installed"
}

# the words of standard input that this release has no package for
lacking() {
	tee "$tmp/asked" | tr -s '?|' '\n' | xargs -r apt-cache show --no-all-versions 2>/dev/null |
		sed -n 's/^Package: //p' >"$tmp/had"
	without "$tmp/had" <"$tmp/asked"
}

release() (
	NAME="this system" VERSION_ID=
	# shellcheck disable=SC1091 # the system's
	[ ! -r /etc/os-release ] || . /etc/os-release
	echo "$NAME${VERSION_ID:+ $VERSION_ID}"
)

# prints SUITE GROUP of each suite
suites() {
	"$here/../tests/suite" --table | cut -d ' ' -f 1,3
}

skips() {
	suites >"$tmp/suites"
	# shellcheck disable=SC2086 # words
	words $known | grep -v '?$' | missing >"$tmp/absent"
	lacking <"$tmp/absent" >"$tmp/gone"
	for group in $known; do
		words "$group" | grep -xFf "$tmp/absent" >"$tmp/absent.here" || continue
		gone=$(grep -xFf "$tmp/gone" "$tmp/absent.here" | paste -s -d ' ' -)
		if [ "$gone" ]; then
			why="$(release) has no $gone; instead: $(field Instead "$group" |
				grep . || echo a release that has it)"
		else
			why="$(paste -s -d ' ' "$tmp/absent.here") not installed; first: make \
deps-$group"
		fi
		awk -v group="$group" -v why="$why" '$2 == group { print $1, why }' "$tmp/suites"
	done
}

table() {
	echo "| group | what for |$(echo " $releases" | sed -e 's/ [a-z]*=/ /g' -e 's/$/ |/' \
		-e 's/\([a-z0-9]\) \([A-Z]\)/\1 | \2/g' | tr _ ' ')"
	echo "|---|---|---|---|"
	for group in $known; do
		row="| $group | $(field For "$group") |"
		for release in $releases; do
			gone=$(field Lacks --with "$group" | tr ' ' '\n' |
				sed -n "s:^${release%=*}/::p" | sort -u | paste -s -d ' ' -)
			row="$row ${gone:+no }${gone:-yes} |"
		done
		echo "$row"
	done
}

# suites of no group, and what this release lacks or has against what is stated
check() {
	suites | awk -v known=" $known " '!index(known, " " $2 " ") {
		print "suite " $1 " is of no group: " $2 }'
	codename=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
	case $releases in *"$codename="*) ;; *) return 0 ;; esac
	# shellcheck disable=SC2086 # words
	words $known | grep -v '?$' | missing | lacking | sort >"$tmp/lacks"
	# shellcheck disable=SC2086
	field Lacks $known | tr ' ' '\n' | sed -n "s:^$codename/::p" | sort -u >"$tmp/stated"
	comm -23 "$tmp/lacks" "$tmp/stated" | sed "s/^/$codename lacks, as no group says: /"
	comm -13 "$tmp/lacks" "$tmp/stated" | sed "s/^/$codename has, against its group: /"
}

# the size of the packages on standard input; $1 what the packages are for
size() {
	new() {
		apt-get -s -qq --no-install-recommends -o Dir::State::status=/dev/null \
			satisfy "$1" 2>/dev/null | sed -n 's/^Inst \([^ ]*\) .*/\1/p' | sort -u
	}
	bare="apt, ca-certificates, git, make, $(apt-cache dumpavail |
		awk '/^Package: / { name = $2 } /^Priority: required$/ { print name }' |
		sort -u | paste -s -d , -)"
	new "$bare" >"$tmp/bare"
	new "$bare, $(dependency)" | comm -23 - "$tmp/bare" >"$tmp/new"
	xargs apt-cache --no-all-versions show <"$tmp/new" | awk -v what="$1" '
		/^Package:/ { count++ } /^Size:/ { fetched += $2 } /^Installed-Size:/ { disk += $2 }
		END { printf "%s: %d packages, %.0f MB to fetch, %.0f MB installed\n", what,
			count, fetched / 1e6, disk * 1024 / 1e6 }'
}

become_root() {
	as_root=
	[ "$(id -u)" != 0 ] || return 0
	as_root=sudo
	command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }
}

# ask FILE: print the commands that the user has to run as root
ask() {
	say "packages are missing; as root, run:"
	echo "  apt-get update && apt-get satisfy -y --no-install-recommends" \
		"'$(dependency <"$1")'" >&2
	say "or go on without them, with DEPS=no"
}

# A new machine may be busy with its own updates; without a network an update fails,
# which is no error by default.
apt_get() {
	say "${as_root:+$as_root }apt-get $*   (DEPS=no prevents this)"
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq \
		-o DPkg::Lock::Timeout=600 -o APT::Update::Error-Mode=any "$@" >&2
}

# $1 whether to go on without what the release lacks, then groups
install() {
	go_on=$1
	shift
	words "$@" | missing >"$tmp/missing"
	grep -qv '?$' "$tmp/missing" || return 0
	become_root || { ask "$tmp/missing"; return 1; }
	updated=yes
	apt_get update || updated=
	lacking <"$tmp/missing" >"$tmp/lacking"
	gone=$(grep -v '?$' "$tmp/lacking" | paste -s -d ' ' -)
	if [ "$gone" ] && [ ! "$updated" ]; then
		say "apt-get update failed; its own message stands above. Is there a network?"
		[ ! "$as_root" ] || ask "$tmp/missing"
		return 1
	fi
	[ ! "$gone" ] || say "$(release) has no $gone"
	if [ "$gone" ] && [ ! "$go_on" ]; then
		say "instead: $(field Instead "$@" | grep . || echo another release)"
		return 1
	fi
	grep -vxFf "$tmp/lacking" "$tmp/missing" >"$tmp/install" || return 0
	apt_get satisfy -y --no-install-recommends "$(dependency <"$tmp/install")" || {
		say "apt-get failed; its own message stands above. Nothing else was done."
		[ ! "$as_root" ] || ask "$tmp/install"
		return 1
	}
}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' HUP INT TERM PIPE
known=$(sed -n 's/^Group: //p' "$here/packages" | paste -s -d ' ' -)
action=install
go_on=
case ${1-} in --list | --size | --skips | --table | --check) action=${1#--}; shift ;; esac
case $action in skips | table | check) $action; exit ;; esac
case ${1-} in
--suites)
	go_on=yes
	shift
	# shellcheck disable=SC2046 # words
	set -- check $(suites | awk -v some=" $* " 'index(some, " " $1 " ") && !seen[$2]++ { print $2 }') ;;
-*)
	sed -n 's/^# Usage: /usage: /p' "$0" >&2
	exit 2 ;;
all)
	go_on=yes
	# shellcheck disable=SC2046,SC2086 # words
	set -- $(printf '%s\n' $known | grep -vxF "$(printf '%s\n' $apart)") ;;
esac
for group; do
	case " $known " in *" $group "*) ;; *) set -- ;; esac
done
[ $# -gt 0 ] || { say "groups are: all $known"; exit 2; }
case $action in
list) words "$@" ;;
size) words "$@" | size "$*" ;;
install)
	case ${DEPS-} in
	'') ;;
	no) exit 0 ;;
	*) say "DEPS=$DEPS: there is only DEPS=no, which installs nothing"; exit 2 ;;
	esac
	if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
		say "this is no Debian system, see to it yourself that there is what" \
			"'tools/deps.sh --list $*' prints"
		exit 0
	fi
	install "$go_on" "$@" ;;
esac
