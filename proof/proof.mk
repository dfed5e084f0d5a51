# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The machine-checked proof: Frama-C/WP with z3 and cvc4, see proof/README.md.

proof: deps ## prove the contracts of proof/contracts.h on the core as it ships
	@proof/prove.py

proof-mutants: deps ## break the core in many single places; the proof must fail on each
	@proof/mutants.py

# what takes minutes by itself is left to `make proof`
PROOF_CHECKED := bits meaning steps engine next codec shifts kernel trips

SUITES += proof
suite-proof:
	@proof/prove.py --tap $(PROOF_CHECKED)

.PHONY: proof proof-mutants suite-proof
