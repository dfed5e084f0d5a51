// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Changing fstab(5), whose lines are words between blanks, with bytes written
 * as \ooo and comments that begin with #.
 */
#include "mount/fstab.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/text.h"
#include "bpf/shared/mountinfo.h"

#define BLANKS " \t\n"

enum { SOURCE, POINT, TYPE, OPTIONS, FIELDS };

/*
 * Find where the fields of a line begin; false for a comment or a line of too few fields.
 */
static bool find_fields(const char *line, const char *at[FIELDS], size_t len[FIELDS])
{
	for (int i = 0; i < FIELDS; i++) {
		line += strspn(line, BLANKS);
		at[i] = line;
		len[i] = strcspn(line, BLANKS);
		line += len[i];
		if (!len[i] || *at[0] == '#')
			return false;
	}
	return true;
}

static bool is_point(const char *at, size_t len, const char *point)
{
	char *word = must(strndup(at, len));
	bool same;

	mountinfo_unescape(word);
	len = strlen(word);
	/* A slash at the end does not count, as in mount(8). */
	while (len > 1 && word[len - 1] == '/')
		word[--len] = '\0';
	same = !strcmp(word, point);
	free(word);
	return same;
}

/* Is an option one of these words? A value after the word does not count. */
static bool is_one_of(const char *option, size_t len, const char *const *words)
{
	for (; *words; words++) {
		size_t word = strlen(*words);

		if (len >= word && !strncmp(option, *words, word) &&
		    (len == word || option[word] == '='))
			return true;
	}
	return false;
}

/*
 * utf8val-guard-fstab.service applies x-utf8val= once, when the boot has mounted the file
 * systems without any of these options. A file system with one of them is mounted later,
 * or again by a user, so only the mount option itself reaches it. The same goes for what
 * systemd takes for network file systems by their type (systemd.mount(5)).
 */
static const char *const late[] = { "nofail", "noauto", "_netdev", "x-systemd.automount",
				    "user", "users", "owner", "group", NULL };
static const char *const network[] = { "nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "afs",
				       "gfs2", "ocfs2", "orangefs", "pvfs2", "glusterfs",
				       "lustre", "sshfs", "davfs", NULL };
static const char *const ours[] = { "utf8val", "x-utf8val", NULL };

/*
 * Add the options, with the mode enforce in place of options of ours. Returns whether it
 * is the mount option itself, as it is for all lines that are late.
 */
static bool add_options(struct text *text, const char *at, size_t len, bool is_late)
{
	const char *end = at + len;

	while (at < end) {
		size_t option = strcspn(at, "," BLANKS);

		is_late |= is_one_of(at, option, late);
		if (!is_one_of(at, option, ours)) {
			text_add(text, at, option);
			text_puts(text, ",");
		}
		at += option + 1;
	}
	text_puts(text, is_late ? "utf8val=enforce" : "x-utf8val=enforce");
	return is_late;
}

/*
 * Does mount(8) call a helper for this type that refuses options that it does not know?
 * Those of FUSE and mount.zfs do; those of NFS and SMB give them to the kernel.
 */
static bool has_strict_helper(const char *type, size_t len)
{
	static const char *const types[] = { "ntfs", "ntfs-3g", "lowntfs-3g", "zfs", "sshfs",
					     "glusterfs", "davfs", NULL };

	return !strncmp(type, "fuse", 4) || is_one_of(type, len, types);
}

/*
 * Is the driver of this type given all options of mount(2) as one string by this kernel? It
 * then takes every parameter from fsconfig(2), and refuses those that it does not know
 * later, if at all, as debugfs and ramfs do. mount(8) hands over a string before util-linux
 * 2.39, of which the guard's programs cannot take their option.
 */
static bool is_given_a_string(const char *type, size_t len)
{
	text_auto name = { 0 };
	bool takes_all;
	int fs;

	text_add(&name, type, len);
	text_add(&name, "", 1);
	fs = (int)syscall(SYS_fsopen, name.bytes, FSOPEN_CLOEXEC);
	if (fs < 0)
		return false;
	takes_all = !syscall(SYS_fsconfig, fs, FSCONFIG_SET_FLAG, "no option", NULL, 0);
	close(fs);
	return takes_all;
}

