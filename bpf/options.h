/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * utf8val= from a mount's parameters to the superblock.
 *
 * The kernel has one pointer per mount in progress for all security modules'
 * options, which a program cannot set. What the option said is noted by the
 * address of the mount's fs_context instead, and found again, where only the
 * superblock is at hand, by who is at work on which fs_context.
 */
#ifndef UTF8VAL_GUARD_OPTIONS_H
#define UTF8VAL_GUARD_OPTIONS_H

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, GUARD_PENDING);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, __u64);
	__type(value, struct guard_pending);
} pending SEC(".maps");

/*
 * Tasks in mount(2) whose options have utf8val= in them, as long as it is not
 * known that the hook below will be shown it.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, GUARD_PENDING);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, __u64);
	__type(value, __u32);
} unseen SEC(".maps");

/*
 * What makes an option ours. The kernel's caller reads an int, 0: taken. The
 * trampoline between tests 64 bits: not 0 is passed on at once, and 0 would
 * leave the hook's own -ENOPARAM standing.
 */
#define TAKEN (1ull << 32)

static __always_inline __u64 this_task(void)
{
	return bpf_get_current_task();
}

/* The task that is in fsconfig(2) with this context; 0 when none is. */
static __always_inline __u64 at_work_on(struct fs_context *fc)
{
	const struct mutex___rt *rt = (const void *)&fc->uapi_mutex;

	/* the lowest bits say who waits */
	if (bpf_core_field_exists(rt->rtmutex))
		return (__u64)BPF_CORE_READ(rt, rtmutex.owner) & ~7ull;
	return BPF_CORE_READ(fc, uapi_mutex.owner.counter) & ~7ull;
}

