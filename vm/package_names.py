#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Print up to COUNT file names of installed Debian packages, one a line, each once.
Names with bytes beyond ASCII come first, then an even sample of the rest. The names of
files in packages are well-formed UTF-8 (Debian Policy, 10.10).

Usage: vm/package_names.py COUNT
"""

import pathlib
import sys

if len(sys.argv) != 2 or not sys.argv[1].isdigit():
    sys.exit(__doc__)
count = int(sys.argv[1])
names = {path.rpartition(b"/")[2] for each in pathlib.Path("/var/lib/dpkg/info").glob("*.list")
         for path in each.read_bytes().splitlines()}
names = sorted(name for name in names if name and not name.startswith((b".", b"#")))
chosen = [name for name in names if not name.isascii()][:count // 2]
plain = [name for name in names if name.isascii()]
step = max(1, len(plain) / (count - len(chosen)))
chosen += [plain[int(number * step)] for number in range(min(count - len(chosen), len(plain)))]
sys.stdout.buffer.writelines(name + b"\n" for name in chosen)
