// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Modes, operations, and bytes that somebody else has chosen, as users write and read them.
 * Every subcommand that prints calls it.
 */
#include "print.h"

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

void text_safe(struct text *text, const char *s)
{
	text_escape(text, s, strlen(s));
}

void text_within(struct text *text, const char *s, const char *also)
{
	while (*s) {
		size_t len = strcspn(s, also);

		text_escape(text, s, len);
		s += len;
		if (*s)
			text_printf(text, "\\x%02X", (unsigned int)*s++);
	}
}

void text_label(struct text *text, const char *s)
{
	text_auto plain = { 0 };

	text_within(&plain, s, "\"");
	for (size_t i = 0; i < plain.len; i++) {
		if (plain.bytes[i] == '\\')
			text_puts(text, "\\");
		text_add(text, &plain.bytes[i], 1);
	}
}

void text_member(struct text *text, const char *key, const void *bytes, size_t len)
{
	if (len)
		text_json(text, key, bytes, len);
	else
		text_printf(text, "%snull", key);
}

void text_uuid(struct text *text, const unsigned char *uuid)
{
	for (int i = 0; i < 16; i++)
		text_printf(text, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			    uuid[i]);
}

void print_text(FILE *to, const struct text *text)
{
	fwrite(text->bytes, 1, text->len, to);
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
