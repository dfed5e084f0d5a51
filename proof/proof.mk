# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The machine-checked proof: Frama-C/WP with z3 and cvc4, and CBMC for what is about
# bits or bounded; see proof/README.md.

proof: deps-proof deps-proof-bits ## prove the contracts of proof/spec/contracts.h on the core as it ships
	@+$(MAKE) --no-print-directory -j2 proof-wp proof-bits
proof-wp:
	@proof/tools/prove.py --whole
proof-bits:
	@proof/tools/by_cbmc.py bits
# to be made when much of the proof has changed
proof-learn: deps-proof ## prove all parts afresh, and note which prover is to begin with which goal
	@proof/tools/prove.py --whole --learn

proof-cbmc: deps-proof-bits ## prove all that CBMC is asked
	@proof/tools/by_cbmc.py

proof-mutants: deps-proof deps-proof-bits ## break the core in many single places; the proof must fail on each
	@proof/tools/mutants.py
	@proof/tools/by_cbmc.py --mutants

.PHONY: proof proof-wp proof-bits proof-learn proof-cbmc proof-mutants
