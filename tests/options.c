// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The security module's parser of mount(2)'s string, on every string of up to WORDS
 * words. The expected results are found here in another way: where a string is split
 * follows from the number of quotation marks before a comma, and the new string is built
 * of the words that stay.
 *
 * The memory of a string ends where the string does, so that a sanitizer sees
 * each access beyond the end. TAP on standard output.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct user_namespace;
#include "kernel/lsm/options.c"

#define WORDS 8
#define ROOM 128

static const char *const words[] = {
	"utf8val", "=", "off", "audit", ",", "\"", "x",
};

static const size_t lengths[] = { 7, 1, 3, 5, 1, 1, 1 };

#define COUNT (sizeof(words) / sizeof(words[0]))

struct outcome {
	int err;
	int mode;
	size_t len;
	char left[ROOM];
};

static bool same(const char *a, size_t len, const char *word, size_t word_len)
{
	return len == word_len && !memcmp(a, word, len);
}

/*
 * The mode that the value of an option names, also in quotation marks; 0 when
 * it names none.
 */
static int mode_of(const char *value, size_t len)
{
	if (len > 1 && value[0] == '"' && value[len - 1] == '"') {
		value++;
		len -= 2;
	}
#define IF_NAMED(id, word) \
	same(value, len, #word, sizeof(#word) - 1) ? UTF8VAL_MODE_##id :
	return UTF8VAL_MODE_LIST(IF_NAMED, IF_NAMED) 0;
}

static void take(struct outcome *want, const char *option, size_t len)
{
	if (len >= 7 && !memcmp(option, "utf8val", 7) && (len == 7 || option[7] == '=')) {
		int mode = len > 8 ? mode_of(option + 8, len - 8) : 0;

		if (!mode || (want->mode && want->mode != mode))
			want->err = -EINVAL;
		want->mode = mode;
		return;
	}
	/* what stays, with a comma between two; an empty first one leaves none */
	if (want->len)
		want->left[want->len++] = ',';
	memcpy(want->left + want->len, option, len);
	want->len += len;
}

static void expected(struct outcome *want, const char *string, size_t len)
{
	size_t marks = 0, begin = 0;

	want->err = 0;
	want->mode = 0;
	want->len = 0;
	for (size_t i = 0; i <= len && !want->err; i++) {
		if (i == len || (string[i] == ',' && marks % 2 == 0)) {
			take(want, string + begin, i - begin);
			begin = i + 1;
		} else {
			marks += string[i] == '"';
		}
	}
}

static bool is_right(const char *string, size_t len)
{
	struct outcome want;
	void *opts = NULL;
	char *given = malloc(len + 1);
	bool right;
	int err;

	if (!given)
		exit(2);
	memcpy(given, string, len + 1);
	expected(&want, string, len);
	err = utf8val_sb_eat_lsm_opts(given, &opts);
	right = err == want.err;
	if (err)
		right = right && !opts && memchr(given, 0, len + 1);
	else
		right = right && strlen(given) == want.len &&
			!memcmp(given, want.left, want.len) &&
			(opts ? ((struct utf8val_mnt_opts *)opts)->mode : 0) == want.mode;
	if (!right)
		printf("# %s: status %d, left %s\n", string, err, given);
	free(given);
	return right;
}

int main(void)
{
	unsigned long strings = 0, wrong = 0, total = 1;

	for (size_t depth = 0; depth <= WORDS; depth++, total *= COUNT) {
		for (unsigned long i = 0; i < total; i++) {
			unsigned long rest = i;
			char string[ROOM];
			size_t len = 0;

			for (size_t k = 0; k < depth; k++, rest /= COUNT) {
				memcpy(string + len, words[rest % COUNT],
				       lengths[rest % COUNT]);
				len += lengths[rest % COUNT];
			}
			string[len] = '\0';
			strings++;
			wrong += wrong < 10 && !is_right(string, len);
		}
	}
	printf("%sok 1 - %lu strings of up to %d words\n1..1\n",
	       wrong ? "not " : "", strings, WORDS);
	return wrong != 0;
}
