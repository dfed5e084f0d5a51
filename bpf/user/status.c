// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* status: tell what is in force, to people and to programs. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "guard_command.h"
#include "in_force.h"
#include "mark_list.h"
#include "pins.h"
#include "utf8val.h"
#include "words.h"

/* What status has found out. */
struct report {
	struct finding finding;
	struct mark *marks;
	long count;		/* how many marks; -1: they cannot be read */
	bool counted;		/* have the counters been read? */
	struct guard_counts sum[GUARD_OPS];
};

/* Read the counters, as sums over all CPUs. */
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

		printf("%s\t", mode_name(mark->mode));
		mark_print(stdout, '\t', mark->dev, mark->type, marks[i].point);
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

static void print_text(const struct report *report)
{
	printf("guard: %s\n", report->finding.text);
	print_marks(report->marks, report->count);
	if (!report->counted)
		return;
	puts("operation checked bad denied");
	for (unsigned int op = 0; op < GUARD_OPS; op++)
		printf("%s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", op_name(op),
		       (uint64_t)report->sum[op].checked, (uint64_t)report->sum[op].bad,
		       (uint64_t)report->sum[op].denied);
}

/* In JSON, null stands for what is not known. */
static void print_report_json(const struct report *report)
{
	static const char *const answers[] = {
		[STATUS_GOOD] = "true", [STATUS_BAD] = "false",
		[STATUS_TROUBLE] = "null",
	};
	const struct finding *finding = &report->finding;

	printf("{\"version\": \"%s\", \"in_force\": %s, \"reason\": ",
	       UTF8VAL_VERSION, answers[finding->status]);
	if (finding->word)
		print_json(finding->word);
	else
		printf("null");
	printf(",\n \"mounts\": %s",
	       report->count < 0 && finding->status == STATUS_TROUBLE ? "null" : "[");
	print_marks_json(report->marks, report->count);
	if (report->count >= 0 || finding->status != STATUS_TROUBLE)
		putchar(']');
	printf(",\n \"counts\": %s", report->counted ? "{" : "null}\n");
	if (!report->counted)
		return;
	for (unsigned int op = 0; op < GUARD_OPS; op++)
		printf("%s\n  \"%s\": {\"checked\": %" PRIu64
		       ", \"bad\": %" PRIu64 ", \"denied\": %" PRIu64 "}", op ? "," : "",
		       op_name(op), (uint64_t)report->sum[op].checked,
		       (uint64_t)report->sum[op].bad, (uint64_t)report->sum[op].denied);
	puts("}}");
}

static void print_metric(const char *name, const char *type, const char *help)
{
	printf("# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* Print a counter of each operation. */
static void print_total(const struct report *report, const char *name,
			const char *help, size_t offset)
{
	print_metric(name, "counter", help);
	for (unsigned int op = 0; op < GUARD_OPS; op++) {
		__u64 number;

		memcpy(&number, (const char *)&report->sum[op] + offset, sizeof(number));
		printf("%s{operation=\"%s\"} %" PRIu64 "\n", name, op_name(op),
		       (uint64_t)number);
	}
}

/*
 * Print the text format that Prometheus reads, version 0.0.4. A number that is
 * not known is left out, so that an alarm for absent numbers finds it.
 */
static void print_prometheus(const struct report *report)
{
	if (report->finding.status != STATUS_TROUBLE) {
		print_metric("utf8val_guard_in_force", "gauge",
			     "Did a try show that the guard refuses bad names?");
		printf("utf8val_guard_in_force %d\n",
		       report->finding.status == STATUS_GOOD);
	}
	if (report->count >= 0)
		print_metric("utf8val_guard_file_system", "gauge",
			     "A file system that has a mode.");
	for (long i = 0; i < report->count; i++) {
		const struct guard_mark *mark = &report->marks[i].value;

		printf("utf8val_guard_file_system{device=\"%u:%u\",type=\"",
		       mark->dev >> 20, mark->dev & 0xFFFFF);
		print_label(mark->type);
		printf("\",mountpoint=\"");
		print_label(report->marks[i].point ? report->marks[i].point : "");
		printf("\",mode=\"%s\"} 1\n", mode_name(mark->mode));
	}
	if (!report->counted)
		return;
	print_total(report, "utf8val_guard_names_checked_total",
		    "New names that were checked.",
		    offsetof(struct guard_counts, checked));
	print_total(report, "utf8val_guard_names_bad_total",
		    "New names that were not UTF-8.", offsetof(struct guard_counts, bad));
	print_total(report, "utf8val_guard_names_denied_total",
		    "New names that were refused.",
		    offsetof(struct guard_counts, denied));
}

/* Print what is of interest only if not all is well. */
static void print_trouble(const struct report *report)
{
	if (report->finding.status != STATUS_GOOD)
		complain("%s", report->finding.text);
}

static const struct {
	const char *option;
	void (*print)(const struct report *report);
} forms[] = {
	{ "--json", print_report_json },
	{ "--prometheus", print_prometheus },
	{ "--quiet", print_trouble },
};

int status_main(char **args)
{
	void (*print)(const struct report *report) = print_text;
	struct report report;

	for (size_t i = 0; *args && i < sizeof(forms) / sizeof(forms[0]); i++)
		if (!strcmp(*args, forms[i].option))
			print = forms[i].print;
	if (*args && (print == print_text || args[1])) {
		complain("status takes --json, --prometheus or --quiet, and "
			 "nothing else");
		return STATUS_TROUBLE;
	}
	report.finding = in_force("enforce", false);
	report.count = marks_read(&report.marks);
	report.counted = read_counts(report.sum);
	print(&report);
	return report.finding.status;
}
