// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The path matrix: every way for a name into a directory, on every file system, in
 * every mode, with every kind of name. Mounts use mount(2) and fsmount(2). vm/run.py
 * runs this in a virtual machine.
 *
 * The result of each name without a mode is measured first. It has to be the same with
 * off and audit. With enforce each ill-formed name must fail with EILSEQ, and leave
 * nothing behind. A point is one way on one mount, with all names; each cell that fails
 * has its own line. A point's name begins with the rules it tests, where it tests any.
 *
 * Runs as root, started with FS=none and file systems as arguments: tmpfs, ext4, xfs,
 * btrfs, vfat, upper or overlay. Both upper and overlay are overlayfs: the mode is set
 * on the upper layer (upper) or on overlayfs itself (overlay). /dev/vda and on are the
 * disks, in the order of the arguments that need one.
 */
#include <dirent.h>
#include <linux/openat2.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include "bpf/shared/modes.h"
#include "uring.h"
#include "ways.h"

#define WHERE "/m"

struct name {
	const char *kind, *bytes;
	bool bad;
	size_t len;	/* of a long name, which ends with these bytes; otherwise 0 */
};

static const struct name more_names[] = {
	{ "good, ASCII", "plain.txt", false, 0 },
	{ "good, 2, 3 and 4 bytes",
	  "\xC3\xA9\xE4\xBD\xA0\xF0\x9F\x98\x80", false, 0 },
	{ "good, 255 bytes", "\xE4\xBD\xA0", false, NAME_MAX },
	{ "255 bytes, cut mid-character", "\xF0\x9F\x98", true, NAME_MAX },
	{ "over-long, good", "n", false, 300 },
	{ "over-long, bad", "\xFF", true, 300 },
};

#define NAMES (BAD_NAMES + ARRAY_SIZE(more_names))

/* The name of this number, until the next call. */
static struct name name_at(size_t i)
{
	struct name name;

	if (i < BAD_NAMES)
		return (struct name){ bad_names[i].kind, bad_names[i].bytes,
				      true, 0 };
	name = more_names[i - BAD_NAMES];
	if (name.len)
		name.bytes = name_of(name.len, name.bytes);
	return name;
}

/*
 * More ways than those of ways.h by which a name enters the working directory, which has
 * "seed" to link to, and "moving" to rename.
 */

static int close_new(int fd)
{
	return fd < 0 ? -errno : err(close(fd));
}

static int by_open(const char *name)
{
	return close_new(open(name, O_CREAT | O_WRONLY, 0644));
}

static int by_openat2(const char *name)
{
	struct open_how how = { .flags = O_CREAT | O_WRONLY, .mode = 0644 };

	return close_new((int)syscall(SYS_openat2, AT_FDCWD, name, &how, sizeof(how)));
}

static int by_creat(const char *name)
{
	return close_new(creat(name, 0644));
}

static int by_mknod_device(const char *name)
{
	return err(mknod(name, S_IFCHR | 0600, makedev(1, 3)));
}

static int link_open(int fd, const char *name)
{
	int result = fd < 0 ? -errno : err(linkat(fd, "", AT_FDCWD, name, AT_EMPTY_PATH));

	close(fd);
	return result;
}

static int by_linkat_empty_path(const char *name)
{
	return link_open(open("seed", O_RDONLY | O_CLOEXEC), name);
}

