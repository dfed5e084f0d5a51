// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Threads take directories from one list, the newest first: that keeps it short
 * and the parents' descriptors few. A directory stays open until its last
 * subdirectory has been opened through it; when descriptors run short it is
 * closed instead, and its subdirectories are opened from the root, name by
 * name.
 */
#include "walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command.h"

/* entries read in one call; larger buffers were not faster */
#define READ_BYTES (64 * 1024)
/* descriptors left for everything else */
#define SPARE_FDS 64

struct state {
	struct walk *walk;
	int *root_fds;
	pthread_mutex_t lock;
	pthread_cond_t work;		/* directories to read, or the end */
	pthread_cond_t done;		/* for the main thread */
	struct walk_dir *list;
	unsigned int busy;		/* threads that read a directory */
	unsigned int running;		/* threads that have not ended */
	atomic_long spare_fds;
};

/* One subdirectory less needs the parent's descriptor. */
static void release_fd(struct state *state, struct walk_dir *parent)
{
	if (atomic_fetch_sub(&parent->unopened, 1) != 1)
		return;
	if (parent->fd >= 0 && parent->depth) {
		close(parent->fd);
		atomic_fetch_add(&state->spare_fds, 1);
	}
}

static int stat_entry(int fd, const char *name, bool follow, struct statx *st)
{
	/* looking at an automount point must not mount it */
	return statx(fd, name,
		     AT_NO_AUTOMOUNT | (follow ? 0 : AT_SYMLINK_NOFOLLOW),
		     STATX_TYPE | STATX_INO, st);
}

/* Is this directory one of those that lead to it? Only links make that so. */
static bool is_loop(const struct walk_dir *dir)
{
	for (const struct walk_dir *d = dir->parent; d; d = d->parent) {
		if (d->ino == dir->ino && d->dev_major == dir->dev_major &&
		    d->dev_minor == dir->dev_minor)
			return true;
	}
	return false;
}

/* Open a directory taken from the list; -1 when it is not to be read. */
static int open_dir(struct state *state, struct walk_dir *dir)
{
	struct walk *walk = state->walk;
	struct walk_dir *parent = dir->parent;
	bool follow = walk->follow || !parent;
	struct statx st;
	int at = AT_FDCWD;
	int fd = -1;

	if (parent)
		at = parent->fd >= 0 ?
			     parent->fd :
			     walk_open(parent, state->root_fds[dir->root],
				       walk->follow);
	if (parent && at < 0)
		goto trouble;
	if (stat_entry(at, dir->name, follow, &st))
		goto trouble;
	dir->dev_major = st.stx_dev_major;
	dir->dev_minor = st.stx_dev_minor;
	dir->ino = st.stx_ino;
	if (parent && !walk->cross &&
	    ((st.stx_attributes & STATX_ATTR_AUTOMOUNT) ||
	     dir->dev_major != parent->dev_major ||
	     dir->dev_minor != parent->dev_minor))
		goto out;
	if (walk->follow && is_loop(dir)) {
		errno = ELOOP;
		goto trouble;
	}
	fd = openat(at, dir->name, WALK_OPEN_FLAGS | (follow ? 0 : O_NOFOLLOW));
	if (fd >= 0)
		goto out;
trouble:
	walk_trouble(walk, dir, NULL, 0, errno);
out:
	if (parent) {
		if (parent->fd < 0 && at >= 0)
			close(at);
		release_fd(state, parent);
	}
	return fd;
}

static bool is_dots(const char *name)
{
	return name[0] == '.' &&
	       (!name[1] || (name[1] == '.' && !name[2]));
}

static void visit_entry(struct walk_visit *visit, const struct dirent64 *entry,
			struct walk_dir **found)
{
	struct walk *walk = visit->walk;
	unsigned char type = entry->d_type;
	size_t len = strlen(entry->d_name);
	struct statx st;

	if (type == DT_UNKNOWN) {
		if (!stat_entry(visit->fd, entry->d_name, false, &st))
			type = (unsigned char)IFTODT(st.stx_mode);
		else	/* it may be a directory, which will not be read */
			walk_trouble(walk, visit->dir, entry->d_name, len,
				     errno);
	}
	if (type == DT_LNK && walk->follow &&
	    !stat_entry(visit->fd, entry->d_name, true, &st))
		type = (unsigned char)IFTODT(st.stx_mode);
	walk->entry(visit, entry->d_name, len, type);
	if (type == DT_DIR) {
		struct walk_dir *dir = walk_new(visit->dir, entry->d_name, len);

		dir->next = *found;
		*found = dir;
	}
}

