/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * As much of the kernel's headers as kernel/lsm/options.c needs. That it says the
 * same as the kernel's own is trusted.
 */
#pragma once

#include "linux/types.h"

#define EINVAL 22
#define ENOPARAM 519

#define __aligned(bytes)
#define min(a, b) ((a) < (b) ? (a) : (b))

struct inode;
struct qstr;
struct security_hook_list;
struct seq_file;

struct list_head {
	struct list_head *next, *prev;
};

struct ratelimit_state {
	int interval;
};

struct super_block {
	void *s_security;
};

struct lsm_blob_sizes {
	int lbs_superblock;
};

struct fs_context {
	void *security;
};

enum fs_value_type {
	fs_value_is_undefined,
	fs_value_is_flag,
	fs_value_is_string,
};

struct fs_parameter {
	const char *key;
	enum fs_value_type type;
	char *string;
	size_t size;
};

/* A message to whoever mounts, or to the log, which reads its text. */
#define errorf(fc, format, text) ((void)*(text))
#define pr_warn_ratelimited(format, text) ((void)*(text))

size_t strlen(const char *s);

int memcmp(const void *a, const void *b, size_t n);

void *memmove(void *to, const void *from, size_t n);

int strcmp(const char *a, const char *b);
