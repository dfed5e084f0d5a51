// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * NFS: what a client is told when the server's file system refuses a name, and marked
 * mounts of the client's own. Server and client are the same machine. vm/run.py runs
 * this in a virtual machine.
 *
 * Runs as root, started with FS=none; /dev/vda and /dev/vdb are ext4.
 */
#include "bpf/shared/removals.h"
#include "command.h"
#include "nfs.h"
#include "ways.h"

/* one client's users, one more than a thread has removals that are remembered */
#define FIRST 2000u
#define LAST (FIRST + UTF8VAL_REMOVALS)

static dev_t device_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_dev;
}

/* Look at a directory, which mounts what is below it. */
static int look(const char *path)
{
	struct stat st;

	return err(stat(path, &st));
}

static void sharing(void)
{
	tap_is(client("/n1", "utf8val=enforce"), 0, "15: client, enforce");
	tap_is(client("/n2", ""), 0, "15: again, absent");
	tap(device_of("/n1") == device_of("/n2"), "15: absent shares");
	tap_is(another_creates("/n2/" BAD), -EILSEQ, "15: and is enforced");
	umount("/n2");
	tap_is(client("/n2", "utf8val=enforce"), 0, "15: again, equal");
	tap(device_of("/n1") == device_of("/n2"), "15: equal shares");
	umount("/n2");
	tap_is(client("/n2", "utf8val=audit"), 0, "15: again, different");
	tap(device_of("/n1") != device_of("/n2"), "15: different does not share");
	tap_is(do_create("/n2/" BAD), 0, "15: audit on one");
	unlink("/n2/" BAD);
	tap_is(another_creates("/n1/" BAD), -EILSEQ, "15: enforce on the other");
	tap(shown("/n1", "utf8val=enforce") && shown("/n2", "utf8val=audit"),
	    "22: both are shown");

	tap_is(by_child(1000, look, "/n1/sub/."), 0, "19: any user automounts a submount");
	tap_is(do_create("/n1/sub/" BAD), -EILSEQ, "19: it inherits enforce");
	tap(device_of("/n1/sub") != device_of("/n1"),
	    "19: it is a file system of its own");
	tap(shown("/n1/sub", "utf8val=enforce"), "22: and is shown");
	tap_is(do_create("/n2/sub/" BAD), 0,
	       "15: the other's submount does not share it");
	unlink("/n2/sub/" BAD);
	tap(shown("/n2/sub", "utf8val=audit"), "22: the other's is shown, too");
	umount("/n1/sub");
	umount("/n2/sub");
	umount("/n2");
	umount("/n1");
	if (guarded())
		return;
	tap_is(client_of("127.0.0.1:/sub", "/n1", "utf8val=enforce"), 0,
	       "15: a mount of what lies below, enforce");
	tap_is(client_of("127.0.0.1:/sub", "/n2", "utf8val=audit"), 0,
	       "15: again, different");
	tap_is(do_create("/n2/" BAD), 0, "15: audit on one");
	unlink("/n2/" BAD);
	tap_is(another_creates("/n1/" BAD), -EILSEQ, "15: enforce on the other");
	umount("/n2");
	umount("/n1");
}

/* Off is a mode as the others are: a mount of what lies below has the one it asks for. */
static void beside_off(const char *first, const char *second)
{
	tap_is(client_of("127.0.0.1:/sub", "/n1", text_of("utf8val=%s", first)), 0,
	       "15: a mount of what lies below, %s", first);
	tap_is(client_of("127.0.0.1:/sub", "/n2", text_of("utf8val=%s", second)), 0,
	       "15: again, %s", second);
	tap_is(make_again("/n1/" BAD), strcmp(first, "off") ? -EILSEQ : 0,
	       "15: %s beside %s", first, second);
	tap_is(make_again("/n2/" BAD), strcmp(second, "off") ? -EILSEQ : 0,
	       "15: %s after %s", second, first);
	umount("/n2");
	umount("/n1");
	unlink("/export/sub/" BAD);
}

/* Automount a submount whose superblock is in use, which NFS may share. */
static void in_use(const char *mode)
{
	tap_is(client_of("127.0.0.1:/sub", "/n2", mode), 0,
	       "29: a mount of what lies below, \"%s\"", mode);
	tap_is(client("/n1", "utf8val=enforce"), 0, "29: one above it, enforce");
	tap_is(look("/n1/sub/."), 0, "29: anybody may walk there");
	tap_is(do_create("/n2/" BAD), 0, "29: what was in use is as it was");
	unlink("/n2/" BAD);
	umount("/n1/sub");
	umount("/n1");
	umount("/n2");
}

/*
 * NFS version 4 walks to what is mounted from the server's root, whose own
 * state stays as it is.
 */
static void on_the_way(void)
{
	tap_is(client("/n1", ""), 0, "13: the server's root, absent");
	tap_is(client_of("127.0.0.1:/sub", "/n2", "utf8val=enforce"), 0,
	       "13: a mount of what lies below, enforce");
	tap_is(another_creates("/n2/" BAD), -EILSEQ, "13: which is enforced");
	tap_is(do_create("/n1/" BAD), 0, "13: the root is not");
	unlink("/n1/" BAD);
	tap(!shown("/n1", "utf8val="), "22: nor shown");
	umount("/n2");
	umount("/n1");
	tap_is(client("/n1", "utf8val=enforce"), 0, "19: the root, enforce");
	tap_is(client_of("127.0.0.1:/sub", "/n2", ""), 0,
	       "19: a mount of what lies below, absent");
	tap_is(another_creates("/n2/" BAD), -EILSEQ, "19: inherits it on the way");
	umount("/n2");
	umount("/n1");
}

