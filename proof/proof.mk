# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The machine-checked proof with CBMC; see proof/README.md.

proof: deps-proof ## prove the rows of proof/README.md on the sources as they ship
	@proof/prove.py

proof-mutants: deps-proof ## break the sources in many single places; the proof must fail on each
	@proof/prove.py --mutants

.PHONY: proof proof-mutants
