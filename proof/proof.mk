# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The machine-checked proof: Frama-C/WP with z3 and cvc4, and z3 alone for
# what is about bits; see proof/README.md.

proof: deps-proof deps-proof-bits ## prove the contracts of proof/spec/contracts.h on the core as it ships
	@+$(MAKE) --no-print-directory -j2 proof-wp proof-bits
# one queue of all parts for all processors
proof-wp:
	@proof/tools/prove.py --whole $(PROOF_32)
proof-bits:
	@proof/tools/bits.py
# when much of it has changed
proof-learn: deps-proof ## prove all parts afresh, and note which prover is to begin with which goal
	@proof/tools/prove.py --whole --learn $(PROOF_32)

proof-cbmc: deps-proof-bits ## prove what is about bits once more, and what only CBMC can
	@proof/tools/by_cbmc.py

proof-mutants: deps-proof deps-proof-bits ## break the core in many single places; the proof must fail on each
	@proof/tools/mutants.py
	@proof/tools/bits.py --mutants
	@proof/tools/by_cbmc.py --mutants $(CBMC_ONLY)
	@proof/tools/chance.py

# the compact engine's functions of which a length or a pointer is part, again
# with 32 bits for both, as on Cortex-M
PROOF_32 := bits shifts states kernel steps feed engine next codec stream moves \
	moved replaced replace passed word

# what bits.py is not asked
CBMC_ONLY := short_is_bad kernel_piece name_is_bad utf8val_parse_mode fast_high8 \
	character why_rejected why_rejected_any code_point encode convert \
	utf8val_next/compact utf8val_prev/compact utf8val_step/compact \
	utf8val_encode/compact utf8val_floor/compact utf8val_valid/compact \
	utf8val_valid/fast utf8val_prefix/compact utf8val_prefix/fast \
	utf8val_prefix/word utf8val_check/compact utf8val_check/fast \
	utf8val_count/compact utf8val_stream/compact

.PHONY: proof proof-wp proof-bits proof-learn proof-cbmc proof-mutants
