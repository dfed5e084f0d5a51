#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Measure utf8val check and scan beside the programs people use today.
`make bench-command` calls this.

All of them are run in turn, round after round. The output has the rounds' median, the
fastest of them and the least processor time, with the ratios to utf8val's. Nothing else
should be running; where something is, processor time suffers least.

check: isutf8 (moreutils), iconv, and cat as what reading alone costs, on files in the
page cache. scan: one thread, find, find with a test of each name, and fd (fd-find).
guess: names that are all bad, in ISO-8859-1, and what scan's guesses at them take beside
a scan that only counts. With --cold the caches of the whole machine are dropped before
each run, which needs root, and --place on a disk.
"""

import argparse
import os
import pathlib
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

BINARY = os.environ.get("UTF8VAL", "build/utf8val")
TEXTS = {
    "ASCII": "The quick brown fox jumps over the lazy dog, 1234567890.\n",
    "French": "Voix ambiguë d'un cœur qui, au zéphyr, préfère les jattes.\n",
    "Russian": "Съешь же ещё этих мягких французских булок да выпей чаю.\n",
    "Chinese": "天地玄黃宇宙洪荒日月盈昃辰宿列張寒來暑往秋收冬藏。\n",
    "emoji": "😀😃😄😁😆😅🤣😂🙂🙃😉😊😇🥰😍🤩😘😗😚😙\n",
}


def seconds(command, cold=False):
    """Wall clock and processor time of one run, its output thrown away."""
    if cold:
        os.sync()
        pathlib.Path("/proc/sys/vm/drop_caches").write_text("3", encoding="ascii")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False)
    wall = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def compare(title, commands, rounds, amount, unit, cold=False):
    """Run all commands in turn, several times; print a table."""
    times = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(seconds(command, cold))
    figures = {name: (statistics.median(wall for wall, _ in taken),
                      min(wall for wall, _ in taken),
                      min(processor for _, processor in taken))
               for name, taken in times.items()}
    first = next(iter(figures.values()))
    print(f"\n{title}")
    for name, (median, fastest, least) in figures.items():
        print(f"  {name:28s} median {median * 1000:6.0f} ms"
              f" ({median / first[0]:.2f} times utf8val's,"
              f" {amount / median:.2f} {unit});"
              f" fastest {fastest * 1000:.0f} ms ({amount / fastest:.2f});"
              f" least processor time {least * 1000:.0f} ms"
              f" ({least / first[2]:.2f} times, {amount / least:.2f})", flush=True)


def bench_check(place, size, rounds):
    """Measure check on files of well-formed text."""
    path = os.path.join(place, "text")
    for label, text in TEXTS.items():
        line = text.encode()
        block = line * (1 + (1 << 20) // len(line))
        with open(path, "wb") as file:
            for _ in range(size):
                file.write(block)
        length = os.path.getsize(path)
        commands = {"utf8val check": [BINARY, "check", path],
                    "utf8val check -q": [BINARY, "check", "-q", path],
                    "isutf8": ["isutf8", path],
                    "iconv -f UTF-8 -t UTF-8": ["iconv", "-f", "UTF-8", "-t", "UTF-8", path],
                    "cat (reads, checks nothing)": ["cat", path]}
        commands = {k: v for k, v in commands.items() if shutil.which(v[0])}
        compare(f"check: {label}, {length >> 20} MiB", commands, rounds,
                length / 1e9, "GB/s")
        os.unlink(path)


def make_tree(root, names, per_dir):
    """Directories of so many files each, a thousand of them in a directory above."""
    for number, name in enumerate(names):
        if number % per_dir == 0:
            path = os.path.join(root, f"{number // per_dir // 1000}",
                                f"{number // per_dir}")
            os.makedirs(path)
        os.mknod(os.path.join(os.fsencode(path), name))


def good_names(entries):
    """Numbered names, of which one in 10,000 is bad."""
    return (b"some-file-%07d.txt" % number + b"\xe9" * (number % 10000 == 0)
            for number in range(entries))


def bench_scan(place, entries, rounds, cold):
    """Measure scan on a tree of small directories, and on one directory with
    everything."""
    for per_dir in (20, 1000, entries):
        root = os.path.join(place, f"tree{per_dir}")
        make_tree(root, good_names(entries), per_dir)
        commands = {"utf8val scan": [BINARY, "scan", root],
                    "utf8val scan -j1": [BINARY, "scan", "-j1", root],
                    "find": ["find", root],
                    "find ! -name (UTF-8 locale)":
                        ["env", "LC_ALL=C.UTF-8", "find", root, "!", "-name", "*"]}
        if shutil.which("fdfind"):
            commands["fd -u"] = ["fdfind", "-u", ".", root]
        compare(f"scan: {entries} files, {per_dir} in a directory, "
                + ("cold" if cold else "warm"), commands, rounds,
                entries / 1e6, "million/s", cold)
        subprocess.run(["rm", "-rf", root], check=True)


BAD = ("Übersicht über Größen", "Déjà vu à l'hôtel", "Señor Núñez", "Ålesund",
       "Smörgåsbord", "São João", "Città più bella", "Fähre nach Köln")


def bad_names(mixed, entries):
    """Numbered names: eight, or three of their words at random."""
    rng = random.Random(3629)
    words = " ".join(BAD).split()
    for number in range(entries):
        name = BAD[number % len(BAD)]
        if mixed:
            name = "Größe " + " ".join(rng.sample(words, 3))
        yield f"{name} {number}.txt".encode("latin-1")


def bench_guess(place, entries, rounds):
    """Measure the guesses at one bad name in a directory, at some, and at many. The
    names are repeated, or hardly two of them differ only in their numbers."""
    for per_dir, mixed in ((1, False), (20, False), (1000, False), (20, True)):
        root = os.path.join(place, f"bad{per_dir}")
        make_tree(root, bad_names(mixed, entries), per_dir)
        commands = {"utf8val scan -q": [BINARY, "scan", "-q", root],
                    "utf8val scan --no-guess": [BINARY, "scan", "--no-guess", root],
                    "utf8val scan": [BINARY, "scan", root]}
        title = f"guess: {entries} bad names, {per_dir} in a directory"
        compare(title + (", words at random" if mixed else ""), commands,
                rounds, entries / 1e6, "million/s")
        subprocess.run(["rm", "-rf", root], check=True)


def main():
    """Measure everything, or what the arguments ask for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", nargs="*", choices=["check", "scan", "guess", []])
    parser.add_argument("--size", type=int, default=512, help="MiB of text")
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cold", action="store_true",
                        help="drop the machine's caches before each scan")
    parser.add_argument("--place", default="/dev/shm",
                        help="where files are made (default: %(default)s)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="utf8val-bench-", dir=args.place) as place:
        if "check" in args.what or not args.what:
            bench_check(place, args.size, args.rounds)
        if "scan" in args.what or not args.what:
            bench_scan(place, args.entries, args.rounds, args.cold)
        if "guess" in args.what or not args.what:
            bench_guess(place, args.entries // 5, args.rounds)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
