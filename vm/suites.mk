# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The mount option through every way in. `make check` has what the small kernel
# can do; check-vm-full the rest, on kernels with more file systems and with
# the kernel's own checkers.

FULL_DISKS := ext4 xfs btrfs vfat
STRESS_SECONDS ?= 60

# $(1) what the suites' names end with, $(2) kernel.sh's arguments, $(3) the
# machine's, $(4) file systems on disks, $(5) others that are only for the matrix
define option_suites
suite-matrix-$(1): $$(B)/vm/init $$(B)/vm/matrix_test
	@$$(call VM,$(2)) --fs none $(3) $(4:%=--disk %) \
		$$(B)/vm/matrix_test tmpfs $(4) $(5)
suite-state-$(1): $$(B)/vm/init $$(B)/vm/state_test
	@$$(call VM,$(2)) --fs none --cpus 2 $(3) $(4:%=--disk %) \
		$$(B)/vm/state_test tmpfs $(4)
suite-repair-$(1): $$(B)/vm/init $$(B)/vm/repair_test
	@$$(call VM,$(2)) --fs none $(3) $(4:%=--disk %) \
		$$(B)/vm/repair_test tmpfs $(4)
suite-observe-$(1): $$(B)/vm/init $$(B)/vm/observe_test
	@$$(call VM,$(2)) --fs none $(3) $$(B)/vm/observe_test
suite-persist-$(1): $$(B)/vm/init $$(B)/vm/persist_test $$(B)/utf8val-static
	@$$(call VM,$(2)) --fs none $(3) --disk stranger $(4:%=--disk %) \
		--append "utf8val.persistent=on utf8val.default=audit" \
		--file $$(B)/utf8val-static:/bin/utf8val \
		$$(B)/vm/persist_test asked stranger tmpfs $(4:vfat=)
suite-unasked-$(1): $$(B)/vm/init $$(B)/vm/persist_test $$(B)/utf8val-static
	@$$(call VM,$(2)) --fs none $(3) --disk stranger $(4:%=--disk %) \
		--file $$(B)/utf8val-static:/bin/utf8val \
		$$(B)/vm/persist_test unasked stranger tmpfs $(4:vfat=)
.PHONY: $(addprefix suite-,$(addsuffix -$(1),matrix state repair observe persist unasked))
endef

# as a developer of the kernel compiles it: with what the kernel's tree has
SELFTEST_CC = build=$$(vm/kernel.sh $(1)) && $(CC) -Wall -O2 -static \
	-I"$$build/source/tools/testing/selftests/utf8val"

define small_suites
suite-mount-$(1): $$(B)/vm/init $$(B)/vm/mount_test
	@$$(call VM,$(1)) --fs none --disk ext4 --disk exfat \
		--disk casefold --disk vfat $$(B)/vm/mount_test exfat casefold vfat
suite-source-$(1):
	@vm/source-checks.sh $(1)
suite-patches-$(1):
	@vm/patches.sh $(1)
suite-steps-$(1):
	@vm/steps.sh $(1)
$$(B)/selftest-$(1)/utf8val_test: kernel/selftests/utf8val_test.c
	@mkdir -p $$(@D)
	@$$(call SELFTEST_CC,$(1)) $$< -o $$@
suite-selftest-$(1): $$(B)/vm/init $$(B)/selftest-$(1)/utf8val_test
	@$$(call VM,$(1)) --fs none $$(B)/selftest-$(1)/utf8val_test
$(call option_suites,$(1),$(1),,ext4,)
suite-boot-$(1): $$(B)/vm/init $$(B)/vm/boot_test
	@vm/boots.sh $(1) $$(B)/vm
suite-stress-$(1): $$(B)/vm/init $$(B)/vm/stress_test
	@$$(call VM,$(1)) --fs none --cpus 2 --disk ext4 \
		$$(B)/vm/stress_test 5
$(call SUITES_OF,$(1)) += $(addsuffix -$(1),mount source patches matrix state repair observe \
	persist unasked boot stress selftest)
FULL_SUITES += steps-$(1)
.PHONY: suite-steps-$(1) suite-mount-$(1) suite-source-$(1) suite-patches-$(1) suite-boot-$(1) suite-stress-$(1) suite-selftest-$(1)
endef

# SELinux, built in, is started only where lsm= says so
ALONE := landlock,utf8val
FULL_ARGS := --memory 2048 --timeout 3600
FULL_VM = $(call VM,$(1) $(2)) --fs none $(FULL_ARGS)
POLICY = build=$$(vm/kernel.sh $(1) $(2)) && \
	vm/selinux-policy.sh "$$build" $(B)/policy-$(1)-$(2)

