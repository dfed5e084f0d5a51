/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What by_cbmc.py asks of bpf/kernel/name.h: is a name bad exactly when next_state()
 * byte by byte does not accept it?
 *
 * The guard's states are places in the rows of engine/fast_rows.h, place_of() those of
 * next_state(). Short names are asked about as they are, and which names of a dentry are
 * taken for short. Longer names go by pieces: kernel_piece() makes of the state before
 * piece i the state after it, for each i and each length, and reads nothing but that
 * piece; after a last piece of less than 64 bytes that state is the verdict, accepting or
 * rejected. Of names of any length, name_is_bad() then has the state after all pieces,
 * one after another. And as a whole name_is_bad() goes by the rows, for names of up to
 * three pieces.
 *
 * What the kernel and BPF offer to a program is a model here. The asm, which tells the
 * verifier that a length of at most 64 is less than 128, does nothing.
 */
#include <stdbool.h>
#include <linux/types.h>

#define UTF8VAL_ENGINE_COMPACT 1
#include "utf8val.c"

#define UTF8VAL_GUARD_KERNEL_TYPES_H
#define __always_inline inline
#define __noinline
#define asm
#define volatile(...)
#define DNAME 40

struct qstr {
	__u32 len;
	const unsigned char *name;
};

/* Linux has one of these places for a short name; here they do not overlap. */
struct dentry {
	struct qstr d_name;
	unsigned char d_iname[DNAME];
	unsigned char later[DNAME];
};

struct dentry___shortname {
	struct qstr d_name;
	unsigned char earlier[DNAME];
	struct {
		unsigned char words[DNAME];
	} d_shortname;
};

static _Bool has_shortname;

#define bpf_core_field_exists(field) has_shortname
#define row_at(rows, byte) (rows)[byte]

void *malloc(__SIZE_TYPE__);

static __u32 shifted(__u32 word, __u32 count)
{
	return word >> (count & 31);
}

static long bpf_probe_read_kernel(void *to, __u32 len, const void *from);
static long bpf_loop(__u32 times, void *call, void *with, __u64 flags);

#include "bpf/kernel/name.h"

#define PIECES 3

/* Of any value, as nothing defines them: the name's length, and what is read of it. */
extern __u32 text_len;
extern __u8 piece[PIECE];
extern __u8 whole[PIECES * PIECE];

static const unsigned char *text;
static bool from_whole, failed;
/* what was read last: from which place, how many bytes */
static __u64 read_at, read_len;

/* how bpf_loop() goes: by the program's own function, by what is proved of that, or by
 * saying for whom it was called, and anything of the name */
static enum { BY_PIECES, BY_WHAT_IS_PROVED, BY_CALLER } loop;
static const unsigned char *asked_from;
static __u32 asked_len;
static bool asked_bad;

static long bpf_probe_read_kernel(void *to, __u32 len, const void *from)
{
	__u64 at = (const unsigned char *)from - text;
	bool fails;
	__u32 i;

	__CPROVER_assert(at <= text_len && len <= text_len - at, "inside the name");
	read_at = at;
	read_len = len;
	if (fails) {
		failed = true;
		return -1;
	}
	for (i = 0; i < PIECE; i++)
		if (i < len)
			((__u8 *)to)[i] = from_whole ? whole[at + i] : piece[i];
	return 0;
}

/* Any function of a state and of what a piece holds, but what is rejected remains so. */
__u32 __CPROVER_uninterpreted_after(__u32 state, __u32 i, __u32 len);

static __u32 after(__u32 state, __u32 i, __u32 len)
{
	return state == UTF8VAL_FAST_REJECT ? state :
		__CPROVER_uninterpreted_after(state, i, len);
}

/* What prove_kernel_piece() shows of kernel_piece(). */
static long proved_piece(__u32 i, struct name *name)
{
	__u64 at = (__u64)i * PIECE;
	bool fails, stops;

	__CPROVER_assert(at < name->len, "not behind the end");
	if (fails) {
		failed = true;
		name->state = UTF8VAL_FAST_REJECT;
		return 1;
	}
	if (name->len - at >= PIECE)
		name->state = after(name->state, i, PIECE);
	else
		name->state = after(name->state, i, name->len - at) ==
			UTF8VAL_FAST_ACCEPT ? UTF8VAL_FAST_ACCEPT : UTF8VAL_FAST_REJECT;
	return stops && name->state == UTF8VAL_FAST_REJECT;
}

static long bpf_loop(__u32 times, void *call, void *with, __u64 flags)
{
	struct name *name = with;
	__u32 i;

	if (loop == BY_CALLER) {
		__u32 any;

		asked_from = name->from;
		asked_len = name->len;
		asked_bad = any > 0;
		__CPROVER_assert(name->state == UTF8VAL_FAST_ACCEPT,
				 "from the beginning");
		name->state = asked_bad ? UTF8VAL_FAST_REJECT : UTF8VAL_FAST_ACCEPT;
		return 0;
	}
	if (loop == BY_WHAT_IS_PROVED) {
		for (i = 0; i < times; i++)
			if (proved_piece(i, with))
				return i + 1;
		return times;
	}
	__CPROVER_assert((__u64)times * PIECE >= name->len, "rounds enough");
	for (i = 0; i < times && i <= PIECES; i++)
		if (kernel_piece(i, with))
			return i + 1;
	__CPROVER_assert(i == times, "more pieces than are looked at");
	return times;
}

static __u32 step_by_step(const __u8 *bytes, __u32 most, __u32 len, __u32 state)
{
	__u32 i;

	for (i = 0; i < most; i++)
		if (i < len)
			state = next_state(state, bytes[i]);
	return state;
}

