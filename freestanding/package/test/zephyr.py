#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Read module.yml and Kconfig the way Zephyr does (its scripts/zephyr_module.py
validates the one with pykwalify and lets kconfiglib read the other).

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

# as Zephyr's own Kconfig says it of such an architecture
with tempfile.NamedTemporaryFile("w", suffix=".kconfig") as big:
    big.write("config BIG_ENDIAN\n\tdef_bool y\n"
              f'source "{package / module["build"]["kconfig"]}"\n')
    big.flush()
    symbols = kconfiglib.Kconfig(big.name).syms
symbols["UTF8VAL"].set_value("y")
symbols["UTF8VAL_ENGINE_WORD"].set_value("y")
assert symbols["UTF8VAL_ENGINE_COMPACT"].str_value == "y"
assert symbols["UTF8VAL_ENGINE_WORD"].str_value == "n"
