// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * make demo: what a mount with utf8val= does to real file names. Every name is
 * brought into a directory by one operation, on three mounts, and the outcome
 * compared with the promised one:
 *
 *   good names   made everywhere
 *   bad names    EILSEQ on the two that enforce, made on the one that audits
 *
 * Names come one a line from /names.packages and /names.multilingual; a line
 * that begins with # is a comment.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "names.h"

struct guarded {
	const char *path, *type, *device, *options;
	bool enforce;
};

static const struct guarded mounts[] = {
	{ "/tmpfs", "tmpfs", "none", "utf8val=enforce", true },
	{ "/ext4", "ext4", "/dev/vda", "utf8val=enforce", true },
	{ "/audit", "tmpfs", "none", "utf8val=audit", false },
};

/* Bring a name into the working directory: 0 or -errno. */
static int do_create(const char *name)
{
	int fd = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);

	return fd < 0 ? -errno : close(fd);
}

static int do_mkdir(const char *name)
{
	return mkdir(name, 0755) ? -errno : 0;
}

static int do_symlink(const char *name)
{
	return symlink("anywhere", name) ? -errno : 0;
}

static int do_mknod(const char *name)
{
	return mknod(name, S_IFIFO | 0644, makedev(0, 0)) ? -errno : 0;
}

static int do_link(const char *name)
{
	return link("seed", name) ? -errno : 0;
}

static int do_rename(const char *name)
{
	if (do_create("moving") && errno != EEXIST)
		return -errno;
	return rename("moving", name) ? -errno : 0;
}

static const struct {
	const char *name;
	int (*run)(const char *name);
} operations[] = {
	{ "create", do_create }, { "mkdir", do_mkdir },
	{ "symlink", do_symlink }, { "mknod", do_mknod },
	{ "link", do_link }, { "rename", do_rename },
};

static unsigned int made, refused, surprises;

/* Printable ASCII as it is, any other byte as \xNN, cut to the column. */
static void print_name(const char *name, int width)
{
	int used = 0;

	for (; *name; name++) {
		unsigned char byte = (unsigned char)*name;
		bool plain = byte >= 0x20 && byte < 0x7F && byte != '\\';

		if (used + (plain ? 1 : 4) > width - (name[1] ? 3 : 0)) {
			used += printf("...");
			break;
		}
		used += plain ? printf("%c", byte) : printf("\\x%02X", byte);
	}
	printf("%*s", width - used, "");
}

static void remove_name(const char *name)
{
	if (unlink(name) && errno == EISDIR)
		rmdir(name);
}

static void try_name(const char *name, const char *kind, bool good, size_t op)
{
	print_name(name, 46);
	printf("  %-28s  %-7s", kind, operations[op].name);
	for (size_t i = 0; i < ARRAY_SIZE(mounts); i++) {
		int want = good || !mounts[i].enforce ? 0 : -EILSEQ;
		int got;

		if (chdir(mounts[i].path)) {
			perror(mounts[i].path);
			exit(1);
		}
		got = operations[op].run(name);
		printf("  %-7s", !got ? "made" : strerrorname_np(-got));
		if (!got) {
			made++;
			remove_name(name);
		}
		refused += got == -EILSEQ;
		if (got != want) {
			surprises++;
			printf(" UNEXPECTED");
		}
	}
	printf("\n");
}

static void try_file(const char *path, const char *kind)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;
	size_t op = 0;
	ssize_t len;

	if (!file) {
		perror(path);
		exit(1);
	}
	while ((len = getline(&line, &size, file)) > 0) {
		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		if (line[0] == '#')
			continue;
		try_name(line, kind, true, op++ % ARRAY_SIZE(operations));
	}
	free(line);
	fclose(file);
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(mounts); i++) {
		const struct guarded *m = &mounts[i];

		mkdir(m->path, 0755);
		if (mount(m->device, m->path, m->type, 0, m->options) ||
		    chdir(m->path) || do_create("seed")) {
			perror(m->path);
			return 1;
		}
		printf("mounted %s on %s with %s\n", m->type, m->path,
		       m->options);
	}
	printf("\n%-46s  %-28s  %-7s  %-7s  %-7s  %-7s\n", "name", "kind",
	       "by", "tmpfs", "ext4", "audited");
	try_file("/names.packages", "from a package");
	try_file("/names.multilingual", "multilingual");
	for (size_t i = 0; i < BAD_NAMES; i++)
		for (size_t op = 0; op < ARRAY_SIZE(operations); op++)
			try_name(bad_names[i].bytes, bad_names[i].kind, false,
				 op);
	printf("\n%u made, %u refused with EILSEQ, %u not as promised\n", made,
	       refused, surprises);
	return surprises || !made || !refused;
}
