#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Read module.yml and Kconfig the way Zephyr does (its scripts/zephyr_module.py
validates the one with pykwalify and lets kconfiglib read the other). run.sh calls this.

Usage: zephyr.py PACKAGE
"""

import pathlib
import sys
import tempfile

import kconfiglib
import yaml
from pykwalify.core import Core

# the keys of Zephyr's schema that we use
SCHEMA = {"type": "map", "mapping": {
    "name": {"type": "str", "required": True},
    "build": {"type": "map", "required": True, "mapping": {
        "cmake": {"type": "str"}, "kconfig": {"type": "str"}}}}}

package = pathlib.Path(sys.argv[1]).resolve()
module = yaml.safe_load((package / "zephyr/module.yml").read_text())
Core(source_data=module, schema_data=SCHEMA).validate()
assert (package / module["build"]["cmake"] / "CMakeLists.txt").is_file()

kconfig = kconfiglib.Kconfig(str(package / module["build"]["kconfig"]))
symbols = kconfig.syms
assert symbols["UTF8VAL"].str_value == "n"
symbols["UTF8VAL"].set_value("y")
assert symbols["UTF8VAL_ENGINE_COMPACT"].str_value == "y"
symbols["UTF8VAL_ENGINE_WORD"].set_value("y")
assert symbols["UTF8VAL_ENGINE_COMPACT"].str_value == "n"
# not for just any processor
symbols["UTF8VAL_ENGINE_MVE"].set_value("y")
assert symbols["UTF8VAL_ENGINE_MVE"].str_value == "n"


def on(*architecture):
    """The symbols where Zephyr's own Kconfig has set these."""
    with tempfile.NamedTemporaryFile("w", suffix=".kconfig") as file:
        for symbol in architecture:
            file.write(f"config {symbol}\n\tdef_bool y\n")
        file.write(f'source "{package / module["build"]["kconfig"]}"\n')
        file.flush()
        found = kconfiglib.Kconfig(file.name).syms
    found["UTF8VAL"].set_value("y")
    return found


def engines(found, wanted):
    """The engines that are selected when a user wants this one."""
    found[f"UTF8VAL_ENGINE_{wanted}"].set_value("y")
    return {engine for engine in ("COMPACT", "WORD", "MVE")
            if found[f"UTF8VAL_ENGINE_{engine}"].str_value == "y"}


assert engines(on("BIG_ENDIAN"), "WORD") == {"COMPACT"}
assert engines(on("ARMV8_1_M_MVEI", "FPU"), "MVE") == {"MVE"}
assert engines(on("ARMV8_1_M_MVEI"), "MVE") == {"COMPACT"}
assert engines(on("FPU"), "MVE") == {"COMPACT"}
assert engines(on("ARMV8_1_M_MVEI", "FPU", "BIG_ENDIAN"), "MVE") == {"COMPACT"}
