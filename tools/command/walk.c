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
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "command.h"

/* entries read in one call; larger buffers were not faster */
#define READ_BYTES (64 * 1024)
/* descriptors left for everything else */
#define SPARE_FDS 64

struct state {
	struct walk *walk;
	pthread_mutex_t lock;
	pthread_cond_t work;		/* directories to read, or the end */
	pthread_cond_t done;		/* for the main thread */
	size_t count;			/* of roots */
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
	/* others may be opening a root's descendants through it */
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
		if (d->id.ino == dir->id.ino && d->id.dev == dir->id.dev)
			return true;
	}
	return false;
}

/* What has been opened must be what was looked at: mounts come and go. */
static int identify(int fd, struct walk_dir *dir, const struct statx *seen)
{
	const struct walk_dir *parent = dir->parent;
	int error = identity_get(fd, "", &dir->id);

	if (error)
		return error;
	dir->id.lasting = parent && parent->id.dev == dir->id.dev ?
				  parent->id.lasting :
				  identity_lasts(fd);
	if (dir->id.dev != makedev(seen->stx_dev_major, seen->stx_dev_minor) ||
	    (dir->id.lasting && dir->id.ino != seen->stx_ino))
		error = ESTALE;
	return error;
}

static bool is_other_device(const struct walk_dir *parent,
			    const struct statx *st)
{
	return (st->stx_attributes & STATX_ATTR_AUTOMOUNT) ||
	       parent->id.dev != makedev(st->stx_dev_major, st->stx_dev_minor);
}

/* Open a directory taken from the list; -1 when it is not to be read. */
static int open_dir(struct state *state, struct walk_dir *dir)
{
	struct walk *walk = state->walk;
	struct walk_dir *parent = dir->parent;
	bool follow = walk->follow || !parent;
	struct statx st;
	int at = AT_FDCWD;
	int fd = -1, error = 0;

	if (parent)
		at = parent->fd >= 0 ? parent->fd :
				       walk_open(parent, walk->follow);
	if ((parent && at < 0) || stat_entry(at, dir->name, follow, &st)) {
		error = errno;
		goto out;
	}
	if (parent && !walk->cross && is_other_device(parent, &st))
		goto out;
	fd = openat(at, dir->name, WALK_OPEN_FLAGS | (follow ? 0 : O_NOFOLLOW));
	error = fd < 0 ? errno : identify(fd, dir, &st);
	if (!error && walk->follow && is_loop(dir))
		error = ELOOP;
out:
	if (error) {
		walk_trouble(walk, dir, NULL, 0, error);
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
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

	if (walk->exclude_count &&
	    walk_excludes(walk, visit->dir, entry->d_name, len))
		return;
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
	if (type == DT_DIR &&
	    (!walk->limited || visit->dir->depth + 1 < walk->max_depth)) {
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

/* Unless descriptors are short: it can be opened again. */
static void keep_open(struct state *state, struct walk_dir *dir, int fd)
{
	if (atomic_fetch_sub(&state->spare_fds, 1) > 0) {
		dir->fd = fd;
	} else {
		atomic_fetch_add(&state->spare_fds, 1);
		close(fd);
	}
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

/*
 * A root's own name is an entry of the directory above, which is a root of its
 * own: only this one entry of it is met. False when that is all there is.
 */
static bool visit_own_name(struct state *state, struct walk_dir *root,
			   void **thread_data)
{
	struct walk *walk = state->walk;
	struct walk_visit visit = { .walk = walk, .thread_data = *thread_data };
	size_t begin = root->len;
	bool is_dir = true;
	struct statx st;
	char *name;
	int error;

	while (begin && root->name[begin - 1] != '/')
		begin--;
	name = must(strdup(root->name + begin));
	/* "/", "." and "a/.." are no names */
	if (!*name || is_dots(name))
		goto out;
	visit.dir = walk_new(NULL, root->name, begin > 1 ? begin - 1 : begin);
	visit.dir->root = root->root + state->count;
	visit.fd = open(begin ? visit.dir->name : ".",
			O_PATH | O_DIRECTORY | O_CLOEXEC);
	error = visit.fd < 0 ? errno : identity_get(visit.fd, "",
						    &visit.dir->id);
	if (!error && stat_entry(visit.fd, name, false, &st))
		error = errno;
	if (error) {
		walk_trouble(walk, root, NULL, 0, error);
		is_dir = false;
	} else {
		visit.dir->id.lasting = identity_lasts(visit.fd);
		walk->entry(&visit, name, strlen(name),
			    (unsigned char)IFTODT(st.stx_mode));
		if (walk->leave)
			walk->leave(&visit);
		if (S_ISLNK(st.stx_mode) &&
		    stat_entry(visit.fd, name, true, &st))
			is_dir = false;
		is_dir = is_dir && S_ISDIR(st.stx_mode);
		atomic_fetch_add(&walk->entries, !is_dir);
	}
	if (visit.fd >= 0)
		close(visit.fd);
	*thread_data = visit.thread_data;
	walk_unref(visit.dir);
out:
	free(name);
	return is_dir;
}

static void visit_dir(struct state *state, struct walk_dir *dir, char *buffer,
		      void **thread_data)
{
	struct walk_visit visit = { .walk = state->walk, .dir = dir };
	struct walk_dir *found;

	if (!dir->depth && state->walk->own_names &&
	    !visit_own_name(state, dir, thread_data))
		return;
	if (state->walk->limited && !state->walk->max_depth)
		return;
	visit.fd = open_dir(state, dir);
	if (visit.fd < 0)
		return;
	visit.thread_data = *thread_data;
	atomic_fetch_add_explicit(&state->walk->dirs, 1, memory_order_relaxed);
	found = read_dir(&visit, buffer);
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
		.count = count,
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
}
