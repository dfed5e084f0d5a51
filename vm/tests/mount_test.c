// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The mount option's rules, seen from user space; matrix_test.c has all kinds and
 * lengths of names, and state_test.c all changes of modes. A point's name begins with
 * the rule it tests, as the administrator's page numbers them. vm/run.py runs this in a
 * virtual machine.
 *
 * Runs as root in the virtual machine, started with FS=none; /dev/vda is an
 * ext4 disk. The arguments say what /dev/vdb and those after it are: exfat,
 * casefold (ext4 with that feature), vfat, ext2.
 */
#include <sys/xattr.h>

#include "bpf/shared/modes.h"
#include "fs.h"
#include "names.h"
#include "tap.h"

#define BAD2 "b\xFEz"

/*
 * Values are tested on ramfs, which ignores unknown options. Only the implementation of
 * utf8val= can therefore refuse a value.
 */
static void values(void)
{
	static const char *const bad[] = {
		"utf8val", "utf8val=", "utf8val=yes", "utf8val=enforced",
		"utf8val=ENFORCE", "utf8val=\"\"", "size=1m,utf8val=on",
		"utf8val=unset", "utf8val=enforce,utf8val=on",
	};
#define OPTION(id, word, ...) \
		"utf8val=" #word,
	static const char *const good[] = {
		UTF8VAL_MODE_LIST(OPTION, OPTION)
		"size=1m,utf8val=enforce", "utf8val=enforce,size=1m",
		"utf8val=enforce,utf8val=enforce",
		"size=1m,utf8val=audit,mode=755",
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		log_clear();
		tap_is(do_mount("ramfs", "none", "/v", bad[i]), -EINVAL,
		       "1: %s is refused", bad[i]);
		tap(logged("utf8val= needs one of" UTF8VAL_MODE_WORDS),
		    "1: %s, the log says what was wrong", bad[i]);
		tap_is(do_fsmount("ramfs", "none", "/v", bad[i]), -EINVAL,
		       "1: %s is refused by fsconfig, too", bad[i]);
		umount("/v");
	}
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		tap_is(mount_tmpfs("/v", good[i]), 0, "1: %s is taken", good[i]);
		umount("/v");
	}
	tap_is(do_mount("ramfs", "none", "/v", "utf8valx=enforce"), 0,
	       "1: a longer key is not ours");
	tap_is(do_create("/v/" BAD), 0, "1: and without effect");
	umount("/v");
	tap_is(do_fsmount("ramfs", "none", "/v", "utf8valx=enforce"), 0,
	       "1: nor is it by fsconfig");
	umount("/v");
}

static void values_fsconfig(void)
{
	int fd = fs_open("ramfs");

	tap_is(fs_set(fd, "utf8val", "maybe"), -EINVAL,
	       "1: fsconfig refuses an unknown value");
	tap(fs_logged(fd, "utf8val= needs one of" UTF8VAL_MODE_WORDS),
	    "1: and says why in the context's log");
	tap_is(fs_set(fd, "utf8val", NULL), -EINVAL,
	       "1: fsconfig refuses the bare option");
	tap_is(fs_set(fd, "utf8val", "enforce"), 0, "1: fsconfig takes enforce");
	tap_is(fs_set(fd, "utf8val", "off"), 0,
	       "1: fsconfig takes a second, other value");
	tap_is(fs_set(fd, "utf8val", "enforce"), 0, "1: and the first once more");
	tap_is(fs_command(fd, FSCONFIG_CMD_CREATE), 0, "1: the context is still good");
	tap_is(fs_attach(fd, "/c"), 0, "12: mounted by fsopen");
	close(fd);
	tap_is(do_create("/c/" BAD), -EILSEQ, "12: and enforced");
	tap(shown("/c", "utf8val=enforce"), "22: and shown");

	fd = (int)syscall(SYS_fspick, AT_FDCWD, "/c", FSPICK_CLOEXEC);
	tap_is(fs_set(fd, "utf8val", "off"), 0, "16: fspick takes off");
	tap_is(fs_command(fd, FSCONFIG_CMD_RECONFIGURE), 0, "16: reconfigured");
	close(fd);
	tap_is(do_create("/c/" BAD), 0, "16: and no longer enforced");
	umount("/c");
}

