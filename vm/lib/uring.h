/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * io_uring(7), one request at a time, for programs in the virtual machine.
 * matrix_test.c and repair_test.c include this.
 */
#ifndef UTF8VAL_VM_URING_H
#define UTF8VAL_VM_URING_H

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
	int fd;
	struct io_uring_sqe *sqes;
	uint32_t *sq_tail, *sq_mask, *sq_array;
	uint32_t *cq_head, *cq_tail, *cq_mask;
	struct io_uring_cqe *cqes;
} uring = { .fd = -1 };

/* Returns: 0 or a negative errno, as a kernel may have no io_uring. */
static inline int uring_start(void)
{
	struct io_uring_params params = { 0 };
	size_t sq_len, cq_len;
	char *sq, *cq;
	int fd = (int)syscall(SYS_io_uring_setup, 4, &params);

	if (fd < 0)
		return -errno;
	sq_len = params.sq_off.array + params.sq_entries * sizeof(uint32_t);
	cq_len = params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe);
	sq = mmap(NULL, sq_len, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		  IORING_OFF_SQ_RING);
	cq = mmap(NULL, cq_len, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		  IORING_OFF_CQ_RING);
	uring.sqes = mmap(NULL, params.sq_entries * sizeof(*uring.sqes),
			  PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQES);
	if (sq == MAP_FAILED || cq == MAP_FAILED || uring.sqes == MAP_FAILED)
		return -ENOMEM;
	uring.sq_tail = (uint32_t *)(sq + params.sq_off.tail);
	uring.sq_mask = (uint32_t *)(sq + params.sq_off.ring_mask);
	uring.sq_array = (uint32_t *)(sq + params.sq_off.array);
	uring.cq_head = (uint32_t *)(cq + params.cq_off.head);
	uring.cq_tail = (uint32_t *)(cq + params.cq_off.tail);
	uring.cq_mask = (uint32_t *)(cq + params.cq_off.ring_mask);
	uring.cqes = (struct io_uring_cqe *)(cq + params.cq_off.cqes);
	uring.fd = fd;
	return 0;
}

/* Carry out one request and wait for its result. */
static inline int uring_do(const struct io_uring_sqe *request)
{
	uint32_t tail = *uring.sq_tail, slot = tail & *uring.sq_mask;
	uint32_t head = *uring.cq_head;
	unsigned int submit = 1;
	int result;

	uring.sqes[slot] = *request;
	uring.sq_array[slot] = slot;
	__atomic_store_n(uring.sq_tail, tail + 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(uring.cq_tail, __ATOMIC_ACQUIRE) == head) {
		long done = syscall(SYS_io_uring_enter, uring.fd, submit, 1,
				    IORING_ENTER_GETEVENTS, NULL, 0);

		if (done < 0 && errno != EINTR)
			return -errno;
		if (done > 0)
			submit = 0;
	}
	result = uring.cqes[head & *uring.cq_mask].res;
	__atomic_store_n(uring.cq_head, head + 1, __ATOMIC_RELEASE);
	return result;
}

/* Make a request on one path or two. The field addr2 takes the second path. */
static inline int uring_paths(int op, const char *path, const char *path2)
{
	struct io_uring_sqe request = {
		.opcode = (uint8_t)op,
		.fd = AT_FDCWD,
		.addr = (uintptr_t)path,
		.off = (uintptr_t)path2,	/* in a union with addr2 */
	};

	if (path2 && op != IORING_OP_SYMLINKAT)
		request.len = (uint32_t)AT_FDCWD;	/* new directory */
	if (op == IORING_OP_MKDIRAT)
		request.len = 0755;
	return uring_do(&request);
}

static inline int uring_create(const char *path)
{
	struct io_uring_sqe request = {
		.opcode = IORING_OP_OPENAT,
		.fd = AT_FDCWD,
		.addr = (uintptr_t)path,
		.len = 0644,
		.open_flags = O_CREAT | O_EXCL | O_WRONLY,
	};
	int fd = uring_do(&request);

	return fd < 0 ? fd : close(fd);
}

#endif /* UTF8VAL_VM_URING_H */