/*
 * The server's threads share one memory of removals. A client's user removes as many bad names
 * as are remembered for any other thread. The server has then not forgotten what another user
 * removed, nor what each of many users removed.
 */
static void removals_by_users(void)
{
	int removed = 0, back = 0;

	tap_is(client("/n1", ""), 0, "40: client, absent");
	do_remount("/export", "utf8val=off");
	do_create("/export/mine \xFF");
	do_many(do_create, "/export/theirs %d \xFF", 0, UTF8VAL_REMOVALS);
	mkdir("/export/many", 0755);
	do_many(do_create, "/export/many/%d \xFF", FIRST, LAST - FIRST + 1);
	chmod("/export", 0777);
	chmod("/export/many", 0777);
	do_remount("/export", "utf8val=enforce");
	tap_is(by_child(1001, do_unlink, "/n1/mine \xFF"), 0,
	       "40: a client's user removes a bad name");
	for (int i = 0; i < UTF8VAL_REMOVALS; i++)
		tap_is(by_child(1000, do_unlink, text_of("/n1/theirs %d \xFF", i)), 0,
		       "40: another removes one, too");
	tap_is(by_child(1001, do_create, "/n1/mine \xFF"), 0,
	       "40: the first's name comes back after another's removals by NFS");
	for (uid_t user = FIRST; user <= LAST; user++) {
		put(CACHES "auth.unix.gid/channel",
		    text_of("%u " FOREVER " 1 %u\n", user, user));
		removed += !by_child(user, do_unlink, text_of("/n1/many/%u \xFF", user));
	}
	tap_is(removed, LAST - FIRST + 1, "40: many users remove one each");
	for (uid_t user = LAST; user >= FIRST; user--)
		back += !by_child(user, do_create, text_of("/n1/many/%u \xFF", user));
	tap_is(back, LAST - FIRST + 1, "40: which come back");
	umount("/n1");
}

/*
 * A client does not ask the server whether the name of a mkdir or the target of a rename
 * exists. The kernel's option makes it ask about bad names.
 */
static void asked(void)
{
	do_remount("/export", "utf8val=off");
	do_create("/export/first \xFF");
	do_create("/export/second \xFF");
	do_create("/export/third \xFF");
	do_create("/export/one");
	do_create("/export/two");
	tap_is(client("/n1", "utf8val=enforce"), 0, "5: a client, enforce");
	tap_is(err(rename("/n1/one", "/n1/first \xFF")), 0,
	       "5: a rename onto a bad name that was not looked up");
	tap_is(do_mkdir("/n1/second \xFF"), -EEXIST, "8: mkdir finds it");
	tap_is(err(symlink("x", "/n1/second \xFF")), -EEXIST, "8: and symlink");
	tap_is(do_mkdir("/n1/new \xFF"), -EILSEQ, "8: a name that is new");
	umount("/n1");
	tap_is(client("/n1", "utf8val=audit"), 0, "9: a client, audit");
	log_clear();
	tap_is(err(rename("/n1/two", "/n1/third \xFF")), 0, "9: a rename onto a bad name");
	tap(!logged("would refuse"), "9: which is not reported");
	umount("/n1");
	do_unlink("/export/first \xFF");
	do_unlink("/export/second \xFF");
	do_unlink("/export/third \xFF");
}

/*
 * The guard treats an existing bad name as a new one unless it was looked up; set prints a
 * warning.
 */
static void not_looked_up(void)
{
	do_remount("/export", "utf8val=off");
	do_create("/export/first \xFF");
	do_create("/export/second \xFF");
	do_create("/export/new");
	tap_is(client("/n1", ""), 0, "5: a client's mount");
	tap_is(run("set", "enforce", "/n1"), 0, "5: which is enforced");
	tap(it_said("unless the name was looked up"), "5: set says what differs there");
	tap_is(err(rename("/n1/new", "/n1/first \xFF")), -EILSEQ,
	       "5: a rename onto a bad name that was not looked up");
	tap_is(do_mkdir("/n1/second \xFF"), -EILSEQ, "8: nor does mkdir find it there");
	tap(there("/n1/first \xFF"), "5: the name is looked up");
	tap_is(err(rename("/n1/new", "/n1/first \xFF")), 0, "5: and then replaced");
	umount("/n1");
	do_unlink("/export/first \xFF");
	do_unlink("/export/second \xFF");
}

int main(void)
{
	tap_is(do_mount("ext4", "/dev/vda", "/export", "utf8val=enforce"), 0,
	       "12: the server's file system, enforce");
	tap_is(do_mount("ext4", "/dev/vdb", "/export/sub", ""), 0,
	       "2: another below it, unset");
	if (!server())
		return tap_end();
	tap_is(client("/n1", ""), 0, "client without the option");
	every_way("/n1", -EINVAL, "8", "server enforces");
	tap_is(do_remount("/export", "utf8val=off"), 0, "16: server off");
	every_way("/n1", 0, "2", "server off");
	umount("/n1");

	tap_is(client("/n1", "utf8val=enforce"), 0, "12: client, enforce");
	every_way("/n1", -EILSEQ, "8", "client enforces");
	tap_is(do_create("/export/" BAD), 0, "another makes a bad name");
	tap(there("/n1/" BAD), "6: a client sees it");
	tap_is(err(rename("/n1/" BAD, "/n1/repaired")), 0, "6: and can repair it");
	umount("/n1");
	sharing();
	if (!guarded()) {
		beside_off("enforce", "off");
		beside_off("off", "enforce");
	}
	in_use("");
	in_use("utf8val=audit");
	on_the_way();
	if (guarded()) {
		removals_by_users();
		not_looked_up();
	} else {
		asked();
	}
	put("/proc/fs/nfsd/threads", "0\n");
	return tap_end();
}
