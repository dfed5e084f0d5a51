# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The guard: the mount option on kernels that were not built with it.

BPF_CLANG ?= clang
BPFTOOL ?= $(firstword $(wildcard /usr/sbin/bpftool /sbin/bpftool) bpftool)
BPF_HEADERS := $(wildcard bpf/kernel/*.h bpf/shared/*.h)
GUARD_HEADERS := $(wildcard bpf/user/*.h bpf/shared/*.h)
GUARD_SOURCES := $(sort $(wildcard bpf/user/*.c)) utf8val.c
GUARD_OBJECTS := $(GUARD_SOURCES:%.c=$(B)/guard/%.o)

guard: deps-guard $(B)/utf8val-guard ## build utf8val-guard: utf8val= on a distribution's kernel

# clang's own headers, and of the system's only the kernel's
BPF_CC = $(BPF_CLANG) -target bpf -mcpu=v3 -O2 -g -ffreestanding -I. -Ibpf/kernel \
	-idirafter /usr/include/$(shell $(CC) -dumpmachine) \
	-Wall -Wextra -Werror -Wno-unused-function -Wno-unused-parameter

$(B)/guard/guard.bpf.o: bpf/kernel/guard.bpf.c $(BPF_HEADERS) $(CORE)
	@mkdir -p $(@D)
	$(BPF_CC) -c -o $@ $<

# bpftool does not notice a full disk; the closing line is what it writes last
SKELETON = $(BPFTOOL) gen skeleton $(1) name $(2) >$@ && grep -q '^\#endif /' $@ || \
	{ echo "$@ is not whole; is the disk full?" >&2; exit 1; }

$(B)/guard/guard.skel.h: $(B)/guard/guard.bpf.o
	$(call SKELETON,$<,guard)

$(B)/guard/%.o: %.c $(B)/guard/guard.skel.h
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(WARNINGS) -std=gnu11 -D_GNU_SOURCE -I. \
		-isystem $(B)/guard -MMD -MP -c -o $@ $<

$(B)/utf8val-guard: $(GUARD_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lbpf

# the same guard as a later one, to take over from the other
START_CC = $(CC) $(CPPFLAGS) $(CFLAGS) $(WARNINGS) -std=gnu11 -D_GNU_SOURCE -I. \
	-isystem $(1) -c -o $@ $<
$(B)/guard/next.o: bpf/user/start.c $(B)/guard/guard.skel.h $(GUARD_HEADERS)
	$(call START_CC,$(B)/guard) -DGUARD_BUILD=1
$(B)/utf8val-guard-next: $(filter-out %/start.o,$(GUARD_OBJECTS)) $(B)/guard/next.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lbpf

# a later guard that lets every name pass, which its self-test has to find out
BLIND := $(B)/guard/blind
$(BLIND)/guard.bpf.o: bpf/test/blind.bpf.c bpf/kernel/guard.bpf.c $(BPF_HEADERS) $(CORE)
	@mkdir -p $(@D)
	$(BPF_CC) -c -o $@ $<
$(BLIND)/guard.skel.h: $(BLIND)/guard.bpf.o
	$(call SKELETON,$<,guard)
$(BLIND)/start.o: bpf/user/start.c $(BLIND)/guard.skel.h $(GUARD_HEADERS)
	$(call START_CC,$(BLIND))
$(B)/utf8val-guard-blind: $(filter-out %/start.o,$(GUARD_OBJECTS)) $(BLIND)/start.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lbpf

# the check of names by itself, and the test of it
$(B)/guard/verdict.bpf.o: bpf/test/verdict.bpf.c bpf/test/verdict.h \
		$(BPF_HEADERS) $(CORE)
	@mkdir -p $(@D)
	$(BPF_CC) -c -o $@ $<
$(B)/guard/verdict.skel.h: $(B)/guard/verdict.bpf.o
	$(call SKELETON,$<,verdict_bpf)
$(B)/vm/verdict_test: bpf/test/verdict_test.c $(B)/guard/verdict.skel.h \
		$(wildcard vm/lib/*.h) $(CORE)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -I. -Ibpf/test \
		-Ivm/lib -isystem $(B)/guard $< utf8val.c -o $@ -lbpf

-include $(wildcard $(GUARD_OBJECTS:.o=.d))

.PHONY: guard

# On Debian's own kernels: `make check` has what tells most, check-vm-full the
# rest and all file systems.
GUARD_KERNELS := $(STOCK_KERNELS)
GUARD_DISKS := ext4 xfs btrfs vfat
GUARD_FULL_ARGS := --timeout 3600 --memory 1024
STOCK = stock=$$(vm/stock_kernel.sh $(1)) && vm/run.py --stock "$$stock" \
	--init $(B)/vm/init --fs none
GUARD_VM = $(call STOCK,$(1)) --guard $(B)/utf8val-guard
GUARDS := $(B)/utf8val-guard $(B)/utf8val-guard-next $(B)/utf8val-guard-blind
OTHER_GUARDS := $(foreach which,next blind,\
	--program $(B)/utf8val-guard-$(which):/sbin/utf8val-guard-$(which))
# mount(2) of btrfs on 6.1 is refused, and vfat there is built to refuse bad names by
# itself
GUARD_STATE_DISKS = ext4 xfs $(if $(filter 6.1,$(1)),,btrfs)

# $(1) a version
define guard_suites
suite-guard-mount-$(1): $(B)/vm/init $(B)/vm/mount_test $(B)/utf8val-guard
	@$$(call GUARD_VM,$(1)) --disk ext4 --disk exfat --disk casefold \
		--disk vfat $(B)/vm/mount_test exfat casefold vfat
suite-guard-matrix-$(1): $(B)/vm/init $(B)/vm/matrix_test $(B)/utf8val-guard
	@$$(call GUARD_VM,$(1)) --disk ext4 $(B)/vm/matrix_test tmpfs ext4
suite-guard-command-$(1): $(B)/vm/init $(B)/vm/guard_test \
		$(B)/utf8val-static $(B)/utf8val-guard
	@$$(call GUARD_VM,$(1)) --cpus 2 \
		--file $(B)/utf8val-static:/bin/utf8val $(B)/vm/guard_test
suite-guard-race-$(1): $(B)/vm/init $(B)/vm/guard_race_test $(GUARDS)
	@$$(call GUARD_VM,$(1)) --cpus 2 $(OTHER_GUARDS) \
		$(B)/vm/guard_race_test 2 200 3
suite-guard-trouble-$(1): $(B)/vm/init $(B)/vm/guard_trouble_test $(GUARDS)
	@$$(call GUARD_VM,$(1)) --cpus 2 $(OTHER_GUARDS) \
		$(B)/vm/guard_trouble_test
suite-guard-others-$(1): $(B)/vm/init $(B)/vm/guard_others_test \
		$(B)/utf8val-guard
	@$$(call GUARD_VM,$(1)) --cpus 2 $(B)/vm/guard_others_test 5
suite-guard-verdict-$(1): $(B)/vm/init $(B)/vm/verdict_test
	@$$(call STOCK,$(1)) $(B)/vm/verdict_test 4 4
SUITES += $(addsuffix -$(1),guard-mount guard-matrix guard-command guard-race \
	guard-verdict guard-subvolume)

suite-guard-verdict-full-$(1): $(B)/vm/init $(B)/vm/verdict_test
	@$$(call STOCK,$(1)) --timeout 3600 $(B)/vm/verdict_test 256 6

suite-guard-matrix-full-$(1): $(B)/vm/init $(B)/vm/matrix_test \
		$(B)/utf8val-guard
	@$$(call GUARD_VM,$(1)) $(GUARD_FULL_ARGS) --module overlay \
		$(GUARD_DISKS:%=--disk %) $(B)/vm/matrix_test tmpfs \
		$(GUARD_DISKS) upper overlay
suite-guard-race-full-$(1): $(B)/vm/init $(B)/vm/guard_race_test $(GUARDS)
	@$$(call GUARD_VM,$(1)) $(GUARD_FULL_ARGS) --timeout 14400 --cpus 2 \
		--append preempt=full $(OTHER_GUARDS) \
		$(B)/vm/guard_race_test 0 10000 60
suite-guard-state-$(1): $(B)/vm/init $(B)/vm/state_test $(B)/utf8val-guard
	@$$(call GUARD_VM,$(1)) $(GUARD_FULL_ARGS) --cpus 2 --module overlay \
		$$(patsubst %,--disk %,$$(call GUARD_STATE_DISKS,$(1))) \
		$(B)/vm/state_test tmpfs $$(call GUARD_STATE_DISKS,$(1))
suite-guard-subvolume-$(1): $(B)/vm/init $(B)/vm/subvolume_test \
		$(B)/utf8val-guard
	@$$(call GUARD_VM,$(1)) --disk btrfs $(B)/vm/subvolume_test
suite-guard-repair-$(1): $(B)/vm/init $(B)/vm/repair_test $(B)/utf8val-guard
	@$$(call GUARD_VM,$(1)) $(GUARD_FULL_ARGS) \
		$$(patsubst %,--disk %,$$(call GUARD_STATE_DISKS,$(1))) \
		$(B)/vm/repair_test tmpfs $$(call GUARD_STATE_DISKS,$(1))
suite-guard-observe-$(1): $(B)/vm/init $(B)/vm/observe_test $(B)/utf8val-guard
	@$$(call GUARD_VM,$(1)) $(GUARD_FULL_ARGS) $(B)/vm/observe_test
suite-guard-unasked-$(1): $(B)/vm/init $(B)/vm/persist_test \
		$(B)/utf8val-static $(B)/utf8val-guard
	@$$(call GUARD_VM,$(1)) $(GUARD_FULL_ARGS) --disk ext4 --module overlay \
		--file $(B)/utf8val-static:/bin/utf8val \
		$(B)/vm/persist_test unasked tmpfs ext4
suite-guard-special-$(1): $(B)/vm/init $(B)/vm/special_test $(B)/utf8val-guard
	@$$(call GUARD_VM,$(1)) $(GUARD_FULL_ARGS) --module fuse $(B)/vm/special_test
suite-guard-stress-$(1): $(B)/vm/init $(B)/vm/stress_test $(B)/utf8val-guard
	@$$(call GUARD_VM,$(1)) $(GUARD_FULL_ARGS) --cpus 2 --disk ext4 \
		--append preempt=full $(B)/vm/stress_test $(STRESS_SECONDS)
suite-guard-nfs-$(1): $(B)/vm/init $(B)/vm/nfs_test $(B)/utf8val-guard
	@$$(call GUARD_VM,$(1)) $(GUARD_FULL_ARGS) --cpus 2 --module nfsd \
		--module nfsv3 --module nfsv4 --disk ext4 --disk ext4 \
		$(B)/vm/nfs_test
FULL_SUITES += $(addsuffix -$(1),guard-verdict-full guard-matrix-full guard-race-full \
	guard-state guard-repair guard-observe guard-unasked guard-special guard-stress guard-nfs)
.PHONY: $(addprefix suite-guard-,$(addsuffix -$(1),mount matrix command race trouble others \
	verdict verdict-full matrix-full race-full state subvolume repair observe unasked special stress nfs))
endef
$(foreach version,$(GUARD_KERNELS),$(eval $(call guard_suites,$(version))))
# the newest only in `make check`, for its time
SUITES += $(foreach suite,guard-trouble guard-others,$(patsubst %,$(suite)-%,\
	$(call kernels-in,trouble,check)))
FULL_SUITES += $(foreach suite,guard-trouble guard-others,$(patsubst %,$(suite)-%,\
	$(call kernels-in,trouble,full)))

SUITES += fstab
suite-fstab:
	@tests/guard-fstab.sh
.PHONY: suite-fstab

# Kernels that cannot, as they were started, and what the command says of it;
# integrity is what Secure Boot sets.
REASONS = $(call STOCK,6.12) \
	--program $(B)/utf8val-guard:/sbin/utf8val-guard
suite-guard-reasons: $(B)/vm/init $(B)/vm/guard_refused_test \
		$(B)/vm/mount_test $(B)/utf8val-guard
	@{ { $(REASONS) --append lsm=landlock,yama $(B)/vm/guard_refused_test \
			no-bpf 'landlock,yama,ima,evm,bpf' && \
		$(REASONS) --append lockdown=confidentiality $(B)/vm/guard_refused_test \
			confidentiality lockdown=integrity && \
		$(call GUARD_VM,6.12) --append lockdown=integrity --disk ext4 \
			$(B)/vm/mount_test >$(B)/guard/integrity && \
		echo "ok 1 - lockdown=integrity: mount_test passes"; } || \
		echo "Bail out! status $$?"; } | awk -f tests/lib/one-tap.awk
SUITES += guard-reasons
.PHONY: suite-guard-reasons

bench-guard: deps-demo $(B)/vm/init $(B)/vm/cost $(B)/utf8val-guard ## measure what the guard costs: instructions per file creation on Debian's kernels, in a VM
	@vm/bench/guard.sh $(B)/vm $(B)/utf8val-guard $(GUARD_KERNELS)

.PHONY: bench-guard
