// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What is asked for in the policy file and in fstab, compared with what holds. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/shared/mountinfo.h"
#include "guard_command.h"
#include "mount_table.h"
#include "policy.h"
#include "superblocks.h"
#include "wishes.h"
#include "words.h"

#define FSTAB "/etc/fstab"

static void *checked(void *memory)
{
	if (memory)
		return memory;
	complain("out of memory");
	exit(STATUS_TROUBLE);
}

/* The sentence that is being written, which becomes a difference when it is closed. */
static FILE *begin(char **text, size_t *size)
{
	return checked(open_memstream(text, size));
}

static void end(struct wishes *wishes, FILE *to, char **text)
{
	fclose(to);
	checked(*text);
	(*text)[strcspn(*text, "\n")] = '\0';
	wishes->differences = checked(reallocarray(wishes->differences, wishes->number + 1,
						   sizeof(*wishes->differences)));
	wishes->differences[wishes->number++] = *text;
}

/* A line of the policy asks for a mode that its file system does not have. */
static void compare_policy(struct wishes *wishes, long i, const struct policy *policy)
{
	const struct guard_seen *seen = &wishes->list[i];
	const struct policy_line *line = policy_line_of(policy, seen);
	char *text;
	size_t size;
	FILE *to;

	/* the option of a mount wins, and fstab says what that shall be */
	if (seen->wish == GUARD_UNSET || seen->source == GUARD_FROM_MOUNT)
		return;
	wishes->asked[i] = seen->wish;
	if (seen->mode == seen->wish || !line)
		return;
	to = begin(&text, &size);
	fprintf(to, "%s:%u asks for %s, and the mode is %s", POLICY_FILE, line->number,
		mode_name(seen->wish), mode_name(seen->mode));
	if (seen->source == GUARD_FROM_SET && seen->mode != GUARD_UNSET)
		fputs(" by utf8val-guard set", to);
	fputs("; utf8val-guard apply changes that: ", to);
	superblock_print(to, ' ', seen);
	end(wishes, to, &text);
}

/* The superblock that a path leads to, by the mount that no other covers; or -1. */
static long mounted_on(const struct wishes *wishes, const char *point, bool *mounted)
{
	size_t count;
	const struct mounted *mounts = mounts_read(&count);

	*mounted = false;
	for (size_t i = 0; i < count; i++) {
		if (strcmp(mounts[i].point, point) != 0 ||
		    mount_is_hidden(mounts, count, &mounts[i]))
			continue;
		*mounted = true;
		for (long j = 0; j < wishes->count; j++)
			if (wishes->list[j].dev == mounts[i].dev)
				return j;
	}
	return -1;
}

/* A line of fstab asks for a mode by utf8val=. */
static void compare_fstab(struct wishes *wishes, unsigned int number, const char *point,
			  const char *word)
{
	enum guard_mode mode = (enum guard_mode)mode_parse(word);
	bool mounted;
	long i = mounted_on(wishes, point, &mounted);
	enum guard_mode has = i < 0 ? GUARD_UNSET : (enum guard_mode)wishes->list[i].mode;
	char *text;
	size_t size;
	FILE *to;

	if (mode != GUARD_UNSET && (!mounted || has == mode)) {
		if (i >= 0)
			wishes->asked[i] = mode;
		return;
	}
	if (i >= 0)
		wishes->asked[i] = mode;
	to = begin(&text, &size);
	fprintf(to, "%s:%u: ", FSTAB, number);
	if (mode == GUARD_UNSET) {
		fputs("utf8val=", to);
		print_safe(to, word);
		fputs(" is none of" UTF8VAL_MODE_WORDS, to);
	} else {
		fprintf(to, "utf8val=%s, and the mode is %s: ", word, mode_name(has));
		print_safe(to, point);
	}
	end(wishes, to, &text);
}

/* x-utf8val= was read by earlier versions; it is no wish where its file system has the mode. */
static void compare_ended(struct wishes *wishes, unsigned int number, const char *point,
			  const char *word)
{
	bool mounted;
	long i = mounted_on(wishes, point, &mounted);
	unsigned int has = i < 0 ? GUARD_UNSET : wishes->list[i].mode;
	char *text;
	size_t size;
	FILE *to;

	if (!mounted || has == (unsigned int)mode_parse(word))
		return;
	to = begin(&text, &size);
	fprintf(to, "%s:%u: x-utf8val= has no effect, and the mode is %s. Run: utf8val-guard set "
		"--keep MODE ", FSTAB, number, mode_name(has));
	print_safe(to, point);
	end(wishes, to, &text);
}

static void read_fstab(struct wishes *wishes)
{
	FILE *file = fopen(FSTAB, "re");
	unsigned int number = 0;
	char *line = NULL;
	size_t room = 0;

	while (file && getline(&line, &room, file) > 0) {
		char *save, *point, *options, *option, *value = NULL, *ended = NULL;

		number++;
		if (!strtok_r(line, " \t\n", &save) || *line == '#')
			continue;
		point = strtok_r(NULL, " \t\n", &save);
		options = point && strtok_r(NULL, " \t\n", &save) ?
				  strtok_r(NULL, " \t\n", &save) : NULL;
		if (!options)
			continue;
		mountinfo_unescape(point);
		while ((option = strsep(&options, ","))) {
			if (!strncmp(option, "utf8val=", 8))
				value = option + 8;
			if (!strncmp(option, "x-utf8val=", 10))
				ended = option + 10;
		}
		for (size_t len = strlen(point); len > 1 && point[len - 1] == '/'; len--)
			point[len - 1] = '\0';
		if (value)
			compare_fstab(wishes, number, point, value);
		else if (ended)
			compare_ended(wishes, number, point, ended);
	}
	free(line);
	if (file)
		fclose(file);
}

void wishes_read(struct wishes *wishes)
{
	struct policy policy;
	bool good = policy_read(&policy);
	/* the file is what is asked for, also where it was changed since it was applied */
	int fd = good ? policy_map(&policy) : -1;
	char *text;
	size_t size;
	FILE *to;

	*wishes = (struct wishes){ 0 };
	wishes->count = superblocks_walk(GUARD_WALK_LOOK, fd, &wishes->list);
	if (fd >= 0)
		close(fd);
	if (wishes->count < 0) {
		wishes->count = -1;
		return;
	}
	wishes->asked = checked(calloc((size_t)wishes->count + 1, sizeof(*wishes->asked)));
	if (!good) {
		to = begin(&text, &size);
		fprintf(to, "%s has an error; utf8val-guard apply names it", POLICY_FILE);
		end(wishes, to, &text);
	}
	for (long i = 0; good && i < wishes->count; i++)
		compare_policy(wishes, i, &policy);
	read_fstab(wishes);
}
