#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Run the KUnit suite with the kernel's own kunit.py, in User-Mode Linux or QEMU.
`make kunit` and the suites of tests/suites.py call this.

The kernel's KTAP goes to standard output, then kunit.py's verdict; with --tap,
flat TAP instead, one point a case. The exit status is kunit.py's: not 0 when a
case failed, none ran, or the kernel crashed.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import table  # noqa: E402  pylint: disable=wrong-import-position


def cases(group, path=()):
    """(name, status) of every leaf of kunit.py's JSON."""
    for case in group.get("test_cases", []):
        yield " ".join([*path, case["name"]]), case["status"]
    for sub in group.get("sub_groups", []):
        yield from cases(sub, (*path, sub["name"]))


def kernels_name(architecture):
    """The name that the kernel and its kunit.py use for an architecture of ours."""
    rows = table.read(HERE.parent / "vm/architectures")
    return rows.get(architecture, {"arch": architecture})["arch"]


def main():
    parser = argparse.ArgumentParser(
        description="Run the KUnit suite of utf8val.")
    parser.add_argument("version", help="one of vm/kernels")
    parser.add_argument("--for", dest="architecture", metavar="ARCHITECTURE", default="um",
                        help="one of vm/architectures (default: User-Mode Linux)")
    parser.add_argument("--tap", action="store_true",
                        help="flat TAP instead of KTAP")
    args = parser.parse_args()
    arch = kernels_name(args.architecture)
    kernel = HERE.parent / "vm/kernel.sh"
    # with KUnit alone: the kernel of make vm takes twice the time
    build = subprocess.run([kernel, "--for", args.architecture, args.version],
                           stdout=subprocess.PIPE, text=True, check=False)
    if build.returncode:
        return build.returncode
    build_dir = pathlib.Path(build.stdout.strip())
    tree = (build_dir / "source").resolve()
    kunit = ["/usr/bin/python3", tree / "tools/testing/kunit/kunit.py"]
    # raw output, because kunit.py judges it in a second step below
    ktap = subprocess.run(
        [*kunit, "exec", f"--arch={arch}", f"--build_dir={build_dir}",
         # these two are for a busy host, as in vm/run.py
         "--kernel_args=no_timer_check", "--kernel_args=tsc=unstable",
         "--raw_output=kunit", "--timeout=1800", "utf8val*"],
        cwd=tree, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        encoding="utf-8", errors="backslashreplace", check=False,
        env={**os.environ, "PATH": f"{HERE / 'qemu'}:{os.environ['PATH']}"})
    with tempfile.TemporaryDirectory() as work:
        report = pathlib.Path(work, "report.json")
        verdict = subprocess.run(
            [*kunit, "parse", f"--json={report}"], cwd=tree, check=False,
            input=ktap.stdout, stdout=subprocess.PIPE, encoding="utf-8")
        status = verdict.returncode or ktap.returncode
        if not args.tap:
            print(ktap.stdout)
            print(verdict.stdout)
            return status
        found = list(cases(json.loads(report.read_text()))) \
            if report.exists() else []
    for number, (name, result) in enumerate(found, 1):
        print("ok" if result in ("PASS", "SKIP") else "not ok", number, "-",
              name, *(["# SKIP by the suite"] if result == "SKIP" else []))
    if status and all(result == "PASS" for _, result in found):
        print(verdict.stdout)
    print(f"1..{len(found)}")
    return status


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
