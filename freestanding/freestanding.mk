# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Firmware: the library per core, the same tests on machines in QEMU,
# sizes, instruction counts and packages.

ENGINE ?= compact
ENGINES := compact word
# word-strict is the word engine for programs that trap unaligned accesses
engine-fast := -DUTF8VAL_ENGINE_FAST=1
engine-vector := -DUTF8VAL_ENGINE_VECTOR=1
engine-compact := -DUTF8VAL_ENGINE_COMPACT=1
engine-word := -DUTF8VAL_ENGINE_WORD=1
engine-word-strict := -DUTF8VAL_ENGINE_WORD=1 -mno-unaligned-access
engine-copied := $(engine-compact)
# with -mfloat-abi=soft, $1 being the core, compilers don't use vectors at all
engine-mve = -DUTF8VAL_ENGINE_MVE=1 $(if $(filter %-hard,$1),,-mfloat-abi=softfp)
FW := freestanding
FWB := $(B)/firmware

ARM := arm-none-eabi-
RISCV := riscv64-unknown-elf-

# The names of each core for -mcpu and -march. A core with an FPU comes a second time,
# for programs that pass floating-point arguments in registers of the FPU. The code is
# the same, but the linker refuses to mix the two.
FW_CORES := cortex-m0 cortex-m0plus cortex-m3 cortex-m4 cortex-m7 cortex-m33 \
	cortex-m55 rv32imac
FW_HARD := cortex-m4-hard cortex-m7-hard cortex-m33-hard cortex-m55-hard
fw-cross = $(if $(filter rv32%,$1),$(RISCV),$(ARM))
fw-machine = $(if $(filter rv32%,$1),-march=$1_zicsr -mabi=ilp32 -mcmodel=medany \
	-msmall-data-limit=0,\
	-mthumb -masm-syntax-unified -mcpu=$(1:-hard=) \
	-mfloat-abi=$(if $(filter %-hard,$1),hard,soft))

FW_CFLAGS := -std=gnu11 -Os -ffreestanding -ffunction-sections -fdata-sections \
	-fcallgraph-info=su

# by Clang, to compare
fw-clang-machine = $(if $(filter rv32%,$1),\
	--target=riscv32-unknown-elf -march=$1 -mabi=ilp32 -mcmodel=medany,\
	--target=arm-none-eabi -mthumb -mcpu=$1 -mfloat-abi=soft -fshort-enums)
FW_CLANG_CFLAGS := -std=gnu11 -Oz -ffreestanding -ffunction-sections -fdata-sections \
	-fstack-usage

# $(FWB)/ENGINE/CORE/libutf8val.a: the library of a core with an engine. Instead of an engine
# there may also be "peers", whose size is measured; "copied", compiled as who copies the
# files may do; and clang-ENGINE or clang-peers, compiled by Clang.
fw-engines := $(ENGINES) mve fast word-strict peers copied
fw-what = $(firstword $(subst /, ,$1))
fw-core = $(lastword $(subst /, ,$1))
fw-compile = $(if $(filter clang-%,$2),clang $(call fw-clang-machine,$1) $(FW_CLANG_CFLAGS),\
	$(call fw-cross,$1)gcc $(call fw-machine,$1) \
	$(filter-out $(if $(filter copied,$2),-fdata-sections),$(FW_CFLAGS)))
fw-warnings = $(if $(filter clang-peers,$1),,$(filter-out $(if $(filter peers,$1),-Wpedantic),\
	$(WARNINGS)))
fw-known = $(and $(filter $(fw-engines) $(fw-engines:%=clang-%),$(fw-what)),$(filter \
	$(if $(filter %mve,$(fw-what)),$(FW_MVE),$(FW_CORES) $(FW_HARD)),$(fw-core)))
FW_MVE := cortex-m55 cortex-m55-hard

