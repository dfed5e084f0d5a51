// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Superblocks, wherever they are mounted: set the mode of one, or walk over all. Every
 * subcommand that changes or lists modes calls it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/shared/guard_maps.h"
#include "guard.skel.h"
#include "guard_command.h"
#include "mount_table.h"
#include "pins.h"
#include "superblocks.h"
#include "print.h"

static int quiet(enum libbpf_print_level level, const char *format, va_list list)
{
	(void)level;
	(void)format;
	(void)list;
	return 0;
}

/*
 * Run the iterator over the files of this process alone: those of all processes are
 * as many as users care to open. The kernel looks the number up in this process's
 * own PID namespace.
 */
static int run(struct bpf_program *program)
{
	union bpf_iter_link_info own = { .task.pid = (__u32)getpid() };
	LIBBPF_OPTS(bpf_iter_attach_opts, options, .link_info = &own,
		    .link_info_len = sizeof(own));
	struct bpf_link *link = bpf_program__attach_iter(program, &options);
	char nothing[64];
	int iter, error = 0;

	if (!link)
		return -errno;
	iter = bpf_iter_create(bpf_link__fd(link));
	if (iter < 0)
		error = -errno;
	while (!error && read(iter, nothing, sizeof(nothing)) > 0)
		;
	if (iter >= 0)
		close(iter);
	bpf_link__destroy(link);
	return error;
}

/* Load one of the iterators, and no other program. Returns: 0 or a negative errno. */
static int load(struct guard *guard, const struct bpf_program *iterator, const int *maps)
{
	struct bpf_program *program;

	if (!verbose)
		libbpf_set_print(quiet);
	bpf_object__for_each_program(program, guard->obj)
		bpf_program__set_autoload(program, program == iterator);
	return pins_share_maps(guard->obj, maps, false) ? guard__load(guard) : -EINVAL;
}

int superblock_set(int fd, enum guard_mode mode, enum guard_source source, const int *maps)
{
	struct guard *guard = guard__open();
	int error;

	if (!guard)
		return -errno;
	guard->rodata->set_fd = (__u32)fd;
	guard->rodata->set_mode = mode;
	guard->rodata->set_source = source;
	error = load(guard, guard->progs.guard_set, maps);
	if (!error)
		error = run(guard->progs.guard_set);
	if (!error)
		error = guard->data->set_error == 1 ? -ENOENT : guard->data->set_error;
	guard__destroy(guard);
	return error;
}

/* Open all pinned maps, except one that is given. Returns: is each of them open? */
static bool open_maps(int maps[MAPS], int policy)
{
	bool good = true;

	for (int i = 0; i < MAPS; i++) {
		maps[i] = i == MAP_POLICY && policy >= 0 ? fcntl(policy, F_DUPFD_CLOEXEC, 0) :
							   pins_map((enum map)i);
		good = good && maps[i] >= 0;
	}
	return good;
}

static void close_maps(const int maps[MAPS])
{
	for (int i = 0; i < MAPS; i++)
		if (maps[i] >= 0)
			close(maps[i]);
}

/* Copy what the walk has seen. Returns: 0 or a negative errno. */
static int copy_seen(const struct guard *guard, __u32 count, struct guard_seen **list)
{
	int fd = bpf_map__fd(guard->maps.seen);

	*list = calloc(count + 1, sizeof(**list));
	if (!*list)
		return -ENOMEM;
	for (__u32 i = 0; i < count; i++) {
		if (bpf_map_lookup_elem(fd, &i, &(*list)[i])) {
			int error = -errno;

			free(*list);
			*list = NULL;
			return error;
		}
		(*list)[i].type[sizeof((*list)[i].type) - 1] = '\0';
		(*list)[i].subtype[sizeof((*list)[i].subtype) - 1] = '\0';
	}
	return 0;
}

/*
 * Walk once, with room for so many superblocks. Returns: how many there are, which may
 * be more than that, or a negative errno; -EAGAIN: the walk has lost its way.
 */
static long walk(enum guard_walk how, int fd, const int *maps, __u32 room,
		 struct guard_seen **list)
{
	struct guard *guard = guard__open();
	long result;

	if (!guard)
		return -errno;
	guard->rodata->set_fd = (__u32)fd;
	guard->rodata->walk_how = how;
	result = bpf_map__set_max_entries(guard->maps.seen, room);
	if (!result)
		result = load(guard, guard->progs.guard_walk_all, maps);
	if (!result)
		result = run(guard->progs.guard_walk_all);
	if (!result)
		result = guard->data->set_error ? -ENOENT : guard->bss->walk_whole ? 0 : -EAGAIN;
	if (!result && guard->bss->walk_count <= room)
		result = copy_seen(guard, guard->bss->walk_count, list);
	if (!result)
		result = guard->bss->walk_count;
	guard__destroy(guard);
	return result;
}

#define WALKS 20

