// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The reports to an administrator: the log, an audit record, and the guard's counters.
 * A point's name begins with the rule it tests. vm/run.py runs this in a virtual
 * machine.
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

#define WHERE "/o"

static bool has(const char *text, const char *part)
{
	return strstr(text, part);
}

/* The line of one operation in stats. */
static struct counts stats_of(const char *operation)
{
	struct counts one = { 0, 0, 0 };
	const char *at = guard_status();

	at = strstr(at, text_of("\n%s ", operation));
	if (at)
		sscanf(at, "%*s %lu %lu %lu", &one.checked, &one.bad, &one.denied);
	return one;
}

/*
 * Make one good name and one bad name by each operation, in each mode. A guard's
 * status tries names itself, which it counts as checked; an idle pair of readings
 * tells how many.
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
		tap(after.checked - before.checked ==
		    idle.checked + (mode ? 2 : 0) &&
		    after.bad - before.bad == (mode ? 1 : 0) &&
		    after.denied - before.denied == (mode == 2 ? 1 : 0),
		    "25: %s is counted, %s", way->name, mode ? options[mode] : "unset");
		go("/");
		umount(WHERE);
	}
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
 * An operation that a container's root can repeat without limit, on its own file
 * system.
 */
static int in_container(const char *where)
{
	if (!enter_namespace() || mount_tmpfs(where, "utf8val=enforce"))
		return -EPERM;
	return do_create(text_of("%s/own\xFF", where));
}

/*
 * Any user can cause records, so the records have the same limit as lines in the log,
 * for each file system separately. A container's root causes none.
 */
static void audit_limits(void)
{
	int fd = audit_reader();
	int count;

	mount_tmpfs(WHERE "2", "utf8val=enforce");
	for (int i = 0; i < 500; i++)
		do_create(WHERE "/flood\xFF");
	tap_is(audit_mark(fd), 0, "30: 500 bad names, and a mark");
	count = audit_count(fd, AUDIT_ANOM_CREAT, "666C6F6F64FF");
	tap(count > 0 && count < 100, "30: a flood is limited in the audit log");
	do_create(WHERE "2/other\xFF");
	tap_is(audit_mark(fd), 0, "30: one on another file system, and a mark");
	tap_is(audit_count(fd, AUDIT_ANOM_CREAT, "6F74686572FF"), 1,
	       "30: which the flood has not hidden");
	tap_is(by_child(0, in_container, WHERE "2"), -EILSEQ,
	       "20: a container's own refuses a name");
	tap_is(audit_mark(fd), 0, "20: and a mark");
	tap_is(audit_count(fd, AUDIT_ANOM_CREAT, "6F776EFF"), 0,
	       "20: which the host's audit log does not have");
	umount(WHERE "2");
	close(fd);
}

/* Is there one line with the record type's usual fields first, and then the option's? */
static bool recorded(bool denied, const char *hex, int (*make)(const char *path),
		     const char *path)
{
	struct stat st;
	char want[256];

	if (stat(WHERE, &st))
		return false;
	/* until_logged() makes other texts */
	snprintf(want, sizeof(want), " res=%d dir_inode=%lu dir_dev=%02x:%02x name=%s", !denied,
		 (unsigned long)st.st_ino, major(st.st_dev), minor(st.st_dev), hex);
	return until_logged(want, make, path);
}

/* Write to a file that exists by a bad name, which the kernel has not cached. */
static int open_again(const char *path)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);

	return fd < 0 ? -errno : err(close(fd));
}

/* A name that is there is not reported, though open(O_CREAT) asks before it knows that. */
static void existing(void)
{
	mount_tmpfs(WHERE "2", "");
	do_create(WHERE "2/old\xFF");
	do_remount(WHERE "2", "utf8val=enforce");
	put("/proc/sys/vm/drop_caches", "2");
	log_clear();
	tap_is(open_again(WHERE "2/old\xFF"), 0, "5: a name that is not cached is opened");
	tap(!logged("refused"), "23: and not reported");
	umount(WHERE "2");
}

/* Let a process that creates a name in the directory break its delegation. */
static int delegate(const char *where)
{
	/* F_SETDELEG and struct delegation of Linux 7's <linux/fcntl.h> */
	const struct {
		uint32_t flags;
		uint16_t type, pad;
	} read = { .type = F_RDLCK };
	int dir = open(where, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int result = err(fcntl(dir, 1024 + 16, &read));

	if (result)
		close(dir);
	return result ? result : dir;
}

/* With audit, a name is reported once it is there, and then once. */
static void only_created(void)
{
	int fd = audit_reader(), dir;

	/* this file system can have three inodes: the root and two files */
	mount_tmpfs(WHERE "2", "nr_inodes=3,utf8val=audit");
	go(WHERE "2");
	do_create("seed");
	do_create("moving");
	log_clear();
	for (size_t i = 0; i < ARRAY_SIZE(plain_ways) - 1; i++)
		tap_is(plain_ways[i].enter("full\xFF"), -ENOSPC, "23: %s, no space",
		       plain_ways[i].name);
	unlink("moving");
	mkdir("moving", 0755);
	mount_tmpfs("moving", "");
	tap_is(enter_rename("busy\xFF"), -EBUSY, "23: rename of a mount point");
	umount("moving");
	tap(!logged("would refuse"), "23: what fails for another reason is not reported");
	tap_is(enter_rename("moved\xFF"), 0, "23: rename");
	tap(logged("would refuse"), "23: is reported");
	go("/");
	umount(WHERE "2");
	close(fd);

	fd = audit_reader();
	mount_tmpfs(WHERE "2", "utf8val=audit");
	signal(SIGIO, SIG_IGN);
	put("/proc/sys/fs/lease-break-time", "1");
	dir = delegate(WHERE "2");
	if (dir < 0) {
		tap_skip("no delegations of directories here", "23: reported once");
	} else {
		tap_is(do_mkdir(WHERE "2/once\xFF"), 0, "23: a delegation is broken");
		tap_is(audit_mark(fd), 0, "23: and a mark");
		tap_is(audit_count(fd, AUDIT_ANOM_CREAT, "6F6E6365FF"), 1,
		       "23: the name is reported once");
		close(dir);
	}
	umount(WHERE "2");
	close(fd);
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
	tap(recorded(true, "71C1A12278", do_create, WHERE "/q\xC1\xA1\"x") &&
	    logged("type=1703") && logged("op=utf8val"),
	    "23: audit record of a refusal, the name as hex");
	audit_limits();
	do_remount(WHERE, "utf8val=audit");
	tap(recorded(false, "72FE", make_again, WHERE "/r\xFE"),
	    "23: audit record of what was let through");
	umount(WHERE);
	only_created();
}

static void notices(void)
{
	const char *suppressed = guarded() ? "events are not shown" :
					     "more like it";
	char path[300];

	mount_tmpfs(WHERE, "utf8val=enforce");
	snprintf(path, sizeof(path), WHERE "/%.255s", name_of(NAME_MAX, "\xFF"));
	log_clear();
	tap(until_logged("(tmpfs): bad lead at byte 254 of 255; from byte 191: 6e 6e",
			 do_create, path) && logged("refused "),
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
	if (guarded()) {
		stats();
		tap_skip("a program cannot make one", "23: audit record");
		return tap_end();
	}
	existing();
	records();
	return tap_end();
}
