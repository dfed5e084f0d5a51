// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Try to make ill-formed names in the working directory, from two tasks, until
 * standard input ends. Prints how many names were tried and how many were made,
 * which has to be none while the directory is guarded.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct counts {
	unsigned long tried, made, other;
};

/* The attempts of one task; each gives EILSEQ, a file, or another error. */
static void hammer(int task, struct counts *counts)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	char name[32];

	while (!poll(&input, 1, 0)) {
		int fd;

		snprintf(name, sizeof(name), "caf\xE9-%d-%lu", task, counts->tried++);
		fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0644);
		if (fd >= 0) {
			counts->made++;
			close(fd);
			unlink(name);
		} else if (errno != EILSEQ) {
			counts->other++;
		}
	}
}

int main(void)
{
	struct counts *counts = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (counts == MAP_FAILED)
		return 1;
	for (int task = 0; task < 2; task++) {
		pid_t child = fork();

		if (child < 0)
			return 1;
		if (!child) {
			hammer(task, &counts[task]);
			return 0;
		}
	}
	while (wait(NULL) > 0)
		;
	printf("%lu tried, %lu made, %lu other errors\n",
	       counts[0].tried + counts[1].tried, counts[0].made + counts[1].made,
	       counts[0].other + counts[1].other);
	return 0;
}
