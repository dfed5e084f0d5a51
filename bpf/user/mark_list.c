// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What is marked, and which mounts that is on. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "bpf/shared/mountinfo.h"
#include "guard_command.h"
#include "mark_list.h"
#include "pins.h"
#include "print.h"

/* The first mount of each marked device. */
static void find_points(struct mark *marks, long count)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t room = 0;

	while (file && getline(&line, &room, file) > 0) {
		unsigned int major, minor;
		char *rest = line, *point = NULL;

		if (sscanf(line, "%*s %*s %u:%u", &major, &minor) != 2)
			continue;
		for (int i = 0; i < 5; i++)
			point = strsep(&rest, " ");
		if (!point)
			continue;
		mountinfo_unescape(point);
		for (long i = 0; i < count; i++)
			if (!marks[i].point &&
			    marks[i].value.dev == (major << 20 | minor))
				marks[i].point = strdup(point);
	}
	free(line);
	if (file)
		fclose(file);
}

long marks_read(struct mark **marks)
{
	/* all at once: one by one, some come twice while others go */
	__u64 *keys = calloc(GUARD_MARKS, sizeof(*keys));
	struct guard_mark *values = calloc(GUARD_MARKS, sizeof(*values));
	struct mark *list = calloc(GUARD_MARKS, sizeof(*list));
	int fd = pins_map(MAP_MARKS);
	__u32 count = GUARD_MARKS, at;

	if (!keys || !values || !list) {
		complain("out of memory");
		exit(STATUS_TROUBLE);
	}
	*marks = list;
	if (fd < 0 || (bpf_map_lookup_batch(fd, NULL, &at, keys, values, &count,
					    NULL) && errno != ENOENT))
		count = 0;
	for (__u32 i = 0; i < count; i++) {
		list[i].value = values[i];
		list[i].value.type[GUARD_TYPE_LEN - 1] = '\0';
	}
	free(keys);
	free(values);
	if (fd >= 0)
		close(fd);
	find_points(list, count);
	return fd < 0 ? -1 : (long)count;
}

void marks_tell_lost(void)
{
	struct mark *marks;
	long count = marks_read(&marks);

	for (long i = 0; i < count; i++) {
		const struct guard_mark *mark = &marks[i].value;

		if (mark->mode < GUARD_AUDIT)
			continue;
		printf("no longer %s: %u:%u %s ",
		       mark->mode == GUARD_ENFORCE ? "enforced" : "audited",
		       mark->dev >> 20, mark->dev & 0xFFFFF, mark->type);
		print_safe(stdout, marks[i].point ? marks[i].point :
				   "(not in this mount namespace)");
		putchar('\n');
	}
}
