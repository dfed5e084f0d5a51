# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Kernels to boot and programs that run in them: make vm, make demo, and the
# module in Debian's own kernel.

STOCK_KERNELS := $(version)
# those for which there are patches
BUILT_KERNELS := $(foreach each,$(version),$(if $(filter-out -,$(patches-$(each))),$(each)))
KERNEL_VERSION ?= $(firstword $(STOCK_KERNELS))
KERNEL_VERSIONS := $(if $(KERNEL),$(KERNEL_VERSION),$(BUILT_KERNELS))
export KERNEL

# a guest program is a static one, made of one file in one of these directories and of
# vm/lib
vpath %.c vm vm/tests vm/bench

GUEST_CFLAGS := -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -I. -Ivm/lib -static
GUEST_HEADERS := $(wildcard vm/lib/*.h bpf/shared/*.h) $(wildcard tests/oracle.*)
$(B)/vm/%: %.c $(GUEST_HEADERS)
	$(Q) $(CC) $(GUEST_CFLAGS) $< -o $@

# Programs for guests of other architectures, which are emulated.
define architecture_programs
$(B)/$(1)/vm/%: %.c $(GUEST_HEADERS)
	$$(Q) $(prefix-$(1))gcc $(GUEST_CFLAGS) $$< -o $$@
endef
$(foreach each,$(filter-out x86_64,$(notdir $(basename $(wildcard vm/configs/machine/*)))),\
	$(eval $(call architecture_programs,$(each))))

# The guard on arm64, with the libraries of Debian 12; its programs in the kernel are the
# same for all architectures.
$(B)/arm64/utf8val-guard: $(GUARD_SOURCES) $(B)/guard/guard.skel.h
	$(Q) dirs=$$(tools/fetch.sh bookworm/arm64 libbpf-dev libelf-dev zlib1g-dev) && \
		$(prefix-arm64)gcc $(GUARD_CFLAGS) -O2 -isystem $(B)/guard \
		$$(printf -- '-isystem %s/usr/include ' $$dirs) -static $(GUARD_SOURCES) -o $@ \
		$$(printf -- '-L%s/usr/lib/aarch64-linux-gnu ' $$dirs) -lbpf -lelf -lz

patches: deps-check ## write the patch series for git am: KERNEL_VERSION=, AUTHOR="NAME <ADDRESS>" adds Signed-off-by
	@$(PYTHON) tools/patches.py $(if $(AUTHOR),--author "$(AUTHOR)") \
		$(KERNEL_VERSION) $(B)/patches/$(KERNEL_VERSION)
	@echo "in $(B)/patches/$(KERNEL_VERSION)/, for a Linux $(KERNEL_VERSION) tree:" \
		"xargs realpath <series | xargs git -C TREE am"

kernel-%: FORCE
	@vm/kernel.sh $* >/dev/null

# builds what a virtual machine boots, for vm/run
vm-ready: deps-vm $(ARCH:%=deps-vm-architectures) $(B)/$(ARCH:%=%/)vm/init
	@vm/kernel.sh $(ARCH:%=--for %) $(KERNEL_VERSION) $(ARCH:%=std) >/dev/null

vm: ## run a program in a guarded VM: TEST=path [ARGS=, FS=tmpfs, MODE=enforce, TIMEOUT=, KERNEL_VERSION=, ARCH=]; vm/run takes more options
	@KERNEL_VERSION=$(KERNEL_VERSION) ARCH=$(ARCH) vm/run $(if $(TEST),$(FS:%=--fs %) \
		$(MODE:%=--mode %) --timeout $(or $(TIMEOUT),120) $(call quote,$(TEST)) $(ARGS))

demo: ## *see the guard refuse bad names, on Debian's own kernel in a VM
	@MAKE="$(AGAIN) --no-print-directory" vm/demo.sh $(B)

recording: deps-recording ## record make demo in a terminal, for README.md
	@vm/recording.sh $(B)

demo-builtin: ## *see the same with the option built into a kernel
	@MAKE="$(AGAIN) --no-print-directory" KERNEL_VERSION=$(KERNEL_VERSION) \
		vm/demo.sh --builtin $(B)

# Real names for the demo: those of the files in installed packages, the non-ASCII ones
# first, then an even sample of the rest.
$(B)/names.packages: vm/package_names.py
	$(Q) vm/package_names.py 400 >$@

module: deps-kernels ## build utf8val.ko for KERNEL=/lib/modules/... (default: the linux-headers-amd64 package's)
	@vm/module.sh $(B)/module $(KERNEL)

# Compiled as a kernel developer does, with the headers of the kernel's tree.
SELFTESTS := $(wildcard kernel/selftests/*_test.c)
$(SELFTESTS:kernel/selftests/%.c=$(B)/selftest-\%/%): $(wildcard kernel/selftests/*.[ch])
	$(Q) build=$$(vm/kernel.sh $*) && for test in $(notdir $(SELFTESTS:.c=)); do \
		$(CC) -Wall -Werror -O2 -static -o $(@D)/$$test \
		"$$build/source/tools/testing/selftests/filesystems/utf8val/$$test.c" || exit; \
	done

bench-vm: deps-kernels $(B)/vm/init $(B)/vm/cost ## measure what the mount option costs: instructions per file creation, in a VM
	@vm/bench/bench.sh $(KERNEL_VERSION) $(B)/vm

kunit: $(if $(ARCH),deps-architectures,deps-kunit) ## run the KUnit suite, on each kernel of vm/kernels or on KERNEL=/path, or on ARCH=s390x, emulated
	@for version in $(if $(ARCH),$(KERNEL_VERSION),$(KERNEL_VERSIONS)); do \
		kunit/kunit.py $(ARCH:%=--for %) $$version || exit 1; done