long superblocks_walk(enum guard_walk how, int policy, struct guard_seen **list)
{
	int fd = open("/", O_PATH | O_CLOEXEC), maps[MAPS];
	bool good = open_maps(maps, policy);
	/* before it changes anything, it is seen for how many there has to be room */
	enum guard_walk now = GUARD_WALK_LOOK;
	__u32 room = 1024;
	long count = good ? -EAGAIN : -ENOENT;

	*list = NULL;
	for (int i = 0; good && i < WALKS; i++) {
		count = walk(now, fd, maps, room, list);
		if (count < 0 && count != -EAGAIN)
			break;
		if (count >= 0 && *list && now == how)
			break;
		/* some more, as there may be more of them by the next walk */
		if (count > (long)(room / 2))
			room = (__u32)count * 2;
		if (count >= 0 && *list)
			now = how;
		free(*list);
		*list = NULL;
	}
	if (count >= 0 && !*list)
		count = -EAGAIN;
	close_maps(maps);
	if (fd >= 0)
		close(fd);
	return count;
}

bool superblock_has_uuid(const struct guard_seen *seen)
{
	static const __u8 nothing[sizeof(seen->uuid)];

	/* tmpfs, devtmpfs, rootfs and overlay have a random one */
	return memcmp(seen->uuid, nothing, sizeof(nothing)) != 0 &&
	       !strstr(seen->type, "tmpfs") && strcmp(seen->type, "rootfs") != 0 &&
	       strcmp(seen->type, "overlay") != 0;
}

void superblock_name(struct text *text, char separator, const struct guard_seen *seen)
{
	unsigned int points = 0;
	size_t count;
	const struct mounted *mounts = mounts_once(&count);

	text_printf(text, "%u:%u%c", seen->dev >> 20, seen->dev & 0xFFFFF, separator);
	text_safe(text, seen->type);
	text_puts(text, *seen->subtype ? "." : "");
	text_safe(text, seen->subtype);
	text_add(text, &separator, 1);
	if (separator == '\t')
		text_printf(text, "%s\t", source_name(seen->source));
	if (superblock_has_uuid(seen))
		text_uuid(text, seen->uuid);
	else
		text_puts(text, "-");
	for (size_t i = 0; i < count; i++) {
		if (mounts[i].dev != seen->dev)
			continue;
		text_add(text, points++ ? " " : &separator, 1);
		text_safe(text, mounts[i].point);
		if (mounts[i].hidden)
			text_puts(text, " (hidden by another mount)");
	}
	if (!points)
		text_printf(text, "%c(not in this mount namespace)", separator);
}

void superblock_command(struct text *text, const char *command, const struct guard_seen *seen)
{
	size_t count;
	const struct mounted *mounts = mounts_once(&count);

	text_printf(text, ". Run: %s ", command);
	for (size_t i = 0; i < count; i++) {
		if (mounts[i].dev != seen->dev || mounts[i].hidden)
			continue;
		text_shell(text, mounts[i].point);
		return;
	}
	text_puts(text, "MOUNTPOINT");
}

void superblock_json(struct text *text, const struct guard_seen *seen)
{
	unsigned int points = 0;
	size_t count;
	const struct mounted *mounts = mounts_once(&count);

	text_printf(text, "\"mode\": \"%s\", \"dev\": \"%u:%u\", ", mode_name(seen->mode),
		    seen->dev >> 20, seen->dev & 0xFFFFF);
	text_json_string(text, "\"type\": ", seen->type, strlen(seen->type));
	text_member(text, ", \"subtype\": ", seen->subtype, strlen(seen->subtype));
	text_printf(text, ", \"uuid\": %s", superblock_has_uuid(seen) ? "\"" : "null");
	if (superblock_has_uuid(seen)) {
		text_uuid(text, seen->uuid);
		text_puts(text, "\"");
	}
	text_printf(text, ", \"source\": \"%s\", \"points\": [", source_name(seen->source));
	for (size_t i = 0; i < count; i++) {
		if (mounts[i].dev != seen->dev)
			continue;
		text_json(text, points++ ? ", {\"path\": " : "{\"path\": ", mounts[i].point,
			  strlen(mounts[i].point));
		text_printf(text, ", \"hidden\": %s}", mounts[i].hidden ? "true" : "false");
	}
	text_puts(text, "]");
}

void superblock_set_type(struct guard_seen *seen, const char *type)
{
	size_t len = strcspn(type, ".");

	snprintf(seen->type, sizeof(seen->type), "%.*s", (int)len, type);
	snprintf(seen->subtype, sizeof(seen->subtype), "%s", type[len] ? type + len + 1 : "");
}

void superblock_guess(int fd, struct guard_seen *seen)
{
	unsigned long long id = mount_of(fd);
	struct mount_table table = { 0 };

	while (mount_table_next(&table)) {
		if (table.mount.id != id)
			continue;
		seen->dev = table.mount.dev;
		superblock_set_type(seen, table.mount.type);
	}
}

const struct guard_seen *superblock_of(int fd, const struct guard_seen *list, long count)
{
	unsigned long long id = mount_of(fd);
	struct stat st;
	__u32 dev = 0;
	size_t mount_count;
	const struct mounted *mounts = mounts_once(&mount_count);

	for (size_t i = 0; i < mount_count; i++)
		if (mounts[i].id == id)
			dev = mounts[i].dev;
	/* only a mount that is attached nowhere, as a FUSE server may never answer this */
	if (!dev && !fstat(fd, &st))
		dev = major(st.st_dev) << 20 | minor(st.st_dev);
	for (long j = 0; j < count; j++)
		if (list[j].dev == dev)
			return &list[j];
	return NULL;
}
