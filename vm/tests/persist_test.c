// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The extended attribute security.utf8val: on a root directory, where it
 * travels with the disk, and on directories in which any name may be made. A
 * point's name begins with the rule that it tests.
 *
 * Runs as root, started with FS=none. The first argument is whether the kernel
 * was started with utf8val.persistent=on ("asked") or not ("unasked"). Then
 * come the file systems as for matrix_test, for which /dev/vda and on are the
 * disks, or "stranger", an ext4 disk with a nonsensical value on its root. The
 * mode that holds without an option is read from utf8val.default=.
 */
#include <sys/wait.h>
#include <sys/xattr.h>

#include "command.h"
#include "state.h"
#include "ways.h"

#define WHERE "/p1"
#define AGAIN "/p2"
#define UPPER "/p3"
#define AREA WHERE "/area"
#define ATTRIBUTE "security.utf8val"

static bool asked;
static int otherwise = STATE_OFF;	/* without an option */

static int set(const char *path, const char *value)
{
	return err(setxattr(path, ATTRIBUTE, value, strlen(value), 0));
}

static int clear(const char *path)
{
	return err(removexattr(path, ATTRIBUTE));
}

/* Does the path have the attribute with this value? "" asks for none. */
static bool has(const char *path, const char *value)
{
	char have[16];
	ssize_t len = getxattr(path, ATTRIBUTE, have, sizeof(have));

	if (!*value)
		return len < 0 && errno == ENODATA;
	return len == (ssize_t)strlen(value) && !memcmp(have, value, (size_t)len);
}

/* Give the root of a disk this attribute while nothing checks it. */
static void prepare(const char *fs, const char *device, int state)
{
	tap_is(do_mount(fs, device, WHERE, "utf8val=off"), 0,
	       "12: %s, to be prepared", fs);
	if (state == STATE_UNSET)
		tap(!clear(WHERE) || has(WHERE, ""), "34: %s, none", fs);
	else
		tap_is(set(WHERE, state_names[state]), 0, "34: %s, %s", fs,
		       state_names[state]);
	umount(WHERE);
}

static int by_attribute(int attribute)
{
	return asked && attribute != STATE_UNSET ? attribute : otherwise;
}

/* What mounts, remounts and further mounts make of each value on the root. */
static void root_attribute(const char *fs, const char *device)
{
	for (int have = 0; have < STATES; have++) {
		prepare(fs, device, have);
		log_clear();
		tap_is(do_mount(fs, device, WHERE, ""), 0,
		       "34: %s, with %s on its root, without an option", fs,
		       state_names[have]);
		tap_is(state_of(WHERE), by_attribute(have), "34: %s, it is then %s", fs,
		       state_names[by_attribute(have)]);
		tap_is(logged("lowered from"), by_attribute(have) < otherwise,
		       "17, 34: %s, below the default is logged", fs);
		tap_is(do_remount(WHERE, ""), 0, "11: %s, remount", fs);
		tap_is(state_of(WHERE), by_attribute(have), "11: %s, it stays", fs);
		umount(WHERE);

		for (int option = STATE_OFF; option < STATES; option++) {
			const char *options = state_options[option];

			do_mount(fs, device, WHERE, options);
			tap_is(state_of(WHERE), option, "35: %s, %s goes before %s",
			       fs, options, state_names[have]);
			umount(WHERE);
			do_fsmount(fs, device, WHERE, options);
			tap_is(state_of(WHERE), option, "35: %s, by fsopen, too", fs);
			umount(WHERE);

			do_mount(fs, device, WHERE, "");
			tap_is(do_mount(fs, device, AGAIN, options), 0,
			       "35: %s, a further mount with %s", fs, options);
			tap_is(state_of(WHERE), option, "35: %s, is obeyed", fs);
			umount(AGAIN);
			umount(WHERE);

			do_mount(fs, device, WHERE, "");
			tap_is(do_remount(WHERE, options), 0,
			       "35: %s, a remount with %s", fs, options);
			tap_is(state_of(WHERE), option, "35: %s, is obeyed", fs);
			umount(WHERE);
		}

		do_mount(fs, device, WHERE, "");
		set(WHERE, have == STATE_ENFORCE ? "audit" : "enforce");
		tap_is(state_of(WHERE), by_attribute(have),
		       "36: %s, setting it changes nothing while mounted", fs);
		do_remount(WHERE, "");
		do_mount(fs, device, AGAIN, "");
		tap_is(state_of(AGAIN), by_attribute(have),
		       "36: %s, nor do a remount and a further mount", fs);
		umount(AGAIN);
		umount(WHERE);
	}
	prepare(fs, device, STATE_ENFORCE);
	tap_is(err(mount(device, WHERE, fs, MS_RDONLY, NULL)), 0,
	       "34: %s, read-only", fs);
	tap_is(shown(WHERE, ",utf8val=enforce"),
	       by_attribute(STATE_ENFORCE) == STATE_ENFORCE,
	       "34: %s, has it as well", fs);
	umount(WHERE);
	prepare(fs, device, STATE_UNSET);
}

