// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* utf8val mount: what the kernel enforces here. */
#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "guard.h"
#include "options.h"
#include "text.h"

#define LSM_LIST "/sys/kernel/security/lsm"
#define STATE_DIR "/sys/kernel/security/utf8val/"
#define MOUNTS "/proc/self/mountinfo"

struct mount_entry {
	unsigned long long id;
	char *point;
	char *fstype;
	char *mode;	/* NULL: no utf8val= among its options */
	unsigned int major, minor;
};

struct mounts {
	struct mount_entry *entries;
	size_t count;
};

struct mount_query {
	const char *root;	/* where /proc and /sys are */
	bool all, stats, json;
	struct guard_marks guard;
	bool guarded;	/* by utf8val-guard, not by the LSM */
};

/* Open PATH below the root; complain only of what is not simply absent. */
static FILE *open_file(const struct mount_query *query, const char *path,
		       int *error)
{
	char *full;
	FILE *file;

	if (asprintf(&full, "%s%s", query->root, path) < 0)
		full = NULL;
	file = fopen(must(full), "re");
	*error = file ? 0 : errno;
	free(full);
	return file;
}

/* /proc writes a space, tab, newline or backslash in a path as \ooo. */
static void unescape(char *s)
{
	char *to = s;

	while (*s) {
		if (s[0] == '\\' && strspn(s + 1, "01234567") >= 3) {
			*to++ = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 |
				       (s[3] - '0'));
			s += 4;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
}

/* The value of utf8val= among options separated by commas. */
static char *find_mode(const char *options)
{
	static const char key[] = "utf8val=";

	for (const char *at = options; at;
	     at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		if (!strncmp(at, key, sizeof(key) - 1)) {
			at += sizeof(key) - 1;
			return must(strndup(at, strcspn(at, ",")));
		}
	}
	return NULL;
}

/*
 * One line: "36 35 98:0 /root /point options optional... - fstype source
 * super-options" (proc(5)).
 */
static bool parse_mount(char *line, struct mount_entry *entry)
{
	char *rest = line, *fields[6], *fstype, *super;

	for (size_t i = 0; i < 6; i++) {
		fields[i] = strsep(&rest, " ");
		if (!rest)
			return false;
	}
	do {
		fstype = strsep(&rest, " ");
		if (!rest)
			return false;
	} while (strcmp(fstype, "-") != 0);
	fstype = strsep(&rest, " ");
	strsep(&rest, " ");
	super = rest;
	if (!super)
		return false;
	super[strcspn(super, "\n")] = '\0';
	if (sscanf(fields[2], "%u:%u", &entry->major, &entry->minor) != 2)
		return false;
	unescape(fields[4]);
	entry->id = strtoull(fields[0], NULL, 10);
	entry->point = must(strdup(fields[4]));
	entry->fstype = must(strdup(fstype));
	entry->mode = find_mode(super);
	return true;
}

static bool read_mounts(const struct mount_query *query, struct mounts *mounts)
{
	char *line = NULL;
	size_t room = 0, slots = 0;
	int error;
	FILE *file = open_file(query, MOUNTS, &error);

	if (!file) {
		complain_errno(MOUNTS, strlen(MOUNTS), error);
		return false;
	}
	while (getline(&line, &room, file) > 0) {
		if (mounts->count == slots) {
			slots = slots ? 2 * slots : 64;
			mounts->entries = must(reallocarray(
				mounts->entries, slots,
				sizeof(*mounts->entries)));
		}
		struct mount_entry *entry = &mounts->entries[mounts->count];
		const char *mode;

		if (!parse_mount(line, entry))
			continue;
		mounts->count++;
		mode = guard_mode(&query->guard, entry->major, entry->minor);
		if (mode && !entry->mode)
			entry->mode = must(strdup(mode));
	}
	free(line);
	fclose(file);
	return true;
}

/* A whole small file without its last newline; NULL when it is not there. */
static char *read_line(const struct mount_query *query, const char *path,
		       int *error)
{
	FILE *file = open_file(query, path, error);
	char *line = NULL;
	size_t room = 0;

	if (!file)
		return NULL;
	if (getline(&line, &room, file) < 0) {
		free(line);
		line = NULL;
	} else {
		line[strcspn(line, "\n")] = '\0';
	}
	fclose(file);
	return line;
}

static bool in_list(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL) {
		if (!strncmp(list, word, len) && (!list[len] ||
						  list[len] == ','))
			return true;
	}
	return false;
}

/* Say whether the kernel has the LSM; an exit status. */
static int print_kernel(struct mount_query *query)
{
	struct text line = { 0 };
	int status = STATUS_GOOD;
	int error;
	char *list = read_line(query, LSM_LIST, &error);

	/* another system's files say nothing of maps */
	query->guarded = !*query->root && guard_read(&query->guard);
	if (query->json) {
		text_printf(&line, "{\"kernel\":\"%s\"}\n",
			    query->guarded ? "guard" :
			    list && in_list(list, "utf8val") ? "module" :
							       "none");
		status = query->guarded || (list && in_list(list, "utf8val")) ?
			 STATUS_GOOD : STATUS_BAD;
		goto out;
	}
	if (query->guarded) {
		text_puts(&line, "kernel: utf8val-guard is in force\n");
		goto out;
	}
	if (!list) {
		complain(LSM_LIST, strlen(LSM_LIST), "%s; is securityfs "
			 "mounted?", strerror(error));
		return STATUS_TROUBLE;
	}
	if (in_list(list, "utf8val")) {
		char *version = read_line(query, STATE_DIR "version", &error);

		text_puts(&line, "kernel: the utf8val LSM is active");
		if (version) {
			text_puts(&line, ", version ");
			text_escape(&line, version, strlen(version));
		}
		text_puts(&line, "\n");
		free(version);
	} else {
		text_puts(&line, "kernel: no utf8val LSM; nothing is enforced "
				 "here, whatever a mount says (active: ");
		text_escape(&line, list, strlen(list));
		text_puts(&line, ")\n");
		status = STATUS_BAD;
	}
out:
	text_emit(&line);
	text_free(&line);
	free(list);
	return status;
}

