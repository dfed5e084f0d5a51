// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* utf8val check: is this text UTF-8? */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "options.h"
#include "text.h"
#include "utf8val.h"
#include "walk.h"
#include "window.h"

struct check {
	struct walk walk;
	enum utf8val_form form;
	unsigned int output;	/* enum output */
	bool list, quiet, all, recursive;
	atomic_bool bad;
	atomic_bool trouble;
};

/* A line's part on both sides of the place, whole characters only. */
static void context(const struct window *window, size_t bad,
		    const uint8_t **before, size_t *before_len, size_t *after)
{
	const uint8_t *place = window->bytes + window->at;
	size_t len = window->at < WINDOW_CONTEXT / 2 ? window->at :
						       WINDOW_CONTEXT / 2;
	const uint8_t *newline = len ? memrchr(place - len, '\n', len) : NULL;
	size_t left = window->len - window->at - bad;

	if (newline)
		len = (size_t)(place - newline - 1);
	/* no half character at its beginning, unless it is the file's own */
	for (int i = 0; i < 3 && len && !newline && len < window->offset; i++) {
		if ((*(place - len) & 0xC0) != 0x80)
			break;
		len--;
	}
	*before = place - len;
	*before_len = len;
	left = utf8val_floor(place + bad, left, WINDOW_CONTEXT / 2);
	newline = memchr(place + bad, '\n', left);
	*after = newline ? (size_t)(newline - place) - bad : left;
}

/* "FILE:LINE:COLUMN: overlong C0 AF at byte 20: before\xC0\xAFafter" */
static void describe(struct text *line, const char *path, size_t len,
		     const struct window *window,
		     const struct utf8val_result *bad)
{
	const struct colours *c = colours();
	const uint8_t *place = window->bytes + window->at;
	const uint8_t *before;
	size_t before_len, after;

	context(window, bad->bad, &before, &before_len, &after);
	text_puts(line, c->path);
	text_escape(line, path, len);
	text_printf(line, "%s:%s%llu%s:%s%llu%s: %s%s%s ", c->off, c->number,
		    (unsigned long long)window->line, c->off, c->number,
		    (unsigned long long)window->column, c->off, c->bad,
		    utf8val_reason_name(bad->reason), c->off);
	text_hex(line, place, bad->bad, ' ');
	text_printf(line, " at byte %llu: ",
		    (unsigned long long)window->offset);
	text_escape(line, before, before_len);
	text_puts(line, c->bad);
	text_escape(line, place, bad->bad);
	text_puts(line, c->off);
	text_escape(line, place + bad->bad, after);
	text_puts(line, "\n");
}

static void describe_json(struct text *line, const char *path, size_t len,
			  const struct window *window,
			  const struct utf8val_result *bad)
{
	const uint8_t *place = window->bytes + window->at;
	const uint8_t *before;
	size_t before_len, after;

	context(window, bad->bad, &before, &before_len, &after);
	text_puts(line, "{\"path\":");
	text_json(line, path, len);
	text_printf(line, ",\"line\":%llu,\"column\":%llu,\"offset\":%llu",
		    (unsigned long long)window->line,
		    (unsigned long long)window->column,
		    (unsigned long long)window->offset);
	text_printf(line, ",\"length\":%u,\"reason\":\"%s\",\"hex\":\"",
		    bad->bad, utf8val_reason_name(bad->reason));
	text_hex(line, place, bad->bad, ' ');
	text_puts(line, "\",\"before\":");
	text_json(line, before, before_len);
	text_puts(line, ",\"after\":");
	text_json(line, place + bad->bad, after);
	text_puts(line, "}\n");
}

static void report(const struct check *check, const char *path, size_t len,
		   const struct window *window,
		   const struct utf8val_result *bad)
{
	struct text line = { 0 };

	if (check->quiet)
		return;
	if (check->output == OUTPUT_NULL) {
		text_add(&line, path, len);
		text_add(&line, "", 1);
	} else if (check->list) {
		text_escape(&line, path, len);
		text_puts(&line, "\n");
	} else if (check->output == OUTPUT_JSON) {
		describe_json(&line, path, len, window, bad);
	} else {
		describe(&line, path, len, window, bad);
	}
	text_emit(&line);
	text_free(&line);
}

static void trouble(struct check *check, const char *path, size_t len,
		    int error)
{
	check->trouble = true;
	complain_errno(path, len, error);
}

static void check_fd(struct check *check, struct window *window, int fd,
		     const char *path, size_t len)
{
	bool once = check->list || check->quiet ||
		    check->output == OUTPUT_NULL || !check->all;
	struct utf8val_result bad;

	window_init(window, fd, check->form);
	window->count_places = !check->quiet && !check->list &&
			       check->output != OUTPUT_NULL;
	while (window_next(window, &bad)) {
		check->bad = true;
		report(check, path, len, window, &bad);
		if (once)
			break;
		window_skip(window, &bad);
	}
	if (window->error)
		trouble(check, path, len, window->error);
}

