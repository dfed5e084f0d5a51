// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The state of a superblock: who sets it, when, to which mode, and for whom it then
 * holds. A point's name begins with the rule that it tests. vm/run.py runs this in a
 * virtual machine.
 *
 * Runs as root with two CPUs, started with FS=none; arguments as for
 * matrix_test, /dev/vda and on are the disks.
 */
#include <sys/wait.h>

#include "state.h"
#include "ways.h"

#define WHERE "/s1"
#define AGAIN "/s2"

static int active_state(int state)
{
	return state == STATE_UNSET ? STATE_OFF : state;
}

static void remounts(const char *fs, const char *device)
{
	for (int from = 0; from < STATES; from++) {
		for (int to = 0; to < STATES; to++) {
			int want = to == STATE_UNSET ? active_state(from) : to;
			bool lowers = to != STATE_UNSET && to < from && from > STATE_OFF;

			tap_is(do_mount(fs, device, WHERE, state_options[from]),
			       0, "12: %s, %s", fs, state_names[from]);
			tap_is(state_of(WHERE), active_state(from), "%s: %s, %s is active",
			       from < STATE_AUDIT ? "2, 27" : "12", fs,
			       state_names[from]);
			log_clear();
			tap_is(do_remount(WHERE, state_options[to]), 0,
			       "%s: %s, remount from %s to %s",
			       to == STATE_UNSET ? "11" : "16", fs,
			       state_names[from], state_names[to]);
			tap_is(state_of(WHERE), want, "%s: %s, it is then %s",
			       to == STATE_UNSET ? "11" : "16", fs, state_names[want]);
			tap_is(logged(lowers ? text_of("lowered from %s to %s",
						       state_names[from],
						       state_names[to]) :
				      "lowered from"),
			       lowers, "17: %s, from %s to %s, logged", fs,
			       state_names[from], state_names[to]);
			umount(WHERE);
		}
	}
}

/* The options in mountinfo, except the first one, "rw" or "ro", which mount(2) takes as a flag. */
static const char *shown_options(const char *where, char *options, size_t size)
{
	unsigned int device;

	if (!mount_on(where, &device, options, size))
		return "";
	return options + strcspn(options, ",") + !!strchr(options, ',');
}

static void fed_back(const char *fs, const char *device)
{
	for (int state = STATE_AUDIT; state < STATES; state++) {
		char line[512];
		const char *options;

		do_mount(fs, device, WHERE, state_options[state]);
		options = shown_options(WHERE, line, sizeof(line));
		/* a guard's modes are not in mountinfo */
		tap(guarded() || strstr(options, state_options[state]),
		    "22: %s, %s is in it", fs, state_names[state]);
		tap_is(do_remount(WHERE, options), 0,
		       "22: %s, remount with what is shown: %s", fs, options);
		tap_is(state_of(WHERE), state, "22: %s, still %s", fs,
		       state_names[state]);
		umount(WHERE);
	}
}

static void second_mounts(const char *fs, const char *device, mount_fn again,
			  const char *how)
{
	for (int first = 0; first < STATES; first++) {
		for (int second = 0; second < STATES; second++) {
			bool clash = first != STATE_UNSET && second != STATE_UNSET &&
				     first != second;
			int state = first == STATE_UNSET ? second : first;
			const char *rule = second == STATE_UNSET ? "11" :
				first == STATE_UNSET ? "13" : "14";

			do_mount(fs, device, WHERE, state_options[first]);
			tap_is(again(fs, device, AGAIN, state_options[second]),
			       clash ? -EBUSY : 0, "%s: %s, %s, first %s, second %s",
			       rule, fs, how, state_names[first], state_names[second]);
			tap_is(state_of(WHERE), active_state(state),
			       "%s: %s, %s, it is then %s", rule, fs, how,
			       state_names[state]);
			if (!clash)
				umount(AGAIN);
			tap_is(umount(WHERE), 0, "%s: %s, nothing holds it", rule, fs);
		}
	}
}

