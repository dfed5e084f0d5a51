// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The host's test program: the shared checks, and what takes an address space
 * and time: guard pages, long exhaustive runs. TAP on standard output.
 *
 *   host                  all but the last
 *   host --exhaustive     every string of four bytes, on all processors
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checks.h"
#include "oracle.h"

static unsigned int points, failures;

static void point(bool passed, const char *name,
		  const struct utf8val_failure *failure)
{
	printf("%s %u - %s\n", passed ? "ok" : "not ok", ++points, name);
	if (passed)
		return;
	failures++;
	printf("# %s at %zu: want %zu, got %zu\n", failure->what, failure->at,
	       failure->want, failure->got);
}

/* Are the core and the oracle of one mind about these bytes? */
static bool agree(const uint8_t *s, size_t len, size_t which,
		  struct utf8val_failure *failure)
{
	struct utf8val_result want = oracle_check(s, len);
	struct utf8val_result got = utf8val_check(s, len);

	if (got.valid == want.valid && got.bad == want.bad &&
	    got.reason == want.reason)
		return true;
	failure->what = got.valid != want.valid ? "valid" :
			got.bad != want.bad ? "bad" : "reason";
	failure->at = which;
	failure->want = got.valid != want.valid ? want.valid :
			got.bad != want.bad ? want.bad : want.reason;
	failure->got = got.valid != want.valid ? got.valid :
			got.bad != want.bad ? got.bad : got.reason;
	return false;
}

