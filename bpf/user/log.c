// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * log: print the names that were refused, or would be with enforce. The kernel
 * keeps the events that nobody has read yet; a reader removes them.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "guard_command.h"
#include "in_force.h"
#include "pins.h"
#include "utf8val.h"
#include "words.h"

/* of a longer name, so many bytes near the bad place are shown */
#define SHOWN 64
#define SHOWN_BEFORE 16

/* events that the kernel left out; not known before the first event */
static uint64_t missed_before;
static bool missed_known;
static volatile sig_atomic_t ended;

static void on_signal(int number)
{
	ended = number;
}

static const char *verb_of(const struct guard_event *event)
{
	if (event->kind == GUARD_RESTORED)
		return "restored by";
	return event->mode == GUARD_ENFORCE ? "refused" : "would refuse";
}

static void tell_bad_name(const struct guard_event *event, size_t room)
{
	size_t len = event->len < room ? event->len : room;
	struct utf8val_result where = utf8val_check(event->name, len);
	size_t from = 0;

	printf("utf8val: %s %s on %u:%u (%s)", verb_of(event), op_name(event->op),
	       event->dev >> 20, event->dev & 0xFFFFF, event->type);
	if (!event->len) {
		/* the name was in the memory of the program that called the ioctl */
		putchar('\n');
		return;
	}
	if (len > SHOWN && where.valid > SHOWN_BEFORE) {
		from = where.valid - SHOWN_BEFORE;
		if (from > len - SHOWN)
			from = len - SHOWN;
	}
	printf(": %s at byte %zu of %u; from byte %zu:",
	       utf8val_reason_name(where.reason), where.valid, event->len, from);
	for (size_t i = from; i < len && i < from + SHOWN; i++)
		printf(" %02x", event->name[i]);
	putchar('\n');
}

static const char *const bad_options[] = {
	[GUARD_NO_VALUE] = "utf8val= needs one of" UTF8VAL_MODE_WORDS,
	[GUARD_TWO_VALUES] = "utf8val= is given twice, with two values",
	[GUARD_NOT_TAKEN] =
		"utf8val= in mount(2) is not seen by this kernel for this file "
		"system: mount without it, then utf8val-guard set",
	[GUARD_CUTS_NAMES] = UTF8VAL_CUTS_NAMES,
	[GUARD_KERNEL_NAMES] = UTF8VAL_KERNEL_NAMES,
	[GUARD_NO_ROOM] = "utf8val= is on as many file systems as the guard has room for",
};

static int tell(void *unused, void *data, size_t size)
{
	const struct guard_event *event = data;

	(void)unused;
	if (size < sizeof(*event))
		return 0;
	if (event->missed > missed_before)
		printf("utf8val: %llu events are not shown%s\n",
		       (unsigned long long)(event->missed - missed_before),
		       missed_known ? "" : ", in all since the guard's start");
	/* an event of the other ring may be older */
	if (event->missed > missed_before)
		missed_before = event->missed;
	missed_known = true;
	switch (event->kind) {
	case GUARD_BAD_NAME:
	case GUARD_RESTORED:
		tell_bad_name(event, size - sizeof(*event));
		break;
	case GUARD_LOWERED:
		printf("utf8val: lowered from %s to %s on %u:%u (%s) by pid "
		       "%u\n", mode_name(event->op), mode_name(event->mode),
		       event->dev >> 20, event->dev & 0xFFFFF, event->type, event->pid);
		break;
	default:
		if (event->op < sizeof(bad_options) / sizeof(bad_options[0]))
			printf("utf8val: %s (pid %u)\n", bad_options[event->op],
			       event->pid);
	}
	return 0;
}

/* The pinned maps of events, as they were opened. */
struct source {
	struct ring_buffer *ring;
	__u32 id;	/* the map's number in the kernel */
	int fd, admin, lock;
};

/* how often it is checked that this map is still pinned, in milliseconds */
#define LOOK_EVERY 2000

static __u32 id_of(int fd)
{
	struct bpf_map_info info = { 0 };
	__u32 size = sizeof(info);

	return bpf_obj_get_info_by_fd(fd, &info, &size) ? 0 : info.id;
}

/* Returns: the number of the map that is pinned; 0: none is. */
static __u32 pinned_id(void)
{
	int fd = pins_map(MAP_EVENTS);
	__u32 id = fd < 0 ? 0 : id_of(fd);

	if (fd >= 0)
		close(fd);
	return id;
}

