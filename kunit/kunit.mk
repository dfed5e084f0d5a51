# SPDX-License-Identifier: GPL-2.0-only OR MIT
# KUnit by the kernel's own kunit.py.

kunit: deps-kernels $(ARCH:%=deps-architectures) ## run the KUnit suite, on each kernel of vm/kernels or on KERNEL=/path, or on ARCH=s390x, emulated
	@for version in $(if $(ARCH),$(KERNEL_VERSION),$(KERNEL_VERSIONS)); do \
		kunit/kunit.py $(ARCH:%=--for %) $$version || exit 1; done

kunit-all: deps-kernels deps-architectures ## run KUnit on all architectures of vm/architectures, a minute or two for each kernel
	@for architecture in $(architecture); do \
		kunit/kunit.py --for $$architecture $(KERNEL_VERSION) || exit 1; done

.PHONY: kunit kunit-all