$(FWB)/%/utf8val.o: $(CORE) $(wildcard $(FW)/bench/peers.*) $(FW)/freestanding.mk
	$(if $(call fw-known,$*),,$(error there is no library $*: an engine is compact, word or \
		mve, a core one of $(FW_CORES) $(FW_HARD); mve is for $(FW_MVE)))
	$(Q) $(call fw-compile,$(call fw-core,$*),$(call fw-what,$*)) \
		$(call fw-warnings,$(call fw-what,$*)) \
		$(call engine-$(patsubst clang-%,%,$(call fw-what,$*)),$(call fw-core,$*)) \
		-c $(if $(filter %peers,$(call fw-what,$*)),$(FW)/bench/peers.c,utf8val.c) -o $@
$(FWB)/%/libutf8val.a: $(FWB)/%/utf8val.o
	@rm -f $@
	$(call fw-cross,$(call fw-core,$*))gcc-ar rcsD $@ $<

firmware: deps-firmware $(foreach core,$(if $(filter mve,$(ENGINE)),$(FW_MVE),$(FW_CORES) $(FW_HARD)),$(FWB)/$(ENGINE)/$(core)/libutf8val.a) ## build libutf8val.a for every core (ENGINE=compact|word|mve)
	@printf '  %s\n' $(filter %.a,$^)

# The cores that load unaligned words: they also run with such loads trapped.
FW_STRICT := $(sort $(foreach board,$(board),\
	$(if $(filter unaligned,$(loads-$(board))),$(core-$(board)))))

fw-family = $(if $(filter rv32%,$(core-$1)),riscv,cortex-m)
fw-boot = $(FW)/boot/$(call fw-family,$1)/start.c $(FW)/boot/semihosting.c \
	$(FW)/boot/memory.c $(FW)/boot/$(edge-$1).c
FW_BOOT_FILES := $(wildcard $(FW)/boot/*.[ch] $(FW)/boot/*/*) $(FW)/boards/table

# An image for board $1 out of the sources $2 and the library with engine $3.
# The sources are test code: they may need memory.c's functions.
fw-image = $(call fw-cross,$(core-$1))gcc $(call fw-machine,$(core-$1)) \
	-std=gnu11 -Os -g -ffreestanding -ffunction-sections -fdata-sections \
	$(filter-out -Wpedantic,$(WARNINGS)) \
	-DBOOT_ROM_IS_FLASH=$(if $(filter flash,$(rom-$1)),1,0) \
	-DVECTORS_USED=$(if $(filter mve,$3),1,0) \
	-DUNALIGNED_ALLOWED=$(if $(filter $(FW_STRICT:=-word),$(core-$1)-$3),1,0) \
	-Itests -I$(FW)/boot -I$(FW)/boot/$(call fw-family,$1) -nostdlib \
	-Wl,--gc-sections -Wl,--fatal-warnings \
	$(foreach place,code code-size ram ram-size,\
		-Xlinker --defsym=board_$(subst -,_,$(place))=$($(place)-$1)) \
	-T $(FW)/boot/$(call fw-family,$1)/link.ld \
	$(call fw-boot,$1) $2 $(FWB)/$3/$(core-$1)/libutf8val.a

FW_TESTS := tests/checks.c tests/oracle.c $(VECTORS)
FW_TEST_FILES := $(FW_TESTS) $(FW)/points.h tests/checks.h tests/vectors.h tests/oracle.h \
	$(FW_BOOT_FILES)

# selftest/BOARD-ENGINE.elf
fw-board = $(firstword $(subst -, ,$1))
fw-with = $(patsubst $(fw-board)-%,%,$1)
.SECONDEXPANSION:
$(FWB)/selftest/%.elf: $(FW)/selftest.c $(FW_TEST_FILES) \
		$$(FWB)/$$(call fw-with,$$*)/$$(core-$$(call fw-board,$$*))/libutf8val.a
	$(Q) $(call fw-image,$(call fw-board,$*),$(FW)/selftest.c $(FW_TESTS),$(call fw-with,$*)) -o $@

