// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Is the guard active? The subcommands call this before they use the guard. */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "active.h"
#include "obstacles.h"
#include "pins.h"
#include "selftest.h"

/* the initial user namespace: PROC_USER_INIT_INO in include/linux/proc_ns.h */
#define FIRST_USER_NAMESPACE 0xEFFFFFFDu

/* Make a finding; its text is a format. */
__attribute__((format(printf, 3, 4)))
static struct finding found(enum status status, const char *word, const char *format, ...)
{
	struct finding finding = { .status = status, .word = word };
	va_list list;

	va_start(list, format);
	vsnprintf(finding.text, sizeof(finding.text), format, list);
	va_end(list);
	return finding;
}

static bool in_user_namespace(void)
{
	struct stat st;

	return !stat("/proc/self/ns/user", &st) && st.st_ino != FIRST_USER_NAMESPACE;
}

/* May this process mount? It may if fsopen(2) succeeds. */
static bool may_mount(void)
{
	int fs = (int)syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC);

	if (fs >= 0)
		close(fs);
	return fs >= 0 || errno != EPERM;
}

/* Is a guard active whose pins cannot be seen here? */
static bool is_hidden(bool wait)
{
	for (int tries = wait ? 50 : 1; tries; tries--) {
		if (!option_is_taken())
			return false;
		if (tries > 1)
			usleep(100000);
	}
	return true;
}

struct finding active_without_pins(bool wait)
{
	if (obstacle_built_in()) {
		struct finding finding =
			found(STATUS_GOOD, NULL, "active by the kernel, which has the option "
			      "utf8val= built in. To set a mode, run: mount -o "
			      "remount,utf8val=MODE MOUNTPOINT. For refused names, run: "
			      "journalctl -k");

		finding.built_in = true;
		return finding;
	}
	if (is_hidden(wait))
		return found(STATUS_TROUBLE, "hidden",
			     "unknown: a guard accepts the option, but its pins "
			     "cannot be seen from here. If something is mounted "
			     "over %s, unmount that. If this is another mount "
			     "namespace, run: nsenter -t 1 -m utf8val-guard status",
			     BPFFS);
	return found(STATUS_BAD, "not-started", "not active. To load it, run: "
		     "utf8val-guard start");
}

static struct finding try_mode(const char *mode)
{
	struct selftest_of of = { .mode = mode };
	struct obstacle obstacle;
	struct selftest test;

	if (!pins_are_there() || pins_rest())
		return active_without_pins(false);
	if (!pins_complete(&of.generation))
		return found(STATUS_BAD, "interrupted",
			     "only partly active: a start or stop was "
			     "interrupted. Run: utf8val-guard start");
	test = selftest(&of);
	obstacle = obstacle_not_called();
	/*
	 * where the kernel is known to call no program, the mode that this sets would
	 * outlast its file system
	 */
	if (test.result == SELFTEST_NOT_CALLED && !obstacle_known(&obstacle)) {
		of.without_option = true;
		test = selftest(&of);
	}
	switch (test.result) {
	case SELFTEST_PASSED:
		return found(STATUS_GOOD, NULL, "active%s",
			     of.without_option ? WITHOUT_OPTION : "");
	case SELFTEST_IMPOSSIBLE:
		return found(STATUS_TROUBLE, "no-room",
			     "unknown: the self-test cannot run: %s", test.text);
	case SELFTEST_OTHER_VERSION:
		return found(STATUS_TROUBLE, "other-version", "unknown: %s", test.text);
	default:
		break;
	}
	if (obstacle_known(&obstacle))
		return found(STATUS_BAD, obstacle.word, "not active: %s",
			     obstacle.text);
	return found(STATUS_BAD, "names-pass",
		     "not active: the programs are loaded, but in the self-test %s. "
		     "Run: utf8val-guard stop && utf8val-guard start", test.text);
}

struct finding guard_active(const char *mode, bool locked)
{
	struct finding finding;

	if (geteuid())
		return found(STATUS_TROUBLE, "not-root", "unknown: the self-test needs root. "
			     "Run: sudo utf8val-guard status");
	if (in_user_namespace())
		return found(STATUS_TROUBLE, "user-namespace",
			     "unknown: the self-test cannot run in a user namespace, "
			     "as a container has. Run it on the host");
	if (!may_mount())
		return found(STATUS_TROUBLE, "no-capability",
			     "unknown: the self-test needs CAP_SYS_ADMIN, which root "
			     "in a container does not have. Run it on the host");
	finding = try_mode(mode);
	if (finding.status == STATUS_BAD && !locked && pins_lock(false) > 0)
		finding = try_mode(mode);
	return finding;
}

enum status guard_active_needed(const char *mode, bool locked)
{
	struct finding finding = guard_active(mode, locked);

	if (finding.status == STATUS_GOOD && !finding.built_in)
		return STATUS_GOOD;
	complain("%s", finding.text);
	return finding.built_in ? STATUS_TROUBLE : finding.status;
}
