/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * For the tests of the policy: write and apply the file, make a bad name.
 * guard_policy_test.c and five other tests include this.
 */
#ifndef UTF8VAL_VM_POLICY_H
#define UTF8VAL_VM_POLICY_H

#include "command.h"
#include "fs.h"
#include "tap.h"

#define CONF "/etc/utf8val.conf"
/* where ext2 to ext4 have their UUID: in the superblock, which is 1024 bytes from the start */
#define UUID_AT (1024 + 0x68)

static char uuid[37];
static unsigned char uuid_bytes[16];

static inline void read_uuid(void)
{
	int fd = open("/dev/vda", O_RDONLY | O_CLOEXEC);
	char *to = uuid;

	tap(pread(fd, uuid_bytes, sizeof(uuid_bytes), UUID_AT) == sizeof(uuid_bytes),
	    "policy: the disk's UUID");
	for (int i = 0; i < 16; i++)
		to += sprintf(to, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			      uuid_bytes[i]);
	close(fd);
}

static inline void conf(const char *text)
{
	int fd = open(CONF, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);

	if (write(fd, text, strlen(text)) < 0)
		printf("Bail out! %s: %s\n", CONF, strerror(errno));
	close(fd);
}

/* Write the file and apply it. Returns: the exit status. */
static inline int apply(const char *text)
{
	conf(text);
	return run("apply");
}

static inline int make_bad(const char *dir)
{
	int result = another_creates(text_of("%s/" BAD, dir));

	unlink(text_of("%s/" BAD, dir));
	return result;
}

#endif /* UTF8VAL_VM_POLICY_H */
