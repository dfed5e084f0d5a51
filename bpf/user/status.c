// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* status: what is in force, in text or JSON. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "guard_command.h"
#include "mark_list.h"
#include "pins.h"
#include "print.h"
#include "reasons.h"
#include "utf8val.h"
#include "words.h"

/* Sums over all CPUs. */
static bool read_counts(struct guard_counts sum[GUARD_OPS])
{
	int cpus = libbpf_num_possible_cpus();
	int fd = pins_map(MAP_COUNTS);
	struct guard_counts *one;

	memset(sum, 0, GUARD_OPS * sizeof(*sum));
	if (fd < 0 || cpus < 1)
		return false;
	one = calloc((size_t)cpus, sizeof(*one));
	for (__u32 op = 0; one && op < GUARD_OPS; op++) {
		if (bpf_map_lookup_elem(fd, &op, one))
			continue;
		for (int cpu = 0; cpu < cpus; cpu++) {
			sum[op].checked += one[cpu].checked;
			sum[op].bad += one[cpu].bad;
			sum[op].denied += one[cpu].denied;
		}
	}
	free(one);
	close(fd);
	return true;
}

static void print_marks(const struct mark *marks, long count)
{
	for (long i = 0; i < count; i++) {
		const struct guard_mark *mark = &marks[i].value;

		printf("%s\t%u:%u\t", mode_name(mark->mode), mark->dev >> 20,
		       mark->dev & 0xFFFFF);
		print_safe(stdout, mark->type);
		putchar('\t');
		print_safe(stdout, marks[i].point ? marks[i].point :
				   "(not in this mount namespace)");
		putchar('\n');
	}
}

static void print_marks_json(const struct mark *marks, long count)
{
	for (long i = 0; i < count; i++) {
		const struct guard_mark *mark = &marks[i].value;

		printf("%s\n  {\"mode\": \"%s\", \"dev\": \"%u:%u\", \"type\": ",
		       i ? "," : "", mode_name(mark->mode), mark->dev >> 20,
		       mark->dev & 0xFFFFF);
		print_json(mark->type);
		printf(", \"point\": ");
		if (marks[i].point)
			print_json(marks[i].point);
		else
			printf("null");
		putchar('}');
	}
}

int status_main(char **args)
{
	struct guard_counts sum[GUARD_OPS];
	bool json = *args && !strcmp(*args, "--json");
	bool complete, hidden;
	struct mark *marks;
	long count;

	if (*args && (!json || args[1])) {
		complain("status takes --json and nothing else");
		return STATUS_TROUBLE;
	}
	if (!is_root())
		return STATUS_TROUBLE;
	complete = pins_complete();
	hidden = !pins_are_there() && reasons_hidden(false);
	count = marks_read(&marks);
	read_counts(sum);
	if (json) {
		printf("{\"version\": \"%s\", \"in_force\": %s,\n \"hidden\": %s, \"mounts\": [",
		       UTF8VAL_VERSION, complete ? "true" : "false",
		       hidden ? "true" : "false");
		print_marks_json(marks, count);
		printf("],\n \"counts\": {");
		for (unsigned int op = 0; op < GUARD_OPS; op++)
			printf("%s\n  \"%s\": {\"checked\": %" PRIu64
			       ", \"bad\": %" PRIu64 ", \"denied\": %" PRIu64
			       "}", op ? "," : "", op_name(op),
			       (uint64_t)sum[op].checked,
			       (uint64_t)sum[op].bad, (uint64_t)sum[op].denied);
		printf("}}\n");
	} else {
		puts(complete ? "guard: in force" :
		     pins_are_there() ?
		     "guard: not all of it is in force; a start or stop was "
		     "interrupted; run utf8val-guard start" :
		     hidden ?
		     "guard: in force, but its pins cannot be seen from here" :
		     "guard: not in force");
		print_marks(marks, count);
		if (complete) {
			puts("operation checked bad denied");
			for (unsigned int op = 0; op < GUARD_OPS; op++)
				printf("%s %" PRIu64 " %" PRIu64 " %" PRIu64
				       "\n", op_name(op), (uint64_t)sum[op].checked,
				       (uint64_t)sum[op].bad,
				       (uint64_t)sum[op].denied);
		}
	}
	return complete ? STATUS_GOOD : STATUS_BAD;
}
