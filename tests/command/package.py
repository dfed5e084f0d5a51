#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""The Debian packages: built, looked at by lintian, installed and removed.
The suite command-package runs this."""

import glob
import os
import re
import shutil
import subprocess
import tempfile

from harness import Skip, call, equal, main, read, run, test, tree, true, write

with open("utf8val.h", encoding="utf-8") as header:
    VERSION = re.search('UTF8VAL_VERSION "(.*)"', header.read()).group(1)
# The directory in which dpkg keeps its records.
ADMIN = b"var/lib/dpkg"
# The .deb of utf8val-dkms, for a test that comes later.
dkms_package = []


def build(root):
    """Build the packages from what git knows: {name: path of the .deb}."""
    if not os.path.exists("Kbuild"):
        raise Skip("no Kbuild in this tree, so nothing for utf8val-dkms")
    source = os.path.join(root, b"utf8val")
    os.mkdir(source)
    files = subprocess.run(["tools/files.sh"], stdout=subprocess.PIPE,
                           check=True).stdout.split(b"\0")[:-1]
    for path in files:
        os.makedirs(os.path.dirname(os.path.join(source, path)), exist_ok=True)
        shutil.copy2(path, os.path.join(source, path), follow_symlinks=False)
    call("dpkg-buildpackage", "-us", "-uc", cwd=source)
    return {os.path.basename(p).split(b"_")[0].decode(): p
            for p in glob.glob(os.path.join(root, b"*.deb"))}


def lintian(root, changes):
    """The output of lintian for the packages. lintian complains when it runs as root,
    and another user may not enter a home directory. So all that is built is copied to
    where anybody can read it."""
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    with tempfile.TemporaryDirectory(prefix="utf8val-lintian-") as seen:
        for path in glob.glob(os.path.join(root, b"*.*")):
            copy = os.path.join(seen, os.path.basename(path).decode())
            shutil.copy(path, copy)
            os.chmod(copy, 0o644)
        os.chmod(seen, 0o755)
        return call(*([] if os.getuid() else user), "lintian", "--fail-on",
                    "error,warning", os.path.basename(changes).decode(), cwd=seen,
                    env=dict(os.environ, HOME="/nonexistent"))


def names_directory(root, name, package):
    """Does a file of this package have the directory in it in which it was built?"""
    target = os.path.join(root, b"content-" + name.encode())
    call("dpkg-deb", "-x", package, target)
    return any(root in read(os.path.join(where, file))
               for where, _, files in os.walk(target) for file in files
               if not os.path.islink(os.path.join(where, file)))


@test("source and binary packages, without a word from lintian", ("disk",))
def _(root):
    packages = build(root)
    equal({"utf8val", "libutf8val-dev", "utf8val-dkms", "utf8val-guard"} -
          set(packages), set())
    changes = glob.glob(os.path.join(root, b"*.changes"))
    equal(len(changes), 1)
    equal(lintian(root, changes[0]), "")
    # A build in another directory has to give the same bytes.
    equal([name for name, path in packages.items() if names_directory(root, name, path)], [])

    # installed into an empty root, where the package's own script finds no shell
    target = os.path.join(root, b"target")
    os.makedirs(os.path.join(target, ADMIN, b"info"))
    os.makedirs(os.path.join(target, ADMIN, b"updates"))
    open(os.path.join(target, ADMIN, b"status"), "wb").close()
    dpkg = ["dpkg", "--force-not-root", "--force-depends",
            "--force-script-chrootless", b"--root=" + target, "--log=/dev/null"]
    call(*dpkg, "-i", packages["utf8val"], packages["libutf8val-dev"])
    for path in (b"usr/bin/utf8val", b"usr/include/utf8val.h",
                 b"usr/share/man/man1/utf8val.1.gz"):
        true(os.path.exists(os.path.join(target, path)), path)
    equal(call(os.path.join(target, b"usr/bin/utf8val"), "show", "U+41")
          .splitlines()[0], "U+0041  A")
    journals = b"home/ann/.local/state/utf8val"
    os.makedirs(os.path.join(target, journals))
    true("journals of renamed files remain in " + os.path.join(target, journals).decode()
         in call(*dpkg, "-P", "utf8val", "libutf8val-dev"))
    left = {p for p in tree(target) if not p.startswith(b"var") and
            not os.path.isdir(os.path.join(target, p))}
    equal(left, set())
    dkms_package.append(read(packages["utf8val-dkms"]))
    guard_at_boot(root, packages["utf8val-guard"])


def guard_at_boot(root, package):
    """Check what starts the guard at boot, and what keeps it active during an
    upgrade. make suite-guard-system-bookworm does all of that in a full Debian system."""
    target, scripts = (os.path.join(root, name) for name in (b"guard", b"guard-scripts"))
    call("dpkg-deb", "-x", package, target)
    call("dpkg-deb", "-e", package, scripts)

    def text(*path):
        with open(os.path.join(*path), encoding="utf-8") as file:
            return file.read()

    for path in (b"usr/sbin/utf8val-guard",
                 b"usr/share/man/man8/utf8val-guard.8.gz"):
        true(os.path.exists(os.path.join(target, path)), path)
    equal(call(os.path.join(target, b"usr/sbin/utf8val-guard"), "--version"),
          f"utf8val-guard {VERSION}\n")
    # lintian knows which of the two directories is right for the release.
    found = [path for path in (b"lib/systemd/system", b"usr/lib/systemd/system")
             if os.path.isdir(os.path.join(target, path))]
    equal(len(found), 1)
    units = os.path.join(target, found[0])
    equal(sorted(os.listdir(units)),
          [b"utf8val-guard-check.service", b"utf8val-guard-check.timer",
           b"utf8val-guard-log.service", b"utf8val-guard.service"])
    # Each program that a unit starts is in the package.
    for unit in os.listdir(units):
        for program in re.findall(r"^Exec\w+=-?(\S+)", text(units, unit), re.MULTILINE):
            path = target + program.encode()
            true(os.access(path, os.X_OK), path)
    # The guard starts before the root is made writable, before other file systems are
    # mounted, and before /tmp, which waits for no target.
    before = re.search("^Before=(.*)", text(units, b"utf8val-guard.service"),
                       re.MULTILINE).group(1).split()
    equal(set(before), {"systemd-remount-fs.service", "local-fs-pre.target", "tmp.mount"})
    # An upgrade stops only the log and the timer: prerm stops the guard when the
    # package is removed.
    stops = re.findall(r'if (.*); then\n\s*deb-systemd-invoke stop (.*) >',
                       text(scripts, b"prerm"))
    for condition, stopped in stops:
        if "utf8val-guard.service" in stopped:
            true('"$1" = remove' in condition, (condition, stopped))
    true(any("utf8val-guard.service" in stopped for _, stopped in stops), stops)


@test("DKMS does as the package's scripts have it do", ("disk",))
def _(root):
    """In trees of our own; nothing is loaded, and the machine's modules are left alone."""
    if not dkms_package:
        raise Skip("no package was built")
    package = root / b"package.deb"
    write(package, dkms_package[0])
    target, scripts = (os.path.join(root, name) for name in (b"module", b"scripts"))
    call("dpkg-deb", "-x", package, target)
    call("dpkg-deb", "-e", package, scripts)
    for script, word in ((b"postinst", b"common.postinst"), (b"prerm", b"dkms remove")):
        text = read(os.path.join(scripts, script))
        true(word in text and VERSION.encode() in text, text)
    trees = {name: os.path.join(root, name) for name in (b"dkms", b"installed")}
    for path in trees.values():
        os.mkdir(path)
    headers = sorted(glob.glob("/lib/modules/*-amd64/build"))
    if not headers:
        raise Skip("no kernel headers to build the module with")
    kernel = headers[-1].split("/")[3]
    # Newer versions of dkms look for the headers below the directory that they install
    # to.
    os.mkdir(os.path.join(trees[b"installed"], kernel.encode()))
    os.symlink(headers[-1], os.path.join(trees[b"installed"], kernel.encode(), b"build"))
    if os.getuid():
        raise Skip("dkms install is for root only")
    # with the key it would make, it signs what it builds
    env = dict(os.environ, mok_signing_key=os.fsdecode(root) + "/key",
               mok_certificate=os.fsdecode(root) + "/certificate")

    def dkms(action, *args):
        return call(
            "dkms", action, *args, b"--dkmstree=" + trees[b"dkms"],
            b"--sourcetree=" + os.path.join(target, b"usr/src"),
            b"--installtree=" + trees[b"installed"], env=env)
    module = ("-m", "utf8val", "-v", VERSION)
    dkms("add", *module)
    dkms("build", *module, "-k", kernel)
    dkms("install", *module, "-k", kernel, "--no-depmod")
    true(f"utf8val/{VERSION}, {kernel}" in dkms("status") and
         ": installed" in dkms("status"), dkms("status"))
    found = [p for p in tree(trees[b"installed"]) if b"utf8val.ko" in p]
    equal(len(found), 1)
    built = os.path.join(trees[b"installed"], found[0])
    equal(call("modinfo", "-F", "version", built).strip(), VERSION)
    true(kernel in call("modinfo", "-F", "vermagic", built))
    dkms("remove", *module, "--all", "--no-depmod")
    equal([p for p in tree(trees[b"installed"]) if b"utf8val.ko" in p], [])
    equal(dkms("status"), "")


@test("one version: header, command, changelog, Debian packages")
def _():
    equal(run("--version", status=0).stdout.decode(), f"utf8val {VERSION}\n")
    equal(call("dpkg-parsechangelog", "-S", "Version").strip(), VERSION)


main()
