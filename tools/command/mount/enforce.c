// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val guard enforce. Programs that replace a file by removing it first
 * would lose a file with a bad name, because the name is refused when the file
 * is made again. So bad names are looked for before the mount is enforced.
 */
#include "base/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/option.h"
#include "base/text.h"
#include "mount/fstab.h"
#include "mount/guard_marks.h"
#include "mount/mounts.h"

/*
 * Run utf8val scan --summary over all files that this mount shows; returns its
 * exit status.
 */
static int scan_names(char *point)
{
	char *argv[5] = { "utf8val scan", "--summary", "--", point, NULL };
	int status;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child) {
		status = scan_main(4, argv);
		_exit(text_finish() ? status : STATUS_TROUBLE);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return STATUS_TROUBLE;
	return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_TROUBLE;
}

static void descriptor_path(struct text *path, int descriptor)
{
	text_printf(path, "/proc/self/fd/%d", descriptor);
	text_add(path, "", 1);
}

/*
 * Have the guard enforce by a descriptor, which holds the mount: while its names were
 * looked at, something else may have come to lie at its path.
 */
static int set_enforce(int mount)
{
	char *argv[5] = { "utf8val-guard", "set", "enforce", NULL, NULL };
	text_auto path = { 0 };
	int status;

	descriptor_path(&path, mount);
	argv[3] = path.bytes;
	status = guard_run(argv, false);
	return status > STATUS_TROUBLE ? STATUS_TROUBLE : status;
}

/* Warn of names that the scan of this mount cannot see. */
static void warn_of_part(const struct mount_entry *entry)
{
	if (strcmp(entry->root, "/") != 0)
		complain(entry->point, strlen(entry->point), "this mount shows a "
			 "part of its file system; the mode is for all of it, "
			 "also for names that are not looked at here");
}

/*
 * The mount of this mount point. Otherwise NULL, after a complaint: a directory may stand
 * where nothing is mounted, as with nofail, and be on the root; and a mount may lie over
 * another that is somebody's working directory. Sets @mount to a descriptor of the mount.
 */
static const struct mount_entry *find_reachable(const struct mounts *mounts,
						const char *path, int *mount)
{
	const struct mount_entry *entry = mounts_find(mounts, path);
	const struct mount_entry *there = entry ? mounts_find(mounts, entry->point) : NULL;
	char *real = there ? realpath(path, NULL) : NULL;
	const bool good = real && there == entry && !strcmp(real, entry->point);
	text_auto point = { 0 }, held = { 0 };

	if (there && there != entry) {
		complain(path, strlen(path), "not enforced, as another mount lies over "
			 "the one that it is on");
	} else if (there && !good) {
		text_shell(&point, entry->point);
		text_add(&point, "", 1);
		complain(path, strlen(path), "not enforced, as it is no mount point: the "
			 "mode would be for all of %s", point.bytes);
	}
	free(real);
	if (!good)
		return NULL;
	/* not closed on exec: set_enforce() hands it to the guard */
	*mount = open(path, O_PATH);
	if (*mount < 0) {
		complain_errno(path, strlen(path), errno);
		return NULL;
	}
	descriptor_path(&held, *mount);
	if (mounts_find(mounts, held.bytes) == entry)
		return entry;
	complain(path, strlen(path), "not enforced, as something else is mounted there now");
	close(*mount);
	return NULL;
}

/*
 * Do the names on this mount allow enforcing? Returns STATUS_GOOD if so; otherwise another
 * exit status, after a complaint that says what to do.
 */
static int names_allow(const struct mounts *mounts, const struct mount_entry *entry,
		       bool anyway)
{
	text_auto point = { 0 };
	int status = scan_names(entry->point);

	/* something else may have been mounted over it, and been read instead */
	if (mounts_find(mounts, entry->point) != entry) {
		complain(entry->point, strlen(entry->point),
			 "not enforced, as something else is mounted there now");
		return STATUS_TROUBLE;
	}
	if (status == STATUS_GOOD || (status == STATUS_BAD && anyway))
		return STATUS_GOOD;
	text_shell(&point, entry->point);
	text_add(&point, "", 1);
	if (status == STATUS_BAD)
		complain(entry->point, strlen(entry->point), "not enforced: "
			 "some programs that replace a file by removing it first "
			 "would lose those with bad names. Next: utf8val fix %s; "
			 "then the same again, or with --anyway", point.bytes);
	else
		complain(entry->point, strlen(entry->point), "not enforced, as "
			 "not all of its names could be read; where they only "
			 "changed meanwhile, run the same again");
	return status;
}

/*
 * Warn where systemd does not start the guard at boot: mount(8) takes x-utf8val= without
 * a guard, and nothing would tell that no name is checked.
 */
static void warn_of_boot(void)
{
	if (!access("/run/systemd/system", F_OK) &&
	    access("/etc/systemd/system/sysinit.target.wants/utf8val-guard.service", F_OK))
		complain(NULL, 0, "the guard does not start at boot, so that the line in "
			 "fstab has no effect then; next: systemctl enable utf8val-guard");
}

int enforce_main(int argc, char **argv)
{
	const char *fstab = "/etc/fstab";
	bool anyway = false, write_fstab = false, written = false;
	const struct command_option options[] = {
		{ 0, "anyway", NULL, "Enforce although there are bad names",
		  .flag = &anyway },
		{ 0, "fstab", "FILE",
		  "Also write the option into the line of the mount point in "
		  "this file (/etc/fstab)",
		  .optional = true, .flag = &write_fstab, .string = &fstab },
		{ 0 },
	};
	const struct usage usage = {
		.operands = "MOUNTPOINT...",
		.does = "Look for names that are not UTF-8 on the file system "
			"that is mounted there, and if there are none have the "
			"guard enforce UTF-8 there.",
		.statuses = "0 if each is enforced, 1 if one has bad "
			    "names or the guard is not in force, 2 on errors.",
		.options = options,
	};
	char **paths = argv + options_parse(argc, argv, &usage);
	struct guard_marks none = { 0 };
	struct mounts mounts = { 0 };
	int status = STATUS_GOOD;

	if (!*paths) {
		complain(NULL, 0, "guard enforce needs a mount point");
		return STATUS_TROUBLE;
	}
	if (!mounts_read(&mounts, "", &none))
		return STATUS_TROUBLE;
	for (; *paths; paths++) {
		int mount, result = STATUS_TROUBLE;
		const struct mount_entry *entry = find_reachable(&mounts, *paths, &mount);

		if (entry) {
			warn_of_part(entry);
			result = names_allow(&mounts, entry, anyway);
			if (result == STATUS_GOOD) {
				result = set_enforce(mount);
				if (result != STATUS_GOOD)
					complain(entry->point, strlen(entry->point),
						 "not enforced");
			}
			close(mount);
			if (result == STATUS_GOOD && write_fstab) {
				if (fstab_enforce(fstab, entry->point))
					written = true;
				else
					result = STATUS_TROUBLE;
			}
		}
		if (result > status)
			status = result;
	}
	if (written)
		warn_of_boot();
	return status;
}
