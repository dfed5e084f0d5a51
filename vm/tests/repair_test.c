// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Repair under enforce: a file system that already has ill-formed names is mounted with
 * utf8val=enforce. These names can be listed, read, written, entered, removed and
 * renamed to good names, and nothing else. vm/run.py runs this in a virtual machine.
 *
 * Runs as root, started with FS=none; arguments as for matrix_test, /dev/vda
 * and on are the disks.
 */
#include "fs.h"
#include "names.h"
#include "tap.h"
#include "uring.h"

#define WHERE "/r"

/*
 * The working directory has these directories, and each of them has an entry
 * for every name. A file's content is the kind of its name.
 */
static const char *const folders[] = { "files", "dirs", "other", "again" };

static int plant(const char *name, const char *text)
{
	return do_create(name) ?: put(name, text);
}

static int plant_all(void)
{
	int failed = 0;

	for (size_t f = 0; f < ARRAY_SIZE(folders); f++)
		failed |= mkdir(folders[f], 0755);
	for (size_t i = 0; i < BAD_NAMES; i++) {
		const char *name = bad_names[i].bytes;

		failed |= plant(text_of("files/%s", name), bad_names[i].kind);
		failed |= mkdir(text_of("dirs/%s", name), 0755);
		failed |= plant(text_of("dirs/%s/inside", name), "x");
		failed |= plant(text_of("other/%s", name), "other");
		failed |= plant(text_of("again/%s", name), "again");
	}
	return failed;
}

static void test_file(const char *fs, const struct bad_name *bad, size_t number)
{
	const char *kind = bad->kind, *path = text_of("files/%s", bad->bytes);
	const char *to = text_of("other/%s", bad->bytes);
	const char *good = text_of("files/repaired%zu", number);
	char text[64];
	ssize_t len;
	int fd;

	tap(listed("files", bad->bytes), "6: %s, listed: %s", fs, kind);
	fd = open(path, O_RDWR);
	len = read(fd, text, sizeof(text));
	tap(len == (ssize_t)strlen(kind) && !memcmp(text, kind, (size_t)len),
	    "6: %s, read: %s", fs, kind);
	tap_is(write(fd, "more", 4), 4, "6: %s, written: %s", fs, kind);
	close(fd);
	fd = open(path, O_CREAT | O_RDWR, 0644);
	tap(fd >= 0, "5: %s, opened with O_CREAT: %s", fs, kind);
	close(fd);
	tap_is(err(truncate(path, 1)), 0, "6: %s, truncated: %s", fs, kind);
	tap_is(err(chmod(path, 0600)), 0, "6: %s, chmod: %s", fs, kind);

	tap_is(err(rename(path, text_of("%s+", path))), -EILSEQ,
	       "6: %s, to a bad name: %s", fs, kind);
	tap_is(err(rename(path, bad->bytes)), -EILSEQ,
	       "6: %s, to another directory: %s", fs, kind);
	tap_is(do_rename2(path, to, RENAME_NOREPLACE), -EEXIST,
	       "8: %s, NOREPLACE over a bad name: %s", fs, kind);
	tap_is(do_rename2(path, to, RENAME_EXCHANGE), 0,
	       "5: %s, exchanged with a bad name: %s", fs, kind);
	tap_is(err(rename(path, to)), 0, "5: %s, over a bad name: %s", fs, kind);
	tap_is(err(rename(to, good)), 0, "6: %s, to a good name: %s", fs, kind);
	tap(listed("files", good + 6) && !listed("other", bad->bytes),
	    "6: %s, and it has it: %s", fs, kind);
	tap_is(another_creates(to), -EILSEQ, "4: %s, the bad name is gone: %s", fs, kind);
}

static void test_directory(const char *fs, const struct bad_name *bad, size_t number)
{
	const char *kind = bad->kind, *path = text_of("dirs/%s", bad->bytes);
	const char *inside = text_of("%s/inside", path), *new = text_of("%s/new", path);

	tap(there(inside), "6: %s, directory entered: %s", fs, kind);
	tap_is(do_unlink(inside), 0, "6: %s, removal inside: %s", fs, kind);
	tap_is(do_create(new), 0, "6: %s, creation inside: %s", fs, kind);
	tap_is(do_create(text_of("%s/%s", path, bad->bytes)), -EILSEQ,
	       "6: %s, no bad name inside: %s", fs, kind);
	if (number & 1) {
		tap_is(err(rename(path, text_of("dirs/repaired%zu", number))), 0,
		       "6: %s, directory to a good name: %s", fs, kind);
		return;
	}
	unlink(new);
	tap_is(err(rmdir(path)), 0, "6: %s, rmdir: %s", fs, kind);
}

/* Remove every other name by io_uring, in kernels that have it. */
static void removal(const char *fs)
{
	for (size_t i = 0; i < BAD_NAMES; i++) {
		const char *path = text_of("again/%s", bad_names[i].bytes);

		if (uring.fd >= 0 && i & 1)
			tap_is(uring_paths(IORING_OP_UNLINKAT, path, NULL), 0,
			       "6: %s, io_uring unlinkat: %s", fs, bad_names[i].kind);
		else
			tap_is(err(unlink(path)), 0, "6: %s, unlink: %s", fs,
			       bad_names[i].kind);
	}
	tap_is(entries("again"), 0, "6: %s, all removed", fs);
}

static void repair(const char *fs, const char *device)
{
	tap_is(do_fsmount(fs, device, WHERE, ""), 0, "2: %s, unset", fs);
	go(WHERE);
	tap_is(plant_all(), 0, "2: %s, bad names are planted", fs);
	if (!on_disk(fs)) {
		tap_is(do_remount(WHERE, "utf8val=enforce"), 0, "16: %s, enforce", fs);
	} else {
		go("/");
		umount(WHERE);
		tap_is(do_fsmount(fs, device, WHERE, "utf8val=enforce"), 0,
		       "12: %s, enforce", fs);
		go(WHERE);
	}
	tap_is(entries("files"), BAD_NAMES, "6: %s, all are listed", fs);
	for (size_t i = 0; i < BAD_NAMES; i++) {
		test_file(fs, &bad_names[i], i);
		test_directory(fs, &bad_names[i], i);
	}
	removal(fs);
	tap_is(entries("files"), BAD_NAMES, "6: %s, no file was lost", fs);
	go("/");
	umount(WHERE);
}

int main(int argc, char **argv)
{
	uring_start();
	on_each(argv + (argc > 0), repair);
	return tap_end();
}
