// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The host's runner of the shared checks, and what only a host can do: input
 * between two pages that cannot be read, and more of it. TAP on standard output.
 *
 *   host                every check of `make check`
 *   host --short        fewer strings, for all builds but one
 *   host --exhaustive   every string of four bytes instead, and more mutated ones
 */
#include <pthread.h>

#include "checks.h"
#include "guarded.h"
#include "oracle.h"

#define PAGES 17	/* 64 KiB and more */
#define LONGEST 300	/* an input with the text around it */
#define LETTERS 38	/* the most letters on one side of an input */
#ifndef MOST_THREADS
#define MOST_THREADS 64
#endif
#define SEED 0x75746638ull

static unsigned int points;
static bool failed;
static bool brief;
static bool exhaustive;

/*
 * Input that ends at the end of high, or begins at the beginning of low,
 * touches a page that cannot be read.
 */
struct arena {
	uint8_t *low;
	uint8_t *high;
};

static struct arena new_arena(void)
{
	size_t size = PAGES * (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *low = guarded_memory(size);

	return (struct arena){ low, low + size };
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

/*
 * One of the threads that share a check, one thread for each processor. All
 * threads make the same strings in the same order, and each thread checks only
 * its own: so what is checked does not depend on the number of threads.
 */
struct run {
	pthread_t thread;
	unsigned int number, threads;
	unsigned int turn;
	unsigned long long strings;	/* made so far; all threads count the same */
	bool (*check)(struct run *run);
	bool passed;
	struct arena arena;
	uint8_t room[6 * LONGEST + 8];
	struct utf8val_failure failure;
	uint8_t input[LONGEST];		/* the input that failed */
	size_t input_len;
};

/*
 * Does this thread check the input that comes now, which counts as that many
 * strings?
 */
static bool is_mine(struct run *run, unsigned int strings)
{
	run->strings += strings;
	return run->turn++ % run->threads == run->number;
}

static bool same(struct run *run, const char *what, size_t want, size_t got)
{
	if (want == got)
		return true;
	run->failure = (struct utf8val_failure){ what, 0, want, got };
	return false;
}

static bool wrong(struct run *run, const uint8_t *s, size_t len)
{
	memcpy(run->input, s, len);
	run->input_len = len;
	return false;
}

/* Check one string where it lies. */
static bool check_here(struct run *run, const uint8_t *s, size_t len)
{
	return utf8val_check_bytes(s, len, run->room, &run->failure) ||
	       wrong(run, s, len);
}

/*
 * Check one string right after the lower guard page, then right before the
 * upper one.
 */
static bool at_both_guards(struct run *run, const uint8_t *bytes, size_t len)
{
	uint8_t *high = run->arena.high - len;

	memcpy(run->arena.low, bytes, len);
	memcpy(high, bytes, len);
	return check_here(run, run->arena.low, len) &&
	       check_here(run, high, len);
}

/*
 * Check one string at one of the two guard pages. The turns have no period,
 * since the strings could have the same one.
 */
static bool at_one_guard(struct run *run, const uint8_t *bytes, size_t len)
{
	uint8_t *at = __builtin_parityll(run->strings) ?
		run->arena.low : run->arena.high - len;

	memcpy(at, bytes, len);
	return check_here(run, at, len);
}

/*
 * Check one string at both guard pages, with 0 to 15 letters before the string
 * and after it: with every alignment of its first byte, of its last byte, and
 * of the place of an error.
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
		if (!check_here(run, run->arena.low + pad, len))
			return false;
	}
	return true;
}

typedef bool check_fn(struct run *run, const uint8_t *bytes, size_t len);

/* Check all strings of len bytes out of a set. */
static bool combinations(struct run *run, check_fn *check, const uint8_t *set,
			 size_t set_len, size_t len)
{
	size_t digit[8] = { 0 };
	uint8_t bytes[8] = { 0 };
	size_t i;

	for (;;) {
		for (i = 0; i < len; i++)
			bytes[i] = set[digit[i]];
		if (is_mine(run, 1) && !check(run, bytes, len))
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
		if (!combinations(run, at_one_guard, all, 256, len))
			return false;
	return true;
}

/* One byte of each class; TOO_LARGE and BAD_LEAD leads count as two. */
static const uint8_t classes[] = {
	0x7A, 0x87, 0x97, 0xB7, 0xC1, 0xCD, 0xE0,
	0xE7, 0xED, 0xF0, 0xF3, 0xF4, 0xF7, 0xFE,
};

static bool every_alignment(struct run *run)
{
	for (size_t len = 0; len <= 3; len++)
		if (!combinations(run, at_every_alignment,
				  brief ? classes : utf8val_edges,
				  brief ? COUNT(classes) : utf8val_edge_count,
				  len))
			return false;
	return true;
}

static bool four_edges(struct run *run)
{
	return combinations(run, at_both_guards, utf8val_edges,
			    utf8val_edge_count, brief ? 3 : 4);
}

/* Streams get each string in two and in three pieces, cut everywhere. */
static bool six_classes(struct run *run)
{
	for (size_t len = 0; len <= (brief ? 4 : 6); len++)
		if (!combinations(run, at_one_guard, classes, COUNT(classes),
				  len))
			return false;
	return true;
}

static bool aligned_vectors(struct run *run)
{
	for (size_t i = 0; i < utf8val_vector_count; i++)
		if (is_mine(run, 1) &&
		    !at_every_alignment(run, utf8val_vectors[i].bytes,
					utf8val_vectors[i].len))
			return false;
	return true;
}

/* Letters, followed by the first one to three bytes of a last character. */
static bool cut_short(struct run *run, uint8_t *s, size_t len)
{
	static const uint8_t last[] = { 0xF0, 0x9F, 0x98 };

	for (size_t cut = 1; cut <= 3; cut++) {
		size_t valid = len - cut;
		struct utf8val_dfa dfa = { UTF8VAL_ACCEPT };
		struct utf8val_stream stream;
		struct utf8val_result got;

		memset(s + len - 3, 'a', 3);
		memcpy(s + valid, last, cut);
		got = utf8val_check(s, len);
		utf8val_stream_init(&stream);
		utf8val_stream_feed(&stream, s, len);
		if (!same(run, "check: valid", valid, got.valid) ||
		    !same(run, "check: bad", cut, got.bad) ||
		    !same(run, "check: reason", UTF8VAL_TRUNCATED,
			  got.reason) ||
		    !same(run, "prefix", valid, utf8val_prefix(s, len)) ||
		    !same(run, "count", valid + 1, utf8val_count(s, len)) ||
		    !same(run, "replaced size", valid + 3,
			  utf8val_replaced_size(s, len)) ||
		    !same(run, "trim", valid, utf8val_trim(s, len)) ||
		    !same(run, "floor", valid,
			  utf8val_floor(s, len, len - 1)) ||
		    !same(run, "feed", true, utf8val_feed(&dfa, s, len)) ||
		    !same(run, "feed: midway", true,
			  dfa.state != UTF8VAL_ACCEPT) ||
		    !same(run, "stream: valid", valid, stream.valid) ||
		    !same(run, "stream: pending", cut, stream.pending))
			return wrong(run, last, cut);
	}
	return true;
}

/* Text right before a guard page: up to two pages, then more than 64 KiB. */
static bool every_length(struct run *run)
{
	size_t most = (size_t)(run->arena.high - run->arena.low);
	size_t few = most / PAGES * 2;

	memset(run->arena.low, 'a', most);
	for (size_t len = 3; len <= few; len++)
		if (is_mine(run, 3) &&
		    !cut_short(run, run->arena.high - len, len))
			return false;
	return !is_mine(run, 3) || cut_short(run, run->arena.low, most);
}

/* Check four bytes where the text around them cannot be read. */
static bool four_read(struct run *run, const uint8_t *bytes, size_t len)
{
	uint8_t *low = run->arena.low;
	uint8_t *high = run->arena.high - len;
	const uint8_t *pos;
	int32_t value, got;
	size_t size;

	memcpy(low, bytes, len);
	memcpy(high, bytes, len);
	size = oracle_unit(bytes, len, &value);
	pos = utf8val_next(high, high + len + 9, &got);
	if (!same(run, "next: value", (size_t)value, (size_t)got) ||
	    !same(run, "next: moved", size, (size_t)(pos - high)))
		return wrong(run, bytes, len);
	/*
	 * What utf8val_prev() returns is compared where more bytes can be read.
	 */
	utf8val_prev(low + len, low - 9, &got);
	/* utf8val_trim() and utf8val_floor() go back by three bytes at most. */
	return same(run, "trim", true,
		    utf8val_trim(low - 9, 9 + len) >= 9 + len - 3) &&
	       same(run, "floor", true,
		    utf8val_floor(low - 9, len + 99, 9 + len - 1) >=
			    9 + len - 4);
}

static bool least_reads(struct run *run)
{
	/* nothing at all is read here */
	return same(run, "floor: end", 9,
		    utf8val_floor(run->arena.high, 9, 9)) &&
	       combinations(run, four_read, brief ? classes : utf8val_edges,
			    brief ? COUNT(classes) : utf8val_edge_count, 4);
}

/*
 * The generator xorshift64* by Vigna, which gives the same numbers everywhere.
 */
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
	unsigned int most = exhaustive ? 10000000 : brief ? 50000 : 2000000;

	for (unsigned int i = 0; i < most; i++) {
		/*
		 * Each string has a seed of its own, so that a thread need not
		 * make the strings of the others.
		 */
		uint64_t state = SEED ^ (i + 1) * 0x9E3779B97F4A7C15ull;
		size_t want, len = 0;
		uint8_t bytes[64 + 4];

		if (!is_mine(run, 1))
			continue;
		random_next(&state);
		want = random_next(&state) >> 32 & 63;
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
		if (!at_one_guard(run, bytes, want))
			return false;
	}
	return true;
}

/*
 * Check four bytes alone, then among letters: the fast engine handles 11, 24
 * and 64 bytes in ways of their own, and its two walks meet the four bytes
 * there. A letter breaks a character off just as the end of the input does.
 */
static bool four_bytes(struct run *run, uint8_t *alone, uint8_t *among)
{
	static const struct {
		size_t before, after;
	} letters[] = { { 3, 4 }, { 6, 14 }, { 22, LETTERS } };
	struct utf8val_result want = { 4, 0, UTF8VAL_OK };
	struct utf8val_result got = utf8val_check(alone, 4);
	const uint8_t *pos = alone;
	size_t at = 0;

	while (at < 4) {
		int32_t value, decoded;
		size_t size = oracle_unit(alone + at, 4 - at, &value);

		if (value < 0 && want.reason == UTF8VAL_OK) {
			want.valid = at;
			want.bad = (uint8_t)size;
			want.reason = (uint8_t)-value;
		}
		at += size;
		pos = utf8val_next(pos, alone + 4, &decoded);
		if (!same(run, "next: value", (size_t)value,
			  (size_t)decoded) ||
		    !same(run, "next: moved", at, (size_t)(pos - alone)))
			return false;
	}
	if (!same(run, "check: valid", want.valid, got.valid) ||
	    !same(run, "check: bad", want.bad, got.bad) ||
	    !same(run, "check: reason", want.reason, got.reason) ||
	    !same(run, "prefix", want.valid, utf8val_prefix(alone, 4)) ||
	    !same(run, "valid", want.valid == 4, utf8val_valid(alone, 4)))
		return false;
	for (size_t i = 0; i < COUNT(letters); i++) {
		size_t before = letters[i].before;
		size_t len = before + 4 + letters[i].after;
		size_t valid = want.valid == 4 ? len : before + want.valid;

		if (!same(run, "prefix among letters", valid,
			  utf8val_prefix(among - before, len)) ||
		    !same(run, "valid among letters", valid == len,
			  utf8val_valid(among - before, len)))
			return false;
	}
	return true;
}

static bool every_four_bytes(struct run *run)
{
	uint8_t *alone = run->arena.high - 4;
	uint8_t *among = run->arena.low + LETTERS;
	uint8_t bytes[4];

	memset(run->arena.low, 'a', LETTERS + 4 + LETTERS);
	for (unsigned int pair = 0; pair < 0x10000; pair++) {
		if (!is_mine(run, 0x10000))
			continue;
		for (unsigned int rest = 0; rest < 0x10000; rest++) {
			bytes[0] = (uint8_t)(pair >> 8);
			bytes[1] = (uint8_t)pair;
			bytes[2] = (uint8_t)(rest >> 8);
			bytes[3] = (uint8_t)rest;
			memcpy(alone, bytes, 4);
			memcpy(among, bytes, 4);
			if (!four_bytes(run, alone, among))
				return wrong(run, bytes, 4);
		}
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

static void *work(void *argument)
{
	struct run *run = argument;

	run->passed = run->check(run);
	return NULL;
}

static void guarded_check(const char *what, bool (*check)(struct run *run))
{
	static struct run runs[MOST_THREADS];
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned int threads = processors < 1 ? 1 :
			       processors > MOST_THREADS ? MOST_THREADS :
			       (unsigned int)processors;
	const struct run *bad = NULL;
	char name[80];

	for (unsigned int i = 0; i < threads; i++) {
		struct run *run = &runs[i];

		if (!run->arena.low)
			run->arena = new_arena();
		run->check = check;
		run->number = i;
		run->threads = threads;
		run->turn = 0;
		run->strings = 0;
		if (pthread_create(&run->thread, NULL, work, run))
			die("pthread_create");
	}
	for (unsigned int i = 0; i < threads; i++) {
		pthread_join(runs[i].thread, NULL);
		if (!bad && !runs[i].passed)
			bad = &runs[i];
	}
	snprintf(name, sizeof(name), "between guard pages: %s", what);
	point(!bad, name, bad ? &bad->failure : NULL);
	if (bad)
		tell_input(bad->input, bad->input_len);
	else
		printf("# %llu strings\n", runs[0].strings);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		bool (*check)(struct run *run);
	} guarded[] = {
		{ "all bytes, short strings", short_strings },
		{ "short strings of classes, every alignment",
		  every_alignment },
		{ "classes' edges, more bytes", four_edges },
		{ "one byte of every class, up to six", six_classes },
		{ "every vector, every alignment", aligned_vectors },
		{ "every length to two pages, and more than 64 KiB, cut short",
		  every_length },
		{ "next, prev, floor and trim read four bytes at most",
		  least_reads },
		{ "mutated strings", random_strings },
	};

	static const struct utf8val_failure version = {
		.what = "utf8val_version()",
	};

	setvbuf(stdout, NULL, _IOLBF, 0);
	brief = argc == 2 && !strcmp(argv[1], "--short");
	exhaustive = argc == 2 && !strcmp(argv[1], "--exhaustive");
	if (argc > 1 && !brief && !exhaustive) {
		fprintf(stderr, "usage: %s [--short | --exhaustive]\n",
			argv[0]);
		return 2;
	}
	if (exhaustive) {
		guarded_check("every string of four bytes", every_four_bytes);
		guarded_check("mutated strings", random_strings);
	} else {
		shared_checks();
		point(!strcmp(utf8val_version(), UTF8VAL_VERSION),
		      "the version is that of the header", &version);
		printf("# seed: %#llx\n", SEED);
		for (size_t i = 0; i < COUNT(guarded); i++)
			guarded_check(guarded[i].name, guarded[i].check);
	}
	printf("1..%u\n", points);
	return failed;
}
