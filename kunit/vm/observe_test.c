// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What an administrator sees: the log, an audit record, the tracepoint, and
 * the files in securityfs. A point's name begins with the rule it tests.
 *
 * Runs as root in the virtual machine, started with FS=none.
 */
#include <linux/audit.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "fs.h"
#include "names.h"
#include "tap.h"

#define SECURITY "/sys/kernel/security/utf8val/"
#define TRACING "/sys/kernel/tracing/"
#define EVENT TRACING "events/utf8val/utf8val_bad_name/"
#define WHERE "/o"

static void tracepoint(void)
{
	char name[256], path[300], want[600], *hex = want;
	const char *trace;

	if (access(EVENT "enable", F_OK)) {
		tap(false, "24: the tracepoint is in tracefs");
		return;
	}
	tap(strstr(contents(EVENT "format"), "__print_hex_str") != NULL,
	    "24: its format prints names as hex");
	tap_is(put(EVENT "enable", "1"), 0, "24: can be switched on");
	do_mount("tmpfs", "none", WHERE, "utf8val=enforce");
	do_create(WHERE "/ab\xC0\xAF\x1B[31m");
	mkdir(WHERE "/\xED\xA0\x80", 0755);
	do_create(WHERE "/moving");
	rename(WHERE "/moving", WHERE "/\xE4\xBD");
	trace = contents(TRACING "trace");
	tap(strstr(trace, "op=create mode=enforce len=9 offset=2 reason=\"overlong\" name=6162c0af1b5b33316d") != NULL,
	    "24: create");
	tap(strstr(trace, "op=mkdir mode=enforce len=3 offset=0 reason=\"surrogate\" name=eda080") != NULL,
	    "24: mkdir");
	tap(strstr(trace, "op=rename mode=enforce len=2 offset=0 reason=\"truncated\" name=e4bd") != NULL,
	    "24: rename");
	tap(!strchr(trace, 0x1B) && !strchr(trace, 0xC0) &&
	    !strchr(trace, 0xED), "23: never raw");

	memset(name, 'n', NAME_MAX);
	strcpy(name + NAME_MAX - 1, "\xFF");
	snprintf(path, sizeof(path), WHERE "/%s", name);
	do_create(path);
	for (const char *c = name; *c; c++)
		hex += sprintf(hex, "%02x", (unsigned char)*c);
	trace = contents(TRACING "trace");
	tap(strstr(trace, "len=255 offset=254 reason=\"bad lead\"") &&
	    strstr(trace, want), "24: a full-length name in full");

	do_remount(WHERE, "utf8val=audit");
	tap_is(err(symlink("x", WHERE "/\xF4\x90\x80\x80")), 0, "9: audit");
	trace = contents(TRACING "trace");
	tap(strstr(trace, "op=symlink mode=audit len=4 offset=0 reason=\"too large\"") != NULL,
	    "24: audit");
	put(EVENT "enable", "0");
	umount(WHERE);
}

/* One operation's line in stats. */
static struct counts stats_of(const char *operation)
{
	struct counts one = { 0, 0, 0 };
	const char *at = contents(SECURITY "stats");
	char key[32];

	snprintf(key, sizeof(key), "\n%s ", operation);
	at = strstr(at, key);
	if (at)
		sscanf(at + strlen(key), "%lu %lu %lu", &one.checked, &one.bad,
		       &one.denied);
	return one;
}

static void counted(const char *operation, int (*good)(void),
		    int (*bad)(void))
{
	static const char *const options[] = { "", "utf8val=audit",
					       "utf8val=enforce" };

	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		struct counts before, after;

		do_mount("tmpfs", "none", WHERE, options[i]);
		do_create(WHERE "/seed");
		before = stats_of(operation);
		good();
		bad();
		after = stats_of(operation);
		tap(after.checked - before.checked == (i ? 2 : 0) &&
		    after.bad - before.bad == (i ? 1 : 0) &&
		    after.denied - before.denied == (i == 2 ? 1 : 0),
		    "25: %s is counted, %s", operation,
		    i ? options[i] : "unset");
		umount(WHERE);
	}
}

#define BOTH(op, call)							\
	static int good_##op(void)					\
	{								\
		const char *name = WHERE "/good";			\
									\
		return call;						\
	}								\
	static int bad_##op(void)					\
	{								\
		const char *name = WHERE "/a\xFF";			\
									\
		return call;						\
	}

BOTH(create, do_create(name))
BOTH(link, link(WHERE "/seed", name))
BOTH(symlink, symlink("x", name))
BOTH(mkdir, mkdir(name, 0755))
BOTH(mknod, mknod(name, S_IFIFO | 0644, 0))

static int good_rename(void)
{
	return rename(WHERE "/seed", WHERE "/good");
}

static int bad_rename(void)
{
	return rename(WHERE "/good", WHERE "/a\xFF");
}

