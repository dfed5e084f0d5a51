// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Subvolumes of btrfs: their names, which an ioctl gives, and their mounts, which share
 * one superblock. A point's name begins with the rule it tests. vm/run.py runs this in a
 * virtual machine.
 *
 * Runs as root, started with FS=none; /dev/vda has a btrfs. With a guard there is overlay.
 */
#include <linux/btrfs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "state.h"
#include "tap.h"

#define DEVICE "/dev/vda"
#define WHERE "/s1"
#define AGAIN "/s2"

/* Pass this to an ioctl of the file system. */
static int at_root(unsigned long command, const void *args)
{
	int dir = open(WHERE, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int result = err(ioctl(dir, command, args));

	close(dir);
	return result;
}

/* Create or delete a subvolume of this name. */
static int by_ioctl(unsigned long command, const char *name)
{
	struct btrfs_ioctl_vol_args args = { 0 };

	snprintf(args.name, sizeof(args.name), "%s", name);
	return at_root(command, &args);
}

static int subvolume(const char *name)
{
	return by_ioctl(BTRFS_IOC_SUBVOL_CREATE, name);
}

static int snapshot(const char *of, const char *name)
{
	struct btrfs_ioctl_vol_args_v2 args = {
		.fd = open(of, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
	};
	int result;

	snprintf(args.name, sizeof(args.name), "%s", name);
	result = at_root(BTRFS_IOC_SNAP_CREATE_V2, &args);
	close((int)args.fd);
	return result;
}

/*
 * The interrupt is the system call of 32-bit programs, which takes another way through
 * the kernel and calls another hook.
 */
static long interrupt_0x80(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("int $0x80" : "=a"(result) : "0"(number), "b"(a), "c"(b), "d"(c)
			 : "memory", "r8", "r9", "r10", "r11");
	return (int)result;
}

/* In a kernel without 32-bit programs, the interrupt ends the process by a signal. */
static int sees_its_pid(const char *unused)
{
	const long getpid_32 = 20;

	(void)unused;
	return interrupt_0x80(getpid_32, 0, 0, 0) == getpid() ? 0 : -ENODEV;
}

/* Make a subvolume as a 32-bit program does. */
static void subvolume_of_32_bits(const char *name)
{
	static const char point[] = "33: a subvolume's name by an ioctl of 32 bits";
	const long ioctl_32 = 54;
	struct btrfs_ioctl_vol_args *args;
	int dir;

	if (by_child(0, sees_its_pid, NULL)) {
		tap_skip("no programs of 32 bits here", "%s", point);
		return;
	}
	dir = open(WHERE, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	args = mmap(NULL, sizeof(*args), PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	snprintf(args->name, sizeof(args->name), "%s", name);
	tap_is(interrupt_0x80(ioctl_32, dir, (int)BTRFS_IOC_SUBVOL_CREATE, (long)args),
	       -EILSEQ, "%s", point);
	close(dir);
	munmap(args, sizeof(*args));
}

/*
 * The name is in a mapped file whose page is not in memory yet: the guard does
 * not wait for the page.
 */
static void subvolume_not_in_memory(const char *name)
{
	struct btrfs_ioctl_vol_args args = { 0 };
	int file = open("/arguments", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	void *mapped;

	snprintf(args.name, sizeof(args.name), "%s", name);
	tap_is(write(file, &args, sizeof(args)), sizeof(args), "33: arguments in a file");
	mapped = mmap(NULL, sizeof(args), PROT_READ, MAP_PRIVATE, file, 0);
	tap_is(at_root(BTRFS_IOC_SUBVOL_CREATE, mapped), -EILSEQ,
	       "33: a subvolume's name that is not in memory");
	munmap(mapped, sizeof(args));
	close(file);
	unlink("/arguments");
}

static void subvolume_names(void)
{
	do_fsmount("btrfs", DEVICE, WHERE, "utf8val=enforce");
	tap_is(subvolume("good"), 0, "33: a subvolume");
	tap_is(subvolume("sub" BAD), -EILSEQ, "33: a subvolume's name by ioctl");
	subvolume_of_32_bits("sub" BAD);
	subvolume_not_in_memory("sub" BAD);
	tap(!there(WHERE "/sub" BAD), "33: and it is not there");
	umount(WHERE);
}

/*
 * Mount by mount(2) a file system that is mounted already. Linux 6.1 does not
 * look at the options then. Where one of the mounts is read-only, the kernel
 * tries twice, and the first try uses up the options.
 */
static void beside(unsigned long first, unsigned long second, const char *what)
{
	int result;

	mkdir(AGAIN, 0755);
	tap_is(err(mount(DEVICE, WHERE, "btrfs", first, "subvol=/")), 0,
	       "19: btrfs, %s, unset", what);
	result = err(mount(DEVICE, AGAIN, "btrfs", second,
			   "subvol=good,utf8val=enforce"));
	tap_is(result, 0, "19: btrfs, %s, a second mount, enforce", what);
	tap_is(shown(WHERE, "utf8val=enforce"), !result,
	       "19: btrfs, %s, is then enforced, or was refused", what);
	umount(AGAIN);
	umount(WHERE);
}

/* The file system accepts a mount only when its subvolume is there. */
static void no_subvolume(void)
{
	do_mount("btrfs", DEVICE, WHERE, "");
	tap_is(do_mount("btrfs", DEVICE, AGAIN, "subvol=none,utf8val=enforce"), -ENOENT,
	       "13: btrfs, a second mount without its subvolume");
	tap(state_of(WHERE) == STATE_OFF, "13: leaves the mode");
	umount(WHERE);
}

/* A subvolume that has had a bad name, and has another one in it. */
static void bad_subvolume(void)
{
	do_fsmount("btrfs", DEVICE, WHERE, "");
	tap_is(subvolume("old" BAD), 0, "2: a subvolume by a bad name, unset");
	do_create(WHERE "/old" BAD "/" BAD);
	umount(WHERE);
	do_fsmount("btrfs", DEVICE, WHERE, "utf8val=enforce");
	tap_is(snapshot(WHERE "/old" BAD, "copy" BAD), -EILSEQ,
	       "33: a snapshot's name by ioctl");
	tap_is(snapshot(WHERE "/old" BAD, "copy"), 0, "6: a snapshot of a bad name");
	tap(there(WHERE "/copy/" BAD), "known way in: the bad names of a snapshot's origin");
	tap_is(by_ioctl(BTRFS_IOC_SNAP_DESTROY, "old" BAD), 0,
	       "6: a subvolume by a bad name is deleted");
	tap_is(do_mkdir(WHERE "/old" BAD), -EILSEQ,
	       "40: and does not come back, as no hook is called for that");
	umount(WHERE);
}

static void shared(void)
{
	do_mount("btrfs", DEVICE, WHERE, "utf8val=enforce");
	tap_is(subvolume("sub"), 0, "19: a subvolume");
	tap_is(state_of(WHERE "/sub"), -1, "19: is no mount of its own");
	tap_is(do_create(WHERE "/sub/" BAD), -EILSEQ, "19: but is enforced");
	tap_is(do_mount("btrfs", DEVICE, AGAIN, "subvol=sub"), 0,
	       "19: mounted by itself, without the option");
	tap_is(state_of(AGAIN), STATE_ENFORCE, "19: the same state");
	umount(AGAIN);
	tap_is(do_mount("btrfs", DEVICE, AGAIN, "subvol=sub,utf8val=enforce"),
	       0, "19: with the same value");
	tap_is(state_of(AGAIN), STATE_ENFORCE, "19: the same state");
	tap_is(do_remount(AGAIN, "utf8val=audit"), 0, "16: remount of one");
	tap_is(state_of(WHERE), STATE_AUDIT, "19: goes for all");
	umount(AGAIN);
	tap_is(do_mount("btrfs", DEVICE, AGAIN, "utf8val=off,subvol=sub"),
	       -EBUSY, "19: with another value");
	umount(WHERE);
	tap_is(do_fsmount("btrfs", DEVICE, WHERE, "subvol=sub,utf8val=audit"),
	       0, "19: a subvolume first, by fsopen");
	tap_is(state_of(WHERE), STATE_AUDIT, "19: marks them all");
	umount(WHERE);
}

/*
 * Two directories of an overlay, which are in two subvolumes, have one inode number: what was
 * removed from one comes back there alone.
 */
static void overlaid(void)
{
	static const char *const set[] = { "set", "enforce", "/overlay", NULL };
	static const char layers[] = "lowerdir=" WHERE "/one:" WHERE "/two,upperdir=" WHERE
				     "/upper/up,workdir=" WHERE "/upper/work";
	struct stat one, two;
	char text[1024] = "";

	do_mount("btrfs", DEVICE, WHERE, "");
	tap(!subvolume("one") && !subvolume("two") && !subvolume("upper"),
	    "40: layers of an overlay in subvolumes");
	mkdir(WHERE "/upper/up", 0755);
	mkdir(WHERE "/upper/work", 0755);
	mkdir(WHERE "/one/a", 0755);
	mkdir(WHERE "/two/b", 0755);
	do_create(WHERE "/one/a/" BAD);
	tap_is(do_mount("overlay", "none", "/overlay", layers), 0, "40: the overlay");
	tap_is(guard_run(GUARD_PROGRAM, set, text, sizeof(text), true), 0, "40: is enforced");
	tap(!stat("/overlay/a", &one) && !stat("/overlay/b", &two) && one.st_ino == two.st_ino,
	    "40: two directories have one number");
	tap_is(do_unlink("/overlay/a/" BAD), 0, "40: a bad name is removed from one");
	tap_is(do_create("/overlay/b/" BAD), -EILSEQ, "40: and not created in the other");
	tap_is(do_create("/overlay/a/" BAD), 0, "40: but in the same");
	umount("/overlay");
	umount(WHERE);
}

int main(void)
{
	subvolume_names();
	bad_subvolume();
	beside(0, 0, "twice read-write");
	beside(MS_RDONLY, 0, "first read-only");
	beside(0, MS_RDONLY, "then read-only");
	if (mount_refuses("btrfs")) {
		tap_skip(unseen, "16, 19: a subvolume's mounts share a state");
	} else {
		no_subvolume();
		shared();
	}
	if (guarded())
		overlaid();
	return tap_end();
}
