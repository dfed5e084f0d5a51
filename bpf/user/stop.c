// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val-guard stop: prints which file systems lose their protection, and removes the
 * programs. main.c calls it. The program that accepts the option goes first; then stop waits
 * for mounts in progress whose option was accepted.
 *
 * For the next start, the modes of superblocks stay in the maps, together with the programs
 * that forget a superblock's mode when the superblock goes. With --forget everything is
 * removed.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "bpf/shared/guard_maps.h"
#include "guard_command.h"
#include "active.h"
#include "mode_list.h"
#include "pins.h"
#include "selftest.h"
#include "superblocks.h"

/* how long stop waits: for mounts in progress, and until the programs are gone */
#define MOUNTS_SECONDS 10
#define GONE_MINUTES 10
#define GONE_SECONDS 30	/* if the caller will not wait */
#define TRIES_A_SECOND 100

/* numbers of programs */
static __u32 noted[256];
static size_t noted_count;

/*
 * Note the programs whose pins match: the kernel unloads programs some time after
 * their pins are gone.
 */
static void note_programs(const char *pattern)
{
	glob_t pins = pins_match(pattern);

	for (size_t i = 0; i < pins.gl_pathc &&
			   noted_count < sizeof(noted) / sizeof(noted[0]); i++) {
		struct bpf_link_info info = { 0 };
		__u32 size = sizeof(info);
		int fd = pins_rest_on(pins.gl_pathv[i]) ? -1 : bpf_obj_get(pins.gl_pathv[i]);

		if (fd < 0)
			continue;
		if (!bpf_obj_get_info_by_fd(fd, &info, &size))
			noted[noted_count++] = info.prog_id;
		close(fd);
	}
	globfree(&pins);
}

/*
 * Wait until no program is running. A program's number is gone at its last
 * reference, a grace period before its last run is over. Putting a map into a map of maps
 * waits for that grace period: kernel/bpf/syscall.c, maybe_wait_bpf_programs().
 */
static bool wait_for_runs(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, options);
	int inner = bpf_map_create(BPF_MAP_TYPE_ARRAY, "utf8val_wait", 4, 4, 1, NULL);
	__u32 key = 0;
	bool done = false;
	int outer;

	options.inner_map_fd = (__u32)inner;
	outer = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "utf8val_wait", 4, 4,
			       1, &options);
	if (inner >= 0 && outer >= 0)
		done = !bpf_map_update_elem(outer, &key, &inner, BPF_ANY);
	if (!done)
		complain("cannot wait for programs that run: %s", strerror(errno));
	if (outer >= 0)
		close(outer);
	if (inner >= 0)
		close(inner);
	return done;
}

/*
 * Wait until none of the noted programs is left or runs. The limit is minutes, because a grace
 * period may take seconds on a busy host, or less if the caller will not wait (@now).
 */
static bool wait_until_gone(bool now)
{
	const int seconds = now ? GONE_SECONDS : 60 * GONE_MINUTES;

	for (int tries = 0; tries < seconds * TRIES_A_SECOND; tries++) {
		size_t left = 0;

		for (size_t i = 0; i < noted_count; i++) {
			/*
			 * a link's number is gone before the link lets go of its program
			 */
			int fd = bpf_prog_get_fd_by_id(noted[i]);

			if (fd >= 0)
				close(fd);
			if (fd >= 0)
				noted[left++] = noted[i];
		}
		noted_count = left;
		if (!left)
			return wait_for_runs();
		if (tries == 10 * TRIES_A_SECOND)
			complain("waiting for the kernel to release %zu "
				 "programs", left);
		usleep(1000000 / TRIES_A_SECOND);
	}
	complain("the kernel still holds %zu programs", noted_count);
	return false;
}

/* Returns: how many mounts in progress have the option, or -1 if unknown. */
static long mounting(void)
{
	struct guard_mounting now;
	int fd = pins_map(MAP_PENDING);
	__u32 zero = 0;
	long count = -1;

	if (fd >= 0 && !bpf_map_lookup_elem(fd, &zero, &now))
		count = now.count;
	if (fd >= 0)
		close(fd);
	return count;
}

