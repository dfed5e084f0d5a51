// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The policy file, and the map into which it is read. apply.c and requested.c read the file,
 * set.c writes lines.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "guard_command.h"
#include "policy.h"
#include "print.h"
#include "superblocks.h"

#define BLANKS " \t\r\n"

/* A larger file is not read, and after so many bad lines the rest is not. */
#define LARGEST_FILE (1 << 20)
#define BAD_LINES 10

/* Complain about a line; @word, if it is not NULL, stands before the message. */
__attribute__((format(printf, 3, 4)))
static bool bad_line(unsigned int number, const char *word, const char *format, ...)
{
	text_auto text = { 0 };
	va_list list;

	text_safe(&text, word ? word : "");
	fprintf(stderr, "utf8val-guard: %s:%u: ", POLICY_FILE, number);
	if (word)
		fprintf(stderr, "\"%.*s\": ", (int)text.len, text.bytes);
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	putc('\n', stderr);
	return false;
}

/* Read 32 hexadecimal digits in groups, with or without quotation marks. */
static bool parse_uuid(const char *text, char uuid[16])
{
	static const size_t groups[] = { 8, 4, 4, 4, 12 };
	bool quoted = *text == '"';
	size_t bytes = 0;

	text += quoted;
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		if (i && *text++ != '-')
			return false;
		for (size_t digits = 0; digits < groups[i]; digits += 2, text += 2) {
			char byte[3] = { text[0], text[0] ? text[1] : '\0' };

			if (!isxdigit((unsigned char)byte[0]) ||
			    !isxdigit((unsigned char)byte[1]))
				return false;
			uuid[bytes++] = (char)strtoul(byte, NULL, 16);
		}
	}
	return !strcmp(text, quoted ? "\"" : "");
}

static const char *const misfits[] = {
#define MISFIT(name, why) \
	#name,
	UTF8VAL_MISFIT_LIST(MISFIT)
};

static bool is_misfit(const char *type)
{
	for (size_t i = 0; i < sizeof(misfits) / sizeof(misfits[0]); i++)
		if (!strcmp(misfits[i], type))
			return true;
	return false;
}