static void print_file(const struct mount_query *query, const char *name)
{
	struct text path = { 0 }, line = { 0 };
	char *from = NULL;
	size_t room = 0;
	ssize_t len;
	FILE *file;
	int error;

	text_puts(&path, STATE_DIR);
	text_add(&path, name, strlen(name) + 1);
	file = open_file(query, path.bytes, &error);
	if (!file) {
		complain_errno(path.bytes, path.len - 1, error);
		text_free(&path);
		return;
	}
	text_printf(&line, "%s:\n", name);
	while ((len = getline(&from, &room, file)) > 0) {
		text_puts(&line, "  ");
		len -= from[len - 1] == '\n';
		text_escape(&line, from, (size_t)len);
		text_puts(&line, "\n");
	}
	text_emit(&line);
	text_free(&line);
	text_free(&path);
	free(from);
	fclose(file);
}

static void print_mount_json(const struct mount_entry *entry,
			     const char *path)
{
	const char *mode = entry->mode ? entry->mode : "unchecked";
	struct text line = { 0 };

	text_puts(&line, "{\"mode\":");
	text_json_string(&line, mode, strlen(mode));
	text_puts(&line, ",\"type\":");
	text_json_string(&line, entry->fstype, strlen(entry->fstype));
	text_puts(&line, ",\"point\":");
	text_json(&line, entry->point, strlen(entry->point));
	if (path) {
		text_puts(&line, ",\"path\":");
		text_json(&line, path, strlen(path));
	}
	text_puts(&line, "}\n");
	text_emit(&line);
	text_free(&line);
}

static void print_mount(const struct mount_query *query,
			const struct mount_entry *entry, const char *path)
{
	const struct colours *c = colours();
	const char *mode = entry->mode ? entry->mode : "unchecked";
	struct text line = { 0 };

	if (query->json) {
		print_mount_json(entry, path);
		return;
	}
	text_printf(&line, "%s", entry->mode ? c->good : c->bad);
	text_escape(&line, mode, strlen(mode));
	text_printf(&line, "%s\t", c->off);
	text_escape(&line, entry->fstype, strlen(entry->fstype));
	text_puts(&line, "\t");
	text_escape(&line, entry->point, strlen(entry->point));
	if (path) {
		text_puts(&line, "\t");
		text_escape(&line, path, strlen(path));
	}
	text_puts(&line, "\n");
	text_emit(&line);
	text_free(&line);
}

/* The mount that a path is on; the last one on top of others of that id. */
static const struct mount_entry *find_mount(const struct mounts *mounts,
					    const char *path)
{
	struct statx st;

	if (statx(AT_FDCWD, path, 0, STATX_MNT_ID, &st)) {
		complain_errno(path, strlen(path), errno);
		return NULL;
	}
	for (size_t i = 0; st.stx_mask & STATX_MNT_ID && i < mounts->count;
	     i++) {
		if (mounts->entries[i].id == st.stx_mnt_id)
			return &mounts->entries[i];
	}
	complain(path, strlen(path), "its mount is not among those in " MOUNTS);
	return NULL;
}

static int print_paths(const struct mount_query *query,
		       const struct mounts *mounts, char *const *path)
{
	int status = STATUS_GOOD;

	for (; *path; path++) {
		const struct mount_entry *entry = find_mount(mounts, *path);

		if (!entry) {
			status = STATUS_TROUBLE;
			continue;
		}
		print_mount(query, entry, *path);
		if (status == STATUS_GOOD &&
		    (!entry->mode || strcmp(entry->mode, "enforce") != 0))
			status = STATUS_BAD;
	}
	return status;
}

int mount_main(int argc, char **argv)
{
	struct mount_query query = { .root = "" };
	const struct command_option options[] = {
		{ 'a', "all", NULL, "Mounts without utf8val= too",
		  .flag = &query.all },
		{ 0, "sysroot", "DIR",
		  "Read DIR/proc and DIR/sys, as copied from another system",
		  .string = &query.root },
		{ 's', "stats", NULL,
		  "What has been checked and refused (root only)",
		  .flag = &query.stats },
		{ 0, "json", NULL, "One JSON object a line",
		  .flag = &query.json },
		{ 0 },
	};
	const struct usage usage = {
		.operands = "[PATH...]",
		.does = "Say whether this kernel has the utf8val LSM or, to "
			"root, utf8val-guard, and which mounts it watches: mode (enforce, audit), file system "
			"type, mount point. With PATH, say it of the mount "
			"that PATH is on; off and unset are \"unchecked\".",
		.statuses = "0 when the kernel has either and every PATH is on "
			    "a mount that enforces, 1 when not, 2 when that "
			    "cannot be told.",
		.options = options,
	};
	char **paths = argv + options_parse(argc, argv, &usage);
	struct mounts mounts = { 0 };
	int status = print_kernel(&query);
	int worse;

	if (!read_mounts(&query, &mounts))
		return STATUS_TROUBLE;
	if (!*paths) {
		for (size_t i = 0; i < mounts.count; i++) {
			if (mounts.entries[i].mode || query.all)
				print_mount(&query, &mounts.entries[i], NULL);
		}
	}
	if (query.stats) {
		print_file(&query, "stats");
		print_file(&query, "mounts");
	}
	worse = print_paths(&query, &mounts, paths);
	return worse > status ? worse : status;
}
