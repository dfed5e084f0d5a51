# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Host tests of the core.

SUITES += lint

suite-lint:
	@tests/lint.sh

.PHONY: suite-lint
