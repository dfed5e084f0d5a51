// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val: checks, scans, repairs and explains UTF-8 on a host. The main function finds
 * the subcommand.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/commands.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "utf8val.h"

static const struct subcommand {
	const char *name;
	int (*main)(int argc, char **argv);
	const char *does;
} subcommands[] = {
	{ "check", check_main, "is this text UTF-8? if not, where and why?" },
	{ "scan", scan_main, "find names that are not UTF-8" },
	{ "summary", summary_main, "count what several scans have found, in one table" },
	{ "fix", fix_main, "rename them" },
	{ "undo", undo_main, "restore the names that fix has changed" },
	{ "journal", journal_main, "list what fix has done, for undoing it" },
	{ "trace", trace_main, "show the automaton at work, byte by byte" },
	{ "show", show_main, "show code points, their bytes and other forms" },
};

#define SUBCOMMANDS (sizeof(subcommands) / sizeof(subcommands[0]))

static void help(FILE *to)
{
	fputs("Usage: utf8val COMMAND [OPTION...] [ARGUMENT...]\n\n", to);
	for (size_t i = 0; i < SUBCOMMANDS; i++)
		fprintf(to, "  %-7s %s\n", subcommands[i].name, subcommands[i].does);
	fputs("\nFor more: utf8val COMMAND --help. Exit status: 0 if all is "
	      "well-formed,\n1 if something is not, 2 on errors.\n", to);
}

static int run(const struct subcommand *subcommand, int argc, char **argv)
{
	static char name[32];
	int status;

	snprintf(name, sizeof(name), "utf8val %s", subcommand->name);
	argv[0] = name;
	status = subcommand->main(argc, argv);
	if (!text_finish())
		status = STATUS_TROUBLE;
	if (interrupted) {
		/* the shell must see that a signal ended this */
		signal(interrupted, SIG_DFL);
		raise(interrupted);
	}
	return status;
}

/*
 * A file that is opened must not become standard output because that is closed: a
 * journal would have the results in it. A descriptor that is opened here instead fails
 * when it is used.
 */
static void open_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
	}
}

int main(int argc, char **argv)
{
	open_standard_streams();
	text_init();
	if (argc < 2) {
		help(stderr);
		return STATUS_TROUBLE;
	}
	/* "help scan" is "scan --help" */
	if (argc > 2 && !strcmp(argv[1], "help")) {
		argv[1] = argv[2];
		argv[2] = "--help";
		argc = 3;
	}
	for (size_t i = 0; i < SUBCOMMANDS; i++) {
		if (!strcmp(argv[1], subcommands[i].name))
			return run(&subcommands[i], argc - 1, argv + 1);
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts("utf8val " UTF8VAL_VERSION);
	} else if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
		   !strcmp(argv[1], "help")) {
		help(stdout);
	} else {
		complain(argv[1], strlen(argv[1]), "unknown command. Run: utf8val --help");
		return STATUS_TROUBLE;
	}
	return text_finish() ? STATUS_GOOD : STATUS_TROUBLE;
}
