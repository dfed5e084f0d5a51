# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The guard on arm64, emulated: Debian's kernels for it, static programs built
# here for there.

ARM64 := $(B)/arm64
ARM64_CC := aarch64-linux-gnu-gcc
# libbpf and what it needs, as Debian 12 has them for arm64
ARM64_PACKAGES := bookworm/arm64 libbpf-dev libelf-dev zlib1g-dev

$(ARM64)/vm/%: %.c $(wildcard vm/lib/*.h)
	@mkdir -p $(@D)
	@$(ARM64_CC) -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror \
		-Ivm/lib -static $< -o $@

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
	--stock "$$stock" --init $(ARM64)/vm/init --timeout 900 --fs none

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
$(foreach version,6.12 7.3,$(eval $(call arm64_suites,$(version))))

# Linux 6.1 has no trampolines there: the command has to say so
suite-guard-refused-arm64-6.1: $(ARM64)/vm/init $(ARM64)/vm/guard_refused_test \
		$(ARM64)/utf8val-guard
	@$(call ARM64_VM,6.1) --file $(ARM64)/utf8val-guard:/utf8val-guard \
		$(ARM64)/vm/guard_refused_test "6.4"
FULL_SUITES += guard-refused-arm64-6.1
.PHONY: suite-guard-refused-arm64-6.1