/* A disk from elsewhere, whose root has the attribute with another value. */
static void stranger(const char *device)
{
	log_clear();
	tap_is(do_mount("ext4", device, WHERE, ""), asked ? -EINVAL : 0,
	       "34: a mode that is none");
	tap_is(logged("cannot use " ATTRIBUTE), asked, "34: the log says why");
	umount(WHERE);
	tap_is(do_mount("ext4", device, WHERE, "utf8val=enforce"), 0,
	       "35: an option saves reading it");
	tap_is(state_of(WHERE), STATE_ENFORCE, "35: and is in force");
	tap_is(set(WHERE, "off"), 0, "34: it is replaced");
	umount(WHERE);
	tap_is(do_mount("ext4", device, WHERE, ""), 0, "34: and mounted");
	tap_is(state_of(WHERE), STATE_OFF, "34: it is then off");
	umount(WHERE);
}

static void area_is(bool free, const char *where, const char *what)
{
	every_way(where, free ? 0 : -EILSEQ, "38", what);
}

/* The working directory has "area" with "below" in it, "beside" and "inner". */
static void moves(const char *fs)
{
	do_create("area/" BAD);
	do_create("area/second" BAD);
	mkdir("beside/plain", 0755);
	tap_is(err(rename("area/" BAD, "beside/" BAD)), -EILSEQ,
	       "38: %s, a bad name goes out only", fs);
	tap_is(err(rename("area/" BAD, "area/other" BAD)), 0,
	       "38: %s, after having had others", fs);
	tap_is(err(rename("area/other" BAD, "beside/good")), 0,
	       "38: %s, as a good one", fs);
	tap_is(err(rename("area/second" BAD, "area/below/" BAD)), 0,
	       "38: %s, and further down as it is", fs);
	another_removes("area/below/" BAD);

	mkdir("area/new", 0755);
	tap_is(do_create("area/new/" BAD), 0, "38: %s, a new directory", fs);
	tap_is(err(mkdir("area/new/dir" BAD, 0755)), 0,
	       "38: %s, one with a bad name in it", fs);
	tap_is(do_create("area/new/dir" BAD "/" BAD), 0, "38: %s, and names in that", fs);
	unlink("area/new/dir" BAD "/" BAD);
	tap(has("area/new", ""), "38: %s, they have no attribute themselves", fs);
	tap_is(err(rename("area/new", "beside/new")), 0, "38: %s, one is moved out", fs);
	tap_is(do_create("beside/new/second" BAD), -EILSEQ,
	       "38: %s, and is as any other there", fs);
	tap(there("beside/new/" BAD), "6, 38: %s, but for what it has", fs);
	tap_is(err(rename("beside/plain", "area/plain")), 0,
	       "38: %s, one is moved in", fs);
	tap_is(do_create("area/plain/" BAD), 0, "38: %s, and is free there", fs);
	unlink("area/plain/" BAD);
	rmdir("area/plain");
	unlink("beside/new/" BAD);
	rmdir("beside/new/dir" BAD);
	rmdir("beside/new");
}

