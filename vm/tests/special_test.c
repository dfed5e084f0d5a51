// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Ways for names that bypass the usual system calls. One is POSIX message queues, whose
 * names are files that the kernel itself makes. The other is FUSE, where a server in
 * user space makes the names. vm/run.py runs this in a virtual machine.
 *
 * Runs as root, started with FS=none.
 */
#include <linux/fuse.h>
#include <mqueue.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "ways.h"

static int queue(const char *name)
{
	mqd_t queue = mq_open(name, O_CREAT | O_RDWR, 0600, NULL);

	if (queue < 0)
		return -errno;
	mq_close(queue);
	return 0;
}

static void test_mqueue(void)
{
	int result = do_mount("mqueue", "none", "/queues", "");

	if (result == -ENODEV) {
		tap_skip("no message queues in this kernel", "4: mq_open");
		return;
	}
	tap_is(result, 0, "2: mqueue, unset");
	tap_is(queue("/there\xFF"), 0, "2: mq_open of a bad name");
	tap_is(do_remount("/queues", "utf8val=enforce"), 0, "16: mqueue, enforce");
	tap_is(queue("/good\xC3\xA9"), 0, "4: mq_open of a good name");
	tap_is(queue("/there\xFF"), 0, "5: mq_open of what is there");
	for (size_t i = 0; i < BAD_NAMES; i++) {
		tap_is(queue(text_of("/%s", bad_names[i].bytes)), -EILSEQ,
		       "4: mq_open: %s", bad_names[i].kind);
		tap(!there(text_of("/queues/%s", bad_names[i].bytes)), "8: and is not there");
	}
	tap_is(mq_unlink("/there\xFF"), 0, "6: mq_unlink of a bad name");
	mq_unlink("/good\xC3\xA9");
	umount("/queues");
}

/*
 * A FUSE server with an empty root that agrees to anything. It counts in shared memory the
 * requests that make names, and shows one bad name.
 */
#define SERVED "served\xFF"
#define FOREVER 1000000	/* seconds for which an answer holds */

static void reply(int fd, uint64_t unique, int error, const void *data, size_t len)
{
	char out[4096];
	struct fuse_out_header header = {
		.len = (uint32_t)(sizeof(header) + len),
		.error = error,
		.unique = unique,
	};

	memcpy(out, &header, sizeof(header));
	memcpy(out + sizeof(header), data, len);
	if (write(fd, out, sizeof(header) + len) < 0)
		_exit(1);
}

static void serve(int fd, unsigned int *made_names)
{
	static char in[1 << 17];
	uint64_t next = 2;

	while (read(fd, in, sizeof(in)) > 0) {
		const struct fuse_in_header *header = (void *)in;
		const char *body = in + sizeof(*header);
		struct fuse_init_out init = {
			.major = FUSE_KERNEL_VERSION,
			.minor = FUSE_KERNEL_MINOR_VERSION,
			.max_write = 4096,
		};
		struct fuse_attr_out attr = { .attr = {
			.ino = header->nodeid,
			.mode = header->nodeid == FUSE_ROOT_ID ?
				S_IFDIR | 0755 : S_IFREG | 0644,
			.nlink = 1,
		} };
		/* what is made: a file, whose reply is longer, a directory or a link */
		uint32_t kind = header->opcode == FUSE_MKDIR ? S_IFDIR | 0755 :
				header->opcode == FUSE_SYMLINK ? S_IFLNK | 0777 :
								 S_IFREG | 0644;
		struct {
			struct fuse_entry_out entry;
			struct fuse_open_out open;
		} made = { .entry = { .nodeid = next, .attr = {
			.ino = next,
			.mode = kind,
			.nlink = 1,
		} } };
		uint64_t unique = header->unique;

		switch (header->opcode) {
		case FUSE_INIT:
			reply(fd, unique, 0, &init, sizeof(init));
			break;
		case FUSE_GETATTR:
			reply(fd, unique, 0, &attr, sizeof(attr));
			break;
		case FUSE_LOOKUP:
			if (strcmp(body, SERVED))
				reply(fd, unique, -ENOENT, NULL, 0);
			else
				reply(fd, unique, 0, &made, sizeof(made.entry));
			break;
		case FUSE_CREATE:
		case FUSE_MKDIR:
		case FUSE_SYMLINK:
			/* a directory that can be entered without another lookup */
			if (header->opcode == FUSE_MKDIR &&
			    !strcmp(body + sizeof(struct fuse_mkdir_in), "dir")) {
				made.entry.entry_valid = FOREVER;
				made.entry.attr_valid = FOREVER;
			}
			__atomic_add_fetch(made_names, 1, __ATOMIC_SEQ_CST);
			next++;
			reply(fd, unique, 0, &made, header->opcode == FUSE_CREATE ?
			      sizeof(made) : sizeof(made.entry));
			break;
		case FUSE_RENAME:
		case FUSE_RENAME2:
			__atomic_add_fetch(made_names, 1, __ATOMIC_SEQ_CST);
			reply(fd, unique, 0, NULL, 0);
			break;
		case FUSE_ACCESS:
		case FUSE_UNLINK:
		case FUSE_RMDIR:
		case FUSE_FLUSH:
		case FUSE_RELEASE:
			reply(fd, unique, 0, NULL, 0);
			break;
		case FUSE_FORGET:
		case FUSE_BATCH_FORGET:
		case FUSE_INTERRUPT:
			break;
		default:
			reply(fd, unique, -EOPNOTSUPP, NULL, 0);
		}
	}
	_exit(0);
}

