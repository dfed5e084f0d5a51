// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The host's runner of the shared checks, and what only a host can do: input
 * between two pages that cannot be read, and more of it. TAP on standard output.
 *
 *   host                every check of `make check`
 *   host --short        fewer strings, for builds that are slow
 *   host --exhaustive   every string of four bytes, on all processors
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "checks.h"
#include "oracle.h"

#define PAGES 2
#define LONGEST 300
#define SEED 0x75746638ull

static unsigned int points;
static bool failed;
static bool brief;

/* Input that lies at high's end or low's beginning touches a guard page. */
struct arena {
	uint8_t *low;
	uint8_t *high;
};

static void die(const char *what)
{
	printf("Bail out! %s failed\n", what);
	exit(2);
}

static struct arena new_arena(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct arena arena;
	uint8_t *map = mmap(NULL, (PAGES + 2) * page, PROT_NONE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		die("mmap");
	arena.low = map + page;
	arena.high = arena.low + PAGES * page;
	if (mprotect(arena.low, PAGES * page, PROT_READ | PROT_WRITE))
		die("mprotect");
	return arena;
}

static void on_fault(int signal)
{
	static const char text[] =
		"Bail out! a guard page was touched in the next point\n";

	(void)signal;
	if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0)
		_exit(3);
	_exit(2);
}

/* One TAP point; what the failing input was follows as a diagnostic. */
static void point(bool ok, const char *name,
		  const struct utf8val_failure *failure)
{
	points++;
	printf("%s %u - %s\n", ok ? "ok" : "not ok", points, name);
	if (ok)
		return;
	failed = true;
	printf("# %s at %zu: want %zd, got %zd\n", failure->what, failure->at,
	       (ssize_t)failure->want, (ssize_t)failure->got);
}

static void tell_input(const uint8_t *bytes, size_t len)
{
	printf("# input:");
	for (size_t i = 0; i < len; i++)
		printf(" %02X", bytes[i]);
	printf("\n");
}

/* What a check of generated input needs. */
struct run {
	struct arena arena;
	uint8_t room[6 * LONGEST + 8];
	struct utf8val_failure failure;
};

/* Right behind the lower guard page, then right before the upper one. */
static bool at_both_guards(struct run *run, const uint8_t *bytes, size_t len)
{
	uint8_t *high = run->arena.high - len;

	memcpy(run->arena.low, bytes, len);
	memcpy(high, bytes, len);
	if (utf8val_check_bytes(run->arena.low, len, run->room,
				&run->failure) &&
	    utf8val_check_bytes(high, len, run->room, &run->failure))
		return true;
	tell_input(bytes, len);
	return false;
}

/*
 * The same with 0 to 15 letters before it and behind it: every alignment of the
 * first byte, of the last, and of where an error lies.
 */
static bool at_every_alignment(struct run *run, const uint8_t *bytes,
			       size_t len)
{
	uint8_t padded[LONGEST];

	for (size_t pad = 0; pad < 16; pad++) {
		memset(padded, 'a', pad);
		memcpy(padded + pad, bytes, len);
		if (!at_both_guards(run, padded, pad + len))
			return false;
		memcpy(padded, bytes, len);
		memset(padded + len, 'a', pad);
		if (!at_both_guards(run, padded, pad + len))
			return false;
		/* an unaligned start, with no gap before it */
		memset(run->arena.low, 0xF1, pad);
		memcpy(run->arena.low + pad, bytes, len);
		if (!utf8val_check_bytes(run->arena.low + pad, len, run->room,
					 &run->failure)) {
			tell_input(bytes, len);
			return false;
		}
	}
	return true;
}

typedef bool check_fn(struct run *run, const uint8_t *bytes, size_t len);

/* All strings of so many bytes out of a set. */
static bool combinations(struct run *run, check_fn *check, const uint8_t *set,
			 size_t set_len, size_t len)
{
	size_t digit[8] = { 0 };
	uint8_t bytes[8] = { 0 };
	size_t i;

	for (;;) {
		for (i = 0; i < len; i++)
			bytes[i] = set[digit[i]];
		if (!check(run, bytes, len))
			return false;
		for (i = len; i > 0 && ++digit[i - 1] == set_len; i--)
			digit[i - 1] = 0;
		if (i == 0)
			return true;
	}
}

