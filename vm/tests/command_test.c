// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What an administrator does in a kernel that has the LSM: look what is there,
 * audit, repair, enforce, and change their mind. Then names by the hundred
 * thousand, on which the kernel and the command must agree; and a journal on a
 * disk that is really full.
 *
 * Runs as root in the virtual machine, started with FS=none, /dev/vda being an
 * ext4 and /dev/vdb a vfat disk, with the command as /bin/utf8val.
 */
#include <dirent.h>
#include <stdint.h>
#include <sys/wait.h>

#include "fs.h"
#include "names.h"
#include "tap.h"

#define COMMAND "/bin/utf8val"
#define OUTPUT "/tmp/output"
#define JOURNAL "/tmp/journal"

/* Run the command, its output in the file OUTPUT. Returns: exit status. */
static int run(char *const argv[])
{
	pid_t child = fork();
	int status;

	if (!child) {
		int fd = open(OUTPUT, O_CREAT | O_TRUNC | O_WRONLY, 0600);

		dup2(fd, STDOUT_FILENO);
		dup2(fd, STDERR_FILENO);
		execv(COMMAND, argv);
		_exit(126);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) :
				   128 + WTERMSIG(status);
}

#define utf8val(...) run((char *[]){ "utf8val", __VA_ARGS__, NULL })

/* What the command printed, as a string that the caller frees. */
static char *output(size_t *len)
{
	int fd = open(OUTPUT, O_RDONLY);
	struct stat st;
	char *bytes;

	fstat(fd, &st);
	bytes = malloc((size_t)st.st_size + 1);
	*len = 0;
	while (*len < (size_t)st.st_size) {
		ssize_t got = read(fd, bytes + *len,
				   (size_t)st.st_size - *len);

		if (got <= 0)
			break;
		*len += (size_t)got;
	}
	close(fd);
	bytes[*len] = '\0';
	return bytes;
}

static void show_output(void)
{
	size_t len;
	char *bytes = output(&len);

	for (char *line = strtok(bytes, "\n"); line; line = strtok(NULL, "\n"))
		printf("# %s\n", line);
	free(bytes);
}

static bool said(const char *what)
{
	size_t len;
	char *bytes = output(&len);
	bool found = memmem(bytes, len, what, strlen(what));

	free(bytes);
	return found;
}

static void expect(int status, int want, const char *what)
{
	tap_is(status, want, "%s", what);
	if (status != want)
		show_output();
}

static int make_file(const char *dir, const char *name)
{
	return do_create(text_of("%s/%s", dir, name));
}

static bool has_file(const char *dir, const char *name)
{
	return there(text_of("%s/%s", dir, name));
}

static unsigned long count_files(const char *path)
{
	DIR *dir = opendir(path);
	unsigned long count = 0;

	while (dir && readdir(dir))
		count++;
	if (dir)
		closedir(dir);
	return count;
}

static bool all_bad_names(const char *dir)
{
	for (size_t i = 0; i < BAD_NAMES; i++) {
		if (!has_file(dir, bad_names[i].bytes))
			return false;
	}
	return true;
}

static void scenario(const char *fs, const char *device, const char *at)
{
	char dir[64];
	unsigned long before;

	if (do_mount(fs, device, at, "")) {
		tap(false, "%s: mount", fs);
		return;
	}
	printf("# %s\n", fs);
	snprintf(dir, sizeof(dir), "%s/caf\xE9", at);
	mkdir(dir, 0755);
	for (size_t i = 0; i < BAD_NAMES; i++)
		make_file(dir, bad_names[i].bytes);
	make_file(dir, "caf\xC3\xA9");
	tap(all_bad_names(dir), "%s: without the option, all names can be made",
	    fs);
	before = count_files(dir);

	expect(utf8val("scan", (char *)at), 1, "scan finds them");
	expect(utf8val("mount", (char *)at), 1, "mount: unchecked");

	tap_is(do_remount(at, "utf8val=audit"), 0, "remount with audit");
	expect(utf8val("mount", (char *)at), 1, "mount: audited, not enforced");
	tap(said("audit\t"), "... and it says so");
	tap_is(make_file(at, "a\xFF"), 0, "audit lets a bad name be made");

	expect(utf8val("fix", "--replace", (char *)at), 1,
	       "fix: a dry run leaves them");
	tap(all_bad_names(dir), "... as they were");
	tap_is(do_remount(at, "utf8val=enforce"), 0, "remount with enforce");
	tap_is(make_file(at, "b\xFF"), -EILSEQ, "the kernel refuses another");
	expect(utf8val("mount", (char *)at), 0, "mount: enforced");
	unlink(JOURNAL);
	expect(utf8val("fix", "--apply", "--replace", "--journal", JOURNAL,
		       (char *)at),
	       0, "fix --apply works where names are enforced");
	expect(utf8val("scan", (char *)at), 0, "scan finds no more");

	expect(utf8val("fix", "--undo", JOURNAL), 2,
	       "undo is refused while names are enforced");
	tap(said("utf8val=audit first"), "... and it says what to do");
	expect(utf8val("scan", (char *)at), 0, "... nothing has changed");
	tap_is(do_remount(at, "utf8val=audit"), 0, "remount with audit");
	expect(utf8val("fix", "--undo", JOURNAL), 0, "undo works then");
	tap(all_bad_names(dir) && count_files(dir) == before,
	    "every name is back, none is new");
	umount(at);
}

/*
 * vfat stores names as Unicode and shows them in the mount's charset, and
 * ignores case.
 */
