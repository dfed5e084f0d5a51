# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Kernels: the module, KUnit, and virtual machines.

KERNEL_VERSION ?= 6.12
KERNEL_VERSIONS := $(if $(KERNEL),$(KERNEL_VERSION),6.12 6.1)
FS ?= tmpfs
MODE ?= enforce
TIMEOUT ?= 120
export KERNEL

VM_PROGRAMS := $(patsubst kunit/vm/%.c,$(B)/vm/%,$(wildcard kunit/vm/*.c))

$(B)/vm/%: kunit/vm/%.c $(wildcard kunit/vm/*.h)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -static $< -o $@

# a shell's `build the kernel && boot it`, to be followed by vm.py's arguments
VM = build=$$(kunit/kernel.sh $(1)) && kunit/vm.py --init $(B)/vm/init \
	--kernel "$$build/arch/x86/boot/bzImage"

vm: deps $(B)/vm/init ## run a static program in a guarded VM: TEST=path [FS=, MODE=, KERNEL_VERSION=, TIMEOUT=, ARGS=]
	@[ -n "$(TEST)" ] || { echo "usage: make vm TEST=path/to/static-program [FS=tmpfs|ext4] [MODE=enforce|audit|off|none] [KERNEL_VERSION=6.12|6.1] [TIMEOUT=seconds] [ARGS='...']" >&2; exit 2; }
	@$(call VM,$(KERNEL_VERSION)) --fs $(FS) --mode $(MODE) \
		--timeout $(TIMEOUT) $(TEST) $(ARGS)

demo: deps $(B)/vm/init $(B)/vm/demo $(B)/names.packages ## show it: a VM, guarded mounts, good and bad names
	@$(call VM,$(KERNEL_VERSION)) --fs none --disk ext4 \
		--file $(B)/names.packages:/names.packages \
		--file kunit/vm/names.txt:/names.multilingual $(B)/vm/demo

# Real names: those of the files in installed packages, the non-ASCII ones
# first, then an even sample of the rest.
$(B)/names.packages: kunit/package-names.sh
	@mkdir -p $(@D)
	kunit/package-names.sh 400 >$@

# One suite a kernel version: KUnit by the kernel's own kunit.py, and the mount
# option's rules.
define kernel_suites
suite-kunit-$(1):
	@kunit/kunit.py --tap $(1)
suite-mount-$(1): $$(B)/vm/init $$(B)/vm/mount_test
	@$$(call VM,$(1)) --fs none --disk ext4 $$(B)/vm/mount_test
suite-source-$(1):
	@kunit/source-checks.sh $(1)
SUITES += kunit-$(1) mount-$(1) source-$(1)
.PHONY: suite-kunit-$(1) suite-mount-$(1) suite-source-$(1)
endef
$(foreach version,$(KERNEL_VERSIONS),$(eval $(call kernel_suites,$(version))))

module: deps ## build utf8val.ko for KERNEL=/lib/modules/... (default: the linux-headers-amd64 package's)
	@kunit/module.sh $(B)/module $(KERNEL)

# In Debian's own kernel, which has no KUnit; other.ko claims another kind of kernel.
suite-module: $(B)/vm/init $(B)/vm/module_test
	@kunit/module.sh $(B)/module >$(B)/module.log
	@sed 's/ SMP preempt / UMP preempt /' $(B)/module/kernel/utf8val.ko >$(B)/other.ko
	@stock=$$(kunit/stock.sh) && kunit/vm.py --init $(B)/vm/init \
		--kernel "$$stock/vmlinuz" --fs none --append edd=off \
		--file $(B)/module/kernel/utf8val.ko:/module.ko \
		--file $(B)/module/kunit/selftest/utf8val_selftest.ko:/selftest.ko \
		--file $(B)/other.ko:/other.ko $(B)/vm/module_test

# The demo as a test, a run that must fail, and bad input to our tools.
suite-demo:
	@$(MAKE) --no-print-directory demo >$(B)/demo.txt && \
		{ tail -n 1 $(B)/demo.txt; echo "ok 1 - make demo"; } || \
		{ tail -n 20 $(B)/demo.txt; echo "not ok 1 - make demo"; }
	@echo 1..1

suite-broken:
	@if kunit/kunit.py --break $(KERNEL_VERSION) >$(B)/broken.txt; \
		then echo "not ok 1 - make kunit fails when the core is broken"; \
		else echo "ok 1 - make kunit fails when the core is broken"; fi
	@if grep -q '^ *not ok .* vectors' $(B)/broken.txt; \
		then echo "ok 2 - by a case that shows it"; \
		else echo "not ok 2 - by a case that shows it"; fi
	@echo 1..2

suite-manners: $(B)/vm/init
	@build=$$(kunit/kernel.sh $(KERNEL_VERSION)) && \
		tests/manners.sh "$$build/arch/x86/boot/bzImage" $(B)/vm/init

SUITES += module broken demo manners

kunit: deps ## run the KUnit suite, on both kernels or on KERNEL=/path
	@for version in $(KERNEL_VERSIONS); do kunit/kunit.py $$version || exit 1; done

.PHONY: vm demo kunit module suite-module suite-demo suite-broken suite-manners
