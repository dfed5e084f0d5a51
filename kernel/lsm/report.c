// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tell of bad names, in the kernel's log, an audit record and a tracepoint.
 * Names are hostile bytes and are shown in hexadecimal everywhere.
 *
 * The owner of a user namespace can mount file systems and fill them with any
 * names. What happens on them is for the tracepoint and the counters, and not
 * for the host's logs.
 */
#define pr_fmt(fmt) "utf8val: " fmt

#include <linux/audit.h>
#include <linux/kdev_t.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/user_namespace.h>

#include "lsm.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/* %*ph prints up to 64 bytes; of a longer name, those near the bad place */
#define SHOWN 64
#define SHOWN_BEFORE 16

#define NAME(id, word) \
	[UTF8VAL_OP_##id] = #word,
const char *const utf8val_op_names[UTF8VAL_OPS] = {
	UTF8VAL_OP_LIST(NAME, NAME)
};

bool utf8val_belongs_to_host(const struct super_block *sb)
{
	return sb->s_user_ns == &init_user_ns;
}

static void log_name(const struct super_block *sb, const struct qstr *name,
		     const struct utf8val_result *where, const char *verdict,
		     enum utf8val_op op)
{
	size_t from = 0;

	if (name->len > SHOWN && where->valid > SHOWN_BEFORE)
		from = min_t(size_t, where->valid - SHOWN_BEFORE,
			     name->len - SHOWN);
	pr_notice("%s %s on %u:%u (%s): %s at byte %zu of %u; from byte %zu: %*ph\n",
		  verdict, utf8val_op_names[op], MAJOR(sb->s_dev),
		  MINOR(sb->s_dev), sb->s_type->name,
		  utf8val_reason_name(where->reason), where->valid,
		  name->len, from, (int)min_t(size_t, name->len - from, SHOWN),
		  name->name + from);
}

static struct audit_buffer *start_record(gfp_t gfp, int type)
{
	return audit_enabled ? audit_log_start(audit_context(), gfp, type) :
			       NULL;
}

/* Write a reason as one word, as a space would end the value for readers. */
static void audit_reason(struct audit_buffer *ab, enum utf8val_reason reason)
{
	const char *words = utf8val_reason_name(reason);
	const char *space = strchrnul(words, ' ');

	audit_log_format(ab, " reason=%.*s", (int)(space - words), words);
	if (*space)
		audit_log_format(ab, "-%s", space + 1);
}

static void audit_name(const struct super_block *sb, const struct qstr *name,
		       const struct utf8val_result *where, enum utf8val_op op,
		       bool denied)
{
	struct audit_buffer *ab;

	/* the task holds the directory's lock, so it must not wait for auditd */
	ab = start_record(GFP_ATOMIC | __GFP_NOWARN, AUDIT_ANOM_CREAT);
	if (!ab)
		return;
	/* audit_log_path_denied() begins its records in the same way */
	audit_log_format(ab, "op=utf8val_%s", utf8val_op_names[op]);
	audit_log_task_info(ab);
	audit_log_format(ab, " res=%d dev=%02x:%02x offset=%zu", !denied,
			 MAJOR(sb->s_dev), MINOR(sb->s_dev), where->valid);
	audit_reason(ab, where->reason);
	audit_log_format(ab, " name=");
	audit_log_n_untrustedstring(ab, name->name, name->len);
	audit_log_end(ab);
}

/*
 * Tell that a new name is ill-formed. Other tasks wait for the directory's
 * i_rwsem, so nothing here sleeps. Any user can make bad names without end, so
 * log and audit records share a rate limit. Each superblock has one of its own,
 * so that a flood of bad names on one does not hide those on another.
 */
void utf8val_report_name(struct super_block *sb, const struct qstr *name,
			 enum utf8val_op op, enum utf8val_mode mode)
{
	const struct utf8val_result where =
		utf8val_check(name->name, name->len);
	bool denied = mode == UTF8VAL_MODE_ENFORCE;

	trace_utf8val_bad_name(sb, name, &where, op, mode);
	if (!utf8val_belongs_to_host(sb) || !__ratelimit(&utf8val_sb(sb)->reports))
		return;
	log_name(sb, name, &where, denied ? "refused" : "would refuse", op);
	audit_name(sb, name, &where, op, denied);
}

/*
 * Tell that a mode was lowered, with s_umount held. The record has the type that
 * SELinux uses for a change of "enforcing". May sleep: whoever lowers a mode may
 * administer the file system, and can wait while the audit log is full.
 */
void utf8val_report_lowered(const struct super_block *sb,
			    enum utf8val_mode from, enum utf8val_mode to)
{
	const char *old = utf8val_mode_name(from);
	const char *new = utf8val_mode_name(to);
	struct audit_buffer *ab;

	if (!utf8val_belongs_to_host(sb))
		return;
	pr_notice("lowered from %s to %s on %u:%u (%s) by pid %d\n", old, new,
		  MAJOR(sb->s_dev), MINOR(sb->s_dev), sb->s_type->name,
		  task_pid_nr(current));
	ab = start_record(GFP_KERNEL, AUDIT_MAC_STATUS);
	if (!ab)
		return;
	audit_log_format(ab, "op=utf8val_lower old=%s new=%s dev=%02x:%02x",
			 old, new, MAJOR(sb->s_dev), MINOR(sb->s_dev));
	audit_log_task_info(ab);
	audit_log_format(ab, " res=1");
	audit_log_end(ab);
}
