# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The guard: the mount option on kernels that were not built with it.

BPF_CLANG ?= clang
BPFTOOL ?= $(firstword $(wildcard /usr/sbin/bpftool /sbin/bpftool) bpftool)
BPF_HEADERS := $(wildcard bpf/kernel/*.h bpf/shared/*.h)
GUARD_HEADERS := $(wildcard bpf/user/*.h bpf/shared/*.h)
# output.c of the command: both commands write names in one way.
GUARD_SOURCES := $(sort $(wildcard bpf/user/*.c)) tools/command/base/output.c utf8val.c
GUARD_OBJECTS := $(GUARD_SOURCES:%.c=$(B)/guard/%.o)
GUARD_LANGUAGE := -std=gnu11 -D_GNU_SOURCE -I. -Itools/command
GUARD_CFLAGS := $(GUARD_LANGUAGE) \
	-DGUARD_KERNELS='"$(subst $(space),$(comma) ,$(sort $(STOCK_KERNELS)))"'

guard: deps-guard $(B)/utf8val-guard ## build utf8val-guard: utf8val= on a distribution's kernel

# The headers are clang's own, and from the system only those of the kernel.
# The prefix keeps the directory of the build out of the object, which has file names.
BPF_CC = $(BPF_CLANG) -target bpf -mcpu=v3 -O2 -g -ffreestanding -I. -Ibpf/kernel \
	-ffile-prefix-map=$(CURDIR)=. \
	-idirafter /usr/include/$(shell $(CC) -dumpmachine) \
	-Wall -Wextra -Werror -Wno-unused-function -Wno-unused-parameter

vpath %.bpf.c bpf/kernel bpf/test
$(B)/guard/%.bpf.o: %.bpf.c bpf/kernel/guard.bpf.c $(wildcard bpf/test/*.h) $(BPF_HEADERS) $(CORE)
	$(Q) $(BPF_CC) -c -o $@ $<

# bpftool does not notice a full disk, so the last line that it writes is looked for.
SKELETON = $(BPFTOOL) gen skeleton $< name $(1) >$@ && grep -q '^\#endif /' $@ || \
	{ echo "$@ is not whole; is the disk full?" >&2; exit 1; }

$(B)/guard/guard.skel.h $(B)/guard/next/guard.skel.h: $(B)/guard/guard.bpf.o
	$(Q) $(call SKELETON,guard)
$(B)/guard/%/guard.skel.h: $(B)/guard/%.bpf.o
	$(Q) $(call SKELETON,guard)

GUARD_CC = $(CC) $(CPPFLAGS) $(CFLAGS) $(WARNINGS) $(GUARD_CFLAGS)
$(B)/guard/bpf/user/obstacles.o: vm/kernels
$(B)/guard/%.o: %.c $(B)/guard/guard.skel.h
	$(Q) $(GUARD_CC) -isystem $(B)/guard -MMD -MP -c -o $@ $<

$(B)/utf8val-guard: $(GUARD_OBJECTS)
	$(Q) $(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lbpf

# What prints bytes of others, for tests/guard_output.py.
$(B)/guard/output.so: bpf/user/print.c tools/command/base/output.c $(CORE) $(GUARD_HEADERS)
	$(Q) $(GUARD_CC) -fPIC -shared -o $@ $(filter %.c,$^)

# Guards for tests: "next" has a later version, and takes over from the guard above; the
# others have the programs of bpf/test/NAME.bpf.c. "blind" lets every name pass, which the
# self-test has to find out; to "no_option" a kernel lets mounts have no option.
TEST_GUARDS := next blind no_option
$(B)/guard/next/start.o: GUARD_CFLAGS += -DGUARD_BUILD=1
$(TEST_GUARDS:%=$(B)/guard/%/start.o): $(B)/guard/%/start.o: bpf/user/start.c \
		$(B)/guard/%/guard.skel.h $(GUARD_HEADERS)
	$(Q) $(GUARD_CC) -isystem $(@D) -c -o $@ $<
$(TEST_GUARDS:%=$(B)/utf8val-guard-%): $(B)/utf8val-guard-%: $(B)/guard/%/start.o \
		$(filter-out %/start.o,$(GUARD_OBJECTS))
	$(Q) $(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lbpf

# the check of names by itself, and the test of that check
$(B)/guard/verdict.skel.h: $(B)/guard/verdict.bpf.o
	$(Q) $(call SKELETON,verdict_bpf)
$(B)/vm/verdict_test: bpf/test/verdict_test.c $(B)/guard/verdict.skel.h $(GUEST_HEADERS) $(CORE)
	$(Q) $(CC) $(filter-out -static,$(GUEST_CFLAGS)) -Ibpf/test -isystem $(B)/guard $< \
		utf8val.c -o $@ -lbpf

guard-headers: FORCE
	@bpf/test/headers.sh '$(BPF_CC)' '$(CC) $(GUARD_LANGUAGE) -Wall -Wextra -Werror'

-include $(wildcard $(GUARD_OBJECTS:.o=.d))

bench-guard: deps-demo $(B)/vm/init $(B)/vm/cost $(B)/utf8val-guard ## measure what the guard costs: instructions per file creation on Debian's kernels, in a VM
	@vm/bench/guard.sh $(B)/vm $(B)/utf8val-guard $(STOCK_KERNELS)

install-guard: guard ## *install the guard, and the units that start it at boot, as install does
	tools/install.sh install $(B) guard

uninstall-guard: ## remove what install-guard has installed
	tools/install.sh remove $(B) guard
