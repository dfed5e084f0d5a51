// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The check of a large file in pieces, by as many threads as there are CPUs.
 * check/window.c calls it.
 */
#include "check/pieces.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "utf8val.h"

/*
 * A piece stays in the second-level cache between reading and checking it,
 * together with the pages of the page cache that it is copied from.
 */
#define PIECE_BYTES (64 * 1024)
/* A smaller file is checked by one thread before others have begun. */
#define WORTH_BYTES (16 * PIECE_BYTES)
#define MAX_THREADS 64
/* The most tails that a sequence can have. */
#define TAILS 3

struct pieces_work {
	struct pieces *pieces;
	atomic_llong next;	/* number of the next piece to check */
	atomic_llong bad;	/* the lowest number of a bad piece, or NONE */
	atomic_int error;
};

#define NONE 0x7FFFFFFFFFFFFFFFLL

static bool is_tail(uint8_t byte)
{
	return (byte & 0xC0) == 0x80;
}

/*
 * How many bytes at the beginning belong to the sequence before. More tails
 * than TAILS belong to none, so the count is 0 then.
 */
static size_t count_tails(const uint8_t *s, size_t len)
{
	size_t count = 0;

	while (count < len && count <= TAILS && is_tail(s[count]))
		count++;
	return count > TAILS ? 0 : count;
}

/* Read len bytes, or fewer where the file ends; less than 0 on an error. */
static ssize_t read_at(int fd, uint8_t *bytes, size_t len, off_t at)
{
	size_t done = 0;

	while (done < len) {
		ssize_t got = pread(fd, bytes + done, len - done, at + (off_t)done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (!got)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

/* Is a piece well-formed? The piece begins and ends where sequences begin. */
static bool check_piece(struct pieces_work *work, long long number, uint8_t *bytes)
{
	const struct pieces *pieces = work->pieces;
	off_t at = pieces->begin + number * PIECE_BYTES;
	ssize_t got = read_at(pieces->fd, bytes, PIECE_BYTES + TAILS + 1, at);
	size_t len, skip;

	if (got < 0) {
		atomic_store(&work->error, errno);
		return false;
	}
	len = (size_t)got;
	skip = number ? count_tails(bytes, len) : 0;
	if (len > PIECE_BYTES)
		len = PIECE_BYTES + count_tails(bytes + PIECE_BYTES, len - PIECE_BYTES);
	/* The file may have shrunk since, and end before this piece begins. */
	return skip > len || utf8val_valid(bytes + skip, len - skip);
}

static void *run(void *data)
{
	struct pieces_work *work = data;
	const struct pieces *pieces = work->pieces;
	uint8_t *bytes = must(malloc(PIECE_BYTES + TAILS + 1));
	long long count = (pieces->end - pieces->begin + PIECE_BYTES - 1) /
			  PIECE_BYTES;

	for (;;) {
		long long number = atomic_fetch_add(&work->next, 1);
		long long bad = atomic_load(&work->bad);

		if (number >= count || number > bad)
			break;
		if (check_piece(work, number, bytes))
			continue;
		while (number < bad &&
		       !atomic_compare_exchange_weak(&work->bad, &bad, number))
			;
	}
	free(bytes);
	return NULL;
}

static unsigned int thread_count(void)
{
	cpu_set_t set;
	int count = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);

	return count < MAX_THREADS ? (unsigned int)count : MAX_THREADS;
}

/* Where the first sequence of a piece begins. */
static off_t begin_of(const struct pieces *pieces, long long number)
{
	off_t at = pieces->begin + number * PIECE_BYTES;
	uint8_t bytes[TAILS + 1];
	ssize_t got = number ? read_at(pieces->fd, bytes, sizeof(bytes), at) : 0;

	return got > 0 ? at + (off_t)count_tails(bytes, (size_t)got) : at;
}

bool pieces_check(struct pieces *pieces)
{
	struct pieces_work work = { .pieces = pieces, .bad = NONE };
	pthread_t threads[MAX_THREADS];
	unsigned int count = thread_count(), started = 0;

	pieces->bad = -1;
	pieces->error = 0;
	if (pieces->form != UTF8VAL_FORM_UTF8 ||
	    pieces->end - pieces->begin < WORTH_BYTES)
		return false;
	/* The calling thread checks pieces, too. */
	while (started + 1 < count &&
	       !pthread_create(&threads[started], NULL, run, &work))
		started++;
	run(&work);
	for (unsigned int i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	pieces->error = work.error;
	if (work.bad != NONE && !work.error)
		/*
		 * Start one piece early, so that the text before the error can be shown.
		 */
		pieces->bad = begin_of(pieces, work.bad ? work.bad - 1 : 0);
	return true;
}

void pieces_count(const struct pieces *pieces, struct text_place *place)
{
	uint8_t *bytes = must(malloc(PIECE_BYTES));
	off_t at = pieces->begin;

	while (at < pieces->bad) {
		size_t want = pieces->bad - at < PIECE_BYTES ?
				      (size_t)(pieces->bad - at) :
				      PIECE_BYTES;
		ssize_t got = read_at(pieces->fd, bytes, want, at);

		if (got <= 0)
			break;
		text_count(place, bytes, (size_t)got);
		at += got;
	}
	free(bytes);
}
