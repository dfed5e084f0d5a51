#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Tests of what users pass to make: missing targets, DESTDIR and PREFIX of any name,
# DEPS=, and packages that only sudo can install. Also a full disk. The suite targets
# calls this. TAP on standard output.
#
# Usage: tests/targets.sh   (with the command and the guard built)
set -u
. "$(dirname "$0")/lib/tap.sh"
chmod 755 "$tmp"
unset DEPS MAKEFLAGS MFLAGS MAKELEVEL

target() {
	make -s --no-print-directory DEPS=no "$@"
}

# installed SUFFIX DIRECTORY: what install and install-guard (SUFFIX -guard) put
# below it is readable to all, and their counterparts remove that and nothing else
installed() {
	(umask 077 && target DESTDIR="$2" "install$1") || return
	[ -n "$(find "$2" -type f)" ] || return
	[ -z "$(find "$2" ! -perm -444)" ] || return
	touch "$2/usr/local/mine" || return
	target DESTDIR="$2" "uninstall$1" || return
	[ "$(find "$2" -type f)" = "$2/usr/local/mine" ]
}

# fetch.sh and make take a cache's path that is not absolute for none
# shellcheck disable=SC2016 # for make, and its shell
relative() {
	project=$PWD
	mkdir "$tmp/relative" && cd "$tmp/relative" && mkdir home || return
	export HOME="$PWD/home" XDG_CACHE_HOME=cache
	"$project/tools/fetch.sh" --sources trixie &&
		[ "$(echo *)" = home ] &&
		[ "$(printf 'include Makefile\nshow:\n\t@echo $${XDG_CACHE_HOME-none}\n' |
			make -s -C "$project" -f - show)" = none ]
}
point "a cache's path that is not absolute" relative
in_order() {
	printf 'include Makefile\nboth: deps-slow built\ndeps-slow:\n\t@sleep 1; touch %s\n%s' \
		"$tmp/installed" "built:; @test -e $tmp/installed" |
		make -s -j8 -f - both
}
point "make -j8 installs before it builds" in_order
# If a recipe ran, it would fail by this shell.
for name in demo demo-builtin check; do
	point "make -n $name runs nothing" \
		make -n "$name" SHELL=/bin/false DEPS=no ONLY=dist
done
point "a target that there is not" ends 2 "'make' lists the targets" make tolls
point "one that a compiler might write" ends 2 "'make' lists the targets" make tolls.d
point "with characters of the shell's" ends 2 "No rule to make target 'a'b \"c\";'." \
	make "a'b \"c\";"
point "asked by make -n, as debhelper does" ends 2 \
	"*** No rule to make target 'distclean'" make -s -n distclean
point "a suite that there is not" ends 2 "'make suites' lists them" \
	make suite-nothing
# Debian with git and make: no python3, which an apt-get of ours installs
mkdir "$tmp/bare"
for name in make sh sed grep expand id uname; do
	ln -s "$(command -v $name)" "$tmp/bare/$name"
done
# shellcheck disable=SC2317 # point calls it
bare() {
	wanted=$1 text=$2
	shift 2
	ends "$wanted" "$text" env PATH="$tmp/bare" "$@"
}
point "make help without python3" bare 0 "make demo" make help
point "make tools without python3, if nothing may be installed" bare 0 "utf8val.c" \
	make -n tools DEPS=no "B=$tmp/none"
point "other targets print what to run" bare 2 "apt-get install -y --no-install-recommends python3" \
	make guard DEPS=no
# shellcheck disable=SC2016 # for the script
printf '#!/bin/sh\n[ "$1" = update ] || %s -s /usr/bin/python3 %s/python3\n' \
	"$(command -v ln)" "$tmp/bare" >"$tmp/bare/apt-get"
# shellcheck disable=SC2016 # for the script
printf '#!/bin/sh\nexec "$@"\n' >"$tmp/bare/sudo"
chmod 755 "$tmp/bare/apt-get" "$tmp/bare/sudo"
point "or install it first" bare 0 "rules" make suites
for name in "plain" "with spaces" "it's \"quoted\"" "größe 日本" "a (b)&;|"; do
	point "install, uninstall with DESTDIR=$name" installed "" "$tmp/$name"
