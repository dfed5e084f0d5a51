# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""TAP for test programs in Python."""


def tap(points):
    """Print points (name, [what is wrong]) as TAP, each as it comes, and more lists of
    lines that are to be told. Returns: an exit status."""
    count = failed = 0
    for name, wrong, *more in points:
        count += 1
        failed += bool(wrong)
        print("not ok" if wrong else "ok", count, "-", name.replace("#", r"\#"),
              flush=True)
        for line in sum(more, list(wrong)):
            print("#", line)
    print(f"1..{count}")
    return 1 if failed or not count else 0