static void on_vfat(void)
{
	if (do_mount("vfat", "/dev/vdb", "/vfat", "iocharset=iso8859-1")) {
		tap(false, "vfat: mount: %s", strerror(errno));
		return;
	}
	tap_is(make_file("/vfat", "caf\xE9"), 0, "vfat: a Latin-1 name");
	make_file("/vfat", "\xFF");
	expect(utf8val("scan", "/vfat"), 1, "vfat: scan finds it");
	unlink(JOURNAL);
	expect(utf8val("fix", "--apply", "--escape", "--journal", JOURNAL,
		       "/vfat"), 0, "vfat: fix");
	tap(has_file("/vfat", "caf%E9") && has_file("/vfat", "%FF"),
	    "vfat: renamed");
	expect(utf8val("fix", "--undo", JOURNAL), 0, "vfat: undo");
	tap(has_file("/vfat", "caf\xE9") && has_file("/vfat", "\xFF"),
	    "vfat: every name is back");
	umount("/vfat");
}

/* A tmpfs of a few pages, in which a journal does not fit. */
static void full_disk(void)
{
	unsigned long before;

	do_mount("tmpfs", "none", "/full", "size=16k");
	do_mount("tmpfs", "none", "/many", "");
	for (unsigned int i = 0; i < 2000; i++)
		do_create(text_of("/many/name-%04u-\xE9", i));
	before = count_files("/many");
	expect(utf8val("fix", "--apply", "--escape", "--batch", "50", "-q",
		       "--journal", "/full/journal", "/many"),
	       2, "full disk: fix stops");
	tap(said("No space left"), "... and says why");
	tap(count_files("/many") == before &&
	    has_file("/many", "name-0000-%E9") &&
	    has_file("/many", "name-1999-\xE9"),
	    "... some are renamed, some not, none is lost");
	expect(utf8val("fix", "-q", "--undo", "/full/journal"), 0,
	       "... undo gives back those that were");
	tap(count_files("/many") == before &&
	    has_file("/many", "name-0000-\xE9"), "... all of them");
	umount("/full");
	umount("/many");
}

/* Marsaglia's xorshift, for names that are the same in each run. */
static uint32_t draw(void)
{
	static uint32_t x = 3629;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return x;
}

#define NAMES 100000
#define NAME_ROOM 32

struct name {
	char bytes[NAME_ROOM];
	bool refused, listed;
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->bytes,
		      ((const struct name *)b)->bytes);
}

/*
 * Make a name of good and bad pieces of characters, most near the grammar's
 * edges.
 */
static void make_name(char *name)
{
	static const char *const pieces[] = {
		"a", "Z", "\xC3\xA9", "\xE4\xB8\x96", "\xF0\x9F\x98\x80",
		"\xED\x9F\xBF", "\xEE\x80\x80", "\xF4\x8F\xBF\xBF", "\xC2",
		"\xE0\xA0", "\xE0\x9F", "\xED\xA0\x80", "\xF0\x8F", "\xF0\x90",
		"\xF4\x90", "\xC0\x80", "\xC1", "\x80", "\xBF", "\xFE", "\xF5",
	};
	unsigned int count = 1 + draw() % 4;

	name[0] = '\0';
	for (unsigned int i = 0; i < count; i++) {
		char byte[2] = { (char)(1 + draw() % 255), '\0' };

		if (draw() % 4 == 0 && byte[0] != '/' && byte[0] != '.')
			strcat(name, byte);
		else
			strcat(name, pieces[draw() % ARRAY_SIZE(pieces)]);
	}
}

/* Does the kernel refuse exactly the names that the command lists? */
static void kernel_agrees(void)
{
	struct name *names = calloc(NAMES, sizeof(*names));
	unsigned long count = 0, refused = 0, strange = 0, differ = 0;
	char *bytes, *at;
	size_t len;

	do_mount("tmpfs", "none", "/guarded", "utf8val=enforce,nr_inodes=0");
	do_mount("tmpfs", "none", "/open", "nr_inodes=0");
	do_create("/guarded/0");
	do_create("/open/0");
	while (count < NAMES) {
		struct name *name = &names[count];

		make_name(name->bytes);
		/* link() fails if the same name was drawn before */
		if (link("/open/0", text_of("/open/%s", name->bytes)))
			continue;
		name->refused = link("/guarded/0", text_of("/guarded/%s", name->bytes)) &&
				errno == EILSEQ;
		refused += name->refused;
		strange += !name->refused && !has_file("/guarded", name->bytes);
		count++;
	}
	expect(utf8val("scan", "-0", "-q", "/guarded"), 0,
	       "agreement: what the kernel let pass, scan finds good");
	qsort(names, NAMES, sizeof(*names), compare_names);
	tap(strange == 0 && refused > NAMES / 4 && refused < NAMES,
	    "agreement: the kernel refused %lu of %u names", refused, NAMES);
	expect(run((char *[]){ "utf8val", "scan", "-0", "/open", NULL }), 1,
	       "agreement: scan lists the bad ones");
	bytes = output(&len);
	for (at = bytes; at < bytes + len && !strncmp(at, "/open/", 6);
	     at += strlen(at) + 1) {
		struct name key = { "", false, false }, *name;

		snprintf(key.bytes, sizeof(key.bytes), "%s", at + 6);
		name = bsearch(&key, names, NAMES, sizeof(*names),
			       compare_names);
		if (name && !name->listed)
			name->listed = true;
		else
			differ++;
	}
	free(bytes);
	for (size_t i = 0; i < NAMES; i++)
		differ += names[i].listed != names[i].refused;
	tap_is(differ, 0, "agreement: kernel and command differ on no name");
	free(names);
	umount("/guarded");
	umount("/open");
}

int main(void)
{
	expect(utf8val("mount"), 0, "mount: the kernel has the LSM");
	scenario("tmpfs", "tmpfs", "/t");
	scenario("ext4", "/dev/vda", "/e");
	on_vfat();
	full_disk();
	kernel_agrees();
	return tap_end();
}