/*
 * Wait a while for the mounts that were told that the option is taken.
 * Returns: how many are still in progress, as far as is known.
 */
static long wait_mounts(void)
{
	long count = mounting();

	/* some may be gone, their end being missed */
	if (count > 0)
		superblock_set(-1, GUARD_UNSET, GUARD_FROM_SET, NULL);
	count = mounting();
	for (int tries = 0; count > 0 && tries < MOUNTS_SECONDS * TRIES_A_SECOND; tries++) {
		usleep(1000000 / TRIES_A_SECOND);
		count = mounting();
	}
	return count > 0 ? count : 0;
}

/* Parse the arguments. Returns: false after a complaint. */
static bool parse(char **args, bool *now, bool *forget)
{
	for (; *args; args++) {
		if (!strcmp(*args, "--now")) {
			*now = true;
		} else if (!strcmp(*args, "--forget")) {
			*forget = true;
		} else {
			usage_error("stop");
			return false;
		}
	}
	return true;
}

/*
 * Remove the program that takes the option, and wait for mounts that have been told
 * "taken". Returns: false after a complaint, if the caller will wait (not @now).
 */
static bool refuse_option(bool now)
{
	long in_progress;

	pins_check_mounts();
	note_programs(PROGRAM_DIRS "/" PROGRAM_OPTION);
	/* as where the pins are mounted read-only: then no program ever goes */
	if (!pins_refuse_option()) {
		complain("not stopped: the pin of the program for utf8val= cannot be removed");
		return false;
	}
	if (!wait_until_gone(now) && !now) {
		complain("%s", option_is_taken() ?
			 "not stopped: another process or a pin elsewhere still holds "
			 "the program for utf8val=, and new mounts with the option are "
			 "accepted. Close it, then run: utf8val-guard stop" :
			 "not stopped, but new mounts with utf8val= are refused. Run: "
			 "utf8val-guard stop (again), or utf8val-guard start (to stay "
			 "active)");
		return false;
	}
	in_progress = wait_mounts();
	if (!in_progress || now)
		return true;
	complain("not stopped: %ld mounts with utf8val= are in progress, and would "
		 "continue without a check; new ones are refused. When they are "
		 "done, run: utf8val-guard stop. Not to wait, run: utf8val-guard "
		 "stop --now. To stay active, run: utf8val-guard start", in_progress);
	return false;
}

int stop_main(char **args)
{
	bool now = false, forget = false, good, kept;
	int locked;

	if (!parse(args, &now, &forget) || !is_root())
		return STATUS_TROUBLE;
	locked = pins_lock(false);
	if (locked < 0)
		return STATUS_TROUBLE;
	if (!locked || (pins_rest() && !forget)) {
		struct finding finding = active_without_pins(false);

		if (finding.status == STATUS_TROUBLE) {
			complain("%s", finding.text);
			return STATUS_TROUBLE;
		}
		puts("guard: not active");
		return STATUS_GOOD;
	}
	if (!pins_rest()) {
		if (!refuse_option(now))
			return STATUS_TROUBLE;
		marks_tell_lost();
	}
	kept = !forget && pins_begin_rest();
	if (!kept && !forget)
		complain("the modes of file systems are lost; the next start sets those of "
			 "/etc/utf8val.conf");
	note_programs(PROGRAM_DIRS "/*");
	if (!kept)
		note_programs(RESTING "/*");
	good = pins_remove_dirs(PROGRAM_DIRS);
	if (!kept)
		good = pins_remove_dirs(RESTING) && good;
	good = pins_remove_maps(kept) && good;
	if (!kept)
		good = pins_remove_root() && good;
	good = wait_until_gone(now) && good;
	if (good)
		printf("guard: no longer active%s\n", kept ?
		       "; file systems have their modes again after utf8val-guard start" : "");
	return good && (kept || forget || now) ? STATUS_GOOD : STATUS_TROUBLE;
}
