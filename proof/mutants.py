#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Change single things in a copy of the core; the proof must fail on each.

usage: proof/mutants.py [NUMBER...]
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent


def read():
    """Lines of mutants.txt: part | file | text | replacement."""
    for line in (HERE / "mutants.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            yield [field.strip() for field in line.split(" | ")]


def survives(part, name, old, new):
    """Does the proof of part still succeed with the first old made new?"""
    with tempfile.TemporaryDirectory() as work:
        root = pathlib.Path(work)
        for source in ROOT.glob("*.[ch]"):
            shutil.copy(source, root)
        shutil.copytree(HERE, root / "proof")
        text = (root / name).read_text()
        if old not in text:
            raise SystemExit(f"mutants: {name} has no '{old}'")
        (root / name).write_text(text.replace(old, new, 1))
        run = subprocess.run([HERE / "prove.py", "--root", root, "--timeout",
                              "10", part], capture_output=True, text=True)
        if "goals," not in run.stdout:
            raise SystemExit(f"mutants: {old} -> {new}:\n{run.stderr}")
        return run.returncode == 0


def main():
    mutants = list(read())
    chosen = [int(word) for word in sys.argv[1:]] or range(1, len(mutants) + 1)
    alive = 0
    for number in chosen:
        part, name, old, new = mutants[number - 1]
        lives = survives(part, name, old, new)
        alive += lives
        print(f"{'SURVIVES' if lives else 'fails'} {number}: "
              f"{name}: {old} -> {new}", flush=True)
    print(f"{len(chosen)} mutants, {len(chosen) - alive} fail")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
