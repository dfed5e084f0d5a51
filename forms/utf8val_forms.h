/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The encoding forms that pass for UTF-8 elsewhere: distinguishing them, and converting
 * between them without loss. For hosts: the command calls these functions; the check of
 * a name knows UTF-8 only. The guarantees are those of utf8val.h.
 */
#ifndef UTF8VAL_FORMS_H
#define UTF8VAL_FORMS_H

#include "utf8val.h"

#ifdef UTF8VAL_PREFIX
#define utf8val_form_check UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_form_check)
#define utf8val_form_convert UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_form_convert)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * enum utf8val_form - how code points are written
 * @UTF8VAL_FORM_UTF8: RFC 3629
 * @UTF8VAL_FORM_CESU8: Unicode Technical Report 26: a supplementary code point
 *	is a pair of surrogates of three bytes each; F0..FF never occur
 * @UTF8VAL_FORM_MUTF8: Java's modified UTF-8 (The Java Virtual Machine
 *	Specification, 4.4.7): as CESU-8, but U+0000 is C0 80
 * @UTF8VAL_FORM_UCS4: RFC 2279: one to six bytes, every value up to
 *	U+7FFFFFFF, surrogates included, in its shortest form
 */
enum utf8val_form {
	UTF8VAL_FORM_UTF8,
	UTF8VAL_FORM_CESU8,
	UTF8VAL_FORM_MUTF8,
	UTF8VAL_FORM_UCS4
};

/*
 * utf8val_form_check() - find and explain the first ill-formed sequence
 * @form: the form
 * @buf: the bytes; may be NULL when @len is 0
 * @len: how many bytes
 *
 * The reasons are those of UTF-8, applied to the form. A surrogate without its other
 * half is UTF8VAL_SURROGATE. A byte that never occurs in the form is UTF8VAL_BAD_LEAD.
 * An input that ends after half a pair is truncated.
 *
 * Return: as utf8val_check(), and for UTF8VAL_FORM_UTF8 the same. bad is up to 3; in
 * UTF8VAL_FORM_UCS4, and for a pair that the end cuts off, up to 5.
 */
UTF8VAL_API UTF8VAL_RESULT
struct utf8val_result utf8val_form_check(enum utf8val_form form,
					 const void *buf, size_t len);

/*
 * utf8val_form_convert() - write the same code points in another form
 * @from: the form of @src
 * @to: the form wanted
 * @dst: where to; may be NULL when @cap is 0; must not overlap @src
 * @cap: room at @dst, in bytes
 * @src: the bytes; may be NULL when @len is 0
 * @len: how many bytes, at most SIZE_MAX / 2
 *
 * As with utf8val_replace(), only whole characters that fit are written.
 *
 * Return: the length of the whole result in bytes. SIZE_MAX, and nothing written, when
 * @src is ill-formed in @from or holds a value that @to cannot carry.
 */
UTF8VAL_API
size_t utf8val_form_convert(enum utf8val_form from, enum utf8val_form to,
			    void *dst, size_t cap, const void *src, size_t len);

#ifdef __cplusplus
}
#endif

#endif /* UTF8VAL_FORMS_H */
