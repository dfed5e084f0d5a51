// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val-guard start: loads the programs, attaches and tests them, and only then pins them.
 * main.c calls it. Until then the programs belong to this process: if the process fails or
 * is killed, the kernel unloads them.
 *
 * If a guard is active already, the new one takes over from it. The maps stay. The old
 * programs are released when the new ones are pinned.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "apply.h"
#include "bpf/shared/guard_maps.h"
#include "guard_command.h"
#include "active.h"
#include "guard.skel.h"
#include "mode_list.h"
#include "obstacles.h"
#include "pins.h"
#include "selftest.h"

#define PROGRAMS_MAX 32

/* another number makes another generation, for the test of taking over */
#ifndef GUARD_BUILD
#define GUARD_BUILD 0
#endif

static int print_message(enum libbpf_print_level level, const char *format, va_list list)
{
	if (!verbose || level == LIBBPF_DEBUG)
		return 0;
	return vfprintf(stderr, format, list);
}

/* FNV-1a, which only has to tell one object from another. */
static uint64_t hash(const uint8_t *bytes, size_t len)
{
	uint64_t sum = UINT64_C(0xCBF29CE484222325);

	for (size_t i = 0; i < len; i++)
		sum = (sum ^ bytes[i]) * UINT64_C(0x100000001B3);
	return sum;
}

/*
 * Is this program wanted? Some are for other commands, or need hooks of other
 * kernels, or let a mount take the option.
 */
static bool wanted(const struct guard *guard, const struct bpf_program *program,
		   bool without_option)
{
	if (program == guard->progs.guard_parse_param)
		return !without_option;
	if (program == guard->progs.guard_ioctl_compat)
		return libbpf_find_vmlinux_btf_id("file_ioctl_compat", BPF_LSM_MAC) > 0;
	return program != guard->progs.guard_set && program != guard->progs.guard_walk_all;
}

struct attached {
	const char *name;
	struct bpf_link *link;
};

static bool attach_one(struct bpf_program *program, struct attached *attached)
{
	attached->name = bpf_program__name(program);
	attached->link = bpf_program__attach(program);
	if (!attached->link)
		obstacle_complain("cannot attach", attached->name, errno);
	return attached->link;
}

/*
 * Attach the programs, and last the one that takes the option, so that a mount
 * that has been told "taken" finds all the others. Returns: how many are
 * attached, or 0 after a complaint.
 */
static size_t attach(struct guard *guard, struct attached *attached)
{
	struct bpf_program *option = guard->progs.guard_parse_param;
	struct bpf_program *program;
	size_t count = 0;

	bpf_object__for_each_program(program, guard->obj) {
		if (!bpf_program__autoload(program) || program == option)
			continue;
		if (!attach_one(program, &attached[count++]))
			return 0;
	}
	if (!bpf_program__autoload(option))
		return count;
	return attach_one(option, &attached[count]) ? count + 1 : 0;
}

static bool pin_link(const char *dir, const struct attached *attached)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, attached->name);
	if (!bpf_link__pin(attached->link, path))
		return true;
	complain("%s: %s", path, strerror(errno));
	return false;
}

/*
 * Pin the programs in the order of attaching, and last the one that accepts the option.
 * Programs that an interruption leaves therefore accept no mount with the option. The next
 * start removes these programs.
 */
static bool pin(struct bpf_object *object, const struct attached *attached,
		size_t count, const char *loading, const char *loaded)
{
	char from[128], to[128];

	snprintf(from, sizeof(from), PINS "/%s", loading);
	snprintf(to, sizeof(to), PINS "/%s", loaded);
	if (mkdir(from, 0700)) {
		complain("%s: %s", from, strerror(errno));
		return false;
	}
	if (!pins_add_maps(object))
		return false;
	for (size_t i = 0; i < count; i++)
		if (!pin_link(from, &attached[i]))
			return false;
	/* from here on there are no others, whichever name the directory has */
	pins_remove_others(loading);
	pins_remove_dirs(RESTING);
	if (rename(from, to))
		complain("%s: %s; the guard is active from %s", to,
			 strerror(errno), from);
	return true;
}

/* Select the programs for this kernel. Returns: how many these are. */
static size_t select_programs(struct guard *guard, bool without_option)
{
	struct bpf_program *program;
	size_t count = 0;

	bpf_object__for_each_program(program, guard->obj) {
		bool want = wanted(guard, program, without_option);

		bpf_program__set_autoload(program, want);
		count += want;
	}
	return count;
}

/* Make the key for hashes of names, unless a pinned map has it already. */
static bool make_secret(struct guard *guard)
{
	__u64 *secret = guard->data_secret->secret;

	if (getrandom(secret, sizeof(guard->data_secret->secret), 0) ==
	    sizeof(guard->data_secret->secret))
		return true;
	complain("the kernel gives no random numbers: %s", strerror(errno));
	return false;
}

/* Returns: 0, -EINVAL: the kernel refuses the programs, or -1 after a complaint. */
static int load(struct guard *guard, bool without_option)
{
	int error;

	if (!pins_share_maps(guard->obj, NULL, true))
		return -1;
	error = guard__load(guard);
	if (!error || (error == -EINVAL && !without_option))
		return error;
	obstacle_complain("the kernel refuses the programs", NULL, -error);
	return -1;
}

/* Programs of one object, and what they are pinned as. */
struct generation {
	uint64_t id;
	size_t needed;		/* how many programs */
	bool without_option;
	char loading[64], loaded[64];
};

static void name_generation(struct generation *generation)
{
	snprintf(generation->loading, sizeof(generation->loading),
		 DIR_LOADING "%016" PRIx64 "-%zu", generation->id, generation->needed);
	snprintf(generation->loaded, sizeof(generation->loaded),
		 DIR_LOADED "%016" PRIx64 "-%zu", generation->id, generation->needed);
}

