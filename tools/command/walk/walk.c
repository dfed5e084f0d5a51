// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A parallel walk over directory trees; walk.h describes it for its users. Threads take
 * directories from one list, the newest first, so the list stays short, and few parents
 * have to be open. A directory stays open until the last of its subdirectories has been
 * opened through it. When descriptors run short the directory is closed instead, and its
 * subdirectories are opened from the root, name by name.
 */
#include "walk/walk.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "walk/read.h"

/* The number of descriptors left for everything but directories. */
#define SPARE_FDS 64

struct walk_state {
	struct walk *walk;
	pthread_mutex_t lock;
	/* there are directories to read, or the walk ends */
	pthread_cond_t work;
	pthread_cond_t done;		/* wakes the main thread */
	struct walk_dir *list;
	unsigned int busy;		/* threads that read a directory */
	unsigned int running;		/* threads that have not ended */
	atomic_long spare_fds;
};

/*
 * Count a subdirectory that does not need the descriptor of its parent any more, and
 * close the descriptor after the last one.
 */
static void release_fd(struct walk_state *state, struct walk_dir *parent)
{
	if (atomic_fetch_sub(&parent->unopened, 1) != 1)
		return;
	/*
	 * Other threads may be opening a root's descendants through its
	 * descriptor, so a root stays open.
	 */
	if (parent->fd >= 0 && parent->depth) {
		close(parent->fd);
		atomic_fetch_add(&state->spare_fds, 1);
	}
}

/*
 * Keep a directory open, unless descriptors are short: then its subdirectories
 * are found from the root.
 */
static void keep_open(struct walk_state *state, struct walk_dir *dir, int fd)
{
	if (atomic_fetch_sub(&state->spare_fds, 1) > 0) {
		dir->fd = fd;
	} else {
		atomic_fetch_add(&state->spare_fds, 1);
		close(fd);
	}
}

/* Put a directory's subdirectories on the list that all threads take from. */
static void publish(struct walk_state *state, struct walk_dir *dir, int fd,
		    struct walk_dir *found)
{
	struct walk_dir *first = NULL, *last = found;
	unsigned int count = 0;

	/*
	 * The list is reversed, so that subdirectories are read in the order
	 * they were found.
	 */
	while (found) {
		struct walk_dir *next = found->next;

		found->next = first;
		first = found;
		found = next;
		count++;
	}
	dir->unopened = count;
	keep_open(state, dir, fd);
	pthread_mutex_lock(&state->lock);
	last->next = state->list;
	state->list = first;
	if (count > 1)
		pthread_cond_broadcast(&state->work);
	else
		pthread_cond_signal(&state->work);
	pthread_mutex_unlock(&state->lock);
}

static void visit_dir(struct walk_state *state, struct walk_dir *dir,
		      char *buffer, void **thread_data)
{
	struct walk_visit visit = { .walk = state->walk, .dir = dir };
	struct walk_dir *found;

	if (!dir->depth && state->walk->own_names &&
	    !walk_own_name(state->walk, dir, thread_data))
		return;
	if (state->walk->limited && !state->walk->max_depth)
		return;
	visit.fd = walk_enter(state->walk, dir);
	if (dir->parent)
		release_fd(state, dir->parent);
	if (visit.fd < 0)
		return;
	visit.thread_data = *thread_data;
	found = walk_read(&visit, buffer);
	if (state->walk->leave)
		state->walk->leave(&visit);
	*thread_data = visit.thread_data;
	if (found)
		publish(state, dir, visit.fd, found);
	else if (!dir->depth && state->walk->keep_roots)
		keep_open(state, dir, visit.fd);
	else
		close(visit.fd);
}

