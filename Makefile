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
# What is compiled is told by its name, with V=1 by the whole command.
Q = $(if $(filter 1,$(V)),,@$(if $(findstring s,$(firstword -$(MAKEFLAGS))),,echo '  $@';))
empty :=
space := $(empty) $(empty)
comma := ,
# quotes $(1), so that the shell takes it for one word
quote = '$(subst ','\'',$(1))'

# Suites, by the check that they belong to, as tests/suites says. Each has a goal
# suite-NAME, which prints TAP, and needs-NAME, which builds what the suite needs.
suites-of = $(shell tests/suite --list $(1))
SUITES := $(call suites-of,check all)

# Where CDPATH is set, cd may print a path, or go elsewhere.
unexport CDPATH
# The specification says that a path that is not absolute is to be ignored.
ifeq ($(filter /%,$(XDG_CACHE_HOME)),)
unexport XDG_CACHE_HOME
endif

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# A goal names the packages before what it builds, so one comes after the other, also
# with -j.
ifneq ($(DEPS),no)
.NOTPARALLEL:
endif

# The goals that a newcomer looks for.
FIRST_GOALS := demo guard install-guard tools install firmware check check-all

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
	@echo "  through sudo, and says so; with DEPS=no it does not. V=1 prints whole commands"

deps: ## install the Debian packages of all goals but bench and check-vm-full
	@tools/deps.pl all

# deps-GROUP installs what tools/packages lists for one job; nothing with DEPS=no.
DEPS_GROUPS := $(addprefix deps-,$(shell sed -n 's/^Group: //p' tools/packages))
$(DEPS_GROUPS): deps-%:
	@tools/deps.pl $*

suites: ## list the suites of make check-all
	@tests/suite --list check all

# lists all suites, also those that take hours
all-suites:
	@tests/suite --list

generated: ## derive the tables from RFC 3629's grammar, and what the test vectors show
	$(PYTHON) tools/gen/tables.py -o engine/tables.h
	$(PYTHON) tools/gen/fast_tables.py --rows -o engine/fast_rows.h
	$(PYTHON) tools/gen/fast_tables.py -o engine/fast_tables.h
	$(PYTHON) tools/gen/mve_tables.py -o engine/mve_tables.h
	$(PYTHON) tools/gen/tables.py --forms -o forms/tables.h
	$(PYTHON) tools/gen/clauses.py -o docs/standards.md

include tests/tests.mk
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
	@tests/suite $* || { status=$$?; \
		tools/deps.pl --skips | sed -n 's/^$* /suite-$*: /p' >&2; exit $$status; }

# Those of the suites $(2) that run at the side $(1), in the table's order.
at-side = $(shell tests/suite --table | awk -v side=$(1) -v names='$(2)' \
	'$$4 == side && index(" " names " ", " " $$1 " ") { print $$1 }')
RUN = tests/check.pl --logs=$(B)/logs --skips=$(B)/skips --agree=vectors: --silence=3600 \
	$(if $(JUNIT),--junit=$(call quote,$(JUNIT))) \
	$(call at-side,first,$(1)) $(call at-side,any,$(1)) -- $(call at-side,alone,$(1))
# make has another name here, because a recipe line with $(MAKE) runs even with -n.
AGAIN := $(MAKE)

# ONLY='kunit-* lint' selects suites, also of those that only check-all has.
SELECTED = $(if $(ONLY),$(filter $(subst *,%,$(ONLY)),$(SUITES)),$(call suites-of,$(1)))
NO_SUITE = $(strip $(foreach name,$(ONLY),\
	$(if $(filter $(subst *,%,$(name)),$(SUITES)),,$(name))))
SUITES_EXIST = $(if $(NO_SUITE),echo "check: there is no suite" \
	$(call quote,$(NO_SUITE)) "in it; 'make suites' lists them" >&2; exit 2)

check: ## *run the tests that tell most in ten minutes; ends with 'N passed, N failed, N skipped' [ONLY='kunit-* lint'] [JUNIT=FILE]
check-all: ## *run all tests that do not take hours
check-rest: ## what check-all has and check has not
CHECKS_OF_check := check
CHECKS_OF_check-all := check all
CHECKS_OF_check-rest := all
check check-all check-rest:
	@$(SUITES_EXIST)
	@tools/deps.pl --suites $(call SELECTED,$(CHECKS_OF_$@))
	@$(if $(JUNIT),tools/deps.pl junit)
	@$(MAKE) -s $(B)/skips
	@$(call RUN,$(call SELECTED,$(CHECKS_OF_$@)))

# A test that waits for a time, not for an event, fails here sooner or later: twice as
# many tasks as processors compute beside it.
TIMES ?= 20
check-repeat: ## *run suites again and again on a busy machine: ONLY='mount-*' [TIMES=20]
	@$(SUITES_EXIST)
	@[ $(call quote,$(TIMES)) -gt 0 ] 2>/dev/null || { echo "check-repeat:" \
		TIMES=$(call quote,$(TIMES)) "is no number of rounds" >&2; exit 2; }
	@tools/deps.pl runner
	@stress-ng --quiet --cpu $$((2 * $$(nproc))) & load=$$!; failed=0; \
	trap 'kill $$load' EXIT; trap 'exit 130' INT TERM HUP PIPE; \
	for round in $$(seq $(TIMES)); do \
		echo "== round $$round of $(TIMES), $$failed failed so far"; \
		$(AGAIN) --no-print-directory check || failed=$$((failed + 1)); \
		export FETCH_OFFLINE=yes; \
	done; echo "$(TIMES) rounds, $$failed failed"; [ $$failed -eq 0 ]

# The suites that cannot run on this system as it is now, with the reasons.
$(B)/skips: FORCE
	@mkdir -p $(@D)
	@tools/deps.pl --skips >$@
FORCE:

dist: deps-check ## pack a source archive; its bytes depend on the sources alone
	@tools/dist.sh $(B)/dist

# On another release: the goals that a newcomer runs first, then the suites that do
# not need hours under emulation. GOALS='"check ONLY=lint" tools' runs other goals.
RELEASE ?= trixie
GOALS ?= demo tools firmware "check-all ONLY='runner host-* forms coverage \
	examples differential fuzz command-* lint lint-code firmware-* kunit-* mount-* source-* \
	proof proof-bits' JUNIT=build/junit.xml"

check-release: deps-release ## run the demo, the builds and most suites on another Debian release: RELEASE=trixie [GOALS=] [FRESH=yes]
	@archive=$$(tools/dist.sh $(B)/dist) && tools/check-release.sh \
		$(if $(FRESH),--fresh) $(call quote,$(RELEASE)) "$$archive" \
		$(B)/release-$(RELEASE) $(GOALS)

# make's own message does not say where the goals are listed. The message here begins
# as make's does, because debhelper looks for that when it asks by make -n for a goal.
.DEFAULT:
	+@echo "make: *** No rule to make target" $(call quote,'$@'). >&2; \
	echo "make: 'make' lists the goals, 'make suites' the test suites" >&2; exit 2

clean: ## remove what was built here (kernel builds stay in the cache)
	rm -rf $(B)

.PHONY: FORCE help deps $(DEPS_GROUPS) suites all-suites generated check check-all check-rest check-repeat dist \
	check-release clean
