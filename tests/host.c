// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The host's runner of the shared checks, and the checks that only a host can do: more
 * input, between two pages that cannot be read. The suites host-* run it. TAP on
 * standard output.
 *
 *   host                all checks, seconds
 *   host --exhaustive   the same with more strings, and every string of four bytes
 *   host --across       instead, every string of three bytes across borders of blocks
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "guarded.h"
#include "oracle.h"

#define PAGES 17	/* 64 KiB and more */
#define LETTERS 38	/* the most letters on one side of an input */
#ifndef MOST_THREADS
#define MOST_THREADS 64
#endif
#define SEED 0x75746638ull

static unsigned int points;
static bool failed;
bool exhaustive;

static void die(const char *what)
{
	printf("Bail out! %s failed\n", what);
	exit(2);
}

static void on_fault(int signal)
{
	static const char text[] = "Bail out! a guard page was touched in the next point\n";

	(void)signal;
	if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0)
		_exit(3);
	_exit(2);
}

/* Memory with pages on both sides that cannot be read. */
static struct arena new_arena(void)
{
	size_t size = PAGES * (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *map = mmap(NULL, 3 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		die("mmap");
	if (mprotect(map + size, size, PROT_READ | PROT_WRITE))
		die("mprotect");
	return (struct arena){ map + size, map + 2 * size };
}

/* One TAP point; what the failing input was follows as a diagnostic. */
static void point(bool ok, const char *name, const struct utf8val_failure *failure)
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

bool is_mine(struct run *run, unsigned int strings)
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

bool wrong(struct run *run, const uint8_t *s, size_t len)
{
	run->input_len = len < LONGEST ? len : LONGEST;
	memcpy(run->input, s, run->input_len);
	return false;
}

/* Check one string where it lies. */
static bool check_here(struct run *run, const uint8_t *s, size_t len)
{
	return utf8val_check_bytes(s, len, run->room, &run->failure) ||
	       wrong(run, s, len);
}

/* Check one string right after the lower guard page, then right before the upper one. */
static bool at_both_guards(struct run *run, const uint8_t *bytes, size_t len)
{
	uint8_t *high = run->arena.high - len;

	memcpy(run->arena.low, bytes, len);
	memcpy(high, bytes, len);
	return check_here(run, run->arena.low, len) && check_here(run, high, len);
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
 * Check one string at both guard pages, with 0 to 15 letters before the string and
 * after it. This gives every alignment of its first byte, of its last byte, and of the
 * place of an error.
 */
static bool at_every_alignment(struct run *run, const uint8_t *bytes, size_t len)
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
	for (size_t len = 0; len <= (exhaustive ? 3 : 2); len++)
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
				  exhaustive ? utf8val_edges : classes,
				  exhaustive ? utf8val_edge_count : COUNT(classes), len))
			return false;
	return true;
}

static bool four_edges(struct run *run)
{
	return combinations(run, at_both_guards, utf8val_edges,
			    utf8val_edge_count, exhaustive ? 4 : 3);
}

