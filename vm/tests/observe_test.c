// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What an administrator sees: the log, an audit record, the tracepoint, and
 * the files in securityfs. A point's name begins with the rule it tests.
 *
 * Runs as root in the virtual machine, started with FS=none.
 */
#include <linux/audit.h>
#include <linux/netlink.h>
#include <poll.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>

#include "ways.h"

#define SECURITY "/sys/kernel/security/utf8val/"
#define TRACING "/sys/kernel/tracing/"
#define EVENT TRACING "events/utf8val/utf8val_bad_name/"
#define WHERE "/o"

static bool has(const char *text, const char *part)
{
	return strstr(text, part);
}

static bool traced(const char *op, const char *mode, bool restored, size_t len,
		   size_t offset, const char *reason, const char *hex)
{
	return has(contents(TRACING "trace"),
		   text_of("op=%s mode=%s restored=%d len=%zu offset=%zu reason=\"%s\" name=%s\n",
			   op, mode, restored, len, offset, reason, hex));
}

static void events(void)
{
	const char *trace, *name = name_of(NAME_MAX, "\xFF");
	char want[600], *hex = want;

	if (access(EVENT "enable", F_OK)) {
		tap(false, "24: the tracepoint is in tracefs");
		return;
	}
	tap(has(contents(EVENT "format"), "__print_hex_str"),
	    "24: its format prints names as hex");
	tap_is(put(EVENT "enable", "1"), 0, "24: can be switched on");
	mount_tmpfs(WHERE, "utf8val=enforce");
	do_create(WHERE "/ab\xC0\xAF\x1B[31m");
	mkdir(WHERE "/\xED\xA0\x80", 0755);
	do_create(WHERE "/moving");
	rename(WHERE "/moving", WHERE "/\xE4\xBD");
	tap(traced("create", "enforce", false, 9, 2, "overlong", "6162c0af1b5b33316d"),
	    "24: create");
	tap(traced("mkdir", "enforce", false, 3, 0, "surrogate", "eda080"), "24: mkdir");
	tap(traced("rename", "enforce", false, 2, 0, "truncated", "e4bd"), "24: rename");
	trace = contents(TRACING "trace");
	tap(!strchr(trace, 0x1B) && !strchr(trace, 0xC0) &&
	    !strchr(trace, 0xED), "23: never raw");

	do_create(text_of(WHERE "/%s", name));
	for (const char *c = name; *c; c++)
		hex += sprintf(hex, "%02x", (unsigned char)*c);
	tap(traced("create", "enforce", false, NAME_MAX, NAME_MAX - 1,
		   "bad lead", want), "24: a full-length name in full");

	do_remount(WHERE, "utf8val=audit");
	tap_is(err(symlink("x", WHERE "/\xF4\x90\x80\x80")), 0, "9: audit");
	tap(traced("symlink", "audit", false, 4, 0, "too large", "f4908080"),
	    "24: audit");
	unlink(WHERE "/\xF4\x90\x80\x80");
	do_create(WHERE "/\xF4\x90\x80\x80");
	tap(traced("create", "audit", true, 4, 0, "too large", "f4908080"),
	    "40: traced as what it is");
	put(EVENT "enable", "0");
	umount(WHERE);
}

/* The line of one operation in stats. */
static struct counts stats_of(const char *operation)
{
	struct counts one = { 0, 0, 0 };
	const char *at = guarded() ? guard_status() : contents(SECURITY "stats");

	at = strstr(at, text_of("\n%s ", operation));
	if (at)
		sscanf(at, "%*s %lu %lu %lu", &one.checked, &one.bad, &one.denied);
	return one;
}

/*
 * Make one good name and one bad name by each operation, in each mode. A guard's
 * status tries names itself, which it counts as checked; an idle pair of readings
 * tells how many. The module counts nothing on its own.
 */
static void stats(void)
{
	static const char *const options[] = { "", "utf8val=audit",
					       "utf8val=enforce" };

	for (size_t i = 0; i < ARRAY_SIZE(options) * ARRAY_SIZE(plain_ways); i++) {
		const struct plain_way *way = &plain_ways[i % ARRAY_SIZE(plain_ways)];
		size_t mode = i / ARRAY_SIZE(plain_ways);
		struct counts idle, before, after;

		mount_tmpfs(WHERE, options[mode]);
		go(WHERE);
		do_create("seed");
		do_create("moving");
		idle = stats_of(way->name);
		before = stats_of(way->name);
		idle.checked = before.checked - idle.checked;
		way->enter("good");
		if (!there("moving"))
			do_create("moving");
		way->enter("a\xFF");
		after = stats_of(way->name);
		tap((guarded() || !idle.checked) && after.checked - before.checked ==
		    idle.checked + (mode ? 2 : 0) &&
		    after.bad - before.bad == (mode ? 1 : 0) &&
		    after.denied - before.denied == (mode == 2 ? 1 : 0),
		    "25: %s is counted, %s", way->name, mode ? options[mode] : "unset");
		go("/");
		umount(WHERE);
	}
}

