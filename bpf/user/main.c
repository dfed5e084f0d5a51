// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val-guard: utf8val= on a kernel that was not built with it. The main function finds
 * the subcommand; the other files use the messages from here.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "guard_command.h"
#include "bpf/shared/modes.h"
#include "policy.h"
#include "print.h"
#include "utf8val.h"

bool verbose;

static const struct {
	const char *name;
	int (*main)(char **args);
	const char *args, *does;
} subcommands[] = {
	{ "start", start_main, "[--verbose]",
	  "load the guard, or replace an older one" },
	{ "stop", stop_main, "[--now] [--forget]",
	  "end it; modes are kept for the next start" },
	{ "status", status_main, "[--json|--prometheus|--quiet | PATH...]",
	  "test whether it is active" },
	{ "set", set_main, "[--keep] " UTF8VAL_MODE_CHOICES " MOUNTPOINT...",
	  "change the mode of a mounted file system" },
	{ "enforce", enforce_main, "[--anyway] [--scan] [--once] MOUNTPOINT...",
	  "the same, after a scan, and kept" },
	{ "apply", apply_main, "[--dry-run] [--changed] [--json]",
	  "apply the modes of " POLICY_FILE },
	{ "log", log_main, "[--follow] [--json|--journal]",
	  "print what was refused, or would be by audit" },
};

#define SUBCOMMANDS (sizeof(subcommands) / sizeof(subcommands[0]))

void complain(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	fputs("utf8val-guard: ", stderr);
	vfprintf(stderr, format, list);
	fputc('\n', stderr);
	va_end(list);
}

void complain_text(const struct text *text)
{
	complain("%.*s", (int)text->len, text->bytes);
}

int complain_about(const char *path, const char *format, ...)
{
	text_auto name = { 0 };
	va_list list;

	text_safe(&name, path);
	fprintf(stderr, "utf8val-guard: %.*s: ", (int)name.len, name.bytes);
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fputc('\n', stderr);
	return -1;
}

/* The command line, for messages. */
static char **command_line;

bool is_root(void)
{
	text_auto text = { 0 };

	if (!geteuid())
		return true;
	text_puts(&text, "this needs root. Run: sudo utf8val-guard");
	for (char **arg = command_line + 1; *arg; arg++) {
		text_puts(&text, " ");
		text_shell(&text, *arg);
	}
	complain_text(&text);
	return false;
}

static void help(FILE *to)
{
	fputs("Usage: utf8val-guard COMMAND [ARGUMENT...]\n\n", to);
	for (size_t i = 0; i < SUBCOMMANDS; i++)
		fprintf(to, "  %-7s %-37s %s\n", subcommands[i].name,
			subcommands[i].args, subcommands[i].does);
	fputs("\nset and enforce also take the options of apply.\n"
	      "\nThe mount option utf8val=" UTF8VAL_MODE_CHOICES ", on a kernel that "
	      "was not built with\nit. Exit status: 0 if all is active, 1 if "
	      "not, 2 on errors, or if status\nis unknown.\n\nIf a machine does "
	      "not boot: share/doc/utf8val-guard/break-glass.md below /usr or\n"
	      "/usr/local.\n", to);
}

int usage_error(const char *subcommand)
{
	for (size_t i = 0; i < SUBCOMMANDS; i++) {
		if (!strcmp(subcommand, subcommands[i].name))
			complain("usage: utf8val-guard %s %s", subcommand, subcommands[i].args);
	}
	return STATUS_TROUBLE;
}

static bool is_help(const char *arg)
{
	return !strcmp(arg, "--help") || !strcmp(arg, "-h");
}

int main(int argc, char **argv)
{
	command_line = argv;
	if (argc < 2) {
		help(stderr);
		return STATUS_TROUBLE;
	}
	for (size_t i = 0; i < SUBCOMMANDS; i++) {
		int status;

		if (strcmp(argv[1], subcommands[i].name) != 0)
			continue;
		if (argc == 3 && is_help(argv[2])) {
			printf("Usage: utf8val-guard %s %s\n\n%s; see utf8val-guard(8)\n",
			       subcommands[i].name, subcommands[i].args, subcommands[i].does);
			return STATUS_GOOD;
		}
		status = subcommands[i].main(argv + 2);
		if (fflush(stdout) || ferror(stdout)) {
			complain("standard output cannot be written");
			return STATUS_TROUBLE;
		}
		return status;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts("utf8val-guard " UTF8VAL_VERSION);
	} else if (is_help(argv[1]) || !strcmp(argv[1], "help")) {
		help(stdout);
	} else {
		complain("unknown command. Run: utf8val-guard --help");
		return STATUS_TROUBLE;
	}
	return STATUS_GOOD;
}