static void areas(const char *fs, const char *device)
{
	static const char *const dirs[] = { AREA, AREA "/below", AREA "/below/inner",
					    WHERE "/beside" };
	unsigned long bad;

	tap_is(do_mount(fs, device, WHERE, "utf8val=enforce"), 0, "12: %s, enforce", fs);
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		mkdir(dirs[i], 0755);
	tap_is(set(AREA, "off"), 0, "38: %s, a free place", fs);
	bad = read_counts().bad;
	log_clear();
	for (int i = 0; i < 3; i++)
		area_is(asked, dirs[i], fs);
	tap_is(read_counts().bad > bad, !asked,
	       "38: %s, names there are not counted as bad", fs);
	if (asked)
		tap(!logged("refused"), "38: %s, nor told of", fs);
	area_is(false, WHERE "/beside", fs);
	tap_is(do_create(WHERE "/" BAD), -EILSEQ, "38: %s, nor above", fs);
	if (asked) {
		go(WHERE);
		moves(fs);
		go("/");
	}

	tap_is(set(AREA "/below", "enforce"), 0, "38: %s, below: enforce", fs);
	area_is(false, AREA "/below/inner", fs);
	tap_is(set(AREA "/below", "audit"), 0, "38: %s, below: audit", fs);
	tap_is(do_create(AREA "/below/" BAD), -EILSEQ,
	       "38: %s, anything but off ends it", fs);
	tap_is(set(AREA "/below/inner", "off"), 0, "38: %s, inner: off", fs);
	tap_is(do_create(AREA "/below/inner/" BAD), asked ? 0 : -EILSEQ,
	       "38: %s, the nearest counts", fs);
	another_removes(AREA "/below/inner/" BAD);
	tap_is(clear(AREA "/below"), 0, "38: %s, below: none", fs);
	tap_is(clear(AREA), 0, "38: %s, the place is no longer free", fs);
	tap_is(another_creates(AREA "/" BAD), -EILSEQ, "38: %s, at once", fs);

	tap_is(set(WHERE, "off"), 0, "38: %s, off on the root", fs);
	area_is(false, WHERE "/beside", fs);
	clear(WHERE);
	do_remount(WHERE, "utf8val=audit");
	set(AREA, "off");
	bad = read_counts().bad;
	make_again(AREA "/" BAD);
	tap_is(read_counts().bad > bad, !asked, "9, 38: %s, audit", fs);
	clear(AREA);
	umount(WHERE);
}

/*
 * Both return 0 if the caller may not change the attribute, or else minus the sum of
 * what is otherwise, each of which has a bit.
 */
static int user_may_not(const char *own)
{
	int wrong = (set(own, "off") != -EPERM) << 0;

	wrong |= (set(own, "nonsense") != -EPERM) << 1;
	wrong |= (clear(own) != -EPERM) << 2;
	wrong |= (clear(WHERE "/given") != -EPERM) << 3;
	wrong |= (err(setxattr(own, "security.other", "x", 1, 0)) != -EPERM) << 4;
	wrong |= (err(removexattr(own, "security.other")) != -EPERM) << 5;
	return -wrong;
}

/* A guard refuses a container the option, so it is not given there. */
static int container_may_not(const char *given)
{
	int wrong = !enter_namespace() << 0;

	wrong |= (set(given, "audit") != -EPERM) << 1;
	wrong |= (clear(given) != -EPERM) << 2;
	wrong |= !!mount_tmpfs(AGAIN, guarded() ? "" : "utf8val=enforce") << 3;
	wrong |= !!setxattr(AGAIN, "security.other", "x", 1, 0) << 4;
	wrong |= (set(AGAIN, "off") != -EPERM) << 5;
	return -wrong;
}

static void who_may(void)
{
	static const char *const wrong[] = {
		"", "OFF", "off\n", "unset", "enforced", "o",
	};

	mount_tmpfs(WHERE, "utf8val=off");
	mkdir(WHERE "/own", 0755);
	mkdir(WHERE "/given", 0755);
	do_create(WHERE "/file");
	set(WHERE "/given", "off");
	setxattr(WHERE "/own", "security.other", "x", 1, 0);
	tap_is(chown(WHERE "/own", 1000, 1000) | chown(WHERE "/given", 1000, 1000),
	       0, "39: directories of a user");
	tap_is(by_child(1000, user_may_not, WHERE "/own"), 0,
	       "39: their owner may not set or remove it");
	tap_is(by_child(0, container_may_not, WHERE "/given"), 0,
	       "39: nor may the root of a container");
	tap(has(WHERE "/own", "") && has(WHERE "/given", "off"),
	    "39: they are as they were");
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		tap_is(set(WHERE "/given", wrong[i]), -EINVAL,
		       "39: root may not set another value: %zu", i);
	tap_is(set(WHERE "/file", "off"), -EINVAL, "39: nor any on a file");
	tap_is(clear(WHERE "/given"), 0, "39: but remove it");
	tap_is(err(setxattr(WHERE "/file", "security.other", "x", 1, 0)), 0,
	       "39: and set others");
	tap_is(err(removexattr(WHERE "/file", "security.other")), 0,
	       "39: and remove them");
	umount(WHERE);
}

/*
 * The host's root gives a container's file system an attribute that the container's own
 * root may not set; the attribute has no effect. The container waits at a pipe meanwhile.
 */
