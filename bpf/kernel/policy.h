/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The policy: the modes that /etc/utf8val.conf asks for, which utf8val-guard has read
 * into a map. The map is read when a superblock is set up, before anybody can create a
 * name there, in whatever mount namespace that happens.
 */
#ifndef UTF8VAL_GUARD_POLICY_H
#define UTF8VAL_GUARD_POLICY_H

#include <stdbool.h>

#include "kernel_types.h"
#include "bpf/shared/guard_maps.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, GUARD_LINES);
	__type(key, struct guard_what);
	__type(value, __u32);
} policy SEC(".maps");

/* Are the first @len bytes of two arrays the same? Both have that many. */
static __always_inline bool same(const char *a, const char *b, __u32 len)
{
	__u32 i;

	for (i = 0; i < len; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* The reason why this type of file system can have no mode but off, or 0. */
static __always_inline __u32 unfit(const struct super_block *sb)
{
	char type[8] = { 0 };

	bpf_probe_read_kernel_str(type, sizeof(type),
				  BPF_CORE_READ(sb, s_type, name));
#define REASON_IF_NAMED(name, why) \
	same(type, #name, sizeof(#name)) ? GUARD_##why :
	return UTF8VAL_MISFIT_LIST(REASON_IF_NAMED) 0;
}

static __always_inline void read_types(const struct super_block *sb, char *type, __u32 size,
				       char *subtype, __u32 subsize)
{
	const char *from = BPF_CORE_READ(sb, s_subtype);

	bpf_probe_read_kernel_str(type, size, BPF_CORE_READ(sb, s_type, name));
	if (from)
		bpf_probe_read_kernel_str(subtype, subsize, from);
}

static __always_inline __u32 line_for(const struct guard_what *what)
{
	const __u32 *mode = bpf_map_lookup_elem(&policy, what);

	return mode ? *mode : GUARD_UNSET;
}

/*
 * Returns: the mode that the policy has for this superblock, or GUARD_UNSET. The
 * policy is not for what the owner of a user namespace has mounted, nor for what nobody
 * can mount. The kernel's own first mount is no sign of that: /dev/mqueue has it as well.
 */
static __noinline __u32 policy_mode_of(const struct super_block *sb)
{
	struct guard_what what = { .kind = GUARD_WHAT_UUID };
	const __u32 *uuid = (const void *)what.type;
	__u32 mode;

	if (BPF_CORE_READ(sb, s_user_ns, level) || BPF_CORE_READ(sb, s_flags) & SB_NOUSER)
		return GUARD_UNSET;
	bpf_probe_read_kernel(what.type, sizeof(uuid_t), &sb->s_uuid);
	/* all bytes 0: it has no UUID */
	mode = uuid[0] | uuid[1] | uuid[2] | uuid[3] ? line_for(&what) : GUARD_UNSET;
	if (mode != GUARD_UNSET)
		return mode;
	__builtin_memset(&what, 0, sizeof(what));
	what.kind = GUARD_WHAT_TYPE;
	read_types(sb, what.type, sizeof(what.type), what.subtype, sizeof(what.subtype));
	mode = what.subtype[0] ? line_for(&what) : GUARD_UNSET;
	if (mode != GUARD_UNSET)
		return mode;
	__builtin_memset(what.subtype, 0, sizeof(what.subtype));
	mode = line_for(&what);
	if (mode != GUARD_UNSET || unfit(sb))
		return mode;
	__builtin_memset(&what, 0, sizeof(what));
	return line_for(&what);
}

#endif /* UTF8VAL_GUARD_POLICY_H */