/* Read a directory to its end; its subdirectories, newest first. */
static struct walk_dir *read_dir(struct walk_visit *visit, char *buffer)
{
	struct walk_dir *found = NULL;
	unsigned long long entries = 0;
	ssize_t bytes = 0;

	while (!interrupted &&
	       (bytes = getdents64(visit->fd, buffer, READ_BYTES)) > 0) {
		for (ssize_t at = 0; at < bytes;) {
			const struct dirent64 *entry =
				(const struct dirent64 *)(buffer + at);

			at += entry->d_reclen;
			if (is_dots(entry->d_name))
				continue;
			entries++;
			visit_entry(visit, entry, &found);
		}
		atomic_fetch_add_explicit(&visit->walk->entries, entries,
					  memory_order_relaxed);
		entries = 0;
	}
	if (!interrupted && bytes < 0)
		walk_trouble(visit->walk, visit->dir, NULL, 0, errno);
	return found;
}

/* Hand a directory's subdirectories to all threads. */
static void publish(struct state *state, struct walk_dir *dir, int fd,
		    struct walk_dir *found)
{
	struct walk_dir *first = NULL, *last = found;
	unsigned int count = 0;

	/* turned round, so that they are read in the order they were found */
	while (found) {
		struct walk_dir *next = found->next;

		found->next = first;
		first = found;
		found = next;
		count++;
	}
	dir->unopened = count;
	if (!dir->depth || atomic_fetch_sub(&state->spare_fds, 1) > 0) {
		dir->fd = fd;
	} else {
		atomic_fetch_add(&state->spare_fds, 1);
		close(fd);
	}
	pthread_mutex_lock(&state->lock);
	last->next = state->list;
	state->list = first;
	if (count > 1)
		pthread_cond_broadcast(&state->work);
	else
		pthread_cond_signal(&state->work);
	pthread_mutex_unlock(&state->lock);
}

static void visit_dir(struct state *state, struct walk_dir *dir, char *buffer,
		      void **thread_data)
{
	struct walk_visit visit = { .walk = state->walk, .dir = dir,
				    .thread_data = *thread_data };
	struct walk_dir *found;

	visit.fd = open_dir(state, dir);
	if (visit.fd < 0)
		return;
	if (!dir->depth)
		state->root_fds[dir->root] = visit.fd;
	atomic_fetch_add_explicit(&state->walk->dirs, 1, memory_order_relaxed);
	found = read_dir(&visit, buffer);
	if (state->walk->leave)
		state->walk->leave(&visit);
	*thread_data = visit.thread_data;
	if (found)
		publish(state, dir, visit.fd, found);
	else if (dir->depth)
		close(visit.fd);
}

static void *run_thread(void *data)
{
	struct state *state = data;
	char *buffer = must(malloc(READ_BYTES));
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
	/* nothing left, or stopped: the others must hear of it */
	pthread_cond_broadcast(&state->work);
	state->running--;
	pthread_cond_signal(&state->done);
	pthread_mutex_unlock(&state->lock);
	if (state->walk->thread_end)
		state->walk->thread_end(thread_data);
	free(buffer);
	return NULL;
}

/* As many descriptors as we may have, less a few; at least one per thread. */
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
	return limit.rlim_cur > 1 << 20 ? 1 << 20 :
					  (long)limit.rlim_cur - SPARE_FDS;
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
	/* two per processor: while one waits for the disk, the other works */
	return count < 16 ? 2 * count : 32;
}

/* Wait for the threads; the main thread has nothing else to do than tick. */
static void wait_for_end(struct state *state)
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
	struct state state = {
		.walk = walk,
		.root_fds = walk->root_fds ?
				    walk->root_fds :
				    must(malloc((count + 1) * sizeof(int))),
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.work = PTHREAD_COND_INITIALIZER,
		.done = PTHREAD_COND_INITIALIZER,
		.spare_fds = fd_budget(),
	};
	unsigned int threads = thread_count(walk->threads);
	pthread_t *ids = must(calloc(threads, sizeof(*ids)));

	for (size_t i = count; i-- > 0;) {
		struct walk_dir *dir = walk_new(NULL, roots[i],
					       strlen(roots[i]));

		dir->root = i;
		dir->next = state.list;
		state.list = dir;
		state.root_fds[i] = -1;
	}
	pthread_mutex_lock(&state.lock);
	for (unsigned int i = 0; i < threads; i++) {
		int error = pthread_create(&ids[i], NULL, run_thread, &state);

		if (error) {
			/* fewer will do, none will not */
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
	if (walk->root_fds)
		return;
	for (size_t i = 0; i < count; i++) {
		if (state.root_fds[i] >= 0)
			close(state.root_fds[i]);
	}
	free(state.root_fds);
}