static int do_open(const char *path)
{
	return err(open(path, O_RDONLY | O_CLOEXEC));
}

/* Is there a line in mounts that begins with the device of this mount and this text? */
static bool in_mounts(const char *where, const char *text)
{
	struct stat st;

	return !stat(where, &st) && has(contents(SECURITY "mounts"),
		text_of("0:%lu %s", (unsigned long)st.st_dev, text));
}

static void files(void)
{
	static const char *const names[] = { "stats", "mounts" };
	struct stat st;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *path = text_of(SECURITY "%s", names[i]);

		tap(!stat(path, &st) && (st.st_mode & 07777) == 0400 &&
		    !st.st_uid, "25: %s has mode 0400, root's", names[i]);
		tap_is(by_child(1000, do_open, path), -EACCES,
		       "25: %s cannot be opened by others", names[i]);
	}

	mount_tmpfs(WHERE, "utf8val=enforce");
	mount_tmpfs(WHERE "2", "utf8val=audit");
	mount_tmpfs(WHERE "3", "utf8val=off");
	tap(in_mounts(WHERE, "tmpfs enforce\n"), "25: mounts has the enforced one");
	tap(in_mounts(WHERE "2", "tmpfs audit\n"), "25: mounts has the audited one");
	tap(!in_mounts(WHERE "3", ""), "25: mounts has none that is off");
	umount(WHERE);
	umount(WHERE "2");
	umount(WHERE "3");
	tap(!*contents(SECURITY "mounts"), "25: and is empty after umount");
}

/* Send a message of this type to the kernel's audit system. */
static int audit_send(int fd, uint16_t type, const void *data, size_t len)
{
	struct {
		struct nlmsghdr header;
		char data[sizeof(struct audit_status)];
	} message = { .header = {
		.nlmsg_len = (uint32_t)(sizeof(message.header) + len),
		.nlmsg_type = type,
		.nlmsg_flags = NLM_F_REQUEST,
	} };

	memcpy(message.data, data, len);
	return err(send(fd, &message, message.header.nlmsg_len, 0));
}

/* Switch auditing on, as auditd does; without auditd, records go to the kernel's log. */
static int audit_on(void)
{
	const struct audit_status on = { .mask = AUDIT_STATUS_ENABLED, .enabled = 1 };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_AUDIT);
	int result = fd < 0 ? -errno : audit_send(fd, AUDIT_SET, &on, sizeof(on));

	close(fd);
	return result;
}

/* Send an audit event of user space's own, whose arrival can be waited for. */
static int audit_mark(int fd)
{
	return audit_send(fd, AUDIT_FIRST_USER_MSG, "the end", sizeof("the end"));
}

/*
 * Returns: how many records of this type with this text come before the mark;
 * -1 if no mark comes.
 */
static int audit_count(int fd, unsigned int type, const char *text)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	union {
		struct nlmsghdr header;
		char bytes[(1 << 14) + 1];
	} message;
	int count = 0;

	while (poll(&ready, 1, 300000) == 1) {
		ssize_t len = recv(fd, &message, sizeof(message) - 1, 0);

		if (len < (ssize_t)sizeof(message.header))
			continue;
		if (message.header.nlmsg_type == AUDIT_FIRST_USER_MSG)
			return count;
		message.bytes[len] = '\0';
		count += message.header.nlmsg_type == type &&
			 has(NLMSG_DATA(&message.header), text);
	}
	return -1;
}

/* A reader of all audit records from now on, which also gets the mark. */
static int audit_reader(void)
{
	struct sockaddr_nl group = {
		.nl_family = AF_NETLINK,
		.nl_groups = 1 << (AUDIT_NLGRP_READLOG - 1),
	};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_AUDIT);
	int size = 1 << 22;

	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size));
	tap_is(err(bind(fd, (struct sockaddr *)&group, sizeof(group))), 0,
	       "30: a reader of all audit records");
	return fd;
}

/*
 * Nobody can fill the audit log with bad names, nor make others wait for it,
 * nor hide the bad names of another file system.
 */
