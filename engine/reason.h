/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The one place that decides why a sequence is ill-formed. The core and the forms
 * include this file, each after its header that declares enum
 * utf8val_reason. tools/gen/fast_tables.py copies the functions for the kernel.
 */
#ifndef UTF8VAL_REASON_H
#define UTF8VAL_REASON_H

/*
 * utf8val_lead_reason() - what is wrong with a byte before a tail
 * @lead: a byte that begins no sequence, or a lead byte before a tail that may not
 *	follow it
 *
 * Return: the reason; for any other lead byte a meaningless one.
 */
static inline enum utf8val_reason utf8val_lead_reason(uint32_t lead)
{
	if (lead < 0xC0u)
		return UTF8VAL_STRAY_TAIL;
	/* F0 is overlong like C0, C1 and E0; ED: surrogate; F4..F7: too large */
	if (lead == 0xF0u)
		return UTF8VAL_OVERLONG;
	lead = (uint32_t)UTF8VAL_OVERLONG + ((lead % 32u) / 8u);
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
static inline enum utf8val_reason utf8val_reason_of(uint32_t lead,
						    uint32_t rejected)
{
	/* C2 to F4 begin sequences, so a later byte was rejected */
	if (lead >= 0xC2u && lead <= 0xF4u && (rejected & 0xC0u) != 0x80u)
		return UTF8VAL_MISSING_TAIL;
	return utf8val_lead_reason(lead);
}

#endif /* UTF8VAL_REASON_H */