static bool short_strings(struct run *run)
{
	uint8_t all[256];

	for (size_t i = 0; i < 256; i++)
		all[i] = (uint8_t)i;
	for (size_t len = 0; len <= (brief ? 2 : 3); len++)
		if (!combinations(run, at_both_guards, all, 256, len))
			return false;
	return true;
}

static bool aligned_edges(struct run *run)
{
	for (size_t len = 0; len <= 3; len++)
		if (!combinations(run, at_every_alignment, utf8val_edges,
				  utf8val_edge_count, len))
			return false;
	return true;
}

static bool four_edges(struct run *run)
{
	return combinations(run, at_both_guards, utf8val_edges,
			    utf8val_edge_count, brief ? 3 : 4);
}

/* One byte of each class; TOO_LARGE and BAD_LEAD leads count as two. */
static const uint8_t classes[] = {
	0x7A, 0x87, 0x97, 0xB7, 0xC1, 0xCD, 0xE0,
	0xE7, 0xED, 0xF0, 0xF3, 0xF4, 0xF7, 0xFE,
};

static bool five_classes(struct run *run)
{
	return combinations(run, at_both_guards, classes, sizeof(classes),
			    brief ? 4 : 5);
}

static bool aligned_vectors(struct run *run)
{
	for (size_t i = 0; i < utf8val_vector_count; i++)
		if (!at_every_alignment(run, utf8val_vectors[i].bytes,
					utf8val_vectors[i].len))
			return false;
	return true;
}

/* Text that fills the room before a guard page; the last character is cut. */
static bool every_length(struct run *run)
{
	static const uint8_t last[] = { 0xF0, 0x9F, 0x98 };
	size_t most = (size_t)(run->arena.high - run->arena.low);

	memset(run->arena.low, 'a', most);
	for (size_t len = 3; len <= most; len++) {
		uint8_t *s = run->arena.high - len;

		for (size_t cut = 1; cut <= 3; cut++) {
			struct utf8val_result got;

			memset(s + len - 3, 'a', 3);
			memcpy(s + len - cut, last, cut);
			got = utf8val_check(s, len);
			if (got.valid == len - cut && got.bad == cut &&
			    got.reason == UTF8VAL_TRUNCATED &&
			    utf8val_prefix(s, len) == len - cut &&
			    utf8val_count(s, len) == len - cut + 1 &&
			    utf8val_replace(NULL, 0, s, len) == len - cut + 3)
				continue;
			run->failure = (struct utf8val_failure){
				"valid, in text that long", len, len - cut,
				got.valid
			};
			return false;
		}
	}
	return true;
}

/* xorshift64*, Vigna: the same sequence everywhere */
static uint64_t random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545F4914F6CDD1Du;
}

/* Characters of all lengths, one byte in eight changed to one near an edge. */
static bool random_strings(struct run *run)
{
	static const uint32_t limits[] = { 0x80, 0x800, 0x10000, 0x110000 };
	uint64_t state = SEED;

	for (unsigned int i = 0; i < (brief ? 50000 : 1000000); i++) {
		size_t want = random_next(&state) >> 32 & 63;
		uint8_t bytes[64 + 4];
		size_t len = 0;

		while (len < want) {
			uint64_t dice = random_next(&state) >> 16;

			len += oracle_encode((uint32_t)(dice >> 8) %
					     limits[dice & 3], bytes + len);
		}
		for (size_t j = 0; j < len; j++) {
			uint64_t dice = random_next(&state) >> 16;

			if (!(dice & 7))
				bytes[j] = utf8val_edges[(dice >> 8) %
							 utf8val_edge_count];
		}
		if (!at_both_guards(run, bytes, want))
			return false;
	}
	return true;
}

static void shared_checks(void)
{
	static uint8_t scratch[UTF8VAL_SCRATCH];
	struct utf8val_failure failure;

	printf("# vectors: %zu, checks: %zu\n", utf8val_vector_count,
	       utf8val_case_count);
	for (size_t i = 0; i < utf8val_vector_count; i++)
		point(utf8val_check_vector(&utf8val_vectors[i], scratch,
					   &failure),
		      utf8val_vectors[i].name, &failure);
	for (size_t i = 0; i < utf8val_case_count; i++)
		point(utf8val_cases[i].run(scratch, &failure),
		      utf8val_cases[i].name, &failure);
}

