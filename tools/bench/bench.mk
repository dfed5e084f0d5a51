# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The benchmark: this library among its peers, on real names and texts.
#   INPUTS=DIR    other inputs: *.names, one name a line, and *.text
#   ROUNDS=N      how often every peer takes every input, in each of four places
#   OUT=DIR       where the picture goes; docs also writes the tables of docs/speed.md

BENCH := tools/bench
BB := $(B)/bench
ROUNDS ?= 15
INPUTS ?= $(BB)/inputs
OUT ?= $(BB)
BENCH_FLAGS := -std=gnu11 -O2 $(WARNINGS) -Wno-error
BENCH_LIBS = $(shell pkg-config --libs glib-2.0) -lsimdjson -lstdc++ -lpthread -ldl -lm
# The vectors of each kind: what the library, and what the peers are told to use.
BENCH_KINDS := avx512 avx2
core-avx2 := -DUTF8VAL_HAS_AVX512=0
peers-avx2 := SIMDUTF_FORCE_IMPLEMENTATION=haswell SIMDJSON_FORCE_IMPLEMENTATION=haswell
# No release has simdutf yet: a program of Debian 12 can load what unstable has.
SIMDUTF_SUITE := sid

$(BB)/inputs: $(BENCH)/inputs.py
	@echo "bench: making inputs from the installed packages"
	@rm -rf $@
	@$(BENCH)/inputs.py $@

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
BENCH_SOURCES := $(CORE) $(BENCH)/bench.c $(BENCH)/peers.c $(BENCH)/bench.h

# The library and the glue by compiler $1 with vectors $2, in all places. The library
# stands last, because its alignment would put all code after it in one place.
define bench-programs
$(BB)/$1-$2.built: $(BENCH_SOURCES) $(BB)/librust.a $(BB)/simd.o
	@mkdir -p $(BB)/$1-$2
	@$1 -std=gnu11 -O2 -DUTF8VAL_ENGINE_VECTOR=1 $(core-$2) -c utf8val.c \
		-o $(BB)/$1-$2/core.o
	@for file in bench peers; do \
		$1 $(BENCH_FLAGS) $$$$(pkg-config --cflags glib-2.0) \
			-c $(BENCH)/$$$$file.c -o $(BB)/$1-$2/$$$$file.o || exit; done
	@for place in $(BENCH_PLACES); do \
		printf '.text\n.p2align 6\n.skip %s, 0x90\n%s\n' $$$$place \
			'.section .note.GNU-stack' | as -o $(BB)/place.o && \
		$1 $(BB)/$1-$2/bench.o $(BB)/$1-$2/peers.o $(BB)/place.o \
			$(BB)/librust.a $(BB)/simd.o $$$$(cat $(BB)/simdutf.so) \
			-Wl,-rpath,$$$$(dirname $$$$(cat $(BB)/simdutf.so)) \
			$(BB)/$1-$2/core.o $$(BENCH_LIBS) -o $(BB)/$1-$2/$$$$place || exit; done
	@touch $$@
endef
$(foreach cc,gcc clang,$(foreach kind,$(BENCH_KINDS),$(eval $(call bench-programs,$(cc),$(kind)))))

# arm64, emulated: the same program, whose instructions a plugin of QEMU counts. What the
# peers need of arm64 is fetched: Rust's library, which must be of the version of Debian's
# compiler, simdjson and simdutf.
BENCH_RELEASE = $(shell . /etc/os-release && echo $$VERSION_CODENAME)
BENCH_PLUGIN = $(shell qemu-aarch64 --version | sed -nE 's/.*version ([0-8])\..*/1/p')
$(BB)/neon.built: $(BENCH_SOURCES) $(BENCH)/simd.cpp $(BENCH)/rust.rs $(BENCH)/count.c tools/fetch.sh
	@mkdir -p $(BB)/neon
	@gcc -O2 -shared -fPIC -DPLUGIN_VERSION=$(or $(BENCH_PLUGIN),2) $(BENCH)/count.c \
		-o $(BB)/neon/count.so
	@own=$$(tools/fetch.sh --follow '^libstd-rust-[0-9]' $(BENCH_RELEASE)/arm64 libstd-rust-dev) && \
		/usr/bin/rustc --edition 2021 -O --crate-type staticlib \
			--target aarch64-unknown-linux-gnu \
			--sysroot "$$(echo "$$own" | grep /libstd-rust-dev_)/usr" \
			-o $(BB)/neon/librust.a $(BENCH)/rust.rs
	@json=$$(tools/fetch.sh --follow '^libsimdjson' $(BENCH_RELEASE)/arm64 libsimdjson-dev) && \
		utf=$$(tools/fetch.sh --follow '^libsimdutf' $(SIMDUTF_SUITE)/arm64 libsimdutf-dev) && \
		libraries=$$(find $$json $$utf -name '*.so.*' -type f) && \
		aarch64-linux-gnu-g++ -std=c++17 -O2 -c \
			$$(printf -- '-isystem %s/usr/include ' $$json $$utf) \
			$(BENCH)/simd.cpp -o $(BB)/neon/simd.o && \
		for file in $(BENCH)/bench.c $(BENCH)/peers.c utf8val.c; do \
			aarch64-linux-gnu-gcc $(BENCH_FLAGS) -DBENCH_COUNT -c $$file \
				-o $(BB)/neon/$$(basename $$file .c).o || exit; done && \
		aarch64-linux-gnu-g++ $(BB)/neon/*.o $(BB)/neon/librust.a $$libraries \
			$$(for each in $$libraries; do printf -- '-Wl,-rpath,%s ' \
				$$(dirname $$each); done) -lpthread -ldl -o $(BB)/neon/bench
	@touch $@

bench: deps-bench ## compare speed with Rust, simdjson, simdutf and GLib (INPUTS=DIR ROUNDS=N), four minutes
	@$(MAKE) --no-print-directory -s $(BB)/neon.built $(INPUTS) \
		$(foreach cc,gcc clang,$(BENCH_KINDS:%=$(BB)/$(cc)-%.built))
	@echo "bench: arm64 under QEMU, ten seconds"
	@qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_BIND_NOW=1 -plugin $(BB)/neon/count.so \
		$(BB)/neon/bench 1 $(INPUTS)/*.names $(INPUTS)/*.text \
		>$(BB)/neon/rows 2>$(BB)/neon/counts
	@grep -v '^#' $(BB)/neon/rows | paste - $(BB)/neon/counts >$(BB)/neon.tsv
	@$(foreach kind,$(BENCH_KINDS),for cc in gcc clang; do \
		echo "bench: $(kind), $$cc, half a minute" && \
		for place in $(BENCH_PLACES); do \
			$(peers-$(kind)) $(BB)/$$cc-$(kind)/$$place $(ROUNDS) $(INPUTS)/*.names \
				$(INPUTS)/*.text || exit; done >$(BB)/$$cc-$(kind).tsv || exit; done;)
	@$(BENCH)/report.py $(BB) -o $(OUT)

.PHONY: bench
