// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The guard where the kernel cannot have it: the command fails, says why, and
 * leaves nothing behind. The argument is what it has to say.
 *
 * Runs as root, started with FS=none; the command is /utf8val-guard.
 */
#include <dirent.h>
#include <sys/wait.h>

#include "fs.h"
#include "tap.h"

#define BPFFS "/sys/fs/bpf"

static char said[4096];

/* Run the command; its exit status. */
static int run(const char *verb)
{
	size_t len = 0;
	ssize_t got;
	int ends[2], status;
	pid_t child;

	if (pipe(ends))
		return -1;
	child = fork();
	if (child < 0)
		return -1;
	if (!child) {
		dup2(ends[1], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		execl("/utf8val-guard", "utf8val-guard", verb, NULL);
		_exit(127);
	}
	close(ends[1]);
	while (len < sizeof(said) - 1 &&
	       (got = read(ends[0], said + len, sizeof(said) - 1 - len)) > 0)
		len += (size_t)got;
	said[len] = '\0';
	close(ends[0]);
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static unsigned int pinned(void)
{
	unsigned int count = 0;
	struct dirent *entry;
	DIR *dir = opendir(BPFFS);

	while (dir && (entry = readdir(dir)))
		count += entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return count;
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: guard_refused_test TEXT\n");
		return 2;
	}
	tap_is(do_mount("bpf", "bpf", BPFFS, ""), 0, "a bpffs is mounted");
	tap_is(run("start"), 2, "start fails");
	for (char *line = strtok(strdup(said), "\n"); line;
	     line = strtok(NULL, "\n"))
		printf("# %s\n", line);
	tap(strstr(said, argv[1]), "it says \"%s\"", argv[1]);
	tap_is(pinned(), 0, "nothing is pinned");
	tap_is(do_mount("tmpfs", "none", "/t", "utf8val=enforce"), -EINVAL,
	       "the option is refused");
	tap_is(run("status"), 1, "status says that nothing is in force");
	return tap_end();
}
