// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Reading a journal. A journal is trusted to say what its owner has done, and
 * never to lead anywhere else: names are single components, numbers are
 * checked, and undo asks each directory and file for its identity.
 */
#include "undo/journal_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* what the first line of a journal begins with, whatever its version */
#define FAMILY "utf8val journal "

/*
 * Open a journal. A journal makes its reader change any name that the reader
 * may change, so only a journal of the reader's own is opened, and only while
 * nobody else can write to it.
 */
static FILE *open_journal(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	struct stat st;

	if (!file || fstat(fd, &st)) {
		complain_errno(path, strlen(path), errno);
	} else if (!S_ISREG(st.st_mode)) {
		complain(path, strlen(path), "this is no file");
	} else if (st.st_uid != geteuid() || st.st_mode & 0022) {
		complain(path, strlen(path), "this journal is somebody else's, "
			 "or others can write to it");
	} else {
		return file;
	}
	if (file)
		fclose(file);
	return NULL;
}

bool journal_read(const char *path, struct journal_run *run)
{
	struct journal_parser parser = { .out = run };
	FILE *file = open_journal(path);
	unsigned long long number = 0;
	char *line = NULL;
	size_t room = 0;
	bool good = true;
	ssize_t len;

	*run = (struct journal_run){ 0 };
	if (!file)
		return false;
	identity_get(fileno(file), "", &run->file);
	while (good && (len = getline(&line, &room, file)) > 0) {
		number++;
		if (line[len - 1] != '\n') {
			/* The line was cut off. A stop of the machine can leave zeros. */
			run->cut = true;
			good = parser.begun;
			break;
		}
		line[len - 1] = '\0';
		good = strlen(line) == (size_t)len - 1 && journal_parse(&parser, line);
	}
	if (ferror(file)) {
		complain_errno(path, strlen(path), errno);
		good = false;
	} else if (!number) {
		complain(path, strlen(path), "this journal is empty");
		good = false;
	} else if (!good) {
		complain(path, strlen(path),
			 "line %llu is no line of a utf8val journal%s", number,
			 !parser.begun && !run->cut &&
			 !strncmp(line, FAMILY, strlen(FAMILY)) ?
			 " of this version; the one that wrote it can undo it" : "");
	}
	run->cut |= parser.dirty;
	free(line);
	fclose(file);
	if (!good)
		journal_free(run);
	return good;
}

void journal_free(struct journal_run *run)
{
	for (size_t i = 0; i < run->count; i++) {
		struct journal_record *record = &run->records[i];

		free(record->old);
		free(record->new);
		free(record->name);
		free(record->scratch);
	}
	/* Each directory holds a reference to its parent. */
	for (size_t i = 0; i < run->dir_count; i++)
		walk_unref(run->dirs[i]);
	free(run->user);
	free(run->records);
	free(run->dirs);
	free(run->file_systems);
	*run = (struct journal_run){ 0 };
}
