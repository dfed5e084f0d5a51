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
#include "operands.h"
#include "options.h"
#include "text.h"
#include "utf8val.h"
#include "walk.h"
#include "window.h"

struct check {
	struct walk walk;
	enum utf8val_form form;
	unsigned int output;	/* enum output */
	bool list, good, quiet, all, recursive, skip_binary, warn;
	const char *paths;	/* --files0-from, or NULL */
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

/* Only the file's name, in the way that was asked for. */
static void name_file(const struct check *check, const char *path, size_t len)
{
	struct text line = { 0 };

	if (check->output == OUTPUT_NULL) {
		text_add(&line, path, len);
		text_add(&line, "", 1);
	} else if (check->output == OUTPUT_JSON) {
		text_puts(&line, "{\"path\":");
		text_json(&line, path, len);
		text_puts(&line, "}\n");
	} else {
		text_escape(&line, path, len);
		text_puts(&line, "\n");
	}
	text_emit(&line);
	text_free(&line);
}

static void report(const struct check *check, const char *path, size_t len,
		   const struct window *window,
		   const struct utf8val_result *bad)
{
	struct text line = { 0 };

	if (check->quiet || check->good)
		return;
	if (check->list || check->output == OUTPUT_NULL) {
		name_file(check, path, len);
		return;
	}
	if (check->output == OUTPUT_JSON)
		describe_json(&line, path, len, window, bad);
	else
		describe(&line, path, len, window, bad);
	text_emit(&line);
	text_free(&line);
}

/* "FILE:LINE:COLUMN: warning: NUL at byte 20": well-formed, but strange. */
static void warn(const struct check *check, const char *path, size_t len,
		 const struct window_place *place, const char *what)
{
	const struct colours *c = colours();
	struct text line = { 0 };

	if (check->output == OUTPUT_JSON) {
		text_puts(&line, "{\"path\":");
		text_json(&line, path, len);
		text_printf(&line, ",\"line\":%llu,\"column\":%llu,"
			    "\"offset\":%llu,\"warning\":\"%s\"}\n",
			    (unsigned long long)place->line,
			    (unsigned long long)place->column,
			    (unsigned long long)place->offset, what);
	} else {
		text_puts(&line, c->path);
		text_escape(&line, path, len);
		text_printf(&line, "%s:%s%llu%s:%s%llu%s: warning: %s at byte "
			    "%llu\n", c->off, c->number,
			    (unsigned long long)place->line, c->off, c->number,
			    (unsigned long long)place->column, c->off, what,
			    (unsigned long long)place->offset);
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

/* Print whatever is wrong from the window's place on; true when nothing is. */
static bool search(struct check *check, struct window *window, const char *path,
		   size_t len)
{
	bool once = check->list || check->quiet || check->good ||
		    check->output == OUTPUT_NULL || !check->all;
	struct utf8val_result bad;
	bool good = true;

	while (window_next(window, &bad)) {
		good = false;
		report(check, path, len, window, &bad);
		if (once)
			break;
		window_skip(window, &bad);
	}
	if (window->has_mark && check->warn)
		warn(check, path, len, &(struct window_place){ 0, 1, 1 },
		     "byte order mark");
	if (window->has_nul && check->warn)
		warn(check, path, len, &window->nul, "NUL");
	return good;
}

/*
 * Well-formed files are the most, so lines and columns are counted only when
 * something has been found in one that can be read again.
 */
static void check_window(struct check *check, struct window *window,
			 const char *path, size_t len)
{
	bool places = !check->quiet && !check->list && !check->good &&
		      check->output != OUTPUT_NULL;
	bool good;

	if (!window_fill(window)) {
		trouble(check, path, len, window->error);
		return;
	}
	if (check->skip_binary && window_is_binary(window))
		return;
	window->find_nul = check->warn;
	window->count_places = check->warn;
	if (!check->warn && !window_search(window, places)) {
		good = true;
	} else {
		window->count_places = places;
		good = search(check, window, path, len);
	}
	if (!good)
		check->bad = true;
	if (window->error)
		trouble(check, path, len, window->error);
	else if (good && check->good && !check->quiet)
		name_file(check, path, len);
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
	if (fd < 0 || fstat(fd, &st)) {
		trouble(check, path.bytes, path.len, errno);
		st.st_mode = 0;
	}
	if (fd >= 0 && S_ISREG(st.st_mode)) {
		window_init_file(window, fd, check->form, st.st_size);
		check_window(check, window, path.bytes, path.len);
	}
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

/* Each file, the directories at the end: all of them in one walk. */
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
		window_init(&window, fd, check->form);
		check_window(check, &window, path, strlen(path));
		if (!is_stdin)
			close(fd);
	}
	window_free(&window);
	files[dirs] = NULL;
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
		WALK_OPTION_EXCLUDE(&check.walk),
		WALK_OPTION_FILES(&check.paths),
		{ 0, "form", "FORM",
		  "utf-8 (default), cesu-8, mutf-8 (Java's) or ucs-4 (RFC "
		  "2279)",
		  .take = take_form, .data = &check },
		{ 'i', "invert", NULL,
		  "Only the names of well-formed files",
		  .flag = &check.good, .never_with = "all files-with-errors " },
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
		WALK_OPTION_DEPTH(&check.walk),
		{ 'q', "quiet", NULL,
		  "No output but errors; only the exit status",
		  .flag = &check.quiet },
		{ 'r', "recursive", NULL,
		  "The regular files under directories (default: .)",
		  .flag = &check.recursive },
		{ 0, "skip-binary", NULL,
		  "Leave out files that have a NUL near their beginning",
		  .flag = &check.skip_binary },
		{ 'w', "warn", NULL,
		  "Tell of byte order marks and of NULs in what is well-formed",
		  .flag = &check.warn, .never_with = "quiet null " },
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

	files = operands_get(files, check.paths, check.recursive ? "." : "-");
	if (!files)
		return STATUS_TROUBLE;
	check_files(&check, files);
	if (check.trouble)
		return STATUS_TROUBLE;
	return check.bad ? STATUS_BAD : STATUS_GOOD;
}
