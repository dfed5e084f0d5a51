#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Time Python and Node.js on whole buffers, in bench's format.

  Python    bytes.decode(), which makes a string, too
  Node.js   buffer.isUtf8(), which doesn't

Usage: tools/bench/whole.py ROUNDS FILE.text...
"""

import pathlib
import subprocess
import sys
import time

NODE = """
const fs = require('fs');
const { isUtf8 } = require('buffer');
const [rounds, ...files] = process.argv.slice(1);
for (const file of files) {
	const data = fs.readFileSync(file);
	const times = [];
	for (let i = 0; i < rounds; i++) {
		const begin = process.hrtime.bigint();
		isUtf8(data);
		times.push(process.hrtime.bigint() - begin);
	}
	console.log(times.join(' '));
}
"""


def python(data):
    begin = time.perf_counter_ns()
    try:
        data.decode()
    except UnicodeDecodeError:
        pass
    return time.perf_counter_ns() - begin


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.rstrip().rpartition("\n")[2])
    rounds, files = int(sys.argv[1]), sys.argv[2:]
    node = subprocess.run(["node", "-e", NODE, str(rounds), *files],
                          stdout=subprocess.PIPE, text=True, check=True)
    for path, line in zip(map(pathlib.Path, files), node.stdout.splitlines()):
        data = path.read_bytes()
        for peer, times in (("Python", [python(data) for _ in range(rounds)]),
                            ("Node.js", [int(t) for t in line.split()])):
            times.sort()
            print(path.stem, len(data), 1, peer, times[0],
                  times[rounds // 2], times[3 * rounds // 4], sep="\t")


if __name__ == "__main__":
    main()
