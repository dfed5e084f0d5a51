/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef UTF8VAL_FAST_ROWS_H
#define UTF8VAL_FAST_ROWS_H

/*
 * RFC 3629's grammar as a shift DFA: a state is an offset into the words below,
 * and (utf8val_fast_rows[byte] >> offset) & 31 is the next one. Named by
 * lead bytes:
 *
 *   00 at 24
 *   C2 at  6
 *   E0 at 19
 *   E1 at  8
 *   ED at 29
 *   F0 at  2
 *   F1 at 15
 *   F4 at 11
 *   FF at  0
 */
#define UTF8VAL_FAST_ACCEPT 24u
#define UTF8VAL_FAST_REJECT 0u

#define UTF8VAL_ROWS_4(row) row, row, row, row
#define UTF8VAL_ROWS_16(row) \
	UTF8VAL_ROWS_4(row), UTF8VAL_ROWS_4(row), \
	UTF8VAL_ROWS_4(row), UTF8VAL_ROWS_4(row)
#define UTF8VAL_ROWS_64(row) \
	UTF8VAL_ROWS_16(row), UTF8VAL_ROWS_16(row), \
	UTF8VAL_ROWS_16(row), UTF8VAL_ROWS_16(row)

static const u32 utf8val_fast_rows[256] = {
	UTF8VAL_ROWS_64(0x18000000u), /* 00 */
	UTF8VAL_ROWS_64(0x18000000u), /* 40 */
	UTF8VAL_ROWS_16(0xC0044600u), /* 80 */
	UTF8VAL_ROWS_16(0xC0040620u), /* 90 */
	UTF8VAL_ROWS_16(0x00340620u), /* A0 */
	UTF8VAL_ROWS_16(0x00340620u), /* B0 */
	0x00000000u, 0x00000000u, 0x06000000u, 0x06000000u, /* C0 */
	UTF8VAL_ROWS_4(0x06000000u), /* C4 */
	UTF8VAL_ROWS_4(0x06000000u), /* C8 */
	UTF8VAL_ROWS_4(0x06000000u), /* CC */
	UTF8VAL_ROWS_16(0x06000000u), /* D0 */
	0x13000000u, 0x08000000u, 0x08000000u, 0x08000000u, /* E0 */
	UTF8VAL_ROWS_4(0x08000000u), /* E4 */
	UTF8VAL_ROWS_4(0x08000000u), /* E8 */
	0x08000000u, 0x1D000000u, 0x08000000u, 0x08000000u, /* EC */
	0x02000000u, 0x0F000000u, 0x0F000000u, 0x0F000000u, /* F0 */
	0x0B000000u, 0x00000000u, 0x00000000u, 0x00000000u, /* F4 */
	UTF8VAL_ROWS_4(0x00000000u), /* F8 */
	UTF8VAL_ROWS_4(0x00000000u), /* FC */
};

#endif /* UTF8VAL_FAST_ROWS_H */
