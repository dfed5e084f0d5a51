# SPDX-License-Identifier: GPL-2.0-only OR MIT
# KUnit by the kernel's own kunit.py.

define kunit_suite
suite-kunit-$(1):
	@kunit/kunit.py --tap $(1)
SUITES += kunit-$(1)
.PHONY: suite-kunit-$(1)
endef
$(foreach version,$(KERNEL_VERSIONS),$(eval $(call kunit_suite,$(version))))

# a run that must fail
suite-broken:
	@if kunit/kunit.py --break $(KERNEL_VERSION) >$(B)/broken.txt; \
		then echo "not ok 1 - make kunit fails when the core is broken"; \
		else echo "ok 1 - make kunit fails when the core is broken"; fi
	@if grep -q '^ *not ok .* vectors' $(B)/broken.txt; \
		then echo "ok 2 - by a case that shows it"; \
		else echo "not ok 2 - by a case that shows it"; fi
	@echo 1..2

SUITES += broken

kunit: deps-kernels ## run the KUnit suite, on both kernels or on KERNEL=/path
	@for version in $(KERNEL_VERSIONS); do kunit/kunit.py $$version || exit 1; done

.PHONY: kunit suite-broken
