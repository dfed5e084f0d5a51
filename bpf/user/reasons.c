// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Why a kernel cannot have the guard, and what would change that. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "guard_command.h"
#include "pins.h"
#include "reasons.h"
#include "try_option.h"

#define LSM_LIST "/sys/kernel/security/lsm"
#define LOCKDOWN "/sys/kernel/security/lockdown"
#define BTF "/sys/kernel/btf/vmlinux"

/* A small file's first line; "" when it cannot be read. */
static const char *first_line(const char *path)
{
	static char line[512];
	FILE *file = fopen(path, "re");

	line[0] = '\0';
	if (!file)
		return line;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	line[strcspn(line, "\n")] = '\0';
	return line;
}

static bool in_list(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL)
		if (!strncmp(list, word, len) &&
		    (!list[len] || list[len] == ','))
			return true;
	return false;
}

/* Does the kernel call BPF programs on its security hooks? True if not known. */
static bool has_bpf(void)
{
	const char *list = first_line(LSM_LIST);

	if (!*list || in_list(list, "bpf"))
		return true;
	complain("this kernel does not call BPF programs on its security "
		 "hooks: %s has no \"bpf\" (it says %s); add "
		 "\"lsm=%s,bpf\" to the kernel's command line "
		 "(GRUB_CMDLINE_LINUX in /etc/default/grub, then update-grub) "
		 "and boot again", LSM_LIST, list, list);
	return false;
}

static bool is_built_in(void)
{
	return in_list(first_line(LSM_LIST), "utf8val");
}

bool reasons_before(void)
{
	if (!is_root())
		return false;
	if (is_built_in()) {
		complain("this kernel has utf8val built in (%s); no guard is "
			 "needed", LSM_LIST);
		return false;
	}
	if (!has_bpf())
		return false;
	if (access("/sys/kernel", F_OK)) {
		complain("/sys is not mounted here; mount -t sysfs none /sys");
		return false;
	}
	if (access(BTF, R_OK)) {
		complain("%s: %s; this kernel was built without "
			 "CONFIG_DEBUG_INFO_BTF, and its types cannot be known: "
			 "install the distribution's own kernel package "
			 "(Debian: linux-image-amd64 or linux-image-arm64)",
			 BTF, strerror(errno));
		return false;
	}
	if (strstr(first_line(LOCKDOWN), "[confidentiality]")) {
		complain("%s is at confidentiality, which keeps BPF programs "
			 "from reading names; boot with "
			 "\"lockdown=integrity\" or without \"lockdown=\" on "
			 "the kernel's command line", LOCKDOWN);
		return false;
	}
	return true;
}

void reasons_complain(const char *what, const char *program, int error)
{
	struct utsname name;

	complain("%s%s%s: %s", what, program ? " " : "", program ? program : "",
		 error == 524 ? "not supported" : strerror(error));
	uname(&name);
	if (error == EPERM)
		complain("loading BPF programs needs CAP_BPF, CAP_PERFMON and "
			 "CAP_SYS_ADMIN, which a container's root has not");
	else if (error == 524)
		complain("this kernel (%s, %s) cannot attach BPF programs to "
			 "security hooks; on arm64 that came with Linux 6.4",
			 name.release, name.machine);
	else
		complain("Linux 6.1, 6.12 and 7.3 are known to work, this is %s; "
			 "\"utf8val-guard start --verbose\" shows which hook it "
			 "lacks, or the verifier's messages", name.release);
}

bool reasons_hidden(bool wait)
{
	for (int tries = wait ? 50 : 1; tries; tries--) {
		if (!option_is_taken() || is_built_in())
			return false;
		if (tries > 1)
			usleep(100000);
	}
	return true;
}

void reasons_no_pins(void)
{
	if (reasons_hidden(false))
		complain("a guard is in force, but its pins cannot be seen from "
			 "here: they are in another mount namespace (try "
			 "nsenter -t 1 -m utf8val-guard status), or something "
			 "is mounted over %s", BPFFS);
	else
		complain("the guard is not in force; utf8val-guard start");
}

void reasons_not_called(void)
{
	if (!has_bpf())
		return;
	complain("the programs are loaded, but the kernel does not call them%s%s%s",
		 *first_line(LSM_LIST) ? ", although " :
		 "; mount -t securityfs none /sys/kernel/security, and see "
		 "whether ", LSM_LIST, " names \"bpf\"");
}