/*
 * mount(8) hands on the options of fstab or mountinfo before those of its command
 * line, so a remount to another mode comes here with both.
 */
static void the_last_value(void)
{
	mount_tmpfs("/v", "utf8val=audit");
	tap_is(do_remount("/v", "utf8val=audit,utf8val=enforce"), 0,
	       "1: a remount takes two values");
	tap_is(do_create("/v/" BAD), -EILSEQ, "1: the last one counts");
	tap_is(do_remount("/v", "utf8val=enforce,utf8val=off"), 0,
	       "1: a remount takes two values");
	tap_is(do_create("/v/" BAD2), 0, "1: the last counts when it lowers, too");
	umount("/v");
	tap_is(mount_tmpfs("/v", "utf8val=off,utf8val=enforce"), 0,
	       "1: a mount takes two values");
	umount("/v");
}

static void unmarked(void)
{
	mount_tmpfs("/u", "");
	tap_is(do_create("/u/" BAD), 0, "2: unset allows any name");
	tap(!shown("/u", "utf8val"), "22: unset is not shown");
	tap_is(do_remount("/u", ""), 0, "11: remount without the option");
	tap_is(do_create("/u/" BAD2), 0, "11: changes nothing");
	umount("/u");
	mount_tmpfs("/u", "utf8val=off");
	tap_is(do_create("/u/" BAD), 0, "2: off allows any name");
	tap(!shown("/u", "utf8val"), "22: off is not shown");
	umount("/u");
}

static void well_formed(void)
{
	static const char *const good[] = {
		"plain", "caf\xC3\xA9", "\xE4\xBD\xA0\xE5\xA5\xBD",
		"\xF0\x9F\x98\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
		"\xF4\x8F\xBF\xBF", "nonchar \xEF\xBF\xBF",
		"unassigned \xCD\xB8", "control \x01\x1B[31m",
		"bidi \xE2\x80\xAE.txt", "nfd e\xCC\x81", "c1 \xC2\x9B",
	};

	mount_tmpfs("/g", "utf8val=enforce");
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		tap_is(do_create(text_of("/g/%s", good[i])), 0, "3: well-formed name %zu", i);
	tap_is(err(symlink("target " BAD, "/g/link")), 0,
	       "7: a symlink's target is not checked");
	tap_is(err(setxattr("/g/plain", "trusted." BAD, "x", 1, 0)), 0,
	       "7: nor is an xattr's name");
	umount("/g");
}

static void names_already_there(void)
{
	struct stat st;
	int fd;

	mount_tmpfs("/e", "");
	mkdir("/e/dir" BAD, 0755);
	do_create("/e/" BAD);
	do_create("/e/" BAD2);
	mkdir("/e/other", 0755);
	tap_is(do_remount("/e", "utf8val=enforce"), 0, "16: unset to enforce");
	tap_is(err(stat("/e/" BAD, &st)), 0, "6: lookup");
	fd = open("/e/" BAD, O_RDWR | O_CREAT, 0644);
	tap(fd >= 0, "5: open with O_CREAT of what exists");
	tap_is(write(fd, "x", 1), 1, "6: write");
	tap_is(pread(fd, &st, 1, 0), 1, "6: read");
	close(fd);
	tap_is(do_create("/e/dir" BAD "/good"), 0, "6: creation inside");
	tap_is(do_create("/e/dir" BAD "/" BAD), -EILSEQ, "6: but no bad name inside");
	tap_is(do_create("/e/" BAD), -EEXIST, "8: EEXIST comes first");
	tap_is(err(rename("/e/" BAD, "/e/other/" BAD)), -EILSEQ,
	       "6: a bad name into another directory");
	tap_is(err(rename("/e/" BAD, "/e/" BAD "2")), -EILSEQ, "6: to another bad name");
	tap_is(do_rename2("/e/" BAD, "/e/" BAD2, RENAME_EXCHANGE), 0,
	       "5: exchange of two that exist");
	tap_is(err(rename("/e/" BAD, "/e/" BAD2)), 0, "5: replacing one that exists");
	tap_is(err(rename("/e/" BAD2, "/e/good")), 0, "6: to a good name");
	tap_is(err(rename("/e/dir" BAD, "/e/dir")), 0, "6: a directory to a good name");
	tap_is(do_create("/e/again"), 0, "6: a file to remove");
	umount("/e");

	mount_tmpfs("/e", "");
	do_create("/e/" BAD);
	mkdir("/e/" BAD2, 0755);
	do_remount("/e", "utf8val=enforce");
	tap_is(err(unlink("/e/" BAD)), 0, "6: unlink");
	tap_is(err(rmdir("/e/" BAD2)), 0, "6: rmdir");
	tap_is(another_creates("/e/" BAD), -EILSEQ, "6: and gone for other processes");
	umount("/e");
}

