# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""The programs that the proof was written for: another one is said so in a sentence.

Frama-C's messages, the names of its goals and clang's intermediate code change from
one release to the next, and what is not understood must not look like a proof.
"""
import re
import subprocess
import sys

# How each program prints its version, what the output must contain, and which version
# that is.
PROGRAMS = {
    "frama-c": (["frama-c", "-version"], r"^25\.", "Frama-C 25"),
    "why3": (["why3", "--version"], r"version 1\.5", "why3 1.5"),
    "z3": (["z3", "--version"], r"version 4\.", "z3 4"),
    "cvc4": (["cvc4", "--version"], r"version 1\.8", "cvc4 1.8"),
    "ocamlopt": (["ocamlopt", "-version"], r"^4\.", "OCaml 4, which Frama-C is written in,"),
    "clang": (["clang", "--version"], r"version 14\.", "clang 14"),
}
WP = ("frama-c", "why3", "z3", "cvc4", "ocamlopt")
BITS = ("clang",)


def complaint(names):
    """Which of these programs are missing, or of another version; "" when all is
    well."""
    for name in names:
        command, version, wanted = PROGRAMS[name]
        try:
            said = subprocess.run(command, capture_output=True, text=True,
                                  check=False).stdout
        except FileNotFoundError:
            return f"{wanted} is wanted, there is no {name} here"
        if not re.search(version, said, re.M):
            first = (said.splitlines() or ["it does not say which"])[0]
            return f"{wanted} is wanted, this is another: {first}"
    return ""


def need(program, tap, names):
    """End here when something is missing: with --tap as a point that is skipped."""
    if (said := complaint(names)) and tap:
        print(f"1..1\nok 1 - {program} # SKIP {said}")
        sys.exit(0)
    if said:
        raise SystemExit(f"{program}: {said}")
