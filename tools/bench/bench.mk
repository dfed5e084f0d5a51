# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The benchmark: this library among its peers, on real names and texts.
#   INPUTS=DIR    other inputs: *.names, one name a line, and *.text
#   ROUNDS=N      how often every peer takes every input, in each of four places
#   OUT=DIR       where the tables and the picture go; docs when they are to stay

BENCH := tools/bench
BB := $(B)/bench
ROUNDS ?= 31
INPUTS ?= $(BB)/inputs
OUT ?= $(BB)
BENCH_KERNEL ?= /usr/src/linux-source-$(firstword $(STOCK_KERNELS)).tar.xz
BENCH_LIBS = $(shell pkg-config --libs glib-2.0 icu-uc) -lunistring -lsimdjson \
	-lstdc++ -lpthread -ldl -lm
# No release has simdutf yet: a program of Debian 12 can load what unstable has.
SIMDUTF_SUITE := sid
# The core is built as a kernel would build it, whatever the compiler.
BENCH_CORE := -std=gnu11 -O2 -mgeneral-regs-only

$(BB)/inputs: $(BENCH)/inputs.py
	@echo "bench: making inputs from the installed packages"
	@rm -rf $@
	@$(BENCH)/inputs.py $@

# fs/unicode out of the sources of the kernel; one shim stands for all headers.
$(BB)/kernel/utf8n.h: $(BENCH)/kernel/shim.h
	@mkdir -p $(@D)/linux
	@echo "bench: unpacking fs/unicode, half a minute"
	@tar -xf $(BENCH_KERNEL) -C $(@D) --strip-components=3 --wildcards \
		'*/fs/unicode/utf8n.h' '*/fs/unicode/utf8-norm.c' \
		'*/fs/unicode/utf8data.c_shipped'
	@tar -xf $(BENCH_KERNEL) -C $(@D) --strip-components=2 --wildcards \
		'*/include/linux/unicode.h'
	@for name in export string module init dcache; do \
		echo '#include "shim.h"' >$(@D)/linux/$$name.h; done
	@mv $(@D)/utf8data.c_shipped $(@D)/utf8data.c
	@touch $@

$(BB)/kernel.o: $(BB)/kernel/utf8n.h $(BENCH)/kernel/peer.c
	@for file in $(BB)/kernel/utf8-norm $(BB)/kernel/utf8data \
		$(BENCH)/kernel/peer; do \
		gcc -O2 -std=gnu11 -I$(BENCH)/kernel -I$(BB)/kernel \
			-include shim.h -c $$file.c \
			-o $(BB)/kernel/$${file##*/}.o || exit; done
	@ld -r $(BB)/kernel/*.o -o $@

$(BB)/librust.a: $(BENCH)/rust.rs
	@mkdir -p $(@D)
	@rustc --edition 2021 -O --crate-type staticlib -o $@ $<

# simdutf is fetched, and runs from the cache.
$(BB)/simd.o: $(BENCH)/simd.cpp $(BENCH)/bench.h tools/fetch.sh
	@mkdir -p $(@D)
	@dirs=$$(tools/fetch.sh --follow '^libsimdutf' $(SIMDUTF_SUITE) libsimdutf-dev) && \
		g++ -std=c++17 -O2 -c $$(printf -- '-isystem %s/usr/include ' $$dirs) $< -o $@.new && \
		find $$dirs -name 'libsimdutf.so.*' -type f >$(BB)/simdutf.so && \
		[ -s $(BB)/simdutf.so ] && mv $@.new $@

# Where a loop lies in the lines of the cache decides up to a quarter of its speed, and
# depends on the code before the loop. So a peer that is linked in has the best of four
# places. Shared libraries, and the fast engine, which aligns itself, have one place.
BENCH_PLACES := 16 32 48 64

# The library and the glue, by the compiler in the name, in all places at once. The
# library stands last, because its alignment would put all code after it in one place.
$(BENCH_PLACES:%=$(BB)/bench-\%-%): $(CORE) $(BENCH)/bench.c $(BENCH)/peers.c \
		$(BENCH)/bench.h $(BB)/kernel.o $(BB)/librust.a $(BB)/simd.o
	@$* -std=gnu11 -O2 -DUTF8VAL_ENGINE_VECTOR=1 -c utf8val.c -o $(BB)/$*-fast.o
	@$* $(BENCH_CORE) -DUTF8VAL_ENGINE_COMPACT=1 -c utf8val.c \
		-o $(BB)/$*-compact.o
	@objcopy --prefix-symbols=compact_ $(BB)/$*-compact.o
	@for file in bench peers; do \
		$* -std=gnu11 -O2 $(WARNINGS) -Wno-error -isystem /usr/include \
			$$(pkg-config --cflags glib-2.0 icu-uc) \
			-c $(BENCH)/$$file.c -o $(BB)/$*-$$file.o || exit; done
	@for place in $(BENCH_PLACES); do \
		printf '.text\n.p2align 6\n.skip %s, 0x90\n%s\n' $$place \
			'.section .note.GNU-stack' | as -o $(BB)/place.o && \
		$* $(BB)/$*-bench.o $(BB)/$*-peers.o $(BB)/place.o \
			$(BB)/librust.a $(BB)/simd.o $(BB)/kernel.o \
			$$(cat $(BB)/simdutf.so) -Wl,-rpath,$$(dirname $$(cat $(BB)/simdutf.so)) \
			$(BB)/$*-compact.o $(BB)/$*-fast.o $(BENCH_LIBS) \
			-o $(BB)/bench-$*-$$place || exit; done

bench: deps-bench ## compare speed with Rust, simdjson, simdutf, GLib, ... (INPUTS=DIR ROUNDS=N), minutes
	@$(MAKE) --no-print-directory -s $(BENCH_PLACES:%=$(BB)/bench-gcc-%) \
		$(BENCH_PLACES:%=$(BB)/bench-clang-%) $(INPUTS)
	@for cc in gcc clang; do \
		echo "bench: $$cc, a minute or two" && \
		for place in $(BENCH_PLACES); do \
			$(BB)/bench-$$cc-$$place $(ROUNDS) $(INPUTS)/*.names \
				$(INPUTS)/*.text || exit; done >$(BB)/$$cc.tsv && \
		$(BENCH)/whole.py $(ROUNDS) $(INPUTS)/*.text \
			>>$(BB)/$$cc.tsv || exit; done
	@$(BENCH)/report.py $(BB)/gcc.tsv $(BB)/clang.tsv -o $(OUT)

# count-MACHINE-ENGINE, static, so that callgrind needs no 32-bit libraries
COUNTED := $(foreach machine,x86-64 i386,$(foreach engine,fast compact word,\
	$(BB)/count-$(machine)-$(engine)))

$(BB)/count-%: $(CORE) $(BENCH)/count.c
	@mkdir -p $(@D)
	@$(CC) $(BENCH_CORE) $(if $(findstring i386,$*),-m32,-m64) \
		-DUTF8VAL_ENGINE_$(shell echo $(lastword $(subst -, ,$*)) | \
		tr a-z A-Z)=1 $(BENCH)/count.c utf8val.c -static -o $@

bench-instructions: deps-bench $(COUNTED) $(INPUTS) ## count instructions per byte on 64 and 32 bits, a minute
	@$(BENCH)/instructions.py $(INPUTS) $(COUNTED)

.PHONY: bench bench-instructions
