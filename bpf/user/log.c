// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val-guard log: prints the names that were refused, or would be with enforce. main.c
 * calls it. The kernel keeps the events that nobody has read yet; a reader removes them.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "guard_command.h"
#include "active.h"
#include "mount_table.h"
#include "pins.h"
#include "print.h"
#include "utf8val.h"

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

/* How events are printed. */
static enum form { FORM_TEXT, FORM_JSON, FORM_JOURNAL } form;

static const char *verb_of(const struct guard_event *event)
{
	if (event->kind == GUARD_RESTORED)
		return "restored by";
	return mode_refuses(event->mode) ? "refused" : "would refuse";
}

/*
 * Add the path by which a directory of the file system is seen here; nothing: it is not
 * known. @event: the names of its path, from the end.
 */
static void add_path(struct text *path, const struct guard_event *event)
{
	struct mount_table table = { 0 };
	text_auto inside = { 0 };
	size_t len;

	if (!event->dir || event->depth >= GUARD_DEPTH)
		return;
	for (__u32 i = event->depth; i-- > 0;) {
		/* a name that fills its place may be cut, and a cut path leads elsewhere */
		if (strnlen(event->path[i], GUARD_COMPONENT) >= GUARD_COMPONENT - 1)
			return;
		text_printf(&inside, "/%s", event->path[i]);
	}
	text_add(&inside, "", 1);
	while (mount_table_next(&table)) {
		const char *root = table.mount.root, *point = table.mount.point;

		len = strcmp(root, "/") ? strlen(root) : 0;
		if (table.mount.dev != event->dev || strncmp(inside.bytes, root, len) != 0 ||
		    (inside.bytes[len] && inside.bytes[len] != '/'))
			continue;
		/* the root of a mount on /srv is /srv, and one on / is / */
		text_puts(path, inside.bytes[len] && !strcmp(point, "/") ? "" : point);
		text_puts(path, inside.bytes + len);
		break;
	}
	mount_table_close(&table);
}

/*
 * "by smbd[812] uid 1003, in directory 12 /srv/scans", or without the path where it is unknown.
 * A user chooses program and path: neither can look like another number and user.
 */
static void tell_who(struct text *text, const struct guard_event *event, const char *path)
{
	text_puts(text, "by ");
	text_within(text, event->comm, " [");
	text_printf(text, "[%u] uid %u", event->pid, event->fsuid);
	if (event->uid != event->fsuid)
		text_printf(text, " (real %u)", event->uid);
	if (!event->dir)
		return;
	text_printf(text, ", in directory %llu%s", (unsigned long long)event->dir,
		    *path ? " " : "");
	text_within(text, path, "[");
}

