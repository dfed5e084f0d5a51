// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The guard's verdict on names, given inside the kernel, compared with the core's on
 * the host. The names are all strings up to a length, all combinations of byte classes up
 * to another length, and names of up to 255 bytes. The suites guard-verdict run this in a
 * virtual machine.
 *
 * Arguments: how many last bytes of three-byte strings to try (256: all), and
 * the length of the longest combination of classes.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "tap.h"
#include "utf8val.h"
#include "verdict.h"
#include "verdict.skel.h"

static struct verdict *verdicts;
static int program;
static size_t count;
static unsigned long checked, wrong, bad_ones;

static void run(void)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);

	if (bpf_prog_test_run_opts(program, &opts) || opts.retval) {
		printf("Bail out! the kernel does not run the program\n");
		exit(1);
	}
	for (size_t i = 0; i < count; i++) {
		const struct verdict *v = &verdicts[i];
		bool good = utf8val_valid(v->name, v->len);
		__u32 want = good ? 0 : v->len < 32 ? 3 : 1;

		checked++;
		bad_ones += !good;
		if (v->bad == want || wrong++ >= 10)
			continue;
		printf("# %u, not %u:", v->bad, want);
		for (__u32 at = 0; at < v->len; at++)
			printf(" %02x", v->name[at]);
		printf("\n");
	}
	count = 0;
}

static void add(const void *name, size_t len)
{
	verdicts[count].len = (__u32)len;
	memcpy(verdicts[count].name, name, len);
	/* bytes that an earlier name has left must not count */
	memset(verdicts[count].name + len, 0xFF, sizeof(verdicts[count].name) - len);
	if (++count == VERDICTS)
		run();
}

static void report(const char *what)
{
	if (count)
		run();
	tap(!wrong && bad_ones && bad_ones < checked,
	    "1: %s: %lu names, %lu of them bad, no wrong verdict", what,
	    checked, bad_ones);
	checked = 0;
	bad_ones = 0;
	wrong = 0;
}

static void all_strings(unsigned int last)
{
	unsigned char s[3];

	for (unsigned int a = 0; a < 256; a++) {
		s[0] = (unsigned char)a;
		add(s, 1);
		for (unsigned int b = 0; b < 256; b++) {
			s[1] = (unsigned char)b;
			add(s, 2);
			for (unsigned int c = 0; c < last; c++) {
				s[2] = (unsigned char)(c * (256 / last));
				add(s, 3);
			}
		}
	}
	report("strings to length 3");
}

/* the first byte of each class; no rule tells the bytes of a class apart */
static const unsigned char classes[] = {
	0x61, 0x80, 0x90, 0xA0, 0xC0, 0xC2, 0xE0, 0xE1, 0xED, 0xF0, 0xF1, 0xF4,
	0xF5,
};

static void combinations(unsigned char *s, size_t at, size_t longest)
{
	for (size_t i = 0; i < sizeof(classes); i++) {
		s[at] = classes[i];
		add(s, at + 1);
		if (at + 1 < longest)
			combinations(s, at + 1, longest);
	}
}

/* Names of characters of all lengths, every other name with one byte changed. */
static void names(unsigned int many)
{
	unsigned char s[256];

	for (unsigned int i = 0; i < many; i++) {
		size_t len = 1 + (size_t)random() % 255, at = 0;

		while (at < len) {
			unsigned char c[4];
			uint32_t cp = (uint32_t)random() >> random() % 31;
			size_t size = utf8val_encode(cp, c);

			if (!size || at + size > len) {
				s[at++] = 'n';
				continue;
			}
			memcpy(s + at, c, size);
			at += size;
		}
		if (i & 1)
			s[(size_t)random() % len] = (unsigned char)random();
		add(s, len);
	}
	report("names of up to 255 bytes");
}

int main(int argc, char **argv)
{
	struct verdict_bpf *skeleton;
	unsigned char s[8];

	if (argc != 3)
		return 2;
	libbpf_set_print(NULL);
	skeleton = verdict_bpf__open_and_load();
	if (!skeleton) {
		printf("Bail out! the kernel does not load the program\n");
		return 1;
	}
	program = bpf_program__fd(skeleton->progs.run_verdicts);
	verdicts = mmap(NULL, VERDICTS * sizeof(*verdicts), PROT_READ | PROT_WRITE,
			MAP_SHARED, bpf_map__fd(skeleton->maps.verdicts), 0);
	if (verdicts == MAP_FAILED)
		return 1;
	all_strings((unsigned int)atoi(argv[1]));
	combinations(s, 0, (size_t)atoi(argv[2]));
	report("combinations of classes");
	names(100000);
	return tap_end();
}