/* A type as /proc/mounts has it: of FUSE's, what stands after the dot is the subtype. */
static bool parse_type(const char *text, struct guard_what *what)
{
	const char *dot = strchr(text, '.');
	size_t len = dot ? (size_t)(dot - text) : strlen(text);

	if (!len || len >= sizeof(what->type) ||
	    (dot && (!dot[1] || strlen(dot + 1) >= sizeof(what->subtype))))
		return false;
	for (const char *c = text; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._-+", *c))
			return false;
	memcpy(what->type, text, len);
	if (dot)
		memcpy(what->subtype, dot + 1, strlen(dot + 1));
	return true;
}

static bool parse_what(const char *text, unsigned int number, struct policy_line *line)
{
	if (!strcmp(text, "default")) {
		line->what.kind = GUARD_WHAT_DEFAULT;
	} else if (!strncmp(text, "UUID=", 5)) {
		static const char nothing[16];

		line->what.kind = GUARD_WHAT_UUID;
		if (!parse_uuid(text + 5, line->what.type))
			return bad_line(number, text, "not a UUID of 32 hexadecimal "
					"digits, as \"findmnt -o TARGET,UUID\" prints it; "
					"a file system with a shorter one, for example "
					"vfat, is named by TYPE=");
		if (!memcmp(line->what.type, nothing, sizeof(nothing)))
			return bad_line(number, text, "no file system has this UUID");
	} else if (!strncmp(text, "TYPE=", 5)) {
		line->what.kind = GUARD_WHAT_TYPE;
		if (!parse_type(text + 5, &line->what))
			return bad_line(number, text, "not a type of file system, as "
					"\"findmnt -o TARGET,FSTYPE\" prints it");
		if (mode_reports(line->mode) && is_misfit(line->what.type))
			return bad_line(number, text, "this type of file system can only be off");
	} else {
		return bad_line(number, text, "not one of UUID=..., TYPE=... and default");
	}
	snprintf(line->text, sizeof(line->text), "%s", text);
	return true;
}

static bool is_same(const struct guard_what *a, const struct guard_what *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* Parse a line. Returns: is it good? *@empty: has it nothing but a comment? */
static bool parse_line(char *text, unsigned int number, struct policy_line *line, bool *empty)
{
	char *save = NULL, *mode, *what, *more;

	memset(line, 0, sizeof(*line));
	text[strcspn(text, "#")] = '\0';
	mode = strtok_r(text, BLANKS, &save);
	what = mode ? strtok_r(NULL, BLANKS, &save) : NULL;
	more = what ? strtok_r(NULL, BLANKS, &save) : NULL;
	*empty = !mode;
	if (!mode)
		return true;
	line->number = number;
	line->mode = (enum guard_mode)mode_parse(mode);
	if (line->mode == GUARD_UNSET)
		return bad_line(number, mode, "not a mode; a line begins with one of"
				UTF8VAL_MODE_WORDS);
	if (!what)
		return bad_line(number, mode, "for what? UUID=..., TYPE=... or default has to "
				"follow");
	if (more)
		return bad_line(number, more, "a line has a mode, one of UUID=..., TYPE=... and "
				"default, and nothing else");
	return parse_what(what, number, line);
}

/* Add a line, unless an earlier one is for the same. */
static bool add(struct policy *policy, const struct policy_line *line)
{
	for (size_t i = 0; i < policy->count; i++)
		if (is_same(&policy->lines[i].what, &line->what))
			return bad_line(line->number, line->text, "line %u is for the same "
					"already; remove one of the two", policy->lines[i].number);
	if (policy->count == GUARD_LINES)
		return bad_line(line->number, NULL, "more than %d lines", GUARD_LINES);
	policy->lines[policy->count++] = *line;
	return true;
}

bool policy_read(struct policy *policy)
{
	/* to open a FIFO would wait for its writer, with the lock of all commands held */
	int fd = open(POLICY_FILE, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	unsigned int number = 0;
	char *text = NULL;
	size_t room = 0;
	struct stat st;
	unsigned int bad = 0;
	bool good;
	ssize_t len;

	policy->count = 0;
	policy->lines = must(calloc(GUARD_LINES, sizeof(*policy->lines)));
	/* a link to a file system that is not mounted yet is not an empty file */
	if (!file && errno == ENOENT && lstat(POLICY_FILE, &st))
		return true;
	if (!file) {
		complain("%s: %s", POLICY_FILE, errno == ENOENT ?
			 "a symbolic link to a file that is not there" : strerror(errno));
		return false;
	}
	if (fstat(fileno(file), &st) || !S_ISREG(st.st_mode)) {
		complain("%s is not a regular file", POLICY_FILE);
		fclose(file);
		return false;
	}
	if (st.st_size > LARGEST_FILE) {
		complain("%s has more than %d bytes and is not read", POLICY_FILE, LARGEST_FILE);
		fclose(file);
		return false;
	}
	while (bad < BAD_LINES && (len = getline(&text, &room, file)) > 0) {
		struct policy_line line;
		bool empty = false;

		number++;
		if (memchr(text, '\0', (size_t)len))
			bad += !bad_line(number, NULL, "a byte of this line is NUL");
		else if (!parse_line(text, number, &line, &empty))
			bad++;
		else if (!empty && !add(policy, &line))
			bad++;
	}
	if (bad == BAD_LINES)
		complain("%s: %d lines have an error; what follows them is not read", POLICY_FILE,
			 BAD_LINES);
	good = !bad;
	if (ferror(file)) {
		complain("%s: %s", POLICY_FILE, strerror(errno));
		good = false;
	}
	free(text);
	fclose(file);
	return good;
}

/* A default of off needs no line: without a line, a superblock behaves as off. */
static bool is_needed(const struct policy_line *line)
{
	return line->what.kind != GUARD_WHAT_DEFAULT || line->mode != GUARD_OFF;
}

static bool has(const struct policy *policy, const struct guard_what *what)
{
	for (size_t i = 0; i < policy->count; i++)
		if (is_needed(&policy->lines[i]) && is_same(&policy->lines[i].what, what))
			return true;
	return false;
}

/* Remove the lines that are not in the policy. Returns: 0 or a negative errno. */
static int remove_others(const struct policy *policy, int fd)
{
	struct guard_what key, last;
	bool first = true;

	while (!bpf_map_get_next_key(fd, first ? NULL : &last, &key)) {
		if (has(policy, &key)) {
			last = key;
			first = false;
		} else if (bpf_map_delete_elem(fd, &key)) {
			return -errno;
		}
	}
	return 0;
}

/* Add the lines that have a mode, or give them that mode. Returns: 0 or a negative errno. */
static int put_lines(const struct policy *policy, int fd, __u32 mode)
{
	for (size_t i = 0; i < policy->count; i++)
		if (policy->lines[i].mode == mode && is_needed(&policy->lines[i]) &&
		    bpf_map_update_elem(fd, &policy->lines[i].what, &mode, BPF_ANY))
			return -errno;
	return 0;
}

/*
 * A file system that is mounted while the map is written, or after an interruption, has at
 * least the lower of its two modes. Strict lines are therefore added before lax ones, and
 * old lines are removed last. The map has room for as many lines as one file may have. If
 * the lines of both files do not fit, the old lines are removed first.
 */
int policy_put(const struct policy *policy, int fd)
{
	int error = 0;

	for (__u32 mode = GUARD_MODES - 1; mode > GUARD_UNSET && !error; mode--) {
		error = put_lines(policy, fd, mode);
		if (error != -E2BIG)
			continue;
		error = remove_others(policy, fd);
		if (!error)
			error = put_lines(policy, fd, mode);
	}
	return error ? error : remove_others(policy, fd);
}

int policy_map(const struct policy *policy)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_HASH, "policy", sizeof(struct guard_what),
				sizeof(__u32), GUARD_LINES, NULL);
	int error = fd < 0 ? -errno : policy_put(policy, fd);

	if (error && fd >= 0)
		close(fd);
	return error ? error : fd;
}

static const struct policy_line *find(const struct policy *policy,
				      const struct guard_what *what)
{
	for (size_t i = 0; i < policy->count; i++)
		if (is_same(&policy->lines[i].what, what))
			return &policy->lines[i];
	return NULL;
}

const struct policy_line *policy_line_of(const struct policy *policy,
					 const struct guard_seen *seen)
{
	struct guard_what uuid = { .kind = GUARD_WHAT_UUID };
	struct guard_what type = { .kind = GUARD_WHAT_TYPE };
	static const struct guard_what all = { .kind = GUARD_WHAT_DEFAULT };
	const struct policy_line *line;

	memcpy(uuid.type, seen->uuid, sizeof(seen->uuid));
	memcpy(type.type, seen->type, strlen(seen->type));
	memcpy(type.subtype, seen->subtype, strlen(seen->subtype));
	line = find(policy, &uuid);
	if (!line)
		line = find(policy, &type);
	memset(type.subtype, 0, sizeof(type.subtype));
	if (!line)
		line = find(policy, &type);
	return line ? line : find(policy, &all);
}

int policy_read_map(struct policy *policy, int fd)
{
	struct guard_what key;
	bool more = !bpf_map_get_next_key(fd, NULL, &key);

	policy->count = 0;
	policy->lines = must(calloc(GUARD_LINES, sizeof(*policy->lines)));
	while (more && policy->count < GUARD_LINES) {
		__u32 mode;

		if (!bpf_map_lookup_elem(fd, &key, &mode))
			policy->lines[policy->count++] = (struct policy_line){
				.what = key,
				.mode = (enum guard_mode)mode,
			};
		more = !bpf_map_get_next_key(fd, &key, &key);
	}
	return 0;
}

bool policy_line_is_used(const struct policy_line *line, const struct guard_seen *list,
			 long count)
{
	struct policy_line copy = *line;
	const struct policy alone = { &copy, 1 };

	for (long i = 0; i < count; i++)
		if (policy_line_of(&alone, &list[i]))
			return true;
	return line->what.kind == GUARD_WHAT_DEFAULT;
}

bool policy_line_type_known(const struct policy_line *line)
{
	FILE *file = line->what.kind == GUARD_WHAT_TYPE ? fopen("/proc/filesystems", "re") : NULL;
	bool known = !file;
	char *text = NULL;
	size_t room = 0;

	/* a type stands after a tab, before which may be "nodev" */
	while (!known && getline(&text, &room, file) > 0) {
		const char *tab = strchr(text, '\t');

		text[strcspn(text, "\n")] = '\0';
		known = tab && !strcmp(tab + 1, line->what.type);
	}
	free(text);
	if (file)
		fclose(file);
	return known;
}

void policy_name(const struct guard_seen *seen, char text[POLICY_TEXT])
{
	text_auto uuid = { 0 };

	text_uuid(&uuid, seen->uuid);
	if (superblock_has_uuid(seen))
		snprintf(text, POLICY_TEXT, "UUID=%.*s", (int)uuid.len, uuid.bytes);
	else
		snprintf(text, POLICY_TEXT, "TYPE=%s%s%s", seen->type, *seen->subtype ? "." : "",
			 seen->subtype);
}

/*
 * Copy the file, with the new line in it; a comment at the end of the line for the same
 * stays. Returns: 1, 0: it was there, -1: an error.
 */
static int rewrite(FILE *from, FILE *to, enum guard_mode mode, const struct policy_line *new)
{
	bool there = false, same = false;
	char *text = NULL, *copy;
	size_t room = 0;
	char last = '\n';

	while (from && getline(&text, &room, from) > 0) {
		struct policy_line line;
		bool empty = true;

		copy = must(strdup(text));
		last = text[strlen(text) - 1];
		if (parse_line(copy, 0, &line, &empty) && !empty &&
		    is_same(&line.what, &new->what)) {
			there = true;
			same = line.mode == mode;
			text[strcspn(text, "\r\n")] = '\0';
			fprintf(to, "%s %s%s%s\n", mode_name(mode), new->text,
				strchr(text, '#') ? " " : "",
				strchr(text, '#') ? strchr(text, '#') : "");
			last = '\n';
		} else {
			fputs(text, to);
		}
		free(copy);
	}
	free(text);
	if (!there)
		fprintf(to, "%s%s %s\n", last == '\n' ? "" : "\n", mode_name(mode), new->text);
	return ferror(to) || (from && ferror(from)) ? -1 : !same;
}

/*
 * Open the file that shall take the place of @from, or of no file, with its owner and mode.
 * @path: its name. Returns: NULL with errno set.
 */
static FILE *open_new(const char *path, FILE *from)
{
	struct stat st = { .st_mode = 0644 };
	/* an interrupted command may have left a file; a link or a FIFO is not opened either */
	FILE *to = unlink(path) && errno != ENOENT ? NULL : fopen(path, "wxe");
	bool same = !from || (to && !fstat(fileno(from), &st) &&
			      !fchown(fileno(to), st.st_uid, st.st_gid));

	if (!to || (same && !fchmod(fileno(to), st.st_mode & 07777)))
		return to;
	fclose(to);
	unlink(path);
	return NULL;
}

/* Have a file's name, too, outlast a loss of power. Returns: is it so? */
static bool sync_name(const char *path)
{
	char *copy = strdup(path);
	int fd = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	bool good = fd >= 0 && !fsync(fd);

	if (fd >= 0)
		close(fd);
	free(copy);
	return good;
}

int policy_write(enum guard_mode mode, const char *what)
{
	struct policy_line new = { .mode = mode };
	/* where the file is a symbolic link, the file that it leads to is replaced */
	char *real = realpath(POLICY_FILE, NULL);
	const char *path = real ? real : POLICY_FILE;
	text_auto name = { 0 };
	struct policy policy;
	FILE *from, *to;
	int changed;

	if (!policy_read(&policy) || !parse_what(what, 0, &new))
		return -1;
	text_printf(&name, "%s.new%c", path, '\0');
	from = fopen(path, "re");
	to = open_new(name.bytes, from);
	changed = to ? rewrite(from, to, mode, &new) : -1;
	if (from)
		fclose(from);
	if (to && (fflush(to) || fsync(fileno(to))))
		changed = -1;
	if (to && fclose(to))
		changed = -1;
	if (changed > 0 && rename(name.bytes, path))
		changed = -1;
	if (changed < 0)
		complain("%s: %s; it is as it was", POLICY_FILE, strerror(errno));
	if (changed <= 0)
		unlink(name.bytes);
	else if (!sync_name(path))
		complain("%s: the change may be lost with the power: %s", POLICY_FILE,
			 strerror(errno));
	free(real);
	return changed;
}