static int by_tmpfile(const char *name)
{
	return link_open(open(".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0644), name);
}

static int by_bind(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int result;

	memcpy(address.sun_path, name, strlen(name) + 1);
	result = err(bind(fd, (struct sockaddr *)&address, sizeof(address)));
	close(fd);
	return result;
}

/* A way is a function, a rename with flags, or an operation of io_uring. */
struct way {
	const char *name;
	int (*enter)(const char *name);
	unsigned int flags;
	int operation;
	const char *first;	/* the path that the operation takes before the name */
	size_t longest;		/* the longest name that this way can take, or 0 */
};

static const struct way ways[] = {
	{ "open O_CREAT", .enter = by_open },
	{ "openat2", .enter = by_openat2 },
	{ "creat", .enter = by_creat },
	{ "mkdir", .enter = do_mkdir },
	{ "mknod fifo", .enter = enter_mknod },
	{ "mknod device", .enter = by_mknod_device },
	{ "symlink", .enter = enter_symlink },
	{ "link", .enter = enter_link },
	{ "linkat AT_EMPTY_PATH", .enter = by_linkat_empty_path },
	{ "O_TMPFILE, linkat", .enter = by_tmpfile },
	{ "rename", .enter = enter_rename },
	{ "renameat2 NOREPLACE", .flags = RENAME_NOREPLACE },
	{ "renameat2 EXCHANGE", .flags = RENAME_EXCHANGE },
	{ "renameat2 WHITEOUT", .flags = RENAME_WHITEOUT },
	{ "bind AF_UNIX", .enter = by_bind,
	  .longest = sizeof(((struct sockaddr_un *)NULL)->sun_path) - 1 },
	{ "io_uring openat", .enter = uring_create },
	{ "io_uring mkdirat", .operation = IORING_OP_MKDIRAT },
	{ "io_uring renameat", .operation = IORING_OP_RENAMEAT, .first = "moving" },
	{ "io_uring linkat", .operation = IORING_OP_LINKAT, .first = "seed" },
	{ "io_uring symlinkat", .operation = IORING_OP_SYMLINKAT, .first = "anywhere" },
};

static int enter(const struct way *way, const char *name)
{
	if (way->enter)
		return way->enter(name);
	if (way->flags)
		return do_rename2("moving", name, way->flags);
	return uring_paths(way->operation, way->first ? way->first : name,
			   way->first ? name : NULL);
}

#define WAYS ARRAY_SIZE(ways)

/*
 * The operations that a file system does not have for any name, and their error; some
 * exist since a later version of Linux. To exchange with a name that does not exist is
 * ENOENT everywhere.
 */
struct cannot {
	const char *fs, *way;
	int error;
	unsigned int until;	/* 1000 * major + minor; 0: no limit */
};

static const struct cannot cannots[] = {
	{ NULL, "renameat2 EXCHANGE", -ENOENT, 0 },
	{ "vfat", "mknod fifo", -EPERM, 0 },
	{ "vfat", "mknod device", -EPERM, 0 },
	{ "vfat", "symlink", -EPERM, 0 },
	{ "vfat", "link", -EPERM, 0 },
	{ "vfat", "linkat AT_EMPTY_PATH", -EPERM, 0 },
	{ "vfat", "O_TMPFILE, linkat", -EOPNOTSUPP, 0 },
	{ "vfat", "renameat2 WHITEOUT", -EINVAL, 0 },
	{ "vfat", "bind AF_UNIX", -EPERM, 0 },
	{ "vfat", "io_uring linkat", -EPERM, 0 },
	{ "vfat", "io_uring symlinkat", -EPERM, 0 },
	{ "upper", "O_TMPFILE, linkat", -EOPNOTSUPP, 6003 },
	{ "overlay", "O_TMPFILE, linkat", -EOPNOTSUPP, 6003 },
	{ "upper", "renameat2 WHITEOUT", -EINVAL, 0 },
	{ "overlay", "renameat2 WHITEOUT", -EINVAL, 0 },
};

static int cannot(const char *fs, const char *way)
{
	for (size_t i = 0; i < ARRAY_SIZE(cannots); i++)
		if ((!cannots[i].until || linux_now() < cannots[i].until) &&
		    (!cannots[i].fs || !strcmp(cannots[i].fs, fs)) &&
		    !strcmp(cannots[i].way, way))
			return cannots[i].error;
	return 0;
}

/*
 * Print the names that should not be in the directory, as one line of
 * hexadecimal. Returns: how many there are.
 */
static unsigned int strays(void)
{
	DIR *dir = opendir(".");
	struct dirent *entry;
	unsigned int count = 0;

	while (dir && (entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
		    !strcmp(entry->d_name, "seed") || !strcmp(entry->d_name, "moving") ||
		    !strcmp(entry->d_name, "lost+found"))
			continue;
		printf("# stray:");
		for (const char *c = entry->d_name; *c; c++)
			printf(" %02x", (unsigned char)*c);
		printf("\n");
		count++;
	}
	if (dir)
		closedir(dir);
	else
		printf("# opendir: %s\n", strerror(errno));
	return count + !dir;
}

static unsigned long cells, cells_failed, cells_off_limits;

/*
 * Is a result right? On a mount without the option, which @none says, @error is
 * what the operation gives for any name on this file system. Elsewhere the
 * result must be what the mount without the option gave, or EILSEQ.
 */
static bool is_right(const struct name *name, int got, int unmarked, int error,
		     bool none, bool enforce)
{
	bool too_long = strlen(name->bytes) > NAME_MAX;

	if (none && too_long)
		return got == -ENAMETOOLONG || (error && got == error);
	if (none)
		return got == error || (name->bad && !error);
	/*
	 * Where the file system looks the name up first, or cannot do the
	 * operation, its error comes before EILSEQ.
	 */
	if (enforce && name->bad)
		return got == -EILSEQ || (got == unmarked && (too_long || error));
	return got == unmarked;
}

/* Test the cells of one mount; unmarked is what to expect if nothing is refused. */
static void test_mount(const char *fs, const char *how, const char *mode,
		       int unmarked[WAYS][NAMES])
{
	bool none = !strcmp(mode, "none");
	bool enforce = !strcmp(mode, "enforce");
	const char *rule = enforce ? "4, 8, 10" : !strcmp(mode, "audit") ? "9" : "2";
	unsigned long before_failed;
	struct counts before = read_counts(), after;
	unsigned long refused = 0;

	for (size_t w = 0; w < WAYS; w++) {
		const struct way *way = &ways[w];
		int error = cannot(fs, way->name);

		before_failed = cells_failed;
		if (!strncmp(way->name, "io_uring", 8) && uring.fd < 0) {
			tap_skip("no io_uring in this kernel", "%s: %s, %s, %s: %s",
				 rule, fs, how, mode, way->name);
			continue;
		}
		for (size_t n = 0; n < NAMES; n++) {
			const struct name name = name_at(n);
			size_t len = strlen(name.bytes);
			int got, want;
			bool ok;

			if (way->longest && len > way->longest) {
				cells_off_limits++;
				continue;
			}
			do_create("seed");
			do_create("moving");
			got = enter(way, name.bytes);
			if (none)
				unmarked[w][n] = got;
			want = unmarked[w][n];
			ok = is_right(&name, got, want, error, none, enforce) &&
			     there(name.bytes) == !got;
			if (enforce && name.bad && !error && len <= NAME_MAX)
				want = -EILSEQ;
			refused += got == -EILSEQ;
			cells++;
			if (!ok) {
				cells_failed++;
				printf("# cell %s, %s, %s, %s, %s: %d, not %d; %sthere\n",
				       fs, how, mode, way->name, name.kind, got,
				       want, there(name.bytes) ? "" : "not ");
			}
			if (unlink(name.bytes))
				rmdir(name.bytes);
			if (!got)
				unlink("moving");	/* or a whiteout */
		}
		tap(cells_failed == before_failed, "%s: %s, %s, %s: %s", rule, fs, how,
		    mode, way->name);
	}
	tap(!strays(), "%s, %s, %s: nothing left behind", fs, how, mode);

	unlink("seed");
	unlink("moving");
	if (!guarded())
		return;
	after = read_counts();
	after.bad -= before.bad;
	after.denied -= before.denied;
	if (enforce)
		tap(after.bad >= refused && after.denied == after.bad,
		    "9: %s, %s: refusals are counted", fs, how);
	else if (!strcmp(mode, "audit"))
		tap(after.bad && !after.denied,
		    "9: %s, %s: audit counts and denies nothing", fs, how);
	else
		tap(!after.bad, "2: %s, %s: %s counts nothing", fs, how, mode);
}

static const struct {
	const char *name;
	mount_fn mount;
} hows[] = {
	{ "mount(2)", do_mount },
	{ "fsopen", do_fsmount },
};

#define WORD(id, word, ...) #word,
static const char *const modes[] = { "none", UTF8VAL_MODE_LIST(WORD, WORD) };

/* Mount what is to be tested on WHERE. */
static int set_up(const char *fs, const char *device, mount_fn do_it, const char *mode)
{
	bool upper = !strcmp(fs, "upper"), overlay = !strcmp(fs, "overlay");
	const char *option = strcmp(mode, "none") ? text_of("utf8val=%s", mode) : "";
	int result;

	if (!upper && !overlay)
		return do_it(fs, device, WHERE, option);

	do_mount("tmpfs", "lower", "/lower", "");
	do_create("/lower/below");
	result = do_it("tmpfs", "layers", "/layers", upper ? option : "");
	if (result)
		return result;
	mkdir("/layers/upper", 0755);
	mkdir("/layers/work", 0755);
	return do_it("overlay", "overlay", WHERE,
		     text_of("lowerdir=/lower,upperdir=/layers/upper,workdir=/layers/work%s%s",
			     overlay && *option ? "," : "", overlay ? option : ""));
}

static void take_down(void)
{
	go("/");
	if (umount(WHERE))
		tap(false, "umount: %s", strerror(errno));
	umount("/layers");
	umount("/lower");
}

static void file_system(const char *fs, const char *device)
{
	static int unmarked[WAYS][NAMES];

	for (size_t h = 0; h < ARRAY_SIZE(hows); h++) {
		for (size_t m = 0; m < ARRAY_SIZE(modes); m++) {
			int result = set_up(fs, device, hows[h].mount, modes[m]);

			tap_is(result, 0, "12: %s, %s, %s: mounts", fs,
			       hows[h].name, modes[m]);
			if (result)
				continue;
			/* an overlay's root is merged, as is wanted here */
			go(WHERE);
			if (!strcmp(fs, "overlay") || !strcmp(fs, "upper")) {
				mkdir("fresh", 0755);
				go("fresh");
			}
			test_mount(fs, hows[h].name, modes[m], unmarked);
			take_down();
		}
	}
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: matrix_test FILE-SYSTEM...\n");
		return 2;
	}
	uring_start();
	on_each(argv + 1, file_system);
	printf("# %lu cells, %lu failed; %lu that the interface cannot express\n",
	       cells, cells_failed, cells_off_limits);
	return tap_end();
}
