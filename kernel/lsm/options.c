// SPDX-License-Identifier: GPL-2.0-only
/*
 * utf8val= from a mount's options, which mount(2) brings as one string and
 * fsconfig(2) one by one. The result travels in fs_context.security, of which
 * security.c shows the hooks of this module nothing but a slot of its own.
 */
#define pr_fmt(fmt) "utf8val: " fmt

#include <linux/fs_context.h>
#include <linux/fs_parser.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "lsm.h"

#define OPTION "utf8val"
#define KEY_LEN (sizeof(key) - 1)

static const char key[] = OPTION;
static const char no_value[] = OPTION "= needs one of" UTF8VAL_MODE_WORDS;
static const char two_values[] = OPTION "= is given twice, with two values";

#define NAME(id, word) \
	[UTF8VAL_MODE_##id] = #word,
static const char *const mode_names[UTF8VAL_MODES] = {
	[UTF8VAL_MODE_UNSET] = UTF8VAL_UNSET,
	UTF8VAL_MODE_LIST(NAME, NAME)
};

/* indexed by [inherited][mode] */
#define GIVEN(id, ...) \
	[UTF8VAL_MODE_##id] = { UTF8VAL_MODE_##id, false },
#define INHERITED(id, ...) \
	[UTF8VAL_MODE_##id] = { UTF8VAL_MODE_##id, true },
static const struct utf8val_mnt_opts all_opts[2][UTF8VAL_MODES] = {
	{ UTF8VAL_MODE_LIST(GIVEN, GIVEN) },
	{ UTF8VAL_MODE_LIST(INHERITED, INHERITED) },
};

const char *utf8val_mode_name(enum utf8val_mode mode)
{
	return mode_names[mode];
}

/* For fs_context.security, which is not const; nobody writes through it. */
static void *opts_pointer(bool inherited, enum utf8val_mode mode)
{
	return (void *)&all_opts[inherited][mode];
}

void *utf8val_inherited_opts(enum utf8val_mode mode)
{
	return opts_pointer(true, mode);
}

/* enum utf8val_mode of an option's value, or -EINVAL */
int utf8val_parse_mode(const char *value, size_t len)
{
	int mode;

	for (mode = UTF8VAL_MODE_OFF; mode < UTF8VAL_MODES; mode++)
		if (strlen(mode_names[mode]) == len &&
		    !memcmp(mode_names[mode], value, len))
			return mode;
	return -EINVAL;
}

/*
 * Note in *mnt_opts what the option says. Returns: 0, or an error with a
 * message in *why, which has no newline; *mnt_opts is then as it was.
 */
static int add_option(void **mnt_opts, const char *value, size_t len,
		      const char **why)
{
	const struct utf8val_mnt_opts *have = *mnt_opts;
	int mode = utf8val_parse_mode(value, len);

	if (mode < 0) {
		*why = no_value;
		return mode;
	}
	if (have && !have->inherited && have->mode != mode) {
		*why = two_values;
		return -EINVAL;
	}
	*mnt_opts = opts_pointer(false, mode);
	return 0;
}

/*
 * One parameter, from fsconfig(2) or split off a mount's string. It is left as
 * it is, as other security modules may be shown it after this one.
 */
int utf8val_fs_context_parse_param(struct fs_context *fc,
				   struct fs_parameter *param)
{
	const char *why = no_value;
	int err = -EINVAL;

	if (strcmp(param->key, OPTION))
		return -ENOPARAM;
	if (param->type == fs_value_is_string)
		err = add_option(&fc->security, param->string, param->size,
				 &why);
	if (err)
		errorf(fc, "%s", why);
	return err;
}

/* Called with a copy of a context, whose options are still unset. */
int utf8val_fs_context_dup(struct fs_context *fc, struct fs_context *src)
{
	fc->security = src->security;
	return 0;
}

/* An option ends at a comma outside double quotes, or at the string's end. */
static size_t option_len(const char *option)
{
	bool quoted = false;
	size_t len;

	for (len = 0; option[len]; len++) {
		if (option[len] == '"')
			quoted = !quoted;
		else if (option[len] == ',' && !quoted)
			break;
	}
	return len;
}

/* Is this option utf8val=VALUE, or utf8val without a value? */
static bool is_ours(const char *option, size_t len)
{
	return len >= KEY_LEN && !memcmp(option, key, KEY_LEN) &&
	       (len == KEY_LEN || option[KEY_LEN] == '=');
}

/* Note a utf8val= option, whose value may stand in double quotes. */
static int add_ours(void **mnt_opts, const char *option, size_t len,
		    const char **why)
{
	const char *value = option + min(len, KEY_LEN + 1);
	size_t value_len = option + len - value;

	if (value_len >= 2 && value[0] == '"' && value[value_len - 1] == '"') {
		value++;
		value_len -= 2;
	}
	return add_option(mnt_opts, value, value_len, why);
}

/* Move an option to where those that stay end. Returns: where the next goes. */
static char *keep(char *options, char *to, const char *from, size_t len)
{
	if (to != options)
		*to++ = ',';
	memmove(to, from, len);
	return to + len;
}

/*
 * Take utf8val= out of mount(2)'s string, wherever and however often it stands
 * there. On error the string may have lost the option already; *mnt_opts is
 * then forgotten, which frees nothing, as nothing was allocated.
 */
int utf8val_sb_eat_lsm_opts(char *options, void **mnt_opts)
{
	char *from = options;
	char *to = options;

	for (;;) {
		size_t len = option_len(from);
		bool last = !from[len];

		if (is_ours(from, len)) {
			const char *why;
			int err = add_ours(mnt_opts, from, len, &why);

			if (err) {
				pr_warn_ratelimited("%s\n", why);
				*mnt_opts = NULL;
				return err;
			}
		} else {
			to = keep(options, to, from, len);
		}
		if (last)
			break;
		from += len + 1;
	}
	*to = '\0';
	return 0;
}
