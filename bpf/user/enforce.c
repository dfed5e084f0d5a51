// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val-guard enforce: looks for names that are not UTF-8; if there are none, it sets the
 * mode and writes its line. main.c calls it. A program that removes a file and creates it
 * again, by another thread or process, would lose a file with such a name.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guard_command.h"
#include "active.h"
#include "mount_table.h"
#include "set.h"
#include "superblocks.h"

#define SCAN_MISSING 127

/* Run utf8val scan --summary. Returns: its exit status, SCAN_MISSING: there is no utf8val. */
static int scan(const char *path)
{
	int status;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child) {
		/* what it prints is no part of what this command prints */
		dup2(STDERR_FILENO, STDOUT_FILENO);
		execlp("utf8val", "utf8val", "scan", "--summary", "--", path, (char *)NULL);
		_exit(errno == ENOENT ? SCAN_MISSING : STATUS_TROUBLE);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return STATUS_TROUBLE;
	return WEXITSTATUS(status);
}

/* Complain that a file system is not enforced. */
static int not_enforced(const char *path, int status, const char *why)
{
	complain_about(path, "not enforced: %s", why);
	return status;
}

/* Do the names below this mount point allow to enforce? If not, it has complained. */
static int names_allow(const char *path, int fd)
{
	int status = scan(path), again = open_path(path);
	bool same = again >= 0 && mount_of(again) == mount_of(fd);
	text_auto word = { 0 };

	if (again >= 0)
		close(again);
	if (!same)
		return not_enforced(path, STATUS_TROUBLE, "something else is mounted there now");
	if (status == SCAN_MISSING)
		return not_enforced(path, STATUS_TROUBLE, "utf8val is not installed, the command "
				    "that lists bad names. Install it, or give --anyway");
	if (status == STATUS_TROUBLE)
		return not_enforced(path, status, "not all names could be read. If they only "
				    "changed meanwhile, run the same command again");
	if (status != STATUS_BAD)
		return status;
	not_enforced(path, status, "there are bad names, and a program that removes a file and "
		     "creates it again may lose one");
	text_shell(&word, path);
	complain("Run: utf8val fix --apply %.*s", (int)word.len, word.bytes);
	complain("for what is left, run: utf8val fix --apply --rest=escape %.*s", (int)word.len,
		 word.bytes);
	complain("then run the same command again, or add --anyway");
	return status;
}

/* Names outside of what this mount shows are not looked at, but are enforced as well. */
static void warn_of_part(const char *path, int fd)
{
	struct mount_table table = { 0 };
	unsigned long long id = mount_of(fd);

	while (mount_table_next(&table)) {
		if (table.mount.id == id && strcmp(table.mount.root, "/") != 0)
			complain_about(path, "this mount shows a part of its file system; the "
				       "mode is for all of it, also for names that are not "
				       "looked at here");
	}
}

static bool is_enforced(int fd)
{
	struct guard_seen *list;
	long count = superblocks_walk(GUARD_WALK_LOOK, -1, &list);
	const struct guard_seen *seen = superblock_of(fd, list, count);
	bool enforced = seen && mode_refuses(seen->mode);

	free(list);
	return enforced;
}

int enforce_main(char **args)
{
	struct report_options options = { 0 };
	bool anyway = false, always = false, keep = true, wrong = false;
	int status = STATUS_GOOD, result;
	struct target *targets;
	size_t good = 0;

	for (; *args && !strncmp(*args, "--", 2); args++) {
		if (!strcmp(*args, "--anyway")) {
			anyway = true;
		} else if (!strcmp(*args, "--scan")) {
			always = true;
		} else if (!strcmp(*args, "--once")) {
			keep = false;
		} else if (!report_option(*args, &options)) {
			wrong = true;
			break;
		}
	}
	if (wrong || !*args)
		return usage_error("enforce");
	for (size_t i = 0; args[i]; i++)
		good++;
	targets = calloc(good, sizeof(*targets));
	if (!targets || !is_root())
		return STATUS_TROUBLE;
	/* a scan may take hours, so what would fail after it is tried before */
	result = (int)guard_active_needed("enforce", false);
	if (result != STATUS_GOOD)
		return result;
	good = 0;
	for (size_t i = 0; args[i]; i++) {
		int fd = open_mount_point(args[i], "enforce");

		result = fd < 0 ? STATUS_TROUBLE : STATUS_GOOD;
		if (fd >= 0 && !anyway && (always || !is_enforced(fd))) {
			warn_of_part(args[i], fd);
			result = names_allow(args[i], fd);
		}
		/* the file holds what was looked at, while the path may be another's by now */
		if (result == STATUS_GOOD)
			targets[good++] = (struct target){ args[i], fd };
		else if (result > status)
			status = result;
	}
	result = good ? set_modes(targets, good, GUARD_ENFORCE, keep, &options) : status;
	free(targets);
	return status == STATUS_GOOD ? result : status;
}