static void guarded_checks(void)
{
	static const struct {
		const char *name;
		bool (*check)(struct run *run);
	} guarded[] = {
		{ "all bytes, short strings", short_strings },
		{ "classes' edges, 0 to 3 bytes, every alignment", aligned_edges },
		{ "classes' edges, more bytes", four_edges },
		{ "one byte of every class, more bytes", five_classes },
		{ "every vector, every alignment", aligned_vectors },
		{ "every length to a page, cut short", every_length },
		{ "mutated strings", random_strings },
	};
	static struct run run;

	run.arena = new_arena();
	printf("# seed: %#llx\n", SEED);
	for (size_t i = 0; i < sizeof(guarded) / sizeof(guarded[0]); i++) {
		char name[80];

		snprintf(name, sizeof(name), "between guard pages: %s",
			 guarded[i].name);
		point(guarded[i].check(&run), name, &run.failure);
	}
}

/* The exhaustive run: its work is handed out by the first two bytes. */
static atomic_uint next_pair;
static atomic_uint pairs_done;

struct worker {
	pthread_t thread;
	bool failed;
	uint8_t bytes[4];
	const char *what;
};

/* What takes the whole string and what takes it apart, against the oracle. */
static const char *four_bytes(const uint8_t *s)
{
	struct utf8val_result want = { 4, 0, UTF8VAL_OK };
	const uint8_t *pos = s;
	struct utf8val_result got;
	size_t at = 0;

	while (at < 4) {
		int32_t value;
		size_t size = oracle_unit(s + at, 4 - at, &value);

		if (utf8val_next(&pos, s + 4) != value)
			return "next: value";
		if (value < 0 && want.reason == UTF8VAL_OK) {
			want.valid = at;
			want.bad = (uint8_t)size;
			want.reason = (uint8_t)-value;
		}
		at += size;
		if (pos != s + at)
			return "next: moved";
	}
	got = utf8val_check(s, 4);
	if (got.valid != want.valid)
		return "check: valid";
	if (got.bad != want.bad)
		return "check: bad";
	if (got.reason != want.reason)
		return "check: reason";
	if (utf8val_prefix(s, 4) != want.valid)
		return "prefix";
	if (utf8val_valid(s, 4) == !!want.reason)
		return "valid";
	return NULL;
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	struct arena arena = new_arena();
	uint8_t *s = arena.high - 4;
	unsigned int pair;

	while ((pair = atomic_fetch_add(&next_pair, 1)) < 0x10000) {
		s[0] = (uint8_t)(pair >> 8);
		s[1] = (uint8_t)pair;
		for (unsigned int rest = 0; rest < 0x10000; rest++) {
			s[2] = (uint8_t)(rest >> 8);
			s[3] = (uint8_t)rest;
			worker->what = four_bytes(s);
			if (worker->what) {
				memcpy(worker->bytes, s, 4);
				worker->failed = true;
				return NULL;
			}
		}
		atomic_fetch_add(&pairs_done, 1);
	}
	return NULL;
}

static int exhaustive(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct worker workers[64] = { 0 };
	size_t count = cpus < 1 ? 1 : cpus > 64 ? 64 : (size_t)cpus;
	unsigned int done;

	printf("1..1\n");
	for (size_t i = 0; i < count; i++) {
		if (pthread_create(&workers[i].thread, NULL, work,
				   &workers[i]))
			die("pthread_create");
	}
	for (size_t i = 0; i < count; i++) {
		pthread_join(workers[i].thread, NULL);
		if (workers[i].failed) {
			printf("# %s\n", workers[i].what);
			tell_input(workers[i].bytes, 4);
		}
	}
	done = atomic_load(&pairs_done);
	printf("%s 1 - every string of 4 bytes\n",
	       done == 0x10000 ? "ok" : "not ok");
	printf("# %llu strings agree, %zu threads\n",
	       (unsigned long long)done << 16, count);
	return done != 0x10000;
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGSEGV, on_fault);
	signal(SIGBUS, on_fault);
	if (argc == 2 && !strcmp(argv[1], "--exhaustive"))
		return exhaustive();
	brief = argc == 2 && !strcmp(argv[1], "--short");
	if (argc > 1 && !brief) {
		fprintf(stderr, "usage: %s [--short | --exhaustive]\n",
			argv[0]);
		return 2;
	}
	shared_checks();
	guarded_checks();
	printf("1..%u\n", points);
	return failed;
}