static void close_source(struct source *source)
{
	ring_buffer__free(source->ring);
	close(source->fd);
	if (source->admin >= 0)
		close(source->admin);
	close(source->lock);
	source->ring = NULL;
}

/*
 * Returns: is there a map to read? If not, errno is EWOULDBLOCK when another
 * program reads it, and EPROTO when a guard of another version has laid it out.
 * source->ring is NULL after a complaint.
 */
static bool open_source(struct source *source)
{
	source->lock = pins_lock_events();
	if (source->lock < 0)
		return false;
	source->fd = pins_map(MAP_EVENTS);
	if (source->fd < 0) {
		int error = errno;

		close(source->lock);
		errno = error;
		return false;
	}
	source->id = id_of(source->fd);
	source->ring = ring_buffer__new(source->fd, tell, NULL, NULL);
	source->admin = pins_map(MAP_ADMIN);
	if (source->ring && source->admin >= 0 &&
	    ring_buffer__add(source->ring, source->admin, tell, NULL)) {
		ring_buffer__free(source->ring);
		source->ring = NULL;
	}
	if (!source->ring)
		complain("the log cannot be read: %s", strerror(errno));
	missed_before = 0;
	missed_known = false;
	return true;
}

static bool going_on(void)
{
	struct pollfd out = { .fd = STDOUT_FILENO };

	fflush(stdout);
	/*
	 * Whoever read the output has ended, as head does. End now, as the next write would
	 * have this process end, and not with an event that another reader can still have.
	 */
	if (poll(&out, 1, 0) > 0 && out.revents & POLLERR)
		raise(SIGPIPE);
	return !ended && !ferror(stdout);
}

/* Returns: is there a map to read? With --follow, wait until there is. */
static bool wait_for_source(struct source *source)
{
	while (going_on()) {
		if (open_source(source))
			return true;
		usleep(LOOK_EVERY * 1000);
	}
	return false;
}

/* The guard was stopped: print its last events, then wait for the next guard. */
static void next_source(struct source *source)
{
	ring_buffer__consume(source->ring);
	close_source(source);
	complain("the guard was stopped; waiting for the next start");
	wait_for_source(source);
}

/* Open the first source. Returns: how that went, after a complaint if it failed. */
static int first_source(struct source *source, bool follow)
{
	if (open_source(source))
		return source->ring ? STATUS_GOOD : STATUS_TROUBLE;
	if (errno == ENOENT) {
		struct finding finding = in_force_without_pins(false);

		/* a guard whose pins cannot be seen from here will not show up later */
		follow &= finding.status == STATUS_BAD;
		complain("%s%s", finding.text, follow ? "; waiting for its start" : "");
		if (!follow)
			return finding.status;
		return wait_for_source(source) && source->ring ? STATUS_GOOD : STATUS_TROUBLE;
	}
	if (errno == EPROTO) {
		complain(OTHER_VERSION);
		return STATUS_TROUBLE;
	}
	if (errno != EWOULDBLOCK) {
		complain("the log cannot be read: %s", strerror(errno));
		return STATUS_TROUBLE;
	}
	complain("another program reads the log, as utf8val-guard-log.service "
		 "does for journalctl -t utf8val%s",
		 follow ? "; waiting for it to end" : "");
	return follow && wait_for_source(source) && source->ring ?
		       STATUS_GOOD : STATUS_TROUBLE;
}

int log_main(char **args)
{
	/* no SA_RESTART: the signal has to end a call that waits */
	struct sigaction action = { .sa_handler = on_signal };
	bool follow = *args && !strcmp(*args, "--follow");
	struct source source = { 0 };
	int status;

	if (*args && (!follow || args[1])) {
		complain("log takes --follow and nothing else");
		return STATUS_TROUBLE;
	}
	if (!is_root())
		return STATUS_TROUBLE;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	status = first_source(&source, follow);
	if (status != STATUS_GOOD)
		return ended ? STATUS_GOOD : status;
	ring_buffer__consume(source.ring);
	while (follow && going_on() && source.ring) {
		int count = ring_buffer__poll(source.ring, LOOK_EVERY);

		if (count < 0 && errno != EINTR) {
			complain("the log cannot be read: %s", strerror(errno));
			return STATUS_TROUBLE;
		}
		if (!count && pinned_id() != source.id)
			next_source(&source);
	}
	return source.ring || ended ? STATUS_GOOD : STATUS_TROUBLE;
}
