#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""The Debian packages: built, looked at by lintian, installed and removed."""

import glob
import os
import shutil
import subprocess

from harness import Skip, equal, main, test, tree, true

# what dpkg keeps for itself
ADMIN = b"var/lib/dpkg"


def call(*args, **kwargs):
    """Run a program that must succeed; its output, which also explains why
    it did not."""
    got = subprocess.run(args, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, check=False, **kwargs)
    equal(got.returncode, 0, got.stdout[-2000:].decode("utf-8", "replace"))
    return got.stdout.decode("utf-8", "replace")


def build(root):
    """Build the packages from what git knows: {name: path of the .deb}."""
    if not os.path.exists("Kbuild"):
        raise Skip("no Kbuild in this tree, so nothing for utf8val-dkms")
    source = os.path.join(root, b"utf8val")
    os.mkdir(source)
    files = subprocess.run(["git", "ls-files", "-z"], stdout=subprocess.PIPE,
                           check=True).stdout.split(b"\0")[:-1]
    for path in files:
        os.makedirs(os.path.dirname(os.path.join(source, path)),
                    exist_ok=True)
        shutil.copy2(path, os.path.join(source, path), follow_symlinks=False)
    env = {k: v for k, v in os.environ.items()
           if not k.startswith("MAKE") and k not in ("MFLAGS", "UTF8VAL")}
    call("dpkg-buildpackage", "-us", "-uc", cwd=source, env=env)
    return {os.path.basename(p).split(b"_")[0].decode(): p
            for p in glob.glob(os.path.join(root, b"*.deb"))}


@test("source and binary packages, without a word from lintian", ("disk",))
def _(root):
    packages = build(root)
    equal({"utf8val", "libutf8val-dev", "utf8val-dkms"} - set(packages), set())
    changes = glob.glob(os.path.join(root, b"*.changes"))
    equal(len(changes), 1)
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    if os.getuid():
        user = []
    os.chmod(root, 0o755)
    said = call(*user, "lintian", "--fail-on", "error,warning", changes[0],
                env=dict(os.environ, HOME="/nonexistent"))
    equal(said, "")

    # installed into an empty root, the programs' own scripts are none
    target = os.path.join(root, b"target")
    os.makedirs(os.path.join(target, ADMIN, b"info"))
    os.makedirs(os.path.join(target, ADMIN, b"updates"))
    open(os.path.join(target, ADMIN, b"status"), "wb").close()
    dpkg = ["dpkg", "--force-not-root", "--force-depends",
            b"--root=" + target, "--log=/dev/null"]
    call(*dpkg, "-i", packages["utf8val"], packages["libutf8val-dev"])
    for path in (b"usr/bin/utf8val", b"usr/include/utf8val.h",
                 b"usr/share/man/man1/utf8val.1.gz"):
        true(os.path.exists(os.path.join(target, path)), path)
    equal(call(os.path.join(target, b"usr/bin/utf8val"), "show", "U+41")
          .splitlines()[0], "U+0041  A")
    call(*dpkg, "-P", "utf8val", "libutf8val-dev")
    left = {p for p in tree(target) if not p.startswith(b"var") and
            not os.path.isdir(os.path.join(target, p))}
    equal(left, set())

    # the module, as DKMS would build it for the kernel whose headers are here
    headers = sorted(glob.glob("/usr/src/linux-headers-*-amd64"))
    if not headers:
        raise Skip("no kernel headers to build the module with")
    call("dpkg-deb", "-x", packages["utf8val-dkms"], target)
    sources = glob.glob(os.path.join(target, b"usr/src/utf8val-*"))
    equal(len(sources), 1)
    version = os.path.basename(sources[0]).split(b"-")[1]
    place = os.path.join(root, b"dkms/utf8val", version, b"build")
    shutil.copytree(sources[0], place, symlinks=True)
    env = dict(os.environ, kernel_source_dir=headers[-1],
               dkms_tree=os.fsdecode(os.path.join(root, b"dkms")))
    env.pop("MAKEFLAGS", None)
    conf = os.path.join(place, b"dkms.conf")
    call("bash", "-ec", '. "$0"; eval "${MAKE[0]}"', conf, env=env)
    where = call("bash", "-ec", '. "$0"; echo "$BUILT_MODULE_LOCATION/'
                 '$BUILT_MODULE_NAME.ko"', conf).strip().encode()
    true(os.path.exists(os.path.join(place, where)), where)
    call("bash", "-ec", '. "$0"; eval "$CLEAN"', conf, env=env)
    true(not os.path.exists(os.path.join(place, where)), where)


main()
