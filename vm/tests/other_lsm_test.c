// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * With SELinux or Smack active, the other module's mount options and utf8val=
 * stand beside each other: both in force, both shown, neither in the other's
 * way. All security modules share one field of a mount in progress. Made for a
 * kernel with KASAN and kmemleak.
 *
 * Runs as root, started with FS=none and lsm=; the argument names the module,
 * a second one says that it comes before ours.
 * SELinux wants a policy, /policy, in which user_u:base_r:base_t:s0 is valid.
 */
#include <sys/xattr.h>

#include "fs.h"
#include "names.h"
#include "tap.h"

#define WHERE "/x"
#define MOUNTS 1000

static const char *option;	/* the other module's option, for mount(2) */
static const char *key, *value;	/* the same without quotes */
static bool shows;	/* is it in /proc/mounts, not being the default? */

static bool start_selinux(void)
{
	static char policy[1 << 22];
	int fd = open("/policy", O_RDONLY | O_CLOEXEC);
	ssize_t len = read(fd, policy, sizeof(policy)), done;

	close(fd);
	key = "context";
	value = "user_u:base_r:base_t:s0";
	option = "context=\"user_u:base_r:base_t:s0\"";
	shows = true;
	if (len <= 0)
		return tap(false, "a policy");
	if (do_mount("selinuxfs", "none", "/sys/fs/selinux", ""))
		return tap(false, "selinuxfs: %s", strerror(errno));
	fd = open("/sys/fs/selinux/load", O_WRONLY | O_CLOEXEC);
	done = write(fd, policy, (size_t)len);
	tap_is(done, len, "SELinux: a policy is loaded");
	close(fd);
	return done == len;
}

static bool start_smack(void)
{
	key = "smackfsdef";
	value = "label";
	option = "smackfsdef=label";
	return true;
}

/* Give both options to one mount, in each order, with others around them. */
static void together(mount_fn do_it, const char *how)
{
	static const char *const options[] = {
		"utf8val=enforce", "OTHER,utf8val=enforce",
		"utf8val=enforce,OTHER", "size=1m,utf8val=enforce,OTHER",
		"OTHER,size=1m,utf8val=enforce,mode=755",
	};
	const char *theirs = do_it == do_mount ? option : text_of("%s=%s", key, value);
	char text[128];

	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		const char *other = strstr(options[i], "OTHER");

		snprintf(text, sizeof(text), "%.*s%s%s",
			 other ? (int)(other - options[i]) : 100, options[i],
			 other ? theirs : "", other ? other + 5 : "");
		tap_is(do_it("tmpfs", "none", WHERE, text), 0, "31: %s, %s", how, text);
		tap_is(do_create(WHERE "/" BAD), -EILSEQ, "31: ours holds");
		tap(shown(WHERE, ",utf8val=enforce"), "31: ours is shown");
		if (other && shows)
			tap(shown(WHERE, key), "31: theirs is shown");
		tap_is(do_remount(WHERE, "utf8val=audit"), 0,
		       "31: remounted with ours alone");
		tap_is(do_create(WHERE "/" BAD), 0, "31: which then holds");
		umount(WHERE);
	}
	tap_is(do_it("tmpfs", "none", WHERE, text_of("%s,utf8val=nonsense", theirs)), -EINVAL,
	       "31: %s, theirs and a bad value of ours", how);
	tap(do_it("tmpfs", "none", WHERE, text_of("utf8val=audit,%s=", key)) < 0,
	    "31: %s, ours and a bad value of theirs", how);
}

/* Mounts that succeed and mounts that fail, for KASAN and kmemleak to watch. */
static void many(void)
{
	int wrong = 0;

	for (int i = 0; i < MOUNTS; i++) {
		if (!(i % 250))
			printf("# %d of %d mounts\n", i, MOUNTS);
		switch (i % 4) {
		case 0:
			wrong += !!mount_tmpfs(WHERE, option);
			break;
		case 1:
			wrong += !!mount_tmpfs(WHERE,
				text_of("size=1m,%s,mode=755,utf8val=audit", option));
			break;
		case 2:
			wrong += !!do_fsmount("tmpfs", "none", WHERE,
				text_of("%s=%s,utf8val=audit", key, value));
			break;
		default:
			wrong += mount_tmpfs(WHERE,
				text_of("%s,utf8val=%s", option,
					i & 4 ? "enforce,size=x" : "x")) != -EINVAL;
			continue;
		}
		wrong += !!do_create(WHERE "/file");
		wrong += !!do_remount(WHERE, option);
		wrong += !!umount(WHERE);
	}
	tap_is(wrong, 0, "31: %d mounts with both options", MOUNTS);
}

static void by_default(void)
{
	bool enforce = strstr(contents("/proc/cmdline"), "utf8val.default=enforce");

	mount_tmpfs(WHERE, "");
	tap_is(do_create(WHERE "/" BAD), enforce ? -EILSEQ : 0,
	       "26: by default, %s", enforce ? "enforce" : "off");
	tap_is(shown(WHERE, "utf8val=enforce"), enforce, "22: and is shown");
	umount(WHERE);
}

static int link_seed(const char *name)
{
	return err(link(WHERE "/seed", name));
}

/*
 * Before a file gets another name, Smack asks whether the task may write the file's
 * label. The user may not, and is told that, and not that the name is bad.
 */
static void denied_first(void)
{
	unsigned long bad;

	mount_tmpfs(WHERE, "utf8val=enforce,mode=777");
	do_create(WHERE "/seed");
	/* else fs.protected_hardlinks would refuse the link first */
	tap_is(err(chown(WHERE "/seed", 1000, 1000)), 0, "32: the user's file");
	tap_is(err(setxattr(WHERE "/seed", "security.SMACK64", "other", 5, 0)), 0,
	       "32: a file of another label");
	bad = read_counts().bad;
	tap_is(by_child(1000, link_seed, WHERE "/" BAD), -EACCES,
	       "32: what Smack denies it denies first");
	tap(read_counts().bad == bad, "32: and nothing is told of the name");
	umount(WHERE);
}

int main(int argc, char **argv)
{
	bool ready = argc > 1 && !strcmp(argv[1], "selinux") ?
		     start_selinux() : start_smack();

	tap(argc > 1 && strstr(contents("/sys/kernel/security/lsm"), argv[1]),
	    "the other module is active");
	if (ready) {
		together(do_mount, "mount(2)");
		together(do_fsmount, "fsopen");
		by_default();
		if (argc > 2 && !strcmp(argv[1], "smack"))
			denied_first();
		many();
	}
	return tap_end();
}
