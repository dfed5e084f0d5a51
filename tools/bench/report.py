#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Turn what bench printed into tables and a picture.

Usage: tools/bench/report.py COMPILER.tsv... -o DIRECTORY

Writes DIRECTORY/figures.md, a table of times and one of ratios for each file, and
DIRECTORY/speed.svg (by gnuplot) of the first; prints the tables. A time is the
least of all rounds, the one that other work on the machine disturbed least, in
the best place of the program's code; the spread is by how much the median round
took longer there.
"""

import argparse
import collections
import pathlib
import platform
import re
import subprocess
import sys
import textwrap

US = "utf8val"
INPUTS = {
    "ascii": "file names, ASCII", "half": "half ASCII, half multilingual names",
    "multi": "multilingual names", "phrases": "phrases as long as file names",
    "scripts": "names, equal shares of ASCII and the next four",
    "latin": "Latin names", "cyrillic": "Cyrillic names", "chinese": "Chinese names",
    "pictures": "emoji names",
    "long": "names of 65 to 255 bytes", "lines": "lines of 65 to 255 bytes",
    "bad": "ill-formed names",
    "en": "English", "2-byte": "2-byte characters", "3-byte":
    "3-byte characters", "4-byte": "4-byte characters", "de": "German",
    "ru": "Russian", "ja": "Japanese", "zh": "Chinese", "ko": "Korean",
    "hi": "Hindi", "emoji": "emoji", "cut": "Chinese, the end cut off",
    "spoilt": "Chinese, an error in the middle",
}
# Names of one script each, which only the tables have.
SCRIPTS = ("latin", "cyrillic", "chinese", "pictures")
COLOURS = ["#1b6ca8", "#d1495b", "#edae49", "#66a182", "#8d96a3", "#5f4b66",
           "#c97b4a", "#3f88c5"]

Time = collections.namedtuple("Time", "bytes items least median third")


def read(path):
    """{input: {peer: Time}}, the inputs in the order of INPUTS, and notes."""
    found, notes = {}, []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("#"):
            notes.append(line[2:])
            continue
        name, size, items, peer, *times = line.split("\t")
        time = Time(int(size), int(items), *map(int, times))
        peers = found.setdefault(name, {})
        # A peer has one row for each place of the code of the program.
        peers[peer] = min(peers.get(peer, time), time, key=lambda t: t.least)
    order = [n for n in INPUTS if n in found]
    order += [n for n in found if n not in order]
    return {n: found[n] for n in order}, notes


def figure(time):
    """Nanoseconds a name, or gigabytes a second of text."""
    if time.items > 1:
        return f"{time.least / time.items:.1f}"
    return f"{time.bytes / time.least:.2f}"


def table(head, rows):
    lines = [head, ["---"] + ["--:"] * (len(head) - 1)] + rows
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def tables(results):
    out = []
    for unit, names in (
            ("Nanoseconds a name", True), ("Gigabytes a second", False)):
        chosen = {n: peers for n, peers in results.items()
                  if (next(iter(peers.values())).items > 1) == names}
        if not chosen:
            continue
        head = list(next(iter(chosen.values())))
        out.append(table([unit] + head + ["spread"], [
            [INPUTS.get(n, n)] + [figure(t) for t in peers.values()]
            + [f"{peers[US].median / peers[US].least - 1:.0%}"]
            for n, peers in chosen.items()]))
        head = [p for p in head if not p.startswith(US)]
        out.append(table(["times faster than"] + head, [
            [INPUTS.get(n, n)]
            + [f"{peers[p].least / peers[US].least:.1f}" for p in head]
            for n, peers in chosen.items()]))
    return "\n".join(out)


def wrap(name):
    """A label in lines, as gnuplot writes them in a string."""
    return r"\n".join(textwrap.wrap(INPUTS.get(name, name), 14))


def picture(results, path):
    """Bars: nanoseconds a name for each kind of names and each peer."""
    chosen = {n: p for n, p in results.items()
              if next(iter(p.values())).items > 1 and n not in SCRIPTS}
    peers = [p for p in next(iter(chosen.values()))
             if p == US or not p.startswith(US)]
    data = "\n".join(
        " ".join([f'"{wrap(n)}"'] + [figure(times[p]) for p in peers])
        for n, times in chosen.items())
    bars = ", ".join(
        f"$data using {i + 2}:xtic(1) title '{p}' lc rgb "
        f"'{COLOURS[i % len(COLOURS)]}'" for i, p in enumerate(peers))
    script = f"""
$data << EOD
{data}
EOD
set terminal svg noenhanced size 900,420 font 'sans-serif,12' background '#ffffff'
set output '{path}'
set style data histogram
set style histogram cluster gap 1
set style fill solid
set logscale y
set ylabel 'nanoseconds a name (log scale, less is better)'
set bmargin 5
set grid ytics lc rgb '#dddddd'
set key outside top center horizontal
plot {bars}
"""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def machine():
    cpu = re.search(r"model name\s*: (.*)",
                    pathlib.Path("/proc/cpuinfo").read_text("utf-8"))
    return cpu.group(1) if cpu else platform.machine()


def version(*command):
    return subprocess.run(command, capture_output=True, text=True,
                          check=True).stdout.splitlines()[0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("-o", dest="folder", type=pathlib.Path, required=True)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    parts = [f"Processor: {machine()}. {version('rustc', '--version')}."]
    for i, path in enumerate(args.files):
        results, notes = read(path)
        if not results:
            sys.exit(f"report: nothing in {path}")
        parts[0] += f" {notes[0]}." if not i else ""
        parts.append(f"## {version(path.stem, '--version')}\n\n"
                     + tables(results))
        if not i:
            picture(results, args.folder / "speed.svg")
    text = "\n\n".join(parts)
    print(text)
    (args.folder / "figures.md").write_text(
        "<!-- Generated by: make bench OUT=docs -->\n"
        "<!-- SPDX-License-Identifier: GPL-2.0-only OR MIT -->\n"
        "# Figures\n\n" + text, "utf-8")


if __name__ == "__main__":
    main()
