// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Why a kernel cannot have the guard, and what would change that. start.c prints it when the
 * guard cannot be loaded, active.c when programs are not called.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "bpf/shared/mountinfo.h"
#include "guard_command.h"
#include "pins.h"
#include "obstacles.h"
#include "selftest.h"

#define LSM_LIST "/sys/kernel/security/lsm"
#define LOCKDOWN "/sys/kernel/security/lockdown"
#define FTRACE "/proc/sys/kernel/ftrace_enabled"
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

/* Has the kernel been booted so that it calls no BPF program? */
static bool find_lsm_list(struct obstacle *obstacle)
{
	const char *list = first_line(LSM_LIST);

	if (!*list || list_has(list, "bpf"))
		return false;
	obstacle->word = "no-bpf-in-lsm";
	snprintf(obstacle->text, sizeof(obstacle->text),
		 "this kernel does not call BPF programs on its security "
		 "hooks: %s has no \"bpf\" (it has %.150s). Add "
		 "\"lsm=%.150s,bpf\" to the kernel's command line "
		 "(GRUB_CMDLINE_LINUX in /etc/default/grub, then update-grub) "
		 "and reboot", LSM_LIST, list, list);
	return true;
}

/*
 * Is the sysctl off that hardening guides switch off? The kernel then calls no
 * program on a hook.
 */
static bool find_ftrace(struct obstacle *obstacle)
{
	if (strcmp(first_line(FTRACE), "0") != 0)
		return false;
	obstacle->word = "ftrace-disabled";
	snprintf(obstacle->text, sizeof(obstacle->text),
		 "kernel.ftrace_enabled is 0, so this kernel calls no BPF "
		 "program on a security hook. Run: sysctl kernel.ftrace_enabled=1, "
		 "and remove the line from /etc/sysctl.conf and "
		 "/etc/sysctl.d");
	return true;
}

struct obstacle obstacle_not_called(void)
{
	struct obstacle obstacle = { .word = "not-called" };
	bool listed;

	if (find_lsm_list(&obstacle) || find_ftrace(&obstacle))
		return obstacle;
	listed = *first_line(LSM_LIST);
	snprintf(obstacle.text, sizeof(obstacle.text),
		 "the programs are loaded, but the kernel does not call them%s%s%s",
		 listed ? ", although " :
		 ". Run: mount -t securityfs none /sys/kernel/security, and check "
		 "whether ", LSM_LIST, " names \"bpf\"");
	return obstacle;
}

/* Does the kernel have a symbol? @end: the end of its line. Reading all takes a while. */
static bool has_symbol(const char *end)
{
	FILE *symbols = fopen("/proc/kallsyms", "re");
	bool found = false;
	char line[512];

	while (symbols && !found && fgets(line, sizeof(line), symbols))
		found = strstr(line, end);
	if (symbols)
		fclose(symbols);
	return found;
}

bool obstacle_built_in(void)
{
	return option_is_taken() && has_symbol(" utf8val_parse_param\n");
}

bool obstacle_before_start(void)
{
	struct obstacle obstacle;

	if (!is_root())
		return false;
	if (!pins_complete(NULL) && obstacle_built_in()) {
		complain("this kernel has the option utf8val= built in; no guard is needed");
		return false;
	}
	if (find_lsm_list(&obstacle)) {
		complain("%s", obstacle.text);
		return false;
	}
	if (access("/sys/kernel", F_OK)) {
		complain("/sys is not mounted here. Run: mount -t sysfs none /sys");
		return false;
	}
	if (access(BTF, R_OK)) {
		complain("%s: %s: this kernel was built without "
			 "CONFIG_DEBUG_INFO_BTF, which the guard requires. "
			 "Install the distribution's own kernel package "
			 "(Debian: linux-image-amd64 or linux-image-arm64)",
			 BTF, strerror(errno));
		return false;
	}
	if (strstr(first_line(LOCKDOWN), "[confidentiality]")) {
		complain("%s is at confidentiality, which keeps BPF programs "
			 "from reading names. Boot with "
			 "\"lockdown=integrity\" or without \"lockdown=\" on "
			 "the kernel's command line", LOCKDOWN);
		return false;
	}
	return true;
}

/*
 * Only Linux 6.1 has this defect. The version is no evidence, because distributions
 * backport fixes. The symbol went with the check that skips a program.
 */
void obstacle_warn(void)
{
	struct utsname name;

	if (!uname(&name) && !strncmp(name.release, "6.1.", 4) &&
	    has_symbol(" __bpf_prog_enter_struct_ops\n"))
		complain("warning: this kernel (%s) can skip a check under "
			 "preemption, so a bad name may pass. Upgrade to Linux "
			 "6.1.54 (Debian 6.1.55-1) or later",
			 name.release);
}

void obstacle_complain(const char *what, const char *program, int error)
{
	struct utsname name;

	complain("%s%s%s: %s", what, program ? " " : "", program ? program : "",
		 error == 524 ? "not supported" : strerror(error));
	uname(&name);
	if (error == EPERM)
		complain("loading BPF programs needs CAP_BPF, CAP_PERFMON and "
			 "CAP_SYS_ADMIN, which root in a container does not have");
	else if (error == 524)
		complain("this kernel (%s, %s) cannot attach BPF programs to "
			 "security hooks; on arm64 that came with Linux 6.4",
			 name.release, name.machine);
	else
		complain("Linux " GUARD_KERNELS " are known to work; this is %s. To see "
			 "the missing hook or the verifier's messages, run: "
			 "utf8val-guard start --verbose", name.release);
}
