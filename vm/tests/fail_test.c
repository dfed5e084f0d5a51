// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Mounts and remounts in which one allocation fails, each in turn. The kernel survives
 * the failure. A mount that succeeds has its option set; a mount that fails changes
 * nothing. A point's name begins with the rule it tests. vm/run.py runs this in a
 * virtual machine.
 *
 * Runs as root in the virtual machine, started with FS=none, in a kernel with
 * CONFIG_FAILSLAB. The arguments are file system types, "nfs" first if given. /dev/vda
 * and on are the disks of the types that need a disk. ext4 is not among the types: when
 * its allocations fail, ext4 removes a directory of /proc that ext4 did not make. The
 * kernel warns of this.
 */
#include "nfs.h"

#define WHERE "/f"
#define MOST 20000	/* allocations that a mount may take */

/* /proc/self/fail-nth, kept open, as opening it might be what fails */
static int control;

static void open_control(void)
{
	control = open("/proc/self/fail-nth", O_RDWR | O_CLOEXEC);
}

/* Let the program's Nth allocation from now on fail, or with 0 none. */
static void fail_nth(unsigned int nth)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", nth);

	if (pwrite(control, text, (size_t)len, 0) != len) {
		printf("Bail out! no allocation can be made to fail: %s\n",
		       strerror(errno));
		exit(1);
	}
}

/* Has an allocation failed since fail_nth()? */
static bool has_failed(void)
{
	char text[16] = "";

	return pread(control, text, sizeof(text) - 1, 0) > 0 && !strtoul(text, NULL, 10);
}

static int by_mount(const char *type, const char *device)
{
	return err(mount(device, WHERE, type, 0, "utf8val=enforce"));
}

static int by_fsmount(const char *type, const char *device)
{
	return do_fsmount(type, device, WHERE, "utf8val=enforce");
}

static int by_remount(const char *type, const char *device)
{
	(void)type;
	(void)device;
	return do_remount(WHERE, "utf8val=enforce");
}

static const struct way {
	const char *name;
	int (*run)(const char *type, const char *device);
	const char *before;	/* options of an earlier mount, if any */
	const char *rule;
} ways[] = {
	{ "mount(2)", by_mount, NULL, "12" },
	{ "fsmount(2)", by_fsmount, NULL, "12" },
	{ "remount", by_remount, "utf8val=audit", "16" },
};

static void try_all(const struct way *way, const char *type, const char *device)
{
	unsigned int nth, failures = 0, successes = 0, faults = 0;
	bool injected = true;

	for (nth = 1; injected && nth < MOST; nth++) {
		const char *want;
		int result;

		if (way->before && do_mount(type, device, WHERE, way->before))
			faults++;
		fail_nth(nth);
		result = way->run(type, device);
		injected = has_failed();
		fail_nth(0);
		if (result)
			failures++;
		else
			successes++;
		want = result ? way->before : "utf8val=enforce";
		if (want ? !shown(WHERE, want) : shown(WHERE, "")) {
			printf("# allocation %u, result %d: not %s\n", nth,
			       result, want ? want : "without a mount");
			faults++;
		}
		umount(WHERE);
	}
	printf("# %s, %s: %u allocations, %u errors, %u survived\n", type,
	       way->name, nth - 2, failures, successes);
	tap(!injected && !faults, "%s: %s, %s, an allocation fails", way->rule,
	    type, way->name);
	tap(failures, "%s: %s, %s, some failures are errors", way->rule, type, way->name);
}

struct submount {
	const char *name, *below, *path, *rule;
	const char *mode;	/* what it takes over: "" is none */
};

static const struct submount of_debugfs = {
	"tracefs", WHERE "/tracing", WHERE "/tracing/trace", "29", ""
};

static const struct submount of_nfs = {
	"NFS", WHERE "/sub", WHERE "/sub/.", "19", "utf8val=enforce"
};

/*
 * Automount a submount of what is mounted at WHERE and enforces. A submount inherits
 * the mode of its parent's superblock if the submount's own superblock is new. The
 * superblock of NFS is new each time, the superblock of tracefs never.
 */
static void submounts(const struct submount *submount)
{
	unsigned int nth, reached = 0, faults = 0;
	bool injected = true;
	struct stat st;

	for (nth = 1; injected && nth < MOST; nth++) {
		fail_nth(nth);
		stat(submount->path, &st);
		injected = has_failed();
		fail_nth(0);
		if (shown(submount->below, "")) {
			reached++;
			faults += *submount->mode ? !shown(submount->below, submount->mode) :
				shown(submount->below, "utf8val=");
		}
		umount(submount->below);
	}
	printf("# a submount of %s: %u allocations, %u times there\n",
	       submount->name, nth - 2, reached);
	tap(!injected && !faults && reached && nth > 2,
	    "%s: a submount of %s, an allocation fails", submount->rule, submount->name);
}

static void submounts_of_debugfs(void)
{
	tap_is(do_mount("debugfs", "none", WHERE, "") ?:
	       do_remount(WHERE, "utf8val=enforce"), 0, "16: debugfs, enforce");
	submounts(&of_debugfs);
	do_remount(WHERE, "utf8val=off");
	umount(WHERE);
}

static void submounts_of_nfs(void)
{
	if (linux_now() > 6001) {
		tap_skip("nfs_sysfs_link_rpc_client() oopses if an allocation for cl_sysfs failed",
			 "19: a submount of NFS, an allocation fails");
		return;
	}
	mount_tmpfs("/export", "");
	mount_tmpfs("/export/sub", "");
	if (!server())
		return;
	tap_is(client(WHERE, "utf8val=enforce"), 0, "12: NFS, enforce");
	submounts(&of_nfs);
	umount(WHERE);
	put("/proc/fs/nfsd/threads", "0\n");
}

static void file_system(const char *type, const char *device)
{
	for (size_t w = 0; w < sizeof(ways) / sizeof(*ways); w++)
		try_all(&ways[w], type, device);
}

int main(int argc, char **argv)
{
	mkdir(WHERE, 0755);
	do_mount("debugfs", "none", "/debug", "");
	/* let allocations that may wait fail, too, and print no backtraces */
	put("/debug/failslab/ignore-gfp-wait", "N");
	put("/debug/failslab/verbose", "0");
	umount("/debug");
	open_control();
	argv += argc > 0;
	if (*argv && !strcmp(*argv, "nfs")) {
		submounts_of_nfs();
		argv++;
	}
	on_each(argv, file_system);
	submounts_of_debugfs();
	return tap_end();
}