static void binds(void)
{
	mount_tmpfs(WHERE, "utf8val=enforce");
	mkdir(WHERE "/sub", 0755);
	mkdir(AGAIN, 0755);
	tap_is(err(mount(WHERE "/sub", AGAIN, NULL, MS_BIND, NULL)), 0, "18: bind");
	tap_is(state_of(AGAIN), STATE_ENFORCE, "18: the same state");
	tap_is(err(mount(NULL, AGAIN, NULL, MS_REMOUNT | MS_BIND,
			 "utf8val=off")), 0, "18: a bind mount's own remount");
	tap_is(state_of(AGAIN), STATE_ENFORCE, "18: has no say");
	tap_is(do_remount(WHERE, "utf8val=audit"), 0, "16: remount");
	tap_is(state_of(AGAIN), STATE_AUDIT, "18: goes for the bind mount, too");
	umount(AGAIN);
	umount(WHERE);
}

/* Call run() as root of a new user namespace with mounts of its own. */
static void in_namespace(void (*run)(void))
{
	pid_t child;
	int status = -1;

	fflush(stdout);
	child = fork();
	if (!child) {
		unsigned int before = tap_points;

		if (!enter_namespace()) {
			tap(false, "20: a user namespace: %s", strerror(errno));
			_exit(0x80 | 1);
		}
		run();
		fflush(stdout);
		_exit((int)(tap_points - before) | (tap_failures ? 0x80 : 0));
	}
	waitpid(child, &status, 0);
	tap_points += WIFEXITED(status) ? WEXITSTATUS(status) & 0x7f : 0;
	tap_failures += !WIFEXITED(status) || (WEXITSTATUS(status) & 0x80);
}

static void as_container(void)
{
	int result = mount_tmpfs(WHERE, "utf8val=enforce");

	tap_is(result, 0, "20: a container's root marks its tmpfs");
	if (!result) {
		tap_is(do_create(WHERE "/ns\xF5\xF6\xF7"), -EILSEQ,
		       "20: which is then enforced");
		tap_is(do_remount(WHERE, "utf8val=audit"), 0, "20: and lowers it");
		tap_is(do_create(WHERE "/ns\xF5\xF6\xF7"), 0, "20: audit");
		tap_is(do_remount(WHERE, "utf8val=off"), 0, "20: and clears it");
		tap_is(do_create(WHERE "/ns" BAD), 0, "20: which is then off");
		umount(WHERE);
	}

	tap(!shown("/cgroup", "utf8val"), "13: the host's cgroup2 is unset");
	tap_is(do_mount("cgroup2", "none", AGAIN, "utf8val=enforce"), -EPERM,
	       "13: a container's root marks the host's cgroup2");
	tap_is(do_fsmount("cgroup2", "none", AGAIN, "utf8val=enforce"), -EPERM,
	       "13: nor by fsopen");
	tap(!shown("/cgroup", "utf8val"), "13: it stays unset");
	tap_is(do_mount("cgroup2", "none", AGAIN, ""), 0,
	       "11: without the option it mounts it");
	tap_is(do_remount(AGAIN, "utf8val=enforce"), -EPERM,
	       "13: and may not remount it");
	umount(AGAIN);

	mkdir("/lower", 0755);
	mkdir("/lowest", 0755);
	/* before Linux 6.5 overlayfs reads mount(2)'s options by itself */
	result = do_mount("overlay", "none", AGAIN,
			  "lowerdir=/lower:/lowest,utf8val=enforce");
	if (result == -ENODEV)
		tap_skip("no overlayfs in this kernel", "20: overlay");
	else
		tap_is(result, 0, "20: a container's root marks its overlay");
	umount(AGAIN);
}

static void namespaces(void)
{
	if (do_mount("cgroup2", "none", "/cgroup", "")) {
		tap_skip("no cgroup2 in this kernel", "13, 20: namespaces");
		return;
	}
	log_clear();
	in_namespace(as_container);
	tap(!logged("f5 f6 f7") && !logged("lowered"), "20: which the host's log does not have");

	tap_is(do_mount("cgroup2", "none", AGAIN, "utf8val=enforce"), 0,
	       "13: the host's root marks it");
	tap_is(err(mkdir("/cgroup/g" BAD, 0755)), -EILSEQ, "4: mkdir in cgroup2");
	tap_is(err(mkdir("/cgroup/good", 0755)), 0, "4: mkdir in cgroup2");
	rmdir("/cgroup/good");
	umount(AGAIN);
	umount("/cgroup");
}

