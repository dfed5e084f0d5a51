# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The entry for people; the kernel build reads Kbuild instead. Each
# directory's goals are in its own .mk file.

B := build
PYTHON := python3
CFLAGS ?= -O2 -g
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow \
	-Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror
CORE := utf8val.c utf8val.h $(wildcard engine/*.h)
FORMS := $(wildcard forms/*.[ch])
empty :=
space := $(empty) $(empty)
# $(1) as one word of the shell's
quote = '$(subst ','\'',$(1))'

# Suites, by the check that they belong to, as tests/suites says. Each has a goal
# suite-NAME, which prints TAP, and needs-NAME, which builds what the suite needs.
suites-of = $(shell tests/suite --list $(1))
SUITES := $(call suites-of,check all)

# where it is set, cd may print a path, or go elsewhere
unexport CDPATH
# one that is not absolute is to be ignored, says its specification
ifeq ($(filter /%,$(XDG_CACHE_HOME)),)
unexport XDG_CACHE_HOME
endif

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# what builds needs the packages that a goal names before it, with -j as without
ifneq ($(DEPS),no)
.NOTPARALLEL:
endif

# what a newcomer looks for
FIRST_GOALS := demo guard install-guard tools install firmware check

help: ## show the goals
	@sed -n -e 's/^\([a-z][a-z-]*\): deps.*## \(.*\)/\1*\t\2/p' -e t \
		-e 's/^\([a-z][a-z-]*\):.*## \*\(.*\)/\1*\t\2/p' -e t \
		-e 's/^\([a-z][a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | \
		awk -F '\t' -v first='$(FIRST_GOALS)' '{ goal = $$1; \
			sub(/\*/, "", goal); goals[NR] = goal; \
			line[goal] = sprintf("  make %-20s %s", $$1, $$2) } \
		END { count = split(first, head, " "); \
			print "To begin with:"; \
			for (i = 1; i <= count; i++) { \
				print line[head[i]]; delete line[head[i]] } \
			print "All others:"; \
			for (i = 1; i <= NR; i++) \
				if (goals[i] in line) print line[goals[i]] }'
	@echo "* first installs the Debian packages that are missing, as root or"
	@echo "  through sudo, and says so; with DEPS=no it does not"

deps: ## install the Debian packages of all goals but bench and check-vm-full
	@tools/deps.sh all

# what tools/packages lists for one job; nothing with DEPS=no
DEPS_GROUPS := $(addprefix deps-,$(shell sed -n 's/^Group: //p' tools/packages))
$(DEPS_GROUPS): deps-%:
	@tools/deps.sh $*

suites: ## list the suites of make check
	@printf '%s\n' $(sort $(SUITES))

# with those that make check leaves out
all-suites:
	@tests/suite --list

generated: ## derive the tables from RFC 3629's grammar, and the test vectors
	$(PYTHON) tools/gen/tables.py -o engine/tables.h
	$(PYTHON) tools/gen/fast_tables.py -o engine/fast_tables.h
	$(PYTHON) tools/gen/mve_tables.py -o engine/mve_tables.h
	$(PYTHON) tools/gen/tables.py --forms -o forms/tables.h
	$(PYTHON) tools/gen/vectors.py -o tests/vectors.c

include tests/tests.mk tests/examples.mk
include tests/fuzz/fuzz.mk tests/differential/differential.mk
include vm/vm.mk kunit/kunit.mk
include bpf/bpf.mk vm/processors.mk vm/image/image.mk
include freestanding/freestanding.mk
include tools/tools.mk bpf/install.mk
include tools/bench/bench.mk
include proof/proof.mk

# A word is NAME|NEED|NEED...; after those, run|NAME is what tests/suites says how to run.
SUITE_WORDS := $(subst |build/,|$(B)/,$(shell tests/suite --needs))
define suite_needs
needs-$(1): $(2)
suite-$(1): needs-$(1)
.PHONY: needs-$(1) suite-$(1)
endef
$(foreach word,$(filter-out run|%,$(SUITE_WORDS)),$(eval $(call suite_needs,$(firstword \
	$(subst |, ,$(word))),$(wordlist 2,9,$(subst |, ,$(word))))))
$(patsubst run|%,suite-%,$(filter run|%,$(SUITE_WORDS))): suite-%:
	@tests/suite $*

# Suites that keep all processors busy themselves, or must not have a neighbour.
BY_ITSELF := fuzz broken

TALLY := tests/tally.py --logs $(B)/logs $(BY_ITSELF:%=--alone '%') \
	--skips $(B)/skips $(if $(JUNIT),--junit $(call quote,$(JUNIT)))

# ONLY='kunit-* lint' is less than all of them
CHECKED = $(if $(ONLY),$(filter $(subst *,%,$(ONLY)),$(SUITES)),$(SUITES))
NO_SUITE = $(strip $(foreach name,$(ONLY),\
	$(if $(filter $(subst *,%,$(name)),$(SUITES)),,$(name))))

SUITES_EXIST = $(if $(NO_SUITE),echo "check: there is no suite" \
	$(call quote,$(NO_SUITE)) "in it; 'make suites' lists them" >&2; exit 2)
# Under another name, as make runs a line with its own even with -n.
AGAIN := $(MAKE)

check: ## *run all tests that do not take hours; ends with 'N passed, N failed' [ONLY='kunit-* lint'] [JUNIT=FILE]
	@$(SUITES_EXIST)
	@tools/deps.sh --suites $(CHECKED)
	@$(MAKE) -s $(B)/skips
	@$(TALLY) $(if $(filter kunit-% mount-%,$(CHECKED)),--first kernels) \
		--silence 3600 --agree vectors: $(CHECKED)

TIMES ?= 20
check-repeat: ## *run suites again and again on a busy machine: ONLY='mount-*' [TIMES=20]
	@$(SUITES_EXIST)
	@tools/deps.sh vm-full
	@tests/repeat.sh $(call quote,$(TIMES)) $(AGAIN) --no-print-directory check

# what cannot run on this system, as it is now
$(B)/skips: FORCE
	@mkdir -p $(@D)
	@tools/deps.sh --skips >$@
FORCE:

dist: ## pack a source archive; its bytes depend on the sources alone
	@tools/dist.sh $(B)/dist

# On another release: what a newcomer runs first, then the suites that do not
# need hours under emulation. GOALS='"check ONLY=lint" tools' are others.
RELEASE ?= trixie
GOALS ?= demo tools firmware "check ONLY='tally host-* texts-* avx2-* forms \
	examples differential fuzz command-* lint firmware-* kunit-* mount-* source-* \
	proof proof-bits' JUNIT=build/junit.xml"

check-release: deps-release ## run the demo, the builds and most suites on another Debian release: RELEASE=trixie [GOALS=] [FRESH=yes]
	@archive=$$(tools/dist.sh $(B)/dist) && tools/check-release.sh \
		$(if $(FRESH),--fresh) $(call quote,$(RELEASE)) "$$archive" \
		$(B)/release-$(RELEASE) $(GOALS)

# Make's own sentence does not say where the goals are listed. Its beginning stays:
# debhelper asks by make -n whether there is a goal, and looks for it.
.DEFAULT:
	+@echo "make: *** No rule to make target" $(call quote,'$@'). >&2; \
	echo "make: 'make' lists the goals, 'make suites' the test suites" >&2; exit 2

clean: ## remove what was built here (kernel builds stay in the cache)
	rm -rf $(B)

.PHONY: FORCE help deps $(DEPS_GROUPS) suites all-suites generated check check-repeat dist \
	check-release clean
