# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The mount option through every way in. `make check` has what the small kernel
# can do; check-vm-full the rest, on kernels with more file systems and with
# the kernel's own checkers.

# $(1) a kernel version, $(2) the suites' prefix, $(3) kernel.sh's arguments,
# $(4) file systems, $(5) those among them that need a disk
define option_suites
suite-$(2)matrix-$(1): $$(B)/vm/init $$(B)/vm/matrix_test
	@$$(call VM,$(3)) --fs none $(VM_MORE) $(5:%=--disk %) \
		$$(B)/vm/matrix_test $(4) $(6)
suite-$(2)state-$(1): $$(B)/vm/init $$(B)/vm/state_test
	@$$(call VM,$(3)) --fs none --cpus 2 $(VM_MORE) $(5:%=--disk %) \
		$$(B)/vm/state_test $(4)
suite-$(2)repair-$(1): $$(B)/vm/init $$(B)/vm/repair_test
	@$$(call VM,$(3)) --fs none $(VM_MORE) $(5:%=--disk %) \
		$$(B)/vm/repair_test $(4)
suite-$(2)observe-$(1): $$(B)/vm/init $$(B)/vm/observe_test
	@$$(call VM,$(3)) --fs none $(VM_MORE) $$(B)/vm/observe_test
.PHONY: suite-$(2)matrix-$(1) suite-$(2)state-$(1) suite-$(2)repair-$(1)
.PHONY: suite-$(2)observe-$(1)
endef

define enforce_suites
suite-boot-$(1): $$(B)/vm/init $$(B)/vm/boot_test
	@build=$$$$(kunit/kernel.sh $(1)) && \
		kunit/boots.sh "$$$$build/arch/x86/boot/bzImage" $$(B)/vm
SUITES += matrix-$(1) state-$(1) repair-$(1) observe-$(1) boot-$(1)
.PHONY: suite-boot-$(1)
endef

$(foreach version,$(KERNEL_VERSIONS),\
	$(eval $(call option_suites,$(version),,$(version),tmpfs ext4,ext4,))\
	$(eval $(call enforce_suites,$(version))))