static void changes(void)
{
	do_mount("ramfs", "none", "/s", "utf8val=enforce");
	tap(shown("/s", ",utf8val=enforce"), "22: enforce is shown");
	tap_is(do_remount("/s", ""), 0, "11: remount without the option");
	tap_is(do_create("/s/" BAD), -EILSEQ, "11: still enforced");
	tap_is(do_remount("/s", "utf8val=maybe"), -EINVAL,
	       "1: remount with an unknown value");
	tap_is(do_create("/s/" BAD), -EILSEQ, "1: changes nothing");
	tap_is(do_remount("/s", "utf8val=audit"), 0, "16: enforce to audit");
	tap(shown("/s", ",utf8val=audit"), "22: audit is shown");
	tap(logged("lowered from enforce to audit"), "17: lowering is logged");
	tap_is(do_create("/s/" BAD), 0, "9: audit allows");
	tap_is(do_remount("/s", "utf8val=enforce"), 0, "16: audit to enforce");
	tap_is(do_create("/s/" BAD2), -EILSEQ, "16: enforced again");
	mkdir("/bind", 0755);
	tap_is(err(mount("/s", "/bind", NULL, MS_BIND, NULL)), 0, "18: bind");
	tap_is(do_create("/bind/" BAD2), -EILSEQ, "18: same superblock");
	umount("/bind");
	umount("/s");
}

/*
 * Remounts that the file system refuses after the security modules: ext4 keeps
 * its data= mode.
 */
static void refused(void)
{
	do_mount("ext4", "/dev/vda", "/d1", "utf8val=enforce");
	log_clear();
	tap_is(do_remount("/d1", "utf8val=off,data=writeback"), -EINVAL,
	       "16: a remount that ext4 refuses");
	tap_is(make_again("/d1/" BAD), -EILSEQ, "16: has lowered nothing");
	tap(!logged("lowered from"), "17: and logged nothing");
	do_remount("/d1", "utf8val=audit");
	tap_is(do_remount("/d1", "utf8val=enforce,data=writeback"), -EINVAL,
	       "16: nor does ext4 let it be raised");
	tap_is(make_again("/d1/" BAD2), 0, "16: it is audited still");
	umount("/d1");
	do_mount("ext4", "/dev/vda", "/d1", "");
	tap_is(do_mount("ext4", "/dev/vda", "/d1", "utf8val=enforce"), -EBUSY,
	       "13: a mount where the same is mounted");
	tap_is(make_again("/d1/" BAD), -EILSEQ,
	       "13: has set the mode, as ext4 had accepted it");
	umount("/d1");
}