static void in_container(void)
{
	int down[2], up[2], status = -1;
	char *path, byte = 0;
	pid_t child;

	if (guarded()) {
		tap_skip("a guard refuses a container the option",
			 "37: a container's file system");
		return;
	}
	if (pipe(down) || pipe(up)) {
		tap(false, "37: pipe: %s", strerror(errno));
		return;
	}
	fflush(stdout);
	child = fork();
	if (!child) {
		bool ready = enter_namespace() &&
			!mount_tmpfs(AGAIN, "utf8val=enforce") &&
			!mkdir(AGAIN "/area", 0755) &&
			write(up[1], "x", 1) == 1 && read(down[0], &byte, 1) == 1;

		_exit(!ready || do_create(AGAIN "/area/" BAD) != -EILSEQ ||
		      do_create(AGAIN "/area/good"));
	}
	close(up[1]);
	path = text_of("/proc/%d/root" AGAIN "/area", child);
	tap_is(read(up[0], &byte, 1), 1, "37: a container's file system");
	tap_is(set(path, "off"), 0, "37: gets the attribute from the host");
	tap_is(write(down[1], "x", 1), 1, "37: and is used");
	waitpid(child, &status, 0);
	tap_is(status, 0, "37: but it has no effect there");
	close(up[0]);
	close(down[0]);
	close(down[1]);
}

/* An overlay shows the attributes of its layers, any of which may be on a server. */
static void over_layers(void)
{
	int result, fd;

	mount_tmpfs(AGAIN, "utf8val=off");
	mkdir(AGAIN "/low", 0755);
	mkdir(AGAIN "/low/area", 0755);
	mkdir(AGAIN "/upper", 0755);
	mkdir(AGAIN "/work", 0755);
	set(AGAIN "/low/area", "off");
	set(AGAIN "/low", "audit");
	result = do_mount("overlay", "none", WHERE, "lowerdir=" AGAIN "/low,upperdir="
			  AGAIN "/upper,workdir=" AGAIN "/work");
	if (result == -ENODEV) {
		tap_skip("no overlayfs in this kernel", "37: an overlay");
	} else {
		tap_is(result, 0, "37: an overlay with attributes below");
		tap_is(state_of(WHERE), otherwise, "37: its root's");
		/* before Linux 6.5 overlayfs reads mount(2)'s options by itself */
		fd = (int)syscall(SYS_fspick, AT_FDCWD, WHERE, FSPICK_CLOEXEC);
		fs_set(fd, "utf8val", "enforce");
		tap_is(fs_command(fd, FSCONFIG_CMD_RECONFIGURE), 0, "16: an overlay");
		close(fd);
		tap_is(do_create(AREA "/" BAD), -EILSEQ,
		       "37: and a directory's have no effect");
		umount(WHERE);
	}
	umount(AGAIN);
}

/*
 * A directory that an overlay copies up leaves its attribute in the lower layer: in the
 * upper layer the attribute would count, whoever had filled the lower one.
 */
static void copied_up(void)
{
	mount_tmpfs(AGAIN, "utf8val=off");
	mkdir(AGAIN "/area", 0755);
	set(AGAIN "/area", "off");
	setxattr(AGAIN "/area", "security.other", "x", 1, 0);
	mount_tmpfs(UPPER, "utf8val=enforce");
	mkdir(UPPER "/upper", 0755);
	mkdir(UPPER "/work", 0755);
	tap_is(do_mount("overlay", "none", WHERE, "lowerdir=" AGAIN ",upperdir="
			UPPER "/upper,workdir=" UPPER "/work"), 0,
	       "37: an overlay with an upper layer that enforces");
	tap_is(err(mkdir(AREA "/good", 0755)), 0, "37: a directory is copied up");
	tap(has(UPPER "/upper/area", ""), "37: without the attribute");
	tap(getxattr(UPPER "/upper/area", "security.other", NULL, 0) == 1,
	    "37: but with others");
	tap_is(do_create(AREA "/" BAD), -EILSEQ,
	       "37: and is as any other in the upper layer");
	umount(WHERE);
	umount(UPPER);
	umount(AGAIN);
}

static void file_system(const char *fs, const char *device)
{
	if (!strcmp(fs, "stranger")) {
		stranger(device);
		return;
	}
	if (on_disk(fs))
		root_attribute(fs, device);
	areas(fs, device);
}

int main(int argc, char **argv)
{
	const char *mode = contents("/sys/module/utf8val/parameters/default");

	mkdir(AGAIN, 0755);
	asked = argc > 1 && !strcmp(argv[1], "asked");
	for (int state = STATE_OFF; state < STATES; state++)
		if (!strncmp(mode, state_names[state], strlen(state_names[state])))
			otherwise = state;
	if (!guarded())
		tap(contents("/sys/module/utf8val/parameters/persistent")[0] ==
		    (asked ? 'Y' : 'N'), "34: sysfs shows it");
	on_each(argv + (argc > 1 ? 2 : argc), file_system);
	who_may();
	in_container();
	over_layers();
	if (!guarded())
		copied_up();
	return tap_end();
}
