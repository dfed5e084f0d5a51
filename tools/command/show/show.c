// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val show: prints code points, their bytes, and the encoding forms. main.c calls
 * it.
 */
#include "base/commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/option.h"
#include "base/text.h"
#include "guess/form.h"
#include "show/input.h"
#include "utf8val.h"

static void add_form(struct text *line, const char *label,
		     enum utf8val_form form, const uint8_t *sequence, size_t len)
{
	uint8_t out[8];
	size_t need = utf8val_form_convert(UTF8VAL_FORM_UTF8, form, out,
					   sizeof(out), sequence, len);

	if (need > sizeof(out))
		return;
	text_printf(line, "        %-16s", label);
	text_hex(line, out, need, ' ');
	text_puts(line, "\n");
}

static void show_character(const uint8_t *sequence, size_t len, uint32_t cp)
{
	const struct colours *c = colours();
	text_auto line = { 0 };

	text_printf(&line, "%sU+%04X%s  ", c->good, cp, c->off);
	text_escape(&line, sequence, len);
	text_puts(&line, "\n");
	add_form(&line, "UTF-8", UTF8VAL_FORM_UTF8, sequence, len);
	add_form(&line, "CESU-8", UTF8VAL_FORM_CESU8, sequence, len);
	add_form(&line, "Modified UTF-8", UTF8VAL_FORM_MUTF8, sequence, len);
	text_emit(&line);
}

/*
 * Show each character, and each ill-formed sequence with its reason; false when
 * any was ill-formed.
 */
static bool show_utf8(const uint8_t *pos, size_t len)
{
	const struct colours *c = colours();
	const uint8_t *end = pos + len;
	bool good = true;

	while (pos < end) {
		const uint8_t *sequence = pos;
		text_auto line = { 0 };
		uint32_t cp;
		enum utf8val_reason reason = utf8val_next(&pos, end, &cp);

		if (reason == UTF8VAL_OK) {
			show_character(sequence, (size_t)(pos - sequence), cp);
			continue;
		}
		good = false;
		text_printf(&line, "%sill-formed%s: ", c->bad, c->off);
		text_hex(&line, sequence, (size_t)(pos - sequence), ' ');
		text_printf(&line, ": %s\n", utf8val_reason_name(reason));
		text_emit(&line);
	}
	return good;
}

/*
 * If the bytes are well-formed in another form, show the characters that they
 * stand for; false when they are not.
 */
static bool show_as(enum utf8val_form form, const char *label,
		    const uint8_t *bytes, size_t len)
{
	text_auto text = { 0 };
	bool is_it = form_to_utf8(form, bytes, len, &text);

	if (is_it) {
		printf("ill-formed UTF-8, but well-formed %s:\n", label);
		show_utf8((const uint8_t *)text.bytes, text.len);
	}
	return is_it;
}

static int show_bytes(const void *bytes, size_t len)
{
	if (utf8val_valid(bytes, len)) {
		show_utf8(bytes, len);
		return STATUS_GOOD;
	}
	if (!show_as(UTF8VAL_FORM_CESU8, "CESU-8", bytes, len) &&
	    !show_as(UTF8VAL_FORM_MUTF8, "Modified UTF-8", bytes, len))
		show_utf8(bytes, len);
	return STATUS_BAD;
}

/* Is every argument of the form "U+4E16"? */
static bool are_code_points(char *const *args)
{
	for (size_t i = 0; args[i]; i++) {
		const char *s = args[i];

		if ((s[0] != 'U' && s[0] != 'u') || s[1] != '+' || !s[2] ||
		    s[2 + strspn(s + 2, "0123456789abcdefABCDEF")])
			return false;
	}
	return args[0];
}

static int show_code_points(char *const *args)
{
	int status = STATUS_GOOD;

	for (size_t i = 0; args[i]; i++) {
		unsigned long value = strtoul(args[i] + 2, NULL, 16);
		uint8_t sequence[4];
		size_t len = value <= 0x10FFFF ?
				     utf8val_encode((uint32_t)value, sequence) :
				     0;

		if (len) {
			show_character(sequence, len, (uint32_t)value);
			continue;
		}
		status = STATUS_BAD;
		complain(args[i], strlen(args[i]), "%s",
			 value > 0x10FFFF ?
				 "above U+10FFFF, which UTF-8 cannot encode" :
				 "half of a surrogate pair, which UTF-8 "
				 "cannot encode");
	}
	return status;
}

int show_main(int argc, char **argv)
{
	unsigned int how = INPUT_AUTO;
	const struct command_option options[] = {
		INPUT_OPTIONS(&how),
		{ 0 },
	};
	const struct usage usage = {
		.operands = "[TEXT|U+XXXX...|BYTES...|-]",
		.does = "Show each code point and its bytes in UTF-8, CESU-8 "
			"and Modified UTF-8. BYTES are pairs of hexadecimal "
			"digits (F0 9F 98 80, \\xF0\\x9F\\x98\\x80); - is "
			"standard input. Bytes that are another form of UTF-8 "
			"are shown as that.",
		.statuses = "0 if everything is well-formed UTF-8, 1 if not, 2 "
			    "on errors.",
		.options = options,
	};
	char **operands = argv + options_parse(argc, argv, &usage);
	text_auto bytes = { 0 };

	if (how == INPUT_AUTO && are_code_points(operands))
		return show_code_points(operands);
	if (!input_get(how, operands, &bytes))
		return STATUS_TROUBLE;
	return show_bytes(bytes.bytes, bytes.len);
}
