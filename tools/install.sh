#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Install what was built, or remove it again; make install and the like call this script.
#
# Usage: tools/install.sh install | remove BUILD PART...
#   BUILD  the directory of the build
#   PART   command, library or guard
#
# The environment may set DESTDIR, below which everything goes and whose name may have any
# character; PREFIX; and each directory below it. A space ends a word in pkg-config's file
# and in systemd's units, so only DESTDIR may have one.
set -eu
cd "$(dirname "$0")/.."
: "${DESTDIR=}" "${PREFIX:=/usr/local}"
: "${BINDIR:=$PREFIX/bin}" "${SBINDIR:=$PREFIX/sbin}" "${LIBDIR:=$PREFIX/lib}"
: "${INCLUDEDIR:=$PREFIX/include}" "${MANDIR:=$PREFIX/share/man}"
: "${UNITDIR:=$PREFIX/lib/systemd/system}" "${DOCDIR:=$PREFIX/share/doc/utf8val-guard}"
case $PREFIX$BINDIR$SBINDIR$LIBDIR$INCLUDEDIR$MANDIR$UNITDIR$DOCDIR in
*[[:space:]\|\&\\%\>\"\']*)
	echo "install: PREFIX and the directories below it may have no spaces," \
		"quotes or any of | & \\ % >; DESTDIR may" >&2
	exit 2
	;;
esac
action=$1
build=$2
shift 2
version=$(sed -n 's/^#define UTF8VAL_VERSION "\(.*\)"/\1/p' utf8val.h)

# one MODE FILE PATH: install the file at that path below DESTDIR, or remove the path
one() {
	if [ "$action" = remove ]; then
		rm -f "$DESTDIR$3"
	else
		"${INSTALL:-install}" -D -m "$1" "$2" "$DESTDIR$3"
	fi
}

# filled FILE PATH: the same of a file that names directories, which are filled in
filled() {
	sed -e "s|@PREFIX@|$PREFIX|" -e "s|@LIBDIR@|$LIBDIR|" -e "s|@INCLUDEDIR@|$INCLUDEDIR|" \
		-e "s|@VERSION@|$version|" -e "s|/usr/sbin/|$SBINDIR/|" "$1" |
		one 644 /dev/stdin "$2"
}

# into DIRECTORY FILE...: files that stay as they are
into() {
	directory=$1
	shift
	for file; do
		one 644 "$file" "$directory/${file##*/}"
	done
}

for part; do
	case $part in
	command)
		one 755 "$build/utf8val" "$BINDIR/utf8val"
		into "$MANDIR/man1" tools/command/utf8val.1
		(
			cd tools/command/completion
			one 644 utf8val.bash "$PREFIX/share/bash-completion/completions/utf8val"
			one 644 _utf8val "$PREFIX/share/zsh/vendor-completions/_utf8val"
			one 644 utf8val.fish "$PREFIX/share/fish/vendor_completions.d/utf8val.fish"
		)
		;;
	library)
		into "$LIBDIR" "$build/libutf8val.a"
		into "$INCLUDEDIR" utf8val.h forms/utf8val_forms.h
		filled tools/utf8val.pc.in "$LIBDIR/pkgconfig/utf8val.pc"
		for file in Config ConfigVersion; do
			filled "tools/utf8val$file.cmake.in" "$LIBDIR/cmake/utf8val/utf8val$file.cmake"
		done
		;;
	guard)
		one 755 "$build/utf8val-guard" "$SBINDIR/utf8val-guard"
		into "$MANDIR/man8" bpf/utf8val-guard.8
		into "$DOCDIR" docs/break-glass.md docs/monitoring.md docs/programs.rst \
			docs/systems.rst Documentation/admin-guide/utf8val.rst \
			Documentation/admin-guide/utf8val-rules.rst
		for file in bpf/systemd/*.service bpf/systemd/*.timer; do
			filled "$file" "$UNITDIR/${file##*/}"
		done
		;;
	*) echo "install: there is no part $part" >&2; exit 2 ;;
	esac
done
