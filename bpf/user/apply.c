// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val-guard apply: reads the policy file, and sets its modes. set.c and start.c also
 * call policy_apply().
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "apply.h"
#include "active.h"
#include "pins.h"
#include "print.h"
#include "requested.h"
#include "superblocks.h"

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
	text_auto text = { 0 };

	if (options->json) {
		text_printf(&text, "%s\n {\"before\": \"%s\", ", count ? "," : "[",
			    mode_name(seen->before));
		superblock_json(&text, seen);
		text_puts(&text, "}");
	} else {
		text_printf(&text, "%s%s (was %s): ", options->dry_run ? "would be " : "",
			    mode_name(seen->mode), mode_name(seen->before));
		superblock_name(&text, ' ', seen);
		text_puts(&text, "\n");
	}
	print_text(stdout, &text);
}

/* Would this walk change a superblock? As bpf/kernel/set_mode.h has it. */
static bool would_change(const struct guard_seen *seen, enum guard_walk how)
{
	if (seen->mode == seen->policy_mode)
		return false;
	if (seen->policy_mode == GUARD_UNSET)
		return how != GUARD_WALK_GIVE && seen->source == GUARD_FROM_POLICY;
	return seen->mode == GUARD_UNSET ||
	       (how != GUARD_WALK_GIVE && seen->source == GUARD_FROM_POLICY) ||
	       (how == GUARD_WALK_APPLY && seen->source != GUARD_FROM_MOUNT);
}

/*
 * Report what differs from the policy. Returns: is there something that should not? An
 * option wins over the policy, and until the next apply so does utf8val-guard set.
 */
static bool report_difference(const struct guard_seen *seen, const struct policy *policy,
			      enum guard_walk how)
{
	const struct policy_line *line = policy_line_of(policy, seen);
	text_auto text = { 0 };

	if (!line || seen->mode == seen->policy_mode)
		return false;
	text_printf(&text, "%s:%u: %s, but the mode is %s", POLICY_FILE, line->number,
		    mode_name(line->mode), mode_name(seen->mode));
	if (seen->error)
		text_printf(&text, ", because the other cannot be set (%s)",
			    strerror(-seen->error));
	else if (seen->source == GUARD_FROM_MOUNT)
		text_puts(&text, ", by the mount's own option utf8val=, which wins");
	else
		text_puts(&text, seen->source == GUARD_FROM_SET ? ", by utf8val-guard set" :
								  ", by an older guard");
	text_puts(&text, ": ");
	superblock_name(&text, ' ', seen);
	if (!seen->error && seen->source != GUARD_FROM_MOUNT)
		text_puts(&text, ". Run: utf8val-guard apply");
	complain_text(&text);
	return seen->error || (how == GUARD_WALK_APPLY && seen->source != GUARD_FROM_MOUNT);
}

/*
 * Has a file system lost enforce although the policy before had no line that gave it? Then
 * nobody has removed such a line. Returns: true after a complaint.
 */
static bool is_lost(const struct guard_seen *seen, const struct policy *before)
{
	const struct policy_line *line = policy_line_of(before, seen);
	text_auto text = { 0 };

	if (!mode_refuses(seen->before) || mode_refuses(seen->mode) ||
	    (line && mode_refuses(line->mode)))
		return false;
	text_puts(&text, "enforce is lost, although no line of " POLICY_FILE " was removed: ");
	superblock_name(&text, ' ', seen);
	superblock_command(&text, "utf8val-guard set --keep enforce", seen);
	complain_text(&text);
	return true;
}

/*
 * Put the policy into the pinned map or a new one; *@before: what the pinned one had.
 * Returns: -1: the pinned one.
 */
static int put(const struct policy *policy, bool dry_run, struct policy *before, int *error)
{
	int fd = pins_map(MAP_POLICY);

	*error = fd < 0 ? -errno : policy_read_map(before, fd);
	if (!*error && !dry_run)
		*error = policy_put(policy, fd);
	if (fd >= 0)
		close(fd);
	if (*error || !dry_run)
		return -1;
	fd = policy_map(policy);
	*error = fd < 0 ? fd : 0;
	return fd;
}

/* Is there no policy yet, as it is at boot? */
static bool none_yet(void)
{
	struct guard_what key;
	int fd = pins_map(MAP_POLICY);
	bool none = fd >= 0 && bpf_map_get_next_key(fd, NULL, &key) && errno == ENOENT;

	if (fd >= 0)
		close(fd);
	return none;
}

enum status policy_apply(enum guard_walk how, const struct report_options *options,
			 unsigned int *changes)
{
	enum status status = STATUS_GOOD;
	struct guard_seen *list = NULL;
	struct sentences unmatched = { 0 };
	struct policy policy, before;
	long count = 0;
	int error, fd;

	if (!policy_read(&policy)) {
		/* at boot, a wrong line must not leave unguarded what the others name */
		if (how != GUARD_WALK_START || !policy.count || !none_yet()) {
			complain("the modes are as they were; correct %s. Then run: "
				 "utf8val-guard apply", POLICY_FILE);
			return STATUS_TROUBLE;
		}
		complain("only the other lines are applied; correct %s. Then run: "
			 "utf8val-guard apply", POLICY_FILE);
		how = GUARD_WALK_GIVE;
		status = STATUS_BAD;
	}
	fd = put(&policy, options->dry_run, &before, &error);
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
				seen->mode = seen->policy_mode;
		}
		if (seen->mode != seen->before)
			report_change(seen, options, (*changes)++);
		if (report_difference(seen, &policy, how))
			status = STATUS_BAD;
		if (how == GUARD_WALK_START && is_lost(seen, &before))
			status = STATUS_BAD;
	}
	if (how == GUARD_WALK_APPLY)
		find_unmatched(&unmatched, &policy, list, count);
	for (size_t i = 0; i < unmatched.count; i++)
		complain("%s", unmatched.list[i]);
	free(list);
	return status;
}

int apply_main(char **args)
{
	struct report_options options = { 0 };
	unsigned int changes = 0;
	enum status status;

	for (; *args; args++) {
		if (!report_option(*args, &options))
			return usage_error("apply");
	}
	if (!is_root() || pins_lock(false) < 0)
		return STATUS_TROUBLE;
	status = guard_active_needed("enforce", true);
	if (status != STATUS_GOOD)
		return (int)status;
	status = policy_apply(GUARD_WALK_APPLY, &options, &changes);
	if (options.json && status != STATUS_TROUBLE)
		puts(changes ? "]" : "[]");
	else if (!changes && status == STATUS_GOOD && !options.changed)
		puts("nothing to change");
	return (int)(status == STATUS_GOOD && options.changed && changes ? STATUS_CHANGED : status);
}
