// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A contract that says too little would go unnoticed: its function meets it, and so do
 * wrong ones. These functions, which only the prover reads, call each public function
 * twice with the same input. Of what the two do the prover knows the contract alone, so
 * that they are the same only if the contract leaves one result.
 */
#include "../spec/contracts.h"

/*@ requires fits(len) && \valid_read((uint8_t *)buf + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == true; */
static bool read_twice(const void *buf, size_t len)
{
	struct utf8val_result one = utf8val_check(buf, len);
	struct utf8val_result two = utf8val_check(buf, len);

	//@ assert same: one.valid == two.valid;
	return one.bad == two.bad && one.reason == two.reason &&
	       utf8val_valid(buf, len) == utf8val_valid(buf, len) &&
	       utf8val_prefix(buf, len) == utf8val_prefix(buf, len) &&
	       utf8val_count(buf, len) == utf8val_count(buf, len);
}

/*@ requires fits(len) && len <= PTRDIFF_MAX;
    requires \valid_read((uint8_t *)buf + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == true; */
static bool floor_twice(const void *buf, size_t len, size_t at)
{
	return utf8val_floor(buf, len, at) == utf8val_floor(buf, len, at) &&
	       utf8val_trim(buf, len) == utf8val_trim(buf, len) &&
	       utf8val_replaced_size(buf, len) == utf8val_replaced_size(buf, len);
}

/*@ requires 0 < len <= PTRDIFF_MAX && \valid_read(s + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == true; */
static bool next_twice(const uint8_t *s, size_t len)
{
	int32_t next, again, prev, before;

	return utf8val_next(s, s + len, &next) == utf8val_next(s, s + len, &again) &&
	       utf8val_prev(s + len, s, &prev) == utf8val_prev(s + len, s, &before) &&
	       next == again && prev == before;
}

/*@ requires \valid(out + (0 .. 3)); terminates \true; assigns out[0 .. 3];
    ensures \result == true; */
static bool encode_twice(uint32_t cp, uint8_t *out)
{
	uint8_t other[4];
	size_t one = utf8val_encode(cp, out);
	size_t two = utf8val_encode(cp, other);

	return one == two &&
	       (one < 1 || out[0] == other[0]) && (one < 2 || out[1] == other[1]) &&
	       (one < 3 || out[2] == other[2]) && (one < 4 || out[3] == other[3]);
}

/*@ // of a rejected byte and of more bits than characters have no code point is said
    terminates \true; assigns \nothing;
    ensures \result == true; */
static bool step_twice(struct utf8val_dfa one, uint32_t cp, uint8_t byte)
{
	struct utf8val_dfa two = one;
	uint32_t first = cp, second = cp;
	uint32_t next = utf8val_step(&one, &first, byte);

	return utf8val_step(&two, &second, byte) == next && one.state == two.state &&
	       (next == UTF8VAL_REJECT || cp >= 0x4000000 || first == second);
}

/*@ requires \valid_read((uint8_t *)buf + (0 .. len - 1));
    terminates \true; assigns \nothing;
    ensures \result == true; */
static bool feed_twice(struct utf8val_dfa one, const void *buf, size_t len)
{
	struct utf8val_dfa two = one;

	return utf8val_feed(&one, buf, len) == utf8val_feed(&two, buf, len) &&
	       one.state == two.state;
}
