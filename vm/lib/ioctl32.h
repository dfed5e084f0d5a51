/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * An ioctl as a 32-bit program makes it. Such programs have a system call of
 * their own, which takes another way through the kernel and calls another hook.
 */
#ifndef UTF8VAL_VM_IOCTL32_H
#define UTF8VAL_VM_IOCTL32_H

#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __x86_64__

/* A page of memory whose address fits into 32 bits. */
static inline void *low_page(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
}

static inline long interrupt_0x80(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("int $0x80" : "=a"(result) : "0"(number), "b"(a), "c"(b), "d"(c)
			 : "memory", "r8", "r9", "r10", "r11");
	return (int)result;
}

/*
 * The interrupt is the system call of 32-bit programs. A kernel without them
 * makes it an error of the processor's, which is a signal.
 */
static inline int has_32_bits(void)
{
	const long getpid_32 = 20;
	pid_t child = fork();
	int status;

	if (!child)
		_exit(interrupt_0x80(getpid_32, 0, 0, 0) != getpid());
	return waitpid(child, &status, 0) == child && !status;
}

/*
 * Make the ioctl; @argument lies in low_page(). Returns: 0 or a negative errno,
 * of which -ENODEV says that this kernel has no 32-bit programs.
 */
static inline long ioctl_of_32_bits(int fd, unsigned int command, void *argument)
{
	const long ioctl_32 = 54;

	if (!has_32_bits())
		return -ENODEV;
	return interrupt_0x80(ioctl_32, fd, (int)command, (long)argument);
}

#else

static inline void *low_page(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static inline long ioctl_of_32_bits(int fd, unsigned int command, void *argument)
{
	(void)fd;
	(void)command;
	(void)argument;
	return -ENODEV;
}

#endif

#endif /* UTF8VAL_VM_IOCTL32_H */
