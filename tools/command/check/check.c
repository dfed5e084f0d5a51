// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* utf8val check: reports where text is not UTF-8, and why. main.c calls it. */
#include "base/commands.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/option.h"
#include "base/text.h"
#include "check/print.h"
#include "utf8val.h"
#include "walk/filter.h"
#include "walk/operands.h"
#include "walk/walk.h"

static void trouble(struct check *check, const char *path, size_t len, int error)
{
	check->trouble = true;
	complain_errno(path, len, error);
}

/* Print what is ill-formed from the window's place on; true when nothing is. */
static bool search(struct check *check, struct window *window, const char *path,
		   size_t len)
{
	bool once = check->list || check->quiet || check->good ||
		    check->output == OUTPUT_NULL || !check->all;
	struct utf8val_result bad;
	bool good = true;

	while (window_next(window, &bad)) {
		good = false;
		check_print(check, path, len, window, &bad);
		if (once)
			break;
		window_skip(window, &bad);
	}
	if (window->has_mark && check->warn)
		check_print_warning(check, path, len, &(struct text_place){ 0, 1, 1 },
				    "byte order mark");
	if (window->has_nul && check->warn)
		check_print_warning(check, path, len, &window->nul, "NUL");
	return good;
}

/*
 * Most files are well-formed. Lines and columns are therefore counted only after
 * something ill-formed was found; in a file that cannot be read again, from the start.
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
		check_name_file(check, path, len);
}

static void entry(struct walk_visit *visit, const char *name, size_t len,
		  unsigned char type)
{
	struct check *check = visit->walk->data;
	struct window *window = visit->thread_data;
	text_auto path = { 0 };
	struct stat st;
	int fd;

	if (type != DT_REG)
		return;
	if (!window) {
		window = must(calloc(1, sizeof(*window)));
		visit->thread_data = window;
	}
	/* A FIFO that has taken the file's place must not block this process. */
	fd = openat(visit->fd, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK |
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

/* Check each file, and then, in one walk, all the directories. */
static void check_files(struct check *check, char **files)
{
	struct window window = { 0 };
	size_t dirs = 0;

	for (size_t i = 0; files[i]; i++) {
		char *path = files[i];
		bool is_stdin = !strcmp(path, "-");
		int fd = STDIN_FILENO;

		if (check->recursive && !is_stdin && is_dir(path)) {
			/*
			 * The roots of the walk are gathered at the front of the array.
			 */
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
		.walk = { .entry = entry, .thread_end = thread_end, .data = &check },
	};
	const struct command_option options[] = {
		{ '0', "null", NULL, "As -l, names raw, each terminated by NUL",
		  .number = &check.output, .value = OUTPUT_NULL },
		{ 'a', "all", NULL,
		  "Report every ill-formed sequence, not only a file's first",
		  .flag = &check.all },
		WALK_OPTION_CROSS(&check.walk),
		WALK_OPTION_EXCLUDE(&check.walk),
		OPERANDS_OPTION_FILES(&check.paths),
		{ 0, "form", "utf-8|cesu-8|mutf-8|ucs-4",
		  "Which form (default: utf-8); mutf-8 is Java's, ucs-4 RFC 2279's",
		  .take = take_form, .data = &check },
		{ 'i', "invert", NULL, "Print only the names of well-formed files",
		  .flag = &check.good, .never_with = "all files-with-errors " },
		OPTION_JSON(&check.output),
		WALK_OPTION_THREADS(&check.walk),
		{ 'l', "files-with-errors", NULL, "Print only names of bad files",
		  .flag = &check.list },
		{ 'L', "follow", NULL, "With -r, follow symbolic links",
		  .flag = &check.walk.follow },
		WALK_OPTION_DEPTH(&check.walk),
		{ 'q', "quiet", NULL, "Print only errors; the exit status tells the rest",
		  .flag = &check.quiet },
		{ 'r', "recursive", NULL,
		  "Check the regular files under directories (default: .)",
		  .flag = &check.recursive },
		{ 0, "skip-binary", NULL,
		  "Skip files that have a NUL near their beginning",
		  .flag = &check.skip_binary },
		{ 'w', "warn", NULL,
		  "Also report byte order marks and NULs, which are well-formed",
		  .flag = &check.warn, .never_with = "quiet null " },
		{ 0 },
	};
	const struct usage usage = {
		.operands = "[FILE...]",
		.does = "Say whether each FILE (default, and -: standard input) "
			"is UTF-8, and if not, where and why: "
			"FILE:LINE:COLUMN: REASON BYTES at byte OFFSET: the "
			"text around it. Columns count characters from 1, "
			"offsets count bytes from 0.",
		.statuses = "0 if everything is well-formed, 1 if something is "
			    "not, 2 if something could not be read.",
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
