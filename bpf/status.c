// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* status: what is in force, in text or JSON. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "command.h"
#include "tools/command/mountinfo.h"
#include "utf8val.h"

static const char *const modes[GUARD_MODES] = {
	[GUARD_UNSET] = "unset",
	[GUARD_OFF] = "off",
	[GUARD_AUDIT] = "audit",
	[GUARD_ENFORCE] = "enforce",
};

static const char *const ops[GUARD_OPS] = {
	[GUARD_CREATE] = "create",
	[GUARD_LINK] = "link",
	[GUARD_SYMLINK] = "symlink",
	[GUARD_MKDIR] = "mkdir",
	[GUARD_MKNOD] = "mknod",
	[GUARD_RENAME] = "rename",
	[GUARD_SUBVOLUME] = "subvolume",
};

const char *mode_name(unsigned int mode)
{
	return mode < GUARD_MODES ? modes[mode] : "unknown";
}

const char *op_name(unsigned int op)
{
	return op < GUARD_OPS ? ops[op] : "unknown";
}

int mode_parse(const char *name)
{
	for (int i = GUARD_OFF; i < GUARD_MODES; i++)
		if (!strcmp(modes[i], name))
			return i;
	return GUARD_UNSET;
}

/* How many bytes of one character stand here that a terminal may be shown. */
static size_t printable(const char *s)
{
	const uint8_t *pos = (const uint8_t *)s;
	int32_t cp = utf8val_next(&pos, pos + strlen(s));

	if (cp < 0x20 || cp == '\\' || cp == '"' || (cp >= 0x7F && cp < 0xA0) ||
	    cp == 0x2028 || cp == 0x2029 || (cp >= 0x200B && cp < 0x2010) ||
	    (cp >= 0x202A && cp < 0x202F) || (cp >= 0x2066 && cp < 0x206A))
		return 0;
	return (size_t)(pos - (const uint8_t *)s);
}

void print_safe(FILE *to, const char *s)
{
	while (*s) {
		size_t len = printable(s);

		if (len)
			fprintf(to, "%.*s", (int)len, s);
		else
			fprintf(to, "\\x%02x", (unsigned char)*s);
		s += len ? len : 1;
	}
}

/* A byte that is not UTF-8 becomes U+DCxx, as Python has it. */
void print_json(const char *s)
{
	putchar('"');
	while (*s) {
		const uint8_t *pos = (const uint8_t *)s;
		size_t len = printable(s);
		int32_t cp = utf8val_next(&pos, pos + strlen(s));

		if (len) {
			printf("%.*s", (int)len, s);
		} else if (cp >= 0) {
			len = (size_t)(pos - (const uint8_t *)s);
			printf("\\u%04x", (unsigned int)cp);
		} else {
			printf("\\udc%02x", (unsigned char)*s);
		}
		s += len ? len : 1;
	}
	putchar('"');
}

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
			       "}", op ? "," : "", ops[op],
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
				       "\n", ops[op], (uint64_t)sum[op].checked,
				       (uint64_t)sum[op].bad,
				       (uint64_t)sum[op].denied);
		}
	}
	return complete ? STATUS_GOOD : STATUS_BAD;
}