static void the_log(void)
{
	mount_tmpfs("/n", "utf8val=enforce");
	tap(until_logged("(tmpfs): overlong at byte 2 of 5; from byte 0: 61 62 c0 af 7a",
			 make_again, "/n/ab\xC0\xAFz"),
	    "23: offset, reason and the bytes as hex");
	do_remount("/n", "utf8val=audit");
	tap(until_logged("surrogate at byte 0 of 3; from byte 0: ed a0 80", make_again,
			 "/n/\xED\xA0\x80") && logged("would refuse "),
	    "23: audit says that it would have");
	umount("/n");
	tap(!logged("\xC0\xAF"), "23: never raw");
}

/* Overlay takes a comma behind a backslash as a part of a directory's name. */
static void escaped_comma(void)
{
	int result;

	if (guarded()) {
		tap_skip("the guard ends an option at every comma", "1: an escaped comma");
		return;
	}
	mount_tmpfs("/q", "");
	mkdir("/q/low", 0755);
	mkdir("/q/named,utf8val=audit", 0755);
	do_create("/q/named,utf8val=audit/there");
	result = do_mount("overlay", "none", "/o",
			  "lowerdir=/q/low:/q/named\\,utf8val=audit");
	if (result == -ENODEV) {
		tap_skip("no overlayfs in this kernel", "1: an escaped comma");
	} else {
		tap_is(result, 0, "1: an escaped comma ends no option");
		tap(there("/o/there"), "1: and the directory is the one that was named");
		/* the comma in the directory's name is shown as \054 */
		tap(!shown("/o", ",utf8val="), "1: which gives no mode");
	}
	umount("/o");
	umount("/q");
}

/*
 * A file system that receives the options of mount(2) as one string, for example ext2
 * on 6.12. The option is removed from any position in the string, and the rest arrives.
 */
static void one_string(const char *device)
{
	static const char *const options[] = {
		"utf8val=enforce", "nouid32,utf8val=enforce", "utf8val=enforce,nouid32",
		"nouid32,utf8val=enforce,errors=continue", ",utf8val=enforce,,nouid32",
		"utf8val=off,nouid32,utf8val=enforce",
	};
	static const char *const wrong[] = {
		"utf8val=enforce,nonsense", "nonsense,utf8val=enforce", "nouid32,utf8val",
		"nouid32,utf8val=,errors=continue", "utf8val=off,utf8val=on",
	};

	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		tap_is(do_mount("ext2", device, "/t", options[i]), 0, "12: ext2, %s", options[i]);
		tap(shown("/t", "utf8val=enforce") &&
		    shown("/t", "nouid32") == !!strstr(options[i], "nouid32"),
		    "12: and the rest of the string arrives");
		tap_is(do_create("/t/" BAD), -EILSEQ, "12: ext2, enforced");
		umount("/t");
	}
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		tap_is(do_mount("ext2", device, "/t", wrong[i]), -EINVAL, "1: ext2, %s", wrong[i]);
		umount("/t");
	}
	do_mount("ext2", device, "/t", "");
	tap_is(do_remount("/t", "errors=continue,utf8val=enforce"), 0, "16: ext2, a remount");
	tap_is(do_create("/t/" BAD), -EILSEQ, "16: ext2, enforced");
	umount("/t");
}

/* Mount exfat again, so that the kernel's cache has no spelling of any name. */
static int mount_exfat(const char *device)
{
	umount("/x");
	return do_mount("exfat", device, "/x", "iocharset=iso8859-1,utf8val=enforce");
}

/*
 * rename on exfat replaces a name by the spelling by which it was found. In ISO
 * 8859-1 the bytes E3 A9 are the lower case of the bytes C3 A9, so a bad name
 * can find a good one.
 */
