// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The list of file systems that have a mode, and where they are mounted. stop.c reports what
 * it loses, start.c drops what is stale.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/output.h"
#include "guard_command.h"
#include "mode_list.h"
#include "mount_table.h"
#include "pins.h"
#include "print.h"

/* Find the first mount of each marked device. */
static void find_points(struct mark *marks, long count)
{
	struct mount_table table = { 0 };

	while (mount_table_next(&table))
		for (long i = 0; i < count; i++)
			if (!marks[i].point && marks[i].value.dev == table.mount.dev)
				marks[i].point = strdup(table.mount.point);
}

long marks_read(struct mark **marks)
{
	/* all marks at once: one by one, some come twice while others go */
	__u64 *keys = must(calloc(GUARD_MARKS, sizeof(*keys)));
	struct guard_mark *values = must(calloc(GUARD_MARKS, sizeof(*values)));
	struct mark *list = must(calloc(GUARD_MARKS, sizeof(*list)));
	int fd = pins_map(MAP_MARKS);
	__u32 count = GUARD_MARKS, at;
	int error = fd < 0 ? errno : 0;
	long listed = 0;

	*marks = list;
	/* ENOENT: there are no more than these */
	if (!error && bpf_map_lookup_batch(fd, NULL, &at, keys, values, &count, NULL) &&
	    errno != ENOENT)
		error = errno;
	if (error)
		count = 0;
	for (__u32 i = 0; i < count; i++) {
		/* on a mount where a guard is tried at the moment */
		if (!values[i].type[0])
			continue;
		list[listed].value = values[i];
		list[listed++].value.type[GUARD_TYPE_LEN - 1] = '\0';
	}
	free(keys);
	free(values);
	if (fd >= 0)
		close(fd);
	find_points(list, listed);
	errno = error;
	return error ? -1 : listed;
}

void marks_tell_lost(void)
{
	struct mark *marks;
	long count = marks_read(&marks);

	if (count < 0 && pins_hold(PROGRAM_FORGETS))
		complain("the list of modes cannot be read: %s; no file system is "
			 "guarded any more", strerror(errno));
	for (long i = 0; i < count; i++) {
		const struct guard_mark *mark = &marks[i].value;
		text_auto text = { 0 };

		if (!mode_reports(mark->mode))
			continue;
		text_printf(&text, "no longer %s: %u:%u ",
			    mode_refuses(mark->mode) ? "enforced" : "audited",
			    mark->dev >> 20, mark->dev & 0xFFFFF);
		text_safe(&text, mark->type);
		text_puts(&text, " ");
		text_safe(&text, marks[i].point ? marks[i].point : "(not in this mount namespace)");
		text_puts(&text, "\n");
		print_text(stdout, &text);
	}
}

bool marks_drop_stale(void)
{
	if (pins_hold(PROGRAM_FORGETS))
		return true;
	marks_tell_lost();
	return pins_remove_maps(false);
}

bool marks_are_there(void)
{
	static const enum map needed[] = { MAP_MARKS, MAP_FILTER };

	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		const char *pin = map_names[needed[i]].pin;

		if (pins_count(pin))
			continue;
		complain("%s/%s is gone: the modes of all file systems are lost. Run: "
			 "utf8val-guard stop --forget && utf8val-guard start", PINS, pin);
		return false;
	}
	return true;
}
