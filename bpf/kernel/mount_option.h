/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mount option utf8val=, from a mount's parameters to the superblock. The kernel
 * calls these programs from its hooks for mounts; guard.bpf.c includes them.
 *
 * A mount in progress has one pointer for the options of all security modules,
 * which a program cannot set. Therefore pending.h records the option, by the
 * address of the mount's fs_context. A hook that gets only the superblock finds
 * the record by the task that works on the fs_context.
 */
#ifndef UTF8VAL_GUARD_MOUNT_OPTION_H
#define UTF8VAL_GUARD_MOUNT_OPTION_H

#include <linux/errno.h>

#include "events.h"
#include "marks.h"
#include "name.h"
#include "pending.h"
#include "policy.h"

/*
 * The value by which a program accepts the option. The trampoline tests all 64
 * bits: it returns a value that is not 0 at once; after 0 it would return the
 * hook's default, -ENOPARAM. The hook's caller reads the lower 32 bits, where 0
 * means that the option was accepted.
 */
#ifndef TAKEN
#define TAKEN (1ull << 32)
#endif

/*
 * The mode that a text names, or GUARD_UNSET. mount(2) may bring it in quotes.
 */
static __always_inline __u32 parse_mode(const char *text)
{
	/* two bytes more for quotes, and one so that a longer text differs */
	char value[UTF8VAL_MODE_ROOM + 3] = { 0 };

	bpf_probe_read_kernel_str(value, sizeof(value), text);
#define MODE_IF_NAMED(id, word, ...) \
	same(value, #word, sizeof(#word)) || \
	same(value, "\"" #word "\"", sizeof(#word) + 2) ? GUARD_##id :
	return UTF8VAL_MODE_LIST(MODE_IF_NAMED, MODE_IF_NAMED) GUARD_UNSET;
}

/*
 * Forget the record of an earlier context at this address. A context that the
 * kernel makes for one system call gets its source before any other parameter.
 * A record that exists by then belongs to an earlier context. There are two
 * exceptions: copies and contexts of submounts are recorded before they get a source.
 */
static __always_inline void context_is_new(struct fs_context *fc)
{
	struct found old = pending_of((__u64)fc);

	if (old.entry && !old.entry->inherited && !old.entry->copied &&
	    at_work_on(fc) != this_task())
		forget_pending(old);
}

/*
 * The option as a parameter. Owners of user namespaces are refused: they may
 * mount a superblock of the host's, and each option takes a slot in the map.
 */
SEC("lsm/fs_context_parse_param")
__u64 BPF_PROG(guard_parse_param, struct fs_context *fc,
	       struct fs_parameter *param)
{
	struct guard_pending new = { .context = (__u64)fc };
	char key[8 + 1] = { 0 };

	if (bpf_probe_read_kernel_str(key, sizeof(key), param->key) != 8 ||
	    !same(key, "utf8val", 8)) {
		if (same(key, "source", 7))
			context_is_new(fc);
		return 0;
	}
	if (fc->cred->user_ns->level)
		return -EPERM;
	if (param->type == bpf_core_enum_value(enum fs_value_type, fs_value_is_string))
		new.mode = parse_mode(param->string);
	if (new.mode == GUARD_UNSET) {
		tell(NULL, GUARD_BAD_OPTION, GUARD_NO_VALUE, 0);
		return -EINVAL;
	}
	new.task = this_task();
	new.source = GUARD_FROM_MOUNT;
	new.own_call = at_work_on(fc) != new.task;
	/* of two values the last one counts: mount(8) puts those of fstab before its own */
	return note_pending(&new) ? -ENOMEM : TAKEN;
}

/*
 * utf8val= in the string of mount(2)'s options. If the options are then taken
 * one by one, the hook above sees this option next. A file system that reads
 * the string by itself may ignore an option that it does not know, and such a
 * mount is refused later.
 *
 * Quotes are not heeded, since a file system that reads the string itself may
 * end an option at any comma. A mount that is refused for a text in quotes is
 * reported.
 */
#define OPTION_LEN 7
#define OPTION_BYTES 0x6C617638667475ull	/* "utf8val", reversed */
#define IN_OPTION 8	/* inside another option */
#define FOUND 9
#define TEXT_PIECE 64
/* the string has a page at most, and arm64 has pages of this size */
#define LONGEST_TEXT 65536

struct text {
	const char *from;
	__u32 state;	/* key's bytes so far, IN_OPTION or FOUND */
	char bytes[TEXT_PIECE];
};

static long text_byte(__u32 i, struct text *text)
{
	__u32 at = i;
	char c;

	asm volatile("%0 &= 63" : "+r"(at));
	c = text->bytes[at];
	if (text->state == OPTION_LEN && (c == '=' || c == ',' || !c)) {
		text->state = FOUND;
		return 1;
	}
	if (!c)
		return 1;
	if (c == ',')
		text->state = 0;
	else if (text->state < OPTION_LEN && c == (char)(OPTION_BYTES >> text->state * 8))
		text->state++;
	else
		text->state = IN_OPTION;
	return 0;
}

static long text_piece(__u32 i, struct text *text)
{
	long len = bpf_probe_read_kernel_str(text->bytes, TEXT_PIECE,
					     text->from +
					     (__u64)i * (TEXT_PIECE - 1));

	/* a piece that is not the last is cut, and its last byte is a NUL */
	if (len <= 0)
		return 1;
	bpf_loop(len == TEXT_PIECE ? TEXT_PIECE - 1 : len, text_byte, text, 0);
	return len < TEXT_PIECE || text->state == FOUND;
}

/* no kernel's stack is larger */
#define STACK_SIZE (64 * 1024)

/* Is this the address of a local variable, and not of an fs_context's field? */
static __always_inline bool is_on_stack(__u64 address)
{
	const struct task_struct *task = (void *)bpf_get_current_task_btf();

	return address - (__u64)task->stack < STACK_SIZE;
}

static __always_inline __u64 context_of(__u64 field)
{
	const struct fs_context *none = NULL;

	return field - bpf_core_field_offset(none->security);
}

SEC("lsm/sb_eat_lsm_opts")
int BPF_PROG(guard_eat_opts, const char *options)
{
	const struct task_struct *task = (void *)bpf_get_current_task_btf();
	struct guard_pending new = {
		.task = this_task(),
		.mode = GUARD_UNSEEN,
		.own_call = 1,
	};
	struct text text = { .from = options };
	__u64 field;

	/* the address of the pointer to the security modules' options */
	if (bpf_get_func_arg(ctx, 1, &field))
		return -EINVAL;
	new.context = context_of(field);
	/* hidden_zero, as the verifier looks at the loop's function once */
	text.state = hidden_zero;
	bpf_loop(LONGEST_TEXT / (TEXT_PIECE - 1) + 1, text_piece, &text, 0);
	if (text.state != FOUND)
		return 0;
	if (BPF_CORE_READ(task, cred, user_ns, level))
		return -EPERM;
	/*
	 * The pointer is not in an fs_context when btrfs on Linux 6.1 mounts a
	 * file system that is mounted already. btrfs then also ignores its own
	 * options.
	 */
	if (is_on_stack(field)) {
		tell(NULL, GUARD_BAD_OPTION, GUARD_NOT_TAKEN, 0);
		return -EINVAL;
	}
	return note_pending(&new) ? -ENOMEM : 0;
}

/* The mode that a mount asks for. */
struct asked {
	/* none: GUARD_UNSET; only the file system has seen the option: GUARD_UNSEEN */
	__u32 mode;
	__u32 source;	/* enum guard_source */
};

static __always_inline struct asked asked_for(struct super_block *sb, struct found found)
{
	struct asked asked = { .mode = GUARD_UNSET };

	if (found.entry) {
		asked.mode = found.entry->mode;
		asked.source = found.entry->source;
	}
	if (asked.mode == GUARD_UNSEEN)
		tell(sb, GUARD_BAD_OPTION, GUARD_NOT_TAKEN, 0);
	else
		forget_pending(found);
	return asked;
}

/*
 * NFS version 4 walks from the server's root to the directory that is mounted.
 * NFS mounts the root by a copy of the context. The option was not meant for
 * the root's superblock, which may also be mounted elsewhere.
 */
static __always_inline bool is_nfs(const struct super_block *sb)
{
	return sb->s_magic == NFS_SUPER_MAGIC;
}

SEC("lsm/sb_alloc_security")
int BPF_PROG(guard_sb_alloc, struct super_block *sb)
{
	forget_mark(sb);
	note_fresh(sb);
	return 0;
}

/*
 * Change the mode of a superblock, if its type can have that mode. Returns: 0, or a
 * negative errno, after which the superblock's old mode stays.
 */
static __noinline int change_mode(struct super_block *sb, __u32 mode, __u32 source)
{
	__u32 reason = mode_reports(mode) ? unfit(sb) : 0;
	__u32 old = mode_of(sb);
	int error = reason ? -EOPNOTSUPP : set_mark(sb, mode, source);

	if (error)
		tell(sb, GUARD_BAD_OPTION, reason ? reason : GUARD_NO_ROOM, 0);
	else if (mode < old && belongs_to_host(sb))
		tell(sb, GUARD_LOWERED, old, mode);
	return error;
}

/*
 * The policy's mode for a mount that asks for none. A mode that cannot be given is
 * reported, and does not stop the mount: a mount that the policy stopped could stop a boot.
 */
static __noinline int set_by_policy(struct super_block *sb)
{
	__u32 policy_mode = mode_of(sb) == GUARD_UNSET ? policy_mode_of(sb) : GUARD_UNSET;

	if (policy_mode != GUARD_UNSET)
		change_mode(sb, policy_mode, GUARD_FROM_POLICY);
	return 0;
}

/*
 * Called for each mount, of a new superblock or of one that exists. Some file
 * systems come here twice, the first time before the context has a root.
 *
 * A user who opens a submount makes it, and needs no privilege for that. For this
 * reason a submount inherits only into a superblock that was made for it.
 */
SEC("lsm/sb_set_mnt_opts")
int BPF_PROG(guard_set_mnt_opts, struct super_block *sb)
{
	struct found found = find_pending(sb, false);
	struct asked asked = { .mode = GUARD_UNSET };
	__u32 mode = mode_of(sb);

	if (found.entry && (found.entry->inherited ? found.entry->fresh != (__u64)sb :
						     found.entry->copied && is_nfs(sb)))
		forget_pending(found);
	else
		asked = asked_for(sb, found);
	if (asked.mode == GUARD_UNSEEN)
		return -EINVAL;
	if (asked.mode == GUARD_UNSET)
		return set_by_policy(sb);
	/* an option wins over the policy, which may have been first */
	if (mode != GUARD_UNSET && source_of(sb) != GUARD_FROM_POLICY)
		return asked.mode == mode ? 0 : -EBUSY;
	return change_mode(sb, asked.mode, asked.source);
}

/*
 * Called before the file system's own reconfiguration. If that fails, the new
 * state stays.
 */
SEC("lsm/sb_remount")
int BPF_PROG(guard_remount, struct super_block *sb)
{
	struct asked asked = asked_for(sb, find_pending(sb, true));

	if (asked.mode == GUARD_UNSEEN)
		return -EINVAL;
	return asked.mode == GUARD_UNSET ? 0 : change_mode(sb, asked.mode, asked.source);
}

/* Note a context that the kernel makes in the system call that this task is in. */
static __always_inline int note(struct fs_context *fc, struct guard_pending *new)
{
	new->context = (__u64)fc;
	new->task = this_task();
	new->own_call = 1;
	return note_pending(new) ? -ENOMEM : 0;
}

SEC("lsm/fs_context_submount")
int BPF_PROG(guard_submount, struct fs_context *fc,
	     struct super_block *reference)
{
	struct guard_pending new = {
		.mode = mode_of(reference),
		.source = source_of(reference),
		.inherited = 1,
	};

	if (new.mode != GUARD_UNSET)
		return note(fc, &new);
	forget_pending(pending_of((__u64)fc));
	return 0;
}

/*
 * A file system copies a context for its own use while it mounts. A record for the
 * copy's address may be that of an earlier context there.
 */
SEC("lsm/fs_context_dup")
int BPF_PROG(guard_context_dup, struct fs_context *fc,
	     struct fs_context *from)
{
	const struct search call = { .task = this_task(), .started = this_start() };
	volatile struct guard_pending *has = pending_of((__u64)from).entry;

	if (has && is_this_call(has, &call) && is_unchanged(has, &call)) {
		struct guard_pending new = {
			.mode = has->mode,
			.source = has->source,
			.inherited = has->inherited,
			.copied = 1,
			.copy_of = (__u64)from,
		};

		if (has->inherited || has->copied)
			new.copy_of = has->copy_of;
		return note(fc, &new);
	}
	forget_pending(pending_of((__u64)fc));
	return 0;
}

SEC("lsm/sb_mount")
int BPF_PROG(guard_mount)
{
	forget_calls();
	return 0;
}

SEC("lsm/sb_umount")
int BPF_PROG(guard_umount)
{
	forget_calls();
	return 0;
}

/*
 * Forget a context that is freed. There is no hook for that, so this is a
 * kprobe. A program on a function's entry (fentry) does not run on a CPU while
 * another task there is interrupted in that program. Any user can arrange such
 * an interruption, for minutes. A kprobe's program runs with preemption off, so
 * no task is interrupted in it.
 */
SEC("kprobe/put_fs_context")
int guard_put_context(void *ctx)
{
	const struct pt_regs___x86 *x86 = ctx;
	const struct pt_regs___arm64 *arm64 = ctx;

	forget_pending(pending_of(bpf_core_field_exists(x86->di) ?
				  (__u64)BPF_CORE_READ(x86, di) :
				  BPF_CORE_READ(arm64, regs[0])));
	return 0;
}

/*
 * Forget a context also here, in case kprobes are switched off. The argument is
 * the address of the context's field.
 */
SEC("fentry/security_free_mnt_opts")
int guard_free_opts(void *ctx)
{
	__u64 field;

	if (!bpf_get_func_arg(ctx, 0, &field))
		forget_pending(pending_of(context_of(field)));
	return 0;
}

/*
 * fsopen(2), fspick(2) and mount(2) check this capability before they make a context. By
 * then, records whose context's end the programs above have missed are forgotten: the new
 * context could have the address of one that is gone. Contexts in user namespaces, which
 * cannot have the option, count as well. If one of them has the old address and its log,
 * the context that is gone would look as if it existed.
 */
SEC("lsm/capable")
int BPF_PROG(guard_capable, const struct cred *cred, struct user_namespace *ns, int capability)
{
	if (capability == CAP_SYS_ADMIN && *(volatile __u32 *)&pending.count)
		forget_all_gone();
	return 0;
}

#endif /* UTF8VAL_GUARD_MOUNT_OPTION_H */
