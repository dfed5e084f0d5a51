# SPDX-License-Identifier: GPL-2.0-only OR MIT
# KUnit by the kernel's own kunit.py.

define kunit_suite
suite-kunit-$(1):
	@kunit/kunit.py --tap $(1)
$(call SUITES_OF,$(1)) += kunit-$(1)
.PHONY: suite-kunit-$(1)
endef
$(foreach version,$(KERNEL_VERSIONS),$(eval $(call kunit_suite,$(version))))

# On other processors, as vm/processors names them; `make check` has the one that
# differs most from x86_64: big-endian, 32 bits, and the smallest kernel.
PROCESSORS := $(shell sed -n 's/^\([a-z][^ ]*\) .*/\1/p' vm/processors)
# what that file says of one, $(1)
processor-row = $(shell sed -n 's/^$(1)  *//p' vm/processors)
define processor_suite
suite-kunit-$(1)-$(2):
	@kunit/kunit.py --tap --for $(2) $(1)
$(if $(filter 6.12-m68k,$(1)-$(2)),SUITES,FULL_SUITES) += \
	kunit-$(1)-$(2)
.PHONY: suite-kunit-$(1)-$(2)
endef
$(foreach version,$(call kernels-in,others,full),$(foreach processor,$(PROCESSORS),\
	$(eval $(call processor_suite,$(version),$(processor)))))

# a run that must fail; afterwards the kernel is built as it was, which takes the
# smallest one the least time
BROKEN := kunit/kunit.py --for m68k
suite-broken:
	@. tests/lib/tap.sh; \
	point "make kunit fails when the core is broken" ends 1 "" \
		sh -c '$(BROKEN) --break $(KERNEL_VERSION) >$(B)/broken.txt'; \
	point "by a case that shows it" \
		grep -q '^ *not ok .* vectors' $(B)/broken.txt; \
	point "and passes again without the fault" \
		$(BROKEN) $(KERNEL_VERSION); \
	tap_end

SUITES += broken

kunit: deps-kernels $(ARCH:%=deps-processors) ## run the KUnit suite, on three kernels or on KERNEL=/path, or on ARCH=s390x, emulated
	@for version in $(if $(ARCH),$(KERNEL_VERSION),$(KERNEL_VERSIONS)); do \
		kunit/kunit.py $(ARCH:%=--for %) $$version || exit 1; done

kunit-all: deps-kernels deps-processors ## run KUnit on all processors of vm/processors, a minute or two for each kernel
	@for processor in $(PROCESSORS); do \
		kunit/kunit.py --for $$processor $(KERNEL_VERSION) || exit 1; done

.PHONY: kunit kunit-all suite-broken
