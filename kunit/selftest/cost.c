// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many instructions utf8val_check_name() takes, and how many the kernel's own
 * functions take for the same names. vm/bench/module_cost.c loads this module. The
 * kernel's own functions are utf8_validate() of fs/unicode, which file systems with
 * strict casefolding call, and utf8s_to_utf16s(), by which other file systems notice
 * ill-formed names. Each name is a line in the log:
 *
 *	utf8val_cost: TEXT LENGTH OURS UTF8_VALIDATE UTF8S_TO_UTF16S
 *
 * The module needs a time stamp counter that goes up by one with each instruction, for
 * example QEMU's with -icount shift=0. The kernel has CONFIG_UNICODE and CONFIG_NLS.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/dcache.h>
#include <linux/module.h>
#include <linux/nls.h>
#include <linux/slab.h>
#include <linux/timex.h>
#include <linux/unicode.h>
#include <linux/utf8val.h>

#define NAME_LEN_MAX 255

struct work {
	struct unicode_map *map;
	struct qstr name;
	u8 bytes[NAME_LEN_MAX];
	wchar_t wide[NAME_LEN_MAX];
};

/* Each of these functions returns 0 for a name that it accepts. */
static noinline int nothing(struct work *work)
{
	return 0;
}

static noinline int ours(struct work *work)
{
	return utf8val_check_name(&work->name);
}

static noinline int validate(struct work *work)
{
	return utf8_validate(work->map, &work->name);
}

static noinline int to_utf16(struct work *work)
{
	return utf8s_to_utf16s(work->name.name, work->name.len,
			       UTF16_HOST_ENDIAN, work->wide,
			       NAME_LEN_MAX) < 0;
}

static int (*const functions[])(struct work *work) = {
	nothing, ours, validate, to_utf16
};

static const struct {
	const char *name, *text;
} texts[] = {
	{ "ASCII", "report-2024_final.v2 (copy of Draft)_IMG-0042.txt" },
	{ "multilingual",
	  "Übersicht 税金の書類 Отчёт 보고서 📄 déjà 你好.txt " },
};

static const size_t lengths[] = { 14, 64, 255 };

/* Repeat the text, in whole characters, and fill up with full stops. */
static void make_name(struct work *work, const char *text, size_t len)
{
	size_t period = strlen(text), end, i;

	for (i = 0; i < sizeof(work->bytes); i++)
		work->bytes[i] = text[i % period];
	end = utf8val_check(work->bytes, len).valid;
	memset(work->bytes + end, '.', len - end);
	work->name = (struct qstr)QSTR_INIT(work->bytes, len);
}

/*
 * Count the instructions of a function's second call: in the first one, code
 * may be patched or pages may be faulted in.
 */
static int count(struct work *work, int (*function)(struct work *work),
		 cycles_t *cost)
{
	unsigned long flags;
	cycles_t begin;
	int i, err;

	local_irq_save(flags);
	for (i = 0; i < 2; i++) {
		begin = get_cycles();
		err = function(work);
		*cost = get_cycles() - begin;
	}
	local_irq_restore(flags);
	return err;
}

static int measure(struct work *work, const char *text, size_t len)
{
	cycles_t costs[ARRAY_SIZE(functions)];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		if (count(work, functions[i], &costs[i])) {
			pr_err("%s, %zu bytes: function %zu refuses it\n",
			       text, len, i);
			return -EINVAL;
		}
		costs[i] -= i ? costs[0] : 0;
	}
	pr_info("%s %zu %llu %llu %llu\n", text, len, costs[1], costs[2],
		costs[3]);
	return 0;
}

static int __init cost_init(void)
{
	struct work *work = kzalloc(sizeof(*work), GFP_KERNEL);
	int err = 0;
	size_t t, n;

	if (!work)
		return -ENOMEM;
	work->map = utf8_load(UNICODE_AGE(12, 1, 0));
	if (IS_ERR(work->map)) {
		err = PTR_ERR(work->map);
		goto out;
	}
	for (t = 0; t < ARRAY_SIZE(texts) && !err; t++) {
		for (n = 0; n < ARRAY_SIZE(lengths) && !err; n++) {
			make_name(work, texts[t].text, lengths[n]);
			err = measure(work, texts[t].name, lengths[n]);
		}
	}
	utf8_unload(work->map);
out:
	kfree(work);
	return err;
}
module_init(cost_init);

static void __exit cost_exit(void)
{
}
module_exit(cost_exit);

MODULE_DESCRIPTION("Instructions that UTF-8 checks take");
MODULE_LICENSE("GPL");