# and the speed of the engine that reads blocks
$(FWB)/selftest/blocks.elf: $(FW)/blocks.c $(FW_TEST_FILES) $(CORE) \
		$(FWB)/mve/cortex-m55/libutf8val.a
	$(Q) $(call fw-image,an547,$(FW)/blocks.c,mve) $(call engine-mve,cortex-m55) -o $@

# The self-test where int has 16 bits and constants are copied into RAM. The vectors
# alone are more than the CPU's RAM: they stay in flash, which only the
# self-test knows how to read. The section is renamed afterwards, because the
# compiler has no option for that.
# Optimised for size, because QEMU 7.2 and 10.0 stay forever at a CPSE in the code that GCC 14
# makes with -O2. This CPSE is the last instruction before one that is jumped to.
AVR := avr-gcc -mmcu=atmega2560 -std=gnu11 -Os -ffunction-sections -I. -Itests
$(FWB)/avr/utf8val.o: $(CORE)
	$(Q) $(AVR) -fdata-sections $(WARNINGS) $(engine-compact) -c utf8val.c -o $@
$(FWB)/avr/vectors.o: $(VECTORS) tests/vectors.h
	$(Q) $(AVR) -fno-function-sections -c $< -o $@
	avr-objcopy --rename-section .rodata=.progmem.vectors \
		--rename-section .rodata.str1.1=.progmem.strings $@
# Test code, whose numbers fit. The CPU reads bytes at any address alike.
$(FWB)/avr/selftest.elf: $(FWB)/avr/utf8val.o $(FWB)/avr/vectors.o $(FW)/avr/selftest.c \
		$(FW_TEST_FILES)
	$(Q) $(AVR) -fdata-sections -Wall -Wextra -Werror -DUTF8VAL_ALIGNMENTS=1 \
		-Wl,--gc-sections $(FW)/avr/selftest.c tests/checks.c tests/oracle.c \
		$(@D)/utf8val.o $(@D)/vectors.o -o $@

# MSP430: Debian has a compiler and no library. So the core alone is compiled, which
# must need nothing of a library, and no RAM.
$(FWB)/msp430/utf8val.o: $(CORE)
	$(Q) clang --target=msp430 -std=gnu11 -Os -ffreestanding $(WARNINGS) \
		$(engine-compact) -c utf8val.c -o $@

# WebAssembly: a module that has prefix and check, and imports nothing. The caller's bytes
# lie from __heap_base on.
WASM := $(FWB)/utf8val.wasm
WASM_LIMIT := 2048
WASM_EXPORTS := utf8val_prefix utf8val_check __heap_base
$(WASM): utf8val.c $(CORE) $(FW)/freestanding.mk
	$(Q) clang --target=wasm32 -std=gnu11 -Oz -ffreestanding -nostdlib $(WARNINGS) \
		$(engine-compact) utf8val.c -Wl,--no-entry,--gc-sections,--strip-all \
		$(WASM_EXPORTS:%=-Wl,--export=%) -o $@
	@[ $$(stat -c %s $@) -le $(WASM_LIMIT) ] || \
		{ echo "$@ has $$(stat -c %s $@) of $(WASM_LIMIT) bytes" >&2; exit 1; }
wasm: deps-wasm $(WASM) ## build a WebAssembly module of prefix and check, at most 2 KiB
	@stat -c '  %n, %s bytes' $(WASM)

# All engines in one image for a core, next to peers: the one symbol of each engine gets a
# prefix. The fast engine is none for firmware, but its figures with 32 bits count. Of
# several boards with this core, the first runs the image.
FW_COUNTED := $(sort $(foreach board,$(board),$(core-$(board))))
fw-runs = $(firstword $(foreach board,$(board),$(if $(filter $1,$(core-$(board))),$(board))))
fw-bench-mve = $(if $(filter $(FW_MVE),$1),mve)
fw-bench-engines = $(ENGINES) fast $(fw-bench-mve) \
	$(addprefix clang-,$(ENGINES) $(fw-bench-mve))
