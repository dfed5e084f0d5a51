// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* utf8val mount: what the kernel enforces here. */
#include "base/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/option.h"
#include "base/text.h"
#include "bpf/shared/mountinfo.h"
#include "kernel/lsm/modes.h"
#include "mount/guard_marks.h"
#include "mount/mounts.h"
#include "mount/persist.h"

#define LSM_LIST "/sys/kernel/security/lsm"
#define STATE_DIR "/sys/kernel/security/utf8val/"
#define PERSISTENT "/sys/module/utf8val/parameters/persistent"

enum force { FORCE_NONE, FORCE_UNKNOWN, FORCE_MODULE, FORCE_GUARD };

struct mount_query {
	const char *root;	/* the directory above /proc and /sys */
	bool all, stats, json;
	struct guard_marks guard;
	enum force force;	/* what enforces on this system */
};

/*
 * The first line of a file, without its newline, to be freed; NULL when the
 * file cannot be read.
 */
static char *read_line(const struct mount_query *query, const char *path, int *error)
{
	FILE *file = mounts_open(query->root, path, error);
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

/* The word of --json for what is in force. */
static const char *force_name(enum force force)
{
	static const char *const names[] = {
		[FORCE_NONE] = "none", [FORCE_UNKNOWN] = "unknown",
		[FORCE_MODULE] = "module", [FORCE_GUARD] = "guard",
	};

	return names[force];
}

/*
 * Find what is in force, from the list of active security modules, or NULL
 * where it cannot be read, and from what the system shows.
 */
static enum force find_force(struct mount_query *query, const char *list)
{
	if (list && list_has(list, "utf8val"))
		return FORCE_MODULE;
	/*
	 * The files of another system say nothing of BPF maps, and the guard
	 * needs the security module bpf.
	 */
	if (*query->root || (list && !list_has(list, "bpf")))
		return list ? FORCE_NONE : FORCE_UNKNOWN;
	switch (guard_ask()) {
	case GUARD_IN_FORCE:
		guard_read(&query->guard);
		return FORCE_GUARD;
	case GUARD_NOT_IN_FORCE:
		return list ? FORCE_NONE : FORCE_UNKNOWN;
	default:
		return FORCE_UNKNOWN;
	}
}

static void describe_force(const struct mount_query *query, const char *list,
			   struct text *line)
{
	switch (query->force) {
	case FORCE_GUARD:
		text_puts(line, "kernel: utf8val-guard is in force\n");
		break;
	case FORCE_MODULE:
		text_puts(line, "kernel: the utf8val LSM is active\n");
		break;
	case FORCE_UNKNOWN:
		text_puts(line, "kernel: no utf8val LSM; whether utf8val-guard "
				"is in force only root can see, outside of "
				"containers\n");
		break;
	case FORCE_NONE:
		text_puts(line, "kernel: no utf8val LSM; nothing is enforced "
				"here, whatever a mount says (active: ");
		text_escape(line, list, strlen(list));
		text_puts(line, ")\n");
		break;
	}
}

/* Print what is in force; returns an exit status. */
static int print_kernel(struct mount_query *query)
{
	text_auto line = { 0 };
	int error;
	char *list = read_line(query, LSM_LIST, &error);

	query->force = find_force(query, list);
	if (query->json)
		text_printf(&line, "{\"kernel\":\"%s\"}\n", force_name(query->force));
	else if (query->force == FORCE_UNKNOWN && !list)
		complain(LSM_LIST, strlen(LSM_LIST), "%s; is securityfs "
			 "mounted?", strerror(error));
	else
		describe_force(query, list, &line);
	text_emit(&line);
	free(list);
	return query->force == FORCE_UNKNOWN ? STATUS_TROUBLE :
	       query->force == FORCE_NONE ? STATUS_BAD : STATUS_GOOD;
}

/* Print a file of the security module; false when the file cannot be read. */
static bool print_file(const struct mount_query *query, const char *name)
{
	text_auto path = { 0 }, line = { 0 };
	char *from = NULL;
	size_t room = 0;
	ssize_t len;
	FILE *file;
	int error;

	text_puts(&path, STATE_DIR);
	text_add(&path, name, strlen(name) + 1);
	file = mounts_open(query->root, path.bytes, &error);
	if (!file) {
		complain_errno(path.bytes, path.len - 1, error);
		return false;
	}
	text_printf(&line, "%s:\n", name);
	while ((len = getline(&from, &room, file)) > 0) {
		text_puts(&line, "  ");
		len -= from[len - 1] == '\n';
		text_escape(&line, from, (size_t)len);
		text_puts(&line, "\n");
	}
	text_emit(&line);
	free(from);
	fclose(file);
	return true;
}

static int print_stats(const struct mount_query *query)
{
	if (query->force == FORCE_GUARD) {
		complain(NULL, 0, "the guard's numbers are what 'utf8val-guard "
			 "status' prints");
		return STATUS_TROUBLE;
	}
	return print_file(query, "stats") && print_file(query, "mounts") ?
	       STATUS_GOOD : STATUS_TROUBLE;
}

static const char *mode_name(const struct mount_query *query,
			     const struct mount_entry *entry)
{
	if (entry->mode)
		return entry->mode;
	return query->force == FORCE_UNKNOWN ? "unknown" : "unchecked";
}

static void print_mount_json(const struct mount_entry *entry, const char *mode,
			     const char *path)
{
	text_auto line = { 0 };

	text_json_string(&line, "{\"mode\":", mode, strlen(mode));
	text_json_string(&line, ",\"type\":", entry->fstype, strlen(entry->fstype));
	text_json(&line, ",\"point\":", entry->point, strlen(entry->point));
	if (path)
		text_json(&line, ",\"path\":", path, strlen(path));
	text_puts(&line, "}\n");
	text_emit(&line);
}

static void print_mount(const struct mount_query *query,
			const struct mount_entry *entry, const char *path)
{
	const struct colours *c = colours();
	const char *mode = mode_name(query, entry);
	text_auto line = { 0 };

	if (query->json) {
		print_mount_json(entry, mode, path);
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
}

static int print_paths(const struct mount_query *query,
		       const struct mounts *mounts, char *const *path)
{
	int status = STATUS_GOOD;

	for (; *path; path++) {
		const struct mount_entry *entry = mounts_find(mounts, *path);

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

/* Write a mode on the file system of each path; returns an exit status. */
static int persist_paths(const struct mount_query *query,
			 const struct mounts *mounts, const char *mode,
			 char *const *path)
{
	int status = STATUS_GOOD;
	int error;
	char *reads;

	if (!*path) {
		complain(NULL, 0, "--persist needs a path");
		return STATUS_TROUBLE;
	}
	for (; *path; path++) {
		const struct mount_entry *entry = mounts_find(mounts, *path);

		if (!entry || !persist_write(entry->point, entry->id, entry->root, mode))
			status = STATUS_TROUBLE;
	}
	reads = read_line(query, PERSISTENT, &error);
	if (status == STATUS_GOOD && (!reads || *reads != 'Y')) {
		complain(NULL, 0, "written; this kernel does not look at it, "
			 "one with the module and utf8val.persistent=on does");
		status = STATUS_BAD;
	}
	free(reads);
	return status;
}

int mount_main(int argc, char **argv)
{
	const char *persist = NULL;
	struct mount_query query = { .root = "" };
	const struct command_option options[] = {
		{ 'a', "all", NULL, "Also list mounts without utf8val=",
		  .flag = &query.all },
		{ 0, "persist", UTF8VAL_MODE_CHOICES "|unset",
		  "Store this mode on the file system that PATH is on, for its "
		  "next mount; unset removes it (root only)",
		  .take = persist_take, .data = &persist,
		  .never_with = "all json stats sysroot " },
		{ 0, "sysroot", "DIR",
		  "Read DIR/proc and DIR/sys, as copied from another system",
		  .string = &query.root },
		{ 's', "stats", NULL,
		  "Print how much was checked and refused (root only)",
		  .flag = &query.stats, .never_with = "json " },
		{ 0, "json", NULL, "Print one JSON object per line",
		  .flag = &query.json },
		{ 0 },
	};
	const struct usage usage = {
		.operands = "[PATH...]",
		.does = "Say whether this kernel has the utf8val LSM or, to "
			"root, utf8val-guard, and which mounts it watches: "
			"mode, file system type, mount point. "
			"With PATH, list only the mount that PATH is on; off "
			"and unset are \"unchecked\", or \"unknown\" to "
			"others than root if they cannot be told.",
		.statuses = "0 if the kernel has either and every PATH is on a "
			    "mount that enforces, 1 if not, 2 if that cannot "
			    "be determined; with --persist 0 if the mode was "
			    "stored, 1 if it was but this kernel does not read "
			    "it, 2 if it cannot be stored.",
		.options = options,
	};
	char **paths = argv + options_parse(argc, argv, &usage);
	struct mounts mounts = { 0 };
	int status, worse;

	if (persist)
		return mounts_read(&mounts, query.root, &query.guard) ?
		       persist_paths(&query, &mounts, persist, paths) :
		       STATUS_TROUBLE;
	status = print_kernel(&query);
	if (!mounts_read(&mounts, query.root, &query.guard))
		return STATUS_TROUBLE;
	if (!*paths) {
		for (size_t i = 0; i < mounts.count; i++) {
			if (mounts.entries[i].mode || query.all)
				print_mount(&query, &mounts.entries[i], NULL);
		}
	}
	if (query.stats) {
		worse = print_stats(&query);
		status = worse > status ? worse : status;
	}
	worse = print_paths(&query, &mounts, paths);
	return worse > status ? worse : status;
}
