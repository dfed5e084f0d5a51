// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * With SELinux or Smack active utf8val= is refused, in words, and their own
 * mount options keep working: they would free what ours left in the field that
 * all share. Made for a kernel with KASAN.
 *
 * Runs as root, started with FS=none and lsm=; the argument names the module.
 * SELinux wants a policy, /policy, in which user_u:base_r:base_t:s0 is valid.
 */
#include "fs.h"
#include "tap.h"

#define WHERE "/x"
#define MOUNTS 1000
#define REFUSAL "utf8val= cannot be used while SELinux or Smack is active"

static const char *option;	/* one of the other module's own */
static const char *key, *value;

static bool start_selinux(void)
{
	static char policy[1 << 22];
	int fd = open("/policy", O_RDONLY | O_CLOEXEC);
	ssize_t len = read(fd, policy, sizeof(policy)), done;

	close(fd);
	key = "context";
	value = "user_u:base_r:base_t:s0";
	option = "context=\"user_u:base_r:base_t:s0\"";
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

static void refusals(void)
{
	static const char *const options[] = {
		"utf8val=enforce", "utf8val=off", "size=1m,utf8val=audit",
		"OTHER,utf8val=enforce", "utf8val=enforce,OTHER",
	};
	char text[128];
	int fd;

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const char *other = strstr(options[i], "OTHER");

		snprintf(text, sizeof(text), "%.*s%s%s",
			 other ? (int)(other - options[i]) : 100, options[i],
			 other ? option : "", other ? other + 5 : "");
		log_clear();
		tap_is(do_mount("tmpfs", "none", WHERE, text), -EOPNOTSUPP,
		       "%s is refused", text);
		tap(logged(REFUSAL), "and the log says why");
	}
	fd = fs_open("tmpfs");
	tap_is(fs_set(fd, "utf8val", "enforce"), -EOPNOTSUPP,
	       "fsconfig refuses it");
	tap(fs_logged(fd, REFUSAL), "and the context's log says why");
	tap_is(fs_set(fd, key, value), 0, "fsconfig takes the other's option");
	tap_is(fs_set(fd, "utf8val", "enforce"), -EOPNOTSUPP,
	       "fsconfig refuses ours after it, too");
	tap_is(fs_command(fd, FSCONFIG_CMD_CREATE), 0, "the context is good");
	close(fd);
}

static void theirs(void)
{
	int wrong = 0;

	for (int i = 0; i < MOUNTS; i++) {
		char text[128];

		if (!(i % 250))
			printf("# %d of %d mounts\n", i, MOUNTS);
		switch (i % 4) {
		case 0:
			wrong += !!do_mount("tmpfs", "none", WHERE, option);
			break;
		case 1:
			snprintf(text, sizeof(text), "size=1m,%s,mode=755",
				 option);
			wrong += !!do_mount("tmpfs", "none", WHERE, text);
			break;
		case 2:
			snprintf(text, sizeof(text), "%s=%s,size=1m", key,
				 value);
			wrong += !!do_fsmount("tmpfs", "none", WHERE, text);
			break;
		default:
			snprintf(text, sizeof(text), "%s,utf8val=enforce",
				 option);
			wrong += do_mount("tmpfs", "none", WHERE, text) !=
				 -EOPNOTSUPP;
			continue;
		}
		wrong += !!do_create(WHERE "/file");
		wrong += !!do_remount(WHERE, option);
		wrong += !!umount(WHERE);
	}
	tap_is(wrong, 0, "%d mounts with the other's own option", MOUNTS);
}

/* utf8val.default=enforce needs no option: it holds. */
static void by_default(void)
{
	bool enforce = strstr(contents("/proc/cmdline"),
			      "utf8val.default=enforce");

	do_mount("tmpfs", "none", WHERE, "");
	tap_is(do_create(WHERE "/a\xFFz"), enforce ? -EILSEQ : 0,
	       "26: by default, %s", enforce ? "enforce" : "off");
	tap(!shown(WHERE, "utf8val"),
	    "22: not shown, for it could not be fed back");
	umount(WHERE);
}

int main(int argc, char **argv)
{
	bool ready = argc > 1 && !strcmp(argv[1], "selinux") ?
		     start_selinux() : start_smack();

	tap(argc > 1 && strstr(contents("/sys/kernel/security/lsm"), argv[1]),
	    "the other module is active");
	if (ready) {
		refusals();
		by_default();
		theirs();
	}
	return tap_end();
}
