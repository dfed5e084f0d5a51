# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The mount option through every way in. `make check` has what the small kernel
# can do; check-vm-full has the rest, on kernels with more file systems and with
# the kernel's own checkers.

define enforce_suites
suite-matrix-$(1): $$(B)/vm/init $$(B)/vm/matrix_test
	@$$(call VM,$(1)) --fs none --disk ext4 $$(B)/vm/matrix_test tmpfs ext4
SUITES += matrix-$(1)
.PHONY: suite-matrix-$(1)
endef
$(foreach version,$(KERNEL_VERSIONS),$(eval $(call enforce_suites,$(version))))