static struct selftest try_programs(const struct generation *generation,
				    const int *maps, bool without_option)
{
	const struct selftest_of of = {
		.maps = maps,
		.generation = generation->id,
		.mode = "enforce",
		.without_option = without_option,
	};

	return selftest(&of);
}

/*
 * Does the kernel call these programs, and do they refuse bad names? If not, this has
 * complained. If only the program for the option is not called, the generation becomes one
 * without the option. If @count is not NULL, that program, attached last, is then released.
 */
static bool works(struct generation *generation, const int *maps,
		  struct attached *attached, size_t *count)
{
	struct selftest test = try_programs(generation, maps, generation->without_option);
	struct obstacle obstacle;

	if (test.result == SELFTEST_PASSED)
		return true;
	obstacle = obstacle_not_called();
	if (test.result == SELFTEST_NOT_CALLED && !obstacle_known(&obstacle) &&
	    try_programs(generation, maps, true).result == SELFTEST_PASSED) {
		generation->without_option = true;
		if (count) {
			bpf_link__destroy(attached[--*count].link);
			generation->needed--;
			name_generation(generation);
		}
		return true;
	}
	complain("self-test: %s", test.text);
	if (test.result == SELFTEST_NOT_CALLED)
		complain("%s", obstacle.text);
	return false;
}

static bool is_loaded(const struct generation *generation)
{
	char pattern[128];

	snprintf(pattern, sizeof(pattern), "%s/*", generation->loaded);
	return pins_count(PROGRAM_DIRS) == 1 &&
	       pins_count(pattern) >= generation->needed;
}

/* Are the programs of this generation pinned already, with the option or without? */
static bool find_loaded(struct generation *generation)
{
	struct generation other = *generation;

	if (is_loaded(generation))
		return true;
	other.needed--;
	other.without_option = true;
	name_generation(&other);
	if (generation->without_option || !is_loaded(&other))
		return false;
	*generation = other;
	return true;
}

static void report_active(const struct generation *generation, const char *how)
{
	printf("guard: active%s%s\n", how,
	       generation->without_option ? WITHOUT_OPTION : "");
}

/* Give what is mounted already the policy's modes. Returns: have all their mode? */
static enum status give_modes(void)
{
	static const struct report_options options;
	unsigned int changes = 0;

	return policy_apply(GUARD_WALK_START, &options, &changes) == STATUS_GOOD ? STATUS_GOOD :
										   STATUS_BAD;
}

/* A status, or REFUSED: the kernel's verifier may mind the program for the option. */
#define REFUSED (-1)

static int start(struct guard *guard, bool without_option)
{
	struct attached attached[PROGRAMS_MAX];
	struct generation generation = { .without_option = without_option };
	bool first = !pins_complete(NULL);
	bool nothing_yet = !pins_count(PROGRAM_DIRS) && !pins_count(RESTING);
	int maps[MAPS], error;
	const void *bytes;
	size_t size, count;

	generation.needed = select_programs(guard, without_option);
	bytes = guard__elf_bytes(&size);
	generation.id = hash(bytes, size) + GUARD_BUILD;
	name_generation(&generation);
	if (pins_hold(PROGRAM_FORGETS) && !marks_are_there())
		return STATUS_TROUBLE;
	if (find_loaded(&generation)) {
		if (!works(&generation, NULL, NULL, NULL))
			return STATUS_TROUBLE;
		report_active(&generation, " already");
		return give_modes();
	}
	if (!pins_hold(PROGRAM_OPTION)) {
		struct finding finding = active_without_pins(true);

		if (finding.status == STATUS_TROUBLE) {
			complain("%s", finding.text);
			return STATUS_TROUBLE;
		}
	}
	pins_check_mounts();
	guard->rodata->generation = generation.id;
	if (!make_secret(guard) || !marks_drop_stale())
		return STATUS_TROUBLE;
	error = load(guard, without_option);
	if (error)
		return error == -EINVAL ? REFUSED : STATUS_TROUBLE;
	for (int i = 0; i < MAPS; i++)
		maps[i] = bpf_map__fd(bpf_object__find_map_by_name(
			guard->obj, map_names[i].object));
	count = attach(guard, attached);
	if (!count || !works(&generation, maps, attached, &count))
		return STATUS_TROUBLE;
	/* an interrupted start has left this directory, which takes no mount */
	pins_remove_dirs(generation.loading);
	if (!pin(guard->obj, attached, count, generation.loading, generation.loaded)) {
		pins_remove_dirs(generation.loading);
		/* the marks of an older guard stay */
		if (nothing_yet)
			pins_remove_maps(false);
		return STATUS_TROUBLE;
	}
	report_active(&generation, first ? "" : ", taken over from an older one");
	return give_modes();
}

int start_main(char **args)
{
	struct guard *guard;
	int status;

	for (; *args; args++) {
		if (strcmp(*args, "--verbose") != 0)
			return usage_error("start");
		verbose = true;
	}
	libbpf_set_print(print_message);
	if (!obstacle_before_start() || pins_lock(true) < 0)
		return STATUS_TROUBLE;
	obstacle_warn();
	guard = guard__open();
	status = guard ? start(guard, false) : STATUS_TROUBLE;
	if (status == REFUSED) {
		guard = guard__open();
		status = guard ? start(guard, true) : STATUS_TROUBLE;
	}
	if (!guard)
		obstacle_complain("the programs cannot be opened", NULL, errno);
	if (status != STATUS_GOOD)
		rmdir(PINS);
	/*
	 * Links that are not pinned go with the process. libbpf's own
	 * destructors would wait for each of them in turn.
	 */
	fflush(stdout);
	return status;
}