static void audit_flood(void)
{
	int fd = audit_reader(), other = audit_reader();
	struct timespec begin, end;
	int count;

	mount_tmpfs(WHERE "2", "utf8val=enforce");
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (int i = 0; i < 1000; i++)
		do_create(WHERE "/flood\xFF");
	do_create(WHERE "2/other\xFF");
	tap_is(audit_mark(fd), 0, "30: 1000 bad names, and a mark");
	count = audit_count(fd, AUDIT_ANOM_CREAT, "name=666C6F6F64FF");
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("# %d records in %ld s\n", count, (long)(end.tv_sec - begin.tv_sec));
	tap(count > 0 && count <= 10 * (2 + (end.tv_sec - begin.tv_sec) / 5),
	    "30: few of them are in the audit log");
	tap_is(audit_count(other, AUDIT_ANOM_CREAT, "name=6F74686572FF"), 1,
	       "30: and that of another file system");
	umount(WHERE "2");
	close(other);
	close(fd);
}

static void audit_lowered(void)
{
	int fd = audit_reader();
	struct stat st;
	const char *want;

	stat(WHERE, &st);
	want = text_of("op=utf8val_lower old=enforce new=audit dev=%02x:%02x ",
		       major(st.st_dev), minor(st.st_dev));
	tap_is(do_remount(WHERE, "utf8val=audit"), 0, "16: enforce to audit");
	audit_mark(fd);
	tap_is(audit_count(fd, AUDIT_MAC_STATUS, want), 1,
	       "17: lowering is an audit record");
	close(fd);
}

/* Is there one line with the record type's usual fields first, and then this module's? */
static bool recorded(bool denied, const char *rest,
		     int (*make)(const char *path), const char *path)
{
	struct stat st;
	char want[256];

	if (stat(WHERE, &st))
		return false;
	/* until_logged() makes other texts */
	snprintf(want, sizeof(want), " res=%d dev=%02x:%02x %s", !denied,
		 major(st.st_dev), minor(st.st_dev), rest);
	return until_logged(want, make, path);
}

static void records(void)
{
	int result = audit_on();

	if (result == -EPROTONOSUPPORT) {
		tap_skip("no CONFIG_AUDIT in this kernel", "23: audit record");
		return;
	}
	tap_is(result, 0, "23: auditing is switched on");
	mount_tmpfs(WHERE, "utf8val=enforce");
	tap(recorded(true, "offset=1 reason=overlong restored=0 name=71C1A12278",
		     do_create, WHERE "/q\xC1\xA1\"x") &&
	    logged("type=1703") && logged("op=utf8val_create"),
	    "23: audit record of a refusal, the name as hex");
	audit_flood();
	audit_lowered();
	tap(recorded(false, "offset=1 reason=bad-lead restored=0 name=72FE", make_again,
		     WHERE "/r\xFE"), "23: audit record of what was let through");
	tap(recorded(false, "offset=1 reason=bad-lead restored=1 name=73FE", create_again,
		     WHERE "/s\xFE"), "40: audit record of a name that came back");
	umount(WHERE);
}

/*
 * Since 6.8 a security module has a number, and lsm_list_modules(2) lists those in use.
 */
static void module_id(void)
{
	uint64_t ids[32];
	uint32_t size = sizeof(ids);
	long count = syscall(461, ids, &size, 0);
	bool found = false;

	if (linux_now() < 6008) {
		tap_skip("no lsm_list_modules in this kernel", "25: the module's number");
		return;
	}
	for (long i = 0; i < count; i++)
		found |= ids[i] == 114;
	tap(found, "25: the module's number is the one of linux/lsm.h");
}

static void notices(void)
{
	const char *suppressed = guarded() ? "events are not shown" :
					     "callbacks suppressed";
	char path[300];

	mount_tmpfs(WHERE, "utf8val=enforce");
	snprintf(path, sizeof(path), WHERE "/%s", name_of(NAME_MAX, "\xFF"));
	log_clear();
	tap(until_logged("(tmpfs): bad lead at byte 254 of 255; from byte 191: 6e 6e",
			 do_create, path) && logged("refused create on 0:"),
	    "23: a long name is shown around the bad place");
	for (int i = 0; i < 1000; i++)
		do_create(path);
	tap(!logged("\xFF"), "23: never raw");
	/* the number is logged with the first event after five seconds */
	tap(until_logged(suppressed, do_create, path), "23, 30: ratelimited");
	umount(WHERE);
}

int main(void)
{
	notices();
	module_id();
	events();
	stats();
	if (guarded()) {
		tap_skip("the guard's are utf8val-guard status",
			 "25: files in securityfs");
		tap_skip("a program cannot make one", "23: audit record");
		return tap_end();
	}
	files();
	records();
	return tap_end();
}