static void racer(const char *one, const char *two, int times)
{
	while (times--)
		if (do_remount(WHERE, times & 1 ? one : two))
			_exit(1);
	_exit(0);
}

static void race(void)
{
	int status, bad = 0;

	mount_tmpfs(WHERE, "");
	for (int i = 0; i < 4; i++)
		if (!fork())
			racer(i & 1 ? "utf8val=enforce" : "utf8val=off",
			      i & 1 ? "utf8val=off" : "utf8val=audit", 2000);
	if (!fork()) {
		for (int i = 0; i < 4000; i++) {
			int result = do_create(WHERE "/" BAD);

			if (result && result != -EILSEQ)
				_exit(1);
			unlink(WHERE "/" BAD);
		}
		_exit(0);
	}
	while (wait(&status) > 0)
		bad += status != 0;
	tap_is(bad, 0, "16: four tasks remount at once, a fifth creates");
	do_remount(WHERE, "utf8val=enforce");
	tap_is(state_of(WHERE), STATE_ENFORCE, "16: the last one holds");
	umount(WHERE);
}

/* A user who may not write to the directory gets the same error as without the option. */
static void permissions(void)
{
	unsigned long bad;

	mount_tmpfs(WHERE, "utf8val=enforce,mode=755");
	go(WHERE);
	do_create("seed");
	do_create("moving");
	chmod("seed", 0666);
	bad = read_counts().bad;
	log_clear();
	for (size_t w = 0; w < ARRAY_SIZE(plain_ways); w++)
		tap_is(by_child(1000, plain_ways[w].enter, BAD), -EACCES,
		       "8: EACCES comes first, %s", plain_ways[w].name);
	tap(read_counts().bad == bad && !logged("refused"), "8: and nothing is reported");
	go("/");
	umount(WHERE);
}

/* An overlay and its layers: three superblocks, three states. */
static void layers(const char *upper, const char *over)
{
	const char *options = text_of("lowerdir=/low,upperdir=/up/upper,workdir=/up/work%s%s",
				      *over ? "," : "", over);
	int result;

	mount_tmpfs("/low", "");
	do_create("/low/written" BAD);
	do_create("/low/renamed" BAD);
	mount_tmpfs("/up", upper);
	mkdir("/up/upper", 0755);
	mkdir("/up/work", 0755);
	if (mount_refuses("overlay"))
		result = do_fsmount("overlay", "none", WHERE, options);
	else
		result = do_mount("overlay", "none", WHERE, options);
	if (result == -ENODEV) {
		tap_skip("no overlayfs in this kernel", "21: an overlay");
		goto out;
	}
	tap_is(result, 0, "21: upper %s, overlay %s", upper, over);
	tap_is(shown(WHERE, "utf8val"), *over != 0, "21: the overlay shows its own");
	tap_is(shown("/up", "utf8val"), *upper != 0, "21: the upper layer shows its own");
	tap_is(do_create(WHERE "/new" BAD), -EILSEQ,
	       "21: neither lets a new bad name in");
	tap_is(do_create("/low/new" BAD), 0, "21: the lower layer does");
	/* writing to the file makes the overlay copy it up, by its name */
	result = open(WHERE "/written" BAD, O_WRONLY | O_CLOEXEC);
	tap_is(err(result), *upper ? -EILSEQ : 0,
	       "21: writing what is below makes its name above");
	close(result);
	tap_is(err(rename(WHERE "/renamed" BAD, WHERE "/good")),
	       *upper ? -EILSEQ : 0, "21: so does repairing it");
	umount(WHERE);
out:
	umount("/up");
	umount("/low");
}

static void file_system(const char *fs, const char *device)
{
	if (mount_refuses(fs)) {
		tap_skip(unseen, "12, 16: %s, each mode by mount(2)", fs);
		return;
	}
	remounts(fs, device);
	fed_back(fs, device);
	if (on_disk(fs)) {
		second_mounts(fs, device, do_mount, "mount(2)");
		second_mounts(fs, device, do_fsmount, "fsopen");
	}
}

int main(int argc, char **argv)
{
	on_each(argv + (argc > 0), file_system);
	permissions();
	layers("utf8val=enforce", "");
	layers("", "utf8val=enforce");
	binds();
	namespaces();
	race();
	return tap_end();
}
