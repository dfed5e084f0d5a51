#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Compare the size and stack of each function in firmware with its budget.
The suite firmware-size and freestanding.mk call this.

Each function is linked alone out of libutf8val.a with --gc-sections. The cost of the
function is the remaining text and rodata. Its stack is the deepest path of GCC's own
stack figures (-fcallgraph-info=su). Any byte of .data or .bss, any
undefined symbol and any figure above its budget makes the exit status 1.

Usage: freestanding/size.py BUILD

The archives are BUILD/ENGINE/CORE/libutf8val.a. For Cortex-M0 there are also limits for
objects that were compiled in another way.
"""

import pathlib
import re
import subprocess
import sys

# function: (what else it needs, which is not counted, {core or "*": bytes},
# stack or None). Bytes are GCC 12's; "core, GCC 14" is for that version. These budgets are
# for the compact engine and cores up to the M33. The M55's low-overhead loops make some
# functions larger, and RISC-V is another instruction set.
M0 = "cortex-m0"
BUDGETS = {
    "utf8val_prefix": ((), {M0: 72, "cortex-m0plus": 72, "*": 78}, 16),
    "utf8val_feed": ((), {M0: 106, M0 + ", GCC 14": 112}, 16),
    "utf8val_step": ((), {M0: 110}, None),
    "utf8val_next": ((), {M0: 132}, None),
    "utf8val_prev": (("utf8val_next",), {M0: 64}, None),
    "utf8val_trim": (("utf8val_prev",), {M0: 32}, None),
    "utf8val_encode": ((), {M0: 74}, None),
    # asked for without next(), but only that knows where a sequence ends
    "utf8val_floor": (("utf8val_next",), {M0: 60}, None),
    "utf8val_count": (("utf8val_next",), {M0: 30}, None),
    "utf8val_replace": (("utf8val_next",), {M0: 108}, None),
    "utf8val_replaced_size": (("utf8val_next",), {M0: 62}, None),
    # position and reason come from these two
    "utf8val_check": (("utf8val_prefix", "utf8val_next"), {M0: 56}, None),
    "utf8val_stream_feed": (("utf8val_prefix", "utf8val_next"), {M0: 130},
                            None),
}
WORD_BUDGETS = {
    "utf8val_prefix": ((), {"cortex-m4": 260}, None),
}
MVE_BUDGETS = {
    "utf8val_prefix": ((), {"cortex-m55": 400}, 84),
}
ENGINES = {"compact": BUDGETS, "word": WORD_BUDGETS, "mve": MVE_BUDGETS}
# Archives for Cortex-M0. clang-compact: from Clang -Oz, where that is built. copied: without
# -fdata-sections, as users who copy the files may compile them. There a function's constants
# bring no others.
OTHERS = {
    "clang-compact": {"utf8val_prefix": 100},
    "copied": {"utf8val_replace": 246, "utf8val_version": 18, "utf8val_reason_name": 117},
}
# only a budget that names them counts for these
NO_BUDGET = ("cortex-m55", "rv32imac")


def runs_on(engine, core):
    """Is there a library of that engine for that core?"""
    return engine != "mve" or core == "cortex-m55"


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          encoding="utf-8").stdout


class Library:
    """libutf8val.a of one core and engine."""

    def __init__(self, directory, core):
        riscv = core.startswith("rv")
        self.prefix = "riscv64-unknown-elf-" if riscv else "arm-none-eabi-"
        self.machine = [f"-march={core}_zicsr", "-mabi=ilp32"] if riscv \
            else ["-mthumb", f"-mcpu={core}"]
        self.archive = directory / core / "libutf8val.a"
        self.image = directory / core / "size.elf"
        self.frame, self.calls = self.graph(directory / core)

    def graph(self, directory):
        """Each function's own stack, and who calls whom."""
        graph = (directory / "utf8val.ci").read_text()
        return ({title: int(size) for title, size in re.findall(
            r'node: { title: "([^"]*)".*?(\d+) bytes \(', graph)},
                re.findall(r'edge: { sourcename: "([^"]*)" '
                           r'targetname: "([^"]*)"', graph))

    def functions(self):
        symbols = run(self.prefix + "nm", "--defined-only", self.archive)
        return re.findall(r"^\S+ T (utf8val_\w+)$", symbols, re.MULTILINE)

    def linked(self, *functions):
        """Sizes by section with nothing but those functions wanted."""
        return linked(self.prefix, self.machine, functions, self.archive,
                      self.image)

    def stack(self, function):
        return self.frame.get(function, 0) + max(
            (self.stack(callee) for caller, callee in self.calls
             if caller == function), default=0)


