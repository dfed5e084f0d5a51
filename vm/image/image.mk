# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The guard as its users have it: the package in a full Debian system with systemd.

IMAGE := $(B)/image
IMAGE_TESTS := mount_test matrix_test

$(IMAGE)/hammer: vm/image/guest/hammer.c
	$(Q) $(CC) $(GUEST_CFLAGS) $< -o $@

# The guest's disk: the script, packages, static programs, and the files that make
# install-guard installs. Suites run side by side: each has its own directory.
$(IMAGE)/%/run: $(IMAGE)/hammer $(IMAGE_TESTS:%=$(B)/vm/%) $(B)/utf8val-guard $(B)/utf8val-static FORCE
	@vm/image/packages.sh $(IMAGE)/packages
	@rm -rf $(@D) && mkdir -p $(@D)/tests
	@cp -r $(IMAGE)/packages/first $(IMAGE)/packages/second \
		$(IMAGE)/hammer vm/image/guest/*.sh tests/lib/tap.sh $(@D)
	@cp $(IMAGE_TESTS:%=$(B)/vm/%) $(@D)/tests
	@cp $(B)/utf8val-static $(@D)/utf8val
	@$(MAKE) -s --no-print-directory DEPS=no DESTDIR=$(@D)/sources install-guard
	@mv $(@D)/run.sh $@

rehearse: deps-rehearse ## try the guard in a full Debian system with a shell on this terminal, on disks that may break: docs/rehearse.md [NEW=yes] [PACKAGES='more of them'] [APPEND='for the kernel']
	@vm/image/rehearse.py $(if $(NEW),--new) --append=$(call quote,$(APPEND)) \
		--packages=$(call quote,$(PACKAGES)) $(IMAGE)/packages $(call quote,$(or $(REHEARSAL),$(B)/rehearse))