# with _zicsr, GCC does not find its 32-bit library
fw-libgcc = $$($(call fw-cross,$1)gcc $(subst _zicsr,,$(call fw-machine,$1)) \
	-print-libgcc-file-name)
$(FWB)/bench/%.elf: $(wildcard $(FW)/bench/*) $(FW_BOOT_FILES) \
		$$(foreach engine,$$(call fw-bench-engines,$$*),$$(FWB)/$$(engine)/$$*/libutf8val.a)
	$(Q) $(foreach engine,$(call fw-bench-engines,$*),$(call fw-cross,$*)objcopy \
		--redefine-sym utf8val_prefix=$(subst -,_,$(engine))_utf8val_prefix \
		--keep-global-symbol=$(subst -,_,$(engine))_utf8val_prefix \
		$(FWB)/$(engine)/$*/utf8val.o $(@D)/$*-$(engine).o &&) \
		$(call fw-image,$(call fw-runs,$*),$(wildcard $(FW)/bench/*.c) $(foreach engine,\
		$(call fw-bench-engines,$*),$(@D)/$*-$(engine).o),$(or $(call \
		fw-bench-mve,$*),compact)) $(call fw-libgcc,$*) -Wl,-z,noexecstack -o $@
$(FWB)/bench/%.txt: $(FWB)/bench/%.elf
	@$(FW)/boards/run.py $(call fw-runs,$*) $< -icount shift=0 </dev/null >$@.new
	@mv $@.new $@

# The libraries whose sizes have budgets, and what else the tables of pages show.
FW_LIBRARIES := $(foreach engine,$(ENGINES),$(foreach core,$(FW_CORES),\
	$(FWB)/$(engine)/$(core)/libutf8val.a)) $(FWB)/mve/cortex-m55/libutf8val.a
FW_COPIED := $(FWB)/copied/cortex-m0/libutf8val.a
FW_FIGURES := $(FW_COPIED) $(FW_LIBRARIES) $(FW_LIBRARIES:$(FWB)/%=$(FWB)/clang-%) \
	$(foreach core,cortex-m0 cortex-m4 cortex-m55 rv32imac,\
	$(FWB)/peers/$(core)/libutf8val.a $(FWB)/clang-peers/$(core)/libutf8val.a) \
	$(FW_COUNTED:%=$(FWB)/bench/%.txt) $(WASM)
size: deps-firmware $(FW_LIBRARIES) $(FW_COPIED) ## print flash and stack of each function; fails over budget
	@$(FW)/size.py $(FWB)

size-table: deps-firmware-size $(FW_FIGURES) ## measure the tables of freestanding/README.md and docs/firmware.md again, and write them
	@$(FW)/table.py --write $(FWB)

# for the suite firmware-size
size-figures: $(FW_FIGURES)

$(FWB)/example.elf: $(FW)/example/uart.c utf8val.h $(FW_BOOT_FILES) \
		$(FWB)/compact/cortex-m4/libutf8val.a
	@$(call fw-image,an386,$(FW)/example/uart.c,compact) -I. -o $@

run-example: deps-firmware $(FWB)/example.elf ## talk to the example firmware in QEMU, line by line; Ctrl-D ends it
	@$(FW)/example/test.py --talk $(FW)/boards/run.py --serial an386 $(FWB)/example.elf

$(FWB)/utf8val_single.h: $(CORE) $(FW)/amalgamate.py
	@$(PYTHON) $(FW)/amalgamate.py -o $@

amalgamation: $(FWB)/utf8val_single.h ## make a single header of the core
	@echo $<

# The files that firmware users pull in: sources and the descriptions of all build systems.
package: ## gather and pack the core for CMake, Meson, Zephyr, PlatformIO and CMSIS-Pack [URL=]
	@$(PYTHON) $(FW)/package/package.py $(if $(URL),--url '$(URL)') $(FWB)/package