done
for name in "/a b" "/a'b" "/a&b" "/a|b" "/a%b" "/a\\b"; do
	for target in install install-guard uninstall uninstall-guard; do
		point "$target with PREFIX=$name" ends 2 "DESTDIR may" \
			make -s DEPS=no DESTDIR="$tmp/prefix" "PREFIX=$name" "$target"
	done
done
point "and nothing was installed" ends 1 "" test -e "$tmp/prefix"
point "install-guard, uninstall-guard with spaces in DESTDIR" installed \
	-guard "$tmp/the guard's"
# shellcheck disable=SC2016 # for the shell inside
point "the units name what was installed" sh -c '
	make -s --no-print-directory DEPS=no DESTDIR="$1" PREFIX=/opt/u install-guard &&
	[ "$(cd "$1/opt/u/lib/systemd/system" && ls)" = "$(cd bpf/systemd && ls utf8val*)" ] &&
	for name in $(sed -n "s/^Exec[A-Za-z]*=-\{0,1\}\([^ ]*\).*/\1/p" \
			"$1"/opt/u/lib/systemd/system/*.service); do
		[ -x "$1$name" ] || { echo "no $name"; exit 1; }
	done && [ "$name" ]' units "$tmp/opt u"

# filled KILOBYTES TARGET: where the build directory has no more space, the target
# prints so in a sentence and leaves no half of a file. With space, the file is made
filled() {
	# shellcheck disable=SC2016 # for the shell inside
	unshare -rm sh -c 'mount -t tmpfs -o size=$1k none build || exit 99
		make -s --no-print-directory DEPS=no "$2" && exit 1
		find build -type f -exec sha256sum {} + >"$3/left"
		mount -o remount,size=1g build &&
		make -s --no-print-directory DEPS=no "$2" >&2 &&
		{ [ ! -s "$3/left" ] || sha256sum --quiet -c "$3/left"; }' \
		filled "$1" "$2" "$tmp" >"$tmp/said" 2>&1
	set -- $?
	cat "$tmp/said"
	[ "$1" -eq 0 ] && grep -q "No space left on device" "$tmp/said" &&
		! grep Traceback "$tmp/said"
}
mkdir -p build
# There is room for nothing, for a part, or for all but the end.
for full in "8 amalgamation" "64 amalgamation" "4 package" "100 package" \
		"300 package" "380 package" "4 dist" "100 dist"; do
	if unshare -rm mount -t tmpfs none build 2>/dev/null; then
		# shellcheck disable=SC2086 # size and target
		point "a full disk: $full" filled $full
	else
		skip "a full disk: $full" "nothing may be mounted here"
	fi
done

# As a user without rights, with a sudo that needs a password.
mkdir "$tmp/bin" "$tmp/tools"
cat >"$tmp/bin/sudo" <<'END'
#!/bin/sh
[ "$1" != -n ] || exit 1
echo "password for: $*"
exit 1
END
chmod 755 "$tmp/bin/sudo"
install tools/deps.py "$tmp/tools/"
printf '%s\n' "Group: strange" "Packages: no-such-package" >"$tmp/tools/packages"
user() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}
terminal() {
	user script -qec "PATH=$tmp/bin:/usr/bin:/bin $tmp/tools/deps.py strange" /dev/null
}
point "without a terminal, sudo that needs a password is not used" \
	ends 1 "as root, run" user env PATH="$tmp/bin:/usr/bin:/bin" \
	"$tmp/tools/deps.py" strange
# shellcheck disable=SC2016 # for the shell inside
point "nor where there is no standard input at all" \
	ends 1 "as root, run" user env PATH="$tmp/bin:/usr/bin:/bin" \
	sh -c 'exec "$1" strange <&-' closed "$tmp/tools/deps.py"
point "at a terminal it may ask" ends 1 "password for: env" terminal
# with a sudo that asks nothing, and no network
mkdir "$tmp/offline"
# shellcheck disable=SC2016 # for the script
printf '#!/bin/sh\n[ "$1" = -n ] || exec "$@"\n' >"$tmp/offline/sudo"
printf '#!/bin/sh\necho "W: Failed to fetch" >&2\nexit 100\n' >"$tmp/offline/apt-get"
chmod 755 "$tmp/offline"/*
point "without a network" ends 1 "Is there a network?" \
	user env PATH="$tmp/offline:/usr/bin:/bin" "$tmp/tools/deps.py" strange
# a system where only "there" and "checker" are installed, and the release has
# "later" besides
mkdir "$tmp/system" "$tmp/system/tools" "$tmp/system/tests"
cat >"$tmp/system/tests/suites.py" <<'END'
import collections
Suite = collections.namedtuple("Suite", "packages")
SUITES = {"one-a": Suite("one"), "one-b": Suite("one"), "two-a": Suite("two"),
          "good-a": Suite("good")}
END
install tools/deps.py "$tmp/system/tools/"
cat >"$tmp/system/dpkg-query" <<'END'
#!/bin/sh
printf "%s\n" "installed there" "installed checker" "not-installed later"
END
printf '#!/bin/sh\necho "apt-get $*"\n' >"$tmp/system/apt-get"
cat >"$tmp/system/apt-cache" <<'END'
#!/bin/sh
printf '%s\n' "$@" | grep -xE 'there|later|checker' | sed 's/^/Package: /'
END
cp "$tmp/offline/sudo" "$tmp/system/"
chmod 755 "$tmp/system"/*-* "$tmp/system/sudo"
cat >"$tmp/system/tools/packages" <<'END'
# a comment
Group: check
Packages: checker

Group: one
Groups: inner
Packages: never|later

Group: inner
Packages: there
 never? there|never

Group: good
Packages: there

Group: two
Groups: one
Packages: never
Instead: run it there

Group: bench
Packages: never
END
there() {
	user env PATH="$tmp/system:/usr/bin:/bin" "$tmp/system/tools/deps.py" "$@"
}
# prints TEXT ARGUMENT...: succeeds when deps.py prints exactly TEXT in that system
prints() {
	text=$1
	shift
	said=$(there "$@" 2>&1) || text="status 0 and $text"
	[ "$said" = "$text" ] || { echo "$said, want $text"; return 1; }
}
point "a group's packages, with those of groups in it" prints "there
never?
there|never
never|later" --list one
point "suites that lack a package, or could have it" prints "\
one-a never|later not installed; first: make deps-one
one-b never|later not installed; first: make deps-one
two-a $(. /etc/os-release && echo "$NAME ${VERSION_ID-}" | sed 's/ $//') has no never; \
instead: run it there" --skips
point "what a suite needs, and who counts it" prints "checker
there
never?
there|never
never|later" --list --suites one-b
point "nothing is missing" prints "" good
point "one is, and is reachable" ends 0 \
	"apt-get satisfy -y --no-install-recommends never | later   (DEPS=no" there one
point "one that the release lacks, of a group that is named" ends 1 \
	"instead: run it there" there two
point "of all, it is told, and the others are installed" ends 0 \
	"apt-get satisfy -y --no-install-recommends never | later   (DEPS=no" there all
point "a package is missing, and there is no sudo" ends 1 "apt-get update && apt-get satisfy" \
	user env PATH="$tmp/none:/usr/bin:/bin" "$tmp/tools/deps.py" strange
point "and with DEPS=no nothing is asked for" silent \
	env DEPS=no "$tmp/tools/deps.py" strange
point "a group that there is not" ends 2 "groups are: all" there no-such-group
point "an option that there is not" ends 2 "Usage: tools/deps.py" there --yes
point "DEPS=false is neither" ends 2 "there is only DEPS=no" \
	env DEPS=false "$tmp/tools/deps.py" strange
tap_end