static unsigned int how_many(const unsigned int *requests)
{
	return __atomic_load_n(requests, __ATOMIC_SEQ_CST);
}

static int rename_served(const char *name)
{
	return err(rename(SERVED, name));
}

static void test_fuse(const char *mode, int want)
{
	static const struct plain_way ways[] = {
		{ "create", do_create }, { "mkdir", do_mkdir },
		{ "symlink", enter_symlink }, { "rename", rename_served },
	};
	unsigned int *made = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	pid_t server;
	int status;

	if (fd < 0) {
		tap_skip("no FUSE in this kernel", "4: FUSE, %s", mode);
		return;
	}
	/* no server runs yet: a mount that asked it anything would wait */
	tap_is(do_mount("fuse", "none", "/fuse",
			text_of("fd=%d,rootmode=40755,user_id=0,group_id=0%s%s", fd,
				*mode ? ",utf8val=" : "", mode)), 0, "12: FUSE, %s", mode);
	fflush(stdout);
	server = fork();
	if (!server)
		serve(fd, made);
	close(fd);
	go("/fuse");
	for (int way = 0; way < 4; way++) {
		for (size_t i = 0; i < BAD_NAMES; i++) {
			unsigned int before = how_many(made);

			tap_is(ways[way].enter(bad_names[i].bytes), want,
			       "4: FUSE, %s, %s: %s", mode, ways[way].name,
			       bad_names[i].kind);
			tap_is(how_many(made) - before, !want,
			       "8: FUSE, %s: the server %s", mode,
			       want ? "never hears of it" : "is asked");
		}
		tap_is(ways[way].enter("good"), 0, "4: FUSE, %s, %s: good name", mode,
		       ways[way].name);
	}
	tap_is(err(mkdir("dir", 0755)), 0, "4: FUSE, a directory");
	for (size_t i = 0; i < BAD_NAMES; i++)
		tap_is(do_create(text_of("dir/%s", bad_names[i].bytes)), want,
		       "4: FUSE, %s, in it: %s", mode, bad_names[i].kind);
	tap(there(SERVED), "known way in: a bad name that the server makes");
	tap_is(err(unlink(SERVED)), 0, "6: it can be removed");
	go("/");
	umount2("/fuse", MNT_DETACH);
	kill(server, SIGKILL);
	waitpid(server, &status, 0);
	munmap(made, 4096);
}

int main(void)
{
	test_mqueue();
	test_fuse("enforce", -EILSEQ);
	test_fuse("audit", 0);
	test_fuse("off", 0);
	test_fuse("", 0);
	return tap_end();
}