/* A text's first bytes, NUL included; it is as long as both arrays have. */
static __always_inline bool same(const char *a, const char *b, __u32 len)
{
	__u32 i;

	for (i = 0; i < len; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* Is this text one of the modes' names? Quotes around it are mount(2)'s. */
static __always_inline __u32 parse_mode(const char *text)
{
	char value[12] = { 0 };

	bpf_probe_read_kernel_str(value, sizeof(value), text);
	if (same(value, "enforce", 8) || same(value, "\"enforce\"", 10))
		return GUARD_ENFORCE;
	if (same(value, "audit", 6) || same(value, "\"audit\"", 8))
		return GUARD_AUDIT;
	if (same(value, "off", 4) || same(value, "\"off\"", 6))
		return GUARD_OFF;
	return GUARD_UNSET;
}

/*
 * Owners of user namespaces are refused: what they mount may be the host's own
 * superblock, and each option takes a place in the map.
 */
SEC("lsm/fs_context_parse_param")
__u64 BPF_PROG(guard_parse_param, struct fs_context *fc,
	       struct fs_parameter *param)
{
	struct guard_pending new = { .task = this_task() };
	const struct guard_pending *old;
	__u64 fc_key = (__u64)fc;
	char key[8 + 1] = { 0 };

	if (bpf_probe_read_kernel_str(key, sizeof(key), param->key) != 8 ||
	    !same(key, "utf8val", 8))
		return 0;
	bpf_map_delete_elem(&unseen, &new.task);
	if (fc->cred->user_ns->level)
		return -EPERM;
	if (param->type == fs_value_is_string)
		new.mode = parse_mode(param->string);
	if (new.mode == GUARD_UNSET) {
		tell(NULL, GUARD_BAD_OPTION, GUARD_NO_VALUE, 0);
		return -EINVAL;
	}
	old = bpf_map_lookup_elem(&pending, &fc_key);
	if (old && !old->inherited && old->mode != new.mode) {
		tell(NULL, GUARD_BAD_OPTION, GUARD_TWO_VALUES, 0);
		return -EINVAL;
	}
	new.own_call = at_work_on(fc) != new.task;
	if (bpf_map_update_elem(&pending, &fc_key, &new, BPF_ANY))
		return -ENOMEM;
	return TAKEN;
}

/*
 * utf8val= in the one string of mount(2)'s options. Where they are taken one by
 * one, the hook above sees it next; a file system that reads the string by
 * itself may not mind what it does not know, and that mount is refused later.
 */
#define OPTION_LEN 7
#define OPTION_BYTES 0x6C617638667475ull	/* the last one first */
#define IN_OPTION 8	/* in another one */
#define FOUND 9
#define TEXT_PIECE 64

struct text {
	const char *from;
	__u32 state;	/* how many bytes of the name there were, or these */
	__u32 quoted;
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
	if (c == '"')
		text->quoted ^= 1;
	if (c == ',' && !text->quoted)
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

	/* all but the last are cut, and their last byte is a NUL */
	if (len <= 0)
		return 1;
	bpf_loop(len == TEXT_PIECE ? TEXT_PIECE - 1 : len, text_byte, text, 0);
	return len < TEXT_PIECE || text->state == FOUND;
}

SEC("lsm/sb_eat_lsm_opts")
int BPF_PROG(guard_eat_opts, const char *options)
{
	const struct task_struct *task = (void *)bpf_get_current_task_btf();
	struct text text = { .from = options };
	__u64 key = this_task();
	__u32 one = 1;

	/* unknown to the verifier, as a loop's function is looked at once */
	text.state = start_state;
	text.quoted = start_state;
	bpf_map_delete_elem(&unseen, &key);
	bpf_loop(4096 / (TEXT_PIECE - 1) + 1, text_piece, &text, 0);
	if (text.state != FOUND)
		return 0;
	if (BPF_CORE_READ(task, cred, user_ns, level))
		return -EPERM;
	return bpf_map_update_elem(&unseen, &key, &one, BPF_ANY) ? -ENOMEM : 0;
}

/* The context that this task is at work on, as far as it has the option. */
struct search {
	__u64 task;
	struct super_block *sb;	/* whose root the context has; NULL: any */
	__u64 key;
	__u32 mode;
	__u32 inherited;
};

static long look_at(struct bpf_map *map, const __u64 *key,
		    const struct guard_pending *value, struct search *search)
{
	struct fs_context *fc = (void *)*key;

	if (value->own_call ? value->task != search->task :
			      at_work_on(fc) != search->task)
		return 0;
	if (search->sb && BPF_CORE_READ(fc, root, d_sb) != search->sb)
		return 0;
	search->key = *key;
	search->mode = value->mode;
	search->inherited = value->inherited;
	return 1;
}

static __always_inline void find_option(struct search *search,
					struct super_block *sb)
{
	__builtin_memset(search, 0, sizeof(*search));
	search->task = this_task();
	search->sb = sb;
	bpf_for_each_map_elem(&pending, look_at, search, 0);
}

/*
 * A program gets here with an option in its mount(2) that the file system alone
 * has seen, and has not minded.
 */
static __always_inline int nothing_unseen(struct super_block *sb)
{
	__u64 task = this_task();

	if (bpf_map_delete_elem(&unseen, &task))
		return 0;
	tell(sb, GUARD_BAD_OPTION, GUARD_NOT_TAKEN, 0);
	return -EINVAL;
}

/*
 * A mount, of a new superblock or of one that exists. Some file systems come
 * here twice, the first time before the context has a root.
 */
SEC("lsm/sb_set_mnt_opts")
int BPF_PROG(guard_set_mnt_opts, struct super_block *sb)
{
	struct search search;
	__u32 mode;

	find_option(&search, sb);
	if (!search.mode)
		return nothing_unseen(sb);
	bpf_map_delete_elem(&pending, &search.key);
	mode = mode_of(sb);
	if (mode == search.mode)
		return 0;
	if (mode != GUARD_UNSET)
		return -EBUSY;
	return set_mark(sb, search.mode);
}

/*
 * Called before the file system's own reconfiguration; should that fail, the
 * new state stays.
 */
static __noinline int change_state(struct super_block *sb, __u32 mode)
{
	__u32 old = mode_of(sb);
	int error = set_mark(sb, mode);

	if (!error && mode < old && belongs_to_host(sb))
		tell(sb, GUARD_LOWERED, old, mode);
	return error;
}

SEC("lsm/sb_remount")
int BPF_PROG(guard_remount, struct super_block *sb)
{
	struct search search;

	find_option(&search, sb);
	if (!search.mode)
		return nothing_unseen(sb);
	bpf_map_delete_elem(&pending, &search.key);
	return change_state(sb, search.mode);
}

/* May this mount share the superblock? Under a spin lock. */
SEC("lsm/sb_mnt_opts_compat")
int BPF_PROG(guard_opts_compat, struct super_block *sb)
{
	struct search search;

	find_option(&search, NULL);
	return search.mode && search.mode != mode_of(sb) ? -EBUSY : 0;
}

SEC("lsm/sb_clone_mnt_opts")
int BPF_PROG(guard_clone_opts, struct super_block *from,
	     struct super_block *to)
{
	__u32 mode = mode_of(from);
	__u32 has = mode_of(to);

	if (mode == GUARD_UNSET || mode == has)
		return 0;
	return has == GUARD_UNSET ? set_mark(to, mode) : -EBUSY;
}

static __always_inline int note(struct fs_context *fc, __u32 mode,
				__u8 inherited)
{
	struct guard_pending new = {
		.task = this_task(),
		.mode = mode,
		.own_call = 1,
		.inherited = inherited,
	};
	__u64 key = (__u64)fc;

	return bpf_map_update_elem(&pending, &key, &new, BPF_ANY) ? -ENOMEM : 0;
}

SEC("lsm/fs_context_submount")
int BPF_PROG(guard_submount, struct fs_context *fc,
	     struct super_block *reference)
{
	__u32 mode = mode_of(reference);

	return mode == GUARD_UNSET ? 0 : note(fc, mode, 1);
}

/* A copy, which the file system makes for its own use while it mounts. */
SEC("lsm/fs_context_dup")
int BPF_PROG(guard_context_dup, struct fs_context *fc,
	     struct fs_context *from)
{
	__u64 key = (__u64)from;
	const struct guard_pending *has = bpf_map_lookup_elem(&pending, &key);

	return has ? note(fc, has->mode, has->inherited) : 0;
}

/*
 * The context is freed: forget it. There is no hook for that, and a program on
 * a function is left out while another task on the same processor has been
 * interrupted in it: there are two, on functions called one after the other.
 */
static __always_inline void forget_context(struct fs_context *fc)
{
	__u64 task = this_task();
	__u64 key = (__u64)fc;

	bpf_map_delete_elem(&pending, &key);
	bpf_map_delete_elem(&unseen, &task);
}

SEC("fentry/put_fs_context")
int BPF_PROG(guard_put_context, struct fs_context *fc)
{
	forget_context(fc);
	return 0;
}

/* Its argument is the address of the context's field. */
SEC("fentry/security_free_mnt_opts")
int guard_free_opts(void *ctx)
{
	struct fs_context *none = NULL;
	__u64 field;

	/* where it is not in a context, this makes no key that is in the map */
	if (!bpf_get_func_arg(ctx, 0, &field))
		forget_context((void *)(field -
					bpf_core_field_offset(none->security)));
	return 0;
}

#endif /* UTF8VAL_GUARD_OPTIONS_H */
