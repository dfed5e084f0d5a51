#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Build the benchmark and run it: this library beside its peers, on real names and texts.
`make bench` calls this.

Usage: tools/bench/run.py BUILD   with the directory of make's build

The environment may set

- INPUTS, a directory with other inputs (*.names, one name a line, and *.text);
- ROUNDS, how often every peer takes every input in each place;
- OUT, the directory of the picture: with docs, the tables of docs/speed.md are also
  written.
"""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
os.chdir(HERE.parents[1])
# For each kind of vectors, the macros of the library and what peers are told to use.
KINDS = {"avx512": ([], {}),
         "avx2": (["-DUTF8VAL_HAS_AVX512=0"],
                  {f"{peer}_FORCE_IMPLEMENTATION": "haswell" for peer in ("SIMDUTF", "SIMDJSON")})}
# The place of a loop in the lines of the cache decides up to a quarter of its speed.
# This place depends on the code before the loop. So a peer that is linked in has the
# best of four places. Shared libraries, and the fast engine, which aligns itself, have
# one place.
PLACES = (16, 32, 48, 64)
# No release has simdutf yet: a program of Debian 12 can load what unstable has.
SIMDUTF_SUITE = "sid"
GLUE = ["-std=gnu11", "-O2", "-Wall", "-Wextra"]
RUST = ["--edition", "2021", "-O", "--crate-type", "staticlib", HERE / "rust.rs", "-o"]


def run(*command, **more):
    """Run a program, which must succeed."""
    return subprocess.run(command, check=True, **more)


def output(*command):
    """The output of a program."""
    return run(*command, stdout=subprocess.PIPE, text=True).stdout


def fetched(follow, suite, package):
    """The directories of a package that tools/fetch.sh unpacks in the cache."""
    return output("tools/fetch.sh", "--follow", follow, suite, package).split()


def simd(compiler, directories, target):
    """Compile the glue of simdjson and simdutf. Returns: the linker's words for the shared
    libraries in these directories, which stay there."""
    run(compiler, "-std=c++17", "-O2", "-c", HERE / "simd.cpp", "-o", target,
        *(word for each in directories for word in ("-isystem", f"{each}/usr/include")))
    libraries = [path for each in directories for path in pathlib.Path(each).rglob("*.so.*")
                 if path.is_file() and not path.is_symlink()]
    return [*libraries, *(f"-Wl,-rpath,{path.parent}" for path in libraries)]


def native(bench, compiler, kind, libraries):
    """Build by one compiler with one kind of vectors. Returns: the programs, one for each
    place."""
    work = bench / f"{compiler}-{kind}"
    work.mkdir(exist_ok=True)
    glib = output("pkg-config", "--cflags", "glib-2.0").split()
    for name in "bench", "peers":
        run(compiler, *GLUE, *glib, "-c", HERE / f"{name}.c", "-o", work / f"{name}.o")
    run(compiler, "-std=gnu11", "-O2", "-DUTF8VAL_ENGINE_VECTOR=1", *KINDS[kind][0],
        "-c", "utf8val.c", "-o", work / "core.o")
    for place in PLACES:
        run("as", "-o", work / "place.o", text=True, input=f".text\n.p2align 6\n.skip {place}, "
            "0x90\n.section .note.GNU-stack\n")
        # The library stands last: its alignment would put all code after it in one place.
        run(compiler, work / "bench.o", work / "peers.o", work / "place.o", bench / "librust.a",
            bench / "simd.o", *libraries, work / "core.o",
            *output("pkg-config", "--libs", "glib-2.0").split(),
            "-lsimdjson", "-lstdc++", "-lpthread", "-ldl", "-lm", "-o", work / str(place))
    return [work / str(place) for place in PLACES]


def neon(work):
    """Build for arm64, with a plugin of QEMU that counts instructions. Fetch what the
    peers need for arm64: Rust's library, which must be of the version of Debian's
    compiler, simdjson and simdutf."""
    work.mkdir(exist_ok=True)
    release = output("sh", "-c", ". /etc/os-release; echo $VERSION_CODENAME").strip() + "/arm64"
    version = output("qemu-aarch64", "--version").split()[2].split(".")[0]
    run("gcc", "-O2", "-shared", "-fPIC", f"-DPLUGIN_VERSION={1 if int(version) < 9 else 2}",
        HERE / "count.c", "-o", work / "count.so")
    own = next(each for each in fetched("^libstd-rust-[0-9]", release, "libstd-rust-dev")
               if "/libstd-rust-dev_" in each)
    run("/usr/bin/rustc", "--target", "aarch64-unknown-linux-gnu", "--sysroot", f"{own}/usr",
        *RUST, work / "librust.a")
    libraries = simd("aarch64-linux-gnu-g++", [
        *fetched("^libsimdjson", release, "libsimdjson-dev"),
        *fetched("^libsimdutf", f"{SIMDUTF_SUITE}/arm64", "libsimdutf-dev")], work / "simd.o")
    for path in HERE / "bench.c", HERE / "peers.c", pathlib.Path("utf8val.c"):
        run("aarch64-linux-gnu-gcc", *GLUE, "-DBENCH_COUNT", "-c", path,
            "-o", work / f"{path.stem}.o")
    run("aarch64-linux-gnu-g++", *work.glob("*.o"), work / "librust.a", *libraries,
        "-lpthread", "-ldl", "-o", work / "bench")


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__.split("\n\n")[1])
    bench = pathlib.Path(sys.argv[1]).resolve() / "bench"
    bench.mkdir(parents=True, exist_ok=True)
    inputs = pathlib.Path(os.environ.get("INPUTS") or bench / "inputs")
    if not os.environ.get("INPUTS"):
        print("bench: making inputs from the installed packages", flush=True)
        shutil.rmtree(inputs, ignore_errors=True)
        run(HERE / "inputs.py", inputs)
    files = [*sorted(inputs.glob("*.names")), *sorted(inputs.glob("*.text"))]
    print("bench: building", flush=True)
    run("rustc", *RUST, bench / "librust.a")
    libraries = simd("g++", fetched("^libsimdutf", SIMDUTF_SUITE, "libsimdutf-dev"),
                     bench / "simd.o")
    programs = {(compiler, kind): native(bench, compiler, kind, libraries)
                for kind in KINDS for compiler in ("gcc", "clang")}
    neon(bench / "neon")
    print("bench: arm64 under QEMU, ten seconds", flush=True)
    done = run("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", "-E", "LD_BIND_NOW=1", "-plugin",
               bench / "neon/count.so", bench / "neon/bench", "1", *files, text=True,
               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    rows = [row for row in done.stdout.splitlines() if not row.startswith("#")]
    (bench / "neon.tsv").write_text("".join(f"{row}\t{count}\n" for row, count in zip(
        rows, done.stderr.splitlines(), strict=True)), "utf-8")
    for (compiler, kind), places in programs.items():
        print(f"bench: {kind}, {compiler}, half a minute", flush=True)
        with open(bench / f"{compiler}-{kind}.tsv", "wb") as table:
            for program in places:
                run(program, os.environ.get("ROUNDS", "15"), *files, stdout=table,
                    env={**os.environ, **KINDS[kind][1]})
    run(HERE / "report.py", bench, "-o", os.environ.get("OUT") or bench)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"bench: {error.cmd[0]} failed with status {error.returncode}")
