// SPDX-License-Identifier: GPL-2.0-only
/*
 * The guard's check of a name, run in the kernel on names from a map. verdict_test.c
 * loads this.
 */
#include "name.h"
#include "bpf/test/verdict.h"

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, VERDICTS);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, __u32);
	__type(value, struct verdict);
} verdicts SEC(".maps");

static long one(__u32 i, void *unused)
{
	struct verdict *verdict = bpf_map_lookup_elem(&verdicts, &i);
	__u32 len;

	if (!verdict)
		return 1;
	len = verdict->len;
	verdict->bad = name_is_bad(verdict->name, len);
	if (len && len < SHORT && short_is_bad((const __u64 *)verdict->name, len))
		verdict->bad |= 2;
	return 0;
}

SEC("syscall")
int run_verdicts(void *ctx)
{
	bpf_loop(VERDICTS, one, NULL, 0);
	return 0;
}
