# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Guests of other architectures, emulated: static programs that are compiled here for
# them, and the guard.

# those of vm/architectures that have a file in vm/configs/machine as well
VM_ARCHITECTURES := $(filter $(filter-out x86_64,$(architecture)),$(patsubst vm/configs/machine/%.config,%,\
	$(wildcard vm/configs/machine/*.config)))
ifneq ($(filter vm,$(MAKECMDGOALS)),)
$(if $(filter-out $(VM_ARCHITECTURES),$(ARCH)),$(error no guest for \
	ARCH=$(ARCH). Run: make vm ARCH=, with one of: $(VM_ARCHITECTURES)))
endif
# $(1): an architecture
define architecture_programs
$$(B)/$(1)/vm/%: %.c $$(GUEST_HEADERS)
	@mkdir -p $$(@D)
	@$(prefix-$(1))gcc $$(GUEST_CFLAGS) $$< -o $$@
endef
$(foreach architecture,$(VM_ARCHITECTURES),$(eval $(call architecture_programs,$(architecture))))

# The guard on arm64.
ARM64 := $(B)/arm64
ARM64_CC := $(prefix-arm64)gcc
# libbpf and the libraries that libbpf needs, from Debian 12 for arm64
ARM64_PACKAGES := bookworm/arm64 libbpf-dev libelf-dev zlib1g-dev

# the guard's programs in the kernel are the same for all architectures
$(ARM64)/utf8val-guard: $(GUARD_SOURCES) $(B)/guard/guard.skel.h
	@mkdir -p $(@D)
	@dirs=$$(tools/fetch.sh $(ARM64_PACKAGES)) && \
		$(ARM64_CC) $(GUARD_CFLAGS) -O2 -isystem $(B)/guard \
		$$(printf -- '-isystem %s/usr/include ' $$dirs) \
		-static $(GUARD_SOURCES) -o $@ \
		$$(printf -- '-L%s/usr/lib/aarch64-linux-gnu ' $$dirs) \
		-lbpf -lelf -lz
