/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM utf8val

#if !defined(UTF8VAL_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define UTF8VAL_TRACE_H

#include <linux/kdev_t.h>
#include <linux/tracepoint.h>

#include "lsm.h"

/*
 * The lists for __print_symbolic(), and the values of their constants for
 * programs that read the tracepoint's format.
 */
#define UTF8VAL_ENTRY_OP(id, word) { UTF8VAL_OP_##id, #word },
#define UTF8VAL_ENTRY_OP_LAST(id, word) { UTF8VAL_OP_##id, #word }
#define UTF8VAL_ENTRY_MODE(id, word) { UTF8VAL_MODE_##id, #word },
#define UTF8VAL_ENTRY_MODE_LAST(id, word) { UTF8VAL_MODE_##id, #word }
#define UTF8VAL_ENTRY_REASON(id, word) { UTF8VAL_##id, word },
#define UTF8VAL_ENTRY_REASON_LAST(id, word) { UTF8VAL_##id, word }

#define UTF8VAL_VALUE_OP(id, word) TRACE_DEFINE_ENUM(UTF8VAL_OP_##id);
#define UTF8VAL_VALUE_MODE(id, word) TRACE_DEFINE_ENUM(UTF8VAL_MODE_##id);
#define UTF8VAL_VALUE_REASON(id, word) TRACE_DEFINE_ENUM(UTF8VAL_##id);
UTF8VAL_OP_LIST(UTF8VAL_VALUE_OP, UTF8VAL_VALUE_OP)
UTF8VAL_MODE_LIST(UTF8VAL_VALUE_MODE, UTF8VAL_VALUE_MODE)
UTF8VAL_REASON_LIST(UTF8VAL_VALUE_REASON, UTF8VAL_VALUE_REASON)

/* bytes of a name, which may have up to PATH_MAX; an event has to fit into a page */
#define UTF8VAL_TRACED 1024

/* A new name is not UTF-8. If the mode is enforce, the name is refused. */
TRACE_EVENT(utf8val_bad_name,
	TP_PROTO(const struct super_block *sb, const struct qstr *name,
		 const struct utf8val_result *where, enum utf8val_op op,
		 enum utf8val_mode mode),
	TP_ARGS(sb, name, where, op, mode),
	TP_STRUCT__entry(
		__field(dev_t, dev)
		__field(u32, len)
		__field(u32, offset)
		__field(u8, reason)
		__field(u8, op)
		__field(u8, mode)
		__dynamic_array(u8, name, min_t(u32, name->len, UTF8VAL_TRACED))
	),
	TP_fast_assign(
		__entry->dev = sb->s_dev;
		__entry->len = name->len;
		__entry->offset = where->valid;
		__entry->reason = where->reason;
		__entry->op = op;
		__entry->mode = mode;
		memcpy(__get_dynamic_array(name), name->name,
		       __get_dynamic_array_len(name));
	),
	TP_printk("dev=%u:%u op=%s mode=%s len=%u offset=%u reason=\"%s\" name=%s",
		  MAJOR(__entry->dev), MINOR(__entry->dev),
		  __print_symbolic(__entry->op,
				   UTF8VAL_OP_LIST(UTF8VAL_ENTRY_OP,
						   UTF8VAL_ENTRY_OP_LAST)),
		  __print_symbolic(__entry->mode,
				   UTF8VAL_MODE_LIST(UTF8VAL_ENTRY_MODE,
						     UTF8VAL_ENTRY_MODE_LAST)),
		  __entry->len, __entry->offset,
		  __print_symbolic(__entry->reason,
				   UTF8VAL_REASON_LIST(UTF8VAL_ENTRY_REASON,
						       UTF8VAL_ENTRY_REASON_LAST)),
		  __print_hex_str(__get_dynamic_array(name),
				  __get_dynamic_array_len(name)))
);

#endif /* UTF8VAL_TRACE_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
/* relative to include/trace/ */
#define TRACE_INCLUDE_PATH ../../security/utf8val
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