/* The same by the rows. kernel_piece() shows that next_state() goes the same way. */
static __u32 row_by_row(const __u8 *bytes, __u32 most, __u32 len, __u32 place)
{
	__u32 i;

	for (i = 0; i < most; i++)
		if (i < len)
			place = utf8val_fast_rows[bytes[i]] >> place & 31;
	return place;
}

/* A lead byte names the state that it leads to. */
static __u32 place_of(__u32 state)
{
	return state == UTF8VAL_ACCEPT ? UTF8VAL_FAST_ACCEPT :
		state == UTF8VAL_REJECT ? UTF8VAL_FAST_REJECT :
		utf8val_fast_rows[state & 0xFF] >> UTF8VAL_FAST_ACCEPT & 31;
}

/* Any state that the automaton has: three bytes lead to each. */
static __u32 any_state(void)
{
	__u8 a, b, c;

	return next_state(next_state(next_state(UTF8VAL_ACCEPT, a), b), c);
}

void prove_short_is_bad(void)
{
	__u64 words[SHORT_WORDS];
	__u32 len;
	bool bad;

	__CPROVER_assume(len < SHORT);
	bad = short_is_bad(words, len);
	__CPROVER_assert(bad == (step_by_step((const __u8 *)words, SHORT,
						 len, UTF8VAL_ACCEPT)
				 != UTF8VAL_ACCEPT), "bad when it is not accepted");
	__CPROVER_assert(0, REACHED);
}

void prove_kernel_piece(void)
{
	struct name name;
	__u32 i, before;
	__u64 at;
	long stops;

	__CPROVER_assume(text_len && text_len <= GUARD_LONGEST_NAME);
	text = malloc(text_len);
	__CPROVER_assume(text);
	__CPROVER_assume(i < GUARD_LONGEST_NAME / PIECE && i * PIECE < text_len);
	before = any_state();
	name.from = text;
	name.len = text_len;
	name.state = place_of(before);
	at = (__u64)i * PIECE;
	stops = kernel_piece(i, &name);
	__CPROVER_assert(read_at == at && read_len ==
			 (text_len - at < PIECE ? text_len - at : PIECE), "this piece");
	if (failed)
		__CPROVER_assert(stops && name.state == UTF8VAL_FAST_REJECT,
				 "not readable");
	else if (text_len - at >= PIECE)
		__CPROVER_assert(name.state ==
				 place_of(step_by_step(piece, PIECE, PIECE, before)),
				 "the state after it");
	else
		__CPROVER_assert(name.state ==
				 (step_by_step(piece, PIECE, text_len - at, before)
				  == UTF8VAL_ACCEPT ? UTF8VAL_FAST_ACCEPT :
				  UTF8VAL_FAST_REJECT), "the verdict after the last");
	__CPROVER_assert(!stops || name.state == UTF8VAL_FAST_REJECT, "stops for good");
	__CPROVER_assert(next_state(UTF8VAL_REJECT, piece[0]) == UTF8VAL_REJECT,
			 "what is rejected remains so");
	__CPROVER_assert(0, REACHED);
}

void prove_name_is_bad(void)
{
	bool bad;

	__CPROVER_assume(text_len && text_len <= PIECES * PIECE);
	text = malloc(text_len);
	__CPROVER_assume(text);
	from_whole = true;
	bad = name_is_bad(text, text_len);
	__CPROVER_assert(bad == (failed || row_by_row(whole, PIECES * PIECE, text_len,
						      UTF8VAL_FAST_ACCEPT)
				 != UTF8VAL_FAST_ACCEPT), "bad when it is not accepted");
	__CPROVER_assert(0, REACHED);
}

/* A name of any length that names have: the state after all pieces, one after another. */
void prove_any_name(void)
{
	__u32 state = UTF8VAL_FAST_ACCEPT;
	__u32 i;
	bool bad;

	__CPROVER_assume(text_len);
	loop = BY_WHAT_IS_PROVED;
	bad = name_is_bad(text, text_len);
	for (i = 0; i < GUARD_LONGEST_NAME / PIECE; i++)
		if (i * PIECE < text_len)
			state = after(state, i, text_len - i * PIECE >= PIECE ? PIECE :
				      text_len - i * PIECE);
	__CPROVER_assert(bad == (failed || state != UTF8VAL_FAST_ACCEPT ||
				 text_len > GUARD_LONGEST_NAME),
			 "bad when it is not accepted, or too long");
	__CPROVER_assert(0, REACHED);
}

/* The name of any dentry, in itself or elsewhere, is looked at as a whole. */
void prove_entry_is_bad(void)
{
	struct dentry dentry;
	static unsigned char elsewhere[2 * DNAME];
	const unsigned char *inside;
	__u32 place;
	bool is_inside, is_newer, bad;

	has_shortname = is_newer;
	inside = is_newer ? dentry.later : dentry.d_iname;
	__CPROVER_assume(place < sizeof(elsewhere));
	dentry.d_name.name = is_inside ? inside : elsewhere + place;
	/* a zero byte ends it */
	__CPROVER_assume(dentry.d_name.len &&
			 dentry.d_name.len <= (is_inside ? DNAME - 1 :
					       GUARD_LONGEST_NAME));
	loop = BY_CALLER;
	bad = entry_is_bad(&dentry);
	if (asked_len)
		__CPROVER_assert(asked_from == dentry.d_name.name && bad == asked_bad &&
				 asked_len == dentry.d_name.len &&
				 (!is_inside || asked_len >= SHORT), "by pieces");
	else
		__CPROVER_assert(is_inside &&
				 bad == (step_by_step(inside, DNAME, dentry.d_name.len,
						      UTF8VAL_ACCEPT)
					 != UTF8VAL_ACCEPT), "as a whole");
	__CPROVER_assert(0, REACHED);
}