static void *run_thread(void *data)
{
	struct walk_state *state = data;
	char *buffer = must(malloc(WALK_READ_BYTES));
	void *thread_data = NULL;

	pthread_mutex_lock(&state->lock);
	for (;;) {
		struct walk_dir *dir;

		while (!state->list && state->busy && !interrupted)
			pthread_cond_wait(&state->work, &state->lock);
		dir = state->list;
		if (!dir || interrupted)
			break;
		state->list = dir->next;
		state->busy++;
		pthread_mutex_unlock(&state->lock);
		visit_dir(state, dir, buffer, &thread_data);
		walk_unref(dir);
		pthread_mutex_lock(&state->lock);
		state->busy--;
	}
	/*
	 * Nothing is left to read, or the walk was stopped: the other threads
	 * must hear of the end.
	 */
	pthread_cond_broadcast(&state->work);
	state->running--;
	pthread_cond_signal(&state->done);
	pthread_mutex_unlock(&state->lock);
	if (state->walk->thread_end)
		state->walk->thread_end(thread_data);
	free(buffer);
	return NULL;
}

/*
 * The number of directories that may stay open: the limit of descriptors less a
 * few for everything else, and at least one for each thread.
 */
static long fd_budget(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	if (limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		if (setrlimit(RLIMIT_NOFILE, &limit))
			getrlimit(RLIMIT_NOFILE, &limit);
	}
	if (limit.rlim_cur < SPARE_FDS)
		return 0;
	return limit.rlim_cur > 1 << 20 ? 1 << 20 : (long)limit.rlim_cur - SPARE_FDS;
}

static unsigned int thread_count(unsigned int wanted)
{
	cpu_set_t set;
	unsigned int count;

	if (wanted)
		return wanted < WALK_THREADS ? wanted : WALK_THREADS;
	count = sched_getaffinity(0, sizeof(set), &set) ?
			1 :
			(unsigned int)CPU_COUNT(&set);
	/*
	 * Two threads per processor: while one waits for the disk, the other one works.
	 */
	return count < 16 ? 2 * count : 32;
}

/* Wait until the threads have ended; the main thread only calls tick() meanwhile. */
static void wait_for_end(struct walk_state *state)
{
	struct timespec until;

	pthread_mutex_lock(&state->lock);
	while (state->running) {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 200 * 1000 * 1000;
		if (until.tv_nsec >= 1000 * 1000 * 1000) {
			until.tv_nsec -= 1000 * 1000 * 1000;
			until.tv_sec++;
		}
		pthread_cond_timedwait(&state->done, &state->lock, &until);
		if (interrupted)
			pthread_cond_broadcast(&state->work);
		if (state->walk->tick)
			state->walk->tick(state->walk);
	}
	pthread_mutex_unlock(&state->lock);
}

void walk_run(struct walk *walk, char *const *roots, size_t count)
{
	struct walk_state state = {
		.walk = walk,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.work = PTHREAD_COND_INITIALIZER,
		.done = PTHREAD_COND_INITIALIZER,
		.spare_fds = fd_budget(),
	};
	unsigned int threads = thread_count(walk->threads);
	pthread_t *ids = must(calloc(threads, sizeof(*ids)));

	for (size_t i = count; i-- > 0;) {
		size_t len = strlen(roots[i]);
		struct walk_dir *dir;

		while (len > 1 && roots[i][len - 1] == '/')
			len--;
		dir = walk_new(NULL, roots[i], len);
		dir->root = i;
		dir->next = state.list;
		state.list = dir;
	}
	pthread_mutex_lock(&state.lock);
	for (unsigned int i = 0; i < threads; i++) {
		int error = pthread_create(&ids[i], NULL, run_thread, &state);

		if (error) {
			/* The walk works with fewer threads, but not with none. */
			threads = i;
			if (!i) {
				complain_errno(NULL, 0, error);
				atomic_fetch_add(&walk->troubles, 1);
			}
			break;
		}
		state.running++;
	}
	pthread_mutex_unlock(&state.lock);
	wait_for_end(&state);
	for (unsigned int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	while (state.list) {
		struct walk_dir *dir = state.list;

		state.list = dir->next;
		if (dir->parent)
			release_fd(&state, dir->parent);
		walk_unref(dir);
	}
	free(ids);
}
