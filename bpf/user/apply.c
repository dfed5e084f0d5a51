// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* apply: read the policy file, and put its modes in force. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apply.h"
#include "in_force.h"
#include "pins.h"
#include "policy.h"
#include "superblocks.h"
#include "words.h"

bool report_option(const char *arg, struct report_options *options)
{
	if (!strcmp(arg, "--dry-run"))
		options->dry_run = true;
	else if (!strcmp(arg, "--changed"))
		options->changed = true;
	else if (!strcmp(arg, "--json"))
		options->json = true;
	else
		return false;
	return true;
}

void report_change(const struct guard_seen *seen, const struct report_options *options,
		   unsigned int count)
{
	if (options->json) {
		printf("%s\n {\"before\": \"%s\", ", count ? "," : "[", mode_name(seen->before));
		superblock_print_json(seen);
		putchar('}');
		return;
	}
	printf("%s%s (was %s): ", options->dry_run ? "would be " : "", mode_name(seen->mode),
	       mode_name(seen->before));
	superblock_print(stdout, ' ', seen);
}

/* Would this walk change a superblock? As bpf/kernel/set_mode.h has it. */
static bool would_change(const struct guard_seen *seen, enum guard_walk how)
{
	if (seen->mode == seen->wish)
		return false;
	if (seen->wish == GUARD_UNSET)
		return seen->source == GUARD_FROM_POLICY;
	return seen->mode == GUARD_UNSET || seen->source == GUARD_FROM_POLICY ||
	       (how == GUARD_WALK_APPLY && seen->source == GUARD_FROM_SET);
}

/* Report what differs from the policy. Returns: is there something that should not? */
static bool report_difference(const struct guard_seen *seen, const struct policy *policy)
{
	const struct policy_line *line = policy_line_of(policy, seen);

	if (!line || seen->mode == seen->wish)
		return false;
	fprintf(stderr, "utf8val-guard: %s:%u: %s, but the mode is %s", POLICY_FILE, line->number,
		mode_name(line->mode), mode_name(seen->mode));
	if (seen->error)
		fprintf(stderr, ", as the other cannot be set (%s)", strerror(-seen->error));
	else if (seen->source == GUARD_FROM_MOUNT)
		fputs(", by the mount's own option utf8val=, which wins", stderr);
	else
		fputs(", by utf8val-guard set; utf8val-guard apply changes that", stderr);
	fputs(": ", stderr);
	superblock_print(stderr, ' ', seen);
	return seen->error;
}

/* Read the file, and put it into the pinned map or a new one. Returns: -1: the pinned one. */
static int put(const struct policy *policy, bool dry_run, int *error)
{
	int fd = dry_run ? policy_map(policy) : pins_map(MAP_POLICY);

	*error = fd >= 0 ? 0 : dry_run ? fd : -errno;
	if (*error || dry_run)
		return fd;
	*error = policy_put(policy, fd);
	close(fd);
	return -1;
}

enum status policy_apply(enum guard_walk how, const struct report_options *options,
			 unsigned int *changes)
{
	enum status status = STATUS_GOOD;
	struct guard_seen *list = NULL;
	struct policy policy;
	long count = 0;
	int error, fd;

	if (!policy_read(&policy)) {
		complain("the modes are as they were; correct %s. Then run: utf8val-guard apply",
			 POLICY_FILE);
		return STATUS_TROUBLE;
	}
	fd = put(&policy, options->dry_run, &error);
	if (!error) {
		count = superblocks_walk(options->dry_run ? GUARD_WALK_LOOK : how, fd, &list);
		error = count < 0 ? (int)count : 0;
	}
	if (fd >= 0)
		close(fd);
	if (error) {
		complain("the policy cannot be applied: %s", strerror(-error));
		return STATUS_TROUBLE;
	}
	for (long i = 0; i < count; i++) {
		struct guard_seen *seen = &list[i];

		if (options->dry_run) {
			seen->before = seen->mode;
			if (would_change(seen, how))
				seen->mode = seen->wish;
		}
		if (seen->mode != seen->before)
			report_change(seen, options, (*changes)++);
		if (report_difference(seen, &policy))
			status = STATUS_BAD;
	}
	free(list);
	return status;
}

int apply_main(char **args)
{
	struct report_options options = { 0 };
	unsigned int changes = 0;
	struct finding finding;
	enum status status;

	for (; *args; args++) {
		if (!report_option(*args, &options)) {
			complain("apply takes --dry-run, --changed and --json, and nothing else");
			return STATUS_TROUBLE;
		}
	}
	if (!is_root() || pins_lock(false) < 0)
		return STATUS_TROUBLE;
	finding = in_force("enforce", true);
	if (finding.status != STATUS_GOOD) {
		complain("%s", finding.text);
		return finding.status;
	}
	status = policy_apply(GUARD_WALK_APPLY, &options, &changes);
	if (options.json && status != STATUS_TROUBLE)
		puts(changes ? "]" : "[]");
	else if (!changes && status == STATUS_GOOD && !options.changed)
		puts("nothing to change");
	return (int)(status == STATUS_GOOD && options.changed && changes ? STATUS_CHANGED : status);
}
