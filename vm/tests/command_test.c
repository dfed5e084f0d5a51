// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * An administrator's work on a kernel with the option built in: scan, audit, repair,
 * enforce, and go back. Then the kernel and the command must agree on hundreds of
 * thousands of names. Last, a journal on a full disk. vm/run.py runs this in a virtual
 * machine.
 *
 * Runs as root in the virtual machine, started with FS=none. /dev/vda is an ext4 disk
 * and /dev/vdb a vfat disk. The command is /bin/utf8val.
 */
#include <stdint.h>

#include "command.h"
#include "fs.h"
#include "names.h"
#include "tap.h"

#define JOURNAL "/tmp/journal"
#define utf8val(...) run_program(COMMAND, __VA_ARGS__)

static void expect(int status, int want, const char *what)
{
	if (!tap_is(status, want, "%s", what))
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
	unsigned int before;

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
	tap(all_bad_names(dir), "%s: without the option, all names can be made", fs);
	before = entries(dir);

	expect(utf8val("scan", at), 1, "scan finds them");

	tap_is(do_remount(at, "utf8val=audit"), 0, "remount with audit");
	tap_is(make_file(at, "a\xFF"), 0, "audit lets a bad name be made");

	expect(utf8val("fix", "--rest=replace", at), 1, "fix: a dry run leaves them");
	tap(all_bad_names(dir), "... as they were");
	tap_is(do_remount(at, "utf8val=enforce"), 0, "remount with enforce");
	tap_is(make_file(at, "b\xFF"), -EILSEQ, "the kernel refuses another");
	unlink(JOURNAL);
	expect(utf8val("fix", "--apply", "--rest=replace", "--journal", JOURNAL, at), 0,
	       "fix --apply works where names are enforced");
	expect(utf8val("scan", at), 0, "scan finds no more");

	expect(utf8val("undo", JOURNAL), 2,
	       "undo is refused while names are enforced");
	tap(it_said("mount -o remount,utf8val=audit"), "... and it says what to do");
	expect(utf8val("scan", at), 0, "... nothing has changed");
	tap_is(do_remount(at, "utf8val=audit"), 0, "remount with audit");
	expect(utf8val("undo", JOURNAL), 0, "undo works then");
	tap(all_bad_names(dir) && entries(dir) == before,
	    "every name is back, none is new");
	umount(at);
}

/*
 * vfat stores names as Unicode and shows them in the mount's charset, and ignores case.
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
	expect(utf8val("fix", "--apply", "--rest=escape", "--journal", JOURNAL,
		       "/vfat"), 0, "vfat: fix");
	tap(has_file("/vfat", "caf%E9") && has_file("/vfat", "%FF"), "vfat: renamed");
	expect(utf8val("undo", JOURNAL), 0, "vfat: undo");
	tap(has_file("/vfat", "caf\xE9") && has_file("/vfat", "\xFF"),
	    "vfat: every name is back");
	umount("/vfat");
}

/* A tmpfs of a few pages, in which a journal does not fit. */
static void full_disk(void)
{
	unsigned int before;

	mount_tmpfs("/full", "size=16k");
	mount_tmpfs("/many", "");
	for (unsigned int i = 0; i < 2000; i++)
		do_create(text_of("/many/name-%04u-\xE9", i));
	before = entries("/many");
	expect(utf8val("fix", "--apply", "--rest=escape", "--batch", "50", "-q", "--journal",
		       "/full/journal", "/many"), 2, "full disk: fix stops");
	tap(it_said("No space left"), "... and says why");
	tap(entries("/many") == before && has_file("/many", "name-0000-%E9") &&
	    has_file("/many", "name-1999-\xE9"),
	    "... some are renamed, some not, none is lost");
	expect(utf8val("undo", "-q", "/full/journal"), 0,
	       "... undo gives back those that were");
	tap(entries("/many") == before &&
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
/* room for what scan lists, and a NUL more */
#define LISTED (NAMES * (NAME_ROOM + sizeof("/open/")) + 1)

struct name {
	char bytes[NAME_ROOM];
	bool refused, listed;
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->bytes, ((const struct name *)b)->bytes);
}

/* Make a name of good and bad pieces of characters, most near the grammar's edges. */
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
	static const char *const scan[] = { "scan", "-0", "/open", NULL };
	static char bytes[LISTED];
	const char *at;

	mount_tmpfs("/guarded", "utf8val=enforce,nr_inodes=0");
	mount_tmpfs("/open", "nr_inodes=0");
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
	expect(guard_run(COMMAND, scan, bytes, LISTED, false), 1,
	       "agreement: scan lists the bad ones");
	for (at = bytes; !strncmp(at, "/open/", 6); at += strlen(at) + 1) {
		struct name key = { "", false, false }, *name;

		snprintf(key.bytes, sizeof(key.bytes), "%s", at + 6);
		name = bsearch(&key, names, NAMES, sizeof(*names), compare_names);
		if (name && !name->listed)
			name->listed = true;
		else
			differ++;
	}
	for (size_t i = 0; i < NAMES; i++)
		differ += names[i].listed != names[i].refused;
	tap_is(differ, 0, "agreement: kernel and command differ on no name");
	free(names);
	umount("/guarded");
	umount("/open");
}

int main(void)
{
	scenario("tmpfs", "tmpfs", "/t");
	scenario("ext4", "/dev/vda", "/e");
	on_vfat();
	full_disk();
	kernel_agrees();
	return tap_end();
}
