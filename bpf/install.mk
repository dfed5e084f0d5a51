# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Installing the guard, with what starts it at boot.

SBINDIR ?= $(PREFIX)/sbin
LIBEXECDIR ?= $(PREFIX)/libexec
UNITDIR ?= $(PREFIX)/lib/systemd/system
GUARD_UNITS := $(wildcard bpf/systemd/*.service)
GUARD_INSTALLED := $(SBINDIR)/utf8val-guard $(LIBEXECDIR)/utf8val/guard-fstab \
	$(MANDIR)/man8/utf8val-guard.8 \
	$(GUARD_UNITS:bpf/systemd/%=$(UNITDIR)/%)

install-guard: guard ## *install the guard under PREFIX (/usr/local), below DESTDIR
	$(INSTALL) -D $(B)/utf8val-guard $(DESTDIR)$(SBINDIR)/utf8val-guard
	$(INSTALL) -D bpf/systemd/guard-fstab \
		$(DESTDIR)$(LIBEXECDIR)/utf8val/guard-fstab
	$(INSTALL) -D -m 644 bpf/utf8val-guard.8 \
		$(DESTDIR)$(MANDIR)/man8/utf8val-guard.8
	$(INSTALL) -d $(DESTDIR)$(UNITDIR)
	for unit in $(GUARD_UNITS); do \
		sed -e 's|/usr/sbin/|$(SBINDIR)/|' \
			-e 's|/usr/libexec/|$(LIBEXECDIR)/|' $$unit \
			>$(DESTDIR)$(UNITDIR)/$${unit##*/} || exit; done

uninstall-guard: ## remove what install-guard has installed
	rm -f $(addprefix $(DESTDIR),$(GUARD_INSTALLED))

.PHONY: install-guard uninstall-guard
