# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Machines with other processors, emulated: static programs that are built here for
# there, the mount option in kernels of our own, and the guard on Debian's arm64.

# those of vm/processors that vm/configs/machine has, too
VM_PROCESSORS := $(filter $(PROCESSORS),$(patsubst vm/configs/machine/%.config,%,\
	$(wildcard vm/configs/machine/*.config)))
ifneq ($(filter vm,$(MAKECMDGOALS)),)
$(if $(filter-out $(VM_PROCESSORS),$(ARCH)),$(error no machine for \
	ARCH=$(ARCH), but for $(VM_PROCESSORS), and this one without ARCH=))
endif
# the kernel's image, not packed, below its build directory
processor-image = arch/$(word 1,$(call processor-row,$(1)))/boot/$(patsubst %.gz,%,\
	$(word 3,$(call processor-row,$(1))))

# $(1) a processor
define processor_programs
$$(B)/$(1)/vm/%: %.c $$(wildcard vm/lib/*.h)
	@mkdir -p $$(@D)
	@$(word 2,$(call processor-row,$(1)))gcc -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra \
		-Werror -Ivm/lib -static $$< -o $$@
endef
$(foreach processor,$(VM_PROCESSORS),$(eval $(call processor_programs,$(processor))))

# $(1) a processor, $(2) a version; a shell's words, to be followed by run.py's
# arguments
PROCESSOR_VM = build=$$(vm/kernel.sh --for $(1) $(2) std) && vm/run.py \
	--kernel "$$build/$(call processor-image,$(1))" --init $(B)/$(1)/vm/init

define processor_suites
suite-mount-$(2)-$(1): $$(B)/$(1)/vm/init $$(B)/$(1)/vm/mount_test
	@$$(call PROCESSOR_VM,$(1),$(2)) --fs none --disk ext4 \
		--disk exfat --disk casefold --disk vfat \
		$$(B)/$(1)/vm/mount_test exfat casefold vfat
suite-matrix-$(2)-$(1): $$(B)/$(1)/vm/init $$(B)/$(1)/vm/matrix_test
	@$$(call PROCESSOR_VM,$(1),$(2)) --fs none --disk ext4 \
		$$(B)/$(1)/vm/matrix_test tmpfs ext4
FULL_SUITES += mount-$(2)-$(1) matrix-$(2)-$(1)
.PHONY: suite-mount-$(2)-$(1) suite-matrix-$(2)-$(1)
endef
$(foreach version,$(call kernels-in,others,full),$(foreach processor,$(VM_PROCESSORS),\
	$(eval $(call processor_suites,$(processor),$(version)))))

# The guard on arm64.
ARM64 := $(B)/arm64
ARM64_CC := $(word 2,$(call processor-row,arm64))gcc
# libbpf and what it needs, as Debian 12 has them for arm64
ARM64_PACKAGES := bookworm/arm64 libbpf-dev libelf-dev zlib1g-dev

# the programs for the kernel are the same for all processors
$(ARM64)/utf8val-guard: $(GUARD_SOURCES) $(B)/guard/guard.skel.h
	@mkdir -p $(@D)
	@dirs=$$(tools/fetch.sh $(ARM64_PACKAGES)) && \
		$(ARM64_CC) -std=gnu11 -D_GNU_SOURCE -O2 -I. -isystem $(B)/guard \
		$$(printf -- '-isystem %s/usr/include ' $$dirs) \
		-static $(GUARD_SOURCES) -o $@ \
		$$(printf -- '-L%s/usr/lib/aarch64-linux-gnu ' $$dirs) \
		-lbpf -lelf -lz

# $(1) a kernel; a shell's words, to be followed by run.py's arguments
ARM64_VM = stock=$$(vm/stock_kernel.sh $(1) arm64) && vm/run.py \
	--stock "$$stock" --init $(ARM64)/vm/init --fs none

define arm64_suites
suite-guard-mount-arm64-$(1): $$(ARM64)/vm/init $$(ARM64)/vm/mount_test \
		$$(ARM64)/utf8val-guard
	@$$(call ARM64_VM,$(1)) --disk ext4 \
		--guard $$(ARM64)/utf8val-guard $$(ARM64)/vm/mount_test
suite-guard-matrix-arm64-$(1): $$(ARM64)/vm/init $$(ARM64)/vm/matrix_test \
		$$(ARM64)/utf8val-guard
	@$$(call ARM64_VM,$(1)) \
		--guard $$(ARM64)/utf8val-guard \
		$$(ARM64)/vm/matrix_test tmpfs
FULL_SUITES += guard-mount-arm64-$(1) guard-matrix-arm64-$(1)
.PHONY: suite-guard-mount-arm64-$(1) suite-guard-matrix-arm64-$(1)
endef
$(foreach version,$(call kernels-in,arm64,full),$(eval $(call arm64_suites,$(version))))

# Linux 6.1 has no trampolines there: the command has to say so
suite-guard-refused-arm64-6.1: $(ARM64)/vm/init $(ARM64)/vm/guard_refused_test \
		$(ARM64)/utf8val-guard
	@$(call ARM64_VM,6.1) --file $(ARM64)/utf8val-guard:/sbin/utf8val-guard \
		$(ARM64)/vm/guard_refused_test "no trampolines" "6.4"
FULL_SUITES += guard-refused-arm64-6.1
.PHONY: suite-guard-refused-arm64-6.1
