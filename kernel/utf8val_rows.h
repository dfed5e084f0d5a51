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

static const u32 utf8val_fast_rows[256] = {
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 00 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 04 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 08 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 0C */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 10 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 14 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 18 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 1C */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 20 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 24 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 28 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 2C */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 30 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 34 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 38 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 3C */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 40 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 44 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 48 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 4C */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 50 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 54 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 58 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 5C */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 60 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 64 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 68 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 6C */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 70 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 74 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 78 */
	0x18000000u, 0x18000000u, 0x18000000u, 0x18000000u, /* 7C */
	0xC0044600u, 0xC0044600u, 0xC0044600u, 0xC0044600u, /* 80 */
	0xC0044600u, 0xC0044600u, 0xC0044600u, 0xC0044600u, /* 84 */
	0xC0044600u, 0xC0044600u, 0xC0044600u, 0xC0044600u, /* 88 */
	0xC0044600u, 0xC0044600u, 0xC0044600u, 0xC0044600u, /* 8C */
	0xC0040620u, 0xC0040620u, 0xC0040620u, 0xC0040620u, /* 90 */
	0xC0040620u, 0xC0040620u, 0xC0040620u, 0xC0040620u, /* 94 */
	0xC0040620u, 0xC0040620u, 0xC0040620u, 0xC0040620u, /* 98 */
	0xC0040620u, 0xC0040620u, 0xC0040620u, 0xC0040620u, /* 9C */
	0x00340620u, 0x00340620u, 0x00340620u, 0x00340620u, /* A0 */
	0x00340620u, 0x00340620u, 0x00340620u, 0x00340620u, /* A4 */
	0x00340620u, 0x00340620u, 0x00340620u, 0x00340620u, /* A8 */
	0x00340620u, 0x00340620u, 0x00340620u, 0x00340620u, /* AC */
	0x00340620u, 0x00340620u, 0x00340620u, 0x00340620u, /* B0 */
	0x00340620u, 0x00340620u, 0x00340620u, 0x00340620u, /* B4 */
	0x00340620u, 0x00340620u, 0x00340620u, 0x00340620u, /* B8 */
	0x00340620u, 0x00340620u, 0x00340620u, 0x00340620u, /* BC */
	0x00000000u, 0x00000000u, 0x06000000u, 0x06000000u, /* C0 */
	0x06000000u, 0x06000000u, 0x06000000u, 0x06000000u, /* C4 */
	0x06000000u, 0x06000000u, 0x06000000u, 0x06000000u, /* C8 */
	0x06000000u, 0x06000000u, 0x06000000u, 0x06000000u, /* CC */
	0x06000000u, 0x06000000u, 0x06000000u, 0x06000000u, /* D0 */
	0x06000000u, 0x06000000u, 0x06000000u, 0x06000000u, /* D4 */
	0x06000000u, 0x06000000u, 0x06000000u, 0x06000000u, /* D8 */
	0x06000000u, 0x06000000u, 0x06000000u, 0x06000000u, /* DC */
	0x13000000u, 0x08000000u, 0x08000000u, 0x08000000u, /* E0 */
	0x08000000u, 0x08000000u, 0x08000000u, 0x08000000u, /* E4 */
	0x08000000u, 0x08000000u, 0x08000000u, 0x08000000u, /* E8 */
	0x08000000u, 0x1D000000u, 0x08000000u, 0x08000000u, /* EC */
	0x02000000u, 0x0F000000u, 0x0F000000u, 0x0F000000u, /* F0 */
	0x0B000000u, 0x00000000u, 0x00000000u, 0x00000000u, /* F4 */
	0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u, /* F8 */
	0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u, /* FC */
};

/*
 * utf8val_lead_reason() - what is wrong with a byte before a tail
 * @lead: a byte that begins no sequence, or a lead byte before a tail that may not
 *	follow it
 *
 * Return: the reason; for any other lead byte a meaningless one.
 */
static inline enum utf8val_reason utf8val_lead_reason(u32 lead)
{
	if (lead < 0xC0u)
		return UTF8VAL_STRAY_TAIL;
	/* F0 is overlong like C0, C1 and E0; ED: surrogate; F4..F7: too large */
	if (lead == 0xF0u)
		return UTF8VAL_OVERLONG;
	lead = (u32)UTF8VAL_OVERLONG + ((lead % 32u) / 8u);
	return (enum utf8val_reason)lead;
}

/*
 * utf8val_reason_of() - why a sequence is ill-formed
 * @lead: the sequence's first byte, 80 to FF
 * @rejected: the byte at which the sequence became ill-formed: @lead itself, or the
 *	byte after the sequence
 *
 * An input that ends inside a sequence rejects no byte; its reason is
 * UTF8VAL_TRUNCATED, which this function never returns.
 *
 * Return: the reason.
 */
static inline enum utf8val_reason utf8val_reason_of(u32 lead,
						    u32 rejected)
{
	/* C2 to F4 begin sequences, so a later byte was rejected */
	if (lead >= 0xC2u && lead <= 0xF4u && (rejected & 0xC0u) != 0x80u)
		return UTF8VAL_MISSING_TAIL;
	return utf8val_lead_reason(lead);
}

#endif /* UTF8VAL_FAST_ROWS_H */
