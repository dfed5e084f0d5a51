# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The host command and the static library: building, testing, installing.

VERSION := $(shell sed -n 's/^.define UTF8VAL_VERSION "\(.*\)"/\1/p' utf8val.h)
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
SBINDIR ?= $(PREFIX)/sbin
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
	@case $(call quote,$(PLACES)) in *[[:space:]\|\&\\%\>\"\']*) \
		echo "install: PREFIX and the directories below it may have no spaces," \
			"quotes or any of | & \\ % >; DESTDIR may" >&2; exit 2 ;; esac

# Files are listed as FILE>PATH. Units and pkg-config's file name directories, which are
# filled in.
below = $(foreach each,$(2),$(each)>$(1)/$(notdir $(each)))
from = $(firstword $(subst >, ,$(1)))
onto = $(call to,$(lastword $(subst >, ,$(1))))
put = set -e$(foreach each,$(1),; $(if $(filter %.in %.service %.timer,$(call from,$(each))),\
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(VERSION)|' \
		-e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
		-e 's|/usr/sbin/|$(SBINDIR)/|' $(call from,$(each)) | \
		$(INSTALL) -D -m 644 /dev/stdin,\
	$(INSTALL) -D $(if $(filter $(B)/utf8val $(B)/utf8val-guard,$(call from,$(each))),,-m 644) \
		$(call from,$(each))) $(call onto,$(each)))
remove = rm -f $(foreach each,$(1),$(call onto,$(each)))

COMMAND_FILES = $(B)/utf8val>$(BINDIR)/utf8val tools/command/utf8val.1>$(MANDIR)/man1/utf8val.1 \
	tools/command/completion/utf8val.bash>$(PREFIX)/share/bash-completion/completions/utf8val \
	tools/command/completion/_utf8val>$(PREFIX)/share/zsh/vendor-completions/_utf8val \
	$(call below,$(PREFIX)/share/fish/vendor_completions.d,tools/command/completion/utf8val.fish)
LIBRARY_FILES = $(call below,$(LIBDIR),$(B)/libutf8val.a) \
	$(call below,$(INCLUDEDIR),$(HOST_HEADERS)) \
	tools/utf8val.pc.in>$(LIBDIR)/pkgconfig/utf8val.pc \
	tools/utf8valConfig.cmake.in>$(LIBDIR)/cmake/utf8val/utf8valConfig.cmake \
	tools/utf8valConfigVersion.cmake.in>$(LIBDIR)/cmake/utf8val/utf8valConfigVersion.cmake

install: install-command install-library ## install the command and the library under PREFIX (/usr/local), below DESTDIR
install-command: installable $(B)/utf8val
	$(call put,$(COMMAND_FILES))
install-library: installable $(B)/libutf8val.a
	$(call put,$(LIBRARY_FILES))

uninstall: installable ## remove what install has installed
	$(call remove,$(COMMAND_FILES) $(LIBRARY_FILES))

bench-command: deps-bench $(B)/utf8val ## measure check and scan beside isutf8, iconv and find
	tools/bench/command.py

bench-guess: deps-bench $(B)/utf8val ## measure how often scan guesses a charset right
	tools/bench/guess.py

# This is not part of `make generated`, because the packages differ from release to
# release.
generated-names: ## recount the letters of languages, for scan's guesses
	$(PYTHON) tools/gen/names.py tools/command/guess