static void ignored_case(const char *device)
{
	tap_is(mount_exfat(device), 0, "12: exfat, enforce");
	do_create("/x/from");
	tap_is(do_create("/x/\xC3\xA9"), 0, "28: a name that is UTF-8");
	tap_is(do_create("/x/\xE3\xA9"), -EEXIST, "28: other bytes find it, too");
	mount_exfat(device);
	tap_is(err(rename("/x/from", "/x/\xE3\xA9")), -EILSEQ,
	       "28: they may not replace it by themselves");
	tap_is(do_rename2("/x/from", "/x/\xE3\xA9", RENAME_EXCHANGE), -EINVAL,
	       "28: nor by exchange, which exfat lacks");
	tap(listed("/x", "\xC3\xA9") && !listed("/x", "\xE3\xA9"),
	    "28: the name is as it was");
	mount_exfat(device);
	tap_is(err(rename("/x/from", "/x/\xC3\xA9")), 0, "28: the good spelling may");
	umount("/x");
}

/* A directory that minds case, on a file system where some do not. */
static void minded_case(const char *device)
{
	tap_is(do_mount("ext4", device, "/y", ""), 0, "11: ext4, casefold");
	do_create("/y/from");
	do_create("/y/" BAD);
	tap_is(do_remount("/y", "utf8val=enforce"), 0, "16: ext4, casefold");
	tap_is(do_rename2("/y/from", "/y/" BAD, RENAME_EXCHANGE), 0,
	       "5: casefold: a bad name may be exchanged");
	tap_is(err(rename("/y/from", "/y/" BAD)), 0, "5: casefold: and replaced");
	do_create("/y/from");
	tap_is(err(rename("/y/from", "/y/" BAD2)), -EILSEQ,
	       "4: casefold: another one may not be made");
	umount("/y");
}

/*
 * Mount vfat by fsopen(2), because before Linux 6.11 mount(2) hands the options
 * to vfat alone.
 */
static int mount_vfat(const char *device, const char *options)
{
	umount("/v");
	return do_fsmount("vfat", device, "/v",
			  text_of("utf8=0,iocharset=iso8859-1%s", options));
}

/* vfat ignores case, too, but its rename keeps the spelling that is there. */
static void kept_spelling(const char *device)
{
	tap_is(mount_vfat(device, ""), 0, "11: vfat");
	tap_is(do_create("/v/caf\xE9"), 0, "2: vfat: a bad name");
	tap_is(mount_vfat(device, ",utf8val=enforce"), 0, "12: vfat, enforce");
	do_create("/v/from");
	tap_is(err(rename("/v/from", "/v/CAF\xC9")), 0,
	       "28: vfat: another spelling may replace it");
	tap(listed("/v", "caf\xE9") && !listed("/v", "CAF\xC9"),
	    "28: vfat: the name is as it was");
	tap_is(do_create("/v/th\xE9"), -EILSEQ, "4: vfat: another one may not be made");
	tap_is(err(unlink("/v/CAF\xC9")), 0,
	       "6: vfat: it may be removed by another spelling");
	tap_is(do_create("/v/CAF\xC9"), -EILSEQ,
	       "40: vfat: which was not there, so it does not come back");
	umount("/v");
}

/* The guard refuses modes for file systems whose names the kernel makes, too. */
static void kernel_names(void)
{
	static const char *const modes[] = { "utf8val=audit", "utf8val=enforce" };

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		tap_is(do_mount("sysfs", "none", "/m", modes[i]), -EOPNOTSUPP,
		       "41: sysfs, %s", modes[i]);
		tap_is(do_fsmount("proc", "none", "/m", modes[i]), -EOPNOTSUPP,
		       "41: proc, fsconfig, %s", modes[i]);
		tap_is(do_remount("/proc", modes[i]), -EOPNOTSUPP,
		       "41: proc, remount, %s", modes[i]);
	}
	tap(logged("whose names are the kernel's own"), "41: and the log says why");
	tap(!shown("/proc", "utf8val="), "41: nothing is shown");
	tap_is(do_mount("sysfs", "none", "/m", "utf8val=off"), 0, "41: sysfs may be off");
	umount("/m");
}

/*
 * A devtmpfs has one superblock, which the kernel makes; on 7.3 it hands the options of
 * mount(2) to a context within the mount's.
 */
