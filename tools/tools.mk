# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The host command and the static library: building, testing, installing.

VERSION := $(shell sed -n 's/^.define UTF8VAL_VERSION "\(.*\)"/\1/p' utf8val.h)
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man
INSTALL ?= install

HOST_CORE := utf8val.c forms/utf8val_forms.c
HOST_HEADERS := utf8val.h forms/utf8val_forms.h
COMMAND_SOURCES := $(sort $(wildcard tools/command/*.c tools/command/*/*.c)) $(HOST_CORE)
COMMAND_HEADERS := $(wildcard tools/command/*/*.h)
COMMAND_OBJECTS := $(COMMAND_SOURCES:%.c=$(B)/command/%.o)
COMMAND_LIBRARIES := -ljansson -lunistring -lm
LIBRARY_OBJECTS := $(HOST_CORE:%.c=$(B)/command/%.o)
COMMAND_FLAGS := -std=gnu11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -I. -Iforms \
	-Itools/command -pthread -MMD -MP

tools: deps-tools $(B)/utf8val $(B)/libutf8val.a ## build the utf8val command and the static library

$(B)/utf8val: $(COMMAND_OBJECTS)
	$(Q) $(CC) $(CFLAGS) $(LDFLAGS) -pthread -o $@ $^ $(COMMAND_LIBRARIES)

# The command for a machine that has no other program.
$(B)/utf8val-static: $(COMMAND_OBJECTS)
	$(Q) $(CC) $(CFLAGS) $(LDFLAGS) -static -pthread -o $@ $^ $(COMMAND_LIBRARIES)

# position-independent, so that shared libraries may contain it
$(B)/libutf8val.a: $(LIBRARY_OBJECTS)
	@rm -f $@
	$(Q) $(AR) rcsD $@ $^

$(B)/command/%.o: %.c
	@mkdir -p $(@D)
	$(Q) $(CC) $(CPPFLAGS) $(CFLAGS) $(WARNINGS) $(COMMAND_FLAGS) \
		$(if $(filter $@,$(LIBRARY_OBJECTS)),-fPIC) -c -o $@ $<

-include $(wildcard $(COMMAND_OBJECTS:.o=.d))

# The command with sanitizers, for random tests.
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=all
$(B)/utf8val-sanitized: $(COMMAND_SOURCES) $(COMMAND_HEADERS)
	@mkdir -p $(@D)
	@$(CC) -O1 -g $(WARNINGS) $(SANITIZERS) \
		$(filter-out -MMD -MP,$(COMMAND_FLAGS)) $(COMMAND_SOURCES) \
		-o $@ $(COMMAND_LIBRARIES)

# The command on an emulated architecture, big-endian or with 32 bits: the script
# $(B)/s390x/utf8val runs the command there, with the libraries of Debian 12.
COMMAND_PROCESSORS := s390x arm
COMMAND_PROGRAMS := $(COMMAND_PROCESSORS:%=$(B)/%/utf8val)
debian-name = $(patsubst arm,armhf,$(1))

$(COMMAND_PROGRAMS): $(B)/%/utf8val: $(COMMAND_SOURCES) \
		$(COMMAND_HEADERS) tools/emulated.sh
	@tools/emulated.sh $(call debian-name,$*) $(prefix-$*)gcc \
		qemu-$* $@ $(filter-out -MMD -MP,$(COMMAND_FLAGS)) $(WARNINGS) \
		$(COMMAND_SOURCES) $(COMMAND_LIBRARIES)

# A path below DESTDIR, whose name may have spaces. PREFIX and the like may not have
# spaces, because a space ends a word in pkg-config's file and in systemd's units.
to = $(call quote,$(DESTDIR)$(1))
PLACES = $(PREFIX)$(BINDIR)$(LIBDIR)$(INCLUDEDIR)$(MANDIR)$(SBINDIR)$(LIBEXECDIR)$(UNITDIR)$(DOCDIR)
installable:
	@case $(call quote,$(PLACES)) in *[[:space:]\|\&\\%\"\']*) \
		echo "install: PREFIX and the directories below it may have no spaces," \
			"quotes or any of | & \\ %; DESTDIR may" >&2; exit 2 ;; esac

install: install-command install-library ## install the command and the library under PREFIX (/usr/local), below DESTDIR

install-command: installable $(B)/utf8val
	$(INSTALL) -D $(B)/utf8val $(call to,$(BINDIR)/utf8val)
	$(INSTALL) -D -m 644 tools/command/utf8val.1 \
		$(call to,$(MANDIR)/man1/utf8val.1)
	$(INSTALL) -D -m 644 tools/command/completion/utf8val.bash \
		$(call to,$(PREFIX)/share/bash-completion/completions/utf8val)
	$(INSTALL) -D -m 644 tools/command/completion/_utf8val \
		$(call to,$(PREFIX)/share/zsh/vendor-completions/_utf8val)
	$(INSTALL) -D -m 644 tools/command/completion/utf8val.fish \
		$(call to,$(PREFIX)/share/fish/vendor_completions.d/utf8val.fish)

install-library: installable $(B)/libutf8val.a
	$(INSTALL) -D -m 644 $(B)/libutf8val.a $(call to,$(LIBDIR)/libutf8val.a)
	$(INSTALL) -d $(call to,$(INCLUDEDIR))
	$(INSTALL) -m 644 $(HOST_HEADERS) $(call to,$(INCLUDEDIR))
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' \
		-e 's|@VERSION@|$(VERSION)|' tools/utf8val.pc.in | \
		$(INSTALL) -D -m 644 /dev/stdin \
		$(call to,$(LIBDIR)/pkgconfig/utf8val.pc)

uninstall: installable ## remove what install has installed
	rm -f $(foreach path,$(BINDIR)/utf8val $(LIBDIR)/libutf8val.a \
		$(MANDIR)/man1/utf8val.1 \
		$(PREFIX)/share/bash-completion/completions/utf8val \
		$(PREFIX)/share/zsh/vendor-completions/_utf8val \
		$(PREFIX)/share/fish/vendor_completions.d/utf8val.fish \
		$(addprefix $(INCLUDEDIR)/,$(notdir $(HOST_HEADERS))) \
		$(LIBDIR)/pkgconfig/utf8val.pc,$(call to,$(path)))

.PHONY: tools installable install install-command install-library uninstall

bench-command: deps-bench $(B)/utf8val ## measure check and scan beside isutf8, iconv and find
	tools/bench/command.py

bench-guess: deps-bench $(B)/utf8val ## measure how often scan guesses a charset right
	tools/bench/guess.py

# This is not part of `make generated`, because the packages differ from release to
# release.
generated-names: ## recount the letters of languages, for scan's guesses
	$(PYTHON) tools/gen/names.py tools/command/guess

.PHONY: generated-names bench-command bench-guess
