/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What by_cbmc.py asks of kernel/lsm/options.c: which mode does a value of any
 * length name? WP does not know what a string literal holds.
 */
#include "kernel/lsm/options.c"

void *malloc(__SIZE_TYPE__);

static bool is(const char *value, size_t len, const char *word, size_t word_len)
{
	size_t i;

	if (len != word_len)
		return false;
	for (i = 0; i < word_len; i++)
		if (value[i] != word[i])
			return false;
	return true;
}

void prove_utf8val_parse_mode(void)
{
	size_t len;
	const char *value = malloc(len);
	int wanted;

	__CPROVER_assume(value);
#define IF_NAMED(id, word) \
	is(value, len, #word, sizeof(#word) - 1) ? UTF8VAL_MODE_##id :
	wanted = UTF8VAL_MODE_LIST(IF_NAMED, IF_NAMED) -EINVAL;
	__CPROVER_assert(utf8val_parse_mode(value, len) == wanted,
			 "the mode that it names");
	__CPROVER_assert(0, REACHED);
}