static void tell_bad_name(struct text *text, const struct guard_event *event, size_t room,
			  const char *path)
{
	size_t len = event->len < room ? event->len : room;
	struct utf8val_result where = utf8val_check(event->name, len);
	size_t from = 0;

	text_printf(text, "%s %s on %u:%u (%s)", verb_of(event), op_name(event->op),
		    event->dev >> 20, event->dev & 0xFFFFF, event->type);
	/* there is no name where it was in the memory of the program that called the ioctl */
	if (event->len) {
		if (len > SHOWN && where.valid > SHOWN_BEFORE) {
			from = where.valid - SHOWN_BEFORE;
			if (from > len - SHOWN)
				from = len - SHOWN;
		}
		text_printf(text, ": %s at byte %zu of %u; from byte %zu:",
			    utf8val_reason_name(where.reason), where.valid, event->len, from);
		for (size_t i = from; i < len && i < from + SHOWN; i++)
			text_printf(text, " %02x", event->name[i]);
	}
	text_puts(text, "; ");
	tell_who(text, event, path);
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

/* Add the sentence of an event. */
static void tell_event(struct text *text, const struct guard_event *event, size_t room,
		       const char *path)
{
	switch (event->kind) {
	case GUARD_BAD_NAME:
	case GUARD_RESTORED:
		tell_bad_name(text, event, room, path);
		break;
	case GUARD_LOWERED:
		text_printf(text, "lowered from %s to %s on %u:%u (%s) by pid %u; ",
			    mode_name(event->op), mode_name(event->mode), event->dev >> 20,
			    event->dev & 0xFFFFF, event->type, event->pid);
		tell_who(text, event, "");
		break;
	default:
		if (event->op < sizeof(bad_options) / sizeof(bad_options[0]))
			text_printf(text, "%s (pid %u); ", bad_options[event->op], event->pid);
		tell_who(text, event, "");
	}
}

static const char *const kinds[] = {
	[GUARD_BAD_NAME] = "bad name", [GUARD_LOWERED] = "lowered",
	[GUARD_BAD_OPTION] = "bad option", [GUARD_RESTORED] = "restored",
};

static const char *kind_name(const struct guard_event *event)
{
	return event->kind < sizeof(kinds) / sizeof(kinds[0]) ? kinds[event->kind] : "unknown";
}

static void print_event_json(const struct guard_event *event, size_t room,
			     const struct text *sentence, const char *path)
{
	text_auto text = { 0 };

	text_printf(&text, "{\"kind\": \"%s\", ", kind_name(event));
	text_json_string(&text, "\"message\": ", sentence->bytes, sentence->len);
	text_json(&text, ", \"program\": ", event->comm, strlen(event->comm));
	text_printf(&text, ", \"pid\": %u, \"uid\": %u, \"fsuid\": %u, \"dev\": \"%u:%u\", "
		    "\"inode\": %llu, ", event->pid, event->uid, event->fsuid, event->dev >> 20,
		    event->dev & 0xFFFFF, (unsigned long long)event->dir);
	text_member(&text, "\"directory\": ", path, strlen(path));
	text_member(&text, ", \"name\": ", event->name, event->len <= room ? event->len : 0);
	text_puts(&text, "}\n");
	print_text(stdout, &text);
}

/*
 * Send an event to the journal, with fields. https://systemd.io/JOURNAL_NATIVE_PROTOCOL
 * Returns: was it sent?
 */
static bool send_to_journal(const struct guard_event *event, const struct text *sentence,
			    const char *path)
{
	static const struct sockaddr_un journal = { AF_UNIX, "/run/systemd/journal/socket" };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	text_auto text = { 0 };
	bool sent;

	/* what somebody else chooses is escaped, so that no field has a line's end */
	text_printf(&text, "MESSAGE=utf8val: %.*s\nPRIORITY=6\nSYSLOG_IDENTIFIER=utf8val\n"
		    "UTF8VAL_KIND=%s\nUTF8VAL_PID=%u\nUTF8VAL_UID=%u\nUTF8VAL_FSUID=%u\n"
		    "UTF8VAL_DEV=%u:%u\nUTF8VAL_INODE=%llu\nUTF8VAL_PROGRAM=",
		    (int)sentence->len, sentence->bytes, kind_name(event), event->pid, event->uid,
		    event->fsuid, event->dev >> 20, event->dev & 0xFFFFF,
		    (unsigned long long)event->dir);
	text_safe(&text, event->comm);
	text_puts(&text, "\nUTF8VAL_DIRECTORY=");
	text_safe(&text, path);
	text_puts(&text, "\n");
	sent = fd >= 0 && sendto(fd, text.bytes, text.len, MSG_NOSIGNAL,
				 (const struct sockaddr *)&journal, sizeof(journal)) ==
				 (ssize_t)text.len;
	if (fd >= 0)
		close(fd);
	return sent;
}

static int tell(void *unused, void *data, size_t size)
{
	struct guard_event *event = data;
	size_t room = size - sizeof(*event);
	text_auto sentence = { 0 }, path = { 0 };

	(void)unused;
	if (size < sizeof(*event))
		return 0;
	if (event->missed > missed_before && form != FORM_JSON)
		printf("utf8val: %llu events are not shown%s\n",
		       (unsigned long long)(event->missed - missed_before),
		       missed_known ? "" : ", in all since the guard's start");
	/* an event of the other ring may be older */
	if (event->missed > missed_before)
		missed_before = event->missed;
	missed_known = true;
	add_path(&path, event);
	text_add(&path, "", 1);
	tell_event(&sentence, event, room, path.bytes);
	if (form == FORM_JSON)
		print_event_json(event, room, &sentence, path.bytes);
	else if (form != FORM_JOURNAL || !send_to_journal(event, &sentence, path.bytes))
		printf("utf8val: %.*s\n", (int)sentence.len, sentence.bytes);
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
	 * The reader of the output has ended, as head does. End now, as the next write would
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
		struct finding finding = active_without_pins(false);

		/* a guard whose pins cannot be seen from here will not show up later */
		follow &= finding.status == STATUS_BAD;
		complain("%s", finding.text);
		if (follow)
			complain("waiting for its start");
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
	complain("another program reads the log: utf8val-guard-log.service, if it runs%s",
		 follow ? "; waiting for it to end" : ". Run: journalctl -t utf8val");
	return follow && wait_for_source(source) && source->ring ?
		       STATUS_GOOD : STATUS_TROUBLE;
}

int log_main(char **args)
{
	/* no SA_RESTART: the signal has to end a call that waits */
	struct sigaction action = { .sa_handler = on_signal };
	bool follow = false;
	struct source source = { 0 };
	int status;

	for (; *args; args++) {
		if (!strcmp(*args, "--follow"))
			follow = true;
		else if (!strcmp(*args, "--json"))
			form = FORM_JSON;
		else if (!strcmp(*args, "--journal"))
			form = FORM_JOURNAL;
		else
			return usage_error("log");
	}
	if (!is_root())
		return STATUS_TROUBLE;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	/* an event is removed from the kernel's memory only after its line was written */
	setlinebuf(stdout);
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
