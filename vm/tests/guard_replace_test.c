// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Programs that replace files. A file with a bad name and a file with a good name both
 * exist before and after, with the new contents after. Where a program cannot do its
 * work because of enforce, the file is still there. vm/run.py runs this in a virtual
 * machine.
 *
 * Runs as root, started with FS=none, --guard, and the programs in /bin.
 */
#include "command.h"
#include "fs.h"
#include "tap.h"

/* Each command starts in /r, which has the new files in src and the old files in dir. */
static const struct replacement {
	const char *program;
	const char *before;	/* run while the mode is off */
	const char *command;
} replacements[] = {
	{ "tar", "tar -C src -cf a.tar .", "tar -C dir -xf a.tar" },
	{ "tar -U", NULL, "tar -C dir -U -xf a.tar" },
	{ "tar --recursive-unlink", NULL, "tar -C dir --recursive-unlink -xf a.tar" },
	{ "bsdtar", NULL, "bsdtar -C dir -xf a.tar" },
	{ "7z x -aoa", "cd src; 7z a ../a.7z . >/dev/null",
	  "cd dir; 7z x -aoa ../a.7z >/dev/null" },
	{ "cpio -idu", "cd src; find . | cpio -o --quiet >../a.cpio",
	  "cd dir; cpio -idu --quiet <../a.cpio" },
	{ "cp --remove-destination", NULL,
	  "cp --remove-destination src/* dir" },
	{ "cp -f --remove-destination -a", NULL,
	  "cp -a --remove-destination src/. dir" },
	{ "install", NULL, "install src/* dir" },
	{ "mv from elsewhere", "cp -r src /elsewhere", "mv -f /elsewhere/* dir" },
	{ "git checkout -f",
	  "cd dir; git init -q; cp ../src/* .; git add .; git commit -qm new; "
	  "echo old >good; for f in bad*; do echo old >\"$f\"; done",
	  "cd dir; git checkout -f -q -- ." },
	{ "git stash",
	  "cd dir; git init -q; cp ../src/* .; git add .; git commit -qm new; "
	  "echo old >good; for f in bad*; do echo old >\"$f\"; done",
	  "cd dir; git stash -q" },
};

static int become_shell(const char *command)
{
	dup2(STDOUT_FILENO, STDERR_FILENO);
	execl("/bin/sh", "sh", "-c", command, NULL);
	return -errno;
}

static int shell(const char *command)
{
	return by_child(0, become_shell, command);
}

static void fill(const char *dir, const char *text)
{
	const char *const paths[] = { text_of("%s/good", dir), text_of("%s/" BAD, dir) };

	mkdir(dir, 0755);
	for (int i = 0; i < 2; i++) {
		do_create(paths[i]);
		put(paths[i], text);
	}
}

static void replace(const struct replacement *one, const char *mode)
{
	int status;

	mount_tmpfs("/r", "");
	go("/r");
	fill("src", "new\n");
	fill("dir", "old\n");
	shell("tar -C src -cf a.tar .");
	if (one->before)
		tap_is(shell(one->before), 0, "%s: made ready", one->program);
	do_remount("/r", text_of("utf8val=%s", mode));
	status = shell(one->command);
	tap_is(status, 0, "%s, %s: succeeds", one->program, mode);
	tap(!strcmp(contents("dir/good"), "new\n"),
	    "%s, %s: the file with a good name is replaced", one->program, mode);
	tap(there("dir/" BAD), "%s, %s: the other is there", one->program, mode);
	tap(!strcmp(contents("dir/" BAD), "new\n"), "%s, %s: and replaced",
	    one->program, mode);
	go("/");
	shell("rm -rf /elsewhere");
	umount("/r");
}

int main(void)
{
	setenv("PATH", "/bin:/usr/bin", 1);
	setenv("HOME", "/", 1);
	setenv("GIT_AUTHOR_NAME", "a", 1);
	setenv("GIT_AUTHOR_EMAIL", "a", 1);
	setenv("GIT_COMMITTER_NAME", "a", 1);
	setenv("GIT_COMMITTER_EMAIL", "a", 1);
	for (size_t i = 0; i < sizeof(replacements) / sizeof(*replacements); i++) {
		replace(&replacements[i], "off");
		replace(&replacements[i], "enforce");
	}
	return tap_end();
}