# smack_fs_context_parse_param(), in both kernels, takes the string that it is
# given and forgets to free it: kmemleak would tell of every one
SMACK := LEAKS=ignored

# $(1) a version, $(2) a flavour
define full_suites
$(call option_suites,$(1)-$(2),$(1) $(2),$(FULL_ARGS) --append lsm=$$(ALONE),$(FULL_DISKS),upper overlay)
suite-mount-$(1)-$(2): $$(B)/vm/init $$(B)/vm/mount_test
	@$$(call FULL_VM,$(1),$(2)) --append lsm=$$(ALONE) --disk ext4 \
		--disk exfat --disk casefold --disk vfat $$(B)/vm/mount_test exfat casefold vfat
suite-subvolume-$(1)-$(2): $$(B)/vm/init $$(B)/vm/subvolume_test
	@$$(call FULL_VM,$(1),$(2)) --append lsm=$$(ALONE) --disk btrfs \
		$$(B)/vm/subvolume_test
suite-nfs-$(1)-$(2): $$(B)/vm/init $$(B)/vm/nfs_test
	@$$(call FULL_VM,$(1),$(2)) --append lsm=$$(ALONE) --cpus 2 \
		--disk ext4 --disk ext4 $$(B)/vm/nfs_test
suite-special-$(1)-$(2): $$(B)/vm/init $$(B)/vm/special_test
	@$$(call FULL_VM,$(1),$(2)) \
		--append "lsm=$$(ALONE) utf8val.persistent=on" \
		$$(B)/vm/special_test
suite-stress-$(1)-$(2): $$(B)/vm/init $$(B)/vm/stress_test
	@$$(call FULL_VM,$(1),$(2)) --append lsm=$$(ALONE) --cpus 2 \
		--disk ext4 $$(B)/vm/stress_test $$(STRESS_SECONDS)
suite-selinux-$(1)-$(2): $$(B)/vm/init $$(B)/vm/other_lsm_test
	@$$(call POLICY,$(1),$(2))
	@$$(call FULL_VM,$(1),$(2)) --file $$(B)/policy-$(1)-$(2):/policy \
		--append "lsm=utf8val,selinux utf8val.default=enforce" \
		$$(B)/vm/other_lsm_test selinux
suite-selinux-first-$(1)-$(2): $$(B)/vm/init $$(B)/vm/other_lsm_test
	@$$(call POLICY,$(1),$(2))
	@$$(call FULL_VM,$(1),$(2)) --file $$(B)/policy-$(1)-$(2):/policy \
		--append lsm=selinux,utf8val $$(B)/vm/other_lsm_test selinux
suite-smack-$(1)-$(2): $$(B)/vm/init $$(B)/vm/other_lsm_test
	@$$(call FULL_VM,$(1),$(2)) \
		--append "lsm=utf8val,smack utf8val.default=enforce $$(SMACK)" \
		$$(B)/vm/other_lsm_test smack
suite-smack-first-$(1)-$(2): $$(B)/vm/init $$(B)/vm/other_lsm_test
	@$$(call FULL_VM,$(1),$(2)) --append "lsm=smack,utf8val $$(SMACK)" \
		$$(B)/vm/other_lsm_test smack first
suite-regress-$(1)-$(2): $$(B)/vm/init $$(B)/vm/regress_test
	@$$(call FULL_VM,$(1),$(2)) --append lsm=$$(ALONE) --cpus 2 \
		--disk ext4 --program /usr/bin/stress-ng:/usr/bin/stress-ng \
		$$(B)/vm/regress_test
FULL_SUITES += $(addsuffix -$(1)-$(2),regress matrix mount state repair observe persist \
	unasked nfs subvolume \
	special stress selinux selinux-first smack smack-first)
.PHONY: $(addprefix suite-,$(addsuffix -$(1)-$(2),regress mount nfs subvolume special \
	stress selinux selinux-first smack smack-first))
endef

$(foreach version,$(KERNEL_VERSIONS),\
	$(eval $(call small_suites,$(version)))\
	$(eval $(call full_suites,$(version),std+full))\
	$(eval $(call full_suites,$(version),full+debug)))

suite-rules:
	@vm/rules.sh
SUITES += rules
.PHONY: suite-rules

check-vm-full: deps-check deps-vm-full $(B)/skips ## run all tests in VMs, also on more file systems and on checked kernels (hours: some twenty more kernels)
	@$(TALLY) $(FULL_SUITES)

.PHONY: check-vm-full

bench-vm: deps-kernels $(B)/vm/init $(B)/vm/cost $(B)/vm/module_cost ## measure what the mount option costs: instructions per file creation and per name, in a VM
	@vm/bench/bench.sh $(KERNEL_VERSION) $(B)/vm $(B)/module

.PHONY: bench-vm
