// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Modes, operations, and bytes that somebody else has chosen, as users write and read them.
 * Every subcommand that prints calls it.
 */
#include "print.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "bpf/shared/guard_maps.h"
#include "utf8val.h"

#define NAME(id, word, ...) \
	[GUARD_##id] = #word,
static const char *const modes[GUARD_MODES] = {
	[GUARD_UNSET] = UTF8VAL_UNSET,
	UTF8VAL_MODE_LIST(NAME, NAME)
};

static const char *const ops[GUARD_OPS] = { GUARD_OP_LIST(NAME) };

const char *mode_name(unsigned int mode)
{
	return mode < GUARD_MODES ? modes[mode] : "unknown";
}

const char *op_name(unsigned int op)
{
	return op < GUARD_OPS ? ops[op] : "unknown";
}

int mode_parse(const char *name)
{
	for (int i = GUARD_OFF; i < GUARD_MODES; i++)
		if (!strcmp(modes[i], name))
			return i;
	return GUARD_UNSET;
}

/*
 * Characters that a terminal obeys, or shows nothing for: controls, separators of lines, and
 * Unicode's Default_Ignorable_Code_Point.
 */
static const struct range {
	uint32_t first, last;
} unseen[] = {
	{ 0x00, 0x1F },		{ 0x7F, 0x9F },		{ 0xAD, 0xAD },
	{ 0x34F, 0x34F },	{ 0x61C, 0x61C },	{ 0x115F, 0x1160 },
	{ 0x17B4, 0x17B5 },	{ 0x180B, 0x180F },	{ 0x200B, 0x200F },
	{ 0x2028, 0x202E },	{ 0x2060, 0x206F },	{ 0x3164, 0x3164 },
	{ 0xFE00, 0xFE0F },	{ 0xFEFF, 0xFEFF },	{ 0xFFA0, 0xFFA0 },
	{ 0xFFF0, 0xFFF8 },	{ 0x1BCA0, 0x1BCA3 },	{ 0x1D173, 0x1D17A },
	{ 0xE0000, 0xE0FFF },
};

/* How many bytes has the character at s, if a terminal may be shown it? Else 0. */
static size_t printable(const char *s)
{
	const uint8_t *begin = (const uint8_t *)s, *pos = begin;
	uint32_t cp;
	size_t i;

	if (utf8val_next(&pos, begin + strlen(s), &cp) != UTF8VAL_OK || cp == '\\' || cp == '"')
		return 0;
	for (i = 0; i < sizeof(unseen) / sizeof(*unseen); i++)
		if (cp >= unseen[i].first && cp <= unseen[i].last)
			return 0;
	return (size_t)(pos - begin);
}

/* @also: more characters of ASCII that are escaped */
static void print_escaped(FILE *to, const char *s, const char *escape, const char *also)
{
	while (*s) {
		size_t len = strchr(also, *s) ? 0 : printable(s);

		if (len)
			fprintf(to, "%.*s", (int)len, s);
		else
			fprintf(to, "%s%02x", escape, (unsigned char)*s);
		s += len ? len : 1;
	}
}

void print_safe(FILE *to, const char *s)
{
	print_escaped(to, s, "\\x", "");
}

void print_within(FILE *to, const char *s, const char *also)
{
	print_escaped(to, s, "\\x", also);
}

/* Does a shell take every byte as it is? */
static bool is_plain(const char *s)
{
	const char *end = s;

	while (isalnum((unsigned char)*end) || (*end && strchr("-_./:=@%+,", *end)))
		end++;
	return *s && !*end;
}

void print_argument(FILE *to, const char *s)
{
	if (is_plain(s)) {
		fputs(s, to);
		return;
	}
	fputs("$'", to);
	for (; *s; s++) {
		if (*s == '\'' || *s == '\\')
			putc('\\', to);
		if (*s >= ' ' && *s <= '~')
			putc(*s, to);
		else
			fprintf(to, "\\x%02x", (unsigned char)*s);
	}
	putc('\'', to);
}

void print_label(const char *s)
{
	print_escaped(stdout, s, "\\\\x", "");
}

/* A byte that is not UTF-8 becomes U+DCxx, as in Python's surrogateescape. */
void print_json(const char *s)
{
	putchar('"');
	while (*s) {
		const uint8_t *begin = (const uint8_t *)s, *pos = begin;
		uint32_t cp;
		bool good = utf8val_next(&pos, begin + strlen(s), &cp) ==
			    UTF8VAL_OK;
		size_t len = printable(s);

		if (len) {
			printf("%.*s", (int)len, s);
		} else if (good) {
			len = (size_t)(pos - begin);
			if (cp > 0xFFFF)
				printf("\\u%04x", 0xD7C0u + (cp >> 10));
			printf("\\u%04x", cp > 0xFFFF ? 0xDC00u | (cp & 0x3FF) : cp);
		} else {
			printf("\\udc%02x", (unsigned char)*s);
		}
		s += len ? len : 1;
	}
	putchar('"');
}

void print_uuid(FILE *to, const unsigned char *uuid)
{
	for (int i = 0; i < 16; i++)
		fprintf(to, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
}

const char *source_name(unsigned int source)
{
	static const char *const names[GUARD_SOURCES] = {
		[GUARD_FROM_OLDER] = "unknown",
		[GUARD_FROM_MOUNT] = "option",
		[GUARD_FROM_SET] = "set",
		[GUARD_FROM_POLICY] = "policy",
		[GUARD_FROM_KERNEL] = "kernel",
	};

	return source < GUARD_SOURCES ? names[source] : names[GUARD_FROM_OLDER];
}