/* A page between two that cannot be touched: a read outside is a SIGSEGV. */
static uint8_t *guarded_page(size_t *size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *base = mmap(NULL, 3 * page, PROT_NONE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (base == MAP_FAILED || mprotect(base + page, page,
					   PROT_READ | PROT_WRITE)) {
		perror("mmap");
		exit(1);
	}
	*size = page;
	return base + page;
}

/* Every string of up to three bytes, against either edge of the page. */
static void every_short_string(void)
{
	struct utf8val_failure failure = { 0 };
	size_t page;
	uint8_t *at = guarded_page(&page);
	bool good = true;

	for (size_t len = 0; len <= 3; len++) {
		for (size_t i = 0; good && i < (size_t)1 << 8 * len; i++) {
			uint8_t *s = i & 1 ? at : at + page - len;

			for (size_t k = 0; k < len; k++)
				s[k] = (uint8_t)(i >> 8 * k);
			good = agree(s, len, i, &failure);
		}
	}
	point(good, "every string of 0 to 3 bytes, at the edges of a page",
	      &failure);
}

/* Vectors at both edges of a page, and from 0 to 15 bytes away from them. */
static void edges_of_a_page(void)
{
	struct utf8val_failure failure = { 0 };
	size_t page;
	uint8_t *at = guarded_page(&page);
	bool good = true;

	for (size_t i = 0; i < utf8val_vector_count; i++) {
		const struct utf8val_vector *vector = &utf8val_vectors[i];
		size_t len = vector->len;

		for (size_t shift = 0; good && shift < 16; shift++) {
			memset(at, 0x80, page);
			memcpy(at + shift, vector->bytes, len);
			good = agree(at + shift, len, i, &failure);
			memset(at, 0x80, page);
			memcpy(at + page - len - shift, vector->bytes, len);
			good = good && agree(at + page - len - shift, len, i,
					     &failure);
		}
	}
	/* all lengths up to a page, the last character cut by its end */
	for (size_t len = 1; good && len <= page; len++) {
		uint8_t *s = at + page - len;

		memset(at, 'a', page);
		for (size_t cut = 1; good && cut <= 3 && cut <= len; cut++) {
			memcpy(at + page - cut, "\xF0\x9F\x98", cut);
			good = agree(s, len, len, &failure);
		}
	}
	point(good, "vectors and all lengths against guard pages, alignments 0 to 15",
	      &failure);
}

/* Both ends of every byte class, in six places, every function. */
static void every_class_combination(void)
{
	static const uint8_t edges[] = {
		0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xE0,
		0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF,
	};
	const size_t n = sizeof(edges);
	struct utf8val_failure failure = { 0 };
	static uint8_t scratch[UTF8VAL_SCRATCH];
	bool good = true;

	for (size_t len = 1; len <= 4; len++) {
		size_t total = 1;

		for (size_t k = 0; k < len; k++)
			total *= n;
		for (size_t i = 0; good && i < total; i++) {
			uint8_t bytes[8], replaced[32];
			struct utf8val_vector vector = {
				"", bytes, replaced, (uint16_t)len, 0, 0, 0,
				0, 0
			};
			struct utf8val_result want;
			size_t at = 0, rest = i;

			for (size_t k = 0; k < len; k++, rest /= n)
				bytes[k] = edges[rest % n];
			want = oracle_check(bytes, len);
			vector.valid = (uint16_t)want.valid;
			vector.bad = want.bad;
			vector.reason = want.reason;
			while (at < len) {
				uint8_t *to = replaced + vector.replaced_len;
				int32_t cp;
				size_t unit = oracle_unit(bytes + at, len - at,
							  &cp);

				memcpy(to, cp < 0 ? bytes : bytes + at, unit);
				if (cp < 0)
					memcpy(to, "\xEF\xBF\xBD", 3);
				vector.replaced_len = (uint16_t)
					(to - replaced + (cp < 0 ? 3 : (int)unit));
				vector.units++;
				at += unit;
			}
			good = utf8val_check_vector(&vector, scratch,
						    &failure);
		}
	}
	point(good, "class combinations up to length 4, every function",
	      &failure);
}

/* The first byte of one share of all four-byte strings. */
static bool four_bytes(unsigned int first, struct utf8val_failure *failure)
{
	uint8_t s[4] = { (uint8_t)first };

	for (uint32_t i = 0; i < 1u << 24; i++) {
		s[1] = (uint8_t)(i >> 16);
		s[2] = (uint8_t)(i >> 8);
		s[3] = (uint8_t)i;
		if (!agree(s, 4, (size_t)first << 24 | i, failure))
			return false;
	}
	return true;
}

static void exhaustive(void)
{
	struct utf8val_failure failure = { "a worker failed", 0, 0, 0 };
	long workers = sysconf(_SC_NPROCESSORS_ONLN);
	bool good = true;

	fflush(stdout);
	for (long worker = 0; worker < workers; worker++) {
		pid_t child = fork();

		if (child < 0) {
			perror("fork");
			exit(1);
		}
		if (child)
			continue;
		for (unsigned int first = (unsigned int)worker; first < 256;
		     first += (unsigned int)workers) {
			if (!four_bytes(first, &failure)) {
				fprintf(stderr, "# %08zx: %s: want %zu, got %zu\n",
					failure.at, failure.what, failure.want,
					failure.got);
				_exit(1);
			}
			if (worker == 0 && isatty(STDERR_FILENO))
				fprintf(stderr, "\r%3u of 256", first);
		}
		_exit(0);
	}
	for (long worker = 0; worker < workers; worker++) {
		int status;

		if (wait(&status) < 0 || status)
			good = false;
	}
	point(good, "every string of 4 bytes", &failure);
}

int main(int argc, char **argv)
{
	static uint8_t scratch[UTF8VAL_SCRATCH];
	struct utf8val_failure failure = { 0 };

	bool all = argc == 2 && !strcmp(argv[1], "--exhaustive");

	if (argc > 1 && !all) {
		fprintf(stderr, "usage: %s [--exhaustive]\n", argv[0]);
		return 2;
	}
	if (all) {
		exhaustive();
	} else {
		for (size_t i = 0; i < utf8val_vector_count; i++)
			point(utf8val_check_vector(&utf8val_vectors[i],
						   scratch, &failure),
			      utf8val_vectors[i].name, &failure);
		for (size_t i = 0; i < utf8val_case_count; i++)
			point(utf8val_cases[i].run(scratch, &failure),
			      utf8val_cases[i].name, &failure);
		printf("# %zu vectors, %zu cases\n", utf8val_vector_count,
		       utf8val_case_count);
		every_short_string();
		edges_of_a_page();
		every_class_combination();
	}
	printf("1..%u\n", points);
	return failures || !points;
}
