// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* utf8val-guard status: reports what is active, to people and to programs. main.c calls it. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "guard_command.h"
#include "active.h"
#include "mount_table.h"
#include "pins.h"
#include "print.h"
#include "requested.h"
#include "superblocks.h"
#include "utf8val.h"

/* The findings of status. */
struct report {
	struct finding finding;
	struct requested requested;
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

/* Does a superblock have the requested mode, and is that mode enforced? */
static bool is_as_asked(const struct report *report, long i)
{
	const struct requested *requested = &report->requested;

	return report->finding.status == STATUS_GOOD &&
	       (requested->asked[i] == GUARD_UNSET ||
		requested->asked[i] == requested->list[i].mode);
}

static void print_for_people(const struct report *report)
{
	const struct requested *requested = &report->requested;

	printf("guard: %s\n", report->finding.text);
	for (long i = 0; i < requested->count; i++) {
		text_auto text = { 0 };

		superblock_name(&text, '\t', &requested->list[i]);
		printf("%s\t%.*s\n", mode_name(requested->list[i].mode), (int)text.len, text.bytes);
	}
	for (size_t i = 0; i < requested->differences.count; i++)
		printf("differs: %s\n", requested->differences.list[i]);
	for (size_t i = 0; i < requested->unmatched.count; i++)
		printf("unmatched: %s\n", requested->unmatched.list[i]);
	if (!report->counted)
		return;
	puts("operation checked bad denied");
	for (unsigned int op = 0; op < GUARD_OPS; op++)
		printf("%s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", op_name(op),
		       (uint64_t)report->sum[op].checked, (uint64_t)report->sum[op].bad,
		       (uint64_t)report->sum[op].denied);
}

static void add_mounts(struct text *text, const struct requested *requested)
{
	for (long i = 0; i < requested->count; i++) {
		text_puts(text, i ? ",\n  {" : "\n  {");
		superblock_json(text, &requested->list[i]);
		if (requested->asked[i] == GUARD_UNSET)
			text_puts(text, ", \"asked\": null}");
		else
			text_printf(text, ", \"asked\": \"%s\"}", mode_name(requested->asked[i]));
	}
}

/* Add a member whose value is a list of strings. */
static void add_sentences(struct text *text, const char *name, bool known,
			  const struct sentences *from)
{
	text_printf(text, ",\n \"%s\": %s", name, known ? "[" : "null");
	for (size_t i = 0; i < from->count; i++)
		text_json_string(text, i ? ",\n  " : "\n  ", from->list[i], strlen(from->list[i]));
	text_puts(text, known ? "]" : "");
}

/* In JSON, null stands for what is not known. */
static void print_json(const struct report *report)
{
	static const char *const answers[] = {
		[STATUS_GOOD] = "true", [STATUS_BAD] = "false",
		[STATUS_TROUBLE] = "null",
	};
	const struct finding *finding = &report->finding;
	const struct requested *requested = &report->requested;
	bool known = requested->count >= 0 || finding->status != STATUS_TROUBLE;
	const char *quote = finding->word ? "\"" : "";
	text_auto text = { 0 };

	text_printf(&text, "{\"version\": \"%s\", \"in_force\": %s, \"reason\": %s%s%s",
		    UTF8VAL_VERSION, answers[finding->status], quote,
		    finding->word ? finding->word : "null", quote);
	text_printf(&text, ",\n \"mounts\": %s", known ? "[" : "null");
	add_mounts(&text, requested);
	text_puts(&text, known ? "]" : "");
	add_sentences(&text, "differences", known, &requested->differences);
	add_sentences(&text, "unmatched", known, &requested->unmatched);
	text_printf(&text, ",\n \"counts\": %s", report->counted ? "{" : "null");
	for (unsigned int op = 0; report->counted && op < GUARD_OPS; op++)
		text_printf(&text, "%s\n  \"%s\": {\"checked\": %" PRIu64
			    ", \"bad\": %" PRIu64 ", \"denied\": %" PRIu64 "}", op ? "," : "",
			    op_name(op), (uint64_t)report->sum[op].checked,
			    (uint64_t)report->sum[op].bad, (uint64_t)report->sum[op].denied);
	text_puts(&text, report->counted ? "}}\n" : "}\n");
	print_text(stdout, &text);
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

/* Print a line for each mount point, or one if there is none here. */
static void print_file_system(const struct report *report, long i)
{
	const struct guard_seen *seen = &report->requested.list[i];
	const struct mounted *mounts;
	size_t count, lines = 0;
	text_auto text = { 0 };

	mounts = mounts_once(&count);
	for (size_t j = 0; j < count || !lines; j++) {
		if (j < count && (mounts[j].dev != seen->dev || mounts[j].hidden))
			continue;
		text_printf(&text, "utf8val_guard_file_system{device=\"%u:%u\",type=\"",
			    seen->dev >> 20, seen->dev & 0xFFFFF);
		text_label(&text, seen->type);
		text_puts(&text, "\",mountpoint=\"");
		text_label(&text, j < count ? mounts[j].point : "");
		text_printf(&text, "\",mode=\"%s\"} %d\n", mode_name(seen->mode),
			    is_as_asked(report, i));
		lines++;
	}
	print_text(stdout, &text);
}

/*
 * Print the text format that Prometheus reads, version 0.0.4. A number that is
 * not known is left out, so that an alarm for absent numbers finds it.
 */
static void print_prometheus(const struct report *report)
{
	const struct requested *requested = &report->requested;

	if (report->finding.status != STATUS_TROUBLE) {
		print_metric("utf8val_guard_in_force", "gauge",
			     "Did a try show that the guard refuses bad names?");
		printf("utf8val_guard_in_force %d\n",
		       report->finding.status == STATUS_GOOD);
	}
	if (requested->count >= 0) {
		print_metric("utf8val_guard_file_system", "gauge",
			     "A file system that has a mode or shall have one: 1 if the guard "
			     "is active and it has the mode that it shall have.");
		for (long i = 0; i < requested->count; i++)
			print_file_system(report, i);
		print_metric("utf8val_guard_differences", "gauge",
			     "How much of the policy and of fstab does not hold.");
		printf("utf8val_guard_differences %zu\n", requested->differences.count);
		print_metric("utf8val_guard_lines_unmatched", "gauge",
			     "How many lines of the policy name no file system that is mounted.");
		printf("utf8val_guard_lines_unmatched %zu\n", requested->unmatched.count);
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
	for (size_t i = 0; i < report->requested.differences.count; i++)
		complain("%s", report->requested.differences.list[i]);
}

static const struct {
	const char *option;
	void (*print)(const struct report *report);
} forms[] = {
	{ "--json", print_json },
	{ "--prometheus", print_prometheus },
	{ "--quiet", print_trouble },
};

/* The mode of the file system that a file is on. */
static enum guard_mode mode_at(int fd, const struct report *report)
{
	const struct guard_seen *seen = superblock_of(fd, report->requested.list,
						      report->requested.count);
	enum guard_mode mode = GUARD_UNSET;
	unsigned long long id = mount_of(fd);
	const struct mounted *mounts;
	size_t count;

	mounts = mounts_once(&count);
	for (size_t i = 0; i < count; i++)
		if (mounts[i].id == id)
			mode = mounts[i].mode;
	/* what is not active has no effect, whatever is noted */
	if (seen && report->finding.status == STATUS_GOOD)
		mode = (enum guard_mode)seen->mode;
	return mode;
}

/* Say which mode the file system has that each path is on. Returns: is each enforced? */
static int status_of_paths(char **paths, const struct report *report)
{
	int status = STATUS_GOOD;

	for (; *paths; paths++) {
		int fd = open_path(*paths);
		enum guard_mode mode = fd < 0 ? GUARD_UNSET : mode_at(fd, report);
		text_auto name = { 0 };

		if (fd < 0) {
			complain("a path cannot be opened: %s", strerror(errno));
			status = STATUS_TROUBLE;
			continue;
		}
		close(fd);
		if (!mode_refuses(mode) && report->finding.status == STATUS_TROUBLE) {
			complain("%s", report->finding.text);
			return STATUS_TROUBLE;
		}
		text_safe(&name, *paths);
		printf("%s\t%.*s\n", mode_name(mode), (int)name.len, name.bytes);
		if (!mode_refuses(mode) && status == STATUS_GOOD)
			status = STATUS_BAD;
	}
	return status;
}

int status_main(char **args)
{
	void (*print)(const struct report *report) = print_for_people;
	struct report report;

	for (size_t i = 0; *args && i < sizeof(forms) / sizeof(forms[0]); i++)
		if (!strcmp(*args, forms[i].option))
			print = forms[i].print;
	if (*args && **args == '-' && (print == print_for_people || args[1]))
		return usage_error("status");
	report.finding = guard_active("enforce", false);
	if (geteuid() || !(pins_are_there() || report.finding.built_in))
		report.requested = (struct requested){ .count = -1 };
	else
		requested_read(&report.requested, report.finding.built_in);
	/* a promise about modes that nobody could read is none */
	if (report.finding.status == STATUS_GOOD && report.requested.count < 0)
		report.finding = (struct finding){
			.status = STATUS_TROUBLE,
			.word = "modes-unknown",
			.text = "unknown: it is active, but the modes of file systems cannot "
				"be read; run this again",
		};
	if (*args && **args != '-')
		return status_of_paths(args, &report);
	report.counted = read_counts(report.sum);
	print(&report);
	if (report.finding.status == STATUS_GOOD && report.requested.differences.count)
		return STATUS_BAD;
	return (int)report.finding.status;
}
