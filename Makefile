# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The entry for people; the kernel build reads Kbuild instead. Each
# directory's targets are in its own .mk file.

B := build
PYTHON := python3
CFLAGS ?= -O2 -g
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow \
	-Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror
CORE := utf8val.c utf8val.h $(wildcard engine/*.h)
FORMS := $(wildcard forms/*.[ch])
# A rule's first line: makes the directory, and prints the file's name; with V=1 the whole
# command is printed.
Q = $(if $(filter 1,$(V)),,@)mkdir -p $(@D) && $(if $(filter 1,$(V))$(findstring \
	s,$(firstword -$(MAKEFLAGS))),,echo '  $@' &&)
empty :=
space := $(empty) $(empty)
comma := ,
# quotes $(1), so that the shell takes it for one word
quote = '$(subst ','\'',$(1))'

# The tables that all programs read with tools/table.py: $(version), $(release-6.12) and so
# on, $(architecture), $(prefix-s390x), $(board), $(core-microbit).
TABLES := vm/kernels vm/architectures freestanding/boards/table
# Debian with git and make does not have python3: install it, or print how.
GET_PYTHON := apt-get update && apt-get install -y --no-install-recommends python3
BARE_TARGETS := help clean $(if $(filter no,$(DEPS)),tools install install-command \
	install-library uninstall)
ifneq ($(filter-out $(BARE_TARGETS),$(or $(MAKECMDGOALS),help)),)
ifeq ($(wildcard $(addsuffix /$(PYTHON),$(subst :, ,$(PATH)))),)
ifeq ($(filter no,$(DEPS))$(findstring n,$(firstword -$(MAKEFLAGS))),)
$(info make: $(GET_PYTHON)   (DEPS=no prevents this))
$(shell sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; $$sudo sh -c '$(GET_PYTHON)' >&2)
endif
# make remembers which files there were, so the shell is asked.
ifeq ($(shell command -v $(PYTHON)),)
$(error there is no python3; as root, run: $(GET_PYTHON))
endif
endif
$(foreach word,$(shell tools/table.py --make $(TABLES)),$(eval $(word)))
endif

# Where CDPATH is set, cd may print a path, or go elsewhere.
unexport CDPATH
# The specification says that a path that is not absolute is to be ignored.
ifeq ($(filter /%,$(XDG_CACHE_HOME)),)
unexport XDG_CACHE_HOME
endif

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDARY:

# A target names the packages before what it builds, so one comes after the other, also
# with -j.
ifneq ($(DEPS),no)
.NOTPARALLEL:
endif

# The targets that a newcomer looks for.
FIRST_TARGETS := demo guard install-guard tools install firmware check check-all

help: ## show the targets
	@list() { sed -nE -e "s/^($$1): deps[^#]*## (.*)/  make \1*\t\2/p" -e t \
		-e "s/^($$1):[^#]*## \*(.*)/  make \1*\t\2/p" -e t \
		-e "s/^($$1):[^#]*## (.*)/  make \1\t\2/p" $(MAKEFILE_LIST); }; \
	{ echo "To begin with:"; for target in $(FIRST_TARGETS); do list "$$target"; done; \
	echo "All others:"; list '[a-z][a-z-]*' | \
		grep -vE '^  make ($(subst $(space),|,$(FIRST_TARGETS)))[*	]'; } | expand -t 28
	@echo "* first installs the Debian packages that are missing, as root or"
	@echo "  through sudo, and says so; with DEPS=no it does not. V=1 prints whole commands"

deps: ## install the Debian packages of all targets but bench and check-vm-full
	@tools/deps.py all

# deps-GROUP installs what tools/packages lists for one job; nothing with DEPS=no.
deps-%: FORCE
	@$(if $(filter no,$(DEPS)),:,tools/deps.py $*)

# suite-NAME runs a suite of tests/suites.py; it prints TAP, and installs nothing.
suite-%: FORCE
	@tests/check.py suite $*

suites: ## list the suites of make check-all
	@tests/check.py list check all

generated: ## derive the tables from RFC 3629's grammar, and what the test vectors show
	$(PYTHON) tools/gen/tables.py -o engine/tables.h
	$(PYTHON) tools/gen/fast_tables.py --rows -o engine/fast_rows.h
	$(PYTHON) tools/gen/fast_tables.py --kernel -o kernel/utf8val_rows.h
	$(PYTHON) tools/gen/fast_tables.py -o engine/fast_tables.h
	$(PYTHON) tools/gen/mve_tables.py -o engine/mve_tables.h
	$(PYTHON) tools/gen/vector_tables.py -o engine/vector_tables.h
	$(PYTHON) tools/gen/tables.py --forms -o forms/tables.h
	$(PYTHON) tools/gen/clauses.py -o docs/standards.md

include tests/tests.mk tools/tools.mk vm/vm.mk bpf/bpf.mk vm/image/image.mk \
	freestanding/freestanding.mk

check: ## *run the quick tests, ten minutes at most; ends with 'N passed, N failed, N skipped' [ONLY='kunit-* lint'] [JUNIT=FILE]
check-all: ## *run all tests that do not take hours
check-vm-full: ## *run all tests in VMs, also on more file systems and on checked kernels (hours: some twenty more kernels)
check-exhaustive: ## *try all strings of four bytes with each engine, every build of the host's tests, the command on other architectures
check check-all check-vm-full check-exhaustive:
	@tests/check.py $@

# make has another name here, because a recipe line with $(MAKE) runs even with -n.
AGAIN := $(MAKE)
FORCE:

dist: deps-check ## pack a source archive; its bytes depend on the sources alone
	@tools/dist.sh $(B)/dist

RELEASE ?= trixie
check-release: deps-release ## run the demo, the builds and most suites on another Debian release: RELEASE=trixie [TARGETS='"check ONLY=lint" tools'] [FRESH=yes]
	@archive=$$(tools/dist.sh $(B)/dist) && tools/check-release.sh \
		$(if $(FRESH),--fresh) $(call quote,$(RELEASE)) "$$archive" \
		$(B)/release-$(RELEASE) $(TARGETS)

# make's own message does not say where the targets are listed. The message here begins
# as make's does, because debhelper looks for that when it asks by make -n for a target.
.DEFAULT:
	+@echo "make: *** No rule to make target" $(call quote,'$@'). >&2; \
	echo "make: 'make' lists the targets, 'make suites' the test suites" >&2; exit 2

clean: ## remove what was built here (kernel builds stay in the cache)
	rm -rf $(B)

# every target with a line of help, and parts of such targets
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*##.*/\1/p' $(MAKEFILE_LIST)) FORCE \
	install-command install-library size-figures vm-ready
