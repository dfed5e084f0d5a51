# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The guard: the mount option on kernels that were not built with it.

BPF_CLANG ?= clang
BPFTOOL ?= $(firstword $(wildcard /usr/sbin/bpftool /sbin/bpftool) bpftool)
BPF_HEADERS := $(wildcard bpf/kernel/*.h bpf/shared/*.h)
GUARD_HEADERS := $(wildcard bpf/user/*.h bpf/shared/*.h)
GUARD_SOURCES := $(sort $(wildcard bpf/user/*.c)) utf8val.c
GUARD_OBJECTS := $(GUARD_SOURCES:%.c=$(B)/guard/%.o)
GUARD_CFLAGS := -std=gnu11 -D_GNU_SOURCE -I. \
	-DGUARD_KERNELS='"$(subst $(space),$(comma) ,$(sort $(STOCK_KERNELS)))"'

guard: deps-guard $(B)/utf8val-guard ## build utf8val-guard: utf8val= on a distribution's kernel

# The headers are clang's own, and from the system only those of the kernel.
# The prefix keeps the directory of the build out of the object, which has file names.
BPF_CC = $(BPF_CLANG) -target bpf -mcpu=v3 -O2 -g -ffreestanding -I. -Ibpf/kernel \
	-ffile-prefix-map=$(CURDIR)=. \
	-idirafter /usr/include/$(shell $(CC) -dumpmachine) \
	-Wall -Wextra -Werror -Wno-unused-function -Wno-unused-parameter

$(B)/guard/guard.bpf.o: bpf/kernel/guard.bpf.c $(BPF_HEADERS) $(CORE)
	@mkdir -p $(@D)
	$(Q) $(BPF_CC) -c -o $@ $<

# bpftool does not notice a full disk, so the last line that it writes is looked for.
SKELETON = $(BPFTOOL) gen skeleton $(1) name $(2) >$@ && grep -q '^\#endif /' $@ || \
	{ echo "$@ is not whole; is the disk full?" >&2; exit 1; }

$(B)/guard/guard.skel.h: $(B)/guard/guard.bpf.o
	$(Q) $(call SKELETON,$<,guard)

$(B)/guard/bpf/user/reasons.o: vm/kernels
$(B)/guard/%.o: %.c $(B)/guard/guard.skel.h
	@mkdir -p $(@D)
	$(Q) $(CC) $(CPPFLAGS) $(CFLAGS) $(WARNINGS) $(GUARD_CFLAGS) \
		-isystem $(B)/guard -MMD -MP -c -o $@ $<

$(B)/utf8val-guard: $(GUARD_OBJECTS)
	$(Q) $(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lbpf

# the same guard with a later version, which takes over from the guard above
START_CC = $(CC) $(CPPFLAGS) $(CFLAGS) $(WARNINGS) $(GUARD_CFLAGS) -isystem $(1) -c -o $@ $<
$(B)/guard/next.o: bpf/user/start.c $(B)/guard/guard.skel.h $(GUARD_HEADERS)
	$(call START_CC,$(B)/guard) -DGUARD_BUILD=1
$(B)/utf8val-guard-next: $(filter-out %/start.o,$(GUARD_OBJECTS)) $(B)/guard/next.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lbpf

# others, with the programs of bpf/test/$(1).bpf.c: one is blind and lets every name pass,
# which the self-test has to find out; to one a kernel lets mounts take no option
define TEST_GUARD
$(B)/guard/$(1)/guard.bpf.o: bpf/test/$(1).bpf.c bpf/kernel/guard.bpf.c $$(BPF_HEADERS) $$(CORE)
	@mkdir -p $$(@D)
	$$(BPF_CC) -c -o $$@ $$<
$(B)/guard/$(1)/guard.skel.h: $(B)/guard/$(1)/guard.bpf.o
	$$(call SKELETON,$$<,guard)
$(B)/guard/$(1)/start.o: bpf/user/start.c $(B)/guard/$(1)/guard.skel.h $$(GUARD_HEADERS)
	$$(call START_CC,$(B)/guard/$(1))
$(B)/utf8val-guard-$(1): $$(filter-out %/start.o,$$(GUARD_OBJECTS)) $(B)/guard/$(1)/start.o
	$$(CC) $$(CFLAGS) $$(LDFLAGS) -o $$@ $$^ -lbpf
endef
$(foreach test,blind untaken,$(eval $(call TEST_GUARD,$(test))))

# the check of names by itself, and the test of that check
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

bench-guard: deps-demo $(B)/vm/init $(B)/vm/cost $(B)/utf8val-guard ## measure what the guard costs: instructions per file creation on Debian's kernels, in a VM
	@vm/bench/guard.sh $(B)/vm $(B)/utf8val-guard $(STOCK_KERNELS)

.PHONY: bench-guard
