# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Emulated machines with other processors: static programs that are compiled here for
# those processors, and the guard.

# the processors of vm/processors that have a file in vm/configs/machine as well
VM_PROCESSORS := $(filter $(filter-out x86_64,$(processor)),$(patsubst vm/configs/machine/%.config,%,\
	$(wildcard vm/configs/machine/*.config)))
ifneq ($(filter vm,$(MAKECMDGOALS)),)
$(if $(filter-out $(VM_PROCESSORS),$(ARCH)),$(error no machine for \
	ARCH=$(ARCH), but for $(VM_PROCESSORS), and this one without ARCH=))
endif
# $(1): a processor
define processor_programs
$$(B)/$(1)/vm/%: %.c $$(GUEST_HEADERS)
	@mkdir -p $$(@D)
	@$(prefix-$(1))gcc $$(GUEST_CFLAGS) $$< -o $$@
endef
$(foreach processor,$(VM_PROCESSORS),$(eval $(call processor_programs,$(processor))))

# The guard on arm64.
ARM64 := $(B)/arm64
ARM64_CC := $(prefix-arm64)gcc
# libbpf and the libraries that libbpf needs, from Debian 12 for arm64
ARM64_PACKAGES := bookworm/arm64 libbpf-dev libelf-dev zlib1g-dev

# the guard's programs in the kernel are the same for all processors
$(ARM64)/utf8val-guard: $(GUARD_SOURCES) $(B)/guard/guard.skel.h
	@mkdir -p $(@D)
	@dirs=$$(tools/fetch.sh $(ARM64_PACKAGES)) && \
		$(ARM64_CC) $(GUARD_CFLAGS) -O2 -isystem $(B)/guard \
		$$(printf -- '-isystem %s/usr/include ' $$dirs) \
		-static $(GUARD_SOURCES) -o $@ \
		$$(printf -- '-L%s/usr/lib/aarch64-linux-gnu ' $$dirs) \
		-lbpf -lelf -lz
