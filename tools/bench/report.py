#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Turn what bench printed into the tables of docs/speed.md and a picture.
run.py calls this.

Usage: tools/bench/report.py RESULTS -o DIRECTORY

RESULTS has COMPILER-KIND.tsv for both compilers and each kind of vectors, and neon.tsv.
Prints the tables, and writes DIRECTORY/speed.svg. Where DIRECTORY has a speed.md, as docs
has, the tables replace those between its two comments. A time is the least of all rounds,
in the best place of the program's code. Other work on the machine has disturbed that
round least.
"""

import argparse
import collections
import math
import pathlib
import platform
import re
import subprocess
import textwrap

INPUTS = {
    "ascii": "ASCII file names", "half": "half ASCII, half multilingual",
    "multi": "multilingual", "latin": "Latin", "cyrillic": "Cyrillic",
    "chinese": "Chinese", "pictures": "emoji", "lines": "lines of 65 to 255 bytes",
    "bad": "ill-formed", "en": "English", "de": "German", "ru": "Russian",
    "ja": "Japanese", "zh": "Chinese text", "ko": "Korean", "hi": "Hindi",
    "emoji": "emoji text", "spoilt": "Chinese, an error in the middle",
}
# Names of one script each, which only the tables have.
SCRIPTS = ("latin", "cyrillic", "chinese", "pictures")
KINDS = {"avx512": "AVX-512", "avx2": "AVX2", "neon": "NEON"}
OWN = ("valid", "prefix", "check")
# Their time does not depend on the length, so bytes a second would say nothing.
CONSTANT = ("floor", "trim")
PEERS = ("simdutf", "simdutf position", "simdjson", "Rust", "GLib")
# Who answers the same question: simdutf's second function tells position and reason,
# Rust's the position; simdjson tells neither.
RIVALS = {"valid": ("simdutf", "simdjson", "Rust"),
          "prefix": ("simdutf position", "Rust"), "check": ("simdutf position",)}
# A peer is faster if it is so by more than this.
NOISE = 0.02
COLOURS = ["#1b6ca8", "#d1495b", "#edae49", "#66a182", "#8d96a3"]
BEGIN, END = "<!-- make bench OUT=docs -->\n", "<!-- end -->\n"

Time = collections.namedtuple("Time", "bytes items least")


def read(path):
    """{input: {peer: Time}}, the inputs in the order of INPUTS, and notes."""
    found, notes = {}, []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("#"):
            notes.append(line[2:])
            continue
        name, size, items, peer, *times = line.split("\t")
        # Instructions stand behind times, which are 0 then.
        time = Time(int(size), int(items), int(times[2 if len(times) > 2 else 0]))
        peers = found.setdefault(name, {})
        # A peer has one row for each place of the code of the program.
        peers[peer] = min(peers.get(peer, time), time, key=lambda t: t.least)
    order = [n for n in INPUTS if n in found]
    order += [n for n in found if n not in order]
    return {n: found[n] for n in order}, notes


def figure(time, counted):
    """Nanoseconds or instructions a name; gigabytes a second, or instructions for 100
    bytes, of text."""
    if time.items > 1:
        return f"{time.least / time.items:.{0 if counted else 1}f}"
    return f"{100 * time.least / time.bytes:.0f}" if counted else \
        f"{time.bytes / time.least:.{0 if time.bytes > 20 * time.least else 1}f}"


def table(head, rows):
    lines = [head, ["---"] + ["--:"] * (len(head) - 1)] + rows
    return "\n".join("|" + "|".join(line) + "|" for line in lines) + "\n\n"


def names_and_texts(results):
    """The inputs of results in two groups."""
    for is_name in (True, False):
        chosen = [n for n, peers in results.items()
                  if (peers["valid"].items > 1) == is_name]
        if chosen:
            yield is_name, chosen


def kind_tables(kind, runs):
    """The tables of one kind of vectors, of which each compiler has a run."""
    counted, text = kind == "neon", ""
    units = {(True, False): "ns a name", (False, False): "GB/s",
             (True, True): "instructions a name",
             (False, True): "instructions for 100 bytes"}
    for is_name, chosen in names_and_texts(runs[0]):
        peers = [p for p in PEERS if p in runs[0][chosen[0]]]
        rows = []
        for name in chosen:
            cells = ["/".join(figure(run[name][own], counted) for run in runs) for own in OWN]
            cells += [figure(min((run[name][p] for run in runs), key=lambda t: t.least),
                             counted) for p in peers]
            rows.append([INPUTS.get(name, name), *cells])
        text += table([f"{KINDS[kind]}, {units[is_name, counted]}", *OWN, *peers], rows)
    return text


def verdict(kind, runs):
    """The rows on which a peer is faster than the function that answers its question."""
    lost = []
    for name in runs[0]:
        for own, rivals in RIVALS.items():
            ours = max(run[name][own].least for run in runs)
            for rival in rivals:
                theirs = min(run[name][rival].least for run in runs)
                if theirs < ours * (1 - NOISE):
                    lost.append(f"{KINDS[kind]}, {INPUTS.get(name, name)}: {rival} takes"
                                f" {theirs / ours:.2f} of the time of {own}")
    return lost


def functions(results):
    """The time of each function on four inputs."""
    chosen = [n for n in ("ascii", "multi", "en", "zh") if n in results] or list(results)[:4]
    head = [INPUTS.get(n, n) + (", ns a name" if results[n]["valid"].items > 1 else ", GB/s")
            for n in chosen]
    return table(["function, AVX-512, gcc", *head], [
        [peer, *("" if peer in CONSTANT and results[n][peer].items == 1 else
                 figure(results[n][peer], False) for n in chosen)]
        for peer in results[chosen[0]] if peer not in PEERS])


def picture(results, path):
    """Bars: nanoseconds a name for each kind of names and each peer."""
    chosen = {n: p for n, p in results.items() if p["valid"].items > 1 and n not in SCRIPTS}
    peers = ["valid", *(p for p in PEERS if p != "simdutf position")]
    group = 810 / len(chosen)
    bar = group / (len(peers) + 1)
    powers = [f"M80 {330 - 100 * power}h810" for power in range(3)]
    out = [
        '<!-- Generated by: make bench OUT=docs -->',
        '<!-- SPDX-License-Identifier: GPL-2.0-only OR MIT -->',
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 420"'
        ' font-family="sans-serif" font-size="12">',
        '<rect width="900" height="420" fill="#fff"/>',
        f'<path stroke="#ddd" d="{"".join(powers)}"/>',
        '<g text-anchor="middle"><text transform="translate(24 200) rotate(-90)">'
        "nanoseconds a name (log scale, less is better)</text>"]
    for i, name in enumerate(chosen):
        lines = textwrap.wrap(INPUTS.get(name, name), 16)
        out += [f'<text x="{80 + group * (i + 0.5):.0f}" y="{350 + 18 * row}">{line}</text>'
                for row, line in enumerate(lines)]
    out.append('</g><g text-anchor="end">')
    out += [f'<text x="74" y="{334 - 100 * power}">{10 ** power}</text>' for power in range(3)]
    out.append("</g>")
    for i, peer in enumerate(peers):
        x, y = 80 + 160 * i, 10
        bars = "".join(
            f"M{80 + group * kind + bar * (i + 0.5):.1f} 330"
            f"v-{max(1, 100 * math.log10(times[peer].least / times[peer].items)):.1f}"
            f"h{bar:.1f}V330z" for kind, times in enumerate(chosen.values()))
        label = "utf8val" if peer == "valid" else peer
        out += [f'<path fill="{COLOURS[i]}" d="M{x} {y}h30v10h-30z{bars}"/>',
                f'<text x="{x + 36}" y="{y + 9}">{label}</text>']
    path.write_text("\n".join([*out, "</svg>", ""]), "utf-8")


def machine():
    cpu = re.search(r"model name\s*: (.*)",
                    pathlib.Path("/proc/cpuinfo").read_text("utf-8"))
    return cpu.group(1) if cpu else platform.machine()


def version(*command):
    return subprocess.run(command, capture_output=True, text=True,
                          check=True).stdout.splitlines()[0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("-o", dest="folder", type=pathlib.Path, required=True)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    text, lost, used = "", [], {}
    for kind in KINDS:
        paths = [args.results / "neon.tsv"] if kind == "neon" else \
            [args.results / f"{compiler}-{kind}.tsv" for compiler in ("gcc", "clang")]
        runs = [read(path) for path in paths]
        used[kind] = runs[0][1][0] if runs[0][1] else ""
        runs = [run for run, _ in runs]
        text += kind_tables(kind, runs)
        lost += verdict(kind, runs)
        if kind == "avx512":
            text += functions(runs[0])
            picture(runs[0], args.folder / "speed.svg")
    least = f"A peer is faster, by more than {NOISE:.0%}, in "
    text += least + (f"{len(lost)} rows:\n\n" + "".join(f"- {each}\n" for each in lost)
                     if lost else "no row.\n")
    text += (f"\n{machine()}; {version('gcc', '--version')}; {version('clang', '--version')};"
             f" {version('rustc', '--version')}; {used['avx512']}; with AVX2"
             f" {used['avx2']}.\n")
    print(text)
    page = args.folder / "speed.md"
    if page.exists():
        before, _, rest = page.read_text("utf-8").partition(BEGIN)
        _, found, after = rest.partition(END)
        if not found:
            raise SystemExit(f"report: {page} does not have the lines {BEGIN.strip()} and"
                             f" {END.strip()}")
        page.write_text(before + BEGIN + "\n" + text + "\n" + END + after, "utf-8")


if __name__ == "__main__":
    main()
