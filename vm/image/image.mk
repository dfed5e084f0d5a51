# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The guard as people have it: its package in a whole Debian with systemd.

IMAGE := $(B)/image
IMAGE_TESTS := mount_test matrix_test

$(IMAGE)/hammer: vm/image/guest/hammer.c
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -static $< -o $@

# Suites run side by side: each takes a copy of its own before the next one makes it.
define IMAGE_BOOT
	@mkdir -p $(IMAGE)
	@flock $(IMAGE)/lock sh -ec '$(MAKE) -s --no-print-directory DEPS=no image-disk; \
		rm -rf $(IMAGE)/$@; cp -r $(IMAGE)/disk $(IMAGE)/$@' >&2
	@vm/image/boot.py --timeout 1800 --logs $(IMAGE)
endef

# What the guest finds on its disk: the script, packages, static programs, and what
# make install-guard would put into the root.
IMAGE_PROGRAMS := $(IMAGE)/hammer $(IMAGE_TESTS:%=$(B)/vm/%)
image-disk: $(IMAGE_PROGRAMS)
	@vm/image/packages.sh $(IMAGE)/packages
	@rm -rf $(IMAGE)/disk && mkdir -p $(IMAGE)/disk/tests
	@cp -r $(IMAGE)/packages/first $(IMAGE)/packages/second \
		$(IMAGE)/hammer vm/image/guest/*.sh $(IMAGE)/disk
	@mv $(IMAGE)/disk/run.sh $(IMAGE)/disk/run
	@cp $(IMAGE_TESTS:%=$(B)/vm/%) $(IMAGE)/disk/tests
	@$(MAKE) -s --no-print-directory DEPS=no DESTDIR=$(IMAGE)/disk/sources \
		install-guard

IMAGE_LSM := capability,landlock,lockdown,yama,apparmor

suite-guard-system-bookworm suite-guard-system-trixie: \
suite-guard-system-%: $(IMAGE_PROGRAMS)
	$(IMAGE_BOOT) $* $(IMAGE)/$@ install guarded \
		cannot:lsm=$(IMAGE_LSM) remove sources enabled

suite-guard-apparmor suite-guard-selinux: suite-guard-%: $(IMAGE_PROGRAMS)
	$(IMAGE_BOOT) trixie $(IMAGE)/$@ $*:security=$*

FULL_SUITES += guard-system-bookworm guard-system-trixie guard-apparmor \
	guard-selinux

.PHONY: image-disk suite-guard-system-bookworm suite-guard-system-trixie \
	suite-guard-apparmor suite-guard-selinux
