# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Kernels to boot and programs that run in them: make vm, make demo, and the
# module in Debian's own kernel. The mount option's suites are in suites.mk.

# $(1) a column of vm/kernels: the kernels, as KERNEL:CHECK
kernels-of = $(shell tools/table.sh vm/kernels version,$(1) | tr ' ' :)
# $(2) a check of vm/kernels
kernels-in = $(patsubst %:$(2),%,$(filter %:$(2),$(call kernels-of,$(1))))
STOCK_KERNELS := $(shell tools/table.sh vm/kernels version)
KERNEL_VERSION ?= $(firstword $(STOCK_KERNELS))
KERNEL_VERSIONS := $(if $(KERNEL),$(KERNEL_VERSION),$(STOCK_KERNELS))
# A suite of another version than these, $(1), goes to check-vm-full. Prints the
# variable that lists it.
CHECK_VERSIONS := $(if $(KERNEL),$(KERNEL_VERSION),$(call kernels-in,option,check))
SUITES_OF = $(if $(filter $(1),$(CHECK_VERSIONS)),SUITES,FULL_SUITES)
FS ?= tmpfs
MODE ?= enforce
TIMEOUT ?= 120
export KERNEL

# a guest program is one file in one of these, static, with vm/lib beside it
vpath %.c vm vm/tests vm/bench

$(B)/vm/%: %.c $(wildcard vm/lib/*.h)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -Ivm/lib \
		-static $< -o $@

# a shell's `build the kernel && boot it`, to be followed by run.py's arguments
VM = build=$$(vm/kernel.sh $(1)) && vm/run.py --init $(B)/vm/init \
	--kernel "$$build/arch/x86/boot/bzImage"

patches: ## write the patch series for git am: KERNEL_VERSION=, AUTHOR="NAME <ADDRESS>" signs it
	@$(PYTHON) tools/patches.py $(if $(AUTHOR),--author "$(AUTHOR)") \
		$(KERNEL_VERSION) $(B)/patches/$(KERNEL_VERSION)
	@echo "$(B)/patches/$(KERNEL_VERSION)/: in a Linux $(KERNEL_VERSION) tree," \
		"git am them all"

kernels: deps-kernels ## build the kernels that make check boots
	@for version in $(CHECK_VERSIONS); do \
		vm/kernel.sh $$version >/dev/null || exit 1; done

vm: deps-vm $(ARCH:%=deps-vm-processors) $(B)/$(ARCH:%=%/)vm/init ## run a program in a guarded VM: TEST=path [FS=, MODE=, KERNEL_VERSION=, TIMEOUT=, ARGS=], on another processor: ARCH=
	@[ -n $(call quote,$(TEST)) ] || { echo "usage: make vm TEST=path/to/program [FS=tmpfs|ext4] [MODE=enforce|audit|off|none] [KERNEL_VERSION=$(subst $(space),|,$(STOCK_KERNELS))] [TIMEOUT=seconds] [ARCH=arm64|riscv64|s390x] [ARGS='...']" >&2; exit 2; }
	@$(if $(ARCH),$(call PROCESSOR_VM,$(ARCH),$(KERNEL_VERSION)),$(call VM,$(KERNEL_VERSION))) --fs $(FS) --mode $(MODE) \
		--timeout $(TIMEOUT) $(call quote,$(TEST)) $(ARGS)

demo: ## *see the guard refuse bad names, on Debian's own kernel in a VM
	@MAKE="$(AGAIN) --no-print-directory" vm/demo.sh $(B)

recording: deps-recording ## record make demo in a terminal, for README.md
	@LC_ALL=C.UTF-8 asciinema rec --overwrite --quiet --idle-time-limit 2 \
		--cols 104 --rows 50 --command "$(AGAIN) -s --no-print-directory demo" \
		docs/demo.cast
	@LC_ALL=C.UTF-8 termtosvg render docs/demo.cast docs/demo.svg \
		--min-frame-duration 60 --max-frame-duration 3000 \
		--loop-delay 10000

demo-builtin: ## *see the same with the module built into a kernel
	@MAKE="$(AGAIN) --no-print-directory" KERNEL_VERSION=$(KERNEL_VERSION) \
		vm/demo.sh --builtin $(B)

# Real names: those of the files in installed packages, the non-ASCII ones
# first, then an even sample of the rest.
$(B)/names.packages: vm/package-names.sh
	@mkdir -p $(@D)
	vm/package-names.sh 400 >$@

module: deps-kernels ## build utf8val.ko for KERNEL=/lib/modules/... (default: the linux-headers-amd64 package's)
	@vm/module.sh $(B)/module $(KERNEL)

# In Debian's own kernel, which has no KUnit: the installed one's, and that of a
# version for stock_headers.sh and stock_kernel.sh. other.ko claims another kind
# of kernel.
MODULE_SUITES := module $(patsubst %,module-%,$(call kernels-in,module,check))
STOCK_VERSION = $(filter-out module,$(subst module-,,$*))

$(MODULE_SUITES:%=suite-%): suite-%: $(B)/vm/init $(B)/vm/module_test
	@headers=$$(vm/stock_headers.sh $(STOCK_VERSION)) && \
		vm/module.sh $(B)/$* "$$headers" >$(B)/$*.log
	@sed 's/ SMP preempt / UMP preempt /' $(B)/$*/kernel/utf8val.ko \
		>$(B)/$*/other.ko
	@stock=$$(vm/stock_kernel.sh $(STOCK_VERSION)) && \
		vm/run.py --init $(B)/vm/init --kernel "$$stock/vmlinuz" \
		--fs none --append edd=off \
		--file $(B)/$*/kernel/utf8val.ko:/module.ko \
		--file $(B)/$*/kunit/selftest/utf8val_selftest.ko:/selftest.ko \
		--file $(B)/$*/examples/module/label.ko:/label.ko \
		--file $(B)/$*/other.ko:/other.ko $(B)/vm/module_test
SUITES += $(MODULE_SUITES)

# The demos as tests, and bad input to our tools.
suite-demo: $(B)/utf8val-guard
suite-demo suite-demo-builtin: suite-%: $(B)/vm/init $(B)/vm/demo $(B)/names.packages
	@. tests/lib/tap.sh; point "make $*" $(AGAIN) --no-print-directory $*; \
	tap_end

suite-manners: $(B)/vm/init
	@build=$$(vm/kernel.sh $(KERNEL_VERSION)) && \
		demo=$$(vm/kernel.sh $(KERNEL_VERSION) demo) && \
		tests/manners.sh "$$build/arch/x86/boot/bzImage" "$$demo/linux" \
			$(B)/vm/init

SUITES += demo demo-builtin manners

.PHONY: kernels patches vm demo recording demo-builtin module suite-demo \
	suite-demo-builtin suite-manners $(MODULE_SUITES:%=suite-%)
