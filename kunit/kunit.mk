# SPDX-License-Identifier: GPL-2.0-only OR MIT
# KUnit by the kernel's own kunit.py.

define kunit_suite
suite-kunit-$(1):
	@kunit/kunit.py --tap $(1)
$(call SUITES_OF,$(1)) += kunit-$(1)
.PHONY: suite-kunit-$(1)
endef
$(foreach version,$(KERNEL_VERSIONS),$(eval $(call kunit_suite,$(version))))

# a run that must fail; afterwards the kernel is built as it was
suite-broken:
	@. tests/lib/tap.sh; \
	point "make kunit fails when the core is broken" ends 1 "" \
		sh -c 'kunit/kunit.py --break $(KERNEL_VERSION) >$(B)/broken.txt'; \
	point "by a case that shows it" \
		grep -q '^ *not ok .* vectors' $(B)/broken.txt; \
	point "and passes again without the fault" \
		kunit/kunit.py $(KERNEL_VERSION); \
	tap_end

SUITES += broken

kunit: deps-kernels ## run the KUnit suite, on three kernels or on KERNEL=/path
	@for version in $(KERNEL_VERSIONS); do kunit/kunit.py $$version || exit 1; done

.PHONY: kunit suite-broken
