/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Rows of bpf/kernel/name.h: a name is ill-formed exactly if the automaton does not accept
 * it. The kernel and BPF are models. The row "guard_piece" shows what 64 bytes of a longer
 * name do, from each state; "guard_name" puts that in the place of kernel_piece().
 */
#include <linux/types.h>
#include "prover.h"
#include "loops.h"

typedef uint8_t __u8;
typedef uint16_t __u16;
typedef uint32_t __u32;
typedef uint64_t __u64;
typedef int32_t __s32;
typedef int64_t __s64;

#define UTF8VAL_GUARD_KERNEL_TYPES_H
#undef __always_inline
#define __always_inline inline
#define __noinline
#define asm
#define volatile(...)
#define DNAME 40

struct qstr {
	__u32 len;
	const unsigned char *name;
};

/* Linux has one of two places for a short name, by its version. */
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

static bool has_shortname;

#define bpf_core_field_exists(field) has_shortname
#define row_at(rows, byte) (rows)[byte]

static __u32 shifted(__u32 word, __u32 count)
{
	return word >> (count & 31);
}

static long bpf_probe_read_kernel(void *to, __u32 len, const void *from);
static long bpf_loop(__u32 times, void *call, void *with, __u64 flags);

#include "bpf/kernel/name.h"

/* the piece that is read, and where; reading may fail */
static __u8 piece[PIECE];
static __u64 read_at, read_len;
static bool fails, failed;

static long bpf_probe_read_kernel(void *to, __u32 len, const void *from)
{
	__u32 i;

	read_at = OFFSET((const __u8 *)from);
	read_len = len;
	PROVED(read_at <= text_len && len <= text_len - read_at, "inside the name");
	if (fails) {
		failed = true;
		return -1;
	}
	for (i = 0; i < PIECE; i++)
		if (i < len)
			((__u8 *)to)[i] = piece[i];
	return 0;
}

static uint8_t state_after(const __u8 *bytes, __u32 most, __u32 len, uint8_t state)
{
	__u32 i;

	for (i = 0; i < most; i++)
		if (i < len)
			state = rfc_next(state, bytes[i]);
	return state;
}

/* what is asked of the name as a whole */
static enum { BY_PIECES, BY_CALLER } loop;
static const unsigned char *asked_from;
static __u32 asked_len;
static bool asked_bad;

static long bpf_loop(__u32 times, void *call, void *with, __u64 flags)
{
	struct name *name = with;
	bool stops;
	__u32 i;

	PROVED(name->state == UTF8VAL_FAST_ACCEPT, "from the beginning");
	if (loop == BY_CALLER) {
		__u32 answer;

		asked_from = name->from;
		asked_len = name->len;
		asked_bad = answer > 0;
		name->state = asked_bad ? UTF8VAL_FAST_REJECT : UTF8VAL_FAST_ACCEPT;
		return 0;
	}
	PROVED((__u64)times * PIECE >= name->len, "rounds enough");
	PROVED(name->from == text && name->len == text_len, "of this name");
	/* what the row "piece" shows of kernel_piece(), one after another */
	for (i = 0; i < times; i++)
	CONTRACT(WRITES(i, name->state, failed), i <= times &&
		 (failed ? name->state == UTF8VAL_FAST_REJECT :
		  (size_t)i * PIECE <= text_len ? name->state == PLACE(run[(size_t)i * PIECE]) :
		  name->state == (run[text_len] == TEXT ? UTF8VAL_FAST_ACCEPT :
				  UTF8VAL_FAST_REJECT)), times - i) {
		size_t at = (size_t)i * PIECE, left = text_len - at;
		bool lost;

		PROVED(at < text_len, "not behind the end");
		if (lost || failed) {
			failed = true;
			name->state = UTF8VAL_FAST_REJECT;
		} else {
			name->state = left >= PIECE ? PLACE(run[at + PIECE]) :
				run[text_len] == TEXT ? UTF8VAL_FAST_ACCEPT :
				UTF8VAL_FAST_REJECT;
			/* the run has states, and the row "dead" holds */
			__CPROVER_assume(left < PIECE || run[at + PIECE] <= DEAD);
			__CPROVER_assume(left < PIECE || run[at + PIECE] != DEAD ||
					 run[text_len] == DEAD);
		}
		if (stops && name->state == UTF8VAL_FAST_REJECT)
			return i + 1;
	}
	return times;
}

void prove_guard_short(void)
{
	__u64 words[SHORT_WORDS];
	__u32 len;

	__CPROVER_assume(len < SHORT);
	PROVED(short_is_bad(words, len) ==
	       (state_after((const __u8 *)words, SHORT, len, TEXT) != TEXT), "ill-formed");
	REACHED();
}

/* Piece @i, from each state that the automaton has. */
void prove_guard_piece(void)
{
	struct name name;
	uint8_t before, after;
	__u32 i, left;
	long stops;

	any_text(GUARD_LONGEST_NAME);
	__CPROVER_assume(text_len && i * PIECE < text_len && i < GUARD_LONGEST_NAME / PIECE);
	__CPROVER_assume(before <= DEAD);
	name.from = text;
	name.len = text_len;
	name.state = PLACE(before);
	left = text_len - i * PIECE;
	stops = kernel_piece(i, &name);
	PROVED(read_at == i * PIECE && read_len == (left < PIECE ? left : PIECE), "this piece");
	after = state_after(piece, PIECE, read_len, before);
	if (fails)
		PROVED(stops && name.state == UTF8VAL_FAST_REJECT, "not readable");
	else if (left >= PIECE)
		PROVED(name.state == PLACE(after), "the state after it");
	else
		PROVED(name.state == (after == TEXT ? UTF8VAL_FAST_ACCEPT :
				      UTF8VAL_FAST_REJECT), "the verdict after the last");
	PROVED(!stops || name.state == UTF8VAL_FAST_REJECT, "stops for good");
	REACHED();
}

void prove_guard_name(void)
{
	bool bad;

	any_text(UINT32_MAX);
	__CPROVER_assume(text_len);
	failed = false;
	hidden_zero = 0;
	loop = BY_PIECES;
	bad = name_is_bad(text, text_len);
	PROVED(bad == (failed || text_len > 4096 || run[text_len] != TEXT),
	       "ill-formed, too long, or not readable");
	REACHED();
}

/* The name of any dentry, in itself or elsewhere, is looked at as a whole. */
void prove_guard_entry(void)
{
	struct dentry dentry;
	static unsigned char elsewhere[2 * DNAME];
	const unsigned char *inside;
	bool is_inside, bad;
	__u32 place;

	inside = has_shortname ? dentry.later : dentry.d_iname;
	__CPROVER_assume(place < sizeof(elsewhere));
	dentry.d_name.name = is_inside ? inside : elsewhere + place;
	/* a zero byte ends it */
	__CPROVER_assume(dentry.d_name.len &&
			 dentry.d_name.len <= (is_inside ? DNAME - 1 : GUARD_LONGEST_NAME));
	hidden_zero = 0;
	asked_len = 0;
	loop = BY_CALLER;
	bad = entry_is_bad(&dentry);
	if (asked_len)
		PROVED(asked_from == dentry.d_name.name && bad == asked_bad &&
		       asked_len == dentry.d_name.len && (!is_inside || asked_len >= SHORT),
		       "by pieces");
	else
		PROVED(is_inside && bad == (state_after(inside, DNAME, dentry.d_name.len, TEXT)
					    != TEXT), "ill-formed");
	REACHED();
}
