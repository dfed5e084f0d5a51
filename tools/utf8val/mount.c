// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* utf8val mount: what the kernel enforces here. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "text.h"

#define LSM_LIST "/sys/kernel/security/lsm"
#define STATE_DIR "/sys/kernel/security/utf8val/"
#define MOUNTS "/proc/self/mountinfo"

struct mount_entry {
	unsigned long long id;
	char *point;
	char *fstype;
	char *mode;	/* NULL: no utf8val= among its options */
};

struct mounts {
	struct mount_entry *entries;
	size_t count;
};

struct mount_args {
	const char *root;	/* where /proc and /sys are */
	bool all, stats;
	char **paths;
	size_t count;
};

/* Open PATH below the root; complain only of what is not simply absent. */
static FILE *open_file(const struct mount_args *args, const char *path,
		       int *error)
{
	char *full;
	FILE *file;

	if (asprintf(&full, "%s%s", args->root, path) < 0)
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
	unescape(fields[4]);
	entry->id = strtoull(fields[0], NULL, 10);
	entry->point = must(strdup(fields[4]));
	entry->fstype = must(strdup(fstype));
	entry->mode = find_mode(super);
	return true;
}

static bool read_mounts(const struct mount_args *args, struct mounts *mounts)
{
	char *line = NULL;
	size_t room = 0, slots = 0;
	int error;
	FILE *file = open_file(args, MOUNTS, &error);

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
		if (parse_mount(line, &mounts->entries[mounts->count]))
			mounts->count++;
	}
	free(line);
	fclose(file);
	return true;
}

/* A whole small file without its last newline; NULL when it is not there. */
static char *read_line(const struct mount_args *args, const char *path,
		       int *error)
{
	FILE *file = open_file(args, path, error);
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
static int print_kernel(const struct mount_args *args)
{
	struct text line = { 0 };
	int status = STATUS_GOOD;
	int error;
	char *list = read_line(args, LSM_LIST, &error);

	if (!list) {
		complain(LSM_LIST, strlen(LSM_LIST), "%s; is securityfs "
			 "mounted?", strerror(error));
		return STATUS_TROUBLE;
	}
	if (in_list(list, "utf8val")) {
		char *version = read_line(args, STATE_DIR "version", &error);

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
	text_emit(&line);
	text_free(&line);
	free(list);
	return status;
}

static void print_file(const struct mount_args *args, const char *name)
{
	struct text path = { 0 }, line = { 0 };
	char *from = NULL;
	size_t room = 0;
	ssize_t len;
	FILE *file;
	int error;

	text_puts(&path, STATE_DIR);
	text_add(&path, name, strlen(name) + 1);
	file = open_file(args, path.bytes, &error);
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

static void print_mount(const struct mount_entry *entry, const char *path)
{
	const struct colours *c = colours();
	const char *mode = entry->mode ? entry->mode : "unchecked";
	struct text line = { 0 };

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

static int print_paths(const struct mount_args *args,
		       const struct mounts *mounts)
{
	int status = STATUS_GOOD;

	for (size_t i = 0; i < args->count; i++) {
		const struct mount_entry *entry =
			find_mount(mounts, args->paths[i]);

		if (!entry) {
			status = STATUS_TROUBLE;
			continue;
		}
		print_mount(entry, args->paths[i]);
		if (status == STATUS_GOOD &&
		    (!entry->mode || strcmp(entry->mode, "enforce") != 0))
			status = STATUS_BAD;
	}
	return status;
}

enum { OPT_SYSROOT = 256 };

static const struct argp_option options[] = {
	{ "all", 'a', NULL, 0, "Mounts without utf8val= too", 0 },
	{ "stats", 's', NULL, 0,
	  "What has been checked and refused (root only)", 0 },
	{ "sysroot", OPT_SYSROOT, "DIR", 0,
	  "Read DIR/proc and DIR/sys, as copied from another system", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct mount_args *args = state->input;

	switch (key) {
	case 'a':
		args->all = true;
		break;
	case 's':
		args->stats = true;
		break;
	case OPT_SYSROOT:
		args->root = arg;
		break;
	case ARGP_KEY_ARGS:
		args->paths = state->argv + state->next;
		args->count = (size_t)(state->argc - state->next);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "[PATH...]",
	.doc = "Say whether this kernel has the utf8val LSM and which mounts "
	       "it watches: mode (enforce, audit), file system type, mount "
	       "point. With PATH, say it of the mount that PATH is on; off and "
	       "unset are \"unchecked\"."
	       "\vExit status: 0 when the kernel has the LSM and every PATH is "
	       "on a mount that enforces, 1 when not, 2 when that cannot be "
	       "told.",
};

int mount_main(int argc, char **argv)
{
	struct mount_args args = { .root = "" };
	struct mounts mounts = { 0 };
	int status, paths;

	argp_parse(&argp, argc, argv, 0, NULL, &args);
	status = print_kernel(&args);
	if (!read_mounts(&args, &mounts))
		return STATUS_TROUBLE;
	if (!args.count) {
		for (size_t i = 0; i < mounts.count; i++) {
			if (mounts.entries[i].mode || args.all)
				print_mount(&mounts.entries[i], NULL);
		}
	}
	if (args.stats) {
		print_file(&args, "stats");
		print_file(&args, "mounts");
	}
	paths = print_paths(&args, &mounts);
	return paths > status ? paths : status;
}
