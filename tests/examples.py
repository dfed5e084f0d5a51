#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Run the examples and hold the pages that show them against them.
The suite examples calls this.

Each SOURCE ends with a comment that says what it prints; its program is DIR/NAME. Each
block of C in README.md and docs/library.md must stand word for word in one of the
sources. Each source must have a block in one of the pages. TAP on standard output.

Usage: tests/examples.py DIR SOURCE...
"""

import pathlib
import re
import subprocess
import sys

from lib.tap import tap

PAGES = ("README.md", "docs/library.md")


def promised(source):
    """The output that the comment at the end of the source promises."""
    match = re.search(r"\n/\* Prints:\n((?: \*(?: .*)?\n)+) \*/\n\Z", source)
    if not match:
        return None
    return "".join(line[3:] + "\n" for line in match[1].splitlines())


def runs(program, source):
    """The diagnostics of an example's run, none when all is well."""
    want = promised(source)
    if want is None:
        return ["the source does not end with a comment 'Prints:'"]
    result = subprocess.run([program], stdin=subprocess.DEVNULL, timeout=600,
                            stdout=subprocess.PIPE, check=False)
    if result.returncode:
        return [f"ended with {result.returncode}"]
    if result.stdout != want.encode():
        return [f"want {want.encode()!r}", f"got  {result.stdout!r}"]
    return []


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.splitlines()[-1])
    directory, names = pathlib.Path(sys.argv[1]), sys.argv[2:]
    sources = {name: pathlib.Path(name).read_text(encoding="utf-8") for name in names}
    blocks = {page: re.findall(r"^```c\n(.*?)^```$",
                               pathlib.Path(page).read_text(encoding="utf-8"),
                               re.MULTILINE | re.DOTALL) for page in PAGES}
    points = [(f"{name} prints what it says",
               runs(directory / pathlib.Path(name).stem, source))
              for name, source in sources.items()]
    points += [(f"a page shows {name}",
                [] if any("\n" + block in source for page in PAGES for block in blocks[page])
                else ["no block of it"]) for name, source in sources.items()]
    points += [(f"{page}, C block {number}, is an example's",
                [] if any("\n" + block in source for source in sources.values())
                else ["not in examples/: " + block.splitlines()[0]])
               for page in PAGES for number, block in enumerate(blocks[page], 1)]
    return tap(points)


if __name__ == "__main__":
    sys.exit(main())
