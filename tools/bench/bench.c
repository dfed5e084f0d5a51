// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Times all peers on the same inputs in one process, taking turns: what disturbs the
 * machine for a while disturbs all of them. tools/bench/run.py builds and calls this.
 *
 *   bench ROUNDS FILE...
 *
 * FILE.names is one name a line; each is checked on its own, in an order that is
 * shuffled for every round. FILE.text is checked as a whole. Prints a line for each
 * input and peer:
 *
 *   input, bytes, items, peer, then nanoseconds for the whole input: the least and
 *   the median of all rounds; separated by tabs
 *
 * With BENCH_COUNT, the times are 0: tools/bench/count.c counts instructions from each
 * first call of nanoseconds() to the next one.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

static const struct peer {
	const char *name;
	bool (*valid)(const void *buf, size_t len);
	/* A function that gives no verdict returns a length instead. */
	size_t (*length)(const void *buf, size_t len);
} peers[] = {
	{ "valid", .valid = bench_valid },
	{ "prefix", .valid = bench_prefix },
	{ "check", .valid = bench_check },
	{ "feed", .valid = bench_feed },
	{ "stream_feed", .valid = bench_stream },
	{ "count", .length = bench_count },
	{ "replace", .length = bench_replace },
	{ "replaced_size", .length = bench_replaced_size },
	{ "next", .length = bench_next },
	{ "prev", .length = bench_prev },
	{ "next and encode", .length = bench_encode },
	{ "step", .length = bench_step },
	{ "floor", .length = bench_floor },
	{ "trim", .length = bench_trim },
	{ "simdutf", .valid = bench_simdutf },
	{ "simdutf position", .valid = bench_simdutf_position },
	{ "simdjson", .valid = bench_simdjson },
	{ "Rust", .valid = bench_rust },
#ifndef BENCH_COUNT
	{ "GLib", .valid = bench_glib },
#endif
};

#define PEERS (sizeof(peers) / sizeof(peers[0]))

struct item {
	const uint8_t *s;
	size_t len;
};

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void *must(void *memory)
{
	if (!memory)
		fail("bench");
	return memory;
}

/*
 * Read the whole file into one byte more than it has, so that an empty file has
 * an address, too.
 */
static uint8_t *read_file(const char *path, size_t *len)
{
	FILE *file = fopen(path, "rb");
	uint8_t *buf;
	long size;

	if (!file || fseek(file, 0, SEEK_END))
		fail(path);
	size = ftell(file);
	if (size < 0)
		fail(path);
	rewind(file);
	buf = must(malloc((size_t)size + 1));
	*len = fread(buf, 1, (size_t)size, file);
	if (ferror(file) || fclose(file))
		fail(path);
	return buf;
}

/* The items of a file: lines, or the whole. */
static struct item *split(const uint8_t *buf, size_t len, bool lines, size_t *count)
{
	struct item *items = NULL;
	const uint8_t *end = buf + len;
	size_t n = 0, room = 0;

	while (buf < end) {
		const uint8_t *stop = lines ? memchr(buf, '\n',
						     (size_t)(end - buf)) : end;

		if (!stop)
			stop = end;
		if (n == room) {
			room = room ? 2 * room : 1024;
			items = must(realloc(items, room * sizeof(*items)));
		}
		items[n].s = buf;
		items[n++].len = (size_t)(stop - buf);
		buf = stop + 1;
	}
	*count = n;
	return items;
}

/*
 * Bring items into a random order, the same in each run of this program, and lay them
 * one after the other into a buffer. A CPU can then not learn the branches, and the
 * caches are used as in the original order.
 */
static void shuffle(struct item *items, size_t count, uint8_t *buf, uint32_t *seed)
{
	for (size_t i = count; i > 1; i--) {
		struct item last = items[i - 1];
		size_t other;

		*seed = *seed * 1664525u + 1013904223u;
		other = (size_t)((uint64_t)*seed * i >> 32);
		items[i - 1] = items[other];
		items[other] = last;
	}
	for (size_t i = 0; i < count; i++) {
		memcpy(buf, items[i].s, items[i].len);
		items[i].s = buf;
		buf += items[i].len;
	}
}

/*
 * Touch all items, so that no peer pays for what the peer before or the
 * shuffling left in the caches.
 */
static void warm(const struct item *items, size_t count)
{
	volatile uint8_t sink;

	for (size_t i = 0; i < count; i++)
		for (size_t at = 0; at < items[i].len; at += 64)
			sink = items[i].s[at];
	(void)sink;
}

/*
 * The number of well-formed items; or the sum of lengths, which only makes use
 * of the answers.
 */
static size_t take(const struct peer *peer, const struct item *items, size_t count)
{
	size_t n = 0;

	if (peer->length)
		for (size_t i = 0; i < count; i++)
			n += peer->length(items[i].s, items[i].len);
	else
		for (size_t i = 0; i < count; i++)
			n += peer->valid(items[i].s, items[i].len);
	return n;
}

static uint64_t nanoseconds(void)
{
#ifdef BENCH_COUNT
	getppid();
	return 0;
#else
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void measure(const char *path, size_t rounds)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	const char *dot = strrchr(name, '.');
	uint64_t *times = must(calloc(PEERS * rounds, sizeof(*times)));
	size_t len, count, bytes = 0;
	uint8_t *file = read_file(path, &len);
	struct item *items = split(file, len, dot && !strcmp(dot, ".names"), &count);
	/* Each round copies the items from one buffer into the other. */
	uint8_t *bufs[] = { must(malloc(len + 1)), must(malloc(len + 1)) };
	uint32_t seed = 1;
	size_t good[PEERS];

	for (size_t i = 0; i < count; i++)
		bytes += items[i].len;
	for (size_t round = 0; round < rounds; round++) {
		shuffle(items, count, bufs[round % 2], &seed);
		for (size_t p = 0; p < PEERS; p++) {
			uint64_t begin;

			warm(items, count);
			begin = nanoseconds();
			good[p] = take(&peers[p], items, count);
			times[p * rounds + round] = nanoseconds() - begin;
		}
	}
	for (size_t p = 0; p < PEERS; p++) {
		uint64_t *t = times + p * rounds;

		if (peers[p].valid && good[p] != good[0]) {
			fprintf(stderr, "bench: %s: %zu are well-formed, but %zu says %s\n",
				name, good[0], good[p], peers[p].name);
			exit(1);
		}
		qsort(t, rounds, sizeof(*t), by_value);
		printf("%.*s\t%zu\t%zu\t%s\t%llu\t%llu\n",
		       dot ? (int)(dot - name) : (int)strlen(name), name,
		       bytes, count, peers[p].name, (unsigned long long)t[0],
		       (unsigned long long)t[rounds / 2]);
	}
	fflush(stdout);
	free(items);
	free(times);
	free(bufs[0]);
	free(bufs[1]);
	free(file);
}

int main(int argc, char **argv)
{
	size_t rounds = argc > 2 ? (size_t)strtoul(argv[1], NULL, 10) : 0;

	if (!rounds) {
		fprintf(stderr, "usage: bench ROUNDS FILE...\n");
		return 2;
	}
	printf("# simdjson: %s, simdutf: %s\n", bench_simdjson_name(),
	       bench_simdutf_name());
	for (int i = 2; i < argc; i++)
		measure(argv[i], rounds);
	return 0;
}
