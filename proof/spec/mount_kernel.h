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

/*@ requires \exists integer n; 0 <= n && \valid_read(s + (0 .. n)) && s[n] == 0;
    terminates \true; assigns \result \from s[..];
    ensures \valid_read(s + (0 .. \result)) && s[\result] == 0;
    ensures \forall integer i; 0 <= i < \result ==> s[i] != 0; */
size_t strlen(const char *s);

/*@ requires \valid_read((char *)a + (0 .. n - 1));
    requires \valid_read((char *)b + (0 .. n - 1));
    terminates \true; assigns \result \from ((char *)a)[0 .. n - 1],
                                            ((char *)b)[0 .. n - 1];
    ensures \result == 0 <==> \forall integer i; 0 <= i < n ==>
      ((char *)a)[i] == ((char *)b)[i]; */
int memcmp(const void *a, const void *b, size_t n);

/*@ requires \valid((char *)to + (0 .. n - 1));
    requires \valid_read((char *)from + (0 .. n - 1));
    terminates \true; assigns ((char *)to)[0 .. n - 1], \result \from to;
    ensures \forall char *p; \base_addr(p) == \base_addr((char *)to) &&
      0 <= p - (char *)to < n ==> *p == \old(((char *)from)[p - (char *)to]); */
void *memmove(void *to, const void *from, size_t n);

/*@ terminates \true; assigns \result \from a[..], b[..]; */
int strcmp(const char *a, const char *b);