def linked(prefix, machine, functions, path, image):
    """Sizes by section of an image that has nothing but what functions need."""
    run(prefix + "gcc", *machine, "-nostdlib",
        "-Wl,--gc-sections", f"-Wl,--entry={functions[0]}",
        *(f"-Wl,--undefined={function}" for function in functions),
        path, "-o", image)
    sizes = {"text": 0, "rodata": 0, "ram": 0}
    for name, size in re.findall(
            r"^\.(\S+)\s+(\d+)", run(prefix + "size", "-A", image),
            re.MULTILINE):
        kind = re.match("text|s?rodata|s?data|s?bss", name)
        if kind:
            kind = kind.group().lstrip("s")
            sizes[kind if kind in sizes else "ram"] += int(size)
    return sizes


def version():
    """The compiler's, as the budgets name it: "GCC 12"."""
    return "GCC " + run("arm-none-eabi-gcc", "-dumpversion").partition(".")[0]


def cores(build):
    """The cores for which libraries are there, in the order of their names' numbers."""
    names = [path.parent.name for path in build.glob("compact/*/utf8val.ci")]
    return sorted((name for name in names if not name.endswith("-hard")),
                  key=lambda name: (name.startswith("rv"), int(re.search(r"\d+", name)[0]), name))


def others(build):
    """Print the sizes in OTHERS. Returns: how many are over their limits."""
    over = 0
    for name, limits in OTHERS.items():
        archive = build / name / M0 / "libutf8val.a"
        if not archive.exists():
            print(f"{name}: not built")
            continue
        for function, limit in limits.items():
            size = sum(linked("arm-none-eabi-", ["-mthumb", f"-mcpu={M0}"], [function], archive,
                              archive.with_name("size.elf")).values())
            over += size > limit
            print(f"{name:13} {function:20} {size} of {limit}{'  OVER' * (size > limit)}")
    return over


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1])
    over, compiler = 0, version()
    for engine, budgets in ENGINES.items():
        print(f"\n{engine} engine, -Os\n"
              "core          function              text rodata    ram  stack"
              "  budget")
        for core in cores(build):
            if not runs_on(engine, core):
                continue
            library = Library(build / engine, core)
            for function in library.functions():
                base, limits, stack_limit = budgets.get(function, ((), {}, None))
                sizes = library.linked(function)
                total = sizes["text"] + sizes["rodata"]
                budget, verdict = "", ""
                limit = limits.get(f"{core}, {compiler}",
                                   limits.get(core, limits.get("*")))
                held = core in limits or core not in NO_BUDGET
                if limit is not None and held:
                    for other in map(library.linked, base):
                        total -= other["text"] + other["rodata"]
                    budget = f"{total} of {limit}" + (
                        " beyond " + " and ".join(name[8:] for name in base)
                        if base else "")
                    if total > limit:
                        verdict = "  OVER"
                stack = library.stack(function)
                if stack_limit is not None and held \
                        and stack > stack_limit:
                    verdict += "  STACK OVER " + str(stack_limit)
                if sizes["ram"]:
                    verdict += "  RAM"
                over += bool(verdict)
                print(f"{core:13} {function:20} {sizes['text']:5}"
                      f" {sizes['rodata']:6} {sizes['ram']:6} {stack:6}"
                      f"  {budget}{verdict}")
    print()
    over += others(build)
    if over:
        sys.exit(f"{over} over budget")


if __name__ == "__main__":
    main()