static void entry(struct walk_visit *visit, const char *name, size_t len,
		  unsigned char type)
{
	struct check *check = visit->walk->data;
	struct window *window = visit->thread_data;
	struct text path = { 0 };
	struct stat st;
	int fd;

	if (type != DT_REG)
		return;
	if (!window) {
		window = must(calloc(1, sizeof(*window)));
		visit->thread_data = window;
	}
	/* a FIFO that has taken the file's place must not block */
	fd = openat(visit->fd, name,
		    O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK |
			    (visit->walk->follow ? 0 : O_NOFOLLOW));
	walk_path(&path, visit->dir, name, len);
	if (fd < 0 || fstat(fd, &st))
		trouble(check, path.bytes, path.len, errno);
	else if (S_ISREG(st.st_mode))
		check_fd(check, window, fd, path.bytes, path.len);
	if (fd >= 0)
		close(fd);
	text_free(&path);
}

static void thread_end(void *thread_data)
{
	struct window *window = thread_data;

	if (window)
		window_free(window);
	free(window);
}

static bool is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static void check_files(struct check *check, char **files)
{
	struct window window = { 0 };
	size_t dirs = 0;

	for (size_t i = 0; files[i]; i++) {
		char *path = files[i];
		bool is_stdin = !strcmp(path, "-");
		int fd = STDIN_FILENO;

		if (check->recursive && !is_stdin && is_dir(path)) {
			/* the walk's roots, gathered in front */
			files[dirs++] = path;
			continue;
		}
		if (is_stdin)
			path = (char *)"(standard input)";
		else
			fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		if (fd < 0) {
			trouble(check, path, strlen(path), errno);
			continue;
		}
		check_fd(check, &window, fd, path, strlen(path));
		if (!is_stdin)
			close(fd);
	}
	window_free(&window);
	if (dirs)
		walk_run(&check->walk, files, dirs);
	if (check->walk.troubles)
		check->trouble = true;
}

static const char *take_form(void *data, const char *name)
{
	static const struct {
		const char *name;
		enum utf8val_form form;
	} forms[] = {
		{ "utf-8", UTF8VAL_FORM_UTF8 }, { "utf8", UTF8VAL_FORM_UTF8 },
		{ "cesu-8", UTF8VAL_FORM_CESU8 },
		{ "cesu8", UTF8VAL_FORM_CESU8 },
		{ "mutf-8", UTF8VAL_FORM_MUTF8 },
		{ "mutf8", UTF8VAL_FORM_MUTF8 },
		{ "ucs-4", UTF8VAL_FORM_UCS4 }, { "ucs4", UTF8VAL_FORM_UCS4 },
	};
	struct check *check = data;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (!strcasecmp(name, forms[i].name)) {
			check->form = forms[i].form;
			return NULL;
		}
	}
	return "there is utf-8, cesu-8, mutf-8 and ucs-4";
}

int check_main(int argc, char **argv)
{
	char standard_input[] = "-", here[] = ".";
	char *default_files[2] = { standard_input, NULL };
	struct check check = {
		.walk = { .entry = entry, .thread_end = thread_end,
			  .data = &check },
	};
	const struct command_option options[] = {
		{ '0', "null", NULL,
		  "As -l, names as they are, each ended by NUL",
		  .number = &check.output, .value = OUTPUT_NULL },
		{ 'a', "all", NULL,
		  "Every ill-formed sequence, not only a file's first",
		  .flag = &check.all },
		{ 0, "cross-devices", NULL,
		  "With -r, enter other file systems",
		  .flag = &check.walk.cross },
		{ 0, "form", "FORM",
		  "utf-8 (default), cesu-8, mutf-8 (Java's) or ucs-4 (RFC "
		  "2279)",
		  .take = take_form, .data = &check },
		{ 0, "json", NULL, "One JSON object a line",
		  .number = &check.output, .value = OUTPUT_JSON },
		{ 'j', "threads", "N",
		  "With -r, directories read at a time (default: two per "
		  "processor)",
		  .number = &check.walk.threads, .most = WALK_THREADS },
		{ 'l', "files-with-errors", NULL, "Only the names of bad files",
		  .flag = &check.list },
		{ 'L', "follow", NULL, "With -r, follow symbolic links",
		  .flag = &check.walk.follow },
		{ 'q', "quiet", NULL,
		  "No output but errors; only the exit status",
		  .flag = &check.quiet },
		{ 'r', "recursive", NULL,
		  "The regular files under directories (default: .)",
		  .flag = &check.recursive },
		{ 0 },
	};
	const struct usage usage = {
		.operands = "[FILE...]",
		.does = "Say whether each FILE (default, and -: standard input) "
			"is UTF-8, and where and why it is not: "
			"FILE:LINE:COLUMN: REASON BYTES at byte OFFSET: the "
			"text around it. Columns count characters, from 1; "
			"offsets bytes, from 0.",
		.statuses = "0 when everything is well-formed, 1 when something "
			    "is not, 2 when something could not be read.",
		.options = options,
	};
	char **files = argv + options_parse(argc, argv, &usage);

	if (!*files) {
		files = default_files;
		if (check.recursive)
			files[0] = here;
	}
	check_files(&check, files);
	if (check.trouble)
		return STATUS_TROUBLE;
	return check.bad ? STATUS_BAD : STATUS_GOOD;
}