/* Why a line of this type cannot have the mount option, in a sentence; NULL: it can. */
static const char *refusal(const char *type, size_t len)
{
	if (has_strict_helper(type, len))
		return "mount(8)'s helper for this type takes x-utf8val= only, which comes "
		       "too early for what is mounted after the boot, or by a user: a "
		       "unit sets its mode";
	if (is_given_a_string(type, len))
		return "this kernel and mount(8) before util-linux 2.39 refuse utf8val= for "
		       "this type, and x-utf8val= comes too early for what is mounted "
		       "after the boot, or by a user: a unit sets its mode";
	return NULL;
}

static bool is_network(const char *type, size_t len)
{
	size_t fuse = strncmp(type, "fuse.", 5) ? 0 : 5;

	return is_one_of(type + fuse, len - fuse, network);
}

/*
 * Add the lines of the file, changed where they are of this mount point.
 * Returns the number of changed lines, or -1 when the file cannot be read; and sets @why
 * if a line cannot have the mount option that it would get, and @seen to what the file is
 * now.
 */
static int change_lines(struct text *text, const char *file, const char *point,
			const char **why, struct stat *seen)
{
	FILE *from = fopen(file, "re");
	const char *at[FIELDS];
	size_t len[FIELDS], room = 0;
	char *line = NULL;
	const char *rest;
	ssize_t got;
	int found = 0;
	bool good;

	if (!from)
		return -1;
	if (fstat(fileno(from), seen)) {
		fclose(from);
		return -1;
	}
	while ((got = getline(&line, &room, from)) > 0) {
		if (!find_fields(line, at, len) ||
		    !is_point(at[POINT], len[POINT], point)) {
			text_add(text, line, (size_t)got);
			continue;
		}
		found++;
		text_add(text, line, (size_t)(at[OPTIONS] - line));
		if (add_options(text, at[OPTIONS], len[OPTIONS],
				is_network(at[TYPE], len[TYPE])))
			*why = refusal(at[TYPE], len[TYPE]);
		rest = at[OPTIONS] + len[OPTIONS];
		text_add(text, rest, (size_t)(line + got - rest));
	}
	good = !ferror(from);
	free(line);
	fclose(from);
	return good ? found : -1;
}

/*
 * Replace a file by one of the same owner and mode that holds the text, unless the file
 * was changed since it was read.
 */
static bool replace(const char *file, const struct text *text, const struct stat *seen)
{
	text_auto name = { 0 };
	struct stat st;
	bool good = false;
	int fd;

	text_printf(&name, "%s.utf8val-XXXXXX", file);
	text_add(&name, "", 1);
	fd = mkostemp(name.bytes, O_CLOEXEC);
	if (fd >= 0) {
		/* what a write to a full disk leaves out is no error of the call */
		errno = ENOSPC;
		good = write(fd, text->bytes, text->len) == (ssize_t)text->len &&
		       !fchown(fd, seen->st_uid, seen->st_gid) &&
		       !fchmod(fd, seen->st_mode & 07777) && !fsync(fd);
		good = !close(fd) && good && !stat(file, &st);
		if (good && (st.st_ino != seen->st_ino || st.st_size != seen->st_size ||
			     st.st_mtim.tv_sec != seen->st_mtim.tv_sec ||
			     st.st_mtim.tv_nsec != seen->st_mtim.tv_nsec)) {
			errno = ESTALE;
			good = false;
		}
		good = good && !rename(name.bytes, file);
		if (!good) {
			int error = errno;

			unlink(name.bytes);
			errno = error;
		}
	}
	return good;
}

bool fstab_enforce(const char *file, const char *point)
{
	/* A symbolic link stays a link: the file that it leads to is replaced. */
	char *real = realpath(file, NULL);
	text_auto text = { 0 };
	const char *why = NULL;
	struct stat seen;
	int found = real ? change_lines(&text, real, point, &why, &seen) : -1;
	bool good;

	if (found == 0)
		why = "it has no line for this mount point";
	else if (found > 1)
		why = "it has more than one line for this mount point";
	else if (!strcmp(point, "/usr"))
		why = "the initramfs mounts /usr, and would stop at the option: a unit "
		      "sets its mode";
	good = found == 1 && !why && replace(real, &text, &seen);
	if (!good && !why && errno == ESTALE)
		why = "somebody else has changed it meanwhile; run this again";
	if (found < 0 || (!why && !good))
		complain_errno(file, strlen(file), errno);
	else if (why)
		complain(file, strlen(file), "not changed: %s", why);
	free(real);
	return good;
}
