// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The progress line, on a terminal or in a log, and the totals after a walk. scan, summary
 * and fix call it.
 */
#include "walk/progress.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "base/commands.h"
#include "base/interrupt.h"

#define ERASE_LINE "\r\033[K"
/*
 * Seconds to a log's first line; each line comes after twice as many, but after no more
 * than this beyond the last.
 */
#define FIRST_LINE 10
#define LINE_LATEST 300

/* There is one terminal, so one lock is enough. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void progress_begin(struct progress *progress)
{
	progress->shown = isatty(STDERR_FILENO);
	progress->begin = now();
	progress->next = FIRST_LINE;
	progress->bad = 0;
}

static void print_line(const struct progress *progress, const struct walk *walk)
{
	double seconds = now() - progress->begin;
	double entries = (double)walk->entries;

	fprintf(stderr, "%.0f %s in %.1f s", entries,
		entries == 1 ? "entry" : "entries", seconds);
	/* that of less is a matter of chance */
	if (seconds >= 1)
		fprintf(stderr, " (%.0f/s)", entries / seconds);
	fprintf(stderr, ", %llu %s", (unsigned long long)progress->bad,
		progress->has_extra ? "bad" : "ill-formed");
}

void progress_tick(struct progress *progress, const struct walk *walk)
{
	double seconds = now() - progress->begin;

	if (!progress->shown && (progress->quiet || seconds < progress->next))
		return;
	progress->next = seconds + (seconds < LINE_LATEST ? seconds : LINE_LATEST);
	pthread_mutex_lock(&lock);
	fputs(progress->shown ? ERASE_LINE : "utf8val: so far ", stderr);
	print_line(progress, walk);
	if (!progress->shown)
		fputs("\n", stderr);
	fflush(stderr);
	pthread_mutex_unlock(&lock);
}

void progress_emit(struct progress *progress, const struct text *text)
{
	pthread_mutex_lock(&lock);
	if (progress->shown)
		fputs(ERASE_LINE, stderr);
	text_emit(text);
	if (progress->shown)
		fflush(stdout);
	pthread_mutex_unlock(&lock);
}

void progress_end(struct progress *progress, const struct walk *walk, bool summary)
{
	if (progress->shown)
		fputs(ERASE_LINE, stderr);
	if (!summary && !interrupted)
		return;
	fflush(stdout);
	fputs(interrupted ? "utf8val: interrupted: " : "utf8val: ", stderr);
	print_line(progress, walk);
	if (walk->troubles)
		fprintf(stderr, ", %llu not read", (unsigned long long)walk->troubles);
	fputs("\n", stderr);
}

void progress_print_end(const struct progress *progress, const struct walk *walk,
			const char *command)
{
	text_auto line = { 0 };

	text_printf(&line, "{\"end\":\"%s\",\"entries\":%llu,\"bad\":%llu,"
		    "\"errors\":%llu,\"complete\":%s}\n", command,
		    (unsigned long long)walk->entries, (unsigned long long)progress->bad,
		    (unsigned long long)walk->troubles, interrupted ? "false" : "true");
	text_emit(&line);
}

int progress_status(const struct progress *progress, const struct walk *walk)
{
	if (walk->troubles || interrupted)
		return STATUS_TROUBLE;
	return progress->bad ? STATUS_BAD : STATUS_GOOD;
}
