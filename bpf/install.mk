# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Install the guard, and the units that start it at boot.

SBINDIR ?= $(PREFIX)/sbin
DOCDIR ?= $(PREFIX)/share/doc/utf8val-guard
UNITDIR ?= $(PREFIX)/lib/systemd/system
GUARD_UNITS := $(wildcard bpf/systemd/*.service bpf/systemd/*.timer)
GUARD_DOCS := docs/break-glass.md docs/monitoring.md \
	docs/programs.rst docs/systems.rst \
	Documentation/admin-guide/utf8val.rst \
	Documentation/admin-guide/utf8val-rules.rst
GUARD_INSTALLED := $(SBINDIR)/utf8val-guard \
	$(MANDIR)/man8/utf8val-guard.8 $(addprefix $(DOCDIR)/,$(notdir $(GUARD_DOCS))) \
	$(GUARD_UNITS:bpf/systemd/%=$(UNITDIR)/%)

install-guard: installable guard ## *install the guard under PREFIX (/usr/local), below DESTDIR
	$(INSTALL) -D $(B)/utf8val-guard $(call to,$(SBINDIR)/utf8val-guard)
	$(INSTALL) -D -m 644 bpf/utf8val-guard.8 \
		$(call to,$(MANDIR)/man8/utf8val-guard.8)
	$(INSTALL) -d $(call to,$(DOCDIR))
	$(INSTALL) -m 644 $(GUARD_DOCS) $(call to,$(DOCDIR))
	set -e; for unit in $(GUARD_UNITS); do \
		sed -e 's|/usr/sbin/|$(SBINDIR)/|' $$unit | \
			$(INSTALL) -D -m 644 /dev/stdin \
			$(call to,$(UNITDIR)/)$${unit##*/}; done

uninstall-guard: installable ## remove what install-guard has installed
	rm -f $(foreach path,$(GUARD_INSTALLED),$(call to,$(path)))

.PHONY: install-guard uninstall-guard