static void stats(void)
{
	counted("create", good_create, bad_create);
	counted("link", good_link, bad_link);
	counted("symlink", good_symlink, bad_symlink);
	counted("mkdir", good_mkdir, bad_mkdir);
	counted("mknod", good_mknod, bad_mknod);
	counted("rename", good_rename, bad_rename);
}

static void files(void)
{
	static const char *const names[] = { "version", "stats", "mounts" };
	struct stat st;
	int status;
	char line[64];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char path[64];

		snprintf(path, sizeof(path), SECURITY "%s", names[i]);
		tap(!stat(path, &st) && (st.st_mode & 07777) == 0400 &&
		    !st.st_uid, "25: %s has mode 0400, root's", names[i]);
		fflush(stdout);
		if (!fork())
			_exit(setuid(1000) || open(path, O_RDONLY) >= 0 ||
			      errno != EACCES);
		wait(&status);
		tap_is(status, 0, "25: %s cannot be opened by others",
		       names[i]);
	}
	tap(strchr(contents(SECURITY "version"), '.') != NULL, "25: version");

	do_mount("tmpfs", "none", WHERE, "utf8val=enforce");
	do_mount("tmpfs", "none", WHERE "2", "utf8val=audit");
	do_mount("tmpfs", "none", WHERE "3", "utf8val=off");
	stat(WHERE, &st);
	snprintf(line, sizeof(line), "0:%lu tmpfs enforce\n",
		 (unsigned long)st.st_dev);
	tap(strstr(contents(SECURITY "mounts"), line) != NULL,
	    "25: mounts has the enforced one");
	stat(WHERE "2", &st);
	snprintf(line, sizeof(line), "0:%lu tmpfs audit\n",
		 (unsigned long)st.st_dev);
	tap(strstr(contents(SECURITY "mounts"), line) != NULL,
	    "25: mounts has the audited one");
	stat(WHERE "3", &st);
	snprintf(line, sizeof(line), "0:%lu ", (unsigned long)st.st_dev);
	tap(!strstr(contents(SECURITY "mounts"), line),
	    "25: mounts has none that is off");
	umount(WHERE);
	umount(WHERE "2");
	umount(WHERE "3");
	tap(!*contents(SECURITY "mounts"), "25: and is empty after umount");
}

/* Switch auditing on, as auditd does; without it records go to the log. */
static int audit_on(void)
{
	struct {
		struct nlmsghdr header;
		struct audit_status status;
	} request = {
		.header = {
			.nlmsg_len = sizeof(request),
			.nlmsg_type = AUDIT_SET,
			.nlmsg_flags = NLM_F_REQUEST,
		},
		.status = { .mask = AUDIT_STATUS_ENABLED, .enabled = 1 },
	};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_AUDIT);
	int result = fd < 0 ? -errno :
			      err(send(fd, &request, sizeof(request), 0));

	close(fd);
	return result;
}

static void audit(void)
{
	int result = audit_on();

	if (result == -EPROTONOSUPPORT) {
		tap_skip("no CONFIG_AUDIT in this kernel", "23: audit record");
		return;
	}
	tap_is(result, 0, "23: auditing is switched on");
	do_mount("tmpfs", "none", WHERE, "utf8val=enforce");
	do_create(WHERE "/q\xC1\xA1\"x");
	usleep(200000);
	tap(logged("type=1703") && logged("op=utf8val_create") &&
	    logged("offset=1 reason=\"overlong\" name=71C1A12278 res=0"),
	    "23: audit record of a refusal, the name as hex");
	do_remount(WHERE, "utf8val=audit");
	mkdir(WHERE "/r\xFE", 0755);
	usleep(200000);
	tap(logged("op=utf8val_mkdir") &&
	    logged("offset=1 reason=\"bad lead\" name=72FE res=1"),
	    "23: audit record of what was let through");
	umount(WHERE);
}

static void notices(void)
{
	char name[256], path[300];

	do_mount("tmpfs", "none", WHERE, "utf8val=enforce");
	memset(name, 'n', NAME_MAX);
	strcpy(name + NAME_MAX - 1, "\xFF");
	snprintf(path, sizeof(path), WHERE "/%s", name);
	/* a burst before may have used up the ratelimit's five seconds */
	sleep(6);
	klogctl(5, NULL, 0);
	do_create(path);
	tap(logged("refused create on 0:") &&
	    logged("(tmpfs): bad lead at byte 254 of 255; from byte 191: 6e 6e"),
	    "23: a long name is shown around the bad place");
	for (int i = 0; i < 1000; i++)
		do_create(path);
	tap(!logged("\xFF"), "23: never raw");
	sleep(6);
	klogctl(5, NULL, 0);
	do_create(path);
	tap(logged("callbacks suppressed"), "23: ratelimited");
	umount(WHERE);
}

int main(void)
{
	notices();
	tracepoint();
	files();
	stats();
	audit();
	return tap_end();
}