static void one_for_all(void)
{
	int result;

	if (guarded()) {
		tap_skip("the guard does not see a context within another", "12: devtmpfs");
		return;
	}
	result = do_mount("devtmpfs", "none", "/v", "utf8val=enforce");
	if (result == -ENODEV) {
		tap_skip("no devtmpfs in this kernel", "12: devtmpfs");
		return;
	}
	tap_is(result, 0, "12: devtmpfs, enforce");
	tap(shown("/v", ",utf8val=enforce"), "22: devtmpfs, which is shown");
	tap_is(do_create("/v/" BAD), -EILSEQ, "12: devtmpfs, enforced");
	tap_is(do_mount("devtmpfs", "none", "/w", "utf8val=audit"), -EBUSY,
	       "14: devtmpfs, another mode");
	tap_is(do_remount("/v", "utf8val=off"), 0, "16: devtmpfs, off");
	umount("/v");
}

/* A mode that cannot be kept is refused: on file systems that cut names. */
static void cut_names(const char *device)
{
	tap_is(do_fsmount("msdos", device, "/m", "utf8val=enforce"), -EINVAL,
	       "41: msdos cuts names");
	/* by fsconfig(2) the option's reason is in the log of the context alone */
	if (!guarded())
		tap_is(do_mount("msdos", device, "/m", "utf8val=enforce"), -EINVAL,
		       "41: and by mount(2)");
	tap(logged("is not for this type of file system"), "41: which the log says");
	tap_is(do_fsmount("msdos", device, "/m", "utf8val=off"), 0, "41: msdos may be off");
	umount("/m");
}

/* tracefs is mounted where debugfs' directory "tracing" is entered. */
static void automounts(const char *above, const char *below)
{
	struct stat st;
	int result;

	/* debugfs has one superblock, which the kernel keeps together with its state */
	result = do_mount("debugfs", "none", "/debug", "");
	if (result == -ENODEV) {
		tap_skip("no debugfs", "29: submounts");
		return;
	}
	tap_is(do_remount("/debug", text_of("utf8val=%s", above)), 0, "16: debugfs, %s", above);
	if (strcmp(below, "unset"))
		do_remount("/sys/kernel/tracing", text_of("utf8val=%s", below));
	tap_is(err(stat("/debug/tracing/trace", &st)), 0,
	       "29: a submount, %s below %s", below, above);
	tap_is(shown("/debug/tracing", "utf8val="),
	       !strcmp(below, "audit") || !strcmp(below, "enforce"),
	       "29: has not taken over %s", above);
	umount("/debug/tracing");
	do_remount("/debug", "utf8val=off");
	umount("/debug");
}

/*
 * Call test(the disk of this kind), or skip its point. @kinds: those of /dev/vdb and on;
 * NULL ends the list.
 */
static void on_disk_of(char **kinds, const char *kind, const char *point,
		       void (*test)(const char *device))
{
	char device[] = "/dev/vdb";

	while (*kinds && strcmp(*kinds, kind)) {
		kinds++;
		device[7]++;
	}
	if (*kinds)
		test(device);
	else
		tap_skip(text_of("no disk with %s", kind), "%s", point);
}

int main(int argc, char **argv)
{
	char **kinds = argv + (argc > 0);

	values();
	values_fsconfig();
	the_last_value();
	unmarked();
	well_formed();
	names_already_there();
	changes();
	refused();
	the_log();
	escaped_comma();
	on_disk_of(kinds, "ext2", "12: ext2", one_string);
	on_disk_of(kinds, "exfat", "28: exfat", ignored_case);
	on_disk_of(kinds, "casefold", "5: casefold", minded_case);
	on_disk_of(kinds, "vfat", "28: vfat", kept_spelling);
	one_for_all();
	if (guarded())
		kernel_names();
	on_disk_of(kinds, "vfat", "41: msdos", cut_names);
	automounts("enforce", "unset");
	automounts("off", "unset");
	automounts("enforce", "off");
	automounts("off", "audit");
	return tap_end();
}
