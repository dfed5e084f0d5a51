#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""make install, and a program that uses what it has installed.
The suite command-install runs this."""

import os

from harness import call, equal, main, run, test, tree, write

WANT = {b"bin/utf8val", b"lib/libutf8val.a", b"lib/pkgconfig/utf8val.pc",
        b"lib/cmake/utf8val/utf8valConfig.cmake",
        b"lib/cmake/utf8val/utf8valConfigVersion.cmake",
        b"include/utf8val.h", b"include/utf8val_forms.h", b"share/man/man1/utf8val.1",
        b"share/bash-completion/completions/utf8val",
        b"share/zsh/vendor-completions/_utf8val",
        b"share/fish/vendor_completions.d/utf8val.fish"}

PROGRAM = b"""
#include <stdio.h>
#include <utf8val.h>
#include <utf8val_forms.h>
int main(void)
{
	struct utf8val_result r = utf8val_check("caf\\xe9s", 5);
	return printf("%zu %s %d\\n", r.valid,
		utf8val_reason_name(r.reason),
		utf8val_form_check(UTF8VAL_FORM_MUTF8, "\\xc0\\x80", 2).reason)
		< 0;
}
"""


def files(root):
    """The files below root."""
    return {p for p in tree(root) if os.path.isfile(os.path.join(root, p))}


@test("DESTDIR and PREFIX: exactly these files, and none after uninstall")
def _(root):
    call("make", b"DESTDIR=" + root, "PREFIX=/opt/u", "install")
    equal(files(root), {b"opt/u/" + path for path in WANT})
    modes = {os.stat(os.path.join(root, b"opt/u", p)).st_mode & 0o777
             for p in WANT if p != b"bin/utf8val"}
    equal(modes, {0o644})
    run("--version", binary=os.path.join(root, b"opt/u/bin/utf8val"), status=0)
    call("make", b"DESTDIR=" + root, "PREFIX=/opt/u", "uninstall")
    equal(files(root), set())


@test("a C and a C++ program by pkg-config")
def _(root):
    call("make", b"PREFIX=" + root, "install")
    env = dict(os.environ, PKG_CONFIG_PATH=os.fsdecode(root) + "/lib/pkgconfig")
    flags = call("pkg-config", "--cflags", "--libs", "utf8val", env=env).split()
    source = os.path.join(root, b"p.c")
    write(source, PROGRAM)
    for compiler in ([b"gcc", b"-std=c11"], [b"gcc", b"-std=c99"],
                     [b"g++", b"-x", b"c++", b"-fpermissive", b"-w"]):
        program = os.path.join(root, b"p")
        call(*compiler, source, b"-o", program, b"-x", b"none", *flags)
        equal(call(program), "3 missing tail 0\n")
    equal(run("--version", status=0).stdout.decode(),
          "utf8val " + call("pkg-config", "--modversion", "utf8val", env=env))


@test("engines that make builds by CPPFLAGS")
def _(root):
    for engine, table in (("COMPACT", False), ("WORD", False), ("FAST", True)):
        made = os.path.join(root, engine.encode())
        call("make", b"B=" + made, f"CPPFLAGS=-DUTF8VAL_ENGINE_{engine}=1",
             made + b"/libutf8val.a")
        names = call("nm", made + b"/libutf8val.a")
        equal(("utf8val_fast_rows" in names, "utf8val_vector" in names), (table, False))


@test("a shared library that contains the archive, and shows none of its functions")
def _(root):
    call("make", b"PREFIX=" + root, "install")
    env = dict(os.environ, PKG_CONFIG_PATH=os.fsdecode(root) + "/lib/pkgconfig")
    flags = call("pkg-config", "--cflags", "--libs", "utf8val", env=env).split()
    write(os.path.join(root, b"l.c"), PROGRAM.replace(b"main", b"program"))
    library = os.path.join(root, b"l.so")
    call("gcc", "-fPIC", "-shared", os.path.join(root, b"l.c"), "-o", library,
         "-Wl,-z,text,-z,defs", *flags)
    shown = call("nm", "-D", "--defined-only", library).split()
    equal([name for name in shown if "utf8val" in name or name == "program"], ["program"])


main()