/* Streams get each string in two and in three pieces, cut everywhere. */
static bool six_classes(struct run *run)
{
	for (size_t len = 0; len <= (exhaustive ? 6 : 4); len++)
		if (!combinations(run, at_one_guard, classes, COUNT(classes), len))
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

/* Check four bytes where the text around them cannot be read. */
static bool four_read(struct run *run, const uint8_t *bytes, size_t len)
{
	uint8_t *low = run->arena.low;
	uint8_t *high = run->arena.high - len;
	const uint8_t *pos = high;
	enum utf8val_reason reason;
	int32_t value;
	uint32_t cp;
	size_t size;

	memcpy(low, bytes, len);
	memcpy(high, bytes, len);
	size = oracle_unit(bytes, len, &value);
	reason = utf8val_next(&pos, high + len + 9, &cp);
	if (!same(run, "next: reason", value < 0 ? (size_t)-value : 0, reason) ||
	    !same(run, "next: code point", value < 0 ? 0xFFFD : (size_t)value, cp) ||
	    !same(run, "next: moved", size, (size_t)(pos - high)))
		return wrong(run, bytes, len);
	/* The results of utf8val_prev() are compared where more bytes can be read. */
	pos = low + len;
	if (utf8val_prev(&pos, low - 9, &cp) == UTF8VAL_END)
		return wrong(run, bytes, len);
	/* utf8val_trim() and utf8val_floor() go back by three bytes at most. */
	return same(run, "trim", true, utf8val_trim(low - 9, 9 + len) >= 9 + len - 3) &&
	       same(run, "floor", true, utf8val_floor(low - 9, len + 99, 9 + len - 1) >=
		    9 + len - 4);
}

static bool least_reads(struct run *run)
{
	/* nothing at all is read here */
	return same(run, "floor: end", 9, utf8val_floor(run->arena.high, 9, 9)) &&
	       combinations(run, four_read, exhaustive ? utf8val_edges : classes,
			    exhaustive ? utf8val_edge_count : COUNT(classes), 4);
}

uint64_t random_seed(unsigned int string)
{
	uint64_t state = SEED ^ (string + 1) * 0x9E3779B97F4A7C15ull;

	random_next(&state);
	return state;
}

uint64_t random_next(uint64_t *state)
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
	unsigned int most = exhaustive ? 10000000 : 50000;

	for (unsigned int i = 0; i < most; i++) {
		uint64_t state = random_seed(i);
		size_t want, len = 0;
		uint8_t bytes[64 + 4];

		if (!is_mine(run, 1))
			continue;
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
 * Check four bytes alone, then among letters. The fast engine has a separate way for
 * each of 11, 24 and 64 bytes, and its two walks meet the four bytes there. A letter
 * ends a character too early, in the same way as the end of the input.
 */
static bool four_bytes(struct run *run, uint8_t *alone, uint8_t *among)
{
	static const struct {
		size_t before, after;
	} letters[] = { { 3, 4 }, { 6, 14 }, { 22, LETTERS } };
	struct utf8val_result want = oracle_check(alone, 4);

	if (!utf8val_check_whole(alone, 4, want, &run->failure) ||
	    !utf8val_check_units(alone, 4, &run->failure))
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

/*
 * Try every string of three bytes at a place of the text, with those bytes at which
 * ranges of the grammar begin or end. The text is well-formed and has a boundary at each
 * odd place.
 */
static bool edge_strings(struct run *run, uint8_t *s, size_t len, size_t at)
{
	static const uint8_t edges[] = {
		0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF,
		0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF,
	};
	enum { STRINGS = COUNT(edges) * COUNT(edges) * COUNT(edges) };
	/* An error begins in these bytes, which begin and end at boundaries of the text. */
	size_t from = at == 0 || at % 2 ? at : at - 1;
	size_t end = (from | 1) + 10 < len ? (from | 1) + 10 : len;

	if (!is_mine(run, STRINGS))
		return true;
	for (size_t i = 0; i < STRINGS; i++) {
		struct utf8val_result want;

		s[at] = edges[i % COUNT(edges)];
		s[at + 1] = edges[i / COUNT(edges) % COUNT(edges)];
		s[at + 2] = edges[i / COUNT(edges) / COUNT(edges)];
		want = oracle_check(s + from, end - from);
		want.valid = want.reason ? from + want.valid : len;
		if (!same(run, "prefix", want.valid, utf8val_prefix(s, len)) ||
		    !same(run, "valid", want.reason == UTF8VAL_OK,
			  utf8val_valid(s, len)) ||
		    !same(run, "reason", want.reason, utf8val_check(s, len).reason))
			return wrong(run, s, len);
	}
	return true;
}

/* A text of ASCII, or of characters of two bytes after one of ASCII. */
static void fill(uint8_t *s, size_t len, bool is_ascii)
{
	for (size_t i = 0; i < len; i++)
		s[i] = i == 0 || is_ascii ? 0x41 : i % 2 ? 0xC3 : 0xA9;
}

/*
 * Such strings at each place in two blocks of 64 bytes and three bytes more, up to the
 * guard page.
 */
static bool each_place(struct run *run)
{
	enum { LEN = 2 * 64 + 3 };
	uint8_t *s = run->arena.high - LEN;

	for (size_t at = 0; at < LEN - 2; at++)
		for (int is_ascii = 0; is_ascii < 2; is_ascii++) {
			fill(s, LEN, is_ascii);
			if (!edge_strings(run, s, LEN, at))
				return false;
		}
	return true;
}

/*
 * Such strings across each border between vectors and blocks of vectors, with another
 * block after it. They stand among ASCII, among characters of two bytes, and with ASCII
 * only in blocks before or only after the border.
 */
static bool each_border(struct run *run)
{
	static const size_t borders[] = { 16, 32, 64, 80, 96, 128, 160, 192, 320, 576 };
	enum { BLOCK = 256 };

	for (size_t turn = 0; turn < COUNT(borders) * 4 * 4; turn++) {
		size_t border = borders[turn / 16];
		size_t len = border + BLOCK + 3;
		uint8_t *s = run->arena.high - len;

		fill(s, len, turn % 4 == 1);
		if (turn % 4 == 2)
			memset(s, 0x41, 1 + (border < BLOCK ? border : border - BLOCK));
		if (turn % 4 == 3)
			memset(s + border + 1, 0x41, BLOCK + 2);
		if (!edge_strings(run, s, len, border - 3 + turn / 4 % 4))
			return false;
	}
	return true;
}

/*
 * Every string of three bytes across the border of two blocks, of 16 and of 64 bytes,
 * after ASCII and after a lead. The text is long enough for the vectors of any engine.
 */
static bool across(struct run *run)
{
	enum { BEFORE = 61, AFTER = 18 };
	static const uint8_t before[] = { 0x41, 0xF1 };
	uint8_t s[BEFORE + 4 + AFTER];

	memset(s, 0x41, sizeof(s));
	for (uint32_t i = 0; i < 2u << 24; i++) {
		struct utf8val_result want;

		if (!(i & 0xFFFF) && !is_mine(run, 0x10000)) {
			i |= 0xFFFF;
			continue;
		}
		s[BEFORE] = before[i >> 24];
		s[BEFORE + 1] = (uint8_t)(i >> 16);
		s[BEFORE + 2] = (uint8_t)(i >> 8);
		s[BEFORE + 3] = (uint8_t)i;
		/* The bytes around the five are ASCII. */
		want = oracle_check(s + BEFORE, 5);
		want.valid += want.reason ? BEFORE : BEFORE + AFTER - 1;
		if (!same(run, "prefix", want.valid, utf8val_prefix(s, sizeof(s))) ||
		    !same(run, "valid", want.reason == UTF8VAL_OK,
			  utf8val_valid(s, sizeof(s))))
			return wrong(run, s, sizeof(s));
	}
	return true;
}

static void shared_checks(void)
{
	static uint8_t scratch[UTF8VAL_SCRATCH];
	struct utf8val_failure failure;

	printf("# vectors: %zu, checks: %zu\n", utf8val_vector_count, utf8val_case_count);
	for (size_t i = 0; i < utf8val_vector_count; i++)
		point(utf8val_check_vector(&utf8val_vectors[i], scratch, &failure),
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

static void run_guarded(const struct guarded_check *guarded)
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
		run->check = guarded->check;
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
	snprintf(name, sizeof(name), "between guard pages: %s", guarded->name);
	point(!bad, name, bad ? &bad->failure : NULL);
	if (bad)
		tell_input(bad->input, bad->input_len);
	else
		printf("# %llu strings\n", runs[0].strings);
}

int main(int argc, char **argv)
{
	static const struct guarded_check guarded[] = {
		{ "all bytes, short strings", short_strings },
		{ "short strings of classes, every alignment",
		  every_alignment },
		{ "classes' edges, more bytes", four_edges },
		{ "one byte of every class, up to six", six_classes },
		{ "every vector, every alignment", aligned_vectors },
		{ "next, prev, floor and trim read four bytes at most",
		  least_reads },
		{ "three bytes at each place of two blocks", each_place },
		{ "three bytes across each border of blocks", each_border },
		{ "mutated strings", random_strings },
	};
	static const struct {
		const char *option;
		struct guarded_check check;
	} instead[] = {
		{ "--exhaustive", { "every string of four bytes", every_four_bytes } },
		{ "--across", { "all strings of three bytes across blocks", across } },
	};
	static const struct utf8val_failure version = {
		.what = "utf8val_version()",
	};
	const char *option = argc > 1 ? argv[1] : "";

	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGSEGV, on_fault);
	signal(SIGBUS, on_fault);
	exhaustive = !strcmp(option, "--exhaustive");
	if (argc == 1 || (argc == 2 && exhaustive)) {
		shared_checks();
		point(!strcmp(utf8val_version(), UTF8VAL_VERSION),
		      "the version is that of the header", &version);
		printf("# seed: %#llx\n", SEED);
		for (size_t i = 0; i < COUNT(guarded); i++)
			run_guarded(&guarded[i]);
		for (size_t i = 0; i < text_check_count; i++)
			run_guarded(&text_checks[i]);
	}
	for (size_t i = 0; argc == 2 && i < COUNT(instead); i++)
		if (!strcmp(option, instead[i].option))
			run_guarded(&instead[i].check);
	if (!points) {
		fprintf(stderr, "usage: %s [--exhaustive | --across]\n",
			argv[0]);
		return 2;
	}
	printf("1..%u\n", points);
	return failed;
}
