# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The host command and the static library: building, testing, installing.

HOST_CORE := utf8val.c forms/utf8val_forms.c
COMMAND_SOURCES := $(sort $(wildcard tools/command/*.c tools/command/*/*.c)) $(HOST_CORE)
COMMAND_HEADERS := $(wildcard tools/command/*/*.h)
COMMAND_OBJECTS := $(COMMAND_SOURCES:%.c=$(B)/command/%.o)
COMMAND_LIBRARIES := -ljansson -lunistring -lm
LIBRARY_OBJECTS := $(HOST_CORE:%.c=$(B)/command/%.o)
COMMAND_FLAGS := -std=gnu11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -I. -Iforms \
	-Itools/command -pthread -MMD -MP

tools: deps-tools $(B)/utf8val $(B)/libutf8val.a ## build the utf8val command and the static library

# The command, and the same for a guest that has no library.
$(B)/utf8val $(B)/utf8val-static: $(COMMAND_OBJECTS)
	$(Q) $(CC) $(CFLAGS) $(LDFLAGS) $(if $(filter %-static,$@),-static) -pthread -o $@ $^ \
		$(COMMAND_LIBRARIES)

# position-independent, so that shared libraries may contain it
$(B)/libutf8val.a: $(LIBRARY_OBJECTS)
	@rm -f $@
	$(Q) $(AR) rcsD $@ $^

$(B)/command/%.o: %.c
	$(Q) $(CC) $(CPPFLAGS) $(CFLAGS) $(WARNINGS) $(COMMAND_FLAGS) \
		$(if $(filter $@,$(LIBRARY_OBJECTS)),-fPIC) -c -o $@ $<

-include $(wildcard $(COMMAND_OBJECTS:.o=.d))

# The command with sanitizers, for random tests.
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=all
$(B)/utf8val-sanitized: $(COMMAND_SOURCES) $(COMMAND_HEADERS)
	$(Q) $(CC) -O1 -g $(WARNINGS) $(SANITIZERS) \
		$(filter-out -MMD -MP,$(COMMAND_FLAGS)) $(COMMAND_SOURCES) \
		-o $@ $(COMMAND_LIBRARIES)

# The command on an emulated architecture, big-endian or with 32 bits: the script
# $(B)/s390x/utf8val runs the command there, with the libraries of Debian 12.
$(B)/%/utf8val: $(COMMAND_SOURCES) $(COMMAND_HEADERS) tools/emulated.sh
	@tools/emulated.sh $(patsubst arm,armhf,$*) $(prefix-$*)gcc \
		qemu-$* $@ $(filter-out -MMD -MP,$(COMMAND_FLAGS)) $(WARNINGS) \
		$(COMMAND_SOURCES) $(COMMAND_LIBRARIES)

install: install-command install-library ## install the command and the library under PREFIX (/usr/local), below DESTDIR
install-command: $(B)/utf8val
install-library: $(B)/libutf8val.a
install-command install-library:
	tools/install.sh install $(B) $(@:install-%=%)

uninstall: ## remove what install has installed
	tools/install.sh remove $(B) command library

bench: deps-bench ## compare speed with Rust, simdjson, simdutf and GLib, four minutes (INPUTS=DIR ROUNDS=N OUT=DIR)
	@tools/bench/run.py $(B)

bench-command: deps-bench $(B)/utf8val ## measure check and scan beside isutf8, iconv and find
	tools/bench/command.py

bench-guess: deps-bench $(B)/utf8val ## measure how often scan guesses a charset right
	tools/bench/guess.py

# This is not part of `make generated`, because the packages differ from release to
# release.
generated-names: ## recount the letters of languages, for scan's guesses
	$(PYTHON) tools/gen/names.py tools/command/guess
