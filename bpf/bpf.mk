# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The guard: the mount option on kernels that were not built with it.

BPF_CLANG ?= clang
BPFTOOL ?= $(firstword $(wildcard /usr/sbin/bpftool /sbin/bpftool) bpftool)
BPF_HEADERS := $(wildcard bpf/*.h)
GUARD_SOURCES := $(sort $(filter-out bpf/%.bpf.c,$(wildcard bpf/*.c))) utf8val.c
GUARD_OBJECTS := $(GUARD_SOURCES:%.c=$(B)/guard/%.o)

guard: deps-guard $(B)/utf8val-guard ## build utf8val-guard: utf8val= on a distribution's kernel

# clang's own headers, and of the system's only the kernel's
$(B)/guard/guard.bpf.o: bpf/guard.bpf.c $(BPF_HEADERS) $(CORE)
	@mkdir -p $(@D)
	@	$(BPF_CLANG) -target bpf -mcpu=v3 -O2 -g -ffreestanding -I. -Ibpf \
		-idirafter /usr/include/$(shell $(CC) -dumpmachine) \
		-Wall -Wextra -Werror -Wno-unused-function \
		-Wno-unused-parameter -c -o $@ $<

$(B)/guard/guard.skel.h: $(B)/guard/guard.bpf.o
	$(BPFTOOL) gen skeleton $< name guard >$@

$(B)/guard/%.o: %.c $(B)/guard/guard.skel.h
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(WARNINGS) -std=gnu11 -D_GNU_SOURCE -I. \
		-isystem $(B)/guard -MMD -MP -c -o $@ $<

$(B)/utf8val-guard: $(GUARD_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lbpf

# for a machine whose only programs these are
$(B)/utf8val-guard-static: $(GUARD_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) -static -o $@ $^ -lbpf -lelf -lz

-include $(GUARD_OBJECTS:.o=.d)

.PHONY: guard
