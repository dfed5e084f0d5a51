/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Names for programs that run in the virtual machine: every kind of ill-formed sequence
 * (RFC 3629, sections 3 and 4; The Unicode Standard, table 3-7). Each sequence stands
 * between two good letters where the letters do not change its kind. Tests of the mount
 * option, the guard and the command include this.
 */
#ifndef UTF8VAL_VM_NAMES_H
#define UTF8VAL_VM_NAMES_H

#include <stddef.h>
#include <string.h>

struct bad_name {
	const char *kind;
	const char *bytes;	/* no NUL and no '/', as in any file name */
};

static const struct bad_name bad_names[] = {
	{ "overlong /, 2 bytes", "a\xC0\xAFz" },
	{ "overlong NUL, 2 bytes", "a\xC0\x80z" },
	{ "overlong a, 2 bytes", "a\xC1\xA1z" },
	{ "overlong /, 3 bytes", "a\xE0\x80\xAFz" },
	{ "overlong U+07FF, 3 bytes", "a\xE0\x9F\xBFz" },
	{ "overlong U+FFFF, 4 bytes", "a\xF0\x8F\xBF\xBFz" },
	{ "high surrogate", "a\xED\xA0\x80z" },
	{ "low surrogate", "a\xED\xBF\xBFz" },
	{ "surrogate pair (CESU-8)", "a\xED\xA0\xBD\xED\xB8\x80z" },
	{ "above U+10FFFF", "a\xF4\x90\x80\x80z" },
	{ "lead F5", "a\xF5\x80\x80\x80z" },
	{ "lead F8, 5 bytes", "a\xF8\x88\x80\x80\x80z" },
	{ "byte FE", "a\xFEz" },
	{ "byte FF", "a\xFFz" },
	{ "stray tail 80", "a\x80z" },
	{ "stray tail BF", "a\xBFz" },
	{ "tail after a whole character", "a\xC3\xA9\xA9z" },
	{ "missing tail, 2 bytes", "a\xC3z" },
	{ "missing tail, 3 bytes", "a\xE4\xBDz" },
	{ "missing tail, 4 bytes", "a\xF0\x9F\x98z" },
	{ "truncated, 2 bytes", "a\xC3" },
	{ "truncated, 3 bytes", "a\xE4\xBD" },
	{ "truncated, 4 bytes", "a\xF0\x9F\x98" },
	{ "Latin-1", "caf\xE9" },
	{ "Shift-JIS", "\x93\xFA\x96\x7B\x8C\xEA" },
	{ "KOI8-R", "\xF2\xD5\xD3\xD3\xCB\xC9\xCA" },
};

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define BAD_NAMES ARRAY_SIZE(bad_names)

/* A name of @len bytes, up to 300, that ends with @end, until the next call. */
static inline const char *name_of(size_t len, const char *end)
{
	static char name[301];

	memset(name, 'n', len);
	memcpy(name + len - strlen(end), end, strlen(end) + 1);
	return name;
}

#endif /* UTF8VAL_VM_NAMES_H */
