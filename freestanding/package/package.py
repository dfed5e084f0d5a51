#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Gather what firmware users pull in, and pack it.
freestanding.mk and test/run.sh call this.

OUT gets
  utf8val/                            the files, to be copied or linked to
  utf8val-firmware-VERSION.tar.gz     the same, for FetchContent, Meson's wrap and
                                      PlatformIO
  utf8val.utf8val.VERSION.pack        the same as a CMSIS-Pack
  SHA256SUMS                          of the two
The bytes of these files depend on the sources and URL alone. The time of each packed file
is that of the latest entry of debian/changelog.

Usage: freestanding/package/package.py [--url URL] OUT
  URL   the directory that the pack is published in, for its description
"""

import argparse
import email.utils
import gzip
import hashlib
import io
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys
import tarfile
import time
import xml.sax.saxutils
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools/gen"))

import output  # noqa: E402 pylint: disable=wrong-import-position

PDSC = "utf8val.utf8val.pdsc"
# The same place here and there. The fast engine is for users who also build for a host.
# README.md has recipes for the examples.
SAME = ("utf8val.[ch]", "engine/*.h", "LICENSES/*", "CMakeLists.txt",
        "meson.build", "meson_options.txt", "library.json", "zephyr/*",
        "freestanding/*.md", "freestanding/example/*/CMakeLists.txt",
        "freestanding/example/cmake/main.c", "freestanding/example/zephyr/prj.conf",
        "freestanding/example/zephyr/src/*.c")
FRONT = """\
<!-- SPDX-License-Identifier: GPL-2.0-only OR MIT -->
# utf8val

Check, decode, walk and repair UTF-8 (RFC 3629) without a C library. Each function is
described in [utf8val.h](utf8val.h), how to build it or pull it in
[here](freestanding/README.md). The licence is GPL-2.0-only OR MIT: for firmware, take
[MIT](LICENSES/MIT).
"""
LINK = re.compile(r"\[([^][]*)\]\(([^()#]+)(?:#[^()]*)?\)")


def linked(page, text, files):
    """The text of a page, with the words alone of links to what is not in the package."""
    def link(match):
        there = posixpath.normpath(posixpath.join(posixpath.dirname(page), match[2]))
        known = "://" in match[2] or any(name == there or name.startswith(there + "/")
                                         for name in files)
        return match[0 if known else 1]
    return LINK.sub(link, text)


def contents(url):
    """{path in the package: bytes}"""
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes()
             for pattern in SAME for path in ROOT.glob(pattern) if path.is_file()}
    files["README.md"] = FRONT.encode()
    for page in files:
        if page.endswith(".md"):
            files[page] = linked(page, files[page].decode(), files).encode()
    files["utf8val_single.h"] = subprocess.run(
        [ROOT / "freestanding/amalgamate.py"], check=True,
        stdout=subprocess.PIPE).stdout
    pdsc = (ROOT / "freestanding/package" / PDSC).read_text(encoding="utf-8")
    files[PDSC] = pdsc.replace(
        "<url/>", f"<url>{xml.sax.saxutils.escape(url)}</url>").encode()
    return dict(sorted(files.items()))


def released():
    """Seconds since 1970."""
    changelog = (ROOT / "debian/changelog").read_text(encoding="utf-8")
    stamp = re.search(r"^ -- .*>  (.*)$", changelog, re.MULTILINE)[1]
    return int(email.utils.parsedate_to_datetime(stamp).timestamp())


def tar(files, directory, seconds):
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", filename="",
                       mtime=seconds) as stream, \
            tarfile.open(fileobj=stream, mode="w",
                         format=tarfile.USTAR_FORMAT) as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(f"{directory}/{name}")
            member.size, member.mtime, member.mode = len(data), seconds, 0o644
            archive.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def pack(files, seconds):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            member = zipfile.ZipInfo(name, time.gmtime(seconds)[:6])
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o644 << 16
            archive.writestr(member, data)
    return packed.getvalue()


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("Usage: ")[1])
    parser.add_argument("--url", default="")
    parser.add_argument("out", type=pathlib.Path)
    options = parser.parse_args()
    files, seconds = contents(options.url), released()
    version = re.search(rb'^#define UTF8VAL_VERSION "(.*)"$',
                        files["utf8val.h"], re.MULTILINE)[1].decode()
    directory, new = options.out / "utf8val", options.out / "utf8val.new"
    try:
        for name, data in files.items():
            output.save(new / name, data)
        shutil.rmtree(directory, ignore_errors=True)
        new.rename(directory)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    name = f"utf8val-firmware-{version}"
    archives = {f"{name}.tar.gz": tar(files, name, seconds),
                f"utf8val.utf8val.{version}.pack": pack(files, seconds)}
    sums = ""
    for name, data in archives.items():
        output.save(options.out / name, data)
        sums += f"{hashlib.sha256(data).hexdigest()}  {name}\n"
    output.save(options.out / "SHA256SUMS", sums.encode("ascii"))
    print(directory, *(options.out / name for name in archives), sep="\n")


if __name__ == "__main__":
    sys.exit(main())
